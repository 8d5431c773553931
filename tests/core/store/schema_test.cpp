// SPDX-License-Identifier: GPL-3.0-or-later
// The file itself: made, brought up to date, and refused with a sentence that leaves it as it is.
#include "core/store/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/store/run_store.h"
#include "tests/support/own_mounts.h"
#include "tests/support/refusal.h"
#include "tests/support/stored_runs.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using sqlite::Database;
using testing::points;
using testing::read_all;
using testing::refusal;
using testing::snapshot;
using testing::some_run;
using testing::TempFolder;

// Refused, and neither the file nor what lies beside it is another than before.
std::string refusal_of(const TempFolder& folder, const std::string& path) {
  const std::string before = read_all(path);
  const size_t entries = folder.entries();
  const std::string sentence = refusal([&] { RunStore::open(path); });
  EXPECT_TRUE(read_all(path) == before) << "changed: " << sentence;
  EXPECT_EQ(folder.entries(), entries) << sentence;
  EXPECT_THAT(sentence, AllOf(HasSubstr(path), HasSubstr("--store"))) << sentence;
  return sentence;
}

// A store of version 1, as the first program wrote it.
std::string old_store(const TempFolder& folder) {
  const std::string path = folder.file("old.sqlite");
  const std::unique_ptr<Database> database = open_database(path, schema_steps().first(1));
  database->run(
      "INSERT INTO runs (name, program, recipe, law, seed, status, planned, started, updated, writer) "
      "VALUES ('an old run', 'farstate 0.1.0', '{}', 'tbtt', '9', 'done', 20, "
      "'2026-11-01T10:00:00Z', '2026-11-01T10:05:00Z', '');"
      "INSERT INTO points VALUES (1, 1, 2.5, 0.1, 1e-4, 1000), (1, 2, 2.25, 0.1, 1e-4, 1000)");
  return path;
}

TEST(Schema, ANewStoreIsInWriteAheadModeAndSaysWhoseItIs) {
  const TempFolder folder;
  RunStore::open(folder.file("a/b/runs.sqlite"));
  Database database(folder.file("a/b/runs.sqlite"));
  EXPECT_EQ(database.text("PRAGMA journal_mode"), "wal");
  EXPECT_EQ(database.number("PRAGMA application_id"), 0x46617253);
  EXPECT_EQ(database.number("PRAGMA user_version"), 3);
  EXPECT_EQ(database.number("PRAGMA auto_vacuum"), 2) << "incremental";
}

TEST(Schema, AnOlderStoreIsBroughtUpToDate) {
  const TempFolder folder;
  const std::string path = old_store(folder);
  EXPECT_EQ(Database(path).number("PRAGMA user_version"), 1);
  {
    const std::unique_ptr<RunStore> store = RunStore::open(path);
    const StoredRun run = store->list().at(0);
    EXPECT_EQ(run.name, "an old run");
    EXPECT_EQ(run.steps, 2);
    EXPECT_EQ(run.final_loss, 2.25);
    EXPECT_EQ(run.experiment, "");
    EXPECT_EQ(run.parent, 0);
    StoredRun fork = some_run();
    fork.parent = run.id;
    fork.experiment = "comparison";
    EXPECT_EQ(store->find(store->begin(fork))->experiment, "comparison");
    EXPECT_TRUE(store->curves(run.id).cells.empty());
  }
  EXPECT_EQ(Database(path).number("PRAGMA user_version"), 3);
  EXPECT_EQ(RunStore::open(path)->list().size(), 2U) << "brought up to date once";
}

// A store of version 2 gets the tables of scores alone.
TEST(Schema, TheStoreBeforeTheScoresIsBroughtUpToDate) {
  const TempFolder folder;
  const std::string path = folder.file("old.sqlite");
  {
    const std::unique_ptr<Database> database = open_database(path, schema_steps().first(2));
    database->run(
        "INSERT INTO runs (name, program, recipe, law, seed, status, planned, started, updated, writer, "
        "experiment, arm) VALUES ('an old run', 'farstate 0.1.0', '{}', 'tbtt', '9', 'done', 20, "
        "'2026-11-01T10:00:00Z', '2026-11-01T10:05:00Z', '', 'laws', 'tbtt')");
  }
  EXPECT_EQ(Database(path).number("PRAGMA user_version"), 2);
  const std::unique_ptr<RunStore> store = RunStore::open(path);
  EXPECT_EQ(store->list().at(0).experiment, "laws");
  EXPECT_TRUE(store->list_scorings().empty());
  StoredScoring scoring;
  scoring.run = 1;
  EXPECT_TRUE(store->cells(store->begin_scoring(scoring)).empty());
  EXPECT_EQ(Database(path).number("PRAGMA user_version"), 3);
}

TEST(Schema, AStepThatFailsHalfwayLeavesTheOldStore) {
  const TempFolder folder;
  const std::string path = old_store(folder);
  const char* const steps[] = {"", "ALTER TABLE runs ADD COLUMN half TEXT; SELECT no_such_function();"};
  EXPECT_THAT(refusal([&] { open_database(path, steps); }), HasSubstr(path));
  Database database(path);
  EXPECT_EQ(database.number("PRAGMA user_version"), 1);
  EXPECT_EQ(database.number("SELECT count(*) FROM pragma_table_info('runs') WHERE name = 'half'"), 0);
}

TEST(Schema, AnEmptyFileIsANewStore) {
  const TempFolder folder;
  EXPECT_TRUE(RunStore::open(folder.write("empty.sqlite", ""))->list().empty());
}

TEST(SchemaRefusal, AStoreOfANewerVersion) {
  const TempFolder folder;
  const std::string path = folder.file("new.sqlite");
  RunStore::open(path)->begin(some_run());
  Database(path).run("PRAGMA user_version = 7");
  EXPECT_THAT(refusal_of(folder, path),
              AllOf(HasSubstr("newer version of Farstate"), HasSubstr("version 7"), HasSubstr("up to 3")));
}

// The newer program still runs: its version stands in the log beside the file alone.
TEST(SchemaRefusal, AStoreOfANewerVersionThatIsOpen) {
  const TempFolder folder;
  const std::string path = folder.file("new.sqlite");
  const std::unique_ptr<RunStore> kept = RunStore::open(path);
  Database(path).run("PRAGMA user_version = 7");
  EXPECT_THAT(refusal_of(folder, path), HasSubstr("newer version of Farstate"));
}

// The newer program was killed: the last connection that closes would move its log into the file.
TEST(SchemaRefusal, AStoreOfANewerVersionWithALog) {
  const TempFolder folder;
  const std::string path = folder.file("new.sqlite");
  RunStore::open(path);
  testing::in_child([&] {
    Database* const left_open = new Database(path);
    left_open->run("PRAGMA user_version = 7");
    return std::string();
  });
  ASSERT_GT(std::filesystem::file_size(path + "-wal"), 0U);
  EXPECT_THAT(refusal_of(folder, path), HasSubstr("newer version of Farstate"));
}

TEST(SchemaRefusal, WhatIsNoDatabase) {
  const TempFolder folder;
  for (const std::string& content :
       {std::string("a text"), std::string(5000, 'x'), std::string("SQLite format 3\0", 16)}) {
    EXPECT_THAT(refusal_of(folder, folder.write("text", content)), HasSubstr("no SQLite database"));
  }
}

TEST(SchemaRefusal, ADatabaseOfAnotherProgram) {
  const TempFolder folder;
  const std::string plain = folder.file("plain.sqlite"), named = folder.file("named.sqlite");
  Database(plain).run("CREATE TABLE songs (title TEXT)");
  Database(named).run("CREATE TABLE songs (title TEXT); PRAGMA application_id = 12");
  for (const std::string& path : {plain, named}) {
    EXPECT_THAT(refusal_of(folder, path), HasSubstr("another program"));
  }
}

TEST(SchemaRefusal, ADamagedStore) {
  const TempFolder folder;
  const std::string path = folder.file("runs.sqlite");
  {
    const std::unique_ptr<RunStore> store = RunStore::open(path);
    const int64_t run = store->begin(some_run());
    store->add(run, points(1, 2000), {});
  }
  const std::string good = read_all(path);
  constexpr size_t kPage = 4096;
  ASSERT_GT(good.size(), 20 * kPage);
  std::string overwritten = good;
  overwritten.replace(good.size() - 6 * kPage, kPage, std::string(kPage, '\x5a'));
  EXPECT_THAT(refusal_of(folder, folder.write("a.sqlite", overwritten)),
              AllOf(HasSubstr("damaged"), HasSubstr(".recover")));
  EXPECT_THAT(refusal_of(folder, folder.write("b.sqlite", good.substr(0, good.size() - 9 * kPage))),
              HasSubstr("damaged"));
  // The table of tables.
  std::string headless = good;
  headless.replace(100, 300, std::string(300, '\x5a'));
  EXPECT_THAT(refusal_of(folder, folder.write("c.sqlite", headless)), HasSubstr("damaged"));
}

TEST(SchemaRefusal, AFolderAndAPlaceWithoutOne) {
  const TempFolder folder;
  EXPECT_THAT(refusal([&] { RunStore::open(folder.path()); }), HasSubstr("is a folder"));
  EXPECT_THAT(refusal([&] { RunStore::open("/dev/null"); }), HasSubstr("no regular file"));
  const std::string file = folder.write("file", "x");
  EXPECT_THAT(refusal([&] { RunStore::open(file + "/runs.sqlite"); }), HasSubstr(file));
  EXPECT_THAT(refusal([&] { RunStore::open("/proc/farstate/runs.sqlite"); }),
              HasSubstr("/proc/farstate"));
}

TEST(SchemaRefusal, ALockedStore) {
  const TempFolder folder;
  const std::string path = folder.file("runs.sqlite");
  RunStore::open(path);
  Database other(path);
  const sqlite::Transaction writing(other, sqlite::Transaction::Kind::kWrite);
  Database impatient(path, std::chrono::milliseconds(1));
  const std::string sentence = refusal(
      [&] { const sqlite::Transaction second(impatient, sqlite::Transaction::Kind::kWrite); });
  EXPECT_THAT(sentence, AllOf(HasSubstr(path), HasSubstr("locked"), HasSubstr("try again")));
}

TEST(SchemaRefusal, AReadOnlyFolder) {
  const TempFolder folder;
  const auto sentences = testing::with_own_mounts([&] {
    if (!testing::mount_disk(folder.path(), "1m")) return std::string("no disk");
    const std::string path = folder.file("runs.sqlite");
    RunStore::open(path)->begin(some_run());
    if (!testing::make_read_only(folder.path())) return std::string("not read-only");
    const std::string before = read_all(path);
    const std::string there = refusal([&] { RunStore::open(path); });
    const std::string missing = refusal([&] { RunStore::open(folder.file("other.sqlite")); });
    return there + "\n" + missing + "\n" + (read_all(path) == before ? "unchanged" : "changed");
  });
  if (!sentences) GTEST_SKIP() << "this machine lets nobody have mounts of their own";
  const std::string sentence = "Cannot keep a store of runs in the folder " + folder.path() +
                               ": Read-only file system. Name another file with --store or "
                               "FARSTATE_STORE.\n";
  EXPECT_EQ(*sentences, sentence + sentence + "unchanged");
}

// Looked into where it lies: its content, why it takes nothing, and what a writer is told.
TEST(Schema, AReadOnlyFolderIsLookedInto) {
  const TempFolder folder;
  const auto told = testing::with_own_mounts([&] {
    if (!testing::mount_disk(folder.path(), "1m")) return std::string("no disk");
    const std::string path = folder.file("50% of #1?.sqlite");  // what a URI would read otherwise
    RunStore::open(path)->begin(some_run());
    if (!testing::make_read_only(folder.path())) return std::string("not read-only");
    const size_t entries = folder.entries();
    const std::unique_ptr<RunStore> store = RunStore::open_to_read(path);
    const std::string name = store->list().at(0).name;
    const std::string writer = refusal([&] { store->begin(some_run()); });
    return name + "\n" + store->read_only() + "\n" + writer + "\n" +
           (folder.entries() == entries ? "untouched" : "files were made");
  });
  if (!told) GTEST_SKIP() << "this machine lets nobody have mounts of their own";
  EXPECT_THAT(*told, AllOf(HasSubstr(some_run().name + "\nCannot keep a store of runs in the folder " +
                                     folder.path() + ": Read-only file system. It is read as it is; "
                                                     "nothing can be recorded in it.\n"),
                           HasSubstr("\nuntouched")));
}

// What a killed writer left in the log counts, as long as it can be looked into.
TEST(Schema, AReadOnlyStoreWithALog) {
  const TempFolder folder;
  const auto told = testing::with_own_mounts([&] {
    if (!testing::mount_disk(folder.path(), "2m")) return std::string("no disk");
    namespace fs = std::filesystem;
    const std::string path = folder.file("runs.sqlite"), left = folder.file("left.sqlite"),
                      parted = folder.file("parted.sqlite");
    std::unique_ptr<RunStore> writer = RunStore::open(path);
    writer->begin(some_run());
    for (const char* end : {"", "-wal", "-shm"}) fs::copy_file(path + end, left + end);
    for (const char* end : {"", "-wal"}) fs::copy_file(path + end, parted + end);
    writer.reset();  // what is open for writing keeps a disk from becoming read-only
    if (!testing::make_read_only(folder.path())) return std::string("not read-only");
    const size_t seen = RunStore::open_to_read(left)->list().size();
    return std::to_string(seen) + " " + refusal([&] { RunStore::open_to_read(parted); });
  });
  if (!told) GTEST_SKIP() << "this machine lets nobody have mounts of their own";
  EXPECT_THAT(*told, AllOf(HasSubstr("1 "), HasSubstr("parted.sqlite-wal"), HasSubstr("Copy both")));
}

TEST(SchemaRefusal, AnOlderStoreThatCannotBeWritten) {
  const TempFolder folder;
  const auto sentence = testing::with_own_mounts([&] {
    if (!testing::mount_disk(folder.path(), "1m")) return std::string("no disk");
    const std::string path = old_store(folder);
    if (!testing::make_read_only(folder.path())) return std::string("not read-only");
    return refusal([&] { RunStore::open_to_read(path); });
  });
  if (!sentence) GTEST_SKIP() << "this machine lets nobody have mounts of their own";
  EXPECT_THAT(*sentence, AllOf(HasSubstr("older version (1, now 3)"), HasSubstr("Copy it")));
}

TEST(SchemaRefusal, AReadOnlyFile) {
  const TempFolder folder;
  const std::string path = folder.file("runs.sqlite");
  RunStore::open(path);
  namespace fs = std::filesystem;
  fs::permissions(path, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  fs::permissions(folder.path(), fs::perms::all);
  const auto sentence = testing::in_child([&]() -> std::string {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setresuid(kNobody, kNobody, kNobody) != 0) return "still root";
    return refusal([&] { RunStore::open(path); });
  });
  EXPECT_EQ(sentence, "Cannot write " + path +
                          ": Permission denied. Name another file with --store or FARSTATE_STORE.");
}

// A disk that fills while a run is recorded: the record until then stays, and when there is room it
// goes on.
TEST(Schema, AFullDiskCostsNothingThatWasWritten) {
  const TempFolder folder;
  const auto outcome = testing::with_own_mounts([&]() -> std::string {
    if (!testing::mount_disk(folder.path(), "600k")) return "no disk";
    const std::string path = folder.file("runs.sqlite");
    const std::string ballast = folder.write("ballast", std::string(150000, 'x'));
    const std::unique_ptr<RunStore> store = RunStore::open(path);
    const int64_t run = store->begin(some_run());
    int64_t written = 0;
    const std::string sentence = refusal([&] {
      for (int64_t step = 1; step < 100000; ++step) {
        store->add(run, points(step, step), {});
        store->add(run, snapshot(step));
        written = step;
      }
    });
    const auto kept = [&](RunStore& in) {
      const RunCurves curves = in.curves(run);
      // The point or the snapshot that did not fit may be missing, no other.
      return std::ssize(curves.snapshots) == written && std::ssize(curves.points) >= written;
    };
    if (!kept(*store)) return "lost: " + sentence;
    std::filesystem::remove(ballast);
    store->add(run, snapshot(written + 1));
    if (store->curves(run).snapshots.back().step != written + 1) return "does not go on";
    return sentence;
  });
  if (!outcome) GTEST_SKIP() << "this machine lets nobody have mounts of their own";
  EXPECT_THAT(*outcome, AllOf(HasSubstr("Cannot write " + folder.file("runs.sqlite")),
                              HasSubstr("the disk is full"), HasSubstr("make room")));
}

TEST(SchemaRefusal, AFullDisk) {
  const TempFolder folder;
  const auto sentence = testing::with_own_mounts([&]() -> std::string {
    if (!testing::mount_disk(folder.path(), "64k")) return "no disk";
    folder.write("ballast", std::string(64 << 10, 'x'));
    return refusal([&] { RunStore::open(folder.file("runs.sqlite")); });
  });
  if (!sentence) GTEST_SKIP() << "this machine lets nobody have mounts of their own";
  EXPECT_THAT(*sentence, HasSubstr("the disk is full"));
}

}  // namespace
}  // namespace farstate
