// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cross_entropy/cross_entropy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/guarded_buffer.h"
#include "tests/support/tolerance.h"

namespace farstate::kernels {
namespace {

using farstate::testing::close_to;
using farstate::testing::GuardedBuffer;
using farstate::testing::rounding_tolerance;

template <class Real>
struct Head {
  static constexpr int64_t kGap = 3;
  NllSizes s;
  int64_t width = s.D + kGap;
  int64_t blocks = nll_tasks(s).column_blocks;
  GuardedBuffer<Real> hidden{s.R * width}, weight{s.V * width}, grad_nll{s.R};
  std::vector<int64_t> targets;
  GuardedBuffer<Real> block_max{blocks * s.R}, block_sum{blocks * s.R}, target_logit{s.R};
  GuardedBuffer<Real> log_sum_exp{s.R}, nll{s.R}, grad_logits{s.R * s.V};

  Head(const NllSizes& sizes, double scale) : s(sizes) {
    hidden.fill_normal(1, 0, scale, s.D, width);
    weight.fill_normal(2, 0, 1 / std::sqrt(double(s.D)), s.D, width);
    grad_nll.fill_normal(3);
    for (int64_t r = 0; r < s.R; ++r) targets.push_back((r * 7 + s.V - 1) % s.V);
  }

  NllInputs<Real> inputs() const {
    return {s, {hidden.data(), width, 1}, {weight.data(), width, 1}, {}, targets.data()};
  }

  // The gradients come in columns [0, cut) and [cut, V).
  void run(Isa isa, int64_t cut) {
    const NllForward<Real> forward{inputs(), block_max.data(), block_sum.data(),
                                   target_logit.data()};
    nll_forward(forward, 0, nll_tasks(s).count, isa);
    nll_combine(forward, log_sum_exp.data(), nll.data());
    for (const auto& [first, columns] : {std::pair<int64_t, int64_t>{0, cut}, {cut, s.V - cut}}) {
      const LogitGradients<Real> args{inputs(),           first,           columns,
                                      log_sum_exp.data(), grad_nll.data(), grad_logits.data() + first,
                                      s.V};
      logit_gradients(args, 0, nll_tasks({s.R, s.D, columns}).count, isa);
    }
  }

  void expect_near_oracle(double scale) const {
    std::vector<double> want_nll, want_grad;
    for (int64_t r = 0; r < s.R; ++r) {
      std::vector<double> logits;
      double sum = 0;
      for (int64_t v = 0; v < s.V; ++v) {
        double logit = 0;
        for (int64_t d = 0; d < s.D; ++d) {
          logit += double(hidden.data()[r * width + d]) * double(weight.data()[v * width + d]);
        }
        logits.push_back(logit);
        sum += std::exp(logit);
      }
      const double lse = std::log(sum);
      want_nll.push_back(lse - logits[size_t(targets[size_t(r)])]);
      for (int64_t v = 0; v < s.V; ++v) {
        const double chance = std::exp(logits[size_t(v)] - lse);
        want_grad.push_back((chance - (v == targets[size_t(r)] ? 1 : 0)) * grad_nll.data()[r]);
      }
    }
    // A logit is a sum of D terms of its own size; exp carries its absolute error, `scale` times the
    // relative one.
    const auto terms = static_cast<int64_t>(double(s.D + s.V) * std::max(1.0, scale * scale));
    EXPECT_TRUE(close_to(nll.data(), want_nll.data(), s.R, rounding_tolerance<Real>(terms)));
    EXPECT_TRUE(close_to(grad_logits.data(), want_grad.data(), s.R * s.V,
                         rounding_tolerance<Real>(terms)));
    for (const auto* buffer : {&block_max, &block_sum, &target_logit, &nll, &grad_logits}) {
      EXPECT_TRUE(buffer->fences_intact());
    }
  }
};

template <class Real>
class CrossEntropyKernel : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(CrossEntropyKernel, Reals);

TYPED_TEST(CrossEntropyKernel, EqualsTheSumsInDouble) {
  for (const Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
    if (!isa_supported(isa)) continue;
    for (const NllSizes& sizes : {NllSizes{1, 1, 2}, NllSizes{3, 5, 2}, NllSizes{7, 33, 65},
                                  NllSizes{90, 20, 300}, NllSizes{5, 300, 515}}) {
      for (const double scale : {1.0, 30.0}) {
        SCOPED_TRACE(::testing::Message() << isa_name(isa) << " R " << sizes.R << " D " << sizes.D
                                          << " V " << sizes.V << " scale " << scale);
        Head<TypeParam> head(sizes, scale);
        head.run(isa, sizes.V / 3);
        head.expect_near_oracle(scale);
      }
    }
  }
}

// Logits beyond the range of exp, and rows whose logits are all far below zero.
TYPED_TEST(CrossEntropyKernel, NeitherOverflowsNorVanishes) {
  for (const double level : {-2000.0, 2000.0}) {
    Head<TypeParam> head({4, 1, 41}, 1);
    for (int64_t r = 0; r < 4; ++r) head.hidden[r * head.width] = TypeParam(level);
    for (int64_t v = 0; v < 41; ++v) head.weight[v * head.width] = TypeParam(1);
    head.run(best_isa(), 20);
    for (int64_t r = 0; r < 4; ++r) EXPECT_NEAR(head.nll[r], std::log(41.0), 2000 * 1.2e-7);
  }
}

TYPED_TEST(CrossEntropyKernel, ANaNIsNotLost) {
  Head<TypeParam> head({3, 4, 70}, 1);
  head.hidden[head.width + 2] = std::numeric_limits<TypeParam>::quiet_NaN();
  head.run(best_isa(), 30);
  EXPECT_TRUE(std::isfinite(head.nll[0]));
  EXPECT_TRUE(std::isnan(head.nll[1]));
  EXPECT_TRUE(std::isfinite(head.nll[2]));
}

TYPED_TEST(CrossEntropyKernel, RangesOfTasksGiveTheSameBits) {
  Head<TypeParam> whole({200, 20, 530}, 1), cut({200, 20, 530}, 1);
  const int64_t tasks = nll_tasks({200, 20, 530}).count;
  const auto forward = [](Head<TypeParam>& head) {
    return NllForward<TypeParam>{head.inputs(), head.block_max.data(), head.block_sum.data(),
                                 head.target_logit.data()};
  };
  nll_forward(forward(whole), 0, tasks);
  for (int64_t task = 0; task < tasks; ++task) nll_forward(forward(cut), task, task + 1);
  EXPECT_TRUE(cut.block_max.same_bits(whole.block_max));
  EXPECT_TRUE(cut.block_sum.same_bits(whole.block_sum));
  EXPECT_TRUE(cut.target_logit.same_bits(whole.target_logit));
}

}  // namespace
}  // namespace farstate::kernels
