// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/tasks_panel.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QResizeEvent>
#include <QScrollArea>
#include <algorithm>
#include <set>

#include "app/desktop/panels/sample_card.h"
#include "app/desktop/panels/score_setup.h"
#include "app/desktop/panels/scores_card.h"
#include "app/desktop/panels/task_card.h"
#include "app/desktop/plots/score_plot.h"
#include "app/desktop/task_buttons.h"
#include "app/desktop/task_words.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/wording.h"
#include "core/base/error.h"
#include "core/base/file.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kNarrow = 1080;  // a page narrower than this has the scores below the sample
constexpr int64_t kShortStrings = 20;  // letters; what copying is trained up to by default

std::vector<Words> titles() {
  std::vector<Words> titles;
  for (const char* name : kTaskNames) titles.push_back([name] { return task_title(name); });
  return titles;
}

}  // namespace

TasksPanel::TasksPanel(Runner* runner, QWidget* parent) : QFrame(parent), runner_(runner) {
  for (size_t i = 0; i < configs_.size(); ++i) configs_[i].name = kTaskNames[i];
  scroll_ = new QScrollArea(this);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(make_content());
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scroll_);
  connect_parts();
  worded(this, [this] { show_task(); });
}

QWidget* TasksPanel::make_content() {
  auto* content = new QWidget;
  content->setObjectName(u"columns"_s);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::kGap);
  choice_ = new Segmented([] { return tr("Task"); }, titles(), content);
  column->addWidget(choice_);
  columns_ = new QBoxLayout(QBoxLayout::LeftToRight);
  columns_->setSpacing(Theme::kGap);
  auto* left = new QVBoxLayout;
  left->setSpacing(Theme::kGap);
  about_ = new TaskCard(content);
  sample_ = new SampleCard(content);
  scores_ = new ScoresCard(content);
  left->addWidget(about_);
  left->addWidget(sample_, 1);
  columns_->addLayout(left, 5);
  columns_->addWidget(scores_, 6);
  column->addLayout(columns_, 1);
  return content;
}

void TasksPanel::connect_parts() {
  connect(choice_, &Segmented::changed, this, [this](int task) {
    chosen_ = task;
    show_task();
  });
  connect(about_, &TaskCard::changed, this, [this](const TaskConfig& task) {
    config() = task;
    sample_->show_task(task);
    scores_->show_task(task);
    show_scores();
  });
  connect(about_, &TaskCard::train_wanted, this, &TasksPanel::load);
  connect(sample_, &SampleCard::asked, this,
          [this](const TaskQuestion& question) { runner_->try_task(question); });
  connect(scores_->setup(), &ScoreSetup::score_wanted, this,
          qOverload<const ScoreConfig&>(&TasksPanel::score));
  connect(scores_->setup(), &ScoreSetup::stop_wanted, this, [this] { runner_->stop(); });
  connect(scores_, &ScoresCard::save_wanted, this, &TasksPanel::save);
}

void TasksPanel::set_theme(const Theme& theme) {
  sample_->set_theme(theme);
  scores_->set_theme(theme);
}

void TasksPanel::choose(const std::string& task) {
  const auto found = std::find(std::begin(kTaskNames), std::end(kTaskNames), task);
  if (found == std::end(kTaskNames)) return;
  chosen_ = static_cast<int>(found - std::begin(kTaskNames));
  choice_->choose(chosen_);
  show_task();
}

std::string TasksPanel::task() const { return config().name; }

// The recipe's task is made as the recipe says; the others as they are set up here.
void TasksPanel::show_recipe(const RunConfig& recipe) {
  const bool other_score = recipe.score != recipe_.score;
  const bool other_task = recipe.task != recipe_.task;
  recipe_ = recipe;
  if (other_score) scores_->setup()->show_config(recipe.score);
  if (!other_task) return;
  for (TaskConfig& config : configs_) {
    if (config.name == recipe.task.name) config = recipe.task;
  }
  show_task();
}

void TasksPanel::show_task() {
  about_->show_task(config());
  sample_->show_task(config());
  scores_->show_task(config());
  scores_->show_reference(paper_layers(task()));
  show_scores();
  show_state();
}

const TaskScores* TasksPanel::own_scores() const {
  const TaskScores* scores = now_.scores.get();
  if (scores == nullptr) return nullptr;
  if (!scores->cells.empty()) return scores->cells.front().task == task() ? scores : nullptr;
  try {
    return run_config_from_json(scores->recipe).task.name == task() ? scores : nullptr;
  } catch (const Error&) {
    return nullptr;
  }
}

// The length that was trained: T, or for copying that of the strings; 0: not known.
int64_t TasksPanel::limit() const {
  if (task() == "copying") {
    const bool trains = now_.recipe != nullptr && now_.recipe->task.name == task();
    if (!trains) return 0;
    return config().longest > 0 ? config().longest : kShortStrings;
  }
  const TaskScores* scores = own_scores();
  if (scores != nullptr && scores->context > 0) return scores->context;
  if (now_.model != nullptr && now_.model->trained_context > 0) return now_.model->trained_context;
  return recipe_.train.context;
}

// That can be chosen for a sample: around what was trained, and those that are scored.
std::vector<int64_t> TasksPanel::lengths() const {
  const int64_t base = limit() > 0 ? limit() : kShortStrings;
  std::set<int64_t> all;
  for (const int64_t twice : {1, 2, 4, 8, 16, 32, 64, 128}) all.insert(base * twice / 2);
  if (task() == "babilong") {  // facts alone, and texts that have room for the prompt
    constexpr int64_t kRoom = 1024;
    all.insert(0);
    std::erase_if(all, [](int64_t length) { return length > 0 && length < kRoom; });
  }
  for (const ScoreLayer& layer : book_.layers(task(), now_.experiment.get())) {
    for (const auto& cells : layer.seeds) {
      for (const TaskCell& cell : cells) all.insert(cell.length);
    }
  }
  return {all.begin(), all.end()};
}

void TasksPanel::show_update(const RunnerUpdate& update) {
  const std::string model = update.model ? update.model->source : std::string();
  if (model != model_) {
    model_ = model;
    book_.forget();
  }
  const bool new_scores = update.scores != now_.scores && update.scores != nullptr;
  const bool other = new_scores || update.experiment != now_.experiment ||
                     update.step != now_.step || update.epoch != now_.epoch ||
                     update.model != now_.model;
  now_ = update;
  now_.train_points.clear();
  now_.events.clear();
  now_.measurements.clear();
  now_.generated.clear();
  book_.set_weights(update.epoch, update.step);
  if (new_scores) book_.take(update.scores, update.epoch);
  if (other) show_scores();
  show_state();
  sample_->show_trial(update.trial);
}

void TasksPanel::show_scores() {
  sample_->show_lengths(lengths(), limit());
  scores_->show_layers(book_.layers(task(), now_.experiment.get()), limit(),
                       scores_->setup()->config());
}

void TasksPanel::show_state() {
  const TaskScores* scores = own_scores();
  const TaskButtons may = task_buttons(now_.state, now_.model.get(), now_.scores.get());
  const QString hint = task_hint(now_.state, now_.model.get(), now_.scores.get());
  about_->show_state(may, now_.model.get(), now_.recipe.get());
  sample_->show_state(may.ask, may.ask ? QString() : hint, now_.epoch, now_.step);
  const bool began = scores != nullptr && scores->step == now_.step;
  scores_->setup()->show_state(may, hint, now_.scores.get(), began);
  scores_->show_hint(
      !hint.isEmpty()
          ? hint
          : tr("Nothing is scored yet. Score lets the weights on screen answer samples of several "
               "lengths, a few of each first; cells fill as it goes, and what is scored stays when "
               "it is stopped. To compare initial states, train on this task and start an "
               "experiment: its runs appear here."));
}

void TasksPanel::score() { score(scores_->setup()->config()); }

void TasksPanel::score(const ScoreConfig& wanted) {
  RunConfig recipe = recipe_;
  recipe.task = config();
  recipe.score = wanted;
  runner_->score(recipe);
}

void TasksPanel::load(bool on_task) {
  RunConfig recipe = recipe_;
  recipe.task = on_task ? config() : TaskConfig();
  recipe.score = scores_->setup()->config();
  Q_EMIT load_wanted(recipe);
}

bool TasksPanel::has_scores() const {
  const TaskScores* scores = own_scores();
  return scores != nullptr && !scores->running && !scores->cells.empty();
}

std::string TasksPanel::json() const {
  return to_json(book_.scores(task(), now_.experiment.get()));
}

void TasksPanel::save() {
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save the scores"), QString::fromStdString(task()) + u"-scores.json"_s,
      tr("Scores (*.json)"));
  if (path.isEmpty()) return;
  try {
    write_file_atomic(path.toStdString(), json());
  } catch (const Error& error) {
    QMessageBox::warning(this, tr("The scores were not saved"),
                         QString::fromStdString(error.what()));
  }
}

QList<LivePlot*> TasksPanel::plots() const { return {scores_->plot()}; }

void TasksPanel::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  columns_->setDirection(event->size().width() < text_room(kNarrow) ? QBoxLayout::TopToBottom
                                                         : QBoxLayout::LeftToRight);
}

}  // namespace farstate::desktop
