// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of whole states, against the raw states of forward passes over prefixes.
#include "core/probes/state_distribution.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

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

TEST(StateDistribution, AgreesWithTheRawStates) {
  const auto model = tiny_model();
  const at::Tensor tokens = random_tokens(S, N, 256);
  StateDistribution probe(*model, S, N, T, /*seed=*/0);
  sweep(*model, tokens, probe);
  const at::NoGradGuard no_grad;
  const std::vector<double> positions = {2, 4, 8, 16, 32, 40};  // T's parts, powers of two, the end
  int compared = 0;
  for (const Series& series : probe.series()) {
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
      } else {
        wanted = wasserstein_1(sorted_elements({h}), trained);
        bound = 1e-4 * wanted;
      }
      EXPECT_NEAR(series.y[i], wanted, bound) << series.name << " at " << series.x[i];
      ++compared;
    }
  }
  EXPECT_EQ(compared, 2 * 4 * 3 * 6);
}

TEST(StateDistribution, SaysWhatItCannotSay) {
  const auto model = tiny_model();
  const at::Tensor tokens = random_tokens(S, N, 256);
  StateDistribution probe(*model, S, N, /*trained_context=*/0, /*seed=*/0);
  sweep(*model, tokens, probe);
  for (const Series& series : probe.series()) EXPECT_EQ(series.name, "effective_rank");
  EXPECT_THAT(probe.notes(),
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
