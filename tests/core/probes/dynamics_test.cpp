// SPDX-License-Identifier: GPL-3.0-or-later
// The dynamics against Mamba-2's definition written down in float64.
#include "core/probes/dynamics.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/causal_conv1d.h"
#include "core/ops/gated_rmsnorm.h"
#include "core/ops/ssd_scan.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::random_tokens;
using testing::tiny_config;
using testing::tiny_model;

constexpr int64_t S = 3, N = 90;

// With limits that both ends of the steps run into, and two groups.
std::unique_ptr<Mamba2> limited_model() {
  Mamba2Config config = tiny_config();
  config.dt_min = 0.008;
  config.dt_max = 0.05;
  return tiny_model(5, config);
}

at::Tensor weight(const RecurrentLM& model, const std::string& name) {
  for (const TensorEntry& entry : model.tensors()) {
    if (entry.name == name) return entry.tensor.detach().to(at::kDouble);
  }
  throw std::runtime_error("no weight " + name);
}

at::Tensor norm(const at::Tensor& x, const at::Tensor& weight, double eps) {
  return x / (x.square().mean(-1, true) + eps).sqrt() * weight;
}

// dt of every layer, [L][S,N,H] in float64, from the weights alone.
std::vector<at::Tensor> direct_steps(const Mamba2& model, const at::Tensor& tokens) {
  const Mamba2Config& c = model.config();
  ops::SsdScanOptions scan;
  scan.groups = c.groups;
  scan.state_dim = c.state_dim;
  scan.dt_min = c.dt_min;
  scan.dt_max = c.dt_max;
  std::vector<at::Tensor> steps;
  at::Tensor residual = weight(model, "backbone.embeddings.weight").index({tokens});
  for (int64_t i = 0; i < c.layers; ++i) {
    const std::string layer = "backbone.layers." + std::to_string(i) + ".";
    const auto w = [&](const char* name) { return weight(model, layer + "mixer." + name); };
    const at::Tensor in = norm(residual, weight(model, layer + "norm.weight"), c.norm_eps);
    const auto parts = in.matmul(w("in_proj.weight").t())
                           .split_with_sizes({c.inner_dim(), c.conv_channels(), c.heads}, -1);
    const at::Tensor raw = parts[2] + w("dt_bias");
    steps.push_back((raw.exp() + 1).log().clamp(c.dt_min, c.dt_max));
    const at::Tensor xBC = ops::causal_conv1d_silu_naive(parts[1], w("conv1d.weight").squeeze(1),
                                                         w("conv1d.bias"), {})
                               .y;
    const at::Tensor y = ops::ssd_scan_naive(xBC, parts[2], w("A_log").exp().neg(), w("D"),
                                             w("dt_bias"), {}, scan)
                             .y.flatten(2);
    residual = residual + ops::gated_rmsnorm_naive(y, parts[0], w("norm.weight"), c.groups,
                                                   c.norm_eps)
                              .matmul(w("out_proj.weight").t());
  }
  return steps;
}

// All series over rows in the given groups, read in segments.
std::vector<Series> measured(const RecurrentLM& model, const at::Tensor& tokens, int64_t segment,
                             const std::vector<int64_t>& starts = {0}) {
  const at::NoGradGuard no_grad;
  Dynamics probe(model, S, N, 4);
  UnrollOptions options;
  options.segment = segment;
  options.dynamics = true;
  for (size_t g = 0; g < starts.size(); ++g) {
    const int64_t first = starts[g];
    const int64_t last = g + 1 < starts.size() ? starts[g + 1] : S;
    unroll(model, tokens.slice(0, first, last), {}, options,
           [&](const UnrollSegment& s) { probe.observe(first, s); });
  }
  return probe.series({S, N});
}

const Series& find(const std::vector<Series>& all, const std::string& name, int64_t layer,
                   int64_t head) {
  for (const Series& series : all) {
    if (series.name == name && series.layer == layer && series.head == head) return series;
  }
  throw std::runtime_error("no series " + name);
}

TEST(Dynamics, IsTheDefinitionInFloat64) {
  const auto model = limited_model();
  const at::Tensor tokens = random_tokens(S, N, 256);
  const at::NoGradGuard no_grad;
  const std::vector<at::Tensor> steps = direct_steps(*model, tokens);
  const std::vector<Series> series = measured(*model, tokens, 0);
  EXPECT_EQ(series.size(), 2U * 4U * 4U);
  bool at_least = false, at_most = false, between = false;
  for (int64_t l = 0; l < 2; ++l) {
    const at::Tensor A_log =
        weight(*model, "backbone.layers." + std::to_string(l) + ".mixer.A_log");
    for (int64_t h = 0; h < 4; ++h) {
      const at::Tensor dt = steps[static_cast<size_t>(l)].select(2, h);  // [S,N]
      at_least = at_least || (dt == 0.008).any().item<bool>();
      at_most = at_most || (dt == 0.05).any().item<bool>();
      between = between || ((dt > 0.009) & (dt < 0.049)).any().item<bool>();
      const at::Tensor rate = dt * A_log[h].exp();
      const Series& dt_mean = find(series, "dt_mean", l, h);
      EXPECT_EQ(dt_mean.bin_begin.front(), 1);
      EXPECT_EQ(dt_mean.bin_end.back(), N + 1) << "every position has a step, the last one too";
      for (size_t i = 0; i < dt_mean.x.size(); ++i) {
        const auto over_bin = [&](const at::Tensor& values) {  // [S]
          return values.slice(1, dt_mean.bin_begin[i] - 1, dt_mean.bin_end[i] - 1).mean(1);
        };
        // The model is fp32: some 1e2 roundings of 2^-24 before a step is there.
        const auto close = [&](const char* name, double wanted) {
          const Series& got = find(series, name, l, h);
          EXPECT_NEAR(got.y[i], wanted, 2e-5 * wanted) << name << " layer " << l << " head " << h;
          EXPECT_LE(got.lower[i], got.y[i]);
          EXPECT_GE(got.upper[i], got.y[i]);
        };
        close("dt_mean", over_bin(dt).mean().item<double>());
        close("decay_mean", over_bin(rate.neg().exp()).mean().item<double>());
        close("write_share", over_bin(1 - rate.neg().exp()).mean().item<double>());
        close("half_life", std::log(2.0) / over_bin(rate).mean().item<double>());
      }
    }
  }
  EXPECT_TRUE(at_least && at_most && between) << "the limits must matter, and not everywhere";
}

TEST(Dynamics, IntervalsAreStudentsOverSequences) {
  const auto model = limited_model();
  const at::Tensor tokens = random_tokens(S, N, 256);
  const at::NoGradGuard no_grad;
  const at::Tensor dt = direct_steps(*model, tokens)[1].select(2, 2);
  const at::Tensor rate = dt * weight(*model, "backbone.layers.1.mixer.A_log")[2].exp();
  const std::vector<Series> series = measured(*model, tokens, 0);
  const Series& memory = find(series, "half_life", 1, 2);
  for (size_t i = 0; i < memory.x.size(); ++i) {
    const at::Tensor of_sequence =
        rate.slice(1, memory.bin_begin[i] - 1, memory.bin_end[i] - 1).mean(1).contiguous();
    const MeanInterval wanted = mean_interval({of_sequence.data_ptr<double>(), S});
    const double relative = (wanted.upper - wanted.mean) / wanted.mean;
    const double y = std::log(2.0) / wanted.mean;
    EXPECT_NEAR(memory.upper[i], y * std::exp(relative), 1e-4 * y);
    EXPECT_NEAR(memory.lower[i], y * std::exp(-relative), 1e-4 * y);
  }
}

TEST(Dynamics, PiecesAndGroupsOfRowsChangeNothing) {
  const auto model = limited_model();
  const at::Tensor tokens = random_tokens(S, N, 256);
  const std::vector<Series> whole = measured(*model, tokens, N);
  for (const int64_t segment : {1, 7, 32, 89}) {
    const std::vector<Series> pieces = measured(*model, tokens, segment, {0, 2});
    ASSERT_EQ(pieces.size(), whole.size());
    for (size_t i = 0; i < whole.size(); ++i) {
      for (size_t k = 0; k < whole[i].y.size(); ++k) {
        EXPECT_NEAR(pieces[i].y[k], whole[i].y[k], 1e-5 * whole[i].y[k]) << whole[i].name;
      }
    }
  }
}

TEST(Dynamics, OrderOfTheRowsDoesNotMatter) {
  const auto model = limited_model();
  const at::Tensor tokens = random_tokens(S, N, 256);
  const std::vector<Series> straight = measured(*model, tokens, 0);
  const std::vector<Series> shuffled =
      measured(*model, tokens.index_select(0, at::tensor({2, 0, 1}, at::kLong)), 0);
  for (size_t i = 0; i < straight.size(); ++i) {
    for (size_t k = 0; k < straight[i].y.size(); ++k) {
      // A row's place in the batch may change the order of an fp32 product's sums; dt then differs by
      // some roundings of 6e-8.
      EXPECT_NEAR(shuffled[i].y[k], straight[i].y[k], 1e-6 * straight[i].y[k]);
    }
  }
}

TEST(Dynamics, AFamilyWithoutStepsHasTheRest) {
  const auto model = tiny_model();
  Dynamics probe(*model, 1, 2, 4);
  ForwardResult result;
  for (int l = 0; l < 2; ++l) {
    result.dynamics.push_back({at::full({1, 2, 4}, -std::log(2.0) / 5, at::kFloat), {}});
  }
  const std::vector<int64_t> none;
  probe.observe(0, UnrollSegment{0, {}, {}, result, none});
  const std::vector<Series> series = probe.series({1, 2});
  EXPECT_EQ(series.size(), 2U * 4U * 3U);
  EXPECT_NEAR(find(series, "half_life", 1, 3).y[0], 5.0, 1e-5);
  EXPECT_THROW(find(series, "dt_mean", 0, 0), std::runtime_error);
}

TEST(Dynamics, ShowsHowFarItHasCome) {
  const auto model = limited_model();
  const at::Tensor tokens = random_tokens(S, N, 256);
  const at::NoGradGuard no_grad;
  Dynamics probe(*model, S, N, 4);
  UnrollOptions options;
  options.dynamics = true;
  // Two rows to the end, the third not yet.
  unroll(*model, tokens.slice(0, 0, 2), {}, options, [&](const UnrollSegment& s) { probe.observe(0, s); });
  const std::vector<Series> part = probe.series({2, 40});
  const std::vector<Series> whole = measured(*model, tokens, 0);
  for (size_t i = 0; i < part.size(); ++i) {
    EXPECT_EQ(part[i].sequences, 2);
    ASSERT_FALSE(part[i].bin_end.empty());
    EXPECT_LE(part[i].bin_end.back(), 41);
    EXPECT_GE(part[i].bin_end.back(), 30);
    EXPECT_EQ(part[i].bin_end.size(), part[i].y.size());
    EXPECT_LT(part[i].y.size(), whole[i].y.size());
  }
}

}  // namespace
}  // namespace farstate
