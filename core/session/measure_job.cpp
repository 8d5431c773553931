// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/checkpoint/model_files.h"
#include "core/formats/safetensors.h"
#include "core/ops/tensor_memory.h"
#include "core/probes/attention.h"
#include "core/session/evaluator.h"
#include "core/session/examination.h"
#include "core/session/jobs.h"
#include "core/session/memory_estimate.h"
#include "core/session/run_folder.h"
#include "core/session/trainer.h"
#include "core/session/training_text.h"

namespace farstate {

namespace fs = std::filesystem;

void set_threads(int64_t threads) {
  ops::install_tensor_memory();
  if (threads > 0) at::set_num_threads(static_cast<int>(threads));
}

namespace {

// Beside what the pins have shown, if there are any.
void add_attention(const LoadedModel& loaded, const Evaluator& evaluator,
                   const ProgressSink& progress, Results& results) {
  const MeasureConfig& config = evaluator.config();
  if (!results.states) {
    results.states.emplace();
    results.states->sequences = config.sequences;
  }
  const int64_t end = config.pins.empty() ? config.length
                                          : *std::max_element(config.pins.begin(), config.pins.end());
  examine_attention(*loaded.model, evaluator.sequences(),
                    {config.attention_layer, config.attention_head}, config.attention_window, end,
                    loaded.tokenizer.get(), progress, *results.states);
  if (results.states->attention->leaning.empty()) {
    results.notes.push_back(results.states->notes.back());
  }
}

// Of a run's folder: what its law of noise was fitted to, beside the states.
void add_fit_of_run(const std::string& model, const LoadedModel& loaded, Results& results) {
  std::error_code ignored;
  fs::path folder = model;
  if (!fs::is_directory(folder, ignored)) folder = folder.parent_path();
  if (folder.empty() || !results.states || !holds_run(folder.string())) return;
  try {
    const TensorTable run = read_safetensors(training_file(folder.string()));
    add_fitted(Trainer::saved_fit(run, *loaded.model), *results.states);
  } catch (const Error& error) {
    results.notes.push_back(
        fmt::format("What the run's law was fitted to is not shown: {}", error.what()));
  }
}

}  // namespace

MeasureOutcome measure(const RunConfig& config, const ProgressSink& progress,
                       const StateDumpConfig& dump) {
  validate(config);
  const LoadedModel loaded = load_model(config.model, config.seed, progress);
  const Corpus corpus = open_text(config, loaded.info, loaded.tokenizer, progress);
  if (config.measure.wants("attention")) {
    check_head(loaded.model->sizes(),
               {config.measure.attention_layer, config.measure.attention_head});
  }
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
  outcome.results.model = {loaded.info.name, loaded.info.trained_context, loaded.info.trained_with,
                           loaded.provenance.steps};
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
    if (config.measure.wants("attention") && outcome.finite) {
      add_attention(loaded, evaluator, progress, outcome.results);
    }
    add_fit_of_run(config.model.model, loaded, outcome.results);
    if (outcome.results.states) {
      outcome.results.states->step = loaded.provenance.steps;
      outcome.results.states->recipe = outcome.results.recipe;
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted || outcome.results.series.empty()) throw;
    outcome.interrupted = true;
    outcome.results.notes.push_back("Stopped before all that was asked for was measured.");
  }
  for (const Series& series : outcome.results.series) {
    if (finite(series)) continue;
    outcome.finite = false;
    outcome.results.notes.push_back(fmt::format("\"{}\" is not finite everywhere.", series.name));
  }
  return outcome;
}

}  // namespace farstate
