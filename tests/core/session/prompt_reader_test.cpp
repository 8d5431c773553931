// SPDX-License-Identifier: GPL-3.0-or-later
// What prompts share is read once, and every answer is the one of a prompt that is read by itself.
#include "core/session/prompt_reader.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/tokenizer/byte_tokenizer.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::scaled_error;
using testing::tiny_model;

// The pieces of a text are read in another order of sums than the whole: some rounding errors of
// 6e-8 per layer, which the norms don't enlarge.
constexpr double kRounding = 2e-5;

TokenIds random_ids(int64_t length, uint64_t seed) {
  TokenIds ids;
  Rng rng(seed, RngStream::kBatch);
  for (int64_t i = 0; i < length; ++i) ids.push_back(static_cast<int32_t>(rng.below(256)));
  return ids;
}

TokenIds joined(TokenIds a, const TokenIds& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

at::Tensor tensor_of(const TokenIds& ids) {
  at::Tensor tokens = at::empty({1, static_cast<int64_t>(ids.size())}, at::kLong);
  std::copy(ids.begin(), ids.end(), tokens.data_ptr<int64_t>());
  return tokens;
}

ForwardResult alone(const RecurrentLM& model, const TokenIds& ids) {
  const at::NoGradGuard no_grad;
  return model.forward(tensor_of(ids), {}, {});
}

void expect_as_alone(const RecurrentLM& model, const PromptEnds& ends,
                     const std::vector<TokenIds>& prompts) {
  ASSERT_EQ(ends.hidden.size(0), static_cast<int64_t>(prompts.size()));
  for (size_t i = 0; i < prompts.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    const ForwardResult wanted = alone(model, prompts[i]);
    EXPECT_LT(scaled_error(ends.hidden[row], wanted.hidden.select(1, -1)[0]), kRounding) << i;
    for (size_t layer = 0; layer < wanted.state.layers.size(); ++layer) {
      EXPECT_LT(scaled_error(ends.state.layers[layer].recurrent[row],
                             wanted.state.layers[layer].recurrent[0]),
                kRounding)
          << i << ", layer " << layer;
      EXPECT_LT(scaled_error(ends.state.layers[layer].context[row],
                             wanted.state.layers[layer].context[0]),
                kRounding)
          << i << ", layer " << layer;
    }
  }
}

TEST(PromptReader, EndsAreThoseOfPromptsReadAlone) {
  const auto model = tiny_model();
  const TokenIds shared = random_ids(37, 1);
  // Of several lengths, one that is another's beginning, one without the shared tokens.
  const std::vector<TokenIds> prompts = {
      joined(shared, random_ids(9, 2)), joined(shared, random_ids(4, 3)),
      joined(shared, random_ids(9, 4)), shared, joined(shared, random_ids(1, 5))};
  PromptReader reader(*model);
  expect_as_alone(*model, reader.read(prompts, prompts.front()), prompts);
  const std::vector<TokenIds> strangers = {random_ids(5, 6), random_ids(12, 7)};
  expect_as_alone(*model, reader.read(strangers, {}), strangers);
}

TEST(PromptReader, WhatIsSharedIsReadOnce) {
  const auto model = tiny_model();
  const TokenIds trunk = random_ids(100, 1);
  const auto at_depth = [&](size_t depth) {
    std::vector<TokenIds> prompts;
    for (uint64_t key = 0; key < 3; ++key) {
      prompts.push_back(joined({trunk.begin(), trunk.begin() + static_cast<std::ptrdiff_t>(depth)},
                               random_ids(10, 100 * depth + key)));
    }
    return prompts;
  };
  PromptReader reader(*model);
  const std::vector<TokenIds> near = at_depth(40);
  expect_as_alone(*model, reader.read(near, near.back()), near);
  EXPECT_EQ(reader.tokens_read(), 40 + 3 * 10);
  const std::vector<TokenIds> far = at_depth(90);
  expect_as_alone(*model, reader.read(far, far.back()), far);
  EXPECT_EQ(reader.tokens_read(), 70 + (90 - 40) + 3 * 10) << "goes on from the first 40";
  expect_as_alone(*model, reader.read(near, near.back()), near);
  EXPECT_EQ(reader.tokens_read(), 150 + 3 * 10) << "both beginnings are kept";
}

TEST(PromptReader, AStopThrowsAndTheNextReadIsWhole) {
  const auto model = tiny_model();
  const std::vector<TokenIds> prompts = {random_ids(50, 1), random_ids(50, 2)};
  PromptReader reader(*model);
  {
    std::stop_source stop;
    stop.request_stop();
    const StopScope scope(stop.get_token());
    EXPECT_THROW(reader.read(prompts, prompts.front()), Error);
  }
  expect_as_alone(*model, reader.read(prompts, prompts.front()), prompts);
}

TEST(GreedyText, IsTheLikeliestTokenAtEach) {
  const at::NoGradGuard no_grad;
  const auto model = tiny_model();
  const std::vector<TokenIds> prompts = {random_ids(20, 1), random_ids(13, 2)};
  PromptReader reader(*model);
  const std::vector<std::string> texts = go_on_greedily(
      *model, *byte_tokenizer(), reader.read(prompts, {}), {6, 3},
      [](size_t, std::string_view) { return false; });
  const std::vector<int64_t> most = {6, 3};
  for (size_t row = 0; row < prompts.size(); ++row) {
    TokenIds ids = prompts[row];
    TextDecoder decoder(*byte_tokenizer());
    std::string wanted;
    for (int64_t i = 0; i < most[row]; ++i) {
      const at::Tensor logits = model->logits(alone(*model, ids).hidden.select(1, -1));
      const int64_t next = logits[0].argmax().item<int64_t>();
      wanted += decoder.push(next);
      ids.push_back(static_cast<int32_t>(next));
    }
    EXPECT_EQ(texts[row], wanted + decoder.finish());
  }
}

TEST(GreedyText, EndsRowByRow) {
  const auto model = tiny_model();
  const std::vector<TokenIds> prompts = {random_ids(20, 1), random_ids(20, 2)};
  PromptReader reader(*model);
  std::vector<size_t> longest(2);
  go_on_greedily(*model, *byte_tokenizer(), reader.read(prompts, {}), {50, 4},
                 [&](size_t row, std::string_view text) {
                   longest[row] = text.size();
                   return row == 0 && text.size() >= 2;
                 });
  EXPECT_LE(longest[0], 4U) << "a character of two or three bytes may pass the second byte";
}

TEST(Predictions, AreThoseOfTheWholeText) {
  const at::NoGradGuard no_grad;
  const auto model = tiny_model();
  const std::vector<TokenIds> texts = {random_ids(300, 1), random_ids(17, 2), random_ids(120, 3)};
  const std::vector<std::vector<int64_t>> asked = {{1, 2, 255, 256, 299}, {16}, {}};
  const auto found = predictions(*model, 256, texts, asked);
  ASSERT_EQ(found.size(), 3U);
  for (size_t row = 0; row < texts.size(); ++row) {
    ASSERT_EQ(found[row].size(), asked[row].size());
    const at::Tensor logits = model->logits(alone(*model, texts[row]).hidden[0]);
    for (size_t i = 0; i < asked[row].size(); ++i) {
      const at::Tensor before = logits[asked[row][i] - 1];
      EXPECT_EQ(found[row][i].likeliest, before.argmax().item<int64_t>());
      const double loss =
          -before.log_softmax(0)[texts[row][static_cast<size_t>(asked[row][i])]].item<double>();
      EXPECT_NEAR(found[row][i].loss, loss, 1e-4) << "row " << row << ", token " << asked[row][i];
    }
  }
}

TEST(Predictions, IdsWithoutATokenAreNeverLikeliest) {
  const auto model = tiny_model();
  const TokenIds text = random_ids(200, 1);
  std::vector<int64_t> all;
  for (int64_t i = 1; i < 200; ++i) all.push_back(i);
  for (const Prediction& p : predictions(*model, 10, {text}, {all}).front()) {
    EXPECT_LT(p.likeliest, 10);
  }
}

}  // namespace
}  // namespace farstate
