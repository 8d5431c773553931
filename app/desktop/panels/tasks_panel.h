// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <array>
#include <memory>

#include "app/desktop/models/score_book.h"
#include "core/session/runner.h"

class QBoxLayout;
class QScrollArea;

namespace farstate::desktop {

class LivePlot;
class SampleCard;
class ScoresCard;
class Segmented;
class TaskCard;
struct Theme;

// Whether a model remembers what it read long ago: four tasks, a sample of each with the model's
// answer, and accuracies by length. Sends its commands to the runner itself.
class TasksPanel : public QFrame {
  Q_OBJECT
 public:
  // The runner outlives what a person can do here: the window hides before it ends.
  explicit TasksPanel(Runner* runner, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_recipe(const RunConfig& recipe);
  void show_update(const RunnerUpdate& update);
  QList<LivePlot*> plots() const;  // for the paint coordinator

  void choose(const std::string& task);
  void score();  // as set up
  std::string task() const;
  Segmented* tasks() const { return choice_; }
  TaskCard* about() const { return about_; }
  SampleCard* sample() const { return sample_; }
  ScoresCard* scores() const { return scores_; }
  bool has_scores() const;  // of the task and the model that are shown
  std::string json() const;  // of the scores that are shown

 Q_SIGNALS:
  void load_wanted(const farstate::RunConfig& recipe);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* make_content();
  void connect_parts();
  TaskConfig& config() { return configs_[static_cast<size_t>(chosen_)]; }
  const TaskConfig& config() const { return configs_[static_cast<size_t>(chosen_)]; }
  const TaskScores* own_scores() const;  // of the task that is shown
  int64_t limit() const;
  std::vector<int64_t> lengths() const;
  void show_task();
  void show_scores();
  void show_state();
  void score(const ScoreConfig& wanted);
  void load(bool on_task);
  void save();

  Runner* runner_;
  int chosen_ = 0;
  std::array<TaskConfig, std::size(kTaskNames)> configs_;
  RunConfig recipe_;  // as the window shows it
  RunnerUpdate now_;  // the newest, for what it points to
  std::string model_;  // that the book is about
  ScoreBook book_;
  Segmented* choice_;
  QScrollArea* scroll_;
  QBoxLayout* columns_;
  TaskCard* about_;
  SampleCard* sample_;
  ScoresCard* scores_;
};

}  // namespace farstate::desktop
