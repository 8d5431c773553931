// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/rng.h"
#include "core/base/stop.h"
#include "core/models/mamba2.h"
#include "core/models/unroll.h"
#include "core/ops/ssd_scan.h"
#include "core/session/jobs.h"

namespace farstate {
namespace {

// fp32 against fp64: rounding errors of a scan of T positions and of dot products of length N add
// up like a random walk, well within a few hundred units of 2^-24 relative to the result's root
// mean square. A wrong kernel is off by whole percents.
constexpr double kFloatBound = 1e-5;

at::Tensor random(Rng& rng, std::vector<int64_t> shape, float scale = 1.0F) {
  at::Tensor t = at::empty(shape, at::kFloat);
  rng.fill_normal({t.data_ptr<float>(), static_cast<size_t>(t.numel())}, 0.0F, scale);
  return t;
}

// Root mean square of the difference over that of the reference.
double rms_ratio(const at::Tensor& value, const at::Tensor& reference) {
  const at::Tensor wanted = reference.to(at::kDouble);
  const double scale = std::max(wanted.norm().item<double>(), 1e-300);
  return (value.to(at::kDouble) - wanted).norm().item<double>() / scale;
}

SelftestCheck check(const std::string& name, double error, double bound) {
  return {name, error, bound, std::isfinite(error) && error <= bound};
}

struct ScanOperands {
  at::Tensor xBC, dt, A, D, dt_bias, h;
  std::vector<at::Tensor> all() const { return {xBC, dt, A, D, dt_bias, h}; }
  ScanOperands to(at::ScalarType dtype) const {
    const auto convert = [&](const at::Tensor& t) {
      return t.detach().to(dtype).requires_grad_(true);
    };
    return {convert(xBC), convert(dt), convert(A), convert(D), convert(dt_bias), convert(h)};
  }
};

void check_scan(int64_t T, int64_t G, std::vector<SelftestCheck>& checks) {
  constexpr int64_t B = 2, H = 4, P = 24, N = 40;
  Rng rng(1, RngStream::kMeasure, static_cast<uint64_t>(T * 10 + G));
  ops::SsdScanOptions options;
  options.groups = G;
  options.state_dim = N;
  const ScanOperands operands = {random(rng, {B, T, H * P + 2 * G * N}),
                                 random(rng, {B, T, H}),
                                 -random(rng, {H}).abs() - 0.01,
                                 random(rng, {H}),
                                 random(rng, {H}),
                                 random(rng, {B, H, P, N})};
  const at::Tensor dy = random(rng, {B, T, H, P});
  const at::Tensor dh = random(rng, {B, H, P, N});
  const auto run = [&](const ScanOperands& o, auto&& scan) {
    const ops::SsdScanResult result = scan(o.xBC, o.dt, o.A, o.D, o.dt_bias, o.h, options);
    ((result.y * dy.to(o.xBC.dtype())).sum() + (result.h_last * dh.to(o.xBC.dtype())).sum())
        .backward();
    return result;
  };
  const ScanOperands fast = operands.to(at::kFloat);
  const ScanOperands exact = operands.to(at::kDouble);
  const ops::SsdScanResult got = run(fast, ops::ssd_scan);
  const ops::SsdScanResult wanted = run(exact, ops::ssd_scan_naive);
  const std::string where = fmt::format("ssd_scan T={} G={}: ", T, G);
  checks.push_back(check(where + "output", rms_ratio(got.y, wanted.y), kFloatBound));
  checks.push_back(check(where + "final state", rms_ratio(got.h_last, wanted.h_last), kFloatBound));
  double worst = 0;
  for (size_t i = 0; i < fast.all().size(); ++i) {
    worst = std::max(worst, rms_ratio(fast.all()[i].grad(), exact.all()[i].grad()));
  }
  checks.push_back(check(where + "gradients, both ends of the state", worst, kFloatBound));
}

void check_model(std::vector<SelftestCheck>& checks) {
  const at::NoGradGuard no_grad;
  Mamba2Config config;
  config.model_dim = 32;
  config.layers = 2;
  config.heads = 4;
  config.head_dim = 16;
  config.state_dim = 16;
  config.groups = 2;
  config.vocabulary = 64;
  const auto model = Mamba2::initialise(config, 3);
  constexpr int64_t T = 70;
  Rng rng(2, RngStream::kMeasure);
  at::Tensor tokens = at::empty({1, T}, at::kLong);
  for (int64_t t = 0; t < T; ++t) tokens[0][t] = rng.below(config.vocabulary);

  const at::Tensor whole = model->forward(tokens, {}, {}).hidden;
  std::vector<at::Tensor> pieces;
  unroll(*model, tokens, {}, {.segment = 33, .stat_positions = {}},
         [&](const UnrollSegment& s) { pieces.push_back(s.result.hidden); });
  checks.push_back(check("model: read in pieces equals read whole", rms_ratio(at::cat(pieces, 1), whole),
                         kFloatBound));

  ModelState state = model->zero_state(1);
  std::vector<at::Tensor> steps;
  for (int64_t t = 0; t < T; ++t) steps.push_back(model->step(tokens.select(1, t), state));
  checks.push_back(check("model: token by token equals read whole", rms_ratio(at::stack(steps, 1), whole),
                         kFloatBound));
}

}  // namespace

std::vector<SelftestCheck> selftest() {
  std::vector<SelftestCheck> checks;
  for (const int64_t T : {1, 3, 64, 257}) {
    for (const int64_t G : {1, 2, 4}) {
      throw_if_stopped();
      check_scan(T, G, checks);
    }
  }
  check_model(checks);
  return checks;
}

}  // namespace farstate
