// SPDX-License-Identifier: GPL-3.0-or-later
// Correlated noise against exact covariances, and against a law that is known.
#include "core/interventions/correlated_noise.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::bit_equal;
using testing::random_state;
using testing::tiny_model;

constexpr int64_t kElements = 120;  // of a head of the tiny model

std::unique_ptr<CorrelatedNoise> law_of_rank(const RecurrentLM& model, int64_t rank, double momentum) {
  InterventionConfig config;
  config.kind = Intervention::kCorrelatedNoise;
  config.zero_probability = 0;
  config.fitted_rank = rank;
  config.fitted_momentum = momentum;
  return std::make_unique<CorrelatedNoise>(config, model.zero_state(1), 3);
}

at::Tensor elements(const ModelState& state, size_t layer, int64_t head) {
  return state.layers[layer].recurrent.select(1, head).flatten(1).to(at::kDouble);  // [B,M]
}

at::Tensor covariance(const CorrelatedNoise& law, size_t layer, int64_t head) {
  const CorrelatedNoise::Fit& fit = law.fits()[layer];
  const at::Tensor factors = fit.factors[head].to(at::kDouble);
  const at::Tensor common = factors.t().matmul(factors);
  return common - common.diagonal().diag() + fit.variance[head].to(at::kDouble).diag();
}

// Elements of one head that share two factors, one even and one alternating, and have noise of their
// own besides: mean 1, variance 1 + 0.5 + 0.25.
constexpr double kStrong = 1.0, kWeak = 0.5, kOwn = 0.25;

at::Tensor known_covariance() {
  const at::Tensor even = at::ones({kElements}, at::kDouble);
  const at::Tensor alternating = 1 - 2 * at::arange(kElements).remainder(2).to(at::kDouble);
  return kStrong * at::outer(even, even) + kWeak * at::outer(alternating, alternating) +
         kOwn * at::eye(kElements, at::kDouble);
}

ModelState known_states(const RecurrentLM& model, int64_t batch, uint64_t seed) {
  ModelState state = random_state(model, batch, seed);
  Rng rng(seed, RngStream::kMeasure);
  for (LayerState& layer : state.layers) {
    const at::Tensor rows = layer.recurrent.flatten(2);  // [B,H,M], a view
    for (int64_t row = 0; row < batch; ++row) {
      for (int64_t head = 0; head < rows.size(1); ++head) {
        const at::Tensor h = rows[row][head].mul_(std::sqrt(kOwn)).add_(1);
        h.add_(std::sqrt(kStrong) * rng.normal());
        const double weak = std::sqrt(kWeak) * rng.normal();
        h.slice(0, 0, kElements, 2).add_(weak);
        h.slice(0, 1, kElements, 2).sub_(weak);
      }
    }
  }
  return state;
}

// Where the rank loses nothing, the fit is the covariance itself: here of 5 steps with weights
// (1 - keep) keep^k of their own covariance and of the ways between their means.
TEST(CorrelatedNoise, IsTheExactCovarianceWhereItsRankSuffices) {
  const auto model = tiny_model();
  constexpr int64_t B = 4, kSteps = 5;
  constexpr double kMomentum = 0.6;
  const auto law = law_of_rank(*model, 30, kMomentum);
  at::Tensor first = at::zeros({kElements}, at::kDouble);
  at::Tensor second = at::zeros({kElements, kElements}, at::kDouble);
  for (int64_t step = 0; step < kSteps; ++step) {
    const ModelState state = random_state(*model, B, static_cast<uint64_t>(step) + 10);
    law->observe({state});
    const double keep = std::min(kMomentum, 1.0 - 1.0 / static_cast<double>(step + 1));
    const at::Tensor h = elements(state, 1, 2);
    first = keep * first + (1 - keep) * h.mean(0);
    second = keep * second + (1 - keep) * h.t().matmul(h) / B;
  }
  // fp32 rows, whose products are summed in fp64: some roundings of 6e-8 per step.
  EXPECT_LT(testing::scaled_error(law->fits()[1].mean[2], first), 1e-6);
  EXPECT_LT(testing::scaled_error(covariance(*law, 1, 2), second - at::outer(first, first)), 3e-6);
}

TEST(CorrelatedNoise, FindsFactorsAndDiagonal) {
  const auto model = tiny_model();
  constexpr int64_t B = 32, kSteps = 200;
  const auto law = law_of_rank(*model, 2, 0.999);  // the plain average of all steps
  for (int64_t step = 0; step < kSteps; ++step) {
    law->observe({known_states(*model, B, static_cast<uint64_t>(step) + 10)});
  }
  // An entry of a sample's covariance has the variance (C_ii C_jj + C_ij^2) / n; six of its standard
  // deviations for 57,600 entries. The leading eigenvalues hold the diagonal's variance beside the
  // factors', which gives entries kOwn / M each.
  const at::Tensor wanted = known_covariance();
  const at::Tensor variances = wanted.diagonal();
  const double n = B * kSteps;
  const at::Tensor tolerance =
      6 * ((at::outer(variances, variances) + wanted.square()) / n).sqrt() + 2 * kOwn / kElements;
  for (size_t layer = 0; layer < 2; ++layer) {
    for (int64_t head = 0; head < 4; ++head) {
      const at::Tensor error = (covariance(*law, layer, head) - wanted).abs();
      EXPECT_TRUE((error <= tolerance).all().item<bool>())
          << (error - tolerance).max().item<double>();
      const at::Tensor off = (law->fits()[layer].mean[head].to(at::kDouble) - 1).abs();
      EXPECT_LT(off.max().item<double>(), 6 * std::sqrt(1.75 / n));
    }
  }
  const auto fitted = law->fitted();
  EXPECT_EQ(fitted->law, Intervention::kCorrelatedNoise);
  EXPECT_LT((fitted->std - std::sqrt(1.75)).abs().max().item<double>(), 6 * 1.75 / std::sqrt(n));
}

TEST(CorrelatedNoise, DrawsWhatItHasFitted) {
  const auto model = tiny_model();
  const auto law = law_of_rank(*model, 2, 0.999);
  InterventionConfig iid;
  iid.kind = Intervention::kFittedNoise;
  iid.zero_probability = 0;
  const auto independent = make_policy(iid, model->zero_state(1), 3);
  for (uint64_t step = 0; step < 100; ++step) {
    const ModelState state = known_states(*model, 32, step + 10);
    law->observe({state});
    independent->observe({state});
  }
  constexpr int64_t B = 1000;
  const at::Tensor wanted = known_covariance();
  const at::Tensor correlation = wanted / wanted.diagonal()[0];
  const at::Tensor off_diagonal = 1 - at::eye(kElements, at::kDouble);
  const auto rms = [&](const at::Tensor& c) {
    return ((c * off_diagonal).square().sum() / off_diagonal.sum()).sqrt().item<double>();
  };
  const auto wrong_by = [&](InitialStatePolicy& drawn_from) {
    const at::Tensor h = elements(drawn_from.initial(B, 5), 0, 3);
    return rms(at::corrcoef(h.t()) - correlation);
  };
  // A correlation of B samples has a standard deviation below 1/sqrt(B); the fit's own is less,
  // being of 3200. Two factors, so few degrees of freedom, move all entries at once: three of them.
  EXPECT_LT(wrong_by(*law), 3 / std::sqrt(static_cast<double>(B)));
  EXPECT_GT(wrong_by(*independent), 0.9 * rms(correlation)) << "IID has none of the correlation";

  const at::Tensor h = elements(law->initial(B, 5), 0, 3);
  const at::Tensor mean = law->fits()[0].mean[3].to(at::kDouble);
  EXPECT_LT((h.mean(0) - mean).abs().max().item<double>(), 6 * std::sqrt(1.75 / B));
}

TEST(CorrelatedNoise, OfRankNoughtHasADiagonalAlone) {
  const auto model = tiny_model();
  const auto law = law_of_rank(*model, 0, 0.99);
  law->observe({known_states(*model, 32, 1)});
  const ModelState drawn = law->initial(2, 1);
  EXPECT_TRUE(drawn.layers[0].recurrent.isfinite().all().item<bool>());
  EXPECT_GT(drawn.layers[0].recurrent.std().item<double>(), 0.5);
}

// Batches of one row have no covariance of their own: it comes from the ways between their means.
TEST(CorrelatedNoise, LearnsFromSingleRows) {
  const auto model = tiny_model();
  const auto law = law_of_rank(*model, 2, 0.999);
  for (uint64_t step = 0; step < 400; ++step) law->observe({known_states(*model, 1, step)});
  const double n = 400;
  EXPECT_LT((law->fitted()->std - std::sqrt(1.75)).abs().max().item<double>(),
            6 * 1.75 / std::sqrt(n));
  EXPECT_GE(law->fits()[0].variance.min().item<float>(), 0);
}

TEST(CorrelatedNoise, TheNumberOfThreadsChangesNoBit) {
  const auto model = tiny_model();
  std::vector<ModelState> drawn;
  const int threads = at::get_num_threads();
  for (const int count : {1, 2}) {
    at::set_num_threads(count);
    const auto law = law_of_rank(*model, 4, 0.9);
    for (uint64_t step = 0; step < 6; ++step) law->observe({known_states(*model, 8, step)});
    drawn.push_back(law->initial(8, 6));
  }
  at::set_num_threads(threads);
  for (size_t layer = 0; layer < 2; ++layer) {
    EXPECT_TRUE(bit_equal(drawn[0].layers[layer].recurrent, drawn[1].layers[layer].recurrent));
  }
}

}  // namespace
}  // namespace farstate
