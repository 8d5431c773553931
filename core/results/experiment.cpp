// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/experiment.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/results/series_json.h"
#include "core/results/task_scores_json.h"

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;

Json text_json(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json events_json(const std::vector<RunEvent>& events) {
  Json list = Json::array();
  for (const RunEvent& event : events) {
    list.push_back({{"step", event.step}, {"kind", event.kind}, {"text", event.text}});
  }
  return list;
}

Json snapshots_json(const ArmRun& run, FieldWriter& writer) {
  Json list = Json::array();
  for (const auto& snapshot : run.snapshots) {
    list.push_back({{"step", snapshot->step}, {"series", writer.write(snapshot->series)}});
  }
  return list;
}

// The curves of training first, as a run's results have them.
std::vector<Series> all_series(const ArmRun& run) {
  std::vector<Series> all;
  if (!run.points.empty()) all = train_series(run.points);
  all.insert(all.end(), run.series.begin(), run.series.end());
  return all;
}

Json run_json(const ArmRun& run, const Experiment& experiment, FieldWriter& writer) {
  Json json;
  json["id"] = run.id;
  json["arm"] = run.arm;
  json["law"] = text_json(run.law);
  json["seed"] = run.seed;
  json["stage"] = to_string(run.stage);
  json["steps"] = run.steps;
  json["planned"] = run.planned;
  json["parent"] = run.parent > 0 ? Json(run.parent) : Json(nullptr);
  json["forked_at"] = run.parent > 0 ? Json(run.forked_at) : Json(nullptr);
  json["table"] = Json::object();
  for (const TablePosition& column : table_positions(experiment.context)) {
    const std::optional<double> value =
        perplexity_at(run, column.position, experiment.perplexity);
    if (value) json["table"][column.name] = writer.write(*value);
  }
  json["problem"] = text_json(run.problem);
  json["saved_in"] = text_json(run.saved_in);
  json["recipe"] = run.recipe.empty() ? Json(nullptr) : Json::parse(run.recipe);
  json["events"] = events_json(run.events);
  json["series"] = writer.write(all_series(run));
  json["snapshots"] = snapshots_json(run, writer);
  if (!run.cells.empty()) json["cells"] = writer.write(run.cells);
  return json;
}

Json summary_json(const Experiment& experiment, FieldWriter& writer) {
  Json json = Json::object();
  for (const std::string& arm : arms_of(experiment)) {
    Json& of_arm = json[arm] = Json::object();
    for (const TablePosition& column : table_positions(experiment.context)) {
      const std::optional<Spread> spread = perplexity_at(experiment, arm, column.position);
      if (!spread) continue;
      of_arm[column.name] = {{"mean", writer.write(spread->mean)},
                             {"std", writer.write(spread->std)},
                             {"seeds", spread->seeds}};
    }
  }
  return json;
}

}  // namespace

std::string to_string(ArmStage stage) {
  switch (stage) {
    case ArmStage::kWaiting:
      return "waiting";
    case ArmStage::kRunning:
      return "running";
    case ArmStage::kPaused:
      return "paused";
    case ArmStage::kDone:
      return "done";
    case ArmStage::kStopped:
      return "stopped";
    case ArmStage::kFailed:
      return "failed";
  }
  return {};
}

std::vector<TablePosition> table_positions(int64_t context) {
  return {{"T/2", context / 2}, {"T", context}, {"2T", 2 * context}, {"8T", 8 * context},
          {"64T", 64 * context}};
}

std::optional<double> perplexity_at(const ArmRun& run, int64_t position,
                                    const std::string& series) {
  // What a failed run was before it failed is not what became of it.
  const bool measured =
      !run.series.empty() || run.snapshots.empty() || run.stage == ArmStage::kFailed;
  const Series* perplexity =
      find_series(measured ? run.series : run.snapshots.back()->series, series);
  if (perplexity == nullptr) return std::nullopt;
  const std::optional<size_t> sample = sample_at(*perplexity, static_cast<double>(position));
  return sample ? std::optional(perplexity->y[*sample]) : std::nullopt;
}

std::optional<Spread> perplexity_at(const Experiment& experiment, const std::string& arm,
                                    int64_t position) {
  Spread spread;
  double squares = 0;
  for (const std::shared_ptr<const ArmRun>& run : experiment.runs) {
    if (run->arm != arm) continue;
    const std::optional<double> value = perplexity_at(*run, position, experiment.perplexity);
    if (!value) continue;
    ++spread.seeds;  // Welford's update
    const double off = *value - spread.mean;
    spread.mean += off / static_cast<double>(spread.seeds);
    squares += off * (*value - spread.mean);
  }
  if (spread.seeds == 0) return std::nullopt;
  if (spread.seeds > 1) spread.std = std::sqrt(squares / static_cast<double>(spread.seeds - 1));
  return spread;
}

std::vector<std::string> arms_of(const Experiment& experiment) {
  std::vector<std::string> arms;
  for (const std::shared_ptr<const ArmRun>& run : experiment.runs) {
    if (std::find(arms.begin(), arms.end(), run->arm) == arms.end()) arms.push_back(run->arm);
  }
  return arms;
}

std::string to_json(const Experiment& experiment, int64_t& non_finite) {
  non_finite = 0;
  FieldWriter writer(non_finite);
  Json root;
  root["schema"] = "farstate.experiment/1";
  root["recipe"] = Json::parse(experiment.recipe);
  root["context"] = experiment.context;
  root["perplexity"] = experiment.perplexity;
  root["table"] = summary_json(experiment, writer);
  if (experiment.base != nullptr) {
    root["base"] = run_json(*experiment.base, experiment, writer);
  }
  root["arms"] = Json::array();
  for (const std::shared_ptr<const ArmRun>& run : experiment.runs) {
    root["arms"].push_back(run_json(*run, experiment, writer));
  }
  root["notes"] = experiment.notes;
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace farstate
