// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens per second of a training step and of evaluation with the loss at every position, for
// three sizes of model, beside the machine's own fp32 matrix product. Refuses to time a machine
// that computes wrong numbers. bench/run.sh sets transformers' Mamba2 beside it.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include "core/base/rng.h"
#include "core/data/corpus.h"
#include "core/models/mamba2.h"
#include "core/models/unroll.h"
#include "core/session/jobs.h"
#include "core/session/trainer.h"

namespace farstate {
namespace {

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The median of at least five runs and two seconds, after one that warms up.
double median_seconds(const std::function<void()>& work) {
  work();
  std::vector<double> times;
  double total = 0;
  while (times.size() < 5 || total < 2) {
    times.push_back(seconds(work));
    total += times.back();
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

double gemm_gflops() {
  constexpr int64_t n = 1024;
  const at::Tensor a = at::rand({n, n});
  const at::Tensor b = at::rand({n, n});
  at::Tensor c = at::empty({n, n});
  return 2.0 * n * n * n / median_seconds([&] { at::mm_out(c, a, b); }) / 1e9;
}

struct Size {
  const char* name;
  int64_t model_dim, layers, head_dim, state_dim, vocabulary;
};

Mamba2Config config_of(const Size& size) {
  Mamba2Config c;
  c.model_dim = size.model_dim;
  c.layers = size.layers;
  c.head_dim = size.head_dim;
  c.heads = 2 * size.model_dim / size.head_dim;
  c.state_dim = size.state_dim;
  c.vocabulary = size.vocabulary;
  return c;
}

// Floating-point operations of the forward pass per token: projections, convolution, head, and
// 5 N P per head for the recurrence. A training step does three times as many, without what it
// computes twice.
double forward_flops(const Mamba2Config& c) {
  const auto d = [](int64_t v) { return static_cast<double>(v); };
  const double layer = 2 * d(c.model_dim) * (d(c.in_proj_rows()) + d(c.inner_dim())) +
                       2 * d(c.conv_width) * d(c.conv_channels()) +
                       5 * d(c.inner_dim()) * d(c.state_dim);
  return d(c.layers) * layer + 2 * d(c.model_dim) * d(c.vocabulary);
}

Corpus random_corpus(int64_t vocabulary, int64_t size) {
  std::vector<int64_t> ids(static_cast<size_t>(size));
  Rng rng(1, RngStream::kMeasure);
  for (int64_t& id : ids) id = rng.below(vocabulary);
  Corpus corpus;
  corpus.name = "random ids";
  corpus.tokens = std::make_shared<IdTokens>(std::move(ids));
  corpus.train_end = size;
  return corpus;
}

void time_model(const Size& size, int64_t context, int64_t batch, double gemm) {
  const Mamba2Config c = config_of(size);
  const auto model = Mamba2::initialise(c, 1);
  const Corpus corpus = random_corpus(size.vocabulary, 1 << 20);
  RunConfig run;
  run.train.context = context;
  run.train.batch = batch;
  Trainer trainer(*model, corpus, run);
  const auto tokens = static_cast<double>(batch * context);
  const double train = tokens / median_seconds([&] { trainer.step(); });

  at::Tensor text = at::empty({batch, context}, at::kLong);
  corpus.tokens->read(0, {text.data_ptr<int64_t>(), static_cast<size_t>(text.numel())});
  const double evaluate = tokens / median_seconds([&] {
    const at::NoGradGuard no_grad;
    unroll(*model, text, {}, {}, [&](const UnrollSegment& s) {
      const int64_t t = std::min(s.result.hidden.size(1), context - 1 - s.begin);
      if (t <= 0) return;
      nll(*model, s.result.hidden.slice(1, 0, t).reshape({batch * t, -1}),
          text.slice(1, s.begin + 1, s.begin + 1 + t).reshape({-1}));
    });
  });
  const double gflop = forward_flops(c) / 1e9;
  fmt::print("{:<5} {:>10} {:>8} {:>6} {:>12.0f} {:>7.0f} % {:>12.0f} {:>7.0f} %\n", size.name,
             model->parameter_count(), context, batch, train, 100 * train * 3 * gflop / gemm, evaluate,
             100 * evaluate * gflop / gemm);
  std::fflush(stdout);
}

int run() {
  for (const SelftestCheck& check : selftest()) {
    if (!check.passed) {
      fmt::print("Not timed: the check \"{}\" fails on this machine.\n", check.name);
      return 1;
    }
  }
  const double gemm = gemm_gflops();
  fmt::print("threads {}, fp32 matrix product 1024^3: {:.0f} GFLOP/s\n\n", at::get_num_threads(), gemm);
  fmt::print("{:<5} {:>10} {:>8} {:>6} {:>12} {:>9} {:>12} {:>9}\n", "size", "parameters", "context",
             "batch", "train tok/s", "of GEMM", "eval tok/s", "of GEMM");
  // The same shapes as bench/peers/transformers_mamba2.py.
  const Size sizes[] = {{"0.1M", 64, 2, 32, 64, 256},
                        {"1M", 128, 6, 32, 64, 256},
                        {"10M", 256, 16, 64, 128, 4096}};
  for (const Size& size : sizes) {
    for (const auto& [context, batch] : {std::pair<int64_t, int64_t>{64, 32}, {512, 4}, {2048, 1}}) {
      time_model(size, context, batch, gemm);
    }
  }
  return 0;
}

}  // namespace
}  // namespace farstate

int main() { return farstate::run(); }
