// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/experiment.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace farstate {
namespace {

using Json = nlohmann::json;

// A perplexity in octaves, whose bin [b, 2b) has the value `level` + b.
ArmRun run_of(const std::string& arm, uint64_t seed, double level, int64_t length = 8192) {
  ArmRun run;
  run.arm = arm;
  run.seed = seed;
  run.steps = 40;
  Series series;
  series.name = "perplexity";
  for (int64_t begin = 1; begin < length; begin *= 2) {
    series.x.push_back(1.5 * static_cast<double>(begin));
    series.y.push_back(level + static_cast<double>(begin));
    series.bin_begin.push_back(begin);
    series.bin_end.push_back(2 * begin);
  }
  run.series.push_back(series);
  return run;
}

std::shared_ptr<const ArmRun> shared(ArmRun run) {
  return std::make_shared<const ArmRun>(std::move(run));
}

Experiment two_arms() {
  Experiment e;
  e.recipe = R"({"seed":7})";
  e.context = 64;
  e.base = shared(run_of("base", 7, 0.5));
  e.runs = {shared(run_of("zero", 7, 1)), shared(run_of("zero", 8, 4)),
            shared(run_of("tbtt", 7, 2, 512))};
  return e;
}

TEST(Experiment, TheTableIsTakenAtMultiplesOfT) {
  const Experiment e = two_arms();
  ASSERT_EQ(table_positions(64).size(), 5u);
  EXPECT_EQ(table_positions(64)[3].name, "8T");
  EXPECT_EQ(table_positions(64)[3].position, 512);
  EXPECT_EQ(perplexity_at(*e.base, 64).value(), 64.5);
  EXPECT_EQ(perplexity_at(*e.base, 4096).value(), 4096.5);
}

TEST(Experiment, MeanAndSpreadAreOverTheSeedsOfAnArm) {
  const Experiment e = two_arms();
  const std::optional<Spread> zero = perplexity_at(e, "zero", 128);
  ASSERT_TRUE(zero.has_value());
  EXPECT_EQ(zero->seeds, 2);
  EXPECT_DOUBLE_EQ(zero->mean, 128 + 2.5);
  EXPECT_DOUBLE_EQ(zero->std, 3 / std::sqrt(2.0));  // of the sample: divided by n - 1
  EXPECT_EQ(perplexity_at(e, "tbtt", 128)->std, 0);
  EXPECT_FALSE(perplexity_at(e, "tbtt", 4096).has_value());  // not measured that far
  EXPECT_FALSE(perplexity_at(e, "random-noise", 128).has_value());
}

TEST(Experiment, AFailedRunHasNoNumbersOfBeforeItFailed) {
  Experiment e = two_arms();
  ArmRun failed = *e.runs[2];
  auto untouched = std::make_shared<Snapshot>();
  untouched->series = std::move(failed.series);
  failed.series.clear();
  failed.snapshots = {untouched};
  e.runs[2] = shared(failed);
  EXPECT_TRUE(perplexity_at(e, "tbtt", 128).has_value()) << "as far as it has come";
  failed.stage = ArmStage::kFailed;
  e.runs[2] = shared(failed);
  EXPECT_FALSE(perplexity_at(e, "tbtt", 128).has_value());
}

TEST(Experiment, JsonHasThePromisedShape) {
  Experiment e = two_arms();
  ArmRun last = *e.runs[2];
  last.series[0].y[7] = std::numeric_limits<double>::infinity();  // the bin of 128 = 2T
  last.problem = "The loss is not finite.";
  e.runs[2] = shared(std::move(last));
  int64_t non_finite = 0;
  const Json json = Json::parse(to_json(e, non_finite));
  EXPECT_EQ(json["schema"], "farstate.experiment/1");
  EXPECT_EQ(json["recipe"]["seed"], 7);
  EXPECT_EQ(json["base"]["table"]["T"], 64.5);
  ASSERT_EQ(json["arms"].size(), 3u);
  EXPECT_EQ(json["arms"][1]["arm"], "zero");
  EXPECT_EQ(json["arms"][1]["seed"], 8);
  EXPECT_EQ(json["arms"][1]["table"]["8T"], 516);
  EXPECT_EQ(json["arms"][1]["series"][0]["name"], "perplexity");
  EXPECT_TRUE(json["arms"][1]["problem"].is_null());
  EXPECT_EQ(json["arms"][2]["problem"], "The loss is not finite.");
  EXPECT_TRUE(json["arms"][2]["table"]["2T"].is_null());
  EXPECT_FALSE(json["arms"][2]["table"].contains("64T"));
  EXPECT_EQ(json["table"]["zero"]["T"]["mean"], 66.5);
  EXPECT_EQ(json["table"]["zero"]["T"]["seeds"], 2);
  EXPECT_GT(non_finite, 0);
}

}  // namespace
}  // namespace farstate
