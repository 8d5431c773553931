// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/show_me.h"

#include "core/base/error.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
namespace {

constexpr auto kBetween = 50ms;  // an action's effect is often known with the next update only

}  // namespace

ShowMe::ShowMe(SessionActions* actions, const Facts* facts, QObject* parent)
    : QObject(parent), actions_(actions), facts_(facts) {
  timer_.setInterval(kBetween);
  connect(&timer_, &QTimer::timeout, this, &ShowMe::advance);
}

void ShowMe::start(const std::vector<StoryCommand>& commands) {
  commands_ = commands;
  next_ = 0;
  if (!memory_) memory_ = actions_->remember();
  timer_.start();
  Q_EMIT changed();
}

void ShowMe::cancel() {
  if (!busy()) return;
  timer_.stop();
  Q_EMIT changed();
}

void ShowMe::undo() {
  cancel();
  if (!memory_) return;
  actions_->restore(*memory_);
  forget();
}

void ShowMe::forget() {
  memory_.reset();
  Q_EMIT changed();
}

QString ShowMe::waits_for() const {
  if (!busy() || next_ >= commands_.size()) return {};
  const StoryCommand& command = commands_[next_];
  return command.action.isEmpty() ? in_words(command.until, *facts_) : command.action;
}

void ShowMe::advance() {
  try {
    if (next_ < commands_.size() && !do_next()) return;
    if (++next_ < commands_.size()) return;
    cancel();
  } catch (const Error& error) {
    cancel();
    Q_EMIT failed(QString::fromStdString(error.what()));
  }
}

// False: not yet.
bool ShowMe::do_next() {
  const StoryCommand& command = commands_[next_];
  if (command.action.isEmpty()) return holds(command.until, *facts_);
  if (!actions_->possible(command.action)) return false;
  std::optional<FactValue> argument;
  if (command.argument) {
    argument = value_of(*command.argument, *facts_);
    if (!argument) return false;  // a fact that the session does not know yet
  }
  actions_->perform(command.action, argument);
  return true;
}

}  // namespace farstate::desktop
