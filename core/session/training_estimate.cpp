// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/training_estimate.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "core/base/process.h"
#include "core/base/stop.h"
#include "core/models/unroll.h"
#include "core/ops/bf16_product.h"
#include "core/session/batch_gradients.h"
#include "core/session/evaluator.h"
#include "core/session/memory_estimate.h"
#include "core/session/snapshot.h"

namespace farstate {
namespace {

bool measures(const TrainConfig& train, const EstimateScope& scope) {
  return scope.measures || train.evaluate_every > 0;
}

double seconds_of(const std::function<void()>& work) {
  throw_if_stopped();
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Work on n tokens takes about fixed + per_token * n seconds.
struct Pace {
  double fixed = 0;
  double per_token = 0;
  double measured_seconds = 0;
  int64_t measured_tokens = 0;
  double seconds(double calls, double tokens) const { return calls * fixed + tokens * per_token; }
};

// Runs work(n) on ever more tokens until `seconds` were spent or n is `most`; from the two largest.
// The first is run twice, since it pays for what is done once.
Pace pace_of(const std::function<void(int64_t)>& work, int64_t most, double seconds) {
  constexpr int64_t kFirst = 64;
  Pace pace;
  int64_t tokens = std::min(kFirst, most);
  double before = 0;
  double now = 0;
  const auto timed = [&](int64_t n) {
    const double taken = seconds_of([&] { work(n); });
    pace.measured_seconds += taken;
    pace.measured_tokens += n;
    return taken;
  };
  now = timed(tokens);
  if (now < seconds / 2) now = timed(tokens);
  pace.per_token = now / static_cast<double>(tokens);
  while (tokens < most && pace.measured_seconds + 2 * now < 1.5 * seconds) {
    const int64_t more = std::min(2 * tokens, most);
    before = now;
    now = timed(more);
    const double slope = (now - before) / static_cast<double>(more - tokens);
    pace.per_token = std::clamp(slope, 0.0, now / static_cast<double>(more));
    pace.fixed = now - pace.per_token * static_cast<double>(more);
    tokens = more;
  }
  if (tokens < most) return pace;
  // All of it fits into the time: the mean of a few runs.
  constexpr double kRuns = 3;
  double sum = now;
  double runs = 1;
  for (; runs < kRuns && pace.measured_seconds + now < seconds; ++runs) sum += timed(most);
  pace.fixed = 0;
  pace.per_token = sum / runs / static_cast<double>(most);
  return pace;
}

// The first tokens of the text as [rows,length]; how fast they are read does not hang on what they say.
at::Tensor tokens_of(const Corpus& corpus, int64_t rows, int64_t length) {
  at::Tensor row = at::empty({1, length}, at::kLong);
  corpus.tokens->read(0, {row.data_ptr<int64_t>(), static_cast<size_t>(length)});
  return row.repeat({rows, 1});
}

Pace pace_of_gradients(const RecurrentLM& model, const Corpus& corpus, const TrainConfig& config) {
  constexpr double kSeconds = 1.0;
  const int64_t rows = rows_at_once(config);
  TrainConfig piece = config;
  piece.micro_batch = 0;
  const auto work = [&](int64_t n) {
    const int64_t length = std::min(n, config.context);
    const int64_t here = std::max<int64_t>(n / length, 1);
    add_gradients(model, {tokens_of(corpus, here, length + 1), {}}, model.zero_state(here), piece);
    // Further groups of rows add to the gradients that are there.
    if (rows == config.batch) drop_gradients(model);
  };
  try {
    const Pace pace = pace_of(work, rows * config.context, kSeconds);
    drop_gradients(model);
    return pace;
  } catch (...) {
    drop_gradients(model);
    throw;
  }
}

// Norm and update; its time is that of reading and writing memory.
double seconds_of_update(int64_t parameters) {
  const at::NoGradGuard no_grad;
  const int64_t n = std::min(parameters, int64_t{1} << 22);
  std::vector<at::Tensor> weights, gradients, first, second;
  for (auto* list : {&weights, &gradients, &first, &second}) list->push_back(at::full({n}, 1e-3F));
  const std::vector<at::Tensor> steps = {at::full({}, 1.0F)};
  const auto update = [&] {
    at::_foreach_norm(gradients, 2);
    at::_fused_adamw_(weights, gradients, first, second, {}, steps, 1e-3, 0.9, 0.95, 0.1, 1e-8,
                      /*amsgrad=*/false, /*maximize=*/false);
  };
  update();
  return seconds_of(update) * static_cast<double>(parameters) / static_cast<double>(n);
}

Pace pace_of_reading(const RecurrentLM& model, const Corpus& corpus, const MeasureConfig& measure) {
  constexpr double kSeconds = 0.3;
  const at::NoGradGuard no_grad;
  const int64_t most = std::min({segment_length(model.sizes(), 1), measure.length,
                                 corpus.tokens->size() - 1});
  return pace_of(
      [&](int64_t n) {
        const at::Tensor tokens = tokens_of(corpus, 1, n + 1);
        unroll(model, tokens.slice(1, 0, n), {}, {}, [&](const UnrollSegment& segment) {
          nll(model, segment.result.hidden.flatten(0, 1), tokens.slice(1, 1, n + 1).reshape({-1}));
        });
      },
      std::max<int64_t>(most, 1), kSeconds);
}

void predict_memory(const RecurrentLM& model, const RunConfig& config, const EstimateScope& scope,
                    TrainingEstimate& estimate) {
  const ModelMemory sizes = model_memory(model);
  TrainingMemory& memory = estimate.memory;
  memory = training_memory(sizes, config.train);
  const int64_t moments = scope.trainer ? memory.moments : 0;
  memory.process += std::max<int64_t>(process_bytes() - memory.weights - moments, 0);
  estimate.bytes_needed = memory.total();
  if (measures(config.train, scope)) {
    estimate.measuring_bytes = memory.process + memory.weights +
                               measuring_between_steps_bytes(sizes, config.measure);
    estimate.bytes_needed = std::max(estimate.bytes_needed, estimate.measuring_bytes);
  }
  const int64_t left = available_memory();
  if (left == 0) return;
  estimate.bytes_available = left + process_bytes();
  estimate.fits = estimate.bytes_needed <= estimate.bytes_available;
  if (estimate.fits) return;
  estimate.advice = memory.total() > estimate.bytes_available
                        ? training_advice(sizes, config.train, left + moments)
                        : "choose fewer or shorter sequences to measure";
}

void time_training(const RecurrentLM& model, const Corpus& corpus, const TrainConfig& train,
                   TrainingEstimate& estimate) {
  const Pace pace = pace_of_gradients(model, corpus, train);
  const auto rows = static_cast<double>(rows_at_once(train));
  const double groups = std::ceil(static_cast<double>(train.batch) / rows);
  estimate.measured_seconds += pace.measured_seconds;
  estimate.measured_tokens += pace.measured_tokens;
  estimate.seconds_per_step = pace.seconds(groups, static_cast<double>(train.batch * train.context)) +
                              seconds_of_update(model.parameter_count());
  estimate.seconds_total = static_cast<double>(estimate.steps) * estimate.seconds_per_step;
}

void time_measuring(const RecurrentLM& model, const Corpus& corpus, const RunConfig& config,
                    TrainingEstimate& estimate) {
  const Pace pace = pace_of_reading(model, corpus, config.measure);
  estimate.measured_seconds += pace.measured_seconds;
  estimate.measured_tokens += pace.measured_tokens;
  estimate.seconds_measuring = pace.seconds(1, tokens_to_read(config.measure));
  const int64_t every = config.train.evaluate_every;
  if (every == 0) return;
  const auto curves = static_cast<double>(1 + estimate.steps / every);
  estimate.seconds_total +=
      curves * pace.seconds(1, tokens_to_read(snapshot_config(config.measure)));
}

}  // namespace

double tokens_to_read(const MeasureConfig& measure) {
  const auto S = static_cast<double>(measure.sequences);
  double tokens = measure.sweeps() ? S * static_cast<double>(measure.length) : 0;
  if (measure.wants("effrem")) {
    const int64_t T = measure.effrem_length > 0 ? measure.effrem_length : measure.length;
    tokens += S * 0.5 * static_cast<double>(T * measure.effrem_points);
  }
  return tokens;
}

double curve_share(const MeasureConfig& measure) {
  const double whole = tokens_to_read(measure);
  return whole > 0 ? tokens_to_read(snapshot_config(measure)) / whole : 0;
}

TrainingEstimate estimate_training(const LoadedModel& loaded, const Corpus& corpus,
                                   const RunConfig& config, const EstimateScope& scope) {
  const RecurrentLM& model = *loaded.model;
  RunConfig resolved = config;
  if (measures(config.train, scope)) {
    const Evaluator evaluator(corpus, config.measure, loaded.info.trained_context);
    resolved.measure = evaluator.config();
  }
  TrainingEstimate estimate;
  estimate.steps = scope.steps;
  predict_memory(model, resolved, scope, estimate);
  if (config.train.compute == "bfloat16" && !ops::has_bf16_products()) {
    estimate.notes.emplace_back(kNoBf16);
  }
  if (!estimate.fits) return estimate;
  time_training(model, corpus, config.train, estimate);
  if (measures(config.train, scope)) time_measuring(model, corpus, resolved, estimate);
  return estimate;
}

}  // namespace farstate
