// SPDX-License-Identifier: GPL-3.0-or-later
// Scores at tasks in the store: one scoring per key, cells that take each other's place, and what goes
// with a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <limits>
#include <thread>

#include "core/base/error.h"
#include "core/store/run_store.h"
#include "core/store/sqlite.h"
#include "tests/support/stored_runs.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::points;
using testing::some_run;
using testing::TempFolder;

StoredScoring some_scoring(const std::string& key = "weights and samples") {
  StoredScoring scoring;
  scoring.key = key;
  scoring.recipe = R"({"seed":7})";
  scoring.task = "passkey";
  scoring.model = "/models/one";
  scoring.arm = "state-passing:sigma=0.3";
  scoring.seed = std::numeric_limits<uint64_t>::max();
  return scoring;
}

TaskCell cell(int64_t length, double depth, int64_t correct, int64_t samples) {
  TaskCell c;
  c.task = "passkey";
  c.mode = "generated";
  c.length = length;
  c.depth = depth;
  c.samples = c.trials = samples;
  c.planned = 20;
  c.correct = correct;
  return c;
}

std::string sentence_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadUsage) << error.what();
    return error.what();
  }
  return "accepted";
}

TEST(Scorings, KeepsAllOfOne) {
  const TempFolder folder;
  {
    const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
    EXPECT_EQ(store->begin_scoring(some_scoring()), 1);
    store->add_cells(1, std::vector{cell(4096, 0.5, 3, 5), cell(2048, 0.1, 20, 20)});
  }
  const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
  ASSERT_EQ(store->list_scorings().size(), 1U);
  const StoredScoring kept = store->list_scorings()[0];
  EXPECT_EQ(kept.key, "weights and samples");
  EXPECT_EQ(kept.recipe, R"({"seed":7})");
  EXPECT_EQ(kept.model, "/models/one");
  EXPECT_EQ(kept.seed, std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(kept.run, 0);
  EXPECT_EQ(kept.started.size(), std::string("2026-11-30T10:00:00Z").size());
  const std::vector<TaskCell> cells = store->cells(1);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].length, 2048) << "by length";
  EXPECT_EQ(cells[0].depth, 0.1);
  EXPECT_EQ(cells[1].task, "passkey");
  EXPECT_EQ(cells[1].mode, "generated");
  EXPECT_EQ(cells[1].arm, "state-passing:sigma=0.3");
  EXPECT_EQ(cells[1].seed, std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(cells[1].samples, 5);
  EXPECT_EQ(cells[1].planned, 20);
  EXPECT_EQ(cells[1].correct, 3);
  EXPECT_EQ(cells[1].trials, 5);
}

TEST(Scorings, TheSameKeyGoesOn) {
  const TempFolder folder;
  const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
  const int64_t run = store->begin(some_run());
  StoredScoring scoring = some_scoring();
  scoring.run = run;
  EXPECT_EQ(store->begin_scoring(scoring), 1);
  store->add_cells(1, std::vector{cell(2048, 0.1, 20, 20)});
  scoring.run = 0;  // by somebody who does not know of the run
  scoring.model = "/moved/one";
  EXPECT_EQ(store->begin_scoring(scoring), 1);
  EXPECT_EQ(store->list_scorings().size(), 1U);
  EXPECT_EQ(store->list_scorings()[0].model, "/moved/one");
  EXPECT_EQ(store->list_scorings()[0].run, run);
  EXPECT_EQ(store->cells(1).size(), 1U);
  EXPECT_EQ(store->begin_scoring(some_scoring("other weights")), 2);
  EXPECT_EQ(store->list_scorings()[0].id, 2) << "newest first";
  EXPECT_TRUE(store->cells(2).empty());
}

TEST(Scorings, ACellTakesThePlaceOfTheOneBefore) {
  const TempFolder folder;
  const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
  const int64_t id = store->begin_scoring(some_scoring());
  store->add_cells(id, std::vector{cell(2048, 0.1, 1, 2), cell(2048, -1, 1, 2)});
  TaskCell predicted = cell(2048, 0.1, 9, 9);
  predicted.mode = "predicted";
  // A negative depth is none, whatever the number.
  store->add_cells(id, std::vector{cell(2048, 0.1, 3, 4), cell(2048, -0.5, 4, 4), predicted});
  const std::vector<TaskCell> cells = store->cells(id);
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_EQ(cells[0].correct, 4);
  EXPECT_EQ(cells[0].depth, -1);
  EXPECT_EQ(cells[1].correct, 3);
  EXPECT_EQ(cells[2].correct, 9);
}

TEST(Scorings, GoWithTheirRun) {
  const TempFolder folder;
  const std::string path = folder.file("runs.sqlite");
  const std::unique_ptr<RunStore> store = RunStore::open(path);
  StoredScoring of_run = some_scoring("of the run");
  of_run.run = store->begin(some_run());
  store->add_cells(store->begin_scoring(of_run), std::vector{cell(2048, 0.1, 20, 20)});
  const int64_t alone = store->begin_scoring(some_scoring("of a model from elsewhere"));
  store->add_cells(alone, std::vector{cell(4096, 0.1, 20, 20)});
  ASSERT_EQ(store->curves(of_run.run).cells.size(), 1U);
  EXPECT_EQ(store->curves(of_run.run).cells[0].length, 2048);
  store->finish(of_run.run, RunStatus::kDone, "", {});
  store->remove(of_run.run);
  EXPECT_EQ(store->list_scorings().size(), 1U);
  EXPECT_EQ(sqlite::Database(path).number("SELECT count(*) FROM cells"), 1);
  store->remove_scoring(alone);
  EXPECT_TRUE(store->list_scorings().empty());
  EXPECT_EQ(sqlite::Database(path).number("SELECT count(*) FROM cells"), 0);
}

TEST(Scorings, WhatIsNotThereIsBadUsage) {
  const TempFolder folder;
  const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
  StoredScoring of_none = some_scoring();
  of_none.run = 5;
  EXPECT_THAT(sentence_of([&] { store->begin_scoring(of_none); }), HasSubstr("no run 5"));
  EXPECT_THAT(sentence_of([&] { store->add_cells(3, std::vector{cell(1, 0, 0, 1)}); }),
              HasSubstr("no scores 3"));
  EXPECT_THAT(sentence_of([&] { store->cells(3); }), HasSubstr("task scores"));
  EXPECT_THAT(sentence_of([&] { store->remove_scoring(3); }), HasSubstr("no scores 3"));
}

// Programs that score the same weights at once share one scoring; none waits long or loses a cell.
TEST(Scorings, ManyProgramsWriteOne) {
  const TempFolder folder;
  const std::string path = folder.file("new/runs.sqlite");
  constexpr int kWriters = 4;
  constexpr int64_t kCells = 30;
  std::vector<pid_t> children;
  for (int i = 0; i < kWriters; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        for (int64_t at = 0; at < kCells; ++at) {
          const std::unique_ptr<RunStore> store = RunStore::open(path);
          store->add_cells(store->begin_scoring(some_scoring()),
                           std::vector{cell(1000 * i + at, 0.5, 1, 1)});
        }
      } catch (const std::exception& error) {
        std::fprintf(stderr, "child: %s\n", error.what());
        _exit(1);
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const std::unique_ptr<RunStore> store = RunStore::open(path);
  ASSERT_EQ(store->list_scorings().size(), 1U);
  EXPECT_EQ(std::ssize(store->cells(store->list_scorings()[0].id)), kWriters * kCells);
}

}  // namespace
}  // namespace farstate
