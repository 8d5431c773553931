// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/story_check.h"

#include <QCoreApplication>
#include <QLocale>

#include "app/desktop/main_window.h"
#include "app/desktop/story/controls.h"
#include "app/desktop/story/show_me.h"
#include "app/desktop/story/story_teller.h"

namespace farstate::desktop {

using namespace std::chrono_literals;
namespace {

constexpr auto kWatch = 100ms;
constexpr int kAfterShown = 30;  // seconds in which what Show me did must come to effect

}  // namespace

StoryCheck::StoryCheck(MainWindow& window, Say say, int seconds_per_step)
    : QObject(&window), window_(window), say_(std::move(say)), seconds_(seconds_per_step) {
  timer_.setInterval(kWatch);
  connect(&timer_, &QTimer::timeout, this, &StoryCheck::watch);
  connect(window.story(), &StoryTeller::failed, this,
          [this](const QString& sentence) { failure_ = sentence; });
}

void StoryCheck::start() {
  begin_step();
  timer_.start();
}

void StoryCheck::begin_step() {
  since_begin_.start();
  since_shown_.invalidate();
  window_.story()->do_task();
}

void StoryCheck::watch() {
  StoryTeller& story = *window_.story();
  StoryRun& run = *story.run();
  if (!story.show_me()->busy() && !since_shown_.isValid()) since_shown_.start();
  if (const QString wrong = complaint(); !wrong.isEmpty()) return end(wrong);
  if (!run.done(run.step()) || story.show_me()->busy()) return;
  const double seconds = static_cast<double>(since_begin_.elapsed()) / 1000;
  say_(tr("%1/%2 %3: done in %4 s")
           .arg(run.step() + 1)
           .arg(run.story()->steps.size())
           .arg(run.current().id, QLocale().toString(seconds, 'f', 1)));
  if (run.step() + 1 == run.story()->steps.size()) return end({});
  run.go_to(run.step() + 1);
  begin_step();
}

QString StoryCheck::complaint() const {
  const StoryTeller& story = *window_.story();
  const StoryStep& step = window_.story()->run()->current();
  const auto of_step = [&step](const QString& words) {
    return tr("The card \"%1\": %2").arg(step.id, words);
  };
  if (!failure_.isEmpty()) return of_step(failure_);
  if (window_.error()) return of_step(QString::fromStdString(window_.error()->message));
  if (!step.highlight.isEmpty() && control_named(window_, step.highlight) == nullptr) {
    return of_step(tr("the control \"%1\" is not in the window.").arg(step.highlight));
  }
  const bool shown = since_shown_.isValid();
  const bool late = since_begin_.elapsed() > 1000LL * seconds_;
  const bool in_vain = shown && since_shown_.elapsed() > 1000LL * std::min(kAfterShown, seconds_);
  if (!late && !in_vain) return {};
  const QString wanted = in_words(step.done, story.facts());
  if (shown) return of_step(tr("Show me is over, and the task is not done: %1.").arg(wanted));
  return of_step(tr("not done after %1 s. Show me waits for: %2. The task is done when: %3.")
                     .arg(seconds_)
                     .arg(story.show_me()->waits_for(), wanted));
}

void StoryCheck::end(const QString& complaint) {
  timer_.stop();
  Q_EMIT finished(complaint);
}

}  // namespace farstate::desktop
