// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "app/desktop/story/guess.h"
#include "app/desktop/story/story.h"

namespace farstate::desktop {

// A story as one person goes through it: which card is open, what is done, guessed and answered.
// What is done stays done, whatever happens in the session afterwards.
class StoryRun : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  struct Answer {
    std::optional<int> first, now;  // the first choice counts
  };

  void begin(std::shared_ptr<const Story> story);
  void end();
  bool active() const { return story_ != nullptr; }
  const Story* story() const { return story_.get(); }
  std::shared_ptr<const Story> shared_story() const { return story_; }

  size_t step() const { return step_; }
  const StoryStep& current() const { return story_->steps[step_]; }
  void go_to(size_t step);
  bool done(size_t step) const { return done_[step]; }
  void look(const Facts& facts);  // whether the open card's task is done now

  const Guess& guess() const { return guess_; }
  void set_guess(const Guess& guess);
  void set_guess_value(size_t place, double value);
  void reveal(std::optional<double> factor);  // the guess stands
  std::optional<double> guess_factor() const { return guess_factor_; }

  void answer(size_t step, size_t question, int choice);
  const std::vector<Answer>& answers(size_t step) const { return answers_[step]; }
  int64_t answered() const;
  int64_t right() const;  // by the first choice

  void report_exported();
  bool has_exported() const { return exported_; }

 Q_SIGNALS:
  void began();         // another story, or none
  void step_changed();
  void task_done(size_t step);
  void guess_changed();
  void answers_changed();

 private:
  std::shared_ptr<const Story> story_;
  size_t step_ = 0;
  std::vector<bool> done_;
  Guess guess_;
  std::optional<double> guess_factor_;
  std::vector<std::vector<Answer>> answers_;  // by step and question
  bool exported_ = false;
};

}  // namespace farstate::desktop
