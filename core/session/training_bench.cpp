// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/training_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/process.h"
#include "core/session/memory_estimate.h"
#include "core/session/run_folder.h"

namespace farstate {

void TrainingBench::begin(const RunConfig& recipe, const Corpus& corpus, Clock::duration limit) {
  if (!model_.model->trainable()) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("{} is in memory in {}, and training updates weights in float32; open it "
                            "with the precision float32.",
                            model_.info.name, model_.info.precision));
  }
  const ModelMemory memory = model_memory(*model_.model);
  refuse_what_does_not_fit("Training", training_bytes(memory, recipe.train),
                           training_advice(memory, recipe.train, available_memory()));
  const bool fresh = ensure_trainer(recipe, corpus);
  target_ = trainer_->steps() + recipe.train.steps;
  trainer_->set_planned_steps(target_);
  if (fresh) {
    keeper_.begin(model_, *trainer_, steps_before_ > 0);
  } else {
    keeper_.go_on(*trainer_);
  }
  limit_ = limit;
  spent_ = Clock::duration::zero();
  begin_stretch();
}

// The trainer at hand if it will do, so that its moments, carried state and place in the text go on.
// True: a new one.
bool TrainingBench::ensure_trainer(const RunConfig& recipe, const Corpus& corpus) {
  if (trainer_ != nullptr) {
    RunConfig at_hand = trainer_->now();
    at_hand.train.steps = recipe.train.steps;
    at_hand.train.learning_rate = recipe.train.learning_rate;
    at_hand.measure = recipe.measure;
    at_hand.score = recipe.score;  // no number of a step depends on it
    if (at_hand == recipe) {
      at_hand.train.steps = trainer_->planned_steps();
      trainer_->change(at_hand);
      return false;
    }
    end(RunStatus::kStopped);
    steps_before_ += trainer_->steps();
  }
  trainer_ = std::make_unique<Trainer>(*model_.model, corpus, recipe);
  events_taken_ = 0;
  return true;
}

void TrainingBench::begin_stretch() {
  stretch_began_ = Clock::now();
  steps_at_stretch_ = trainer_->steps();
}

TrainPoint TrainingBench::step() {
  TrainPoint point = trainer_->step();
  trained_with_ = trainer_->now().intervention.kind;
  keeper_.step(model_, *trainer_, point);
  point.step += steps_before_;
  return point;
}

bool TrainingBench::over() const {
  return by_time() ? time_left() <= Clock::duration::zero() : trainer_->steps() >= target_;
}

void TrainingBench::go_beyond_plan() { target_ = std::max(target_, trainer_->steps() + 1); }

void TrainingBench::hold() {
  if (stretch_began_) spent_ += Clock::now() - *stretch_began_;
  stretch_began_.reset();
  keeper_.hold(model_, *trainer_);
}

void TrainingBench::end(RunStatus status, const std::string& problem) {
  stretch_began_.reset();
  if (trainer_ == nullptr) return;
  if (by_time() && status != RunStatus::kFailed) {
    if (trainer_->now().train.schedule == "constant") trainer_->set_planned_steps(trainer_->steps());
    target_ = trainer_->steps();
    limit_ = Clock::duration::zero();
  }
  keeper_.end(model_, *trainer_, status, problem);
}

void TrainingBench::leave() {
  end(RunStatus::kStopped);
  trainer_.reset();
  steps_before_ = target_ = 0;
  trained_with_ = Intervention::kZero;
}

void TrainingBench::configure(const RunConfig& config) {
  if (trainer_ == nullptr) return;
  RunConfig changed = trainer_->now();
  changed.train.learning_rate = config.train.learning_rate;
  changed.measure = config.measure;
  trainer_->change(changed);
}

void TrainingBench::set_intervention(const InterventionConfig& config) {
  if (trainer_ == nullptr) return;
  RunConfig changed = trainer_->now();
  changed.intervention = config;
  trainer_->change(changed);
}

bool TrainingBench::save(const std::string& folder) const {
  if (trainer_ == nullptr) return false;
  save_run(folder, model_, *trainer_, steps_before_);
  return true;
}

void TrainingBench::measured(const std::vector<Series>& series,
                             const std::vector<std::string>& notes) {
  if (trainer_ != nullptr) keeper_.measured(*trainer_, series, notes);
}

TrainingBench::Clock::duration TrainingBench::time_left() const {
  return limit_ - spent_ - (stretch_began_ ? Clock::now() - *stretch_began_ : Clock::duration::zero());
}

double TrainingBench::share() const {
  if (!by_time()) return static_cast<double>(trainer_->steps()) / static_cast<double>(target_);
  const std::chrono::duration<double> limit = limit_;
  return 1 - seconds_left() / limit.count();
}

double TrainingBench::seconds_left() const {
  if (by_time()) {
    const std::chrono::duration<double> left = time_left();
    return std::max(0.0, left.count());
  }
  if (!stretch_began_) return -1;
  const std::chrono::duration<double> elapsed = Clock::now() - *stretch_began_;
  const auto done = static_cast<double>(trainer_->steps() - steps_at_stretch_);
  const auto left = static_cast<double>(target_ - trainer_->steps());
  // An estimate from two steps would jump about; see the window's rules for time left.
  return elapsed.count() > 2 && done > 2 ? elapsed.count() / done * left : -1;
}

std::vector<RunEvent> TrainingBench::new_events() {
  if (trainer_ == nullptr) return {};
  const std::vector<RunEvent>& all = trainer_->events();
  std::vector<RunEvent> events(all.begin() + static_cast<std::ptrdiff_t>(events_taken_), all.end());
  events_taken_ = all.size();
  for (RunEvent& event : events) event.step += steps_before_;
  return events;
}

}  // namespace farstate
