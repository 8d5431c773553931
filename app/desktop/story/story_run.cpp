// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/story_run.h"

namespace farstate::desktop {

void StoryRun::begin(std::shared_ptr<const Story> story) {
  story_ = std::move(story);
  step_ = 0;
  guess_ = {};
  guess_factor_.reset();
  exported_ = false;
  done_.assign(story_ ? story_->steps.size() : 0, false);
  answers_.clear();
  for (size_t i = 0; i < done_.size(); ++i) {
    answers_.emplace_back(story_->cards.first()[i].questions.size());
  }
  Q_EMIT began();
  if (story_) Q_EMIT step_changed();
}

void StoryRun::end() { begin(nullptr); }

void StoryRun::go_to(size_t step) {
  if (!active() || step >= done_.size() || step == step_) return;
  step_ = step;
  Q_EMIT step_changed();
}

void StoryRun::look(const Facts& facts) {
  if (!active() || done_[step_] || !holds(current().done, facts)) return;
  done_[step_] = true;
  Q_EMIT task_done(step_);
}

void StoryRun::set_guess(const Guess& guess) {
  guess_ = guess;
  if (!guess.made) guess_factor_.reset();
  Q_EMIT guess_changed();
}

void StoryRun::set_guess_value(size_t place, double value) {
  if (guess_.made || place >= guess_.values.size() || guess_.values[place] == value) return;
  guess_.values[place] = value;
  Q_EMIT guess_changed();
}

void StoryRun::reveal(std::optional<double> factor) {
  if (guess_.empty() || guess_.made) return;
  guess_.made = true;
  guess_factor_ = factor;
  Q_EMIT guess_changed();
}

void StoryRun::answer(size_t step, size_t question, int choice) {
  if (step >= answers_.size() || question >= answers_[step].size()) return;
  Answer& answer = answers_[step][question];
  if (!answer.first) answer.first = choice;
  answer.now = choice;
  Q_EMIT answers_changed();
}

int64_t StoryRun::answered() const {
  int64_t count = 0;
  for (const auto& step : answers_) {
    for (const Answer& answer : step) count += answer.now ? 1 : 0;
  }
  return count;
}

int64_t StoryRun::right() const {
  int64_t count = 0;
  for (size_t i = 0; i < answers_.size(); ++i) {
    const std::vector<Question>& questions = story_->cards.first()[i].questions;
    for (size_t j = 0; j < questions.size(); ++j) {
      count += answers_[i][j].first == questions[j].right ? 1 : 0;
    }
  }
  return count;
}

void StoryRun::report_exported() { exported_ = true; }

}  // namespace farstate::desktop
