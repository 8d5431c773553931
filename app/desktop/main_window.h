// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QTimer>
#include <memory>
#include <thread>

#include "app/desktop/models/built_ins.h"
#include "app/desktop/models/measurement_book.h"
#include "app/desktop/models/repair.h"
#include "app/desktop/session/session.h"
#include "app/desktop/theme.h"
#include "app/desktop/top_bar.h"
#include "app/desktop/wording.h"
#include "core/session/presets.h"
#include "core/session/runner.h"

class QActionGroup;
class QScrollArea;
class QStackedWidget;

namespace farstate::desktop {

class DropHint;
class ExperimentPanel;
class Exporter;
class Focus;
class GeneratePanel;
class HelpDesk;
class Hints;
class InitialStatePanel;
class InspectorPanel;
class ModelPanel;
class NoticeBanner;
class OfferBanner;
class OpenMenu;
class Opening;
class PaintCoordinator;
class PlotsPanel;
class RecentFiles;
class RemedyPanel;
class SessionKeeper;
class SettingsHistory;
class SideColumn;
class StatusRow;
class StoryTeller;
class TheoryPage;
class TasksPanel;
class TrainingPanel;
class UpdatePump;
class ViewKeeper;
class WatchedFiles;

// The window. It owns the runner, sends it commands, and shows what comes back; it computes
// nothing itself.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow(std::unique_ptr<Runner> runner, const RunConfig& recipe, ThemeMode theme,
             BuiltIns built_ins = BuiltIns());
  ~MainWindow() override;

  void load();             // the model and text of the recipe
  void run_main_action();  // the primary button: run, pause or resume
  void generate(const QString& prompt);  // on its page; from kReady or kPaused
  void start_experiment(const ExperimentPlan& plan);  // on its page; from kReady or kPaused
  void show_task(const std::string& name);  // its page
  void show_theory();
  // In place of the built-in base that is open, what post-training with this initial state made of
  // it before; the base's curve stays as a ghost. Nothing happens where there is no such twin.
  void show_twin(Intervention law);
  void show_base();  // the untouched base again
  void open_built_in(const std::string& name);
  // Post-trains the untouched model for so many seconds: with the initial state that is chosen, with
  // state passing where that is zero.
  static constexpr double kRepairSeconds = 25;
  void repair_live(double seconds = kRepairSeconds);
  void set_theme(ThemeMode mode);
  void show_page(const QString& name);  // "measure", "generate", "experiment", "tasks", "theory"
  QString page() const;
  void set_intervention(const InterventionConfig& config);
  void examine();  // the states at the pins, where they are seen and not known yet
  // What a person has set up. Restoring loads the session's model; what needs it follows once it is
  // there.
  Session session() const;
  void restore(const Session& session);
  void say(const Words& words);  // for a moment, in the status row
  // A story's folder. What is wrong with it is a notice.
  void open_story(const QString& folder);
  // What lies in front: all that was measured of a state, how training goes, or the cards of a story.
  enum class Perspective { kExplore, kTrain, kTeach };
  void take_perspective(Perspective perspective);
  void reset_layout();
  void set_text_size(int percent);  // the nearest of the menu's; remembered
  int text_size() const { return text_size_; }
  // Large type, one plot and the right column: for who looks on from afar.
  void set_presenting(bool presenting);
  bool presenting() const { return presenting_; }

  RunState state() const { return state_; }
  const std::optional<RunError>& error() const { return error_; }
  int64_t steps_done() const { return step_; }
  const ModelInfo* model() const { return model_.get(); }
  const DataInfo* data() const { return data_.get(); }
  const std::shared_ptr<const StateReport>& states() const { return report_; }
  int64_t trained_context() const;
  const RunConfig& recipe() const { return recipe_; }
  const Actions& actions() const { return actions_; }
  const MeasurementBook& book() const { return book_; }
  const BuiltIns& built_ins() const { return built_ins_; }
  const EmbeddedModel* shown_twin() const { return twin_; }  // null: none
  const Repair& repair() const { return repair_; }
  // Of the live curves with the recorded ones; empty: they were not compared yet.
  const std::optional<Agreement>& agreement() const { return agreement_; }
  PlotsPanel* plots() const { return plots_; }
  NoticeBanner* notice() const { return notice_; }
  OfferBanner* offer() const { return offer_; }
  InitialStatePanel* initial_state() const { return initial_state_; }
  TrainingPanel* training() const { return training_; }
  RemedyPanel* remedy() const { return remedy_; }
  Hints* hints() const { return hints_; }
  ModelPanel* model_panel() const { return model_panel_; }
  Opening* opening() const { return opening_; }
  DropHint* drop_hint() const { return drop_hint_; }
  UpdatePump* pump() const { return pump_; }
  Focus* focus() const { return focus_; }
  InspectorPanel* inspector() const { return inspector_; }
  GeneratePanel* generate_panel() const { return generate_; }
  ExperimentPanel* experiment_panel() const { return experiment_; }
  TasksPanel* tasks_panel() const { return tasks_; }
  TheoryPage* theory() const { return theory_; }
  TopBar* top_bar() const { return top_; }
  SideColumn* side() const { return side_; }
  StoryTeller* story() const { return story_; }
  Exporter* exporter() const { return exporter_; }
  SessionKeeper* sessions() const { return sessions_; }
  SettingsHistory* history() const { return history_; }
  ViewKeeper* views() const { return view_keeper_; }
  HelpDesk* help() const { return help_; }

  QSize sizeHint() const override { return {1440, 900}; }

 Q_SIGNALS:
  void state_changed(farstate::RunState state);
  void finished();  // after close(): the runner has ended, nothing runs any more

 protected:
  void showEvent(QShowEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  static constexpr int kLeftColumn = 270, kInspector = 300;  // of text of scale 1
  static int wide_enough();  // for both beside the plots
  void make_actions();
  QAction* add_action(const Words& text, const QKeySequence& key, void (MainWindow::*slot)());
  QMenu* add_menu(const Words& title);
  QMenu* make_theme_menu();
  QMenu* make_language_menu();
  void make_open_menus();
  void make_menus(QMenu* themes);
  void make_intervention_menu(QMenu* menu);
  QList<QAction*> built_in_choices();
  void add_first_minute_choices(QMenu* view, QMenu* help);
  void arrange(QMenu* themes);
  QWidget* make_left_column();
  void make_side_column();
  void make_story_menu(QMenu* file);
  void connect_parts();

  void take_settings(const RunConfig& config);
  void take_preset(const Preset& preset);
  void show_recipe();
  void begin_epoch();
  void apply(const RunnerUpdate& update);
  void say_again();
  void show_run_state(const RunnerUpdate& update, bool error_in_sheet);
  void show_training(const RunnerUpdate& update);
  void show_measurements(const RunnerUpdate& update);
  void adopt_recipe(const RunnerUpdate& update);
  void forget_curves();
  void show_book();
  void suggest_focus();
  void show_recording(const RunConfig& recipe);
  void say_origin();
  void compare_with_recording(const Measurement& live);
  void follow_sweep();
  void follow_repair(const RunnerUpdate& update);
  void show_remedy();
  std::string base_name() const;
  bool is_untouched() const;
  bool leave_twin();  // true: its base is being loaded
  std::shared_ptr<const Measurement> as_shown(std::shared_ptr<const Measurement> measurement) const;
  std::shared_ptr<const StateReport> as_shown(std::shared_ptr<const StateReport> report) const;
  int64_t twin_steps() const;  // that post-training took to it
  bool answer_choice(Intervention law);
  void swap(const EmbeddedModel& model);
  void want_answer();
  void state_context(int64_t context);

  void load(const RunConfig& wanted);
  void begin_load(const RunConfig& wanted);
  void load_parts(const ModelSource& model, const DataConfig& text);
  void change_intervention(const InterventionConfig& config);
  void send_pending();
  void end_runner();

  void step();
  void stop();
  void reset();
  void measure();
  void save();
  void choose_folder();
  void choose_file();
  void choose_generated_text();
  void choose_text();
  void copy_recipe();
  void paste_recipe();
  void put_settings(const RunConfig& wanted);
  void finish_restore();
  void offer_reload(const QString& path);
  void show_history();
  void make_edit_menu();
  void make_text_size_menu(QMenu* view);
  void make_perspectives(QMenu* view);
  void scale_text();
  void leave() { close(); }
  void undo();
  void redo();
  void follow_plots();
  void show_inspector(bool shown);
  void arrange_side();
  void arrange_left_column();
  void choose_story();
  void make_exporter();
  QString recipe_of(const QWidget* view) const;
  void export_view();
  void copy_image();
  void copy_numbers();
  void export_report();
  void begin_introduction();
  void show_presented_plot();
  void show_about();

  std::unique_ptr<Runner> runner_;
  RunConfig recipe_;  // as the person wants it
  RunnerUpdate now_;  // the newest, without what was new in it
  RunState state_ = RunState::kIdle;
  std::optional<RunError> error_;
  std::shared_ptr<const ModelInfo> model_;
  std::shared_ptr<const DataInfo> data_;
  std::shared_ptr<const RunConfig> recipe_in_force_;
  std::optional<InterventionConfig> intervention_in_force_;
  MeasurementBook book_;
  BuiltIns built_ins_;
  const EmbeddedModel* twin_ = nullptr;  // shown in place of its base
  Repair repair_;
  std::optional<Agreement> agreement_;
  int64_t step_ = 0;              // updates of the weights since they were loaded
  int64_t recorded_context_ = 0;  // T as the recording knows it, until the model is there
  int64_t stated_context_ = 0;  // by the person, where the model records none
  uint64_t epoch_ = 0, epoch_before_load_ = 0;
  RunConfig loading_;          // what it will be, if it ends well
  bool swapping_ = false;      // between a base and its twins, which share the book
  bool load_pending_ = false;  // its model has not come yet: the old curves still hold
  bool intervention_pending_ = false, settings_pending_ = false;
  uint64_t questions_ = 0;  // asked about the states
  bool question_due_ = false;  // what it would be about has changed since the last one
  std::shared_ptr<const StateReport> answer_;  // the runner's newest about the states
  std::shared_ptr<const StateReport> report_;  // the same as it is shown

  Actions actions_{};
  ThemeMode theme_mode_;
  QActionGroup* theme_choices_ = nullptr;
  QTimer pending_;  // joins the commands of a dragged or turned control
  QTimer question_;  // joins the questions of pins and focus that move together
  UpdatePump* pump_ = nullptr;
  PaintCoordinator* painter_ = nullptr;
  Opening* opening_ = nullptr;
  OpenMenu *models_menu_ = nullptr, *texts_menu_ = nullptr;
  DropHint* drop_hint_ = nullptr;
  TopBar* top_ = nullptr;
  NoticeBanner* notice_ = nullptr;
  OfferBanner* offer_ = nullptr;
  WatchedFiles* watched_;
  ModelPanel* model_panel_ = nullptr;
  RemedyPanel* remedy_ = nullptr;
  Hints* hints_ = nullptr;
  QScrollArea* left_ = nullptr;
  InitialStatePanel* initial_state_ = nullptr;
  TrainingPanel* training_ = nullptr;
  Focus* focus_ = nullptr;
  PlotsPanel* plots_ = nullptr;
  InspectorPanel* inspector_ = nullptr;
  GeneratePanel* generate_ = nullptr;
  ExperimentPanel* experiment_ = nullptr;
  TasksPanel* tasks_ = nullptr;
  TheoryPage* theory_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  SideColumn* side_ = nullptr;
  StoryTeller* story_ = nullptr;
  HelpDesk* help_ = nullptr;
  SessionKeeper* sessions_ = nullptr;
  SettingsHistory* history_ = nullptr;
  ViewKeeper* view_keeper_ = nullptr;
  std::optional<Session> restoring_;  // until its model is there
  RecentFiles* recent_stories_ = nullptr;
  bool presenting_ = false;
  int text_size_ = 100;  // percent
  QActionGroup* text_sizes_ = nullptr;
  std::vector<SessionSplit> first_splits_;
  StatusRow* status_ = nullptr;
  Exporter* exporter_ = nullptr;
  std::thread ending_;  // waits for the runner while the window is already gone
};

}  // namespace farstate::desktop
