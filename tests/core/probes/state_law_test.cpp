// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on states whose law is known.
#include "core/probes/state_law.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "core/base/error.h"
#include "tests/support/synthetic_states.h"

namespace farstate {
namespace {

using namespace farstate::testing;
using ::testing::HasSubstr;

struct Size {
  int64_t R, P, N;
};
constexpr Size kSmall[] = {{16, 8, 16}, {64, 8, 16}};
constexpr Size kLarge[] = {{256, 8, 16}, {16, 64, 128}};  // of many states, of Mamba-2's size

using Law = std::function<at::Tensor(Size, uint64_t seed)>;

std::string numbers(const HeadLaw& head) {
  const HeadNumbers& n = head.numbers;
  const Dependence& d = n.dependence;
  return ::testing::PrintToString(std::vector<double>{
             n.mean_spread, n.std_spread, n.kurtosis, n.ks, d.leading_share.excess(),
             d.same_row.rms, d.same_column.rms, d.rank.value / d.rank.shuffled_mean,
             n.size_spread}) +
         head.sentence;
}

// Every seed and size has this verdict; the large ones, which take longer, with one seed.
void expect_law(StateLaw law, const Law& draw, int seeds = 2,
                const std::function<void(const HeadLaw&)>& check = {}) {
  const auto expect = [&](Size size, uint64_t seed) {
    SCOPED_TRACE(::testing::Message() << "R " << size.R << ", P " << size.P << ", N " << size.N
                                      << ", seed " << seed);
    const HeadLaw head = head_law(draw(size, seed));
    EXPECT_EQ(head.law, law) << numbers(head);
    if (check) check(head);
  };
  for (const Size size : kSmall) {
    for (int seed = 0; seed < seeds; ++seed) expect(size, uint64_t(seed));
  }
  for (const Size size : kLarge) expect(size, 0);
}

TEST(HeadLaw, IndependentGaussians) {
  expect_law(StateLaw::kVariancePerHead, [](Size s, uint64_t seed) {
    return gaussian(s.R, s.P, s.N, seed, 0.3, 2.0);
  }, 2, [](const HeadLaw& head) {
    EXPECT_NEAR(head.numbers.pooled.mean, 0.3, 5 * head.numbers.mean_error);
    EXPECT_NEAR(head.numbers.pooled.std(), 2, 5 * head.numbers.std_error);
  });
}

TEST(HeadLaw, ElementsThatDiffer) {
  // The logarithms of the standard deviations spread by 0.5, means by half of one.
  const auto check = [](const HeadLaw& head) {
    EXPECT_TRUE(head.elements_differ);
    EXPECT_THAT(head.sentence, HasSubstr("its elements differ"));
  };
  expect_law(StateLaw::kGaussianPerElement, [](Size s, uint64_t seed) {
    return differing_elements(s.R, s.P, s.N, 0, 0.5, seed);
  }, 2, check);
  expect_law(StateLaw::kGaussianPerElement, [](Size s, uint64_t seed) {
    return differing_elements(s.R, s.P, s.N, 0.5, 0, seed);
  }, 2, check);
}

TEST(HeadLaw, OtherTailsAndShapes) {
  const auto check = [](const HeadLaw& head) { EXPECT_TRUE(head.not_gaussian); };
  expect_law(StateLaw::kNotGaussian, [](Size s, uint64_t seed) {
    return student_t3(s.R, s.P, s.N, seed);
  }, 2, check);
  expect_law(StateLaw::kNotGaussian, [](Size s, uint64_t seed) {
    return uniform(s.R, s.P, s.N, seed);
  }, 2, check);
  // Skewed: an exponential law.
  expect_law(StateLaw::kNotGaussian, [](Size s, uint64_t seed) {
    return uniform(s.R, s.P, s.N, seed).mul_(0.4999999).add_(0.5).log_().neg_();
  }, 2, check);
}

TEST(HeadLaw, CorrelatedElements) {
  for (const double share : {0.3, 0.6, 0.9}) {
    expect_law(StateLaw::kDependent, [share](Size s, uint64_t seed) {
      return low_rank(s.R, s.P, s.N, 4, share, seed);
    }, 2, [](const HeadLaw& head) {
      EXPECT_TRUE(head.correlated);
      EXPECT_THAT(head.sentence, HasSubstr("correlated"));
    });
  }
  // One factor per row: broad in the spectrum, plain within a row.
  expect_law(StateLaw::kDependent, [](Size s, uint64_t seed) {
    return row_factors(s.R, s.P, s.N, 0.4, seed);
  }, 2, [](const HeadLaw& head) { EXPECT_TRUE(head.correlated); });
}

TEST(HeadLaw, OuterProductsOfARecurrence) {
  for (const double decay : {0.5, 0.9}) {
    expect_law(StateLaw::kDependent, [decay](Size s, uint64_t seed) {
      return outer_products(s.R, s.P, s.N, decay, seed);
    }, 2, [](const HeadLaw& head) {
      EXPECT_TRUE(head.low_rank);
      EXPECT_THAT(head.sentence, HasSubstr("low rank"));
    });
  }
}

TEST(HeadLaw, StatesOfDifferentSize) {
  expect_law(StateLaw::kDependent, [](Size s, uint64_t seed) {
    return differing_sizes(s.R, s.P, s.N, 0.4, seed);
  }, 2, [](const HeadLaw& head) { EXPECT_TRUE(head.sizes_differ); });
}

// Differences below the thresholds do not count, however significant with 256 x 128 numbers.
TEST(HeadLaw, SmallDeviationsDoNotMatter) {
  expect_law(StateLaw::kVariancePerHead, [](Size s, uint64_t seed) {
    return differing_elements(s.R, s.P, s.N, 0.05, 0.05, seed) +
           0.05 * gaussian(s.R, s.P, 1, 9000 + seed);
  }, 2);
}

// Wrong verdicts on independent Gaussians: 0 of these 100. Each finding asks for 4 standard errors
// or more and a size that matters, so one in hundreds is what the tails of 8 shuffles allow.
TEST(HeadLaw, FalsePositives) {
  for (const Size size : kSmall) {
    for (uint64_t seed = 100; seed < 150; ++seed) {
      const HeadLaw head = head_law(gaussian(size.R, size.P, size.N, seed));
      EXPECT_EQ(head.law, StateLaw::kVariancePerHead) << size.R << " " << seed << numbers(head);
    }
  }
}

TEST(HeadLaw, OfAConstantState) {
  const HeadLaw head = head_law(at::full({8, 2, 3}, 0.7f));
  EXPECT_EQ(head.law, StateLaw::kVariancePerHead);
  EXPECT_THAT(head.sentence, HasSubstr("All elements of all 8 states are 0.7"));
  // Constant, and different: only the means tell.
  const HeadLaw differing = head_law(gaussian(1, 4, 4, 0).expand({8, 4, 4}));
  EXPECT_EQ(differing.law, StateLaw::kGaussianPerElement) << differing.sentence;
}

TEST(HeadLaw, IsRepeatableAndRefusesWhatIsNotFinite) {
  const at::Tensor states = outer_products(16, 4, 8, 0.7, 0);
  EXPECT_EQ(head_law(states).sentence, head_law(states.clone()).sentence);
  at::Tensor broken = states.clone();
  broken[0][0][0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(head_law(broken), Error);
}

std::vector<HeadLaw> heads_of(const std::vector<at::Tensor>& states) {
  std::vector<HeadLaw> heads;
  for (const at::Tensor& s : states) heads.push_back(head_law(s));
  return heads;
}

TEST(ModelLaw, OneVarianceForHeadsThatAgree) {
  std::vector<at::Tensor> states;
  for (uint64_t head = 0; head < 12; ++head) states.push_back(gaussian(32, 8, 16, head, 0, 1.5));
  const ModelLaw law = model_law(heads_of(states));
  EXPECT_EQ(law.law, StateLaw::kOneVariance) << law.sentence;
  EXPECT_NEAR(law.std, 1.5, 0.03);  // standard error 1.5 / sqrt(2 x 12 x 4096) = 0.005
  EXPECT_THAT(law.sentence, HasSubstr("One variance for all heads is enough: of 12 heads, 0 have"));
}

TEST(ModelLaw, VariancePerHead) {
  std::vector<at::Tensor> spread, shifted;
  for (uint64_t head = 0; head < 12; ++head) {
    spread.push_back(gaussian(32, 8, 16, head, 0, 0.2 * double(head + 1)));
    shifted.push_back(gaussian(32, 8, 16, head, head % 2 ? 0.4 : -0.4, 1));
  }
  EXPECT_EQ(model_law(heads_of(spread)).law, StateLaw::kVariancePerHead);
  EXPECT_EQ(model_law(heads_of(shifted)).law, StateLaw::kVariancePerHead);
}

TEST(ModelLaw, ATenthOfTheHeadsDecides) {
  std::vector<at::Tensor> states;
  for (uint64_t head = 0; head < 19; ++head) states.push_back(gaussian(16, 8, 16, head));
  states.push_back(outer_products(16, 8, 16, 0.5, 0));
  ModelLaw law = model_law(heads_of(states));
  EXPECT_EQ(law.law, StateLaw::kOneVariance) << law.sentence;
  EXPECT_EQ(law.dependent, 1);
  states[0] = low_rank(16, 8, 16, 2, 0.8, 0);
  law = model_law(heads_of(states));
  EXPECT_EQ(law.law, StateLaw::kDependent) << law.sentence;
  EXPECT_EQ(law.dependent, 2);
}

}  // namespace
}  // namespace farstate
