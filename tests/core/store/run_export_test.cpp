// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/stored_runs.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::points;
using testing::read_all;
using testing::snapshot;
using testing::some_run;
using testing::TempFolder;
using Json = nlohmann::json;

RunCurves some_curves() {
  RunCurves curves;
  curves.points = points(1, 3);
  curves.points[1].loss = std::numeric_limits<double>::quiet_NaN();
  curves.events = {{2, "skipped", "loss, \"not\" a number"}};
  curves.snapshots = {snapshot(2), snapshot(3)};
  curves.series = snapshot(3).series;
  TaskCell cell;
  cell.task = "register";
  cell.correct = 3;
  cell.trials = 4;
  curves.cells = {cell};
  return curves;
}

TEST(RunExport, JsonHasAllOfTheRun) {
  StoredRun run = some_run();
  run.id = 12;
  run.seed = std::numeric_limits<uint64_t>::max();
  run.steps = 3;
  run.final_loss = 1;
  run.status = RunStatus::kDone;
  std::ostringstream out;
  int64_t non_finite = 0;
  write_json(out, run, some_curves(), non_finite);
  EXPECT_EQ(non_finite, 1);
  const Json json = Json::parse(out.str());
  EXPECT_EQ(json["schema"], "farstate.run/1");
  EXPECT_EQ(json["id"], 12);
  EXPECT_EQ(json["seed"], std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["alive"], false);
  EXPECT_EQ(json["final_loss"], 1.0);
  EXPECT_EQ(json["recipe"]["train"]["context"], 64);
  EXPECT_EQ(json["points"]["step"], Json({1, 2, 3}));
  EXPECT_EQ(json["points"]["loss"], Json({3.0, nullptr, 1.0}));
  EXPECT_EQ(json["points"]["tokens_per_second"][2], 10003.0);
  EXPECT_EQ(json["events"][0]["step"], 2);
  EXPECT_EQ(json["events"][0]["kind"], "skipped");
  ASSERT_EQ(json["snapshots"].size(), 2U);
  EXPECT_EQ(json["snapshots"][1]["step"], 3);
  EXPECT_THAT(json["snapshots"][1]["notes"][0].get<std::string>(), HasSubstr("held-out"));
  const Json& norm = json["snapshots"][1]["series"][2];
  EXPECT_EQ(norm["name"], "state_norm");
  EXPECT_EQ(norm["head"], 3);
  EXPECT_EQ(norm["y"], Json({0.5, 1.0, 1.0 / 3}));
  EXPECT_EQ(json["series"].size(), 3U);
  EXPECT_EQ(json["cells"][0]["task"], "register");
  EXPECT_EQ(json["cells"][0]["accuracy"], 0.75);
}

TEST(RunExport, JsonOfARunWithoutCurves) {
  std::ostringstream out;
  int64_t non_finite = 0;
  StoredRun run = some_run();
  run.recipe = "not JSON";
  write_json(out, run, {}, non_finite);
  const Json json = Json::parse(out.str());
  EXPECT_TRUE(json["recipe"].is_null());
  EXPECT_EQ(json["snapshots"], Json::array());
  EXPECT_EQ(json["points"]["step"], Json::array());
}

TEST(RunExport, ListsRunsWithoutTheirCurves) {
  const Json json = Json::parse(to_json({some_run("a"), some_run("b")}, "/place/runs.sqlite"));
  EXPECT_EQ(json["schema"], "farstate.runs/1");
  EXPECT_EQ(json["store"], "/place/runs.sqlite");
  EXPECT_EQ(json["runs"][1]["name"], "b");
  EXPECT_FALSE(json["runs"][1].contains("recipe"));
  EXPECT_EQ(Json::parse(to_json(std::vector<StoredRun>{}, "x"))["runs"], Json::array());
}

TEST(RunExport, TablesHaveARowForEveryValue) {
  const TempFolder folder;
  const std::string out = folder.file("tables");
  EXPECT_THAT(write_tables(out, some_run(), some_curves()),
              ElementsAre("recipe.json", "points.csv", "events.csv", "snapshots.csv", "series.csv",
                          "cells.csv"));
  EXPECT_EQ(read_all(out + "/points.csv"),
            "step,loss,grad_norm,learning_rate,tokens_per_second\r\n"
            "1,3,0.1,0.0005,10001\r\n"
            "2,NaN,0.2,0.0005,10002\r\n"
            "3,1,0.30000000000000004,0.0005,10003\r\n");
  EXPECT_EQ(read_all(out + "/events.csv"),
            "step,kind,text\r\n2,skipped,\"loss, \"\"not\"\" a number\"\r\n");
  const std::string snapshots = read_all(out + "/snapshots.csv");
  EXPECT_THAT(snapshots, ::testing::StartsWith("step,name,layer,head,x_name,x,y,"));
  EXPECT_THAT(snapshots, HasSubstr("\r\n3,state_norm,1,3,position,128,0.3333333333333333,,,,,1,1\r\n"));
  // Two snapshots of two curves of 64 bins and one of 3 positions.
  EXPECT_EQ(std::count(snapshots.begin(), snapshots.end(), '\n'), 1 + 2 * (2 * 64 + 3));
  EXPECT_EQ(Json::parse(read_all(out + "/recipe.json"))["seed"], 7);
  EXPECT_THAT(write_tables(folder.file("bare"), some_run(), {}), ElementsAre("recipe.json"));
}

}  // namespace
}  // namespace farstate
