// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_export.h"

#include <filesystem>

#include "core/base/file.h"
#include "core/results/series_csv.h"
#include "core/results/series_json.h"
#include "core/results/task_scores_json.h"

namespace farstate {

template <typename Field>
void visit_fields(const StoredRun& run, Field& field) {
  field("id", run.id);
  field("name", run.name);
  field("program", run.program);
  field("law", run.law);
  field("experiment", run.experiment);
  field("arm", run.arm);
  field("seed", run.seed);
  field("parent", run.parent);
  field("forked_at", run.forked_at);
  field("status", to_string(run.status));
  field("alive", run.alive);
  field("problem", run.problem);
  field("steps", run.steps);
  field("planned", run.planned);
  field("final_loss", run.final_loss);
  field("started", run.started);
  field("updated", run.updated);
  field("folder", run.folder);
  field("checkpoint_step", run.checkpoint_step);
}

template <typename Field>
void visit_fields(const RunEvent& event, Field& field) {
  field("step", event.step);
  field("kind", event.kind);
  field("text", event.text);
}

template <typename Field>
void visit_fields(const Snapshot& snapshot, Field& field) {
  field("step", snapshot.step);
  field("notes", snapshot.notes);
  field("series", snapshot.series);
}

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A column for each number of a step: names are not repeated for every step of a long run.
Json points_json(const std::vector<TrainPoint>& points, FieldWriter& writer) {
  Json json = {{"step", Json::array()},          {"loss", Json::array()},
               {"grad_norm", Json::array()},     {"learning_rate", Json::array()},
               {"tokens_per_second", Json::array()}};
  for (const TrainPoint& p : points) {
    json["step"].push_back(p.step);
    json["loss"].push_back(writer.write(p.loss));
    json["grad_norm"].push_back(writer.write(p.grad_norm));
    json["learning_rate"].push_back(writer.write(p.learning_rate));
    json["tokens_per_second"].push_back(writer.write(p.tokens_per_second));
  }
  return json;
}

Json recipe_json(const std::string& recipe) {
  Json json = parse_json(recipe);
  return json.is_discarded() ? Json(nullptr) : json;
}

}  // namespace

void write_json(std::ostream& out, const StoredRun& run, const RunCurves& curves,
                int64_t& non_finite) {
  non_finite = 0;
  FieldWriter writer(non_finite);
  Json head = {{"schema", "farstate.run/1"}};
  head.update(writer.write(run));
  head["recipe"] = recipe_json(run.recipe);
  head["points"] = points_json(curves.points, writer);
  head["events"] = writer.write(curves.events);
  head["series"] = writer.write(curves.series);
  head["cells"] = writer.write(curves.cells);
  std::string text = text_of(head);
  text.pop_back();  // the closing brace, which comes after the snapshots
  out << text << ",\"snapshots\":[";
  for (size_t i = 0; i < curves.snapshots.size(); ++i) {
    out << (i > 0 ? "," : "") << text_of(writer.write(curves.snapshots[i]));
  }
  out << "]}\n";
}

std::string to_json(const std::vector<StoredRun>& runs, const std::string& store) {
  int64_t non_finite = 0;
  const Json json = {{"schema", "farstate.runs/1"},
                     {"store", store},
                     {"runs", FieldWriter(non_finite).write(runs)}};
  return text_of(json);
}

std::vector<std::string> write_tables(const std::string& folder, const StoredRun& run,
                                      const RunCurves& curves) {
  make_folder(folder);
  std::vector<std::string> names;
  const auto write = [&](const std::string& name, const auto& rows) {
    if (rows.empty()) return;
    write_file_atomic((std::filesystem::path(folder) / name).string(),
                      [&](std::ostream& out) { write_csv(out, rows); });
    names.push_back(name);
  };
  write_file_atomic((std::filesystem::path(folder) / "recipe.json").string(), run.recipe + "\n");
  names.emplace_back("recipe.json");
  write("points.csv", curves.points);
  write("events.csv", curves.events);
  write("snapshots.csv", curves.snapshots);
  write("series.csv", curves.series);
  write("cells.csv", curves.cells);
  return names;
}

}  // namespace farstate
