// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/stop.h"
#include "core/checkpoint/model_files.h"
#include "core/session/jobs.h"
#include "core/session/memory_estimate.h"
#include "core/session/recorded_scoring.h"
#include "core/session/run_log.h"
#include "core/session/training_text.h"
#include "core/tasks/new_model.h"
#include "core/tasks/task_tokens.h"
#include "core/tokenizer/load_tokenizer.h"

namespace farstate {

namespace {

std::shared_ptr<const Tokenizer> counting_tokenizer(const RunConfig& config) {
  const ModelSource& source = config.model;
  if (source.model.empty() && source.init.empty()) {
    return source.tokenizer.empty() ? task_tokenizer(config.task, /*characters=*/false)
                                    : load_tokenizer(source.tokenizer);
  }
  return tokenizer_of(source, vocabulary_of(source));
}

}  // namespace

TaskSamples task_samples(const RunConfig& config, const SampleRequest& request, int64_t count) {
  validate(config);
  if (request.length > kLongestSample) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("A sample of {} {} is wanted, and the longest has {}; ask for a shorter one.",
                            request.length, config.task.name == "copying" ? "letters" : "tokens",
                            kLongestSample));
  }
  const std::shared_ptr<const Tokenizer> tokenizer = counting_tokenizer(config);
  const std::unique_ptr<Task> task =
      task_of(config, tokenizer == nullptr ? 0 : tokenizer->vocabulary(), tokenizer);
  TaskSamples all;
  all.tokenizer = tokenizer->name();
  for (int64_t i = 0; i < count; ++i) {
    throw_if_stopped();
    Rng numbers(config.seed, RngStream::kTaskText, static_cast<uint64_t>(i));
    const TaskSample& sample = all.samples.emplace_back(task->sample(request, numbers));
    all.tokens.push_back(static_cast<int64_t>(tokenise(sample, *tokenizer).ids.size()));
  }
  return all;
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
    outcome.recorded = problem.empty();
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
  outcome.recorded = outcome.recorded && scoring.problem().empty();
  if (!scoring.problem().empty()) scores.notes.push_back(scoring.problem());
  return outcome;
}

}  // namespace farstate
