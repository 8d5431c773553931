// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <limits>
#include <random>
#include <thread>

#include "core/base/error.h"
#include "core/store/sqlite.h"
#include "core/store/writer_process.h"
#include "tests/support/stored_runs.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::points;
using testing::snapshot;
using testing::some_run;
using testing::TempFolder;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// To the bit, also of what is no number.
void expect_equal(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(std::bit_cast<uint64_t>(a[i]), std::bit_cast<uint64_t>(b[i])) << i;
  }
}

void expect_equal(const std::vector<Series>& a, const std::vector<Series>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].x_name, b[i].x_name);
    EXPECT_EQ(a[i].unit, b[i].unit);
    EXPECT_EQ(a[i].layer, b[i].layer);
    EXPECT_EQ(a[i].head, b[i].head);
    EXPECT_EQ(a[i].sequences, b[i].sequences);
    EXPECT_EQ(a[i].bin_begin, b[i].bin_begin);
    EXPECT_EQ(a[i].bin_end, b[i].bin_end);
    expect_equal(a[i].x, b[i].x);
    expect_equal(a[i].y, b[i].y);
    expect_equal(a[i].lower, b[i].lower);
    expect_equal(a[i].upper, b[i].upper);
  }
}

std::vector<int64_t> steps_of(const std::vector<TrainPoint>& all) {
  std::vector<int64_t> steps;
  for (const TrainPoint& p : all) steps.push_back(p.step);
  return steps;
}

ErrorKind kind_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "accepted";
  return ErrorKind::kInternal;
}

TEST(RunStore, KeepsAllOfARun) {
  const TempFolder folder;
  StoredRun run = some_run("demo state-passing seed 18446744073709551615");
  run.law = "state-passing";
  run.experiment = "five laws";
  run.arm = "state-passing:sigma=0.3";
  run.seed = std::numeric_limits<uint64_t>::max();
  run.parent = 3;
  run.forked_at = 40;
  run.folder = folder.file("run");
  Snapshot first = snapshot(5);
  first.series[0].y[3] = kNaN;
  first.series[0].y[4] = -std::numeric_limits<double>::infinity();
  const std::vector<RunEvent> events = {{2, "change", "sigma 0.3 from here"},
                                        {2, "saved", "saved"},
                                        {5, "skipped", "ein Verlust, der keine Zahl ist: ∞"}};
  {
    const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
    EXPECT_EQ(store->begin(run), 1);
    store->add(1, points(1, 5), events);
    store->add(1, std::vector<TrainPoint>{{6, kNaN, kNaN, 5e-4, 1e4}}, {});
    store->add(1, first);
    store->add(1, snapshot(6));
    store->set_recipe(1, "{\"seed\":8}", 30);
    store->set_checkpoint(1, folder.file("run"), 6);
    store->finish(1, RunStatus::kFailed, "diverged", first.series);
  }
  const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
  const std::vector<StoredRun> all = store->list();
  ASSERT_EQ(all.size(), 1U);
  const StoredRun& found = all[0];
  EXPECT_EQ(found.id, 1);
  EXPECT_EQ(found.name, run.name);
  EXPECT_EQ(found.program, run.program);
  EXPECT_EQ(found.recipe, "{\"seed\":8}");
  EXPECT_EQ(found.law, run.law);
  EXPECT_EQ(found.experiment, run.experiment);
  EXPECT_EQ(found.arm, run.arm);
  EXPECT_EQ(found.seed, run.seed);
  EXPECT_EQ(found.parent, 3);
  EXPECT_EQ(found.forked_at, 40);
  EXPECT_EQ(found.status, RunStatus::kFailed);
  EXPECT_FALSE(found.alive);
  EXPECT_EQ(found.problem, "diverged");
  EXPECT_EQ(found.steps, 6);
  EXPECT_EQ(found.planned, 30);
  EXPECT_TRUE(std::isnan(found.final_loss));
  EXPECT_THAT(found.started, ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_GE(found.updated, found.started);
  EXPECT_EQ(found.checkpoint_step, 6);

  const RunCurves curves = store->curves(1);
  ASSERT_THAT(steps_of(curves.points), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(curves.points[2].loss, 1.0);
  EXPECT_EQ(curves.points[2].grad_norm, 0.1 * 3);
  EXPECT_EQ(curves.points[2].learning_rate, 5e-4);
  EXPECT_EQ(curves.points[2].tokens_per_second, 10003);
  EXPECT_TRUE(std::isnan(curves.points[5].loss));
  ASSERT_EQ(curves.events.size(), 3U);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(curves.events[i].step, events[i].step);
    EXPECT_EQ(curves.events[i].kind, events[i].kind);
    EXPECT_EQ(curves.events[i].text, events[i].text);
  }
  ASSERT_EQ(curves.snapshots.size(), 2U);
  EXPECT_EQ(curves.snapshots[0].notes, first.notes);
  expect_equal(curves.snapshots[0].series, first.series);
  expect_equal(curves.snapshots[1].series, snapshot(6).series);
  expect_equal(curves.series, first.series);
}

TEST(RunStore, ListsTheNewestFirstAndNeverUsesANumberAgain) {
  const TempFolder folder;
  const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
  for (const char* name : {"a", "b", "c"}) {
    store->finish(store->begin(some_run(name)), RunStatus::kDone, "", {});
  }
  store->remove(3);
  EXPECT_EQ(store->begin(some_run("d")), 4);
  std::vector<std::string> names;
  for (const StoredRun& run : store->list()) names.push_back(run.name);
  EXPECT_THAT(names, ElementsAre("d", "b", "a"));
  EXPECT_FALSE(store->find(3).has_value());
  EXPECT_EQ(store->find(2)->name, "b");
  StoredRun unsigned_one = some_run();
  unsigned_one.program.clear();
  EXPECT_THAT(store->find(store->begin(unsigned_one))->program, HasSubstr("farstate "));
}

TEST(RunStore, ARunThatGoesOnForgetsWhatIsComputedAgain) {
  const TempFolder folder;
  const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
  const int64_t other = store->begin(some_run("other"));
  store->add(other, points(1, 20), std::vector<RunEvent>{{20, "saved", "saved"}});
  const int64_t run = store->begin(some_run());
  store->add(run, points(1, 20),
             std::vector<RunEvent>{{10, "saved", "saved"}, {11, "change", "sigma"}});
  for (const int64_t step : {5, 10, 15}) store->add(run, snapshot(step));
  store->finish(run, RunStatus::kDone, "", snapshot(20).series);

  store->go_on(run, 10, "{\"seed\":9}", 60);
  const StoredRun found = *store->find(run);
  EXPECT_EQ(found.steps, 10);
  EXPECT_EQ(found.planned, 60);
  EXPECT_EQ(found.status, RunStatus::kRunning);
  EXPECT_TRUE(found.alive);
  EXPECT_EQ(found.recipe, "{\"seed\":9}");
  const RunCurves curves = store->curves(run);
  EXPECT_EQ(curves.points.size(), 10U);
  EXPECT_EQ(curves.events.size(), 1U);
  ASSERT_EQ(curves.snapshots.size(), 2U);
  EXPECT_EQ(curves.snapshots.back().step, 10);
  EXPECT_TRUE(curves.series.empty()) << "measured at an end that is none";
  EXPECT_EQ(store->curves(other).points.size(), 20U);
  EXPECT_EQ(store->curves(other).events.size(), 1U);
}

TEST(RunStore, WhatIsToldTwiceIsKeptOnce) {
  const TempFolder folder;
  const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
  const int64_t run = store->begin(some_run());
  const std::vector<RunEvent> events = {{3, "change", "sigma"}};
  store->add(run, points(1, 6), events);
  store->add(run, points(4, 8), events);
  store->add(run, snapshot(4));
  Snapshot again = snapshot(4);
  again.series[0].y[0] = 99;
  store->add(run, again);
  const RunCurves curves = store->curves(run);
  EXPECT_THAT(steps_of(curves.points), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_EQ(curves.events.size(), 1U);
  ASSERT_EQ(curves.snapshots.size(), 1U);
  EXPECT_EQ(curves.snapshots[0].series[0].y[0], 99);
}

TEST(RunStore, WithoutPointsTheStepsAreThoseItStartedFrom) {
  const TempFolder folder;
  const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
  StoredRun fork = some_run();
  fork.parent = 1;
  fork.forked_at = 40;
  const int64_t run = store->begin(fork);
  EXPECT_EQ(store->find(run)->steps, 40);
  EXPECT_TRUE(std::isnan(store->find(run)->final_loss));
  store->add(run, points(41, 42), {});
  EXPECT_EQ(store->find(run)->steps, 42);
}

TEST(RunStore, AFolderBelongsToTheRunThatTookItLast) {
  const TempFolder folder;
  const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
  const std::string place = folder.file("run");
  StoredRun first = some_run("first");
  first.folder = place;
  const int64_t one = store->begin(first);
  store->set_checkpoint(one, place, 10);
  EXPECT_EQ(store->find_by_folder(place + "/")->id, one);
  EXPECT_EQ(store->find_by_folder(folder.file("x/../run"))->id, one);
  std::filesystem::create_symlink(place, folder.file("link"));
  std::filesystem::create_directory(place);
  EXPECT_EQ(store->find_by_folder(folder.file("link"))->id, one);

  const int64_t two = store->begin(some_run("second"));
  store->set_checkpoint(two, place, 3);
  EXPECT_EQ(store->find_by_folder(place)->id, two);
  EXPECT_EQ(store->find(one)->folder, "");
  EXPECT_EQ(store->find(one)->checkpoint_step, 0);
  EXPECT_FALSE(store->find_by_folder("").has_value());
  EXPECT_FALSE(store->find_by_folder(folder.file("elsewhere")).has_value());
}

TEST(RunStore, DeletesAllOfARunAndGivesItsRoomBack) {
  const TempFolder folder;
  const std::string path = folder.file("runs.sqlite");
  const std::unique_ptr<RunStore> store = RunStore::open(path);
  const int64_t kept = store->begin(some_run());
  store->add(kept, snapshot(1));
  const int64_t run = store->begin(some_run());
  store->add(run, points(1, 1000), std::vector<RunEvent>{{1, "saved", "saved"}});
  for (int64_t step = 1; step <= 200; ++step) store->add(run, snapshot(step));
  store->finish(run, RunStatus::kStopped, "", snapshot(200).series);
  sqlite::Database database(path);
  const int64_t before = database.number("PRAGMA page_count");
  store->remove(run);
  EXPECT_LT(database.number("PRAGMA page_count"), before / 2);
  for (const char* table : {"points", "events", "snapshots", "layouts", "results"}) {
    const std::string sql = std::string("SELECT count(*) FROM ") + table + " WHERE run = 2";
    EXPECT_EQ(database.number(sql.c_str()), 0) << table;
  }
  EXPECT_EQ(store->curves(kept).snapshots.size(), 1U);
}

TEST(RunStore, WhatIsNotThereIsBadUsage) {
  const TempFolder folder;
  const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
  EXPECT_EQ(kind_of([&] { store->remove(5); }), ErrorKind::kBadUsage);
  EXPECT_EQ(kind_of([&] { store->curves(5); }), ErrorKind::kBadUsage);
  EXPECT_EQ(kind_of([&] { store->add(5, points(1, 1), {}); }), ErrorKind::kBadUsage);
  EXPECT_EQ(kind_of([&] { store->finish(5, RunStatus::kDone, "", {}); }), ErrorKind::kBadUsage);
}

TEST(RunStore, PathIsThatOfTheEnvironmentOrOfTheUsersData) {
  const auto path_with = [](const char* store, const char* data, const char* home) {
    for (const auto& [name, value] : {std::pair("FARSTATE_STORE", store), std::pair("XDG_DATA_HOME", data),
                                      std::pair("HOME", home)}) {
      value != nullptr ? setenv(name, value, 1) : unsetenv(name);
    }
    return RunStore::default_path();
  };
  const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "/";
  EXPECT_EQ(path_with("here.sqlite", "/data", "/home/a"), "here.sqlite");
  EXPECT_EQ(path_with(nullptr, "/data", "/home/a"), "/data/farstate/runs.sqlite");
  EXPECT_EQ(path_with("", nullptr, "/home/a"), "/home/a/.local/share/farstate/runs.sqlite");
  EXPECT_EQ(path_with(nullptr, "relative", "/home/a"), "/home/a/.local/share/farstate/runs.sqlite");
  EXPECT_THROW(path_with(nullptr, nullptr, nullptr), Error);
  setenv("HOME", home.c_str(), 1);
}

// ----- processes

// Runs `work` in a child that ends without its destructors, and returns its number.
template <typename Work>
pid_t start(const Work& work) {
  const pid_t child = fork();
  if (child != 0) return child;
  try {
    work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "child: %s\n", error.what());
    _exit(1);
  }
  _exit(0);
}

int end_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(WriterProcess, IsTheProcessAndNotItsNumber) {
  const std::string me = this_process();
  ASSERT_FALSE(me.empty());
  EXPECT_TRUE(still_runs(me));
  // The same number, started at another time: used again.
  EXPECT_FALSE(still_runs(me.substr(0, me.rfind(' ')) + " 1"));
  // The same on another machine, or before its last boot.
  EXPECT_FALSE(still_runs("f" + me));
  for (const char* text : {"", "nonsense", "1 2 3 4"}) EXPECT_FALSE(still_runs(text)) << text;
}

TEST(RunStore, KnowsARunWhoseProgramDied) {
  const TempFolder folder;
  const std::string path = folder.file("runs.sqlite");
  const pid_t child = start([&] {
    const std::unique_ptr<RunStore> store = RunStore::open(path);
    store->add(store->begin(some_run()), points(1, 3), {});
    pause();
  });
  const std::unique_ptr<RunStore> store = RunStore::open(path);
  while (store->list().empty() || store->list()[0].steps < 3) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(store->find(1)->alive);
  EXPECT_EQ(kind_of([&] { store->remove(1); }), ErrorKind::kBadUsage);
  kill(child, SIGKILL);
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  // Dead, and its number not yet free.
  EXPECT_FALSE(store->find(1)->alive);
  end_of(child);
  const StoredRun dead = *store->find(1);
  EXPECT_FALSE(dead.alive);
  EXPECT_EQ(dead.status, RunStatus::kRunning);
  EXPECT_EQ(dead.steps, 3);
  store->remove(1);
  EXPECT_TRUE(store->list().empty());
}

TEST(RunStore, ManyProgramsMakeAndWriteOneStore) {
  const TempFolder folder;
  const std::string path = folder.file("new/runs.sqlite");
  constexpr int kWriters = 6;
  constexpr int64_t kSteps = 40;
  std::vector<pid_t> children;
  for (int i = 0; i < kWriters; ++i) {
    children.push_back(start([&] {
      // Opened anew each time: as many programs come and go at once.
      const int64_t run = RunStore::open(path)->begin(some_run(std::to_string(i)));
      for (int64_t step = 1; step <= kSteps; ++step) {
        const std::unique_ptr<RunStore> store = RunStore::open(path);
        store->add(run, points(step, step), {});
        if (step % 10 == 0) store->add(run, snapshot(step));
      }
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(end_of(child), 0);
  const std::unique_ptr<RunStore> store = RunStore::open(path);
  const std::vector<StoredRun> runs = store->list();
  ASSERT_EQ(runs.size(), static_cast<size_t>(kWriters));
  for (const StoredRun& run : runs) {
    const RunCurves curves = store->curves(run.id);
    EXPECT_EQ(std::ssize(curves.points), kSteps);
    EXPECT_EQ(curves.snapshots.size(), 4U);
  }
}

// Who closes a store last moves its log into it and removes the log.
TEST(RunStore, OpenedTwiceInOneProgramKeepsItsLogFromOthers) {
  const TempFolder folder;
  const std::string path = folder.file("runs.sqlite"), sign = folder.file("go");
  // Begun before: a child inherits what SQLite knows of the files that its parent has open.
  const pid_t other = start([&] {
    while (!std::filesystem::exists(sign)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    RunStore::open(path);
  });
  const std::unique_ptr<RunStore> store = RunStore::open(path);
  const int64_t run = store->begin(some_run());
  RunStore::open(path);
  const auto log_file = [&path] {
    struct stat info {};
    return ::stat((path + "-wal").c_str(), &info) == 0 ? info.st_ino : 0;
  };
  const ino_t log = log_file();
  ASSERT_NE(log, 0U);
  folder.write("go", "");
  EXPECT_EQ(end_of(other), 0);
  EXPECT_EQ(log_file(), log) << "the other program took it away";
  store->add(run, points(1, 3), {});
  EXPECT_EQ(store->curves(run).points.size(), 3U);
}

TEST(RunStore, ThreadsShareAHandle) {
  const TempFolder folder;
  const std::unique_ptr<RunStore> store = RunStore::open(folder.file("runs.sqlite"));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const int64_t run = store->begin(some_run());
      for (int64_t step = 1; step <= 50; ++step) store->add(run, points(step, step), {});
      EXPECT_EQ(store->curves(run).points.size(), 50U);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store->list().size(), 4U);
}

// Two writers at a time are killed in the midst of it, again and again; each tells what was written
// after it was written. tools/kill_runs.py does the same to whole training runs.
TEST(RunStore, KilledWritersLoseNothingThatWasWritten) {
  const TempFolder folder;
  const std::string path = folder.file("runs.sqlite");
  constexpr int kRounds = 25;
  int64_t runs[2];
  for (int64_t& run : runs) run = RunStore::open(path)->begin(some_run());
  std::mt19937 random(5);
  for (int round = 0; round < kRounds; ++round) {
    pid_t children[2];
    int ends[2][2];
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(pipe(ends[i]), 0);
      children[i] = start([&] {
        const std::unique_ptr<RunStore> store = RunStore::open(path);
        int64_t step = store->find(runs[i])->steps;
        store->go_on(runs[i], step, "{}", 1000000);
        while (true) {
          store->add(runs[i], points(step + 1, step + 7), {});
          step += 7;
          store->add(runs[i], snapshot(step));
          if (write(ends[i][1], &step, sizeof(step)) != sizeof(step)) _exit(1);
        }
      });
      close(ends[i][1]);
    }
    int64_t told[2] = {0, 0};
    // Every other round begins with what was written: a busy machine may not come that far in time.
    if (round % 2 == 0) {
      ASSERT_EQ(read(ends[0][0], &told[0], sizeof(int64_t)), ssize_t{sizeof(int64_t)});
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 40000));
    for (const pid_t child : children) kill(child, SIGKILL);
    for (int i = 0; i < 2; ++i) {
      end_of(children[i]);
      while (read(ends[i][0], &told[i], sizeof(int64_t)) == sizeof(int64_t)) {
      }
      close(ends[i][0]);
    }
    const std::unique_ptr<RunStore> store = RunStore::open(path);
    ASSERT_EQ(sqlite::Database(path).text("PRAGMA integrity_check"), "ok");
    for (int i = 0; i < 2; ++i) {
      const RunCurves curves = store->curves(runs[i]);
      ASSERT_GE(std::ssize(curves.points), told[i]);
      for (size_t k = 0; k < curves.points.size(); ++k) {
        ASSERT_EQ(curves.points[k].step, static_cast<int64_t>(k) + 1) << "a point is missing";
      }
      ASSERT_EQ(curves.points.size() % 7, 0U) << "half of what belongs together";
      if (told[i] > 0) {
        ASSERT_GE(curves.snapshots.back().step, told[i]);
      }
    }
  }
  EXPECT_GT(RunStore::open(path)->find(runs[0])->steps, 0);
}

}  // namespace
}  // namespace farstate
