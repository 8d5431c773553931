// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of whole states, against the raw states of forward passes over prefixes.
#include "core/probes/state_distribution.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/base/error.h"
#include "core/probes/dependence.h"
#include "core/probes/state_dump.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::random_tokens;
using testing::tiny_model;

constexpr int64_t S = 3, N = 40, T = 16;

// [S,H,P,N] of a layer after `position` tokens.
at::Tensor raw_state(const RecurrentLM& model, const at::Tensor& tokens, int64_t position,
                     int64_t layer) {
  return model.forward(tokens.slice(1, 0, position), {}, {})
      .state.layers[static_cast<size_t>(layer)]
      .recurrent;
}

std::vector<float> sorted_elements(const std::vector<at::Tensor>& parts) {
  std::vector<float> values;
  for (const at::Tensor& part : parts) {
    const at::Tensor flat = part.contiguous();
    values.insert(values.end(), flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
  }
  std::sort(values.begin(), values.end());
  return values;
}

void sweep(const RecurrentLM& model, const at::Tensor& tokens, Probe& probe) {
  const at::NoGradGuard no_grad;
  // Two groups of rows and segments across the positions, as a long measurement has them.
  for (const auto& [first, last] : {std::pair<int64_t, int64_t>{0, 2}, {2, 3}}) {
    UnrollOptions options;
    options.segment = 7;
    options.state_positions = probe.state_positions();
    unroll(model, tokens.slice(0, first, last), {}, options,
           [&, begin = first](const UnrollSegment& segment) { probe.observe(begin, segment); });
  }
}

struct Shape {
  double mean = 0, std = 0, skewness = 0, excess_kurtosis = 0;
};

// In float64, straight from the definitions.
Shape shape_of(const at::Tensor& h) {
  const at::Tensor x = h.to(at::kDouble).flatten();
  const at::Tensor d = x - x.mean();
  Shape shape;
  shape.mean = x.mean().item<double>();
  shape.std = std::sqrt(d.square().mean().item<double>());
  shape.skewness = d.pow(3).mean().item<double>() / std::pow(shape.std, 3);
  shape.excess_kurtosis = d.pow(4).mean().item<double>() / std::pow(shape.std, 4) - 3;
  return shape;
}

// The states of two forward passes over other segments differ by some roundings of 6e-8 of their
// largest elements; the fourth power takes a few times that, over kurtoses up to about 10.
constexpr double kShapeBound = 1e-4;

at::Tensor cosines(const at::Tensor& a, const at::Tensor& b) {  // [S,P,N] twice -> [S]
  const at::Tensor x = a.to(at::kDouble).flatten(1), y = b.to(at::kDouble).flatten(1);
  return (x * y).sum(1) / (x.norm(2, {1}) * y.norm(2, {1}));
}

TEST(StateDistribution, AgreesWithTheRawStates) {
  const auto model = tiny_model();
  const at::Tensor tokens = random_tokens(S, N, 256);
  StateDistribution probe(*model, S, N, T, {});
  sweep(*model, tokens, probe);
  const at::NoGradGuard no_grad;
  const std::vector<double> positions = {2, 4, 8, 16, 32, 40};  // T's parts, powers of two, the end
  int compared = 0;
  for (const Series& series : probe.series({S, N})) {
    ASSERT_THAT(series.x, ::testing::ElementsAreArray(positions)) << series.name;
    const auto of_head = [&](int64_t position) {
      return raw_state(*model, tokens, position, *series.layer).select(1, *series.head);  // [S,P,N]
    };
    const std::vector<float> trained =
        sorted_elements({of_head(2), of_head(4), of_head(8), of_head(16)});
    for (size_t i = 0; i < series.x.size(); ++i) {
      const at::Tensor h = of_head(static_cast<int64_t>(series.x[i]));
      double wanted = 0;
      double bound = 0;
      if (series.name == "effective_rank") {
        for (int64_t s = 0; s < 2; ++s) wanted += effective_rank(h[s]).value / 2;
        bound = 1e-4 * wanted;
      } else if (series.name == "ks_distance") {
        wanted = ks_distance(sorted_elements({h}), trained);
        // Elements of fp32 passes over other segments may change places with their neighbours.
        bound = 5.0 / static_cast<double>(h.numel());
      } else if (series.name == "wasserstein") {
        wanted = wasserstein_1(sorted_elements({h}), trained);
        bound = 1e-4 * wanted;
      } else if (series.name == "state_cosine") {
        wanted = cosines(h, of_head(T)).mean().item<double>();
        bound = 1e-5;
      } else {
        const Shape shape = shape_of(h);
        wanted = series.name == "state_skewness" ? shape.skewness : shape.excess_kurtosis;
        bound = kShapeBound;
      }
      EXPECT_NEAR(series.y[i], wanted, bound) << series.name << " at " << series.x[i];
      ++compared;
    }
  }
  EXPECT_EQ(compared, 2 * 4 * 6 * 6);
}

TEST(StateDistribution, TheReportIsThatOfTheRawStates) {
  const auto model = tiny_model();
  const at::Tensor tokens = random_tokens(S, N, 256);
  DistributionOptions options;
  options.pins = {40, 10};
  options.curves = false;
  StateDistribution probe(*model, S, N, T, options);
  EXPECT_THAT(probe.state_positions(), ::testing::ElementsAre(1, 3, 7, 9, 15, 39));
  sweep(*model, tokens, probe);
  EXPECT_TRUE(probe.series({S, N}).empty());
  const at::NoGradGuard no_grad;
  const StateReport report = probe.report({S, N});
  EXPECT_EQ(report.sequences, S);
  EXPECT_THAT(report.positions, ::testing::ElementsAre(40, 10)) << "as asked";
  EXPECT_THAT(report.training, ::testing::ElementsAre(2, 4, 8, 16));
  ASSERT_EQ(report.normal_quantiles.size(), 65U);
  EXPECT_NEAR(report.normal_quantiles[32], 0.0, 1e-12);
  const double n = S * 12 * 10;
  EXPECT_NEAR(report.normal_quantiles.back(), normal_quantile(1 - 0.5 / n), 1e-9);
  ASSERT_EQ(report.heads.size(), 8U);
  for (const HeadReport& head : report.heads) {
    const auto of_head = [&](int64_t position) {
      return raw_state(*model, tokens, position, head.index.layer).select(1, head.index.head);
    };
    const at::Tensor trained = at::cat({of_head(2), of_head(4), of_head(8), of_head(16)});
    ASSERT_TRUE(head.training.has_value());
    EXPECT_EQ(head.training->states, 4 * S);
    EXPECT_TRUE(std::isnan(head.training->cosine));
    ASSERT_EQ(head.at.size(), 2U);
    const auto expect = [&](const ElementDistribution& d, const at::Tensor& h) {
      const std::vector<float> sorted = sorted_elements({h});
      const Shape shape = shape_of(h);
      EXPECT_EQ(d.counted, static_cast<int64_t>(sorted.size())) << "nothing is thinned here";
      EXPECT_NEAR(d.mean, shape.mean, 1e-5 * shape.std);
      EXPECT_NEAR(d.std, shape.std, 1e-5 * shape.std);
      EXPECT_NEAR(d.skewness, shape.skewness, kShapeBound);
      EXPECT_NEAR(d.excess_kurtosis, shape.excess_kurtosis, kShapeBound);
      EXPECT_NEAR(d.smallest, sorted.front(), 1e-5 * shape.std);
      EXPECT_NEAR(d.largest, sorted.back(), 1e-5 * shape.std);
      const at::Tensor matrices = h.to(at::kDouble);
      EXPECT_NEAR(d.norm, matrices.norm(2, {1, 2}).mean().item<double>(), 1e-5 * d.norm);
      ASSERT_EQ(d.counts.size() + 1, head.edges.size());
      int64_t differing = 0;
      for (size_t bin = 0; bin < d.counts.size(); ++bin) {
        const bool last = bin + 1 == d.counts.size();
        const double low = head.edges[bin], high = head.edges[bin + 1];
        const auto counted = std::count_if(sorted.begin(), sorted.end(), [&](float v) {
          return v >= low && (v < high || (last && v == high));
        });
        differing += std::abs(counted - d.counts[bin]);
      }
      EXPECT_LE(differing, 4) << "an element that lies on an edge, to rounding";
      EXPECT_EQ(d.below + d.above + std::accumulate(d.counts.begin(), d.counts.end(), int64_t{0}),
                d.counted);
      ASSERT_EQ(d.quantiles.size(), report.normal_quantiles.size());
      for (size_t i = 0; i < d.quantiles.size(); ++i) {
        EXPECT_NEAR(d.quantiles[i], quantile(sorted, normal_cdf(report.normal_quantiles[i])),
                    1e-5 * shape.std);
      }
    };
    expect(*head.training, trained);
    for (const ElementDistribution& d : head.at) {
      const at::Tensor h = of_head(d.position);
      EXPECT_EQ(d.states, S);
      expect(d, h);
      // The first two sequences' matrices, and all of their singular values but the smallest.
      const at::Tensor wanted = at::linalg_svdvals(h.slice(0, 0, 2).to(at::kDouble)).mean(0);
      ASSERT_EQ(d.singular_values.size(), 8U);
      for (int64_t i = 0; i < 8; ++i) {
        EXPECT_NEAR(d.singular_values[static_cast<size_t>(i)], wanted[i].item<double>(),
                    1e-5 * wanted[0].item<double>());
      }
      EXPECT_NEAR(d.cosine, cosines(h, of_head(T)).mean().item<double>(), 1e-5);
      EXPECT_NEAR(d.ks_distance, ks_distance(sorted_elements({h}), sorted_elements({trained})),
                  5.0 / static_cast<double>(h.numel()));
    }
    EXPECT_EQ(head.at[0].position, 40);
    EXPECT_EQ(head.at[1].position, 10);
  }
}

TEST(StateDistribution, LooksForTheLawOfTheHeadInFocus) {
  const auto model = tiny_model();
  constexpr int64_t kRows = 9;
  const at::Tensor tokens = random_tokens(kRows, N, 256);
  DistributionOptions options;
  options.pins = {T};
  options.focus = {1, 2};
  StateDistribution probe(*model, kRows, N, T, options);
  const at::NoGradGuard no_grad;
  UnrollOptions unrolled;
  unrolled.state_positions = probe.state_positions();
  unroll(*model, tokens, {}, unrolled, [&](const UnrollSegment& s) { probe.observe(0, s); });
  probe.look_for_law({kRows, N});
  const StateReport report = probe.report({kRows, N});
  EXPECT_THAT(report.law, ::testing::HasSubstr("after 16 tokens, over 9 sequences and 8 of 8 heads"));
  const HeadReport& head = report.heads[6];
  ASSERT_TRUE(head.index == (HeadIndex{1, 2}) && head.law.has_value());
  const HeadLawReport& law = *head.law;
  const at::Tensor states = raw_state(*model, tokens, T, 1).select(1, 2).contiguous();
  const HeadLaw wanted = head_law(states);
  EXPECT_EQ(law.law, to_string(wanted.law));
  EXPECT_EQ(law.position, T);
  EXPECT_EQ(law.states, kRows);
  EXPECT_NEAR(law.rank, wanted.numbers.dependence.rank.value, 1e-4 * law.rank);
  EXPECT_NEAR(std::accumulate(law.spectrum.begin(), law.spectrum.end(), 0.0), 1.0, 1e-6);
  // The picture against NumPy's corrcoef, as it were.
  ASSERT_EQ(law.side, 48);
  const at::Tensor flat = states.reshape({kRows, -1}).to(at::kDouble);
  const at::Tensor all = at::corrcoef(flat.t());
  for (int64_t i = 0; i < law.side; ++i) {
    for (int64_t j = 0; j < law.side; ++j) {
      EXPECT_NEAR(law.correlation[static_cast<size_t>(i * law.side + j)],
                  all[i * 120 / 48][j * 120 / 48].item<double>(), 2e-4);
    }
  }
}

TEST(StateDistribution, ShowsHowFarItHasCome) {
  const auto model = tiny_model();
  const at::Tensor tokens = random_tokens(S, N, 256);
  DistributionOptions options;
  options.pins = {8, 40};
  StateDistribution probe(*model, S, N, T, options);
  sweep(*model, tokens, probe);
  for (const Series& series : probe.series({S, 20})) EXPECT_EQ(series.x.back(), 16.0) << series.name;
  const StateReport report = probe.report({S, 20});
  EXPECT_THAT(report.positions, ::testing::ElementsAre(8));
  EXPECT_THAT(report.notes, ::testing::Contains(::testing::HasSubstr("8, 40 only those up to 20")));
}

TEST(StateDistribution, SaysWhatItCannotSay) {
  const auto model = tiny_model();
  const at::Tensor tokens = random_tokens(S, N, 256);
  StateDistribution probe(*model, S, N, /*trained_context=*/0, {});
  sweep(*model, tokens, probe);
  probe.look_for_law({S, N});
  for (const Series& series : probe.series({S, N})) {
    EXPECT_THAT(series.name, ::testing::AnyOf("effective_rank", "state_skewness", "state_kurtosis"));
  }
  EXPECT_THAT(probe.notes({S, N}),
              ::testing::ElementsAre(::testing::HasSubstr("trained context is not recorded"),
                                     ::testing::HasSubstr("takes 8 sequences or more, and there are 3")));
}

TEST(StateDump, WritesTheStatesOfAllSequences) {
  const auto model = tiny_model();
  const at::Tensor tokens = random_tokens(S, N, 256);
  const testing::TempFolder folder;
  StateDump probe(*model, S, N, {30, 5}, folder.file("states"));
  sweep(*model, tokens, probe);
  const at::NoGradGuard no_grad;
  for (const int64_t index : {5, 30}) {
    for (int64_t layer = 0; layer < 2; ++layer) {
      const std::string name = "states/state_L" + std::to_string(layer) + "_t" + std::to_string(index);
      const std::string file = testing::read_all(folder.file(name + ".npy"));
      EXPECT_THAT(file, ::testing::HasSubstr("'descr': '<f4', 'fortran_order': False, 'shape': (3, 4, 12, 10)"));
      const at::Tensor wanted = raw_state(*model, tokens, index + 1, layer).contiguous();
      ASSERT_EQ((file.size() - wanted.nbytes()) % 64, 0U);
      at::Tensor found = at::empty_like(wanted);
      std::memcpy(found.data_ptr(), file.data() + (file.size() - wanted.nbytes()), wanted.nbytes());
      EXPECT_LE(testing::scaled_error(found, wanted), 5e-6);
    }
  }
  EXPECT_THROW(StateDump(*model, S, N, {40}, folder.file("other")), Error);
}

}  // namespace
}  // namespace farstate
