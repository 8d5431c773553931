// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>

#include "app/desktop/experiment_buttons.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/wording.h"

class QAction;
class QLineEdit;
class QMenu;
class QModelIndex;
class QTreeView;

namespace farstate::desktop {

class ArmsModel;
class SampleDelegate;
class StageDelegate;
struct ArmGroup;
struct Theme;

// The arms of an experiment as rows, with what can be done with those that are selected: by the
// context menu, by keys while the rows have the keyboard. They are the legend of the plots, too: a
// box hides an arm there, and of many arms words find some.
class ArmsCard : public Card {
  Q_OBJECT
 public:
  static constexpr size_t kFilterFrom = 13;  // arms

  explicit ArmsCard(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show(std::shared_ptr<const Experiment> experiment, RunState state);
  // Whose laws and weights a fork may take.
  void show_recipe(const RunConfig& recipe) { recipe_ = recipe; }

  // Keys of the arms that the plots leave out: those hidden, and those that the filter passes over.
  QSet<QString> hidden() const { return hidden_ | passed_over_; }
  QLineEdit* filter() const { return filter_; }
  ArmsModel* model() const { return model_; }
  QTreeView* rows() const { return rows_; }

  struct Actions {
    QAction *pause, *resume, *stop, *extend, *only, *hide, *all, *recipe, *folder, *terminal;
    QMenu* fork;
  };
  const Actions& actions() const { return actions_; }
  void extend(int64_t steps);
  void show_all();

 Q_SIGNALS:
  void command_wanted(const farstate::ArmCommand& command);
  void hidden_changed();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QAction* add_action(const Words& text, const QKeySequence& key, void (ArmsCard::*slot)());
  void make_filter();
  void make_rows();
  void make_actions();
  void show_menu(const QPoint& at);
  void fill_fork_menu();
  void update_actions();
  void fit_height();
  std::vector<std::shared_ptr<const ArmRun>> selected() const;
  std::vector<const ArmGroup*> selected_groups() const;
  ArmCommand command(ArmCommand::Kind kind) const;
  void send(ArmCommand::Kind kind) { Q_EMIT command_wanted(command(kind)); }

  void pause() { send(ArmCommand::Kind::kPause); }
  void resume() { send(ArmCommand::Kind::kResume); }
  void stop() { send(ArmCommand::Kind::kStop); }
  void ask_extension();
  void open_fork_menu();
  void fork(Intervention law);
  void show_only();
  void toggle_hidden();
  void set_shown(const QString& arm, bool shown);
  void hide_in_plots();
  bool apply_filter();  // true: other arms are passed over than before
  void copy_recipe();
  void open_folder();
  void copy_command();

  ArmsModel* model_;
  QTreeView* rows_;
  SampleDelegate* names_;
  StageDelegate* stages_;
  QLabel* summary_;
  QLineEdit* filter_;
  Actions actions_{};
  QMenu* menu_;
  RunConfig recipe_;
  RunState state_ = RunState::kIdle;
  QSet<QString> hidden_, passed_over_;
};

}  // namespace farstate::desktop
