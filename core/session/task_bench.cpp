// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/task_bench.h"

#include "core/base/error.h"
#include "core/session/boundary.h"
#include "core/session/run_log.h"
#include "core/session/training_text.h"

namespace farstate {

std::shared_ptr<const Task> TaskBench::task(const TaskConfig& config) {
  if (task_ != nullptr && made_for_ == config) return task_;
  RunConfig recipe;
  recipe.task = config;
  task_ = task_of(recipe, model_.info.vocabulary, model_.tokenizer);
  made_for_ = config;
  return task_;
}

TaskTrial TaskBench::answer(const RunConfig& recipe, const ProgressSink& progress) {
  const TaskQuestion question = *question_;
  TaskTrial trial;
  try {
    trial = farstate::answer(*model_.model, *task(question.task), *model_.tokenizer, question,
                             recipe.seed, progress);
  } catch (...) {
    const Error error = current_error();
    if (error.kind() == ErrorKind::kInterrupted) throw error;
    trial.number = question.number;
    trial.problem = error.what();
  }
  question_.reset();
  return trial;
}

void TaskBench::begin(const RunConfig& recipe, int64_t step, const TaskScorer::Subject& subject) {
  hold();
  validate(recipe);
  const std::shared_ptr<const Task> its_task = task(recipe.task);
  context_ = model_.info.trained_context > 0 ? model_.info.trained_context : recipe.train.context;
  RunConfig resolved = recipe;
  resolved.score = score_settings(*its_task, recipe.score, context_);
  auto scoring = std::make_unique<RecordedScoring>(*model_.model, its_task, model_.tokenizer,
                                                   resolved, subject);
  note_.clear();
  if (store_ == nullptr) store_ = open_store("", note_);
  scoring->record(store_, model_.info.source, 0);
  recipe_ = resolved;
  step_ = step;
  scoring_ = std::move(scoring);
  show(true);
}

void TaskBench::advance(const ProgressSink& progress) {
  scoring_->next(progress);
  const bool done = scoring_->scorer().done();
  show(!done);
  if (done) scoring_.reset();
}

void TaskBench::hold() {
  if (scoring_ == nullptr) return;
  show(false);
  scoring_.reset();
}

void TaskBench::model_changes() {
  hold();
  task_.reset();  // it counts by the tokenizer that goes
  picture_.reset();
  question_.reset();
}

void TaskBench::show(bool running) {
  const TaskScorer& scorer = scoring_->scorer();
  auto picture = std::make_shared<TaskScores>();
  picture->recipe = to_json(recipe_);
  picture->model = model_.info.source;
  picture->context = context_;
  picture->step = step_;
  picture->cells = scorer.cells();
  if (!note_.empty()) picture->notes.push_back(note_);
  if (!scoring_->problem().empty()) picture->notes.push_back(scoring_->problem());
  picture->running = running;
  picture->phase = scorer.phase();
  picture->progress = scorer.share();
  picture->seconds_left = running ? scorer.seconds_left() : -1;
  picture_ = std::move(picture);
}

}  // namespace farstate
