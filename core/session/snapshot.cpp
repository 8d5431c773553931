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

std::vector<Series> snapshot_series(const std::vector<Series>& measured) {
  std::vector<Series> series;
  for (const Series& s : measured) {
    if (!s.head && (s.name == "perplexity" || s.name == kPredictablePerplexity ||
                    s.name == "model_state_std")) series.push_back(s);
  }
  return series;
}

Snapshot take_snapshot(const LoadedModel& loaded, const Corpus& corpus,
                       const MeasureConfig& measure, int64_t step, const ProgressSink& progress) {
  const Evaluator evaluator(corpus, measure, loaded.info.trained_context);
  Evaluation evaluation =
      evaluator.run(*loaded.model, progress ? progress : [](const std::string&, double) {});
  return {step, snapshot_series(evaluation.series), std::move(evaluation.notes)};
}

}  // namespace farstate
