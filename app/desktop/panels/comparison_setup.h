// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <array>

#include "app/desktop/experiment_buttons.h"
#include "app/desktop/widgets/card.h"
#include "core/session/presets.h"

class QComboBox;
class QGridLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace farstate::desktop {

class ElidedLabel;
class Segmented;
struct Theme;

// An arm to switch on: its line, its name, what it is. Without a law: the base, which is always
// there.
class ArmSwitch : public QCheckBox {
  Q_OBJECT
 public:
  ArmSwitch(std::optional<Intervention> law, QWidget* parent);

  void set_theme(const Theme& theme);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool hitButton(const QPoint& at) const override { return rect().contains(at); }

 private:
  QString detail() const;

  std::optional<Intervention> law_;
  const Theme* theme_;
};

// Which arms are compared and how, and the one button that begins, holds and resumes it. Folded
// while a comparison goes on.
class ComparisonSetup : public Card {
  Q_OBJECT
 public:
  explicit ComparisonSetup(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_recipe(const RunConfig& recipe);
  void show_presets(const std::vector<Preset>& presets);  // none: no choice of them
  void show_state(RunState state, bool has_model, const StageCount& runs);
  void show_progress(const Experiment* experiment);
  void show_cost(std::shared_ptr<const CostAnswer> answer);  // null: not known
  void fold(bool folded);
  bool folded() const;

  ExperimentPlan plan() const;
  void set_plan(const ExperimentPlan& plan);
  RunConfig config() const;  // what the arms share
  QString problem() const;   // why this can't be compared, as a sentence; empty: it can

  QPushButton* primary() const { return primary_; }
  QPushButton* stop_button() const { return stop_; }
  QPushButton* another() const { return another_; }
  QLineEdit* more_arms() const { return more_; }
  QComboBox* presets() const { return presets_; }
  ArmSwitch* arm(Intervention law) const { return arms_[static_cast<size_t>(law)]; }
  QPushButton* find_rate() const { return find_rate_; }
  QString summary() const;  // beside the title: what it will take, or how far it is
  QString facts() const;  // what the left column sets, in a line

 Q_SIGNALS:
  void start_wanted();
  void pause_wanted();
  void resume_wanted();
  void stop_wanted();
  void rate_wanted();
  void recipe_changed(const farstate::RunConfig& recipe);
  void preset_chosen(const farstate::Preset& preset);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void make_header();
  QWidget* make_body();
  QLayout* make_numbers();
  QWidget* make_presets();
  QLayout* make_keeping();
  void place_arms();
  void act();
  void edit();
  void update_summary();
  QString warning() const;
  void update_words();

  RunConfig recipe_;
  RunState state_ = RunState::kIdle;
  bool has_model_ = false;
  ExperimentButtons may_;
  std::vector<Preset> known_presets_;
  std::array<ArmSwitch*, kInterventionCount> arms_{};
  ArmSwitch* base_;
  QWidget *content_, *preset_row_;
  QGridLayout* grid_;
  int columns_ = 0;
  QLineEdit *more_, *folder_;
  QSpinBox *seeds_, *steps_, *every_;
  Segmented *order_, *keeping_;
  QPushButton *primary_, *stop_, *another_, *browse_, *find_rate_;
  QToolButton* fold_;
  QComboBox* presets_;
  QLabel* facts_;
  QLabel* problem_;
  ElidedLabel* summary_;
  QString progress_;  // of the comparison that goes on; empty: none does
  std::shared_ptr<const CostAnswer> cost_;
  const Theme* theme_;
};

}  // namespace farstate::desktop
