// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/checkpoint/model_files.h"
#include "core/session/jobs.h"
#include "core/session/memory_estimate.h"
#include "core/session/recorded_scoring.h"
#include "core/session/run_log.h"
#include "core/session/training_text.h"

namespace farstate {

std::vector<TaskSample> task_samples(const RunConfig& config, const SampleRequest& request,
                                     int64_t count) {
  validate(config);
  const int64_t vocabulary = vocabulary_of(config.model);
  const std::unique_ptr<Task> task =
      task_of(config, vocabulary, tokenizer_of(config.model, vocabulary));
  std::vector<TaskSample> samples;
  for (int64_t i = 0; i < count; ++i) {
    Rng numbers(config.seed, RngStream::kTaskText, static_cast<uint64_t>(i));
    samples.push_back(task->sample(request, numbers));
  }
  return samples;
}

ScoreOutcome score(const RunConfig& config, const std::string& arm,
                   const std::function<void(const TaskScores&)>& on_picture,
                   const std::optional<std::string>& store, const ProgressSink& progress) {
  validate(config);
  const LoadedModel loaded = load_model(config.model, config.seed, progress);
  std::shared_ptr<const Task> task = task_of(config, loaded.info.vocabulary, loaded.tokenizer);
  RunConfig resolved = config;
  resolved.model.precision = loaded.info.precision;
  ScoreOutcome outcome;
  TaskScores& scores = outcome.scores;
  scores.context = loaded.info.trained_context > 0 ? loaded.info.trained_context
                                                   : config.train.context;
  resolved.score = score_settings(*task, config.score, scores.context);
  scores.recipe = to_json(resolved);
  scores.model = loaded.info.source;
  scores.notes = loaded.notes;
  // The seed of the training that made the weights, where that is known.
  uint64_t seed = config.seed;
  if (!loaded.provenance.recipe.empty()) seed = run_config_from_json(loaded.provenance.recipe).seed;

  RecordedScoring scoring(*loaded.model, task, loaded.tokenizer, resolved, {arm, seed});
  if (store) {
    std::string problem;
    scoring.record(open_store(*store, problem), loaded.info.source, 0);
    if (!problem.empty()) scores.notes.push_back(problem);
  }
  const auto show = [&](bool running) {
    const TaskScorer& at = scoring.scorer();
    scores.cells = at.cells();
    scores.running = running;
    scores.phase = at.phase();
    scores.progress = at.share();
    scores.seconds_left = running ? at.seconds_left() : -1;
    if (on_picture) on_picture(scores);
  };
  show(true);
  try {
    while (!scoring.scorer().done()) {
      scoring.next(progress);
      show(!scoring.scorer().done());
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    outcome.interrupted = true;
    show(false);
  }
  if (!scoring.problem().empty()) scores.notes.push_back(scoring.problem());
  return outcome;
}

}  // namespace farstate
