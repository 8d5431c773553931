// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/session/session.h"

#include "core/base/file.h"
#include "core/results/json_fields.h"

namespace farstate {

template <FieldsOf<ExperimentPlan> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("arms", s.arms);
  field("seeds", s.seeds);
  field("out", s.out);
  field("interleaved", s.interleaved);
}

template <FieldsOf<SamplingConfig> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("tokens", s.tokens);
  field("temperature", s.temperature);
  field("top_p", s.top_p);
  field("seed", s.seed);
  field("tokens_per_second", s.tokens_per_second);
}

namespace desktop {
namespace {

constexpr const char* kFormat = "farstate.session/1";
constexpr const char* kStarts[] = {"zero", "random-noise", "kept", "file"};
constexpr const char* kEdits[] = {"scale", "zero", "noise"};

template <size_t N>
std::string name_in(const char* const (&names)[N], int kind) {
  return names[static_cast<size_t>(kind)];
}

template <typename Kind, size_t N>
Kind kind_in(const char* const (&names)[N], const std::string& name, const std::string& source) {
  for (size_t i = 0; i < N; ++i) {
    if (name == names[i]) return static_cast<Kind>(i);
  }
  throw Error(ErrorKind::kBadInput,
              fmt::format("{}: in \"generation\" \"{}\" is no start and no edit of a state; this "
                          "file was written by a newer version, or changed by hand.",
                          source, name));
}

// The parts of a session whose members are no plain fields, as they are written.
struct WrittenEdit {
  std::string kind;
  double amount = 1;
  std::vector<std::vector<int64_t>> heads;  // layer and head
  uint64_t seed = 7;
};

struct WrittenGeneration {
  std::string prompt, prompt_file, start, start_name;
  double start_sigma = 1;
  std::vector<WrittenEdit> edits;
  SamplingConfig sampling;
};

struct Written {
  std::string format, recipe;
  WrittenGeneration generation;
  Session session;
};

template <FieldsOf<WrittenEdit> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("kind", s.kind);
  field("amount", s.amount);
  field("heads", s.heads);
  field("seed", s.seed);
}

template <FieldsOf<WrittenGeneration> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("prompt", s.prompt);
  field("prompt_file", s.prompt_file);
  field("start", s.start);
  field("start_name", s.start_name);
  field("start_sigma", s.start_sigma);
  field("edits", s.edits);
  field("sampling", s.sampling);
}

template <FieldsOf<Written> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("format", s.format);
  field.json("recipe", s.recipe);
  field("twin", s.session.twin);
  field("page", s.session.page);
  field("focus", s.session.focus);
  field("views", s.session.views);
  field("splits", s.session.splits);
  field("position_range", s.session.position_range);
  field("inspector", s.session.inspector);
  field("comparison", s.session.comparison);
  field("generation", s.generation);
  field("story", s.session.story);
  field("story_step", s.session.story_step);
}

WrittenGeneration written(const GenerationRequest& request) {
  WrittenGeneration out;
  out.prompt = request.prompt;
  out.prompt_file = request.prompt_file;
  out.start = name_in(kStarts, static_cast<int>(request.initial.kind));
  out.start_name = request.initial.name;
  out.start_sigma = request.initial.sigma;
  for (const StateEdit& edit : request.initial.edits) {
    WrittenEdit& to = out.edits.emplace_back();
    to = {name_in(kEdits, static_cast<int>(edit.kind)), edit.amount, {}, edit.seed};
    for (const HeadIndex& head : edit.heads) to.heads.push_back({head.layer, head.head});
  }
  out.sampling = request.sampling;
  return out;
}

GenerationRequest request_of(const WrittenGeneration& from, const std::string& source) {
  GenerationRequest out;
  out.prompt = from.prompt;
  out.prompt_file = from.prompt_file;
  out.initial.kind = kind_in<InitialState::Kind>(kStarts, from.start, source);
  out.initial.name = from.start_name;
  out.initial.sigma = from.start_sigma;
  for (const WrittenEdit& edit : from.edits) {
    StateEdit& to = out.initial.edits.emplace_back();
    to = {kind_in<StateEdit::Kind>(kEdits, edit.kind, source), edit.amount, {}, edit.seed};
    for (const std::vector<int64_t>& head : edit.heads) {
      if (head.size() == 2) to.heads.push_back({head[0], head[1]});
    }
  }
  out.sampling = from.sampling;
  return out;
}

nlohmann::ordered_json parse(const std::string& text, const std::string& source) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("format") || !json["format"].is_string()) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: is no session of Farstate. Open a file that File > Save session "
                            "wrote.",
                            source));
  }
  if (json["format"] != kFormat) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: \"format\" is \"{}\", but must be \"{}\": it is of another version "
                            "of Farstate. Open it with that one.",
                            source, json["format"].get<std::string>(), kFormat));
  }
  return json;
}

}  // namespace

template <FieldsOf<SessionView> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("name", s.name);
  field("chosen", s.chosen);
}

template <FieldsOf<SessionSplit> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("name", s.name);
  field("sizes", s.sizes);
}

template <FieldsOf<SessionFocus> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("layer", s.layer);
  field("head", s.head);
  field("pin_a", s.pin_a);
  field("pin_b", s.pin_b);
}

std::string to_json(const Session& session) {
  const Written out{kFormat, farstate::to_json(session.recipe), written(session.generation), session};
  int64_t non_finite = 0;
  return FieldWriter(non_finite).write(out).dump(2) + "\n";
}

Session session_from_json(const std::string& text, const std::string& source) {
  const nlohmann::ordered_json json = parse(text, source);
  Written in;
  FieldReader(json, source).read(in);
  if (in.recipe.empty()) {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: \"recipe\" is null, but must be an object.", source));
  }
  try {
    in.session.recipe = run_config_from_json(in.recipe);
    validate(in.session.recipe);
    if (!in.session.twin.empty()) intervention_from_string(in.session.twin);
  } catch (const Error& error) {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", source, error.what()));
  }
  in.session.generation = request_of(in.generation, source);
  return in.session;
}

void write_session(const Session& session, const std::string& path) {
  write_file_atomic(path, to_json(session));
}

Session read_session(const std::string& path) { return session_from_json(read_file(path), path); }

}  // namespace desktop
}  // namespace farstate
