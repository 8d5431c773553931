// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a task's accuracies, by what made them: the model on screen as it is and as it
// was, and the runs of the experiment. Scores stay with the weights that they were made with.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "app/desktop/intervention_style.h"
#include "core/results/experiment.h"
#include "core/results/task_scores.h"
#include "core/session/run_config.h"

namespace farstate::desktop {

struct Theme;

// Of one place, over the seeds of a layer.
struct ScorePoint {
  int64_t length = 0;
  double depth = -1;  // negative: the task has none
  int64_t correct = 0, trials = 0, samples = 0, planned = 0;
  int64_t seeds = 0;
  double share = 0;          // right, mean over the seeds
  double low = 0, high = 1;  // Wilson's interval for one seed; the lowest and highest of several
  bool complete() const { return samples >= planned; }
};

// Scores of one model or one arm.
struct ScoreLayer {
  enum class Source { kModel, kEarlier, kExperiment, kPaper };
  Source source = Source::kModel;
  QString name, tip;
  std::optional<Intervention> law;  // empty: the untouched model
  bool running = false;
  std::vector<std::vector<TaskCell>> seeds;

  LineStyle line(const Theme& theme) const;
};

// What is picked of a layer's cells.
struct ScoreFilter {
  std::string kind;  // empty: all together
  std::string mode;  // empty: any
};

// By length, then depth; places without a trial are left out.
std::vector<ScorePoint> points_of(const ScoreLayer& layer, const ScoreFilter& filter);
// The same with the depths together.
std::vector<ScorePoint> points_by_length(const ScoreLayer& layer, const ScoreFilter& filter);

// What the paper reports of the task: of other models and another training.
std::vector<ScoreLayer> paper_layers(const std::string& task);

// "state-passing" of "state-passing:zero_probability=0.5"; empty: not a law.
std::optional<Intervention> law_of_arm(const std::string& arm);

class ScoreBook {
  Q_DECLARE_TR_FUNCTIONS(farstate::desktop::ScoreBook)

 public:
  void forget();
  // As far as the scores have come. The same weights scored at other places add to what there is of
  // them.
  void take(const std::shared_ptr<const TaskScores>& scores, uint64_t epoch);
  // The weights on screen; what was made by others is earlier.
  void set_weights(uint64_t epoch, int64_t step);

  // Of one task: from the oldest to the newest, then the experiment's arms.
  std::vector<ScoreLayer> layers(const std::string& task, const Experiment* experiment) const;
  // The cells of all of them, to be written down: an arm's name says after how many steps.
  TaskScores scores(const std::string& task, const Experiment* experiment) const;

 private:
  struct Entry {
    TaskConfig task;
    uint64_t epoch = 0;  // 0 for the model as loaded, which is the same in each
    int64_t step = 0;
    std::shared_ptr<const TaskScores> newest;
    std::vector<TaskCell> cells;
    bool of(const Entry& other) const {
      return task == other.task && epoch == other.epoch && step == other.step;
    }
  };
  ScoreLayer layer_of(const Entry& entry) const;

  std::vector<Entry> entries_;
  uint64_t epoch_ = 0;
  int64_t step_ = 0;
};

}  // namespace farstate::desktop
