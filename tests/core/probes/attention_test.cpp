// SPDX-License-Identifier: GPL-3.0-or-later
// Hidden attention against the literal recurrence, and the leaning against finite differences, in
// float64.
#include "core/probes/attention.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/models/unroll.h"
#include "core/ops/ssd_scan.h"
#include "tests/support/tensor_match.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::close_to;
using testing::random_tokens;
using testing::rounding_tolerance;
using testing::tiny_config;
using testing::tiny_model;

constexpr int64_t n = 20;  // tokens of the window

// tiny_model() in float64.
std::unique_ptr<Mamba2> wide_model() {
  const at::NoGradGuard no_grad;
  const auto narrow = tiny_model();
  auto model = Mamba2::allocate(tiny_config(), at::kDouble);
  for (size_t i = 0; i < model->tensors().size(); ++i) {
    model->tensors()[i].tensor.copy_(narrow->tensors()[i].tensor);
  }
  return model;
}

ModelState after(const RecurrentLM& model, const at::Tensor& tokens) {
  const at::NoGradGuard no_grad;
  return unroll(model, tokens.unsqueeze(0), {}, {}, {});
}

at::Tensor matrix(const AttentionReport& report) {
  const auto size = static_cast<int64_t>(report.tokens.size());
  return at::tensor(report.weights).view({size, size}).to(at::kDouble);
}

// The reports hold floats of what was computed in float64.
const auto kOneRounding = rounding_tolerance<float>(1);

TEST(HiddenAttention, OfTheWindowAndTheStateBeforeMakesWhatTheHeadWrites) {
  const auto model = wide_model();
  const at::Tensor tokens = random_tokens(1, 50, 256)[0];
  const ModelState before = after(*model, tokens.slice(0, 0, 30));
  const at::Tensor window = tokens.slice(0, 30, 50);
  for (const HeadIndex focus : {HeadIndex{0, 0}, HeadIndex{1, 1}, HeadIndex{1, 3}}) {
    const AttentionReport report = hidden_attention(*model, window, before, focus);
    ForwardOptions options;
    options.operands_of = focus;
    const at::NoGradGuard no_grad;
    const ForwardResult result = model->forward(window.unsqueeze(0), before, options);
    const HeadOperands& o = *result.operands;
    // h_t, step by step, from the state before.
    at::Tensor h = before.layers[static_cast<size_t>(focus.layer)].recurrent[0][focus.head];
    at::Tensor from_before = h;
    std::vector<at::Tensor> y, kept;
    for (int64_t t = 0; t < n; ++t) {
      const at::Tensor decay = o.log_decay[0][t].exp();
      h = decay * h + (o.dt[0][t] * o.x[0][t]).outer(o.B[0][t]);
      from_before = decay * from_before;
      y.push_back(h.mv(o.C[0][t]));
      kept.push_back(from_before.mv(o.C[0][t]));
    }
    const at::Tensor wanted = at::stack(y), from = at::stack(kept);  // [n,P]
    EXPECT_TRUE(close_to(
        result.state.layers[static_cast<size_t>(focus.layer)].recurrent[0][focus.head], h,
        rounding_tolerance<double>(n)));
    EXPECT_TRUE(close_to(matrix(report).matmul(o.x[0]) + from, wanted,
                         rounding_tolerance<float>(n)));
    const at::Tensor share = from.norm(2, 1) / (from.norm(2, 1) + (wanted - from).norm(2, 1));
    EXPECT_TRUE(close_to(at::tensor(report.from_before), share, kOneRounding));
    EXPECT_GT(share[0].item<double>(), 0.05);
  }
}

// The operands are those that the scan itself reads: with its skip they give the scan's output.
TEST(HiddenAttention, IsTheScanWithoutItsSkip) {
  const int64_t H = 4, P = 3, N = 5, G = 2, T = 12;
  testing::SeededTensors random(3);
  const at::Tensor xBC = random.normal({1, T, H * P + 2 * G * N}, at::kDouble);
  const at::Tensor dt_raw = random.normal({1, T, H}, at::kDouble);
  const at::Tensor A = -random.normal({H}, at::kDouble).exp();
  const at::Tensor D = random.normal({H}, at::kDouble);
  const at::Tensor h_first = random.normal({1, H, P, N}, at::kDouble);
  ops::SsdScanOptions options;
  options.groups = G;
  options.state_dim = N;
  const at::Tensor y = ops::ssd_scan_naive(xBC, dt_raw, A, D, {}, h_first, options).y;
  const at::Tensor dt = ops::ssd_steps(dt_raw, {}, options)[0];  // [T,H]
  for (int64_t head = 0; head < H; ++head) {
    const int64_t g = head / (H / G);
    const at::Tensor x = xBC[0].narrow(1, head * P, P);
    const at::Tensor B = xBC[0].narrow(1, H * P + g * N, N);
    const at::Tensor C = xBC[0].narrow(1, H * P + G * N + g * N, N);
    const HeadOperands operands{x.unsqueeze(0), B.unsqueeze(0), C.unsqueeze(0),
                                dt.select(1, head).unsqueeze(0),
                                (dt * A).select(1, head).unsqueeze(0)};
    const HeadWeights weights = head_weights(operands, h_first[0][head]);
    EXPECT_TRUE(close_to(weights.within.matmul(x) + weights.before + D[head] * x,
                         y[0].select(1, head), rounding_tolerance<double>(T * N)));
  }
}

TEST(HiddenAttention, NeverLooksAhead) {
  const auto model = wide_model();
  const at::Tensor tokens = random_tokens(1, n, 256)[0];
  at::Tensor changed = tokens.clone();
  changed.slice(0, n / 2).fill_(7);
  const at::Tensor a = matrix(hidden_attention(*model, tokens, {}, {1, 2}));
  const at::Tensor b = matrix(hidden_attention(*model, changed, {}, {1, 2}));
  EXPECT_TRUE(at::equal(a.triu(1), at::zeros_like(a)));
  EXPECT_TRUE(testing::same_bits(a.slice(0, 0, n / 2), b.slice(0, 0, n / 2)));
  EXPECT_FALSE(at::equal(a, b));
}

TEST(HiddenAttention, OfALaterWindowIsItsBlockOfTheWhole) {
  const auto model = wide_model();
  const at::Tensor tokens = random_tokens(1, n, 256)[0];
  const AttentionReport whole = hidden_attention(*model, tokens, {}, {1, 1});
  const AttentionReport part =
      hidden_attention(*model, tokens.slice(0, 8), after(*model, tokens.slice(0, 0, 8)), {1, 1});
  EXPECT_TRUE(close_to(matrix(part), matrix(whole).slice(0, 8).slice(1, 8), kOneRounding));
  EXPECT_EQ(part.predicted.id, whole.predicted.id);
  EXPECT_NEAR(part.probability, whole.probability, 1e-12);
  EXPECT_THAT(whole.from_before, ::testing::Each(0.0F)) << "there is nothing before it";
  EXPECT_TRUE(close_to(at::tensor(part.leaning), at::tensor(whole.leaning).slice(0, 8),
                       kOneRounding));
}

TEST(HiddenAttention, TheLeaningIsTheDerivativeByATokensSize) {
  const auto model = wide_model();
  const at::Tensor tokens = random_tokens(1, n, 256)[0];
  const ModelState before = after(*model, random_tokens(1, 9, 256, 4)[0]);
  const AttentionReport report = hidden_attention(*model, tokens, before, {0, 0});
  ASSERT_EQ(report.leaning.size(), size_t(n));
  const at::NoGradGuard no_grad;
  const at::Tensor embedded = model->embed(tokens.unsqueeze(0));
  const auto log_p = [&](int64_t token, double factor) {
    ForwardOptions options;
    options.embedded = embedded.clone();
    options.embedded[0][token] *= factor;
    const ForwardResult result = model->forward(tokens.unsqueeze(0), before, options);
    return model->logits(result.hidden.slice(1, -1)).flatten().log_softmax(0)[report.predicted.id]
        .item<double>();
  };
  // Differences of fp64 numbers near 5 carry 1e-15 / eps, their curvature is of order eps^2: both
  // are far below the float that the report holds, for leanings down to 1e-3.
  constexpr double kEps = 1e-5;
  std::vector<double> wanted;
  for (int64_t t = 0; t < n; ++t) {
    wanted.push_back((log_p(t, 1 + kEps) - log_p(t, 1 - kEps)) / (2 * kEps));
  }
  EXPECT_TRUE(close_to(at::tensor(report.leaning), at::tensor(wanted, at::kDouble), kOneRounding));
  EXPECT_GT(at::tensor(wanted, at::kDouble).abs().max().item<double>(), 1e-3);
  for (const TensorEntry& weight : model->tensors()) {
    EXPECT_FALSE(weight.tensor.grad().defined()) << weight.name << ": a look leaves no gradient";
  }
}

TEST(HiddenAttention, WithoutGradientsHasNoLeaning) {
  const at::NoGradGuard no_grad;
  const auto narrow = tiny_model();
  const auto model = Mamba2::allocate(tiny_config(), at::kBFloat16);
  for (size_t i = 0; i < model->tensors().size(); ++i) {
    model->tensors()[i].tensor.copy_(narrow->tensors()[i].tensor);
  }
  const AttentionReport report =
      hidden_attention(*model, random_tokens(1, n, 256)[0], {}, {0, 1});
  EXPECT_TRUE(report.leaning.empty());
  EXPECT_EQ(report.weights.size(), size_t(n * n));
  EXPECT_GT(report.probability, 0);
}

TEST(HiddenAttention, RefusesAHeadThatIsNotThere) {
  const auto model = tiny_model();
  for (const HeadIndex focus : {HeadIndex{2, 0}, HeadIndex{0, 4}, HeadIndex{-1, 0}}) {
    try {
      hidden_attention(*model, random_tokens(1, 4, 256)[0], {}, focus);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadUsage);
      EXPECT_THAT(error.what(), ::testing::HasSubstr("2 layers of 4 heads"));
    }
  }
}

}  // namespace
}  // namespace farstate
