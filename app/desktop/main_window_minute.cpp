// SPDX-License-Identifier: GPL-3.0-or-later
// The window's built-in models: recorded curves until there are live ones, the twins in place of
// their base, and the repair that takes as long as it is given.
#include <QAction>
#include <QHash>
#include <QLocale>
#include <QMenu>
#include <QScrollArea>
#include <QTimer>

#include "app/desktop/hints.h"
#include "app/desktop/main_window.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/remedy_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/plots/live_plot.h"
#include "app/desktop/run_buttons.h"
#include "app/desktop/settings.h"
#include "app/desktop/widgets/notice_banner.h"
#include "app/desktop/widgets/status_row.h"
#include "app/desktop/wording.h"
#include "core/base/error.h"
#include "core/checkpoint/provenance.h"
#include "resources/embedded.h"

namespace farstate::desktop {
namespace {

QString read_training_recipe(const std::string& name) {
  try {
    const std::string file = name + "/farstate.json";
    const Provenance provenance = provenance_from_json(std::string(embedded_file(file)), file);
    if (provenance.recipe.empty()) return {};
    return QString::fromStdString(summary(run_config_from_json(provenance.recipe)));
  } catch (const Error&) {
    return {};
  }
}

// In one line, as the recipe's chip has it; empty where it is not known. Asked for with every update
// of the runner, of files that never change.
const QString& training_recipe(const std::string& name) {
  static QHash<QString, QString> known;
  const QString key = QString::fromStdString(name);
  auto found = known.find(key);
  if (found == known.end()) found = known.insert(key, read_training_recipe(name));
  return *found;
}

}  // namespace

// A base and below it its twins; each is opened as any other model.
QList<QAction*> MainWindow::built_in_choices() {
  QList<QAction*> out;
  for (const EmbeddedModel* base : built_ins_.bases()) {
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    const auto add = [this, menu](const EmbeddedModel& model, auto words) {
      QAction* action = menu->addAction(QString(), this, [this, name = model.name] {
        open_built_in(name);
      });
      worded(action, [action, words] { action->setText(words()); });
      return action;
    };
    QAction* untouched = add(*base, [] { return tr("Untouched: trained from scratch"); });
    worded(menu, [menu, untouched, text = base->text] {
      menu->setTitle(text_name(text));
      menu->menuAction()->setToolTip(text_description(text));
      untouched->setToolTip(text_description(text));
    });
    const std::vector<const EmbeddedModel*> twins = built_ins_.twins_of(base->name);
    if (!twins.empty()) menu->addSeparator();
    for (const EmbeddedModel* twin : twins) add(*twin, [twin] { return twin_name(*twin); });
    out.push_back(menu->menuAction());
  }
  return out;
}

void MainWindow::add_first_minute_choices(QMenu* view, QMenu* help) {
  const auto add = [this](QMenu* menu, bool on, auto text, auto act) {
    QAction* action = menu->addAction(QString());
    action->setCheckable(true);
    action->setChecked(on);
    worded(action, [action, text] { action->setText(text()); });
    connect(action, &QAction::toggled, this, act);
    return action;
  };
  add(view, twins_wanted(), [] { return tr("Show post-trained twins at once"); },
      [](bool on) { remember_twins_wanted(on); });
  add(view, reduced_motion(), [] { return tr("Reduce motion"); },
      [](bool on) { remember_reduced_motion(on); });
  QAction* hints = add(help, hints_wanted(), [] { return tr("Hints"); },
                       [this](bool on) { hints_->set_wanted(on); });
  // The hints come later than the menus.
  QMetaObject::invokeMethod(this, [this, hints] {
    connect(hints_, &Hints::wanted_changed, hints, &QAction::setChecked);
  }, Qt::QueuedConnection);
}

// Where recorded curves say what this recipe would measure, they are there until it has.
void MainWindow::show_recording(const RunConfig& recipe) {
  agreement_.reset();
  const Recording* recording = built_ins_.recording(recipe.model.model);
  const bool fits = recording != nullptr && recipe.model.init.empty() &&
                    measures_the_same(recipe, *recording->measurement);
  recorded_context_ = fits ? recording->model.trained_context : 0;
  if (fits) {
    auto untouched = std::make_shared<Measurement>(*recording->measurement);
    untouched->step = 0;  // of a twin that is opened as a model of its own
    book_.add(std::move(untouched));
  }
  say_origin();
}

void MainWindow::say_origin() {
  const std::string& name = load_pending_ ? loading_.model.model : recipe_.model.model;
  const Recording* recording = built_ins_.recording(name);
  QString recorded, live = tr("Measured by this machine, now.");
  if (recording != nullptr) {
    recorded = tr("Recorded on %1 with the recipe %2. The model is loaded behind; its own sweep "
                  "replaces these curves from left to right.")
                   .arg(recording->made,
                        QString::fromStdString(summary(recording->measurement->recipe)));
  }
  if (agreement_) live += QLatin1Char('\n') + sentence_of(*agreement_);
  plots_->say_origin(recorded, live, agreement_ ? short_sentence_of(*agreement_) : QString());
}

void MainWindow::compare_with_recording(const Measurement& live) {
  if (live.step != 0 && agreement_) {  // of weights that nobody recorded
    agreement_.reset();
    say_origin();
  }
  const Recording* recording = built_ins_.recording(live.recipe.model.model);
  if (recording == nullptr || !live.complete || live.step != 0 ||
      !measures_the_same(live.recipe, *recording->measurement)) {
    return;
  }
  const Measurement* whole = book_.current();
  if (whole == nullptr) return;
  agreement_ = compare(*recording->measurement, *whole);
  const QString sentence = sentence_of(*agreement_);
  plots_->results()->log(sentence);
  status_->say([agreement = *agreement_] { return sentence_of(agreement); });
  const bool differs = !agreement_->comparable || agreement_->difference > kSameCurves;
  if (differs) notice_->show_notice(NoticeBanner::Severity::kWarning, sentence);
  say_origin();
}

// The hints belong to a built-in model that nobody has touched.
void MainWindow::follow_sweep() {
  const Measurement* base = book_.base();
  if (twin_ != nullptr || base == nullptr || base != book_.current() || base->recorded ||
      built_ins_.find(base->recipe.model.model) == nullptr) {
    return;
  }
  const std::optional<double> front = book_.front("perplexity");
  const auto context = static_cast<double>(trained_context());
  if (base->complete || (front && *front > context)) hints_->sweep_passed(trained_context());
  if (base->complete) hints_->sweep_ended();
}

std::string MainWindow::base_name() const {
  if (twin_ != nullptr) return twin_->base;
  const EmbeddedModel* open = built_ins_.find(recipe_.model.model);
  return open != nullptr && open->base.empty() ? open->name : std::string();
}

bool MainWindow::is_untouched() const {
  return step_ == 0 && state_ != RunState::kRunning && state_ != RunState::kPaused;
}

// What is trained is the base: the twin was post-trained already.
bool MainWindow::leave_twin() {
  if (twin_ == nullptr || !is_untouched()) return false;
  show_base();
  return true;
}

int64_t MainWindow::twin_steps() const {
  const Recording* recording = twin_ != nullptr ? built_ins_.recording(twin_->name) : nullptr;
  return recording != nullptr ? std::max<int64_t>(recording->measurement->step, 1) : 1;
}

// A twin as loaded is the base some steps later.
std::shared_ptr<const Measurement> MainWindow::as_shown(
    std::shared_ptr<const Measurement> measurement) const {
  if (twin_ == nullptr || measurement->recipe.model.model != twin_->name) return measurement;
  auto out = std::make_shared<Measurement>(*measurement);
  out->step += twin_steps();
  if (measurement->step == 0) out->intervention = twin_->intervention;
  return out;
}

std::shared_ptr<const StateReport> MainWindow::as_shown(
    std::shared_ptr<const StateReport> report) const {
  if (twin_ == nullptr || report == nullptr || report->recipe.empty() ||
      run_config_from_json(report->recipe).model.model != twin_->name) {
    return report;
  }
  auto out = std::make_shared<StateReport>(*report);
  out->step += twin_steps();
  return out;
}

// True: the choice went with the load of a twin.
bool MainWindow::answer_choice(Intervention law) {
  const bool can = runner_ && is_untouched() && twins_wanted() &&
                   buttons_for(state_).intervention && (model_ != nullptr || load_pending_);
  if (!can || base_name().empty()) return false;
  const EmbeddedModel* twin = built_ins_.twin_of(base_name(), law);
  if (twin == twin_) return false;
  if (twin != nullptr) {
    show_twin(law);
    return true;
  }
  show_base();  // of this law there is nothing to show
  return true;
}

void MainWindow::show_twin(Intervention law) {
  const EmbeddedModel* twin = runner_ ? built_ins_.twin_of(base_name(), law) : nullptr;
  if (twin == nullptr || twin == twin_) return;
  if (repair_.stage() == Repair::Stage::kDone) repair_.forget();
  hints_->person_acted();
  if (recipe_.intervention.kind != law) {
    recipe_.intervention.kind = law;
    initial_state_->show_config(recipe_.intervention);
    show_recipe();
  }
  swap(*twin);
}

void MainWindow::show_base() {
  const EmbeddedModel* base = built_ins_.find(base_name());
  if (!runner_ || base == nullptr || twin_ == nullptr) return;
  swap(*base);
}

// The book stays: the curve that was there becomes the ghost.
void MainWindow::swap(const EmbeddedModel& model) {
  RunConfig wanted = recipe_;
  wanted.model = ModelSource();
  wanted.model.model = model.name;
  wanted.changes.clear();
  twin_ = model.base.empty() ? nullptr : &model;
  swapping_ = true;
  agreement_.reset();
  begin_load(wanted);
  const Recording* recording = built_ins_.recording(model.name);
  if (twin_ == nullptr) {
    book_.show_base();
  } else if (recording != nullptr && measures_the_same(wanted, *recording->measurement)) {
    book_.add(recording->measurement);
  }
  say_origin();
  show_book();
  show_remedy();
}

void MainWindow::repair_live(double seconds) {
  if (!runner_ || repair_.under_way()) return;
  hints_->person_acted();
  InterventionConfig law = recipe_.intervention;
  if (law.kind == Intervention::kZero) law.kind = Intervention::kStatePassing;
  const bool reloads = twin_ != nullptr || !is_untouched();
  if (law != recipe_.intervention) {
    recipe_.intervention = law;
    initial_state_->show_config(law);
    show_recipe();
    intervention_pending_ = true;
  }
  if (twin_ != nullptr) {
    show_base();
  } else {
    if (reloads) runner_->reset();
    send_pending();
  }
  repair_.begin(law.kind, seconds, epoch_, reloads);
  runner_->run_for(seconds);
  show_remedy();
}

void MainWindow::follow_repair(const RunnerUpdate& update) {
  const Repair::Stage before = repair_.stage();
  repair_.take(update, book_, trained_context());
  if (before != Repair::Stage::kDone && repair_.stage() == Repair::Stage::kDone) {
    plots_->results()->log(repair_.sentence());
  }
  show_remedy();
  // Once its new words have their place.
  if (before != repair_.stage()) {
    QTimer::singleShot(0, this, [this] { left_->ensureWidgetVisible(remedy_, 0, 0); });
  }
}

void MainWindow::show_remedy() {
  const std::string base = base_name();
  remedy_->setVisible(!base.empty());
  if (base.empty()) return;
  RemedyPanel::View view;
  view.law = recipe_.intervention.kind;
  view.seconds = kRepairSeconds;
  view.allowed = runner_ && (state_ == RunState::kReady || state_ == RunState::kEvaluating ||
                             state_ == RunState::kPaused);
  if (twin_ != nullptr) {
    view.twin = twin_->intervention;
    view.twin_recipe = training_recipe(twin_->name);
    if (const Recording* recording = built_ins_.recording(twin_->name)) {
      view.twin_steps = recording->measurement->step;
      view.twin_context = recording->model.trained_context;
    }
  }
  remedy_->show_view(view, repair_);
}

}  // namespace farstate::desktop
