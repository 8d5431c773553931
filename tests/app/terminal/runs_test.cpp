// SPDX-License-Identifier: GPL-3.0-or-later
// farstate runs: what the store has recorded, as its user sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/store/run_store.h"
#include "core/store/sqlite.h"
#include "tests/support/farstate_program.h"
#include "tests/support/stored_runs.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::farstate;
using testing::Outcome;
using testing::points;
using testing::read_all;
using testing::snapshot;
using testing::some_run;
using testing::TempFolder;
using Json = nlohmann::json;

class Runs : public ::testing::Test {
 protected:
  Outcome runs(const std::string& words) { return farstate("runs " + words + " --store " + path); }
  // A run of another program, which then dies.
  int64_t lost_run() {
    const pid_t child = fork();
    if (child == 0) {
      RunStore::open(path)->begin(some_run("lost one"));
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    return RunStore::open(path)->list().front().id;
  }
  // Done, with snapshots and a checkpoint.
  int64_t whole_run() {
    const std::unique_ptr<RunStore> store = RunStore::open(path);
    StoredRun run = some_run();
    run.experiment = "laws";
    run.arm = "zero";
    const int64_t id = store->begin(run);
    store->add(id, points(1, 20), std::vector<RunEvent>{{10, "change", "sigma 0.3 from here"}});
    store->add(id, snapshot(10));
    store->add(id, snapshot(20));
    std::filesystem::create_directory(checkpoint);
    for (const char* name : {"training.safetensors", "model.safetensors", "config.json",
                             "farstate.json", "model.safetensors.1.part"}) {
      folder.write(std::string("checkpoint/") + name, "bytes");
    }
    store->set_checkpoint(id, checkpoint, 20);
    store->finish(id, RunStatus::kDone, "", {});
    return id;
  }

  TempFolder folder;
  std::string path = folder.file("runs.sqlite");
  std::string checkpoint = folder.file("checkpoint");
};

TEST_F(Runs, ListSaysWhatBecameOfEach) {
  whole_run();
  lost_run();
  const std::unique_ptr<RunStore> store = RunStore::open(path);
  store->begin(some_run("this one runs"));
  const Outcome all = runs("list --json " + folder.file("l.json"));
  EXPECT_EQ(all.code, 0) << all.output;
  EXPECT_THAT(all.output, AllOf(HasSubstr("started (UTC)"), HasSubstr("demo zero seed 7"),
                                HasSubstr("20/20"), HasSubstr("0.15"), HasSubstr("done"),
                                HasSubstr("ended without a word"), HasSubstr("running")));
  EXPECT_LT(all.output.find("this one runs"), all.output.find("lost one")) << "newest first";
  const Json json = Json::parse(read_all(folder.file("l.json")));
  ASSERT_EQ(json["runs"].size(), 3U);
  EXPECT_EQ(json["runs"][0]["alive"], true);
  EXPECT_EQ(json["runs"][1]["alive"], false);
  EXPECT_EQ(json["runs"][1]["status"], "running");

  for (const auto& [filter, name] : {std::pair("--status running", "this one runs"),
                                     {"--status lost", "lost one"},
                                     {"--status done", "demo zero seed 7"},
                                     {"--experiment laws", "demo zero seed 7"}}) {
    const std::string output = runs(std::string("list ") + filter).output;
    EXPECT_THAT(output, HasSubstr(name)) << filter;
    EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 2) << output;
  }
  EXPECT_THAT(runs("list --experiment none").output, HasSubstr("No such runs in " + path));
  EXPECT_EQ(runs("list --status nowhere").code, 2);
}

TEST_F(Runs, ShowTellsTheStory) {
  const int64_t id = whole_run();
  const Outcome shown = runs("show " + std::to_string(id));
  EXPECT_EQ(shown.code, 0) << shown.output;
  EXPECT_THAT(shown.output,
              AllOf(HasSubstr("status           done"), HasSubstr("experiment       laws, arm zero"),
                    HasSubstr("steps            20 of 20, loss 0.15"),
                    HasSubstr("snapshots        2, from step 10 to 20"),
                    // 31, 63 and 127 (tests/support/stored_runs.h) over 20.
                    HasSubstr("T/2 1.55  T 3.15  2T 6.35 (after 20 steps, T = 64)"),
                    HasSubstr(checkpoint + ", after 20 steps"),
                    HasSubstr("farstate train --resume " + checkpoint + " --steps N"),
                    HasSubstr("10  change: sigma 0.3 from here")));
  std::filesystem::remove(checkpoint + "/training.safetensors");
  EXPECT_THAT(runs("show 1").output, AllOf(HasSubstr("holds none any more"), Not(HasSubstr("--resume"))));
  const Outcome missing = runs("show 9");
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.output, HasSubstr("There is no run 9"));
}

TEST_F(Runs, ExportInEveryFormat) {
  whole_run();
  EXPECT_EQ(runs("export 1 --out " + folder.file("r.json")).code, 0);
  const Json json = Json::parse(read_all(folder.file("r.json")));
  EXPECT_EQ(json["schema"], "farstate.run/1");
  EXPECT_EQ(json["snapshots"].size(), 2U);
  EXPECT_EQ(json["points"]["step"].size(), 20U);
  EXPECT_EQ(runs("export 1 --format csv --out " + folder.file("tables")).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.file("tables/snapshots.csv")));
  const Outcome board = runs("export 1 --format tensorboard --out " + folder.file("log"));
  EXPECT_EQ(board.code, 0);
  EXPECT_THAT(board.output, HasSubstr("events.out.tfevents."));
  EXPECT_EQ(runs("export 1 --format parquet --out x").code, 2);
  EXPECT_EQ(runs("export 1").code, 2);
  EXPECT_EQ(runs("export 1 --out /proc/none/r.json").code, 3);
}

TEST_F(Runs, DeleteLeavesTheCheckpointUnlessItIsAskedFor) {
  const int64_t one = whole_run();
  EXPECT_THAT(runs("delete " + std::to_string(one)).output, HasSubstr("its checkpoint stays in"));
  EXPECT_TRUE(std::filesystem::exists(checkpoint + "/training.safetensors"));
  std::filesystem::remove_all(checkpoint);

  const int64_t two = whole_run(), lost = lost_run();
  const Outcome both =
      runs("delete " + std::to_string(two) + " " + std::to_string(lost) + " --with-checkpoint");
  EXPECT_EQ(both.code, 0) << both.output;
  EXPECT_THAT(both.output, AllOf(HasSubstr("Deleted run 2"), HasSubstr(checkpoint + " is removed"),
                                 HasSubstr("Deleted run 3"), HasSubstr("it had no checkpoint")));
  EXPECT_FALSE(std::filesystem::exists(checkpoint));
  EXPECT_TRUE(RunStore::open(path)->list().empty());
}

TEST_F(Runs, DeleteTakesNothingThatIsNotTheRuns) {
  const int64_t one = whole_run();
  folder.write("checkpoint/notes.txt", "mine");
  EXPECT_THAT(runs("delete " + std::to_string(one) + " --with-checkpoint").output,
              HasSubstr("others are left there"));
  EXPECT_EQ(read_all(checkpoint + "/notes.txt"), "mine");
  EXPECT_FALSE(std::filesystem::exists(checkpoint + "/model.safetensors"));

  std::filesystem::remove_all(checkpoint);
  const int64_t two = whole_run();
  std::filesystem::remove(checkpoint + "/training.safetensors");  // the folder is something else now
  EXPECT_THAT(runs("delete " + std::to_string(two) + " --with-checkpoint").output,
              HasSubstr("there was no run in"));
  EXPECT_TRUE(std::filesystem::exists(checkpoint + "/model.safetensors"));
}

TEST_F(Runs, DeleteRefusesWhatRunsAndThenDeletesNothing) {
  whole_run();
  const std::unique_ptr<RunStore> store = RunStore::open(path);
  const int64_t running = store->begin(some_run());
  const Outcome refused = runs("delete 1 " + std::to_string(running) + " --with-checkpoint");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.output, HasSubstr("is running"));
  EXPECT_EQ(runs("delete 1 77").code, 2);
  EXPECT_EQ(store->list().size(), 2U);
  EXPECT_TRUE(std::filesystem::exists(checkpoint + "/training.safetensors"));
}

TEST_F(Runs, ABadStoreIsCode3) {
  folder.write("runs.sqlite", "no database at all");
  const Outcome refused = runs("list");
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.output, AllOf(HasSubstr("farstate: " + path), HasSubstr("no SQLite database")));
  EXPECT_EQ(farstate("runs").code, 2);
}

// The whole way: trained, recorded, shown, gone on with.
TEST_F(Runs, ATrainedRunIsRecordedAndGoesOn) {
  const std::string run = folder.file("run");
  const std::string train = "train demo --context 24 --batch 3 --steps 4 --save-every 2 --out " + run;
  ASSERT_EQ(farstate(train + " --store " + path).code, 0);
  EXPECT_THAT(runs("show 1").output, AllOf(HasSubstr("steps            4 of 4"),
                                           HasSubstr("farstate train --resume " + run)));
  ASSERT_EQ(farstate("train --resume " + run + " --steps 3 --store " + path).code, 0);
  const std::unique_ptr<RunStore> store = RunStore::open(path);
  ASSERT_EQ(store->list().size(), 1U);
  EXPECT_EQ(store->find(1)->status, RunStatus::kDone);
  EXPECT_EQ(store->find(1)->checkpoint_step, 7);
  EXPECT_EQ(store->curves(1).points.size(), 7U);
  EXPECT_THAT(store->find(1)->program, HasSubstr("farstate "));
}

// A record that ended before the checkpoint did is made whole from that.
TEST_F(Runs, AResumedRunTellsItsPastAgain) {
  const std::string run = folder.file("run");
  ASSERT_EQ(farstate("train demo --context 24 --batch 3 --steps 4 --out " + run + " --store " + path).code, 0);
  sqlite::Database(path).run("DELETE FROM points WHERE step > 2");
  ASSERT_EQ(farstate("train --resume " + run + " --steps 1 --store " + path).code, 0);
  EXPECT_EQ(RunStore::open(path)->curves(1).points.size(), 5U);
}

}  // namespace
}  // namespace farstate
