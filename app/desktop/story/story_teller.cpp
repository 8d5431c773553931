// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/story_teller.h"

#include <QDate>
#include <QFileDialog>
#include <QLocale>
#include <QStandardPaths>

#include "app/desktop/main_window.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/side_column.h"
#include "app/desktop/story/controls.h"
#include "app/desktop/story/report.h"
#include "app/desktop/story/show_me.h"
#include "app/desktop/story/spotlight.h"
#include "app/desktop/story/story_panel.h"
#include "app/desktop/wording.h"
#include "core/base/error.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto kWatch = 100ms;  // a hover is shorter than most things that a task asks for
constexpr double kLeastMost = 100;  // perplexity that can always be guessed

}  // namespace

StoryTeller::StoryTeller(MainWindow& window)
    : QObject(&window), window_(window), run_(new StoryRun(this)), facts_(window), actions_(window) {
  panel_ = new StoryPanel(run_, &facts_, &window);
  show_me_ = new ShowMe(&actions_, &facts_, this);
  watch_.setInterval(kWatch);
}

void StoryTeller::connect_to_window() {
  spotlight_ = new Spotlight(window_.centralWidget(), {window_.side(), window_.plots()});
  connect(&watch_, &QTimer::timeout, this, &StoryTeller::look);
  // T is known once the model is.
  connect(&window_, &MainWindow::state_changed, this, &StoryTeller::show_cover);
  connect(run_, &StoryRun::step_changed, this, &StoryTeller::begin_step);
  connect(run_, &StoryRun::guess_changed, this, [this] {
    show_guess_curve();
    show_cover();
  });
  connect(panel_, &StoryPanel::close_wanted, this, &StoryTeller::close);
  connect(panel_, &StoryPanel::show_me_wanted, this, &StoryTeller::do_task);
  connect(panel_, &StoryPanel::undo_wanted, show_me_, &ShowMe::undo);
  connect(panel_, &StoryPanel::pointing_wanted, this, &StoryTeller::point);
  connect(panel_, &StoryPanel::reveal_wanted, this, &StoryTeller::reveal);
  connect(panel_, &StoryPanel::export_wanted, this, &StoryTeller::export_report);
  connect(show_me_, &ShowMe::changed, this,
          [this] { panel_->show_helper(show_me_->busy(), show_me_->can_undo()); });
  connect(show_me_, &ShowMe::failed, this, &StoryTeller::failed);
  connect(spotlight_, &Spotlight::ended, panel_, [this] { panel_->show_pointing(false); });
  connect(window_.plots()->perplexity(), &PerplexityPlot::guess_dragged, run_,
          [this](int place, double value) {
            run_->set_guess_value(static_cast<size_t>(place), value);
          });
  worded(this, [this] {
    panel_->set_language(language());
    show_cover();
  });
}

void StoryTeller::set_theme(const Theme& theme) {
  panel_->set_theme(theme);
  spotlight_->set_theme(theme);
}

void StoryTeller::open(const QString& folder) {
  const auto story = std::make_shared<const Story>(read_story(folder));
  show_me_->cancel();
  run_->begin(story);
  watch_.start();
  window_.side()->show_story(true);
}

void StoryTeller::close() {
  watch_.stop();
  show_me_->cancel();
  show_me_->forget();
  spotlight_->end();
  run_->end();
  show_guess_curve();
  show_cover();
}

void StoryTeller::begin_step() {
  show_me_->cancel();
  show_me_->forget();
  steps_at_start_ = window_.steps_done();
  begin_guess();
  show_guess_curve();
  show_cover();
  point(true);
  look();
  window_.examine();
}

bool StoryTeller::shows_states() const {
  return run_->active() && run_->current().distributions;
}

QString StoryTeller::language() const { return QLocale().name(); }

void StoryTeller::point(bool on) {
  const bool wanted = on && run_->active() && !run_->current().highlight.isEmpty();
  QWidget* control = wanted ? control_named(window_, run_->current().highlight) : nullptr;
  spotlight_->point_at(control);
  panel_->show_pointing(spotlight_->on());
}

// Places are known once the model and the length of its curve are.
void StoryTeller::begin_guess() {
  const std::vector<double>& places = run_->current().guess;
  const int64_t context = window_.trained_context();
  if (places.empty() || context <= 0 || !run_->guess().empty()) return;
  const auto within = facts_.fact(u"within"_s);
  if (!within) return;
  run_->set_guess(new_guess(places, context, window_.recipe().measure.length,
                            std::get<double>(*within)));
}

// Covered until the guess is made; a story that asks for no guess has nothing to cover.
void StoryTeller::show_cover() {
  const int64_t context = window_.trained_context();
  const bool covered =
      run_->active() && run_->current().cover && !run_->guess().made && context > 0;
  window_.plots()->set_cover(covered ? std::optional(static_cast<double>(context)) : std::nullopt,
                             tr("covered until you have guessed"));
}

void StoryTeller::show_guess_curve() {
  PerplexityPlot::GuessCurve curve;
  const Guess& guess = run_->guess();
  const auto within = facts_.fact(u"within"_s);
  if (run_->active() && !run_->current().guess.empty() && !guess.empty() && within) {
    curve.positions.assign(guess.positions.begin(), guess.positions.end());
    curve.values = guess.values;
    curve.from = static_cast<double>(window_.trained_context());
    curve.level = std::get<double>(*within);
    curve.most = most_guess();
    curve.editable = !guess.made;
  }
  window_.plots()->perplexity()->show_guess(curve);
}

// Perplexity can exceed the number of tokens, since a model may be surely wrong.
double StoryTeller::most_guess() const {
  const ModelInfo* model = window_.model();
  return std::max(kLeastMost, model != nullptr ? 4.0 * static_cast<double>(model->vocabulary) : 0);
}

void StoryTeller::look() {
  if (!run_->active()) return;
  show_cover();
  if (!run_->current().guess.empty()) {
    begin_guess();
    panel_->show_guess_limits(most_guess(), facts_.fact(u"measured"_s) == FactValue(true));
  }
  show_states();
  run_->look(facts_);
  panel_->show_facts();
}

void StoryTeller::show_states() {
  if (!run_->current().distributions) return;
  const Focus& focus = *window_.focus();
  if (window_.states() == shown_states_ && focus.pins() == shown_pins_ && focus.head() == shown_head_) {
    return;
  }
  shown_states_ = window_.states();
  shown_pins_ = focus.pins();
  shown_head_ = focus.head();
  panel_->show_states(pinned_states(shown_states_, focus));
}

void StoryTeller::do_task() {
  spotlight_->end();
  show_me_->start(run_->current().show_me);
}

void StoryTeller::reveal() {
  const Measurement* base = window_.book().base();
  const Series* curve = base != nullptr ? find_series(base->series, window_.plots()->perplexity_series()) : nullptr;
  run_->reveal(curve != nullptr ? guess_factor(run_->guess(), *curve) : std::nullopt);
}

void StoryTeller::answer_rightly() {
  const std::vector<Question>& questions = run_->story()->cards.first()[run_->step()].questions;
  for (size_t i = 0; i < questions.size(); ++i) run_->answer(run_->step(), i, questions[i].right);
}

QString StoryTeller::ask_report_path() {
  const QString name = u"farstate-report-%1.pdf"_s.arg(QDate::currentDate().toString(Qt::ISODate));
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QFileDialog::getSaveFileName(&window_, tr("Export the report"), folder + u'/' + name,
                                      tr("PDF (*.pdf)"));
}

void StoryTeller::export_report() {
  const QString path = report_path_.isEmpty() ? ask_report_path() : report_path_;
  if (path.isEmpty()) return;
  try {
    write_report(path, report_of(window_));
    run_->report_exported();
    look();
  } catch (const Error& error) {
    Q_EMIT failed(QString::fromStdString(error.what()));
  }
}

}  // namespace farstate::desktop
