// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/checkpoint/model_files.h"
#include "core/models/unroll.h"
#include "core/session/evaluator.h"
#include "core/session/jobs.h"

namespace farstate {

void set_threads(int64_t threads) {
  if (threads > 0) at::set_num_threads(static_cast<int>(threads));
}

ModelReport inspect(const std::string& model) {
  LoadedModel loaded = load_model(model);
  ModelReport report;
  report.model = loaded.info;
  report.recipe = loaded.provenance.recipe;
  report.steps = loaded.provenance.steps;
  for (const TensorEntry& entry : loaded.model->tensors()) {
    report.tensors.push_back({entry.name, entry.shape, entry.weight_decay});
    report.weight_bytes += static_cast<int64_t>(entry.tensor.nbytes());
  }
  for (const LayerState& layer : loaded.model->zero_state(1).layers) {
    report.state_bytes += static_cast<int64_t>(layer.recurrent.nbytes() + layer.context.nbytes());
  }
  const RunConfig defaults;
  const ModelSizes& c = loaded.model->sizes();
  // Floats per token that one layer's forward holds at once.
  const int64_t transient = 4 * c.widest;
  const int64_t measured_rows = defaults.measure.sequences;
  report.measure_bytes =
      report.weight_bytes + 2 * measured_rows * report.state_bytes +
      4 * measured_rows * segment_length(*loaded.model, measured_rows) * (transient + c.vocabulary);
  const int64_t batch_tokens = defaults.train.batch * defaults.train.context;
  report.train_bytes = 4 * report.weight_bytes + 3 * defaults.train.batch * report.state_bytes +
                       4 * batch_tokens * (c.layers * c.kept_per_token + transient + c.vocabulary);
  return report;
}

MeasureOutcome measure(const RunConfig& config, const ProgressSink& progress) {
  validate(config);
  const LoadedModel loaded = config.model.init.empty()
                                 ? load_model(config.model.model)
                                 : initialise_model(config.model.init, config.seed);
  const Corpus corpus = load_corpus(config.data, loaded.info.vocabulary);
  const Evaluator evaluator(corpus, config.measure, loaded.info.trained_context);
  RunConfig resolved = config;
  resolved.measure = evaluator.config();

  MeasureOutcome outcome;
  outcome.results.recipe = to_json(resolved);
  const auto take = [&](const Evaluation& evaluation) {
    outcome.results.series = evaluation.series;
    outcome.results.per_position = evaluation.per_position;
    outcome.results.notes = evaluation.notes;
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
