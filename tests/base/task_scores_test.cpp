// SPDX-License-Identifier: GPL-3.0-or-later
// Scores at tasks: shares with their intervals, written and read back, and refused where they are not
// what they should be; the paper's.
#include "core/results/task_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/results/experiment.h"
#include "core/results/paper_results.h"
#include "core/results/series_csv.h"
#include "tests/support/refusal.h"

namespace farstate {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::refusal;
using Json = nlohmann::ordered_json;

TaskCell some_cell() {
  TaskCell c;
  c.task = "babilong";
  c.kind = "qa2";
  c.mode = "generated";
  c.length = 4096;
  c.arm = "fitted-noise:sigma=0.3";
  c.seed = 18446744073709551615U;
  c.samples = 12;
  c.planned = 20;
  c.correct = 9;
  c.trials = 12;
  return c;
}

TaskScores some_scores() {
  TaskScores scores;
  scores.recipe = R"({"seed":7})";
  scores.model = "run/zero-seed7";
  scores.context = 64;
  scores.cells = {some_cell(), some_cell()};
  scores.cells[0].depth = 0.1;
  scores.cells[1].samples = scores.cells[1].correct = scores.cells[1].trials = 0;
  scores.notes = {"Schlüssel fehlen."};
  return scores;
}

TEST(TaskScores, AShareOfNothingIsNone) {
  TaskCell cell = some_cell();
  EXPECT_EQ(accuracy(cell), 0.75);
  cell.trials = cell.correct = 0;
  EXPECT_TRUE(std::isnan(accuracy(cell)));
}

// With z^2 = 3.841458820694124 by hand, each to 1e-12: the formula adds a few roundings to numbers below 1.
//   k = n = 20: lower = n / (n + z^2);  k = 0: upper = z^2 / (n + z^2);
//   k = n / 2: 1/2 -+ z / (2 sqrt(n + z^2)).
//   any k: (k + z^2/2 -+ z sqrt(k (n - k) / n + z^2/4)) / (n + z^2).
TEST(TaskScores, WilsonsIntervalIsThatOfTheFormula) {
  constexpr double kSquare = 3.841458820694124;
  const Interval all = wilson(20, 20), none = wilson(0, 20), half = wilson(10, 20);
  EXPECT_NEAR(all.lower, 20 / (20 + kSquare), 1e-12);
  EXPECT_EQ(all.upper, 1);
  EXPECT_EQ(none.lower, 0);
  EXPECT_NEAR(none.upper, kSquare / (20 + kSquare), 1e-12);
  EXPECT_NEAR(all.lower, 0.83887484, 1e-7);
  EXPECT_NEAR(none.upper, 0.16112516, 1e-7);
  const double reach = std::sqrt(kSquare) / (2 * std::sqrt(20 + kSquare));
  EXPECT_NEAR(half.lower, 0.5 - reach, 1e-12);
  EXPECT_NEAR(half.upper, 0.5 + reach, 1e-12);
  const Interval five = wilson(5, 8);
  const double around = std::sqrt(kSquare) / (8 + kSquare) * std::sqrt(15.0 / 8 + kSquare / 4);
  EXPECT_NEAR((five.lower + five.upper) / 2, (5 + kSquare / 2) / (8 + kSquare), 1e-12);
  EXPECT_NEAR(five.upper - five.lower, 2 * around, 1e-12);
  const Interval nothing = wilson(0, 0);
  EXPECT_EQ(nothing.lower, 0);
  EXPECT_EQ(nothing.upper, 1);
}

// What it promises: a share that lies within it is one whose own deviation reaches what was observed.
TEST(TaskScores, WilsonsBoundsLieZDeviationsFromTheShare) {
  for (const int64_t n : {1, 7, 20, 1000}) {
    for (int64_t k = 1; k < n; k += 1 + n / 9) {
      const double share = static_cast<double>(k) / static_cast<double>(n);
      for (const double p : {wilson(k, n).lower, wilson(k, n).upper}) {
        const double deviation = std::sqrt(p * (1 - p) / static_cast<double>(n));
        EXPECT_NEAR(std::abs(share - p) / deviation, 1.959963984540054, 1e-9) << k << " of " << n;
      }
    }
  }
}

TEST(TaskScores, WrittenAndReadBack) {
  const TaskScores scores = some_scores();
  const std::string text = to_json(scores);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["schema"], "farstate.scores/1");
  EXPECT_EQ(json["recipe"]["seed"], 7);
  const Json& first = json["cells"][0];
  EXPECT_EQ(first["accuracy"], 0.75);
  EXPECT_EQ(first["lower"], wilson(9, 12).lower);
  EXPECT_EQ(first["upper"], wilson(9, 12).upper);
  EXPECT_EQ(first["depth"], 0.1);
  EXPECT_TRUE(json["cells"][1]["depth"].is_null());
  EXPECT_TRUE(json["cells"][1]["accuracy"].is_null());
  const TaskScores read = task_scores_from_json(text, "s.json");
  EXPECT_EQ(to_json(read), text);
  EXPECT_EQ(read.cells[0].seed, 18446744073709551615U);
  EXPECT_EQ(read.cells[0].depth, 0.1);
  EXPECT_EQ(read.cells[1].depth, -1);
  EXPECT_EQ(task_scores_from_json(to_json(TaskScores()), "s.json").recipe, "");
}

TEST(TaskScoresRefusal, NamesTheKeyAndWhatWasFound) {
  const auto with = [](const std::function<void(Json&)>& change) {
    Json json = Json::parse(to_json(some_scores()));
    change(json);
    return refusal([&] { task_scores_from_json(json.dump(), "bad.json"); });
  };
  const auto cell = [&](const char* key, const Json& value) {
    return with([&](Json& json) { json["cells"][1][key] = value; });
  };
  EXPECT_THAT(refusal([] { task_scores_from_json("{", "bad.json"); }), HasSubstr("bad.json is no JSON"));
  EXPECT_THAT(with([](Json& json) { json.erase("schema"); }), HasSubstr("no file of scores"));
  EXPECT_THAT(with([](Json& json) { json["schema"] = "farstate.results/1"; }),
              AllOf(HasSubstr("farstate.results/1"), HasSubstr("farstate.scores/1")));
  EXPECT_THAT(with([](Json& json) { json.erase("cells"); }), HasSubstr("\"cells\" is missing"));
  EXPECT_THAT(with([](Json& json) { json["cells"][1].erase("mode"); }),
              AllOf(HasSubstr("cells[1]"), HasSubstr("\"mode\" is missing")));
  EXPECT_THAT(cell("length", "long"), AllOf(HasSubstr("cells[1].length"), HasSubstr("long")));
  EXPECT_THAT(cell("seed", -1), HasSubstr("a whole number from 0"));
  EXPECT_THAT(cell("correct", 3), HasSubstr("\"correct\" is 3 of 0 \"trials\""));
  EXPECT_THAT(cell("samples", -3), AllOf(HasSubstr("\"samples\" is -3"), HasSubstr("negative")));
  EXPECT_THAT(cell("depth", 1.5), HasSubstr("\"depth\" is 1.5"));
  EXPECT_THAT(cell("task", ""), HasSubstr("\"task\" must not be empty"));
  EXPECT_EQ(cell("unknown", 1), "accepted");
}

TEST(TaskScores, AsATable) {
  std::ostringstream out;
  write_csv(out, some_scores().cells);
  EXPECT_THAT(out.str(), AllOf(HasSubstr("task,kind,mode,length,depth,arm,seed,samples,planned,correct,"
                                         "trials,accuracy,lower,upper\r\n"),
                               HasSubstr("babilong,qa2,generated,4096,0.1,fitted-noise:sigma=0.3,"
                                         "18446744073709551615,12,20,9,12,0.75,0.46"),
                               HasSubstr("babilong,qa2,generated,4096,,fitted-noise:sigma=0.3,"
                                         "18446744073709551615,0,20,0,0,,0,1\r\n")));
}

TEST(TaskScores, AreInTheExperimentsFile) {
  Experiment experiment;
  experiment.recipe = "{}";
  auto run = std::make_shared<ArmRun>();
  run->cells = some_scores().cells;
  experiment.runs = {run, std::make_shared<ArmRun>()};
  int64_t non_finite = 0;
  const Json json = Json::parse(to_json(experiment, non_finite));
  EXPECT_EQ(json["arms"][0]["cells"][0]["accuracy"], 0.75);
  EXPECT_FALSE(json["arms"][1].contains("cells"));
  EXPECT_EQ(non_finite, 0);
}

TEST(PaperResults, AreSharesWithTheirSource) {
  EXPECT_TRUE(paper_results("register").empty());
  size_t cells = 0;
  for (const char* task : {"passkey", "babilong", "copying"}) {
    for (const PaperSeries& series : paper_results(task)) {
      EXPECT_THAT(series.source, HasSubstr("arXiv:2507.02782"));
      EXPECT_EQ(series.source.find("digitised") != std::string::npos, std::string(task) != "copying");
      for (const TaskCell& c : series.cells) {
        EXPECT_EQ(c.task, task);
        EXPECT_TRUE(accuracy(c) >= 0 && accuracy(c) <= 1);
        EXPECT_EQ(c.samples, 0);
        ++cells;
      }
    }
  }
  // 6 models x 3 depths x 8 lengths, 6 x 10 lengths, 2.
  EXPECT_EQ(cells, 144U + 60U + 2U);
  const TaskCell& far = paper_results("babilong")[4].cells.back();
  EXPECT_EQ(far.length, 262144);
  EXPECT_DOUBLE_EQ(accuracy(far), 0.24);
  EXPECT_DOUBLE_EQ(accuracy(paper_results("copying")[1].cells[0]), 0.47);
  EXPECT_EQ(paper_results("copying")[1].spread, 0.11);
}

}  // namespace
}  // namespace farstate
