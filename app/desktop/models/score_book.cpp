// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/score_book.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <map>

#include "app/desktop/core_words.h"
#include "app/desktop/models/arm_groups.h"
#include "app/desktop/theme.h"
#include "core/base/error.h"
#include "core/results/paper_results.h"

namespace farstate::desktop {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

QString count(int64_t n) { return QLocale().toString(static_cast<qint64>(n)); }

bool same_place(const TaskCell& a, const TaskCell& b) {
  return a.task == b.task && a.kind == b.kind && a.mode == b.mode && a.length == b.length &&
         a.depth == b.depth && a.seed == b.seed;
}

// The recipe is the runner's own writing; one that can't be read back is of another version.
TaskConfig task_of(const TaskScores& scores) {
  try {
    return run_config_from_json(scores.recipe).task;
  } catch (const Error&) {
    TaskConfig task;
    if (!scores.cells.empty()) task.name = scores.cells.front().task;
    return task;
  }
}

using Place = std::pair<int64_t, double>;

// The cells of one seed, those of one place together.
std::map<Place, TaskCell> by_place(const std::vector<TaskCell>& cells, const ScoreFilter& filter,
                                   bool depths_together) {
  std::map<Place, TaskCell> places;
  for (const TaskCell& cell : cells) {
    if (!filter.kind.empty() && cell.kind != filter.kind) continue;
    if (!filter.mode.empty() && !cell.mode.empty() && cell.mode != filter.mode) continue;
    TaskCell& sum = places[{cell.length, depths_together ? -1 : cell.depth}];
    sum.correct += cell.correct;
    sum.trials += cell.trials;
    sum.samples += cell.samples;
    sum.planned += cell.planned;
  }
  return places;
}

void add_seed(ScorePoint& point, const TaskCell& cell) {
  if (cell.trials <= 0) return;
  const double share = accuracy(cell);
  point.low = point.seeds == 0 ? share : std::min(point.low, share);
  point.high = point.seeds == 0 ? share : std::max(point.high, share);
  ++point.seeds;
  point.share += (share - point.share) / static_cast<double>(point.seeds);
  point.correct += cell.correct;
  point.trials += cell.trials;
  point.samples += cell.samples;
  point.planned += cell.planned;
}

std::vector<ScorePoint> points(const ScoreLayer& layer, const ScoreFilter& filter, bool together) {
  std::map<Place, ScorePoint> places;
  for (const std::vector<TaskCell>& cells : layer.seeds) {
    for (const auto& [place, cell] : by_place(cells, filter, together)) {
      ScorePoint& point = places[place];
      point.length = place.first;
      point.depth = place.second;
      add_seed(point, cell);
    }
  }
  std::vector<ScorePoint> out;
  for (auto& [place, point] : places) {
    if (point.seeds == 0) continue;
    if (point.seeds == 1) {
      const Interval interval = wilson(point.correct, point.trials);
      point.low = interval.lower;
      point.high = interval.upper;
    }
    out.push_back(point);
  }
  return out;
}

std::vector<TaskCell> cells_of(const ArmRun& run, const std::string& task) {
  std::vector<TaskCell> cells;
  for (const TaskCell& cell : run.cells) {
    if (cell.task == task) cells.push_back(cell);
  }
  return cells;
}

ScoreLayer layer_of(const ArmGroup& group, const std::string& task) {
  ScoreLayer layer{ScoreLayer::Source::kExperiment, {}, {}, group.law, false, {}};
  std::vector<uint64_t> seeds;
  for (const auto& run : group.runs) {
    if (run->stage == ArmStage::kFailed) continue;  // what is left of it is no sample of the arm
    std::vector<TaskCell> cells = cells_of(*run, task);
    if (cells.empty()) continue;
    layer.seeds.push_back(std::move(cells));
    seeds.push_back(run->seed);
  }
  if (seeds.empty()) return layer;
  layer.name = seeds.size() == 1
                   ? tr("%1, experiment, seed %2").arg(group.name).arg(seeds.front())
                   : tr("%1, experiment, %2 seeds").arg(group.name).arg(seeds.size());
  layer.tip = tr("Runs of the experiment, each scored where it ended.");
  return layer;
}

}  // namespace

LineStyle ScoreLayer::line(const Theme& theme) const {
  if (law) return intervention_line(*law, theme.dark);
  return {theme.text, {4, 3}, Marker::kCircle};
}

std::vector<ScorePoint> points_of(const ScoreLayer& layer, const ScoreFilter& filter) {
  return points(layer, filter, false);
}

std::vector<ScorePoint> points_by_length(const ScoreLayer& layer, const ScoreFilter& filter) {
  return points(layer, filter, true);
}

std::optional<Intervention> law_of_arm(const std::string& arm) {
  for (const Intervention law : kInterventions) {
    if (to_string(law) == arm.substr(0, arm.find(':'))) return law;
  }
  return std::nullopt;
}

std::vector<ScoreLayer> paper_layers(const std::string& task) {
  std::vector<ScoreLayer> layers;
  for (const PaperSeries& series : paper_results(task)) {
    ScoreLayer layer{ScoreLayer::Source::kPaper,
                     core_words(series.label),
                     core_words(series.source),
                     std::nullopt,
                     false,
                     {series.cells}};
    if (!series.cells.empty()) layer.law = law_of_arm(series.cells.front().arm);
    layers.push_back(std::move(layer));
  }
  return layers;
}

void ScoreBook::forget() { entries_.clear(); }

void ScoreBook::set_weights(uint64_t epoch, int64_t step) {
  epoch_ = epoch;
  step_ = step;
}

void ScoreBook::take(const std::shared_ptr<const TaskScores>& scores, uint64_t epoch) {
  Entry entry{task_of(*scores), scores->step == 0 ? 0 : epoch, scores->step, scores, scores->cells};
  auto known = std::find_if(entries_.begin(), entries_.end(),
                            [&](const Entry& other) { return other.of(entry); });
  if (known != entries_.end()) {
    for (const TaskCell& cell : known->cells) {
      const auto same = [&](const TaskCell& other) { return same_place(cell, other); };
      if (std::none_of(scores->cells.begin(), scores->cells.end(), same)) {
        entry.cells.push_back(cell);
      }
    }
    entries_.erase(known);
  }
  entries_.push_back(std::move(entry));
}

ScoreLayer ScoreBook::layer_of(const Entry& entry) const {
  const std::string arm = entry.cells.empty() ? "base" : entry.cells.front().arm;
  const bool now = entry.step == step_ && (step_ == 0 || entry.epoch == epoch_);
  ScoreLayer layer{now ? ScoreLayer::Source::kModel : ScoreLayer::Source::kEarlier,
                   {},
                   {},
                   law_of_arm(arm),
                   entry.newest->running,
                   {entry.cells}};
  const QString law = layer.law ? intervention_name(*layer.law) : QString();
  if (entry.step == 0) {
    layer.name = layer.law ? tr("As loaded, trained by %1").arg(in_sentence(law)) : tr("As loaded");
  } else {
    const QString steps = entry.step == 1 ? tr("1 step") : tr("%1 steps").arg(count(entry.step));
    layer.name = tr("%1, %2").arg(layer.law ? law : tr("Trained"), steps);
  }
  layer.tip = now ? tr("The weights on screen.") : tr("Earlier weights, scored in this window.");
  return layer;
}

std::vector<ScoreLayer> ScoreBook::layers(const std::string& task,
                                          const Experiment* experiment) const {
  std::vector<ScoreLayer> layers;
  for (const Entry& entry : entries_) {
    if (entry.task.name == task && !entry.cells.empty()) layers.push_back(layer_of(entry));
  }
  if (experiment == nullptr) return layers;
  if (experiment->base != nullptr) {
    std::vector<TaskCell> cells = cells_of(*experiment->base, task);
    if (!cells.empty()) {
      layers.push_back({ScoreLayer::Source::kExperiment, tr("As loaded, experiment"),
                        tr("The experiment's base: the untouched model."), std::nullopt, false,
                        {std::move(cells)}});
    }
  }
  for (const ArmGroup& group : arm_groups(*experiment)) {
    ScoreLayer layer = desktop::layer_of(group, task);
    if (!layer.seeds.empty()) layers.push_back(std::move(layer));
  }
  return layers;
}

TaskScores ScoreBook::scores(const std::string& task, const Experiment* experiment) const {
  TaskScores all;
  for (const Entry& entry : entries_) {
    if (entry.task.name != task || entry.cells.empty()) continue;
    all.recipe = entry.newest->recipe;
    all.model = entry.newest->model;
    all.context = entry.newest->context;
    for (TaskCell cell : entry.cells) {
      if (entry.step > 0) cell.arm += ", " + std::to_string(entry.step) + " steps";
      all.cells.push_back(std::move(cell));
    }
    for (const std::string& note : entry.newest->notes) all.notes.push_back(note);
  }
  if (experiment == nullptr) return all;
  if (all.cells.empty()) {
    all.recipe = experiment->recipe;
    all.context = experiment->context;
  }
  const auto add = [&](const ArmRun& run) {
    const std::vector<TaskCell> cells = cells_of(run, task);
    all.cells.insert(all.cells.end(), cells.begin(), cells.end());
  };
  if (experiment->base != nullptr) add(*experiment->base);
  for (const auto& run : experiment->runs) add(*run);
  return all;
}

}  // namespace farstate::desktop
