// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/experiment_panel.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>

#include "app/desktop/experiment_words.h"
#include "app/desktop/models/comparison_cost.h"
#include "app/desktop/panels/arm_table_card.h"
#include "app/desktop/panels/arms_card.h"
#include "app/desktop/panels/comparison_setup.h"
#include "app/desktop/panels/multiples_card.h"
#include "app/desktop/panels/preset_sheet.h"
#include "app/desktop/panels/rate_sheet.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto kRest = 600ms;  // of the settings, before a second of work is timed for them

constexpr int kNarrow = 900;  // a page narrower than this has the words below the table

}  // namespace

ExperimentPanel::ExperimentPanel(Runner* runner, QWidget* parent)
    : QFrame(parent), runner_(runner), theme_(&theme_for(ThemeMode::kLight)) {
  auto* content = new QWidget;
  content->setObjectName(u"columns"_s);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::kGap);
  setup_ = new ComparisonSetup(content);
  empty_ = new Card([] { return tr("Nothing is compared yet"); }, content);
  empty_text_ = muted_label({}, empty_);
  empty_text_->setWordWrap(true);
  empty_text_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  empty_->body()->addWidget(empty_text_, 1);
  arms_ = new ArmsCard(content);
  multiples_ = new MultiplesCard(content);
  bottom_ = new QWidget(content);
  bottom_row_ = new QBoxLayout(QBoxLayout::LeftToRight, bottom_);
  bottom_row_->setContentsMargins(0, 0, 0, 0);
  bottom_row_->setSpacing(Theme::kGap);
  table_ = new ArmTableCard(bottom_);
  bottom_row_->addWidget(table_, 5);
  bottom_row_->addWidget(make_words(), 4);
  column->addWidget(setup_);
  column->addWidget(empty_, 1);
  column->addWidget(arms_);
  column->addWidget(multiples_, 1);
  column->addWidget(bottom_);
  scroll_ = new QScrollArea(this);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(content);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scroll_);
  connect_parts();
  worded(this, [this] { show_experiment(); });
}

QWidget* ExperimentPanel::make_words() {
  auto* card = new Card([] { return tr("What it shows"); }, bottom_);
  shows_ = new QLabel(card);
  open_ = muted_label({}, card);
  for (QLabel* label : {shows_, open_}) {
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  worded(this, [this] { shows_->setAccessibleName(tr("What the comparison shows")); });
  worded(this, [this] { open_->setAccessibleName(tr("What it leaves open")); });
  card->body()->addWidget(shows_);
  card->body()->addSpacing(4);
  card->body()->addWidget(open_);
  card->body()->addStretch(1);
  return card;
}

void ExperimentPanel::connect_parts() {
  using Kind = ArmCommand::Kind;
  connect(setup_, &ComparisonSetup::start_wanted, this, &ExperimentPanel::start);
  connect(setup_, &ComparisonSetup::pause_wanted, this, [this] { direct(Kind::kPause); });
  connect(setup_, &ComparisonSetup::resume_wanted, this, [this] { direct(Kind::kResume); });
  connect(setup_, &ComparisonSetup::stop_wanted, this, [this] { direct(Kind::kStop); });
  connect(setup_, &ComparisonSetup::rate_wanted, this, &ExperimentPanel::find_rate);
  cost_pause_.setSingleShot(true);
  cost_pause_.setInterval(kRest);
  connect(&cost_pause_, &QTimer::timeout, this, &ExperimentPanel::ask_cost);
  connect(setup_, &ComparisonSetup::recipe_changed, this, &ExperimentPanel::recipe_changed);
  connect(setup_, &ComparisonSetup::preset_chosen, this, &ExperimentPanel::show_preset);
  connect(arms_, &ArmsCard::command_wanted, this,
          [this](const ArmCommand& command) { runner_->direct(command); });
  connect(arms_, &ArmsCard::hidden_changed, this, [this] {
    multiples_->set_hidden(arms_->hidden());
    show_table();
  });
  connect(multiples_, &MultiplesCard::plot_added, this, &ExperimentPanel::plot_added);
  connect(multiples_, &MultiplesCard::step_changed, this, &ExperimentPanel::show_table);
}

// A second of work is spent for a person who looks at this page and could start, and once for the
// settings that it depends on.
void ExperimentPanel::ask_cost() {
  const std::pair asked{epoch_, cost_question(recipe_)};
  const bool free = state_ == RunState::kReady || state_ == RunState::kPaused;
  if (!isVisible() || !free || setup_->folded() || cost_asked_ == asked) return;
  cost_asked_ = asked;
  runner_->estimate(asked.second);
}

void ExperimentPanel::find_rate() {
  if (rate_sheet_ == nullptr) {
    rate_sheet_ = new RateSheet(window());
    connect(rate_sheet_, &Sheet::cancelled, this, [this] {
      if (rate_sheet_->searching()) runner_->stop();
      rate_sheet_->dismiss();
    });
    connect(rate_sheet_, &Sheet::accepted, this, [this] {
      RunConfig recipe = recipe_;
      recipe.train.learning_rate = rate_sheet_->suggestion().value_or(recipe.train.learning_rate);
      rate_sheet_->dismiss();
      Q_EMIT recipe_changed(recipe);
    });
  }
  rate_sheet_->set_theme(*theme_);
  rate_sheet_->begin(recipe_);
  runner_->find_rate(setup_->config(), {});
}

// What the paper leaves open is read before anything is taken over.
void ExperimentPanel::show_preset(const Preset& preset) {
  if (preset_sheet_ == nullptr) {
    preset_sheet_ = new PresetSheet(window());
    connect(preset_sheet_, &Sheet::cancelled, this, [this] {
      preset_sheet_->dismiss();
      setup_->presets()->setCurrentIndex(0);
    });
    connect(preset_sheet_, &Sheet::accepted, this, [this] {
      preset_sheet_->dismiss();
      Q_EMIT preset_chosen(preset_sheet_->preset());
    });
  }
  preset_sheet_->set_theme(*theme_);
  preset_sheet_->ask(preset, recipe_);
}

void ExperimentPanel::start() {
  if (!setup_->problem().isEmpty()) return;
  Q_EMIT about_to_train();
  arms_->show_all();  // what was hidden was of the one before
  runner_->experiment(setup_->config(), setup_->plan());
  setup_->fold(true);
}

void ExperimentPanel::direct(ArmCommand::Kind kind) {
  ArmCommand command;
  command.kind = kind;
  runner_->direct(command);
}

void ExperimentPanel::set_theme(const Theme& theme) {
  theme_ = &theme;
  if (rate_sheet_ != nullptr) rate_sheet_->set_theme(theme);
  if (preset_sheet_ != nullptr) preset_sheet_->set_theme(theme);
  setup_->set_theme(theme);
  arms_->set_theme(theme);
  multiples_->set_theme(theme);
  table_->set_theme(theme);
}

void ExperimentPanel::show_recipe(const RunConfig& recipe) {
  recipe_ = recipe;
  setup_->show_recipe(recipe);
  cost_pause_.start();
  arms_->show_recipe(recipe);
}

void ExperimentPanel::show_update(const RunnerUpdate& update) {
  epoch_ = update.epoch;
  const StageCount stages =
      update.experiment ? count_stages(update.experiment->runs) : StageCount();
  setup_->show_state(update.state, update.model != nullptr, stages);
  setup_->show_cost(update.cost);
  if (rate_sheet_ != nullptr) rate_sheet_->show_update(update);
  if (update.state != state_) cost_pause_.start();
  if (experiment_ == update.experiment && state_ == update.state) return;
  const bool came_or_went = (experiment_ == nullptr) != (update.experiment == nullptr);
  experiment_ = update.experiment;
  state_ = update.state;
  if (came_or_went) setup_->fold(experiment_ != nullptr);
  show_experiment();
}

void ExperimentPanel::show_experiment() {
  const bool there = experiment_ != nullptr;
  for (QWidget* part : std::initializer_list<QWidget*>{arms_, multiples_, bottom_}) {
    part->setVisible(there);
  }
  empty_->setVisible(!there);
  const QString hint = experiment_hint(state_, state_ != RunState::kIdle);
  empty_text_->setText(
      hint.isEmpty()
          ? tr("Choose arms above and start: each is trained from the checkpoint as loaded, on the "
               "same windows with the same budget, and only the law of its initial state differs. "
               "Keep the zero state among them: it is the control that shows what training as such "
               "does. Three seeds show how far chance carries.")
          : hint);
  setup_->show_progress(experiment_.get());
  arms_->show(experiment_, state_);
  multiples_->show(experiment_);
  show_table();
  if (!there) return;
  const ExperimentWords words = experiment_words(*experiment_);
  if (shows_->text() != words.shows) shows_->setText(words.shows);
  if (open_->text() != words.open) open_->setText(words.open);
}

void ExperimentPanel::show_table() {
  table_->show(experiment_.get(), multiples_->step(), arms_->hidden());
}

QString ExperimentPanel::shows() const { return shows_->text(); }
QString ExperimentPanel::recipe() const {
  return experiment_ != nullptr ? QString::fromStdString(experiment_->recipe) : QString();
}

QString ExperimentPanel::open() const { return open_->text(); }

QString ExperimentPanel::placeholder() const {
  return empty_->isHidden() ? QString() : empty_text_->text();
}

void ExperimentPanel::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  cost_pause_.start();
}

void ExperimentPanel::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  bottom_row_->setDirection(event->size().width() < text_room(kNarrow) ? QBoxLayout::TopToBottom
                                                            : QBoxLayout::LeftToRight);
}

}  // namespace farstate::desktop
