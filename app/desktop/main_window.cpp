// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <cstdlib>

#include "app/desktop/core_words.h"
#include "app/desktop/event_log.h"
#include "app/desktop/export/exporter.h"
#include "app/desktop/help/help_desk.h"
#include "app/desktop/hints.h"
#include "app/desktop/language.h"
#include "app/desktop/models/arm_table.h"
#include "app/desktop/models/focus.h"
#include "app/desktop/models/recent_files.h"
#include "app/desktop/models/score_table.h"
#include "app/desktop/opening.h"
#include "app/desktop/paint_coordinator.h"
#include "app/desktop/panels/arm_table_card.h"
#include "app/desktop/panels/attention_panel.h"
#include "app/desktop/panels/comparison_setup.h"
#include "app/desktop/panels/experiment_panel.h"
#include "app/desktop/panels/generate_panel.h"
#include "app/desktop/panels/heads_panel.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/panels/inspector_panel.h"
#include "app/desktop/panels/model_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/remedy_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/panels/scores_card.h"
#include "app/desktop/panels/side_column.h"
#include "app/desktop/panels/tasks_panel.h"
#include "app/desktop/panels/theory_page.h"
#include "app/desktop/panels/training_panel.h"
#include "app/desktop/plots/loss_plot.h"
#include "app/desktop/plots/state_map.h"
#include "app/desktop/plots/state_rows.h"
#include "app/desktop/run_buttons.h"
#include "app/desktop/session/session_keeper.h"
#include "app/desktop/session/settings_history.h"
#include "app/desktop/session/view_keeper.h"
#include "app/desktop/session/watched_files.h"
#include "app/desktop/settings.h"
#include "app/desktop/story/controls.h"
#include "app/desktop/story/story_panel.h"
#include "app/desktop/story/story_teller.h"
#include "app/desktop/text_room.h"
#include "app/desktop/update_pump.h"
#include "app/desktop/widgets/drop_hint.h"
#include "app/desktop/widgets/ending_notice.h"
#include "app/desktop/widgets/notice_banner.h"
#include "app/desktop/widgets/number_table.h"
#include "app/desktop/widgets/offer_banner.h"
#include "app/desktop/widgets/open_menu.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/widgets/status_row.h"
#include "app/desktop/wording.h"
#include "core/base/error.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr const char* kPages[] = {"measure", "generate", "experiment", "tasks", "theory"};
constexpr auto kJoinCommands = 50ms;

QString from(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

MainWindow::MainWindow(std::unique_ptr<Runner> runner, const RunConfig& recipe, ThemeMode theme,
                       BuiltIns built_ins)
    : runner_(std::move(runner)),
      recipe_(recipe),
      built_ins_(std::move(built_ins)),
      theme_mode_(theme) {
  worded(this, [this] { setWindowTitle(tr("Farstate")); });
  setMinimumSize(1024, 600);
  pump_ = new UpdatePump(runner_.get(), this);
  painter_ = new PaintCoordinator(this);
  pending_.setSingleShot(true);
  pending_.setInterval(kJoinCommands);
  question_.setSingleShot(true);
  question_.setInterval(kJoinCommands);
  setAcceptDrops(true);
  focus_ = new Focus(this);
  auto* all = new QWidget(this);
  opening_ = new Opening(runner_.get(), all);
  setCentralWidget(all);
  drop_hint_ = new DropHint(this);
  help_ = new HelpDesk(*this);
  sessions_ = new SessionKeeper(*this);
  watched_ = new WatchedFiles(this);
  connect(watched_, &WatchedFiles::changed, this, &MainWindow::offer_reload);
  history_ = new SettingsHistory([this](const RunConfig& wanted) { put_settings(wanted); }, this);
  make_actions();
  make_open_menus();
  QMenu* themes = make_theme_menu();
  make_menus(themes);
  arrange(themes);
  connect_parts();
  view_keeper_ = new ViewKeeper(*this, *history_);
  text_size_ = remembered_text_size();
  scale_text();
  training_->show_config(recipe_);
  initial_state_->show_config(recipe_.intervention);
  opening_->show_recipe(recipe_);
  show_recipe();
  show_recording(recipe_);
  worded(this, [this] { say_again(); });
  pump_->start();
}

MainWindow::~MainWindow() {
  pump_->stop();
  if (ending_.joinable()) ending_.join();
}

QAction* MainWindow::add_action(const Words& text, const QKeySequence& key,
                                void (MainWindow::*slot)()) {
  QAction* action = with_text(new QAction(this), text);
  action->setShortcut(key);
  connect(action, &QAction::triggered, this, slot);
  addAction(action);
  return action;
}

void MainWindow::make_actions() {
  Actions& a = actions_;
  a.open_folder = add_action([] { return tr("Open model folder…"); }, QKeySequence::Open,
                             &MainWindow::choose_folder);
  a.open_file = add_action([] { return tr("Open model file…"); }, QKeySequence(u"Ctrl+Shift+O"_s),
                           &MainWindow::choose_file);
  a.generated_text =
      add_action([] { return tr("Generated text"); }, {}, &MainWindow::choose_generated_text);
  a.open_text = add_action([] { return tr("Open text file…"); }, QKeySequence(u"Ctrl+T"_s),
                           &MainWindow::choose_text);
  a.save =
      add_action([] { return tr("Save model as folder…"); }, QKeySequence::Save, &MainWindow::save);
  a.quit = add_action([] { return tr("Quit"); }, QKeySequence(u"Ctrl+Q"_s), &MainWindow::leave);
  a.run = add_action([] { return tr("Run"); }, QKeySequence(Qt::Key_Space),
                     &MainWindow::run_main_action);
  a.step = add_action([] { return tr("Step"); }, QKeySequence(Qt::Key_Period), &MainWindow::step);
  a.stop = add_action([] { return tr("Stop"); }, QKeySequence(Qt::Key_Escape), &MainWindow::stop);
  a.reset = add_action([] { return tr("Reset"); }, QKeySequence(Qt::Key_R), &MainWindow::reset);
  a.measure =
      add_action([] { return tr("Measure now"); }, QKeySequence(Qt::Key_M), &MainWindow::measure);
  a.copy_recipe = add_action([] { return tr("Copy recipe"); }, QKeySequence(u"Ctrl+Shift+C"_s),
                             &MainWindow::copy_recipe);
  a.paste_recipe = add_action([] { return tr("Paste recipe"); }, QKeySequence(u"Ctrl+Shift+V"_s),
                              &MainWindow::paste_recipe);
  a.undo = add_action([] { return tr("Undo"); }, QKeySequence::Undo, &MainWindow::undo);
  a.redo = add_action([] { return tr("Redo"); }, QKeySequence::Redo, &MainWindow::redo);
  a.follow = add_action([] { return tr("Show all data"); }, QKeySequence(Qt::Key_Home),
                        &MainWindow::follow_plots);
  a.inspector = with_text(new QAction(this), [] { return tr("Inspector"); });
  a.inspector->setCheckable(true);
  a.inspector->setChecked(true);
  a.inspector->setShortcut(QKeySequence(Qt::Key_I));
  connect(a.inspector, &QAction::toggled, this, &MainWindow::show_inspector);
  // A story keeps the column: then the key turns it.
  connect(a.inspector, &QAction::triggered, this, [this](bool shown) {
    if (story_->run()->active()) side_->show_story(!shown);
  });
  addAction(a.inspector);
  a.introduction =
      add_action([] { return tr("Introduction"); }, {}, &MainWindow::begin_introduction);
  a.open_story = add_action([] { return tr("Open story…"); }, {}, &MainWindow::choose_story);
  a.export_view = add_action([] { return tr("Export plot or table…"); },
                             QKeySequence(u"Ctrl+E"_s), &MainWindow::export_view);
  a.copy_image = add_action([] { return tr("Copy image of the plot"); },
                            QKeySequence(u"Ctrl+Shift+I"_s), &MainWindow::copy_image);
  a.copy_numbers = add_action([] { return tr("Copy data of the plot"); },
                              QKeySequence(u"Ctrl+Shift+D"_s), &MainWindow::copy_numbers);
  a.export_report =
      add_action([] { return tr("Export report…"); }, QKeySequence(u"Ctrl+Shift+R"_s),
                 &MainWindow::export_report);
  a.present = with_text(new QAction(this), [] { return tr("Presenter view"); });
  a.present->setCheckable(true);
  a.present->setShortcut(QKeySequence(Qt::Key_F5));
  connect(a.present, &QAction::toggled, this, &MainWindow::set_presenting);
  addAction(a.present);
  worded(this, [&a] {
    a.run->setToolTip(tr("Train from the current weights, or hold between two steps"));
    a.step->setToolTip(tr("One optimiser step"));
    a.stop->setToolTip(tr("End training or measuring; what is complete is kept"));
    a.reset->setToolTip(tr("Back to the weights as loaded, with the same seed"));
  });
}

QMenu* MainWindow::add_menu(const Words& title) {
  return with_title(menuBar()->addMenu(QString()), title);
}

QMenu* MainWindow::make_theme_menu() {
  QMenu* menu = with_title(new QMenu(this), [] { return tr("Theme"); });
  theme_choices_ = new QActionGroup(this);
  const std::pair<ThemeMode, Words> modes[] = {
      {ThemeMode::kLight, [] { return tr("Light"); }},
      {ThemeMode::kDark, [] { return tr("Dark"); }},
      {ThemeMode::kSystem, [] { return tr("As the system"); }}};
  for (const auto& [mode, name] : modes) {
    QAction* action = theme_choices_->addAction(with_text(menu->addAction(QString()), name));
    action->setCheckable(true);
    action->setData(static_cast<int>(mode));
  }
  connect(theme_choices_, &QActionGroup::triggered, this, [this](const QAction* action) {
    const auto chosen = static_cast<ThemeMode>(action->data().toInt());
    remember_theme(chosen);
    set_theme(chosen);
  });
  return menu;
}

// Each by its own name, which those can read who need it.
QMenu* MainWindow::make_language_menu() {
  QMenu* menu = with_title(new QMenu(this), [] { return tr("Language"); });
  auto* choices = new QActionGroup(this);
  const std::pair<Language, Words> languages[] = {
      {Language::kSystem, [] { return tr("As the system", "language"); }},
      {Language::kEnglish, language_name(Language::kEnglish)},
      {Language::kChinese, language_name(Language::kChinese)}};
  for (const auto& [language, name] : languages) {
    QAction* action = choices->addAction(with_text(menu->addAction(QString()), name));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [chosen = language] {
      remember_language(chosen);
      set_language(chosen);
    });
    worded(action, [action, of = language] { action->setChecked(language_chosen() == of); });
  }
  return menu;
}

// The model's and the text's menu: in the top row and, with the model, in its panel.
void MainWindow::make_open_menus() {
  const Actions& a = actions_;
  models_menu_ = new OpenMenu([] { return tr("Model"); },
                              QList{a.open_folder, a.open_file} + built_in_choices(),
                              opening_->recent_models(), this);
  texts_menu_ = new OpenMenu([] { return tr("Text"); }, {a.open_text, a.generated_text},
                             opening_->recent_texts(), this);
  connect(models_menu_, &OpenMenu::chosen, opening_, &Opening::look_at_model);
  connect(texts_menu_, &OpenMenu::chosen, opening_, &Opening::look_at_text);
}

void MainWindow::make_menus(QMenu* themes) {
  const Actions& a = actions_;
  QMenu* file = add_menu([] { return tr("&File"); });
  auto* recent_models =
      new OpenMenu([] { return tr("Recent models"); }, {}, opening_->recent_models(), this);
  auto* recent_texts =
      new OpenMenu([] { return tr("Recent texts"); }, {}, opening_->recent_texts(), this);
  connect(recent_models, &OpenMenu::chosen, opening_, &Opening::look_at_model);
  connect(recent_texts, &OpenMenu::chosen, opening_, &Opening::look_at_text);
  file->addActions({a.open_folder, a.open_file});
  file->addActions(built_in_choices());
  file->addMenu(recent_models);
  file->addSeparator();
  file->addActions({a.open_text, a.generated_text});
  file->addMenu(recent_texts);
  file->addSeparator();
  sessions_->add_to(file);
  file->addSeparator();
  make_story_menu(file);
  file->addSeparator();
  file->addAction(a.save);
  file->addActions({a.export_view, a.copy_image, a.copy_numbers, a.export_report});
  file->addSeparator();
  file->addAction(a.quit);
  make_edit_menu();
  QMenu* run = add_menu([] { return tr("&Run"); });
  run->addActions({a.run, a.step, a.stop, a.reset});
  run->addSeparator();
  run->addAction(a.measure);
  QMenu* experiment = add_menu([] { return tr("&Experiment"); });
  make_intervention_menu(experiment);
  QMenu* view = add_menu([] { return tr("&View"); });
  make_perspectives(view);
  view->addAction(a.follow);
  view->addAction(a.inspector);
  view->addAction(a.present);
  make_text_size_menu(view);
  view->addMenu(themes);
  view->addMenu(make_language_menu());
  QMenu* help = add_menu([] { return tr("&Help"); });
  help->addAction(a.introduction);
  help_->add_to(help);
  add_first_minute_choices(view, help);
  QAction* about = with_text(help->addAction(QString()), [] { return tr("About Farstate"); });
  connect(about, &QAction::triggered, this, &MainWindow::show_about);
}

void MainWindow::make_story_menu(QMenu* file) {
  recent_stories_ = new RecentFiles(u"stories"_s, this);
  auto* recent =
      new OpenMenu([] { return tr("Recent stories"); }, {}, recent_stories_, this);
  connect(recent, &OpenMenu::chosen, this, &MainWindow::open_story);
  file->addAction(actions_.open_story);
  file->addMenu(recent);
}

void MainWindow::make_intervention_menu(QMenu* menu) {
  for (const Intervention kind : kInterventions) {
    auto* action = with_text(new QAction(this), [kind] { return intervention_name(kind); });
    action->setShortcut(QKeySequence(Qt::Key_0 + intervention_key(kind)));
    connect(action, &QAction::triggered, this, [this, kind] { initial_state_->choose(kind); });
    menu->addAction(action);
    addAction(action);
  }
}

void MainWindow::arrange(QMenu* themes) {
  QWidget* all = centralWidget();
  auto* column = new QVBoxLayout(all);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  top_ = new TopBar(actions_, {models_menu_, texts_menu_, themes}, all);
  notice_ = new NoticeBanner(all);
  offer_ = new OfferBanner(all);
  status_ = new StatusRow(all);
  pages_ = new QStackedWidget(all);
  plots_ = new PlotsPanel(focus_, pages_);
  pages_->addWidget(plots_);
  generate_ = new GeneratePanel(runner_.get(), pages_);
  pages_->addWidget(generate_);
  experiment_ = new ExperimentPanel(runner_.get(), pages_);
  pages_->addWidget(experiment_);
  tasks_ = new TasksPanel(runner_.get(), pages_);
  pages_->addWidget(tasks_);
  theory_ = new TheoryPage(pages_);
  pages_->addWidget(theory_);
  auto* columns = new QWidget(all);
  columns->setObjectName(u"columns"_s);
  auto* row = new QHBoxLayout(columns);
  row->setContentsMargins(Theme::kGap, Theme::kGap, Theme::kGap, Theme::kGap);
  row->setSpacing(0);  // the gap belongs to the left column, whose scroll bar lies in it
  row->addWidget(make_left_column());
  make_side_column();
  auto* splitter = new QSplitter(columns);
  splitter->setObjectName(u"split.columns"_s);
  splitter->setHandleWidth(Theme::kGap);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(pages_);
  splitter->addWidget(side_);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 0);
  splitter->setSizes({1, kInspector});
  row->addWidget(splitter, 1);
  column->addWidget(top_);
  column->addWidget(notice_);
  column->addWidget(offer_);
  column->addWidget(columns, 1);
  column->addWidget(status_);
  all->setFocusPolicy(Qt::ClickFocus);  // a click beside a field ends typing in it
  all->setFocus();
}

void MainWindow::make_side_column() {
  story_ = new StoryTeller(*this);
  inspector_ = new InspectorPanel(focus_, this);
  side_ = new SideColumn(story_->panel(), inspector_, this);
}

QWidget* MainWindow::make_left_column() {
  auto* content = new QWidget;
  content->setObjectName(u"columns"_s);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::kGap);
  model_panel_ = new ModelPanel(models_menu_, content);
  initial_state_ = new InitialStatePanel(content);
  remedy_ = new RemedyPanel(content);
  training_ = new TrainingPanel(content);
  column->addWidget(model_panel_);
  column->addWidget(initial_state_);
  column->addWidget(remedy_);
  column->addWidget(training_);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(content);
  scroll->setFocusPolicy(Qt::NoFocus);
  left_ = scroll;
  return scroll;
}

void MainWindow::connect_parts() {
  connect(pump_, &UpdatePump::epoch_began, this, &MainWindow::begin_epoch);
  connect(pump_, &UpdatePump::updated, this, &MainWindow::apply);
  connect(pump_, &UpdatePump::ticked, painter_, &PaintCoordinator::tick);
  connect(painter_, &PaintCoordinator::rate_changed, status_, &StatusRow::show_display_rate);
  for (LivePlot* plot : plots_->plots() + inspector_->plots() + generate_->plots() +
                        tasks_->plots() + story_->panel()->plots()) {
    painter_->add(plot);
  }
  make_exporter();
  connect(focus_, &Focus::head_changed, this, &MainWindow::want_answer);
  connect(focus_, &Focus::pins_changed, this, &MainWindow::want_answer);
  connect(plots_->results(), &ResultsPanel::page_changed, this, &MainWindow::examine);
  connect(&question_, &QTimer::timeout, this, &MainWindow::examine);
  connect(top_->pages(), &Segmented::changed, pages_, &QStackedWidget::setCurrentIndex);
  connect(pages_, &QStackedWidget::currentChanged, this, &MainWindow::examine);
  connect(initial_state_, &InitialStatePanel::changed, this, &MainWindow::change_intervention);
  connect(training_, &TrainingPanel::changed, this, &MainWindow::take_settings);
  hints_ = new Hints(plots_->state(), initial_state_, centralWidget());
  connect(initial_state_, &InitialStatePanel::changed, hints_, &Hints::person_acted);
  connect(remedy_, &RemedyPanel::repair_wanted, this, [this] { repair_live(); });
  connect(remedy_, &RemedyPanel::base_wanted, this, &MainWindow::show_base);
  connect(experiment_, &ExperimentPanel::plot_added, painter_, &PaintCoordinator::add);
  connect(experiment_, &ExperimentPanel::recipe_changed, this, [this](const RunConfig& config) {
    training_->show_config(config);
    take_settings(config);
  });
  connect(experiment_, &ExperimentPanel::preset_chosen, this, &MainWindow::take_preset);
  connect(experiment_, &ExperimentPanel::about_to_train, this, [this] {
    if (leave_twin()) experiment_->show_recipe(loading_);
  });
  experiment_->setup()->show_presets(presets());
  connect(tasks_, &TasksPanel::load_wanted, this,
          qOverload<const RunConfig&>(&MainWindow::load));
  connect(model_panel_, &ModelPanel::context_stated, this, &MainWindow::state_context);
  connect(opening_, &Opening::load_wanted, this, &MainWindow::load_parts);
  connect(opening_, &Opening::refused, this, [this](const QString& sentence) {
    notice_->show_notice(NoticeBanner::Severity::kWarning, sentence);
  });
  help_->mark_plots();
  connect(opening_, &Opening::session_wanted, sessions_, &SessionKeeper::open);
  connect(history_, &SettingsHistory::changed, this, &MainWindow::show_history);
  worded(this, [this] { show_history(); });
  connect(notice_, &NoticeBanner::details_wanted, help_, &HelpDesk::show_notices);
  connect(&pending_, &QTimer::timeout, this, &MainWindow::send_pending);
  connect(pages_, &QStackedWidget::currentChanged, this, &MainWindow::arrange_side);
  connect(side_, &SideColumn::turned, this, &MainWindow::examine);
  connect(story_->run(), &StoryRun::began, this, &MainWindow::arrange_side);
  connect(story_->run(), &StoryRun::step_changed, this, &MainWindow::show_presented_plot);
  connect(story_->run(), &StoryRun::step_changed, this, &MainWindow::arrange_left_column);
  connect(story_->panel(), &StoryPanel::start_wanted, this, &MainWindow::begin_introduction);
  connect(story_->panel(), &StoryPanel::open_wanted, this, &MainWindow::choose_story);
  connect(story_, &StoryTeller::failed, this, [this](const QString& sentence) {
    notice_->show_notice(NoticeBanner::Severity::kError, sentence);
  });
  story_->connect_to_window();
}

void MainWindow::set_theme(ThemeMode mode) {
  theme_mode_ = mode;
  exporter_->set_theme(mode);
  const Theme& theme = theme_for(mode);
  apply_theme(*qApp, theme);
  top_->set_theme(theme, mode);
  notice_->set_theme(theme);
  offer_->set_theme(theme);
  opening_->set_theme(theme);
  drop_hint_->set_theme(theme);
  help_->set_theme(theme);
  initial_state_->set_theme(theme);
  hints_->set_theme(theme);
  training_->set_theme(theme);
  plots_->set_theme(theme);
  inspector_->set_theme(theme);
  generate_->set_theme(theme);
  experiment_->set_theme(theme);
  tasks_->set_theme(theme);
  story_->set_theme(theme);
  theory_->set_theme(theme);
  status_->show_update(now_, theme);
  for (QAction* action : theme_choices_->actions()) {
    action->setChecked(action->data().toInt() == static_cast<int>(mode));
  }
}

void MainWindow::take_settings(const RunConfig& config) {
  const RunConfig before = recipe_;
  recipe_.train = config.train;
  recipe_.measure = config.measure;
  recipe_.seed = config.seed;
  history_->record(before, recipe_);
  show_recipe();
  settings_pending_ = true;
  pending_.start();
}

// What the preset says of the model and the text is for those who load one.
void MainWindow::take_preset(const Preset& preset) {
  history_->begin_joint([title = preset.title] { return core_words(title); });
  put_settings(with_preset(recipe_, preset));
  history_->end_joint();
}

void MainWindow::show_recipe() {
  top_->show_recipe(recipe_);
  experiment_->show_recipe(recipe_);
  tasks_->show_recipe(recipe_);
}

void MainWindow::load() { load(recipe_); }

void MainWindow::load_parts(const ModelSource& model, const DataConfig& text) {
  RunConfig wanted = recipe_;
  wanted.model = model;
  wanted.data = text;
  // A text that is chosen takes the place of a task's.
  if (text != recipe_.data) wanted.task = {};
  load(wanted);
}

void MainWindow::load(const RunConfig& wanted) {
  swapping_ = false;
  twin_ = nullptr;
  history_->forget();
  begin_load(wanted);
}

// The recipe shown stays that of the model shown, until the runner has the new one.
void MainWindow::begin_load(const RunConfig& wanted) {
  load_pending_ = true;
  loading_ = wanted;
  epoch_before_load_ = epoch_;
  pending_.stop();
  intervention_pending_ = settings_pending_ = false;
  notice_->dismiss();
  opening_->expect_load(wanted);
  runner_->load(wanted);
}

void MainWindow::begin_epoch() {
  if (!load_pending_) forget_curves();
}

// The curves of a load that ends well go with the model that they belong to. A reset keeps the
// book, as its curves are what the next ones are compared with.
void MainWindow::forget_curves() {
  if (load_pending_ && !swapping_) {
    book_.clear();
    focus_->forget();
    show_recording(loading_);
  }
  load_pending_ = swapping_ = false;
  show_book();
  plots_->results()->loss()->clear();
  plots_->results()->loss()->begin_segment(recipe_.intervention.kind);
  status_->clear_loss();
}

// In another language: everything that says something of what the runner does or has found.
void MainWindow::say_again() {
  setLocale(QLocale());
  apply(now_);
  say_origin();
  model_panel_->show_model(model_.get(), data_.get(), stated_context_);
  show_recipe();
  show_book();
  for (QWidget* part : findChildren<QWidget*>()) {
    part->updateGeometry();
    part->update();
  }
}

void MainWindow::apply(const RunnerUpdate& update) {
  now_ = update;
  now_.train_points.clear();
  now_.events.clear();
  now_.measurements.clear();
  now_.generated.clear();
  epoch_ = update.epoch;
  const bool error_in_sheet = opening_->show_update(update);
  step_ = update.step;
  adopt_recipe(update);
  show_run_state(update, error_in_sheet);
  show_training(update);
  show_measurements(update);
  follow_repair(update);
  if (update.states != answer_) {
    answer_ = update.states;
    report_ = as_shown(answer_);
    inspector_->show_report(report_);
    plots_->results()->show_report(report_);
  }
  generate_->show_update(update);
  experiment_->show_update(update);
  tasks_->show_update(update);
}

void MainWindow::show_run_state(const RunnerUpdate& u, bool error_in_sheet) {
  const RunState before = state_;
  const bool new_error = u.error && (!error_ || error_->message != u.error->message);
  state_ = u.state;
  error_ = u.error;
  const RunButtons allowed = buttons_for(u.state);
  actions_.run->setText(primary_text(allowed.primary));
  actions_.run->setEnabled(allowed.run);
  actions_.step->setEnabled(allowed.step);
  actions_.stop->setEnabled(allowed.stop);
  actions_.reset->setEnabled(allowed.reset);
  actions_.measure->setEnabled(allowed.measure);
  actions_.save->setEnabled(allowed.save);
  show_history();
  top_->show_update(u);
  status_->show_update(u, theme_for(theme_mode_));
  initial_state_->show_state(u.state);
  training_->show_update(u);
  if (new_error) {
    if (!error_in_sheet) {
      notice_->show_notice(NoticeBanner::Severity::kError,
                           error_words(u.error->kind, u.error->message));
    }
    plots_->results()->log(error_words(u.error->kind, u.error->message));
  }
  if (before == state_) return;
  log_line(LogLevel::kNote, u"%1: %2"_s.arg(state_text(state_), from(summary(recipe_))));
  Q_EMIT state_changed(state_);
}

// Points and events are told apart by their step: an event at step s comes after the loss of s.
void MainWindow::show_training(const RunnerUpdate& u) {
  LossPlot* loss = plots_->results()->loss();
  auto point = u.train_points.begin();
  const auto add_until = [&](int64_t step) {
    const auto end = std::find_if(point, u.train_points.end(),
                                  [step](const TrainPoint& p) { return p.step > step; });
    loss->add({point, end});
    point = end;
  };
  // Until its first step a run's initial state can be chosen.
  const bool changed = std::any_of(u.events.begin(), u.events.end(), [](const RunEvent& event) {
    return event.kind == "intervention" && event.step > 0;
  });
  if (!u.train_points.empty() && loss->record().history.empty() && !changed) {
    loss->begin_segment(u.intervention.kind);
  }
  for (const RunEvent& event : u.events) {
    const QString text = core_words(event.text);
    add_until(event.step);
    if (event.kind == "intervention" || event.kind == "change") {
      loss->mark(event.step, u.intervention.kind, text);
    }
    if (event.kind == "warning") notice_->show_notice(NoticeBanner::Severity::kWarning, text);
    plots_->results()->log(tr("step %1: %2").arg(QLocale().toString(qint64(event.step)), text));
  }
  add_until(std::numeric_limits<int64_t>::max());
  if (!u.train_points.empty()) status_->show_loss(u.train_points.back().loss);
}

void MainWindow::show_measurements(const RunnerUpdate& u) {
  if (u.measurements.empty()) return;
  for (const auto& measurement : u.measurements) {
    // Between a base and its twins: of the one that goes.
    if (load_pending_ && swapping_ && measurement->epoch <= epoch_before_load_) continue;
    book_.add(as_shown(measurement));
    compare_with_recording(*measurement);
    for (const std::string& note : measurement->notes) plots_->results()->log(core_words(note));
  }
  show_book();
  suggest_focus();
  follow_sweep();
  if (u.measurements.back()->complete) want_answer();
}

// Until a person has chosen: the head whose norm has changed most since T, the pins at T and at
// the end, so that the inspector says something from the start.
void MainWindow::suggest_focus() {
  const Measurement* base = book_.base();
  const int64_t context = trained_context() > 0 ? trained_context() : recipe_.train.context;
  if (base == nullptr || !base->complete) return;
  const std::vector<StateRow> rows = state_rows(base->series, "state_norm", context);
  int64_t length = 0;
  for (const StateRow& row : rows) {
    if (!row.x.empty()) length = std::max<int64_t>(length, std::llround(row.x.back()));
  }
  if (length > context) focus_->suggest(most_drifted(rows), context, length);
}

// Pins and focus that move together, or are dragged, make one question.
void MainWindow::want_answer() {
  question_due_ = true;
  question_.start();
}

void MainWindow::examine() {
  const ResultsPanel* results = plots_->results();
  const bool seen = inspector_->isVisibleTo(this) ||
                    story_->shows_states() ||
                    (results->isVisibleTo(this) && results->shows_report());
  if (!runner_ || model_ == nullptr || !question_due_ || question_.isActive() || !seen) return;
  StateQuestion question;
  for (const std::optional<int64_t>& pin : focus_->pins()) {
    if (pin && *pin <= recipe_.measure.length) question.positions.push_back(*pin);
  }
  if (question.positions.empty()) return;
  question_due_ = false;
  question.number = ++questions_;
  question.focus = focus_->head();
  runner_->examine(question);
}

// What the runner holds replaces what the window shows only when it changed there: until a command
// of ours is carried out, updates still carry the values from before it.
void MainWindow::adopt_recipe(const RunnerUpdate& u) {
  if (u.model != model_ || u.data != data_) {
    if (u.recipe) watched_->watch(*u.recipe);
    const bool other_model = u.model != model_;
    model_ = u.model;
    data_ = u.data;
    stated_context_ = model_ ? stated_context(from(model_->source)) : 0;
    model_panel_->show_model(model_.get(), data_.get(), stated_context_);
    if (other_model && load_pending_) {
      forget_curves();
      finish_restore();
    } else {
      show_book();
    }
  }
  if (load_pending_ && u.epoch > epoch_before_load_ && u.state != RunState::kLoading &&
      u.state != RunState::kStopping) {
    load_pending_ = false;  // it was cancelled or failed, and left the model that was there
    restoring_.reset();
  }
  if (u.recipe && u.recipe != recipe_in_force_ && !settings_pending_) {
    recipe_in_force_ = u.recipe;
    const InterventionConfig wanted = recipe_.intervention;
    recipe_ = *u.recipe;
    recipe_.intervention = wanted;
    opening_->show_recipe(recipe_);
    training_->show_config(recipe_);
    show_recipe();
  }
  if (u.recipe && u.intervention != intervention_in_force_ && !intervention_pending_) {
    intervention_in_force_ = u.intervention;
    recipe_.intervention = u.intervention;
    initial_state_->show_config(u.intervention);
    show_recipe();
  }
}

void MainWindow::show_book() {
  plots_->show_book(book_, trained_context(), recipe_.train.context);
  inspector_->show_book(book_, trained_context(), recipe_.train.context);
}

// As the checkpoint records it, else as the person has stated it; 0: not known.
int64_t MainWindow::trained_context() const {
  if (model_ == nullptr) return recorded_context_;
  return model_->trained_context > 0 ? model_->trained_context : stated_context_;
}

void MainWindow::state_context(int64_t context) {
  if (model_ == nullptr) return;
  stated_context_ = context;
  remember_stated_context(from(model_->source), context);
  show_book();
}

// A choice is told at once; the fields below it are joined, as a turned wheel sends many values.
void MainWindow::change_intervention(const InterventionConfig& config) {
  const bool chosen = config.kind != recipe_.intervention.kind;
  const RunConfig before = recipe_;
  recipe_.intervention = config;
  history_->record(before, recipe_);
  show_recipe();
  intervention_pending_ = true;
  if (chosen && answer_choice(config.kind)) return;
  if (chosen) {
    send_pending();
  } else {
    pending_.start();
  }
}

void MainWindow::send_pending() {
  if (!runner_) return;
  if (intervention_pending_) runner_->set_intervention(recipe_.intervention);
  if (settings_pending_) runner_->configure(recipe_);
  intervention_pending_ = settings_pending_ = false;
}

void MainWindow::run_main_action() {
  if (!runner_) return;
  const RunButtons allowed = buttons_for(state_);
  if (!allowed.run) return;
  hints_->person_acted();
  leave_twin();
  send_pending();
  if (allowed.primary == RunButtons::Primary::kPause) {
    runner_->pause();
  } else {
    runner_->run();
  }
}

void MainWindow::generate(const QString& prompt) {
  if (!runner_) return;
  top_->pages()->choose(pages_->indexOf(generate_));
  pages_->setCurrentWidget(generate_);
  generate_->read(prompt);
}

void MainWindow::start_experiment(const ExperimentPlan& plan) {
  if (!runner_) return;
  top_->pages()->choose(pages_->indexOf(experiment_));
  pages_->setCurrentWidget(experiment_);
  experiment_->setup()->set_plan(plan);
  experiment_->start();
}

void MainWindow::show_task(const std::string& name) {
  top_->pages()->choose(pages_->indexOf(tasks_));
  pages_->setCurrentWidget(tasks_);
  tasks_->choose(name);
}

void MainWindow::show_theory() {
  top_->pages()->choose(pages_->indexOf(theory_));
  pages_->setCurrentWidget(theory_);
}

void MainWindow::step() {
  leave_twin();
  send_pending();
  runner_->step();
}

void MainWindow::stop() { runner_->stop(); }

void MainWindow::reset() { twin_ != nullptr ? show_base() : runner_->reset(); }

void MainWindow::measure() {
  send_pending();
  runner_->measure();
}

void MainWindow::save() {
  const QString folder = QFileDialog::getSaveFileName(this, tr("Save the model as a folder"),
                                                      from(recipe_.model.model + "-mended"));
  if (!folder.isEmpty()) runner_->save(folder.toStdString());
}

// What is opened untouched begins as it was trained; a choice would say that its twin is shown.
void MainWindow::open_built_in(const std::string& name) {
  const EmbeddedModel* model = built_ins_.find(name);
  if (model != nullptr && model->base.empty()) {
    recipe_.intervention.kind = Intervention::kZero;
    initial_state_->show_config(recipe_.intervention);
  }
  ModelSource source;
  source.model = name;
  load_parts(source, {});
}

void MainWindow::choose_folder() { opening_->choose_model_folder(); }

void MainWindow::choose_file() { opening_->choose_model_file(); }

void MainWindow::choose_generated_text() {
  RunConfig wanted = recipe_;
  wanted.data.path.clear();
  wanted.data.tokens.clear();
  wanted.task = {};
  load(wanted);
}

void MainWindow::choose_text() { opening_->choose_text(); }

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const auto [title, detail] = Opening::drop_hint(*event->mimeData());
  if (title.isEmpty()) return;
  drop_hint_->show_hint(title, detail);
  event->acceptProposedAction();
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) { drop_hint_->hide(); }

void MainWindow::dropEvent(QDropEvent* event) {
  drop_hint_->hide();
  event->acceptProposedAction();
  opening_->drop(*event->mimeData());
}

void MainWindow::follow_plots() { plots_->follow_all(); }

void MainWindow::show_inspector(bool) { arrange_side(); }

// The inspector belongs to the curves; a story goes through all pages.
void MainWindow::arrange_side() {
  const bool inspecting = pages_->currentWidget() == plots_ && actions_.inspector->isChecked();
  side_->setVisible(story_->run()->active() || inspecting);
  arrange_left_column();
  examine();
}

// A narrow window has room for one column beside the plots: the right one, unless the story is
// about something in the left one.
void MainWindow::arrange_left_column() {
  bool wanted = !presenting_ && pages_->currentWidget() != theory_;
  if (wanted && width() < wide_enough() && !side_->isHidden()) {
    const StoryRun& run = *story_->run();
    const QWidget* control = run.active() ? control_named(*this, run.current().highlight) : nullptr;
    wanted = control != nullptr && left_->isAncestorOf(control);
  }
  left_->setVisible(wanted);
}

void MainWindow::show_page(const QString& name) {
  for (int i = 0; i < pages_->count(); ++i) {
    if (name != QLatin1StringView(kPages[i])) continue;
    top_->pages()->choose(i);
    pages_->setCurrentIndex(i);
  }
}

QString MainWindow::page() const {
  return QString::fromLatin1(kPages[std::max(0, pages_->currentIndex())]);
}

void MainWindow::set_intervention(const InterventionConfig& config) {
  initial_state_->show_config(config);
  change_intervention(config);
}

void MainWindow::open_story(const QString& folder) {
  try {
    hints_->person_acted();  // the cards say it, in their order
    story_->open(folder);
    if (!is_untouched() || twin_ != nullptr) {
      notice_->show_notice(NoticeBanner::Severity::kWarning,
                           tr("The cards begin with an untouched model, and this one has been "
                              "trained: Reset (R) brings it back."));
    }
    if (!folder.startsWith(u':')) recent_stories_->add(folder);
    show_page(QString::fromLatin1(kPages[0]));
  } catch (const Error& error) {
    notice_->show_notice(NoticeBanner::Severity::kError, from(error.what()));
  }
}

void MainWindow::choose_story() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a story's folder"));
  if (!folder.isEmpty()) open_story(folder);
}

void MainWindow::begin_introduction() { open_story(embedded_story(u"intro"_s)); }

void MainWindow::make_exporter() {
  exporter_ = new Exporter(this, [this](const QWidget* view) { return recipe_of(view); });
  for (LivePlot* plot : plots_->plots() + inspector_->plots() + generate_->plots() +
                        tasks_->plots() + story_->panel()->plots()) {
    exporter_->add(plot);
  }
  connect(experiment_, &ExperimentPanel::plot_added, exporter_, [this](LivePlot* plot) {
    exporter_->add(plot);
  });
  exporter_->add(plots_->results()->table());
  exporter_->add(plots_->results()->heads()->table());
  exporter_->add(inspector_->numbers(), [this] { return inspector_->numbers()->numbers(); });
  exporter_->add(experiment_->table()->view(),
                 [this] { return experiment_->table()->model()->numbers(); });
  const auto scores = [this] { return tasks_->scores()->table()->numbers(); };
  exporter_->add(tasks_->scores()->rows(), scores);
  exporter_->add(tasks_->scores()->maps_area(), scores);
  AttentionPanel* attention = plots_->results()->attention();
  exporter_->add(attention, [attention] { return attention->numbers(); });
  connect(exporter_, &Exporter::theme_wanted, this, &MainWindow::set_theme);
  connect(exporter_, &Exporter::said, status_, &StatusRow::say);
  connect(exporter_, &Exporter::failed, this, [this](const QString& sentence) {
    notice_->show_notice(NoticeBanner::Severity::kError, sentence);
  });
}

// Of what is shown, which may have been measured with other settings than those that are set now.
QString MainWindow::recipe_of(const QWidget* view) const {
  if (experiment_->isAncestorOf(view)) return experiment_->recipe();
  const bool measured = plots_->isAncestorOf(view) && book_.current() != nullptr;
  return from(to_json(measured ? book_.current()->recipe : recipe_));
}

void MainWindow::export_view() { exporter_->open_sheet(nullptr); }

void MainWindow::copy_image() { exporter_->copy_image(exporter_->meant()); }

void MainWindow::copy_numbers() { exporter_->copy_numbers(exporter_->meant()); }

void MainWindow::export_report() { story_->export_report(); }

void MainWindow::set_presenting(bool presenting) {
  if (presenting_ == presenting) return;
  presenting_ = presenting;
  actions_.present->setChecked(presenting);
  // Escape leaves the view, and stops what runs only outside of it.
  actions_.stop->setShortcut(presenting ? QKeySequence() : QKeySequence(Qt::Key_Escape));
  actions_.present->setShortcuts(presenting
                                     ? QList<QKeySequence>{Qt::Key_F5, Qt::Key_Escape}
                                     : QList<QKeySequence>{Qt::Key_F5});
  arrange_left_column();
  show_presented_plot();
  scale_text();
}

// The one that the card is about, else perplexity.
void MainWindow::show_presented_plot() {
  if (!presenting_) return plots_->show_only(nullptr);
  QWidget* wanted = plots_->card(u"perplexity"_s);
  if (story_->run()->active()) {
    QWidget* control = control_named(*this, story_->run()->current().highlight);
    for (const auto& [name, card] : plots_->cards()) {
      if (card == control) wanted = card;
    }
  }
  plots_->show_only(wanted);
}

int MainWindow::wide_enough() {
  constexpr int kPlots = 1280 - kLeftColumn - kInspector;
  return kPlots + text_room(kLeftColumn) + text_room(kInspector);
}

// The inspector gives way to the plots in a narrow window, until a person asks for it.
void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  const bool wide = event->size().width() >= wide_enough();
  const bool was_wide = event->oldSize().width() >= wide_enough();
  if (!event->oldSize().isValid() || wide != was_wide) actions_.inspector->setChecked(wide);
  arrange_left_column();
}

void MainWindow::show_about() {
  auto* box = new QMessageBox(this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setWindowTitle(tr("About Farstate"));
  box->setIconPixmap(windowIcon().pixmap(64, 64));
  box->setText(tr("<b>Farstate %1</b>").arg(QStringLiteral(FARSTATE_VERSION)));
  box->setInformativeText(
      tr("A laboratory for the hidden state of recurrent language models.\n"
         "GPL-3.0-or-later. Typeface: Farstate Sans, a version of Inter (Open Font License)."));
  box->open();
}

// The window is gone at once; the runner may need a moment to come to the end of a step, and only
// when that can be noticed a word says so.
void MainWindow::closeEvent(QCloseEvent* event) {
  event->ignore();
  if (!runner_) return;
  sessions_->end();
  pump_->stop();
  pending_.stop();
  question_.stop();
  hide();
  end_runner();
}

void MainWindow::end_runner() {
  runner_->stop();
  auto* ending = new EndingNotice;
  connect(this, &MainWindow::finished, ending, &QObject::deleteLater);
  // Threads that still work would be cut off in the middle of whatever destructors do.
  connect(ending, &EndingNotice::quit_wanted, this,
          [] { std::_Exit(static_cast<int>(ErrorKind::kInterrupted)); });
  ending->wait();
  ending_ = std::thread([this, runner = std::move(runner_)]() mutable {
    runner.reset();
    QMetaObject::invokeMethod(this, &MainWindow::finished, Qt::QueuedConnection);
  });
}

}  // namespace farstate::desktop
