// SPDX-License-Identifier: GPL-3.0-or-later
// Files of results read back: all of them, and refused where they are not what they should be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/results/results.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Series some_series() {
  Series s;
  s.name = "state_norm";
  s.x_name = "position";
  s.unit = "1";
  s.x = {1, 2.5};
  s.y = {0.1, kNaN};
  s.lower = {0.0, 1e300};
  s.upper = {0.2, std::numeric_limits<double>::infinity()};
  s.bin_begin = {1, 2};
  s.bin_end = {2, 4};
  s.layer = 1;
  s.head = 3;
  s.sequences = 8;
  return s;
}

ElementDistribution some_distribution(int64_t position) {
  ElementDistribution d;
  d.position = position;
  d.states = 16;
  d.counted = 8192;
  d.mean = 0.25;
  d.std = 1.5;
  d.skewness = -0.125;
  d.excess_kurtosis = 3;
  d.smallest = -4;
  d.largest = 5;
  d.norm = 17;
  d.counts = {3, 5};
  d.below = 1;
  d.above = 2;
  d.quantiles = {-1, 0, 1};
  d.effective_rank = 2.5;
  d.singular_values = {4, 2, 1};
  d.ks_distance = kNaN;
  d.wasserstein = 0.5;
  d.cosine = 0.75;
  return d;
}

StateReport some_report() {
  StateReport r;
  r.epoch = 3;
  r.question = std::numeric_limits<uint64_t>::max();
  r.step = 100;
  r.recipe = R"({"seed":7})";
  r.sequences = 8;
  r.positions = {64, 4096};
  r.training = {8, 16, 32, 64};
  r.normal_quantiles = {-1.5, 0, 1.5};
  HeadReport head;
  head.index = {0, 1};
  head.edges = {-1, 0, 1};
  head.training = some_distribution(0);
  head.at = {some_distribution(64), some_distribution(4096)};
  HeadLawReport law;
  law.position = 64;
  law.states = 16;
  law.law = "dependent";
  law.sentence = "Elements depend on each other.";
  law.spectrum = {0.75, 0.25};
  law.shuffled_spectrum = {0.5, 0.5};
  law.components = 1;
  law.leading_share = 0.75;
  law.shuffled_leading_share = 0.5;
  law.rank = 2;
  law.shuffled_rank = 3;
  law.row_correlation = 0.25;
  law.column_correlation = 0.125;
  law.other_correlation = 0.0625;
  law.side = 2;
  law.correlation = {1, 0.5, 0.5, 1};
  head.law = law;
  r.heads = {head, {{0, 2}, {}, {}, {some_distribution(64), some_distribution(4096)}, {}, {}}};
  for (ElementDistribution& d : r.heads[1].at) d.counts.clear();
  r.law = "Fixed variance suffices.";
  r.text = {{64, 60, {{102, "f"}, {0xE9, "\u00e9 \"\n"}}}};
  AttentionReport attention;
  attention.index = {0, 1};
  attention.first = 62;
  attention.tokens = {{1, "a"}, {2, "b"}};
  attention.weights = {0.5F, 0, -0.1F, std::numeric_limits<float>::quiet_NaN()};
  attention.from_before = {1, 0.25F};
  attention.leaning = {0.1F, -2};
  attention.predicted = {3, "c"};
  attention.probability = 0.5;
  r.attention = attention;
  r.notes = {"Thinned."};
  return r;
}

Results some_results() {
  Results r;
  r.recipe = R"({"seed":3})";
  r.model = MeasuredModel{"demo", 64, "state-passing", 200};
  r.series = {some_series()};
  r.per_position.tokens = {{5, 6, 7}};
  r.per_position.nll = {{0.1F, 4}};
  r.notes = {"A note."};
  r.states = some_report();
  return r;
}

std::string written(const Results& results) {
  int64_t non_finite = 0;
  return to_json(results, non_finite);
}

// Every member goes through a key of its own: the made-up results have no two members of one struct
// with the same value where a swap would matter, and equal JSON means equal numbers.
TEST(ReadingResults, GivesWhatWasWritten) {
  const std::string text = written(some_results());
  const Results read = results_from_json(text, "r.json");
  EXPECT_EQ(written(read), text);
  EXPECT_EQ(Json::parse(read.recipe), Json::parse(R"({"seed":3})"));
  EXPECT_EQ(read.model, some_results().model);
  EXPECT_EQ(read.per_position, some_results().per_position);
  ASSERT_EQ(read.series.size(), 1U);
  const Series& s = read.series[0];
  EXPECT_EQ(s.y[0], 0.1);
  EXPECT_TRUE(std::isnan(s.y[1])) << "null is read as NaN";
  EXPECT_TRUE(std::isnan(s.upper[1]));
  EXPECT_EQ(s.bin_end, some_series().bin_end);
  EXPECT_EQ(s.head, 3);
  ASSERT_TRUE(read.states.has_value());
  EXPECT_EQ(read.states->question, some_report().question);
  EXPECT_TRUE(read.states->heads[0].training.has_value());
  EXPECT_FALSE(read.states->heads[1].training.has_value());
  EXPECT_FALSE(read.states->heads[1].law.has_value());
  EXPECT_TRUE(std::isnan(read.states->heads[0].at[1].ks_distance));
  EXPECT_EQ(read.states->text[0].tokens[1].text, "\u00e9 \"\n");
  EXPECT_EQ(read.states->attention->weights[2], -0.1F);
}

TEST(ReadingResults, WhatIsNotThereStaysEmpty) {
  const Results read =
      results_from_json(R"({"schema":"farstate.results/1","recipe":null,"series":[],"notes":[]})",
                        "r.json");
  EXPECT_TRUE(read.recipe.empty());
  EXPECT_FALSE(read.model || read.states);
  EXPECT_TRUE(read.per_position.nll.empty());
}

TEST(ReadingResults, CountsWhatIsNotFinite) {
  int64_t non_finite = 0;
  to_json(some_results(), non_finite);
  // y and upper of the series. In the close look, null says that there is nothing to compare with.
  EXPECT_EQ(non_finite, 2);
}

// The sentence that refuses the results with a change.
std::string refusal(const std::function<void(Json&)>& change) {
  Json json = Json::parse(written(some_results()));
  change(json);
  try {
    results_from_json(json.dump(), "r.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr("r.json"));
    return error.what();
  }
  return "";
}

TEST(ReadingResults, NamesTheKeyThatIsWrong) {
  struct Case {
    std::function<void(Json&)> change;
    const char* named;
  };
  const std::vector<Case> cases = {
      {[](Json& j) { j.erase("schema"); }, "schema"},
      {[](Json& j) { j["schema"] = "farstate.results/2"; }, "farstate.results/1"},
      {[](Json& j) { j["schema"] = 1; }, "schema"},
      {[](Json& j) { j.erase("series"); }, "\"series\" is missing"},
      {[](Json& j) { j["series"] = 3; }, "\"series\" is 3"},
      {[](Json& j) { j["recipe"] = "{}"; }, "\"recipe\""},
      {[](Json& j) { j["model"]["steps"] = 1.5; }, "\"model.steps\" is 1.5"},
      {[](Json& j) { j["model"]["steps"] = -1; }, "steps"},
      {[](Json& j) { j["series"][0].erase("unit"); }, "in \"series[0]\" the key \"unit\""},
      {[](Json& j) { j["series"][0]["x"][1] = "2"; }, "\"series[0].x[1]\" is \"2\""},
      {[](Json& j) { j["series"][0]["y"].push_back(1); }, "\"y\" has 3 values for 2"},
      {[](Json& j) { j["series"][0]["lower"].erase(0); }, "\"lower\" has 1"},
      {[](Json& j) { j["series"][0]["bin_end"].push_back(9); }, "\"bin_end\" has 3"},
      {[](Json& j) { j["series"][0]["bin_end"][0] = 9.5; }, "\"series[0].bin_end[0]\" is 9.5"},
      {[](Json& j) { j["series"][0]["bin_begin"][0] = -1; }, "bin edge -1"},
      {[](Json& j) { j["series"][0]["layer"] = -1; }, "\"layer\" is -1"},
      {[](Json& j) { j["series"][0]["head"] = 1e30; }, "\"series[0].head\""},
      {[](Json& j) { j["series"][0]["sequences"] = 18446744073709551615ULL; }, "63 bits"},
      {[](Json& j) { j["per_position"]["nll"][0].push_back(1); }, "3 losses for 3 tokens"},
      {[](Json& j) { j["per_position"]["tokens"].push_back(Json::array()); }, "2 sequences"},
      {[](Json& j) { j["per_position"]["tokens"][0][0] = 4294967296; }, "31 bits"},
      {[](Json& j) { j["per_position"]["nll"][0][0] = 1e300; }, "32 bits"},
      {[](Json& j) { j["states"] = Json::array(); }, "\"states\" is an array"},
      {[](Json& j) { j["states"]["question"] = -1; }, "\"states.question\" is -1"},
      {[](Json& j) { j["states"].erase("law"); }, "in \"states\" the key \"law\""},
      {[](Json& j) { j["states"]["positions"].push_back(5); }, "\"at\" has 2 values, but must have 3"},
      {[](Json& j) { j["states"]["normal_quantiles"].push_back(5); }, "\"quantiles\" has 3"},
      {[](Json& j) { j["states"]["heads"][0]["edges"].push_back(5); }, "\"counts\" has 2"},
      {[](Json& j) { j["states"]["heads"][0]["index"]["head"] = -4; }, "\"head\" is -4"},
      {[](Json& j) { j["states"]["heads"][1]["at"][0].erase("mean"); }, "states.heads[1].at[0]"},
      {[](Json& j) { j["states"]["heads"][0]["law"]["side"] = 4294967296; }, "\"side\""},
      {[](Json& j) { j["states"]["heads"][0]["law"]["side"] = 3; }, "must have 9"},
      {[](Json& j) { j["states"]["attention"]["weights"].erase(0); }, "\"weights\" has 3"},
      {[](Json& j) { j["states"]["attention"]["leaning"].erase(0); }, "\"leaning\" has 1"},
      {[](Json& j) { j["states"]["attention"]["from_before"].clear(); }, "\"from_before\" has 0"},
      {[](Json& j) { j["states"]["attention"]["tokens"][0]["text"] = 5; },
       "\"states.attention.tokens[0].text\" is 5"},
  };
  for (const Case& c : cases) EXPECT_THAT(refusal(c.change), HasSubstr(c.named));
}

TEST(ReadingResults, RefusesWhatIsNoJson) {
  const std::vector<std::string> texts = {"", "{", "[1]", "\xFF", std::string(100000, '[')};
  for (const std::string& text : texts) {
    EXPECT_THROW(results_from_json(text, "r.json"), Error) << text.substr(0, 10);
  }
}

TEST(ReadingResults, ATruncationIsRefused) {
  const std::string text = written(some_results());
  for (size_t size = 0; size < text.size(); size += 1 + size / 256) {
    EXPECT_THROW(results_from_json(std::string_view(text).substr(0, size), "r.json"), Error)
        << size;
  }
}

}  // namespace
}  // namespace farstate
