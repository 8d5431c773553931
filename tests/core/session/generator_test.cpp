// SPDX-License-Identifier: GPL-3.0-or-later
// A text that is read and gone on with: its numbers against the model's, and its state in the hand.
#include "core/session/generator.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/checkpoint/state_files.h"
#include "core/session/state_edits.h"
#include "core/session/state_shelf.h"
#include "core/tokenizer/byte_tokenizer.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tiny_model.h"
#include "tests/support/tolerance.h"

namespace farstate {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using testing::bit_equal;
using testing::close_to;
using testing::rounding_tolerance;
using testing::TempFolder;
using testing::tiny_model;

constexpr milliseconds kShortest(0);  // one token or one segment at a time

std::string letters(int64_t count) {
  std::string text;
  for (int64_t i = 0; i < count; ++i) text += static_cast<char>('a' + (i * i / 3 + i) % 26);
  return text;
}

GenerationRequest request(const std::string& prompt, int64_t tokens) {
  GenerationRequest r;
  r.prompt = prompt;
  r.sampling.tokens = tokens;
  return r;
}

class Text {
 public:
  explicit Text(const RecurrentLM& model, const GenerationRequest& r, const StateShelf& shelf = {})
      : generator(model, byte_tokenizer(), r, initial_state(r, model, shelf)) {}

  Text& run() {
    while (slice()) {
    }
    return *this;
  }
  bool slice() {
    const bool more = generator.advance(kShortest);
    for (GeneratedToken& token : generator.take_tokens()) tokens.push_back(std::move(token));
    return more;
  }
  std::vector<int64_t> ids() const {
    std::vector<int64_t> ids;
    for (const GeneratedToken& token : tokens) ids.push_back(token.id);
    return ids;
  }
  ModelState state(int64_t position = -1) const { return generator.state_at(position).state; }

  Generator generator;
  std::vector<GeneratedToken> tokens;
};

::testing::AssertionResult same_bits(const ModelState& a, const ModelState& b) {
  if (a.layers.size() != b.layers.size()) return ::testing::AssertionFailure() << "other layers";
  for (size_t i = 0; i < a.layers.size(); ++i) {
    if (!bit_equal(a.layers[i].recurrent, b.layers[i].recurrent) ||
        !bit_equal(a.layers[i].context, b.layers[i].context)) {
      return ::testing::AssertionFailure() << "layer " << i << " differs";
    }
  }
  return ::testing::AssertionSuccess();
}

// From index `from` on, the same tokens with the same losses and norms.
::testing::AssertionResult same_text(const std::vector<GeneratedToken>& a, size_t from,
                                     const std::vector<GeneratedToken>& b, size_t b_from) {
  if (a.size() - from != b.size() - b_from) {
    return ::testing::AssertionFailure() << a.size() - from << " and " << b.size() - b_from;
  }
  for (size_t i = 0; from + i < a.size(); ++i) {
    const GeneratedToken& x = a[from + i];
    const GeneratedToken& y = b[b_from + i];
    const bool same_loss = x.loss == y.loss || (std::isnan(x.loss) && std::isnan(y.loss));
    if (x.id != y.id || !same_loss || x.norms != y.norms) {
      return ::testing::AssertionFailure()
             << "token " << i << ": " << x.id << " (" << x.loss << ") and " << y.id << " ("
             << y.loss << ")";
    }
  }
  return ::testing::AssertionSuccess();
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

// A number passes through two layers with sums over 24 to 100 terms each, and the state holds some
// hundred positions.
const auto kTolerance = rounding_tolerance<float>(1000);

TEST(Generator, NumbersAreThoseOfOneForwardPass) {
  const at::NoGradGuard no_grad;
  const auto model = tiny_model();
  const Text text = std::move(Text(*model, request(letters(600), 40)).run());  // three segments
  ASSERT_EQ(text.tokens.size(), 640U);
  const at::Tensor ids = at::tensor(text.ids(), at::kLong).unsqueeze(0);
  ForwardOptions options;
  for (int64_t i = 0; i < 640; ++i) options.stat_positions.push_back(i);
  const ForwardResult whole = model->forward(ids, {}, options);
  const at::Tensor nll_of_all =
      nll(*model, whole.hidden[0].slice(0, 0, 639), ids[0].slice(0, 1)).to(at::kDouble);

  std::vector<double> losses;
  std::vector<float> norms;
  std::vector<double> wanted_norms;
  for (size_t i = 0; i < 640; ++i) {
    const GeneratedToken& token = text.tokens[i];
    EXPECT_EQ(token.index, static_cast<int64_t>(i));
    EXPECT_EQ(token.prompt, i < 600);
    if (i > 0) losses.push_back(token.loss);
    if (token.norms.empty()) continue;
    norms.insert(norms.end(), token.norms.begin(), token.norms.end());
    for (const at::Tensor& stats : whole.stats) {
      for (int64_t head = 0; head < 4; ++head) {
        wanted_norms.push_back(
            std::sqrt(stats[0][static_cast<int64_t>(i)][head][1].item<double>()));
      }
    }
  }
  EXPECT_TRUE(std::isnan(text.tokens[0].loss)) << "nothing predicted it";
  EXPECT_TRUE(close_to(losses.data(), nll_of_all.data_ptr<double>(), 639, kTolerance));
  EXPECT_GT(norms.size(), 350U * 8U);
  EXPECT_TRUE(close_to(norms.data(), wanted_norms.data(), static_cast<int64_t>(norms.size()),
                       kTolerance));
  for (size_t layer = 0; layer < 2; ++layer) {
    const at::Tensor h = text.state().layers[layer].recurrent.contiguous();
    const at::Tensor wanted = whole.state.layers[layer].recurrent.contiguous();
    EXPECT_TRUE(close_to(h.data_ptr<float>(), wanted.data_ptr<float>(), h.numel(), kTolerance));
  }

  const Generation picture = text.generator.picture();
  const at::Tensor p = model->logits(whole.hidden[0][639]).to(at::kDouble).softmax(-1);
  ASSERT_EQ(picture.next.size(), 12U);
  for (const NextToken& next : picture.next) {
    EXPECT_NEAR(next.probability, p[next.id].item<double>(), 1e-4);
  }
  EXPECT_EQ(picture.next[0].id, p.argmax().item<int64_t>());
  EXPECT_NEAR(picture.entropy, -(p * p.log()).sum().item<double>(), 1e-4);
  EXPECT_EQ(picture.stage, Generation::Stage::kDone);
  EXPECT_EQ(picture.prompt_tokens, 600);
  EXPECT_EQ(picture.read, 640);
}

TEST(Generator, TokenByTokenIsTheSameText) {
  const auto model = tiny_model();
  const Text whole = std::move(Text(*model, request("the mill ", 12)).run());
  Text parts(*model, request("the mill ", 1));
  parts.run();
  SamplingConfig one;
  one.tokens = 1;
  for (int i = 1; i < 12; ++i) {
    parts.generator.go_on(one);
    parts.run();
  }
  EXPECT_TRUE(same_text(whole.tokens, 0, parts.tokens, 0));
  EXPECT_TRUE(same_bits(whole.state(), parts.state()));

  GenerationRequest other = request("the mill ", 12);
  other.sampling.seed = 8;
  EXPECT_NE(Text(*model, other).run().ids(), whole.ids());
  // Another seed begins its numbers anew, with the first token that it is asked for.
  Text reseeded(*model, request("the mill ", 0));
  reseeded.run().generator.go_on(other.sampling);
  EXPECT_EQ(reseeded.run().ids(), Text(*model, other).run().ids());
}

TEST(Generator, AStateOnTheWayIsThatOfATextThatEndedThere) {
  const auto model = tiny_model();
  const std::string prompt = letters(600);
  const Text text = std::move(Text(*model, request(prompt, 30)).run());
  for (const int64_t p : {0, 1, 2, 255, 256, 257, 300, 599, 600, 601, 615, 630}) {
    const auto of_prompt = static_cast<size_t>(std::min<int64_t>(p, 600));
    if (p == 0) {
      EXPECT_TRUE(same_bits(text.state(0), model->zero_state(1)));
      continue;
    }
    const Text ended = std::move(
        Text(*model, request(prompt.substr(0, of_prompt), std::max<int64_t>(p - 600, 0))).run());
    EXPECT_TRUE(same_bits(text.state(p), ended.state())) << p;
    EXPECT_TRUE(bit_equal(text.generator.state_at(p).hidden, ended.generator.state_at(-1).hidden));
    EXPECT_EQ(text.generator.state_at(p).position, p);
  }
  EXPECT_THAT(refusal([&] { text.state(631); }), HasSubstr("630 were read so far"));
}

TEST(Generator, ALongPromptIsReadInBoundedMemory) {
  const TempFolder folder;
  const auto model = tiny_model();
  const std::string prompt = letters(50000);
  GenerationRequest r;
  r.prompt_file = folder.write("long.txt", prompt);
  r.sampling.tokens = 2;
  Text text(*model, r);
  size_t most_at_once = 0;
  size_t with_norms = 0;
  size_t read = 0;
  for (bool more = true; more;) {
    more = text.slice();
    most_at_once = std::max(most_at_once, text.tokens.size());
    for (const GeneratedToken& token : text.tokens) {
      with_norms += token.prompt && !token.norms.empty() ? 1 : 0;
      EXPECT_EQ(token.index, static_cast<int64_t>(read++));
    }
    text.tokens.clear();
  }
  EXPECT_EQ(read, 50002U);
  EXPECT_LE(most_at_once, 256U) << "no more than a segment comes out at a time";
  EXPECT_LE(with_norms, 512U);
  EXPECT_GT(with_norms, 400U);
  // So long that snapshots were thinned out twice and more.
  for (const int64_t p : {12345, 49999}) {
    const Text ended = std::move(
        Text(*model, request(prompt.substr(0, static_cast<size_t>(p)), 0)).run());
    EXPECT_TRUE(same_bits(text.state(p), ended.state())) << p;
  }
}

TEST(Generator, NormsAreTakenFromBothEndsOfALongPrompt) {
  EXPECT_EQ(norm_positions(3), (std::vector<int64_t>{0, 1, 2}));
  const std::vector<int64_t> p = norm_positions(1000000);
  EXPECT_LE(p.size(), 512U);
  EXPECT_EQ(p.front(), 0);
  EXPECT_EQ(p.back(), 999999);
  EXPECT_TRUE(std::is_sorted(p.begin(), p.end()));
  EXPECT_EQ(std::adjacent_find(p.begin(), p.end()), p.end());
  EXPECT_EQ(p[10], 10) << "dense where the state begins";
}

TEST(Generator, AKeptStateGoesOnAsTheTextDid) {
  const TempFolder folder;
  const auto model = tiny_model();
  GenerationRequest r = request(letters(40), 20);
  r.sampling.temperature = 0;
  const Text whole = std::move(Text(*model, r).run());
  StateShelf shelf;
  shelf.keep("here", whole.generator.state_at(50), whole.generator.origin(50));
  ASSERT_EQ(shelf.list().size(), 1U);
  EXPECT_THAT(shelf.list()[0].origin, ::testing::StartsWith("after 50 tokens of “a"));
  EXPECT_EQ(shelf.list()[0].position, 50);
  double squares = 0;
  for (const float norm : whole.tokens[49].norms) squares += double(norm) * norm;
  EXPECT_NEAR(shelf.list()[0].norm, std::sqrt(squares), 1e-5 * std::sqrt(squares));

  GenerationRequest more = request("", 10);
  more.sampling.temperature = 0;
  more.initial = {InitialState::Kind::kKept, 1, "here", {}};
  const Text kept = std::move(Text(*model, more, shelf).run());
  EXPECT_TRUE(same_text(whole.tokens, 50, kept.tokens, 0));
  EXPECT_TRUE(same_bits(whole.state(), kept.state()));
  EXPECT_EQ(kept.generator.state_at(-1).position, 60);

  save_state(folder.file("s"), shelf.at("here"));
  more.initial = {InitialState::Kind::kFile, 1, folder.file("s"), {}};
  EXPECT_TRUE(same_text(whole.tokens, 50, Text(*model, more).run().tokens, 0));

  // Read with a prompt, its first token is predicted too.
  more.initial = {InitialState::Kind::kKept, 1, "here", {}};
  more.prompt = std::string(1, static_cast<char>(whole.tokens[50].id));
  EXPECT_EQ(Text(*model, more, shelf).run().tokens[0].loss, whole.tokens[50].loss);

  // Weights that did not make it predict nothing from it.
  shelf.forget_predictions();
  EXPECT_TRUE(std::isnan(Text(*model, more, shelf).run().tokens[0].loss));
  more.prompt.clear();
  EXPECT_THAT(refusal([&] { Text(*model, more, shelf).run(); }), HasSubstr("kept state \"here\""));
  shelf.drop("here");
  EXPECT_THAT(refusal([&] { shelf.at("here"); }), HasSubstr("\"here\""));
}

TEST(StateEdits, DoWhatTheySayToTheChosenHeads) {
  const auto model = tiny_model();
  const ModelState first = testing::random_state(*model, 1);
  const auto edited = [&](const std::vector<StateEdit>& edits) {
    ModelState state = first.clone();
    apply_edits(edits, state);
    return state;
  };
  const auto head = [](const ModelState& state, size_t layer, int64_t index) {
    return state.layers[layer].recurrent[0][index];
  };
  using Kind = StateEdit::Kind;
  const ModelState zeroed = edited({{Kind::kZero, 1, {{1, 2}}, 0}});
  for (size_t layer = 0; layer < 2; ++layer) {
    EXPECT_TRUE(bit_equal(zeroed.layers[layer].context, first.layers[layer].context));
    for (int64_t h = 0; h < 4; ++h) {
      const bool chosen = layer == 1 && h == 2;
      EXPECT_EQ(head(zeroed, layer, h).abs().max().item<float>() == 0, chosen);
      EXPECT_TRUE(chosen || bit_equal(head(zeroed, layer, h), head(first, layer, h)));
    }
  }
  EXPECT_TRUE(same_bits(edited({{Kind::kScale, 1, {}, 0}}), first));
  EXPECT_TRUE(same_bits(edited({{Kind::kScale, 0, {}, 0}}), edited({{Kind::kZero, 1, {}, 0}})));
  EXPECT_TRUE(bit_equal(head(edited({{Kind::kScale, -0.5, {}, 0}}), 0, 3), head(first, 0, 3) * -0.5));

  const ModelState noisy = edited({{Kind::kNoise, 0.5, {}, 3}});
  EXPECT_TRUE(same_bits(noisy, edited({{Kind::kNoise, 0.5, {}, 3}})));
  EXPECT_FALSE(same_bits(noisy, edited({{Kind::kNoise, 0.5, {}, 4}})));
  EXPECT_TRUE(bit_equal(head(noisy, 1, 1), head(edited({{Kind::kNoise, 0.5, {{1, 1}}, 3}}), 1, 1)))
      << "the noise of a head does not depend on the others";
  const at::Tensor difference = head(noisy, 0, 0) - head(first, 0, 0);
  // 120 elements: the standard deviation of their standard deviation is 1/sqrt(240) = 0.065 of it.
  EXPECT_NEAR(difference.std(false).item<double>() / head(first, 0, 0).std(false).item<double>(), 0.5,
              5 * 0.065 * 0.5);
  EXPECT_EQ(head(edited({{Kind::kZero, 1, {{0, 0}}, 0}, {Kind::kNoise, 1, {}, 3}}), 0, 0)
                .abs().max().item<float>(), 0)
      << "a head of zeros has no scale";

  const ModelSizes& sizes = model->sizes();
  EXPECT_THAT(refusal([&] { check_edits({{Kind::kZero, 1, {{2, 0}}, 0}}, sizes); }), HasSubstr("2.0"));
  EXPECT_THAT(refusal([&] { check_edits({{Kind::kNoise, -1, {}, 0}}, sizes); }), HasSubstr("-1"));
  EXPECT_THAT(refusal([&] { check_edits({{Kind::kScale, std::nan(""), {}, 0}}, sizes); }),
              HasSubstr("nan"));
}

TEST(Generator, APromptMeetsTheEditedStateItself) {
  const auto model = tiny_model();
  StateShelf shelf;
  shelf.keep("other", std::move(Text(*model, request(letters(90), 5)).run()).generator.state_at(-1), "");
  GenerationRequest r = request("and on", 3);
  r.initial = {InitialState::Kind::kKept, 1, "other", {{StateEdit::Kind::kZero, 1, {{0, 1}}, 0}}};
  const Text text = std::move(Text(*model, r, shelf).run());
  ModelState wanted = shelf.at("other").state.clone();
  wanted.layers[0].recurrent[0][1].zero_();
  EXPECT_TRUE(same_bits(text.state(0), wanted));
  EXPECT_TRUE(std::isnan(text.tokens[0].loss)) << "no token was read under the edited state";
  EXPECT_GT(shelf.at("other").state.layers[0].recurrent[0][1].abs().max().item<float>(), 0)
      << "what is kept is not changed";
}

TEST(Generator, AnEditShowsThePredictionOfTheEditedState) {
  const at::NoGradGuard no_grad;
  const auto model = tiny_model();
  const std::vector<StateEdit> edits = {{StateEdit::Kind::kZero, 1, {{1, 0}, {1, 3}}, 0}};
  Text text(*model, request(letters(70), 10));
  text.run();
  const Generation before = text.generator.picture();
  EXPECT_TRUE(before.before_edit.empty());
  const HeldState kept = text.generator.state_at(-1);
  const ModelState on_the_way = text.state(75);
  text.generator.edit(edits);

  // The last token read again, from the edited state before it.
  ModelState wanted = text.generator.state_at(79).state;
  wanted.layers[1].recurrent[0][0].zero_();
  wanted.layers[1].recurrent[0][3].zero_();
  const at::Tensor hidden =
      model->step(at::tensor({text.tokens.back().id}, at::kLong), wanted);
  EXPECT_TRUE(same_bits(text.state(), wanted));
  EXPECT_FALSE(same_bits(text.state(), kept.state));
  const auto log_p = [&](const at::Tensor& h) {
    return model->logits(h).squeeze(0).to(at::kDouble).log_softmax(-1);
  };
  const at::Tensor p = log_p(kept.hidden), q = log_p(hidden);
  const Generation after = text.generator.picture();
  EXPECT_EQ(after.read, 80);
  ASSERT_EQ(after.before_edit.size(), before.next.size());
  for (size_t i = 0; i < before.next.size(); ++i) {
    EXPECT_EQ(after.before_edit[i].id, before.next[i].id);
    EXPECT_EQ(after.before_edit[i].probability, before.next[i].probability);
    // Both are sums of 256 numbers in double.
    EXPECT_NEAR(after.next[i].probability, q[after.next[i].id].exp().item<double>(), 1e-12);
  }
  EXPECT_NEAR(after.edit_divergence, (p.exp() * (p - q)).sum().item<double>(), 1e-12);
  EXPECT_GT(after.edit_divergence, 1e-6);

  // An earlier state is that of the text before the edit, the one here is the edited one.
  EXPECT_TRUE(same_bits(text.state(75), on_the_way));
  EXPECT_TRUE(same_bits(text.state(80), wanted));
  EXPECT_THAT(text.generator.origin(80), HasSubstr("edited"));
  EXPECT_THAT(text.generator.origin(79), ::testing::Not(HasSubstr("edited")));

  // The same edit of the state kept here, and both go on alike.
  SamplingConfig more;
  more.tokens = 5;
  more.temperature = 0;
  text.generator.go_on(more);
  text.run();
  EXPECT_TRUE(text.generator.picture().before_edit.empty());
  EXPECT_TRUE(same_bits(text.state(80), wanted)) << "read again after it went on";
  StateShelf shelf;
  shelf.keep("kept", kept, "");
  GenerationRequest r = request("", 5);
  r.sampling.temperature = 0;
  r.initial = {InitialState::Kind::kKept, 1, "kept", edits};
  EXPECT_TRUE(same_text(text.tokens, 80, Text(*model, r, shelf).run().tokens, 0));
}

TEST(Generator, AnEditThatChangesNothingChangesNoBit) {
  const auto model = tiny_model();
  for (const int64_t tokens : {0, 10}) {  // after a prompt, and after a generated token
    Text text(*model, request(letters(300), tokens));
    text.run();
    const HeldState before = text.generator.state_at(-1);
    text.generator.edit({{StateEdit::Kind::kScale, 1, {}, 0}});
    EXPECT_TRUE(same_bits(text.state(), before.state));
    EXPECT_TRUE(bit_equal(text.generator.state_at(-1).hidden, before.hidden));
    EXPECT_EQ(text.generator.picture().edit_divergence, 0);
  }
}

TEST(Generator, AnEditWithinThePromptActsOnWhatIsReadNext) {
  const auto model = tiny_model();
  const std::string prompt = letters(600);
  Text text(*model, request(prompt, 4));
  ASSERT_TRUE(text.slice());
  ASSERT_EQ(text.tokens.size(), 256U);
  text.generator.edit({{StateEdit::Kind::kScale, 0.5, {}, 0}});
  EXPECT_TRUE(text.generator.picture().next.empty()) << "nothing was read under it";
  const HeldState half = text.generator.state_at(-1);
  text.run();
  EXPECT_TRUE(std::isnan(text.tokens[256].loss));
  EXPECT_FALSE(std::isnan(text.tokens[257].loss));

  StateShelf shelf;
  shelf.keep("half", half, "");
  GenerationRequest rest = request(prompt.substr(256), 4);
  rest.initial = {InitialState::Kind::kKept, 1, "half", {}};
  const Text other = std::move(Text(*model, rest, shelf).run());
  EXPECT_TRUE(same_bits(text.state(), other.state()));
  EXPECT_TRUE(same_bits(text.state(400), other.state(144)));
  EXPECT_TRUE(same_bits(text.state(256), half.state));
}

TEST(Generator, CharactersComeWhole) {
  const auto model = tiny_model();
  const std::string prompt = "aé€😀";
  const Text text = std::move(Text(*model, request(prompt, 0)).run());
  std::string whole;
  std::vector<size_t> lengths;
  for (const GeneratedToken& token : text.tokens) {
    whole += token.text;
    lengths.push_back(token.text.size());
  }
  EXPECT_EQ(whole, prompt);
  EXPECT_EQ(lengths, (std::vector<size_t>{1, 0, 2, 0, 0, 3, 0, 0, 0, 4}));
  EXPECT_EQ(text.generator.unfinished_character(), "");
  const Text cut = std::move(Text(*model, request("a\xE2\x82", 0)).run());
  EXPECT_EQ(cut.generator.unfinished_character(), "\xEF\xBF\xBD");
}

TEST(Generator, WhatMeansNothingIsRefusedInASentence) {
  const TempFolder folder;
  const auto model = tiny_model();
  const auto refused = [&](const std::function<void(GenerationRequest&)>& change) {
    GenerationRequest r = request("a", 1);
    change(r);
    return refusal([&] { Text(*model, r).run(); });
  };
  EXPECT_EQ(refused([](GenerationRequest&) {}), "accepted");
  EXPECT_THAT(refused([](GenerationRequest& r) { r.prompt.clear(); }), HasSubstr("prompt is empty"));
  EXPECT_THAT(refused([](GenerationRequest& r) { r.prompt_file = "x"; }), HasSubstr("choose one"));
  EXPECT_THAT(refused([&](GenerationRequest& r) {
                r.prompt.clear();
                r.prompt_file = folder.file("none");
              }),
              HasSubstr("No such file"));
  EXPECT_THAT(refused([](GenerationRequest& r) { r.sampling.tokens = -1; }), HasSubstr("0 or more"));
  EXPECT_THAT(refused([](GenerationRequest& r) { r.sampling.temperature = -1; }),
              HasSubstr("temperature"));
  EXPECT_THAT(refused([](GenerationRequest& r) { r.sampling.top_p = 0; }), HasSubstr("top-p"));
  EXPECT_THAT(refused([](GenerationRequest& r) { r.sampling.tokens_per_second = -1; }),
              HasSubstr("per second"));
  EXPECT_THAT(refused([](GenerationRequest& r) {
                r.initial.edits = {{StateEdit::Kind::kZero, 1, {{9, 9}}, 0}};
              }),
              HasSubstr("9.9"));
  EXPECT_THAT(refused([](GenerationRequest& r) {
                r.initial = {InitialState::Kind::kKept, 1, "nothing", {}};
              }),
              HasSubstr("\"nothing\""));
  EXPECT_THAT(refused([](GenerationRequest& r) {
                r.initial = {InitialState::Kind::kRandomNoise, -2, "", {}};
              }),
              HasSubstr("sigma is -2"));
}

TEST(Generator, WhatIsNotFiniteEndsTheTextAndIsNamed) {
  const TempFolder folder;
  const auto model = tiny_model();
  HeldState held;
  held.state = model->zero_state(1);
  held.state.layers[1].recurrent[0][2][3][4] = std::numeric_limits<float>::infinity();
  save_state(folder.file("s"), held);
  GenerationRequest r = request("abc", 1);
  r.initial = {InitialState::Kind::kFile, 1, folder.file("s"), {}};
  EXPECT_THAT(refusal([&] { Text(*model, r).run(); }), HasSubstr("layer 1, head 2 is not finite"));
}

// Ends a call in its middle, as a stop does, whenever it is asked to.
class Interrupted : public RecurrentLM {
 public:
  explicit Interrupted(const RecurrentLM& model) : model_(model) {}
  const ModelSizes& sizes() const override { return model_.sizes(); }
  std::string config_json(const std::string& a, const std::string& b) const override {
    return model_.config_json(a, b);
  }
  const std::vector<TensorEntry>& tensors() const override { return model_.tensors(); }
  ForwardResult forward(const at::Tensor& tokens, const ModelState& state,
                        const ForwardOptions& options) const override {
    ForwardResult result = model_.forward(tokens, state, options);
    end();
    return result;
  }
  at::Tensor step(const at::Tensor& tokens, ModelState& state) const override {
    at::Tensor hidden = model_.step(tokens, state);  // it is changed, and yet nothing must be
    end();
    return hidden;
  }
  at::Tensor embed(const at::Tensor& tokens) const override { return model_.embed(tokens); }
  at::Tensor head_weight() const override { return model_.head_weight(); }
  bool trainable() const override { return model_.trainable(); }
  ModelState zero_state(int64_t batch) const override { return model_.zero_state(batch); }

  mutable bool armed = false;

 private:
  void end() const {
    if (std::exchange(armed, false)) throw Error(ErrorKind::kInterrupted, "");
  }
  const RecurrentLM& model_;
};

TEST(Generator, WhatAStopEndsHasNotHappened) {
  const auto model = tiny_model();
  const Interrupted stopping(*model);
  const Text whole = std::move(Text(*model, request(letters(600), 20)).run());
  Text text(stopping, request(letters(600), 20));
  int stops = 0;
  for (bool more = true; more;) {
    stopping.armed = true;
    EXPECT_EQ(refusal([&] { text.slice(); }), "");
    stopping.armed = false;
    ++stops;
    more = text.slice();
  }
  EXPECT_GE(stops, 23);  // three segments and 20 tokens
  EXPECT_TRUE(same_text(whole.tokens, 0, text.tokens, 0));
  EXPECT_TRUE(same_bits(whole.state(), text.state()));

  stopping.armed = true;
  EXPECT_EQ(refusal([&] { text.generator.edit({{StateEdit::Kind::kZero, 1, {}, 0}}); }), "");
  EXPECT_TRUE(same_bits(whole.state(), text.state()));
  EXPECT_TRUE(text.generator.picture().before_edit.empty());

  std::stop_source stop;
  stop.request_stop();
  const StopScope scope(stop.get_token());
  text.generator.go_on({});
  EXPECT_THAT(refusal([&] { text.slice(); }), HasSubstr("Stopped"));
}

TEST(Generator, WaitsForItsTurn) {
  const auto model = tiny_model();
  GenerationRequest r = request("a", 5);
  r.sampling.tokens_per_second = 1e-4;
  Text text(*model, r);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(text.slice());
  EXPECT_EQ(text.tokens.size(), 2U) << "the prompt, and the first token at once";
  SamplingConfig fast;
  fast.tokens = 3;
  text.generator.go_on(fast);
  EXPECT_EQ(text.run().tokens.size(), 5U);
}

}  // namespace
}  // namespace farstate
