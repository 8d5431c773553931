// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/bench_models.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/base/error.h"
#include "core/base/process.h"
#include "core/base/rng.h"
#include "core/data/corpus.h"
#include "core/models/mamba2.h"
#include "core/models/model_flops.h"
#include "core/models/unroll.h"
#include "core/ops/tensor_memory.h"
#include "core/session/memory_estimate.h"
#include "core/session/trainer.h"

namespace farstate {
namespace {

constexpr uint64_t kSeed = 1;

Mamba2Config config_of(int64_t model_dim, int64_t layers, int64_t head_dim, int64_t state_dim,
                       int64_t vocabulary) {
  Mamba2Config c;
  c.model_dim = model_dim;
  c.layers = layers;
  c.head_dim = head_dim;
  c.heads = 2 * model_dim / head_dim;
  c.state_dim = state_dim;
  c.vocabulary = vocabulary;
  return c;
}

int64_t parameters_of(const Mamba2Config& config) {
  int64_t count = 0;
  for (const TensorSpec& spec : mamba2_tensor_specs(config)) {
    int64_t elements = 1;
    for (const int64_t size : spec.shape) elements *= size;
    count += elements;
  }
  return count;
}

// Sizes that are each allowed, and together beyond anything: counted without overflow.
constexpr double kBeyondAnyMachine = 1e15;
double least_bytes(const Mamba2Config& c, double tokens) {
  const auto d = [](int64_t v) { return static_cast<double>(v); };
  const double inner = d(c.heads) * d(c.head_dim);
  const double widest = inner + d(c.groups) * d(c.state_dim);
  return 4 * (d(c.layers) * (d(c.model_dim) * widest + inner * d(c.state_dim) + tokens * widest) +
              d(c.vocabulary) * d(c.model_dim));
}

// `bytes` of what is beside the weights is asked for only where it can be counted.
template <typename Bytes>
void refuse(const std::string& what, const Mamba2Config& config, double tokens, const Bytes& bytes,
            const std::string& advice) {
  const double least = least_bytes(config, tokens);
  if (least > kBeyondAnyMachine) {
    constexpr double kMost = 9e18;
    refuse_what_does_not_fit(what, static_cast<int64_t>(std::min(least, kMost)), advice);
    return;
  }
  const int64_t parameters = parameters_of(config);
  constexpr int64_t kFloat = sizeof(float);
  const ModelMemory memory{mamba2_sizes(config), parameters, kFloat * parameters};
  refuse_what_does_not_fit(what, memory.weight_bytes + bytes(memory), advice);
}

// Ids that are drawn once; a longer text repeats them, so that its length costs no memory.
Corpus random_ids(int64_t vocabulary, int64_t at_least) {
  constexpr int64_t kDrawn = int64_t{1} << 18;
  std::vector<int64_t> ids(static_cast<size_t>(std::max(kDrawn, at_least)));
  Rng rng(kSeed, RngStream::kMeasure);
  for (int64_t& id : ids) id = rng.below(vocabulary);
  Corpus corpus;
  corpus.name = "random ids";
  corpus.train_end = std::ssize(ids);
  corpus.tokens = std::make_shared<IdTokens>(std::move(ids));
  return corpus;
}

TokenRows one_text(const Corpus& corpus, int64_t length) {
  return {1, length, [&corpus](int64_t, int64_t, int64_t begin, int64_t end) {
            at::Tensor out = at::empty({1, end - begin}, at::kLong);
            const std::span<int64_t> ids(out.data_ptr<int64_t>(), static_cast<size_t>(end - begin));
            for (size_t done = 0; done < ids.size();) {
              const int64_t from = (begin + static_cast<int64_t>(done)) % corpus.tokens->size();
              const auto count = std::min(ids.size() - done,
                                          static_cast<size_t>(corpus.tokens->size() - from));
              corpus.tokens->read(from, ids.subspan(done, count));
              done += count;
            }
            return out;
          }};
}

void evaluate(const RecurrentLM& model, const TokenRows& text, ops::Compute compute,
              const ProgressSink& progress) {
  const at::NoGradGuard no_grad;
  UnrollOptions options;
  options.compute = compute;
  double sum = 0;
  unroll(model, text, {}, options, [&](const UnrollSegment& segment) {
    const int64_t t = segment.targets.size(1);
    if (t == 0) return;
    sum += nll(model, segment.result.hidden.slice(1, 0, t).flatten(0, 1), segment.targets.flatten(),
               compute)
               .sum()
               .item<double>();
    if (progress) {
      progress("", static_cast<double>(segment.begin + t) / static_cast<double>(text.length()));
    }
  });
  if (std::isfinite(sum)) return;
  throw Error(ErrorKind::kInternal, "Nothing was timed: a loss of random ids is not finite.");
}

}  // namespace

std::vector<BenchShape> small_shapes() {
  return {{"0.1M", config_of(64, 2, 32, 64, 256)},
          {"1M", config_of(128, 6, 32, 64, 256)},
          {"10M", config_of(256, 16, 64, 128, 4096)}};
}

BenchShape large_shape() { return {"130m", config_of(768, 24, 64, 128, 50288)}; }

double training_flops(const Mamba2Config& config, const TrainConfig& train) {
  return 3 * forward_flops(config) * static_cast<double>(train.batch * train.context);
}

double evaluation_flops(const Mamba2Config& config, int64_t length) {
  return forward_flops(config) * static_cast<double>(length);
}

void refuse_training_that_does_not_fit(const BenchShape& shape, const TrainConfig& train) {
  refuse(fmt::format("Training {} at {} x {}", shape.name, train.context, train.batch), shape.config,
         static_cast<double>(train.context) * static_cast<double>(train.batch),
         [&](const ModelMemory& memory) { return training_bytes(memory, train); },
         "choose a smaller --batch or --context, or leave training out: --parts evaluate");
}

void refuse_evaluation_that_does_not_fit(const BenchShape& shape, int64_t length) {
  MeasureConfig measure;
  measure.probes = {"perplexity"};
  measure.sequences = 1;
  measure.length = length;
  refuse(fmt::format("Evaluating {} over {} tokens", shape.name, length), shape.config, 1,
         [&](const ModelMemory& memory) { return measuring_bytes(memory, measure); },
         "choose a smaller model, or close other programs");
}

TrainSpeed time_training(const BenchShape& shape, const TrainConfig& train, const TimingPace& pace) {
  const auto model = Mamba2::initialise(shape.config, kSeed);
  const Corpus corpus = random_ids(shape.config.vocabulary, 2 * (train.context + 1));
  RunConfig run;
  run.train = train;
  run.train.steps = std::numeric_limits<int32_t>::max();
  run.train.divergence = 0;  // random ids can't be learned
  Trainer trainer(*model, corpus, run);
  const Timing timing = time_work([&] { trainer.step(); }, pace);
  const double gflops = training_flops(shape.config, train) / timing.seconds / 1e9;
  return {.shape = shape.name,
          .params = model->parameter_count(),
          .layers = shape.config.layers,
          .model_dim = shape.config.model_dim,
          .context = train.context,
          .batch = train.batch,
          .dtype = train.compute,
          .tokens_per_second = static_cast<double>(train.batch * train.context) / timing.seconds,
          .gflops = gflops,
          .timing = timing};
}

EvaluateSpeed time_evaluation(const BenchShape& shape, int64_t length, const std::string& dtype,
                              const TimingPace& pace, const ProgressSink& progress) {
  const auto model = Mamba2::initialise(shape.config, kSeed);
  const Corpus corpus = random_ids(shape.config.vocabulary, 1);
  const TokenRows text = one_text(corpus, length);
  const auto compute = dtype == "bfloat16" ? ops::Compute::kBFloat16 : ops::Compute::kFloat32;
  ops::release_tensor_memory();
  const bool reset = reset_peak_memory();
  const Timing timing = time_work([&] { evaluate(*model, text, compute, progress); }, pace);
  return {.shape = shape.name,
          .params = model->parameter_count(),
          .length = length,
          .dtype = dtype,
          .tokens_per_second = static_cast<double>(length) / timing.seconds,
          .gflops = evaluation_flops(shape.config, length) / timing.seconds / 1e9,
          .peak_memory_mb = static_cast<double>(peak_memory()) / 1e6,
          .peak_of = reset ? "this evaluation" : "the process so far",
          .timing = timing};
}

}  // namespace farstate
