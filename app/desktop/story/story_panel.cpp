// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/story_panel.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/desktop/plots/histogram_plot.h"
#include "app/desktop/sample_style.h"
#include "app/desktop/story/guess_fields.h"
#include "app/desktop/story/quiz_view.h"
#include "app/desktop/story/step_dots.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/markdown_text.h"
#include "app/desktop/widgets/sample_legend.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHistogram = 120;
constexpr int kScrollBar = 10;  // lies in the padding at the right

QPushButton* plain_button(QWidget* parent) {
  auto* button = new QPushButton(parent);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

StoryPanel::StoryPanel(StoryRun* run, const Facts* facts, QWidget* parent)
    : QWidget(parent),
      run_(run),
      facts_(facts),
      theme_(&theme_for(ThemeMode::kLight)),
      language_(u"en"_s) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  pages_ = new QStackedWidget(this);
  pages_->addWidget(make_invitation());
  pages_->addWidget(make_story());
  column->addWidget(pages_);
  connect_parts();
  show_story();
}

QWidget* StoryPanel::make_invitation() {
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(Theme::kPad, Theme::kPad, Theme::kPad, Theme::kPad);
  column->setSpacing(10);
  invitation_ = new QLabel(page);
  set_text(invitation_, TextSize::kTitle, QFont::DemiBold);
  invitation_text_ = muted_label({}, page);
  for (QLabel* label : {invitation_, invitation_text_}) label->setWordWrap(true);
  start_ = plain_button(page);
  open_ = plain_button(page);
  column->addWidget(invitation_);
  column->addWidget(invitation_text_);
  column->addWidget(start_);
  column->addWidget(open_);
  column->addStretch(1);
  worded(this, [this] {
    invitation_->setText(tr("Why models forget to stop"));
    invitation_text_->setText(
        tr("A few short cards lead through what this window shows: why a recurrent model fails past "
           "the length that it was trained on, and what repairs it. It takes about ten minutes."));
    start_->setText(tr("Start the introduction"));
    open_->setText(tr("Open a story…"));
  });
  return page;
}

QWidget* StoryPanel::make_story() {
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 8, 0, 0);
  column->setSpacing(6);
  make_head(column);
  scroll_ = new QScrollArea(page);
  scroll_->setProperty("role", u"inner"_s);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::TabFocus);  // the arrow keys read on
  scroll_->setWidget(make_card());
  scroll_->widget()->setAutoFillBackground(false);
  column->addWidget(scroll_, 1);
  make_foot(column);
  return page;
}

void StoryPanel::make_head(QVBoxLayout* column) {
  dots_ = new StepDots(this);
  place_ = muted_label({}, this);
  set_text(place_, TextSize::kSmall);
  close_ = new QToolButton(this);
  close_->setProperty("role", u"quiet"_s);
  close_->setFocusPolicy(Qt::TabFocus);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(Theme::kPad - 4, 0, Theme::kPad, 0);
  row->setSpacing(8);
  row->addWidget(dots_);
  row->addStretch(1);
  row->addWidget(place_);
  row->addWidget(close_);
  column->addLayout(row);
  worded(this, [this] {
    dots_->setAccessibleName(tr("Cards of the story"));
    close_->setToolTip(tr("Leave the story"));
    close_->setAccessibleName(tr("Leave the story"));
  });
}

QWidget* StoryPanel::make_card() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(Theme::kPad, 2, Theme::kPad, 8);
  column->setSpacing(10);
  title_ = new QLabel(content);
  set_text(title_, TextSize::kHeading, QFont::DemiBold);
  title_->setWordWrap(true);
  title_->setTextFormat(Qt::PlainText);
  text_ = new MarkdownText(content);
  legend_ = new SampleLegend(content);
  histogram_ = new HistogramPlot(content);
  histogram_->setFixedHeight(kHistogram);
  guess_ = new GuessFields(content);
  quiz_ = new QuizView(content);
  export_ = plain_button(content);
  done_ = new MarkdownText(content);
  column->addWidget(title_);
  column->addWidget(text_);
  column->addWidget(legend_);
  column->addWidget(histogram_);
  column->addWidget(guess_);
  column->addWidget(quiz_);
  column->addWidget(make_task(content));
  column->addWidget(done_);
  column->addWidget(export_, 0, Qt::AlignLeft);
  column->addStretch(1);
  worded(this, [this] { export_->setText(tr("Export report…")); });
  return content;
}

QFrame* StoryPanel::make_task(QWidget* parent) {
  task_box_ = new QFrame(parent);
  task_box_->setProperty("role", u"verdict"_s);
  auto* grid = new QGridLayout(task_box_);
  grid->setContentsMargins(10, 8, 10, 8);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(1, 1);
  check_ = new QLabel(task_box_);
  check_->setFixedSize(18, 18);
  task_ = new MarkdownText(task_box_);
  where_ = new QToolButton(task_box_);
  where_->setProperty("role", u"quiet"_s);
  where_->setProperty("switch", true);
  where_->setCheckable(true);
  where_->setFocusPolicy(Qt::TabFocus);
  set_text(where_, TextSize::kSmall, QFont::Medium);
  grid->addWidget(check_, 0, 0, Qt::AlignTop);
  grid->addWidget(task_, 0, 1);
  grid->addWidget(where_, 1, 1, Qt::AlignLeft);
  worded(this, [this] {
    where_->setText(tr("Where?"));
    where_->setToolTip(tr("Point at what the task is about"));
  });
  return task_box_;
}

void StoryPanel::make_foot(QVBoxLayout* column) {
  show_me_ = plain_button(this);
  back_ = plain_button(this);
  next_ = plain_button(this);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(Theme::kPad, 4, Theme::kPad, Theme::kPad - 3);
  row->setSpacing(8);
  row->addWidget(show_me_);
  row->addStretch(1);
  row->addWidget(back_);
  row->addWidget(next_);
  column->addLayout(row);
  for (QPushButton* button : {show_me_, back_, next_}) button->setProperty("role", u"step"_s);
  worded(this, [this] {
    back_->setText(tr("Back"));
    next_->setText(tr("Next"));
    show_helper(false, undo_);
  });
}

void StoryPanel::connect_parts() {
  connect(start_, &QPushButton::clicked, this, &StoryPanel::start_wanted);
  connect(open_, &QPushButton::clicked, this, &StoryPanel::open_wanted);
  connect(close_, &QToolButton::clicked, this, &StoryPanel::close_wanted);
  connect(dots_, &StepDots::chosen, run_, &StoryRun::go_to);
  connect(back_, &QPushButton::clicked, run_, [this] { run_->go_to(run_->step() - 1); });
  connect(next_, &QPushButton::clicked, run_, [this] { run_->go_to(run_->step() + 1); });
  connect(show_me_, &QPushButton::clicked, this, [this] {
    if (undo_) {
      Q_EMIT undo_wanted();
    } else {
      Q_EMIT show_me_wanted();
    }
  });
  connect(where_, &QToolButton::toggled, this, &StoryPanel::pointing_wanted);
  connect(export_, &QPushButton::clicked, this, &StoryPanel::export_wanted);
  connect(guess_, &GuessFields::changed, run_, &StoryRun::set_guess_value);
  connect(guess_, &GuessFields::reveal_wanted, this, &StoryPanel::reveal_wanted);
  connect(quiz_, &QuizView::answered, run_,
          [this](size_t question, int choice) { run_->answer(run_->step(), question, choice); });
  connect(run_, &StoryRun::began, this, &StoryPanel::show_story);
  connect(run_, &StoryRun::step_changed, this, &StoryPanel::show_step);
  connect(run_, &StoryRun::task_done, this, [this] {
    show_place();
    show_task();
  });
  connect(run_, &StoryRun::guess_changed, this, &StoryPanel::show_guess);
  connect(run_, &StoryRun::answers_changed, this, &StoryPanel::show_quiz);
}

// The keys of buttons and fields are theirs while the keyboard is here: Space presses a button and
// runs nothing.
bool StoryPanel::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Space || key->key() == Qt::Key_Home) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void StoryPanel::set_theme(const Theme& theme) {
  theme_ = &theme;
  dots_->set_theme(theme);
  for (MarkdownText* text : {text_, task_, done_}) text->set_theme(theme);
  histogram_->set_theme(theme);
  histogram_->setFixedHeight(static_cast<int>(kHistogram * text_scale()));
  quiz_->set_theme(theme);
  close_->setIcon(themed_icon(u"close"_s, theme.muted));
  show_story();
}

void StoryPanel::set_language(const QString& language) {
  if (language_ == language) return;
  language_ = language;
  show_story();
}

QList<LivePlot*> StoryPanel::plots() const { return {histogram_}; }

void StoryPanel::show_story() {
  pages_->setCurrentIndex(run_->active() ? 1 : 0);
  if (run_->active()) show_step();
}

void StoryPanel::show_step() {
  if (!run_->active()) return;
  const StoryStep& step = run_->current();
  legend_->setVisible(step.distributions);
  histogram_->setVisible(step.distributions);
  guess_->setVisible(!step.guess.empty());
  export_->setVisible(step.report);
  where_->setVisible(!step.highlight.isEmpty());
  show_me_->setVisible(!step.show_me.empty());
  quiz_->clear();
  show_samples();
  show_place();
  show_words();
  show_task();
  show_guess();
  show_quiz();
  scroll_->verticalScrollBar()->setValue(0);
}

void StoryPanel::show_place() {
  const size_t count = run_->story()->steps.size();
  std::vector<bool> done;
  QStringList titles;
  for (size_t i = 0; i < count; ++i) {
    done.push_back(run_->done(i));
    titles.push_back(run_->story()->card(i, language_).title);
  }
  dots_->set_steps(done, titles, run_->step());
  place_->setText(tr("%1 of %2").arg(run_->step() + 1).arg(count));
  const bool had_focus = next_->hasFocus() || back_->hasFocus();
  back_->setEnabled(run_->step() > 0);
  next_->setEnabled(run_->step() + 1 < count);
  if (had_focus && !next_->isEnabled()) back_->setFocus();
}

void StoryPanel::show_facts() {
  if (run_->active()) show_words();
}

void StoryPanel::show_words() {
  const StoryCard& card = run_->story()->card(run_->step(), language_);
  title_->setText(filled(card.title, *facts_));
  text_->set_markdown(filled(card.text, *facts_));
  task_->set_markdown(filled(card.task, *facts_));
  done_->set_markdown(filled(card.done, *facts_));
  done_->setVisible(run_->done(run_->step()) && !card.done.isEmpty());
}

void StoryPanel::show_task() {
  const bool done = run_->done(run_->step());
  check_->setPixmap(themed_icon(done ? u"done"_s : u"todo"_s, done ? theme_->good : theme_->muted)
                        .pixmap(16, 16));
  check_->setToolTip(done ? tr("Done") : tr("To do"));
  next_->setProperty("role", done ? u"primary"_s : u"step"_s);
  next_->style()->unpolish(next_);
  next_->style()->polish(next_);
  show_words();
}

void StoryPanel::show_guess() {
  if (!run_->active() || run_->current().guess.empty()) return;
  guess_->show_guess(run_->guess(), run_->guess_factor(), most_, measured_);
}

void StoryPanel::show_guess_limits(double most, bool measured) {
  if (most == most_ && measured == measured_) return;
  most_ = most;
  measured_ = measured;
  show_guess();
}

void StoryPanel::show_quiz() {
  if (!run_->active()) return;
  const std::vector<Question>& questions = run_->story()->card(run_->step(), language_).questions;
  quiz_->setVisible(!questions.empty());
  quiz_->show_questions(questions, run_->answers(run_->step()));
}

void StoryPanel::show_states(const PinnedStates& states) {
  states_ = states;
  histogram_->set_states(states);
  histogram_->set_fitted(kTraining);
  show_samples();
}

void StoryPanel::show_samples() {
  QVector<SampleLegend::Entry> entries;
  for (const Sample sample : kSamples) {
    if (states_.elements[sample] == nullptr) continue;
    entries.push_back({sample, sample_name(sample, states_), sample_color(sample, *theme_), false});
  }
  legend_->set_entries(entries);
}

void StoryPanel::show_helper(bool busy, bool can_undo) {
  undo_ = can_undo;
  show_me_->setText(busy       ? tr("Stop showing")
                    : can_undo ? tr("Undo")
                               : tr("Show me"));
  show_me_->setToolTip(can_undo ? tr("Put back what Show me has changed")
                                : tr("Do the task for me"));
}

void StoryPanel::show_pointing(bool pointing) {
  const QSignalBlocker quiet(where_);
  where_->setChecked(pointing);
}

QString StoryPanel::title() const { return title_->text(); }
QString StoryPanel::text() const { return text_->plain_text(); }
QString StoryPanel::task() const { return task_->plain_text(); }
bool StoryPanel::task_done() const { return run_->active() && run_->done(run_->step()); }

}  // namespace farstate::desktop
