// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/task_words.h"

#include <gmock/gmock.h>

namespace farstate::desktop {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Kind = TextPiece::Kind;

std::string joined(const std::vector<TextPiece>& pieces) {
  std::string text;
  for (const TextPiece& piece : pieces) text += piece.text.toStdString();
  return text;
}

TaskSample hidden_key(size_t before, size_t after) {
  TaskSample s;
  s.text = std::string(before, 'a') + "KEY" + std::string(after, 'b') + "ANSWER.";
  const auto at = static_cast<int64_t>(before);
  s.evidence = {{at, at + 3}};
  s.answers = {{at + 3 + static_cast<int64_t>(after), at + 9 + static_cast<int64_t>(after)}};
  return s;
}

TEST(TextPieces, OfAShortTextAreTheWholeOfIt) {
  const TaskSample s = hidden_key(20, 20);
  const auto pieces = pieces_of(s, 43);
  EXPECT_EQ(joined(pieces), s.text);
  ASSERT_EQ(pieces.size(), 5u);
  EXPECT_EQ(pieces[1].kind, Kind::kEvidence);
  EXPECT_EQ(pieces[1].text.toStdString(), "KEY");
  EXPECT_EQ(pieces[3].kind, Kind::kAnswer);
  EXPECT_EQ(pieces[3].text.toStdString(), "ANSWER");
}

TEST(TextPieces, SayAboutHowMuchIsLeftOut) {
  // 40,003 letters before the answer in 10,000 tokens; the gaps are 20,000 - 300 and 20,000 - 300.
  const auto pieces = pieces_of(hidden_key(20000, 20000), 10000);
  EXPECT_EQ(std::count_if(pieces.begin(), pieces.end(),
                          [](const TextPiece& p) { return p.kind == Kind::kGap; }),
            2);
  EXPECT_THAT(joined(pieces), HasSubstr("about 4,925 tokens"));
  EXPECT_THAT(joined(pieces), HasSubstr("KEY"));
  EXPECT_LT(joined(pieces).size(), 1200u);
  EXPECT_THAT(joined(pieces_of(hidden_key(20000, 20000), 0)), HasSubstr("19,700 letters"));
}

TEST(TextPieces, CutNoLetterInHalf) {
  TaskSample s;
  for (int i = 0; i < 3000; ++i) s.text += "ü";
  s.answers = {{static_cast<int64_t>(s.text.size()), static_cast<int64_t>(s.text.size()) + 1}};
  s.text += "x";
  EXPECT_THAT(joined(pieces_of(s, 0)), Not(HasSubstr("\xEF\xBF\xBD")));
}

TEST(TextPieces, OfManyAnswersKeepTheFirstAndTheLast) {
  TaskSample s;
  for (int i = 0; i < 5000; ++i) {
    s.text += "k1=";
    s.answers.push_back({static_cast<int64_t>(s.text.size()),
                         static_cast<int64_t>(s.text.size()) + 1});
    s.text += std::to_string(i % 10) + " ";
  }
  const auto pieces = pieces_of(s, 10000);
  EXPECT_LT(joined(pieces).size(), 1500u);
  const auto answers = [&](int64_t which) {
    return std::count_if(pieces.begin(), pieces.end(),
                         [&](const TextPiece& p) { return p.answer == which; });
  };
  EXPECT_EQ(answers(0), 1);
  EXPECT_EQ(answers(4999), 1);
  EXPECT_EQ(answers(2500), 0);
}

ScoreLayer layer(const char* name, std::initializer_list<std::pair<int64_t, int64_t>> right_of_20,
                 ScoreLayer::Source source = ScoreLayer::Source::kModel) {
  ScoreLayer out;
  out.source = source;
  out.name = QString::fromUtf8(name);
  out.seeds.emplace_back();
  for (const auto& [length, correct] : right_of_20) {
    TaskCell cell;
    cell.task = "passkey";
    cell.length = length;
    cell.depth = 0.5;
    cell.samples = cell.planned = cell.trials = 20;
    cell.correct = correct;
    out.seeds.back().push_back(cell);
  }
  return out;
}

std::string words(const char* task, const std::vector<ScoreLayer>& layers, int64_t limit) {
  return score_words(task_face(task), layers, {}, limit).toStdString();
}

TEST(ScoreWords, SayWhatHoldsWithinTAndFarBeyond) {
  const std::string text =
      words("passkey", {layer("As loaded", {{32, 20}, {64, 19}, {128, 9}, {512, 2}, {4096, 0}})}, 64);
  // Wilson's interval of 2 of 20 is 0.0279 to 0.3010.
  EXPECT_THAT(text, HasSubstr("As loaded: up to 64 tokens it is right in 39 of 40 (0.97"));
  EXPECT_THAT(text, HasSubstr("at 8T = 512 tokens in 2 of 20 (0.10), interval 0.03 to 0.30."));
  EXPECT_THAT(text, HasSubstr("one seed"));
  EXPECT_EQ(words("passkey", {}, 64), "");
}

TEST(ScoreWords, NameTheBestAndWhetherRangesOverlap) {
  const auto earlier = ScoreLayer::Source::kEarlier;
  const ScoreLayer base = layer("As loaded", {{64, 20}, {512, 2}});
  EXPECT_THAT(words("passkey", {base, layer("Mended", {{512, 18}}, earlier)}, 64),
              HasSubstr("Best there: Mended with 0.90 (interval 0.70 to 0.97)."));
  EXPECT_THAT(words("passkey", {base, layer("Hardly", {{512, 4}}, earlier)}, 64),
              HasSubstr("the ranges overlap"));
  EXPECT_THAT(words("passkey", {base, layer("Figure", {{512, 20}}, ScoreLayer::Source::kPaper)}, 64),
              Not(HasSubstr("Figure")));
}

TEST(ScoreWords, OfTheRegisterSayWhyStatePassingCanHurt) {
  EXPECT_THAT(words("register", {layer("As loaded", {{64, 20}, {512, 2}})}, 64),
              HasSubstr("unrelated row"));
  EXPECT_THAT(words("copying", {layer("As loaded", {{20, 20}, {80, 2}})}, 0),
              HasSubstr("too narrow"));
}

TEST(ScorePoints, OfSeveralSeedsRangeOverTheSeeds) {
  ScoreLayer two = layer("Arm", {{64, 10}});
  two.seeds.push_back(layer("Arm", {{64, 16}}).seeds.front());
  const std::vector<ScorePoint> points = points_by_length(two, {});
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points.front().seeds, 2);
  EXPECT_DOUBLE_EQ(points.front().share, 0.65);
  EXPECT_DOUBLE_EQ(points.front().low, 0.5);
  EXPECT_DOUBLE_EQ(points.front().high, 0.8);
}

}  // namespace
}  // namespace farstate::desktop
