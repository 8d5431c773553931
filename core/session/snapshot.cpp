// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/snapshot.h"

#include "core/session/evaluator.h"

namespace farstate {

MeasureConfig snapshot_config(const MeasureConfig& measure) {
  MeasureConfig config = measure;
  config.probes = {"perplexity"};
  if (measure.wants("state")) config.probes.push_back("state");
  config.per_position = false;
  return config;
}

Snapshot take_snapshot(const LoadedModel& loaded, const Corpus& corpus,
                       const MeasureConfig& measure, int64_t step, const ProgressSink& progress) {
  const Evaluator evaluator(corpus, measure, loaded.info.trained_context);
  Evaluation evaluation =
      evaluator.run(*loaded.model, progress ? progress : [](const std::string&, double) {});
  return {step, std::move(evaluation.series), std::move(evaluation.notes)};
}

}  // namespace farstate
