// SPDX-License-Identifier: GPL-3.0-or-later
// The window's settings as something that can be kept, brought back, taken back and passed on.
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMenu>
#include <utility>

#include "app/desktop/core_words.h"
#include "app/desktop/main_window.h"
#include "app/desktop/models/focus.h"
#include "app/desktop/opening.h"
#include "app/desktop/panels/comparison_setup.h"
#include "app/desktop/panels/experiment_panel.h"
#include "app/desktop/panels/generate_panel.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/training_panel.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/run_buttons.h"
#include "app/desktop/session/settings_history.h"
#include "app/desktop/session/view_keeper.h"
#include "app/desktop/session/window_views.h"
#include "app/desktop/story/story_teller.h"
#include "app/desktop/widgets/offer_banner.h"
#include "app/desktop/widgets/notice_banner.h"
#include "app/desktop/widgets/status_row.h"
#include "app/desktop/wording.h"
#include "core/base/error.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

void MainWindow::make_edit_menu() {
  QMenu* edit = add_menu([] { return tr("&Edit"); });
  edit->addActions({actions_.undo, actions_.redo});
  edit->addSeparator();
  edit->addActions({actions_.copy_recipe, actions_.paste_recipe});
}

void MainWindow::say(const Words& words) { status_->say(words); }

void MainWindow::undo() { history_->undo(); }

void MainWindow::redo() { history_->redo(); }

// What may not be changed now may not be taken back either.
void MainWindow::show_history() {
  const RunButtons allowed = buttons_for(state_);
  const bool settings = allowed.settings && allowed.intervention;
  const bool back = history_->can_undo(settings), again = history_->can_redo(settings);
  actions_.undo->setEnabled(back);
  actions_.redo->setEnabled(again);
  actions_.undo->setText(back ? tr("Undo: %1").arg(history_->undo_text()) : tr("Undo"));
  actions_.redo->setText(again ? tr("Redo: %1").arg(history_->redo_text()) : tr("Redo"));
}

void MainWindow::put_settings(const RunConfig& wanted) {
  if (wanted.intervention != recipe_.intervention) set_intervention(wanted.intervention);
  RunConfig config = recipe_;
  config.train = wanted.train;
  config.measure = wanted.measure;
  config.seed = wanted.seed;
  if (config == recipe_) return;
  training_->show_config(config);
  take_settings(config);
}

// A line for a person, then the whole for paste_recipe().
void MainWindow::copy_recipe() {
  QApplication::clipboard()->setText(
      QString::fromStdString(summary(recipe_) + "\n" + to_json(recipe_)));
  say([] { return tr("recipe copied"); });
}

// Where it is of the model and text that are open, its settings alone are taken over.
void MainWindow::paste_recipe() {
  const QString text = QApplication::clipboard()->text();
  try {
    if (!text.contains(u'{')) {
      throw Error(ErrorKind::kBadInput,
                  tr("There is no recipe in the clipboard: copy one first, by a click on its chip.")
                      .toStdString());
    }
    RunConfig wanted = recipe_in(text.toStdString());
    wanted.changes.clear();
    validate(wanted);
    const bool open = wanted.model == recipe_.model && wanted.data == recipe_.data &&
                      wanted.task == recipe_.task;
    const QString loss = open ? QString() : opening_->loss_warning();
    if (!loss.isEmpty()) {
      return offer_->show_offer(loss, tr("Load it"), [this, wanted] { load(wanted); });
    }
    if (!open) return load(wanted);
    history_->begin_joint([] { return tr("pasted recipe"); });
    put_settings(wanted);
    history_->end_joint();
    say([] { return tr("recipe pasted"); });
  } catch (const Error& error) {
    notice_->show_notice(NoticeBanner::Severity::kWarning, error_words(error.kind(), error.what()));
  }
}

void MainWindow::offer_reload(const QString& path) {
  QString words = tr("%1 was written anew since it was read.").arg(QFileInfo(path).fileName());
  if (const QString loss = opening_->loss_warning(); !loss.isEmpty()) words += u' ' + loss;
  offer_->show_offer(words, tr("Load again"), [this] { load(recipe_); });
}

Session MainWindow::session() const {
  Session out;
  out.recipe = load_pending_ ? loading_ : recipe_;
  out.recipe.changes.clear();  // of a run, and it is not in the session
  // A mixture that has lost all of its weights is a setting on its way: the zero state comes back.
  try {
    validate(out.recipe);
  } catch (const Error&) {
    out.recipe.intervention = InterventionConfig();
  }
  if (twin_ != nullptr) {
    out.recipe.model = ModelSource();
    out.recipe.model.model = twin_->base;
    out.twin = to_string(twin_->intervention);
  }
  out.page = page().toStdString();
  const Focus::Pins& pins = focus_->pins();
  if (pins[Focus::kA] || pins[Focus::kB] || focus_->head() != HeadIndex()) {
    out.focus = {focus_->head().layer, focus_->head().head, pins[Focus::kA], pins[Focus::kB]};
  }
  out.views = views_of(*this);
  out.splits = splits_of(*this);
  const LivePlot& plot = *plots_->perplexity();
  if (plot.held()) out.position_range = {plot.x_range().low, plot.x_range().high};
  out.inspector = actions_.inspector->isChecked();
  out.comparison = experiment_->setup()->plan();
  out.generation = generate_->request();
  if (const Story* story = story_->run()->story()) {
    out.story = story->folder.toStdString();
    out.story_step = static_cast<int64_t>(story_->run()->step());
  }
  return out;
}

void MainWindow::restore(const Session& session) {
  offer_->dismiss();
  experiment_->setup()->set_plan(session.comparison);
  generate_->show_request(session.generation);
  if (!session.story.empty()) {
    open_story(QString::fromStdString(session.story));
    if (story_->run()->active()) story_->run()->go_to(static_cast<size_t>(session.story_step));
  }
  view_keeper_->show(session.views);
  show_splits(*this, session.splits);
  actions_.inspector->setChecked(session.inspector);
  show_page(QString::fromStdString(session.page));
  load(session.recipe);
  restoring_ = session;
}

// Of what was chosen in the session, what belongs to its model.
void MainWindow::finish_restore() {
  if (!restoring_) return;
  const Session session = *std::exchange(restoring_, std::nullopt);
  if (session.focus) {
    focus_->set_head({session.focus->layer, session.focus->head});
    focus_->set_pin(Focus::kA, session.focus->pin_a);
    focus_->set_pin(Focus::kB, session.focus->pin_b);
  }
  const std::vector<double>& range = session.position_range;
  if (range.size() == 2 && range[0] < range[1]) {
    plots_->hold_positions(range[0], range[1]);
  }
  if (session.twin.empty()) return;
  // Not inside of the update that brought the base.
  QMetaObject::invokeMethod(this, [this, law = session.twin] {
    show_twin(intervention_from_string(law));
  }, Qt::QueuedConnection);
}

}  // namespace farstate::desktop
