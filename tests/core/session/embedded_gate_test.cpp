// SPDX-License-Identifier: GPL-3.0-or-later
// The gate of the demonstration (tools/gate.py) in its short form: fewer sequences, one seed.
#include <gtest/gtest.h>

#include "core/results/series.h"
#include "core/session/evaluator.h"
#include "core/session/trainer.h"
#include "core/session/training_text.h"

namespace farstate {
namespace {

constexpr int64_t kContext = 64;

// Perplexity of the predictable tokens in a bin of one octave that ends at `position`.
double perplexity_up_to(const Series& series, int64_t position) {
  for (size_t i = 0; i < series.y.size(); ++i) {
    if (series.bin_end[i] == position + 1) return series.y[i];
  }
  ADD_FAILURE() << "no bin ends at " << position;
  return 0;
}

// In (8T, 16T] by that in (T/2, T].
double failure_ratio(const LoadedModel& loaded) {
  const Corpus corpus = open_text({}, loaded.info, loaded.tokenizer);
  MeasureConfig config;
  config.length = 16 * kContext + 1;
  config.sequences = 16;
  config.bins_per_octave = 1;
  config.probes = {"perplexity"};
  const Evaluator evaluator(corpus, config, kContext);
  const Evaluation measured = evaluator.run(*loaded.model, [](const std::string&, double) {});
  const Series* series = find_series(measured.series, kPredictablePerplexity);
  if (series == nullptr) {
    ADD_FAILURE() << "the text does not say what is predictable";
    return 0;
  }
  return perplexity_up_to(*series, 16 * kContext) / perplexity_up_to(*series, kContext);
}

TEST(EmbeddedGate, TheDemoFailsItsControlTooAndTheRepairedTwinsDoNot) {
  EXPECT_GE(failure_ratio(load_model("demo")), 1.5);
  EXPECT_GT(failure_ratio(load_model("demo-control")), 1.35);
  EXPECT_LT(failure_ratio(load_model("demo-state-passing")), 1.15);
  EXPECT_LT(failure_ratio(load_model("demo-tbtt")), 1.15);
}

TEST(EmbeddedGate, StatePassingRepairsTheDemo) {
  LoadedModel loaded = load_model("demo");
  RunConfig config;
  config.intervention.kind = Intervention::kStatePassing;
  const Corpus corpus = open_text(config, loaded.info, loaded.tokenizer);
  Trainer trainer(*loaded.model, corpus, config);
  for (int64_t step = 0; step < config.train.steps; ++step) trainer.step();
  EXPECT_LT(failure_ratio(loaded), 1.15);
}

}  // namespace
}  // namespace farstate
