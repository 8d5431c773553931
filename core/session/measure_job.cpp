// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/checkpoint/model_files.h"
#include "core/ops/tensor_memory.h"
#include "core/session/evaluator.h"
#include "core/session/jobs.h"
#include "core/session/memory_estimate.h"

namespace farstate {

void set_threads(int64_t threads) {
  ops::install_tensor_memory();
  if (threads > 0) at::set_num_threads(static_cast<int>(threads));
}

MeasureOutcome measure(const RunConfig& config, const ProgressSink& progress,
                       const StateDumpConfig& dump) {
  validate(config);
  const LoadedModel loaded = load_model(config.model, config.seed, progress);
  const Corpus corpus =
      load_corpus(config.data, loaded.info.vocabulary, loaded.tokenizer, progress);
  Evaluator evaluator(corpus, config.measure, loaded.info.trained_context, loaded.tokenizer);
  evaluator.dump_states(dump);
  refuse_what_does_not_fit(
      "Measuring", measuring_bytes(model_memory(*loaded.model), evaluator.config()),
      "ask for fewer sequences or EffRem points, leave out --per-position, or choose a smaller model");
  RunConfig resolved = config;
  resolved.model.precision = loaded.info.precision;
  resolved.measure = evaluator.config();

  MeasureOutcome outcome;
  outcome.results.recipe = to_json(resolved);
  const auto take = [&](const Evaluation& evaluation) {
    if (!evaluation.swept) return;
    outcome.results.series = evaluation.series;
    outcome.results.per_position = evaluation.per_position;
    outcome.results.states = evaluation.states;
    outcome.results.notes = loaded.notes;
    outcome.results.notes.insert(outcome.results.notes.end(), evaluation.notes.begin(),
                                 evaluation.notes.end());
    outcome.finite = evaluation.finite;
  };
  const auto finite = [](const Series& series) {
    return std::all_of(series.y.begin(), series.y.end(), [](double y) { return std::isfinite(y); });
  };
  try {
    take(evaluator.run(*loaded.model, progress, take));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted || outcome.results.series.empty()) throw;
    outcome.interrupted = true;
    outcome.results.notes.push_back("Stopped before effective remembrance was measured.");
  }
  for (const Series& series : outcome.results.series) {
    if (finite(series)) continue;
    outcome.finite = false;
    outcome.results.notes.push_back(fmt::format("\"{}\" is not finite everywhere.", series.name));
  }
  return outcome;
}

}  // namespace farstate
