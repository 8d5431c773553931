// SPDX-License-Identifier: GPL-3.0-or-later
// Each probe against the plainest computation of its definition.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/probes/effective_remembrance.h"
#include "core/probes/position_bins.h"
#include "core/probes/positionwise_perplexity.h"
#include "core/probes/state_guard.h"
#include "core/probes/state_statistics.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::random_tokens;
using testing::tiny_model;

const Series& find(const std::vector<Series>& all, const std::string& name, int64_t layer = -1,
                   int64_t head = -1) {
  for (const Series& series : all) {
    if (series.name == name && series.layer.value_or(-1) == layer && series.head.value_or(-1) == head) {
      return series;
    }
  }
  throw std::runtime_error("no series " + name);
}

TEST(PositionBins, CoverEveryPositionOnce) {
  for (const int64_t last : {1, 2, 3, 17, 64, 1000, 65536}) {
    for (const int64_t per_octave : {1, 4, 8, 64}) {
      const PositionBins bins = PositionBins::logarithmic(last, per_octave);
      int64_t next = 1;
      for (size_t i = 0; i < bins.size(); ++i) {
        EXPECT_EQ(bins.begin[i], next);
        EXPECT_GT(bins.end[i], bins.begin[i]);
        EXPECT_TRUE(i + 1 == bins.size() || (bins.end[i] - bins.begin[i]) % 2 == 0);
        EXPECT_EQ(bins.find(bins.begin[i]), i);
        EXPECT_EQ(bins.find(bins.end[i] - 1), i);
        EXPECT_GE(bins.centre(i), static_cast<double>(bins.begin[i]));
        EXPECT_LT(bins.centre(i), static_cast<double>(bins.end[i]));
        next = bins.end[i];
      }
      EXPECT_EQ(next, last + 1);
    }
  }
}

TEST(PositionBins, AboutAsManyPerOctaveAsAsked) {
  const PositionBins bins = PositionBins::logarithmic(1 << 16, 8);
  size_t in_octave = 0;
  for (const int64_t begin : bins.begin) in_octave += begin >= 1024 && begin < 2048 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(in_octave), 8.0, 1.0);
}

TEST(RatioInterval, IsTheRatioOfMeansAndExactWhereTheRatioIs) {
  const std::vector<double> y = {1, 2, 3, 6};
  const std::vector<double> twice = {2, 4, 6, 12};
  EXPECT_DOUBLE_EQ(ratio_interval(twice, y).mean, 2);
  EXPECT_NEAR(ratio_interval(twice, y).upper, 2, 1e-12);  // no spread around the line
  // Residuals x - 2 y of -1, 0, 1, 0 and mean y 3: standard error sqrt(2/3/4) / 3, t(3) = 3.1824.
  const std::vector<double> x = {1, 4, 7, 12};
  const MeanInterval interval = ratio_interval(x, y);
  EXPECT_DOUBLE_EQ(interval.mean, 2);
  EXPECT_NEAR(interval.upper - 2, 3.1824 * std::sqrt(1.0 / 6) / 3, 1e-4);
  EXPECT_TRUE(std::isnan(ratio_interval(std::vector<double>{1.0}, std::vector<double>{2.0}).upper));
}

TEST(MeanInterval, IsStudents) {
  // Mean 3, standard error sqrt(2.5/5), t quantile of 4 degrees of freedom 2.776.
  const std::vector<double> values = {1, 2, 3, 4, 5};
  const MeanInterval interval = mean_interval(values);
  EXPECT_DOUBLE_EQ(interval.mean, 3.0);
  EXPECT_NEAR(interval.upper - 3.0, 2.776 * std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(3.0 - interval.lower, 2.776 * std::sqrt(0.5), 1e-9);
  EXPECT_TRUE(std::isnan(mean_interval(std::vector<double>{1.0}).lower));
  // 30 degrees of freedom: tabulated as 2.0423.
  std::vector<double> many(31, 0.0);
  many[0] = 31.0;
  const MeanInterval wide = mean_interval(many);
  EXPECT_NEAR((wide.upper - wide.mean) / 1.0, 2.0423, 2e-4);
}

TEST(Quantile, InterpolatesBetweenTheOrderedValues) {
  const std::vector<double> values = {4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1.0);
  EXPECT_DOUBLE_EQ(quantile(values, 0.1), 1.3);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 4.0);
  EXPECT_DOUBLE_EQ(quantile({7}, 0.9), 7.0);
  EXPECT_TRUE(std::isnan(quantile({1, std::nan(""), 2}, 0.1)));
}

// [S,N-1]: -log softmax(logits_t)[token t+1], straight from a whole forward pass in float64.
at::Tensor direct_nll(const RecurrentLM& model, const at::Tensor& tokens) {
  const at::NoGradGuard no_grad;
  const at::Tensor logits = model.logits(model.forward(tokens, {}).hidden).to(at::kDouble);
  const int64_t N = tokens.size(1);
  return -logits.slice(1, 0, N - 1)
              .log_softmax(-1)
              .gather(2, tokens.slice(1, 1, N).unsqueeze(-1))
              .squeeze(-1);
}

// The rows [S,N], one after another in one text.
Sequences sequences_of(const at::Tensor& tokens) {
  const int64_t* ids = tokens.data_ptr<int64_t>();
  Sequences sequences;
  sequences.tokens = std::make_shared<IdTokens>(std::vector<int64_t>(ids, ids + tokens.numel()));
  sequences.count = tokens.size(0);
  sequences.length = tokens.size(1);
  for (int64_t s = 0; s < sequences.count; ++s) sequences.begins.push_back(s * sequences.length);
  return sequences;
}

TEST(PositionwisePerplexity, IsTheMeanLossPerBinExponentiated) {
  const auto model = tiny_model();
  constexpr int64_t S = 3, N = 90;
  const at::Tensor tokens = random_tokens(S, N, 256);
  const at::Tensor wanted = direct_nll(*model, tokens);  // [S,N-1]
  const at::NoGradGuard no_grad;
  const Sequences sequences = sequences_of(tokens);
  PositionwisePerplexity probe(*model, sequences, 4, /*keep=*/true);
  // Rows in two groups and odd segments: boundaries must neither drop nor repeat a position.
  for (const auto& [first, last] : {std::pair<int64_t, int64_t>{0, 2}, {2, 3}}) {
    unroll(*model, tokens.slice(0, first, last), {}, {.segment = 7, .stat_positions = {}},
           [&, f = first](const UnrollSegment& segment) { probe.observe(f, segment); });
  }
  const std::vector<Series> series = probe.series({S, N});
  const Series& loss = find(series, "loss");
  const Series& perplexity = find(series, "perplexity");
  EXPECT_EQ(loss.sequences, S);
  for (size_t i = 0; i < loss.y.size(); ++i) {
    // Position p is index p-1: the loss of the token that follows p tokens.
    const at::Tensor bin = wanted.slice(1, loss.bin_begin[i] - 1, loss.bin_end[i] - 1);
    EXPECT_NEAR(loss.y[i], bin.mean().item<double>(), 2e-5);  // fp32 loss of about 6 nats
    EXPECT_NEAR(perplexity.y[i], std::exp(loss.y[i]), 1e-9 * perplexity.y[i]);
    EXPECT_LE(perplexity.lower[i], perplexity.y[i]);
    EXPECT_GE(perplexity.upper[i], perplexity.y[i]);
  }
  const std::vector<std::vector<float>> kept = probe.take_nll();
  for (int64_t s = 0; s < S; ++s) {
    ASSERT_EQ(kept[static_cast<size_t>(s)].size(), static_cast<size_t>(N - 1));
    for (int64_t t = 0; t < N - 1; ++t) {
      EXPECT_NEAR(kept[static_cast<size_t>(s)][static_cast<size_t>(t)],
                  wanted[s][t].item<double>(), 2e-5);
    }
  }
}

TEST(PositionwisePerplexity, OfPredictableTokensIsTheirMeanAlone) {
  const auto model = tiny_model();
  constexpr int64_t S = 3, N = 400, kFirst = 20;
  const at::Tensor tokens = random_tokens(S, N, 256);
  Sequences sequences = sequences_of(tokens);
  auto evidence = std::make_shared<std::vector<int32_t>>(S * N, 0);
  // More and more of them, none early, more in one row than in another.
  for (int64_t s = 0; s < S; ++s) {
    for (int64_t i = kFirst; i < N; ++i) {
      (*evidence)[static_cast<size_t>(s * N + i)] = i * (s + 1) % 7 < 1 + i / 100 ? 5 : 0;
    }
  }
  (*evidence)[3] = 5;  // its evidence lies before the sequence
  sequences.evidence = evidence;
  const at::NoGradGuard no_grad;
  PositionwisePerplexity probe(*model, sequences, 4, /*keep=*/false);
  for (const auto& [first, last] : {std::pair<int64_t, int64_t>{0, 2}, {2, 3}}) {
    unroll(*model, tokens.slice(0, first, last), {}, {.segment = 7, .stat_positions = {}},
           [&, f = first](const UnrollSegment& segment) { probe.observe(f, segment); });
  }
  const std::vector<Series> series = probe.series({S, N});
  const Series& loss = find(series, "predictable_loss");
  const Series& perplexity = find(series, kPredictablePerplexity);
  const at::Tensor wanted = direct_nll(*model, tokens);
  ASSERT_GT(loss.y.size(), 3U);
  EXPECT_GT(loss.bin_end.front(), kFirst) << "there are none before";
  for (size_t i = 0; i < loss.y.size(); ++i) {
    if (i > 0) EXPECT_EQ(loss.bin_begin[i], loss.bin_end[i - 1]);
    double sum = 0, count = 0;
    for (int64_t s = 0; s < S; ++s) {
      for (int64_t p = loss.bin_begin[i]; p < loss.bin_end[i]; ++p) {  // token p, loss p - 1
        if (p < kFirst || (*evidence)[static_cast<size_t>(s * N + p)] == 0) continue;
        sum += wanted[s][p - 1].item<double>();
        ++count;
      }
    }
    EXPECT_GE(count, 32) << "too few to be a point of their own";
    EXPECT_NEAR(loss.y[i], sum / count, 2e-5);  // fp32 loss of about 6 nats
    EXPECT_NEAR(perplexity.y[i], std::exp(loss.y[i]), 1e-9 * perplexity.y[i]);
    EXPECT_LT(perplexity.lower[i], perplexity.y[i]);
    EXPECT_GT(perplexity.upper[i], perplexity.y[i]);
  }
}

TEST(StateStatistics, AgreesWithTheRawStates) {
  const auto model = tiny_model();
  constexpr int64_t S = 3, N = 40;
  const at::Tensor tokens = random_tokens(S, N, 256);
  const at::NoGradGuard no_grad;
  constexpr int64_t T = 17;  // the end of no bin
  StateStatistics probe(*model, S, N, 3, T);
  unroll(*model, tokens, {}, {.segment = 11, .stat_positions = probe.stat_positions()},
         [&](const UnrollSegment& segment) { probe.observe(0, segment); });
  const std::vector<Series> series = probe.series({S, N});
  std::vector<at::Tensor> reference;  // [L], [S,H,P*N] after T tokens
  for (const LayerState& layer : model->forward(tokens.slice(1, 0, T), {}, {}).state.layers) {
    reference.push_back(layer.recurrent.to(at::kDouble).flatten(2));
  }
  const Series& whole = find(series, "model_state_std");
  EXPECT_EQ(whole.x.back(), N) << "the last position is always there";
  for (size_t i = 0; i < whole.x.size(); ++i) {
    const auto position = static_cast<int64_t>(whole.x[i]);
    const ModelState state = model->forward(tokens.slice(1, 0, position), {}, {}).state;
    std::vector<at::Tensor> all;
    for (int64_t l = 0; l < 2; ++l) {
      const at::Tensor h =
          state.layers[static_cast<size_t>(l)].recurrent.to(at::kDouble).flatten(2);  // [S,H,P*N]
      all.push_back(h.flatten(1));
      for (int64_t head = 0; head < 4; ++head) {
        const at::Tensor of_head = h.select(1, head);  // [S,P*N]
        const auto close = [&](const char* name, const at::Tensor& wanted) {
          const double w = wanted.mean().item<double>();
          EXPECT_NEAR(find(series, name, l, head).y[i], w, 2e-5 * w) << name << " at " << position;
        };
        close("state_norm", of_head.norm(2, {1}));
        close("state_std", of_head.std(1, /*unbiased=*/false));
        close("state_rms", of_head.square().mean(1).sqrt());
        const at::Tensor at_T = reference[static_cast<size_t>(l)].select(1, head);
        close("state_drift", of_head.norm(2, {1}).mean() / at_T.norm(2, {1}).mean());
        // A mean may be near zero, where only the magnitude of what was added up counts.
        EXPECT_NEAR(find(series, "state_mean", l, head).y[i], of_head.mean().item<double>(),
                    2e-5 * of_head.abs().mean().item<double>());
        close("state_max", of_head.abs().amax(1));
      }
    }
    const double wanted = at::cat(all, 1).std(1, /*unbiased=*/false).mean().item<double>();
    EXPECT_NEAR(whole.y[i], wanted, 2e-5 * wanted);
  }
}

// What the guard says of the first state that is not finite; empty: all are.
std::string guarded(const RecurrentLM& model, const at::Tensor& tokens, StateGuard& guard,
                    StateStatistics& statistics) {
  try {
    unroll(model, tokens, {}, {.segment = 32, .stat_positions = guard.stat_positions()},
           [&](const UnrollSegment& segment) {
             statistics.observe(0, segment);
             guard.observe(0, segment);
           });
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kDiverged);
    return error.what();
  }
  return "";
}

TEST(StateGuard, NamesWhereAStateBreaks) {
  const auto model = tiny_model();
  const at::NoGradGuard no_grad;
  StateStatistics statistics(*model, 1, 20, 4);
  StateGuard guard(20, 4);
  EXPECT_EQ(guarded(*model, random_tokens(1, 20, 256), guard, statistics), "");
  EXPECT_EQ(guard.whole(), 20);
  for (const TensorEntry& entry : model->tensors()) {
    if (entry.name == "backbone.layers.1.mixer.dt_bias") entry.tensor[2] = std::nanf("");
  }
  EXPECT_THAT(guarded(*model, random_tokens(1, 20, 256), guard, statistics),
              ::testing::HasSubstr("layer 1, head 2 is not finite after 2 tokens"));
  EXPECT_EQ(guard.whole(), 0);
  EXPECT_TRUE(find(statistics.series({1, 0}), "state_norm", 0, 0).x.empty());
}

TEST(StateGuard, TheEarliestBreakOfAnyRowCountsAndWhatIsBeforeIsWhole) {
  const auto model = tiny_model();
  const at::NoGradGuard no_grad;
  model->tensors().front().tensor[255] = std::nanf("");  // the embedding of one token
  at::Tensor tokens = random_tokens(2, 64, 255);
  tokens[0][50] = 255;
  tokens[1][20] = 255;
  StateStatistics statistics(*model, 2, 64, 4);
  StateGuard guard(64, 4);
  EXPECT_THAT(guarded(*model, tokens, guard, statistics), ::testing::HasSubstr("layer 0, head 0"));
  EXPECT_LE(guard.whole(), 20);
  EXPECT_GE(guard.whole(), 12);
  for (const Series& series : statistics.series({2, guard.whole()})) {
    ASSERT_FALSE(series.x.empty());
    EXPECT_EQ(series.x.back(), static_cast<double>(guard.whole()));
    for (const double y : series.y) {
      EXPECT_TRUE(y > 0.0 || series.name == "state_mean") << series.name;
    }
  }
}

// [S,V] fp64: the distribution after tokens t to T, from a forward pass of its own.
at::Tensor direct_distribution(const RecurrentLM& model, const at::Tensor& tokens, int64_t t) {
  const at::NoGradGuard no_grad;
  const at::Tensor suffix = tokens.slice(1, t, tokens.size(1));
  return model.logits(model.forward(suffix, {}, {}).hidden.select(1, -1))
      .to(at::kDouble)
      .softmax(-1);
}

// sum_v p log(p/q), [S]
at::Tensor direct_divergence(const at::Tensor& p, const at::Tensor& q) {
  return (p * (p.log() - q.log())).sum(-1);
}

// The tiny model's predictions are almost uniform; with the last norm scaled, and so the logits,
// they differ by context as those of a trained model do.
std::unique_ptr<Mamba2> decided_model(double scale = 8) {
  const at::NoGradGuard no_grad;
  std::unique_ptr<Mamba2> model = tiny_model();
  for (const TensorEntry& entry : model->tensors()) {
    if (entry.name == "backbone.norm_f.weight") entry.tensor.mul_(scale);
  }
  return model;
}

TEST(EffectiveRemembrance, EqualsOneForwardPassPerSuffix) {
  const auto model = decided_model();
  constexpr int64_t S = 5, T = 48;
  const at::Tensor tokens = random_tokens(S, T, 256);
  const std::vector<int64_t> grid = effrem_grid(T, 9);
  const std::vector<Series> series = effective_remembrance(*model, tokens, grid);
  const at::Tensor full = direct_distribution(*model, tokens, 0);
  for (const Series& one : series) {
    ASSERT_EQ(one.x.size(), grid.size()) << one.name;
    EXPECT_EQ(one.sequences, S);
    EXPECT_EQ(one.x_name, "dropped_tokens");
  }
  double least_agreement = 1;
  for (size_t k = 0; k < grid.size(); ++k) {
    const at::Tensor q = direct_distribution(*model, tokens, grid[k]);
    const auto close = [&](const char* name, const at::Tensor& wanted) {
      EXPECT_EQ(find(series, name).x[k], static_cast<double>(grid[k]));
      EXPECT_NEAR(find(series, name).y[k], wanted.item<double>(), 1e-5) << name << " at " << grid[k];
    };
    const at::Tensor variation = (q - full).abs().sum(-1) / 2;
    close("effrem", variation.mean());
    close("effrem_q10", variation.quantile(0.1));
    close("effrem_q50", variation.quantile(0.5));
    close("effrem_q90", variation.quantile(0.9));
    const at::Tensor mixture = (full + q) / 2;
    close("effrem_js",
          (direct_divergence(full, mixture) + direct_divergence(q, mixture)).mean() / 2);
    close("effrem_kl", direct_divergence(full, q).mean());
    const at::Tensor agree = (q.argmax(-1) == full.argmax(-1)).to(at::kDouble);
    close("effrem_agreement", agree.mean());
    least_agreement = std::min(least_agreement, agree.mean().item<double>());
  }
  // The comparison above says nothing where every measure is near its value of no change.
  EXPECT_LT(least_agreement, 1.0);
  for (const char* name : {"effrem", "effrem_js", "effrem_kl"}) {
    EXPECT_GT(find(series, name).y.back(), 0.02) << name;
  }
  // KL has a direction.
  const at::Tensor q = direct_distribution(*model, tokens, grid.back());
  EXPECT_GT(std::abs((direct_divergence(full, q) - direct_divergence(q, full)).mean().item<double>()),
            1e-3);
}

TEST(EffectiveRemembrance, NothingDroppedChangesNothing) {
  const auto model = decided_model();
  for (const Series& series : effective_remembrance(*model, random_tokens(3, 20, 256), {0, 7})) {
    EXPECT_EQ(series.y[0], series.name == "effrem_agreement" ? 1.0 : 0.0) << series.name;
    const bool is_quantile = series.name.starts_with("effrem_q");
    EXPECT_EQ(series.lower.size(), is_quantile ? 0U : 2U) << series.name;
  }
}

TEST(EffectiveRemembrance, SequencesTogetherAreSequencesOneByOne) {
  const auto model = decided_model();
  constexpr int64_t S = 4, T = 40;
  const at::Tensor tokens = random_tokens(S, T, 256);
  const std::vector<int64_t> grid = effrem_grid(T, 8);
  const std::vector<Series> together = effective_remembrance(*model, tokens, grid);
  std::vector<std::vector<Series>> alone;
  for (int64_t s = 0; s < S; ++s) {
    alone.push_back(effective_remembrance(*model, tokens.slice(0, s, s + 1), grid));
  }
  for (const Series& series : together) {
    if (series.name.starts_with("effrem_q")) continue;
    for (size_t k = 0; k < grid.size(); ++k) {
      std::vector<double> values;
      for (const auto& one : alone) values.push_back(find(one, series.name).y[k]);
      const MeanInterval wanted = mean_interval(values);
      EXPECT_NEAR(series.y[k], wanted.mean, 1e-5) << series.name;
      EXPECT_NEAR(series.lower[k], wanted.lower, 1e-5) << series.name;
      EXPECT_NEAR(series.upper[k], wanted.upper, 1e-5) << series.name;
    }
  }
}

// Two predictions that have nothing in common: the measures reach their ends, and a token of
// probability 0 in fp64 makes no NaN.
TEST(EffectiveRemembrance, DisjointPredictionsReachTheEnds) {
  const auto model = decided_model(1e5);
  const std::vector<Series> series = effective_remembrance(*model, random_tokens(6, 30, 256), {0, 29});
  const double agreement = find(series, "effrem_agreement").y[1];
  ASSERT_LT(agreement, 1.0);
  EXPECT_NEAR(find(series, "effrem").y[1], 1 - agreement, 1e-6);
  EXPECT_NEAR(find(series, "effrem_js").y[1], (1 - agreement) * std::log(2.0), 1e-6);
  EXPECT_TRUE(std::isfinite(find(series, "effrem_kl").y[1]));
  EXPECT_GT(find(series, "effrem_kl").y[1], 100.0);
}

TEST(EffectiveRemembrance, GridIsAscendingDenseAtBothEndsAndInside) {
  for (const int64_t T : {2, 3, 10, 64, 8192}) {
    for (const int64_t points : {2, 3, 24, 200}) {
      const std::vector<int64_t> grid = effrem_grid(T, points);
      EXPECT_EQ(grid.front(), 0);
      EXPECT_EQ(grid.back(), T - 1);
      EXPECT_TRUE(std::is_sorted(grid.begin(), grid.end()));
      EXPECT_LE(static_cast<int64_t>(grid.size()), points + 1);
    }
  }
  const std::vector<int64_t> grid = effrem_grid(8192, 24);
  EXPECT_LE(grid[1], 1);
  EXPECT_GE(grid.size(), 20U);
}

}  // namespace
}  // namespace farstate
