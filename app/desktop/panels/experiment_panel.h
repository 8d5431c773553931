// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTimer>
#include <memory>

#include "core/session/presets.h"
#include "core/session/runner.h"

class QBoxLayout;
class QLabel;
class QScrollArea;

namespace farstate::desktop {

class ArmTableCard;
class ArmsCard;
class Card;
class ComparisonSetup;
class LivePlot;
class MultiplesCard;
class PresetSheet;
class RateSheet;
struct Theme;

// The comparison that the paper rests on: arms that start from one checkpoint and differ in the law
// of their initial state, growing side by side. Sends its commands to the runner itself.
class ExperimentPanel : public QFrame {
  Q_OBJECT
 public:
  // The runner outlives what a person can do here: the window hides before it ends.
  explicit ExperimentPanel(Runner* runner, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_recipe(const RunConfig& recipe);
  void show_update(const RunnerUpdate& update);

  void start();  // as set up
  ComparisonSetup* setup() const { return setup_; }
  ArmsCard* arms() const { return arms_; }
  MultiplesCard* multiples() const { return multiples_; }
  ArmTableCard* table() const { return table_; }
  PresetSheet* preset_sheet() const { return preset_sheet_; }  // null: none was chosen yet
  RateSheet* rate_sheet() const { return rate_sheet_; }        // null: none was wanted yet
  QString shows() const;  // the two paragraphs
  QString open() const;
  const std::shared_ptr<const Experiment>& experiment() const { return experiment_; }
  QString recipe() const;  // that the arms share, as JSON; empty: there is no experiment
  QString placeholder() const;  // empty: there is an experiment

 Q_SIGNALS:
  void plot_added(farstate::desktop::LivePlot* plot);  // for the paint coordinator
  void recipe_changed(const farstate::RunConfig& recipe);
  void about_to_train();  // from the open checkpoint
  void preset_chosen(const farstate::Preset& preset);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* make_words();
  void connect_parts();
  void direct(ArmCommand::Kind kind);
  void show_experiment();
  void show_table();
  void ask_cost();
  void find_rate();
  void show_preset(const Preset& preset);

  Runner* runner_;
  uint64_t epoch_ = 0;
  std::shared_ptr<const Experiment> experiment_;
  RunState state_ = RunState::kIdle;
  RunConfig recipe_;
  const Theme* theme_;
  QTimer cost_pause_;                                         // until settings have come to rest
  std::optional<std::pair<uint64_t, RunConfig>> cost_asked_;  // of which epoch
  RateSheet* rate_sheet_ = nullptr;
  PresetSheet* preset_sheet_ = nullptr;
  QScrollArea* scroll_;
  ComparisonSetup* setup_;
  Card* empty_;
  QLabel* empty_text_;
  ArmsCard* arms_;
  MultiplesCard* multiples_;
  QWidget* bottom_;
  QBoxLayout* bottom_row_;
  ArmTableCard* table_;
  QLabel *shows_, *open_;
};

}  // namespace farstate::desktop
