// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/results.h"

#include <fmt/format.h>

#include "core/results/series_json.h"
#include "core/results/state_report_json.h"

namespace farstate {

template <FieldsOf<PerPosition> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("tokens", s.tokens);
  field("nll", s.nll);
}

template <FieldsOf<MeasuredModel> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("name", s.name);
  field("trained_context", s.trained_context);
  field("trained_with", s.trained_with);
  field("steps", s.steps);
}

template <FieldsOf<Snapshot> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("step", s.step);
  field("series", s.series);
  field("notes", s.notes);
}

template <FieldsOf<Results> S, typename Field>
void visit_fields(S& s, Field& field) {
  field.json("recipe", s.recipe);
  field.maybe("model", s.model);
  field("series", s.series);
  field.maybe("snapshots", s.snapshots);
  field.maybe("per_position", s.per_position);
  field("notes", s.notes);
}

std::string contradiction(const PerPosition& p) {
  if (p.tokens.size() != p.nll.size()) {
    return fmt::format("there are tokens of {} sequences and losses of {}", p.tokens.size(),
                       p.nll.size());
  }
  for (size_t s = 0; s < p.nll.size(); ++s) {
    if (p.tokens[s].size() == p.nll[s].size() + 1) continue;
    return fmt::format("sequence {} has {} losses for {} tokens", s, p.nll[s].size(),
                       p.tokens[s].size());
  }
  return {};
}

std::string contradiction(const Snapshot& snapshot) {
  return snapshot.step >= 0 ? "" : "\"step\" must not be negative";
}

std::string contradiction(const MeasuredModel& model) {
  if (model.trained_context >= 0 && model.steps >= 0) return {};
  return "\"trained_context\" and \"steps\" must not be negative";
}

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "farstate.results/1";

}  // namespace

std::string to_json(const Results& results, int64_t& non_finite) {
  non_finite = 0;
  Json root = {{"schema", kSchema}};
  root.update(FieldWriter(non_finite).write(results));
  if (results.states) {
    int64_t incomparable = 0;  // a NaN there says that there was nothing to compare with
    root["states"] = to_json(*results.states, incomparable);
  }
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Results results_from_json(std::string_view text, const std::string& source) {
  const Json root = parse_json(text);
  if (root.is_discarded()) throw Error(ErrorKind::kBadInput, source + " is no JSON.");
  if (!root.is_object() || !root.contains("schema")) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} has no \"schema\", so it is no file of results: farstate measure "
                            "--json writes one.",
                            source));
  }
  if (root["schema"] != kSchema) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: \"schema\" is {}, but must be \"{}\", the results that farstate "
                            "measure --json writes.",
                            source, short_text(root["schema"]), kSchema));
  }
  Results results;
  FieldReader(root, source).read(results);
  if (root.contains("states") && !root["states"].is_null()) {
    results.states = state_report_from_json(root["states"], source);
  }
  return results;
}

}  // namespace farstate
