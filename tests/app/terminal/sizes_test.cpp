// SPDX-License-Identifier: GPL-3.0-or-later
// What a person asks before a training: settings by name, what it will take, which learning rate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::read_all;
using testing::TempFolder;
using Json = nlohmann::json;

struct Outcome {
  int code = -1;
  std::string output;
};

Outcome farstate(const std::string& arguments) {
  Outcome outcome;
  FILE* pipe = popen((std::string(FARSTATE_BIN_DIR "/farstate ") + arguments + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (const size_t n = fread(buffer, 1, sizeof(buffer), pipe)) outcome.output.append(buffer, n);
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

TEST(Presets, AreListedAndShownWithTheirEvidence) {
  const Outcome list = farstate("presets");
  EXPECT_EQ(list.code, 0);
  EXPECT_THAT(list.output, HasSubstr("paper-mamba2-370m "));
  const Outcome one = farstate("presets paper-mamba2-370m");
  EXPECT_THAT(one.output, HasSubstr("train.learning_rate"));
  EXPECT_THAT(one.output, HasSubstr("inferred"));
  EXPECT_THAT(one.output, HasSubstr("arXiv:2005.14165"));
  EXPECT_EQ(farstate("presets papper").code, 2);
}

TEST(Presets, OptionsBesideThemWinWhereverTheyStand) {
  const TempFolder folder;
  for (const char* words : {"--steps 2 --lr 0.25 --preset demo", "--preset demo --lr 0.25 --steps 2"}) {
    const std::string json = folder.file("train.json");
    const Outcome run = farstate(std::string("train demo ") + words + " --json " + json);
    ASSERT_EQ(run.code, 0) << run.output;
    const Json recipe = Json::parse(read_all(json))["recipe"];
    EXPECT_EQ(recipe["train"]["learning_rate"], 0.25);
    EXPECT_EQ(recipe["train"]["steps"], 2);
    EXPECT_EQ(recipe["intervention"]["kind"], "state-passing");
  }
  const std::string json = folder.file("zero.json");
  farstate("train demo --preset demo --steps 1 --intervention zero --json " + json);
  EXPECT_EQ(Json::parse(read_all(json))["recipe"]["intervention"]["kind"], "zero");
}

TEST(Estimate, SaysTimeAndMemoryAndEnds) {
  const TempFolder folder;
  const std::string json = folder.file("estimate.json");
  const std::string out = folder.file("run");
  const Outcome run = farstate("train demo --estimate --out " + out + " --json " + json);
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("extrapolated"));
  EXPECT_THAT(run.output, HasSubstr("optimizer moments"));
  EXPECT_FALSE(std::filesystem::exists(out));
  const Json estimate = Json::parse(read_all(json));
  EXPECT_EQ(estimate["schema"], "farstate.estimate/1");
  EXPECT_GT(estimate["seconds_total"].get<double>(), 0);
  EXPECT_TRUE(estimate["fits"].get<bool>());
  EXPECT_GT(estimate["memory"]["activations"].get<int64_t>(), 0);
}

TEST(Estimate, OfAnExperimentCountsRunsAndMeasurements) {
  const TempFolder folder;
  const std::string json = folder.file("estimate.json");
  const Outcome run = farstate(
      "experiment demo --arms zero,tbtt --seeds 2 --steps 5 --length 512 --sequences 2 --estimate "
      "--json " + json);
  ASSERT_EQ(run.code, 0) << run.output;
  const Json e = Json::parse(read_all(json));
  EXPECT_EQ(e["runs"], 4);
  EXPECT_EQ(e["measurements"], 5);
  EXPECT_NEAR(e["seconds_all"].get<double>(),
              4 * e["seconds_total"].get<double>() + 5 * e["seconds_measuring"].get<double>(), 1e-9);
}

TEST(Estimate, InfoNamesThePartsAndRecomputationSavesActivations) {
  const TempFolder folder;
  const std::string json = folder.file("info.json");
  const auto activations = [&](const std::string& words) {
    EXPECT_EQ(farstate("info demo --batch 16 --context 512 " + words + " --json " + json).code, 0);
    const Json info = Json::parse(read_all(json));
    int64_t sum = 0;
    for (const auto& part : info["train_memory"]) sum += part.get<int64_t>();
    EXPECT_EQ(sum, info["train_bytes"].get<int64_t>());
    return info["train_memory"]["activations"].get<int64_t>();
  };
  EXPECT_LT(activations("--recompute"), activations(""));
}

TEST(FindLr, WritesCurveAndSuggestionAndNothingElse) {
  const TempFolder folder;
  const std::string json = folder.file("lr.json");
  const Outcome run =
      farstate("train demo --intervention state-passing --batch 8 --find-lr --json " + json);
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("Suggested: "));
  const Json results = Json::parse(read_all(json));
  EXPECT_EQ(results["series"][0]["name"], "lr_loss");
  EXPECT_EQ(results["series"][0]["x_name"], "learning_rate");
  EXPECT_EQ(results["series"][2]["name"], "lr_suggestion");
  EXPECT_EQ(farstate("train demo --find-lr --out " + folder.file("run")).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder.file("run")));
}

TEST(Training, RecomputedLayersWriteTheSameWeights) {
  const TempFolder folder;
  const std::string kept = folder.file("kept");
  const std::string again = folder.file("again");
  const std::string run = "train demo --preset demo --steps 3 --batch 4 --micro-batch 3 --out ";
  ASSERT_EQ(farstate(run + kept).code, 0);
  ASSERT_EQ(farstate(run + again + " --recompute").code, 0);
  EXPECT_EQ(read_all(again + "/model.safetensors"), read_all(kept + "/model.safetensors"));
}

}  // namespace
}  // namespace farstate
