// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;
using sqlite::Database;
using sqlite::Transaction;

constexpr int64_t kApplication = 0x46617253;  // "FarS", at offset 68 of the file

// Reading all of a larger file would be felt at every start; what is damaged in it is found when it
// is read.
constexpr uintmax_t kCheckedWhole = uintmax_t{64} << 20;

constexpr std::array kSteps = {
    R"sql(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  program TEXT NOT NULL,
  recipe TEXT NOT NULL,
  law TEXT NOT NULL,
  seed TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'done', 'stopped', 'failed')),
  problem TEXT NOT NULL DEFAULT '',
  planned INTEGER NOT NULL,
  started TEXT NOT NULL,
  updated TEXT NOT NULL,
  folder TEXT NOT NULL DEFAULT '',
  checkpoint_step INTEGER NOT NULL DEFAULT 0,
  writer TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_folder ON runs (folder);
CREATE TABLE points (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  step INTEGER NOT NULL,
  loss REAL,
  grad_norm REAL,
  learning_rate REAL,
  tokens_per_second REAL,
  PRIMARY KEY (run, step)
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  step INTEGER NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (run, step, kind, text)
) STRICT;
CREATE TABLE layouts (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  json TEXT NOT NULL
) STRICT;
CREATE INDEX layouts_by_run ON layouts (run);
CREATE TABLE snapshots (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  step INTEGER NOT NULL,
  layout INTEGER NOT NULL REFERENCES layouts,
  numbers BLOB NOT NULL,
  notes TEXT NOT NULL,
  UNIQUE (run, step)
) STRICT;
CREATE INDEX snapshots_by_layout ON snapshots (layout);
CREATE TABLE results (
  run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
  layout INTEGER NOT NULL REFERENCES layouts,
  numbers BLOB NOT NULL
) STRICT;
CREATE INDEX results_by_layout ON results (layout);
)sql",
    // Comparisons of several runs, and runs that were forked from others.
    R"sql(
ALTER TABLE runs ADD COLUMN experiment TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN arm TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN parent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN forked_at INTEGER NOT NULL DEFAULT 0;
)sql",
    // Scores at tasks.
    R"sql(
CREATE TABLE scorings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  recipe TEXT NOT NULL,
  task TEXT NOT NULL,
  model TEXT NOT NULL,
  arm TEXT NOT NULL,
  seed TEXT NOT NULL,
  run INTEGER REFERENCES runs ON DELETE CASCADE,
  started TEXT NOT NULL,
  updated TEXT NOT NULL
) STRICT;
CREATE INDEX scorings_by_run ON scorings (run);
CREATE TABLE cells (
  scoring INTEGER NOT NULL REFERENCES scorings ON DELETE CASCADE,
  kind TEXT NOT NULL,
  mode TEXT NOT NULL,
  length INTEGER NOT NULL,
  depth REAL NOT NULL,
  samples INTEGER NOT NULL,
  planned INTEGER NOT NULL,
  correct INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  PRIMARY KEY (scoring, kind, mode, length, depth)
) STRICT, WITHOUT ROWID;
)sql"};

[[noreturn]] void refuse(const std::string& sentence) {
  throw Error(ErrorKind::kBadInput,
              sentence + " Name another file with --store or FARSTATE_STORE.");
}

void refuse_foreign(const std::string& path) {
  refuse(fmt::format("{} is no store of runs: it is an SQLite database of another program. It was "
                     "left as it is.",
                     path));
}

void refuse_newer(const std::string& path, int64_t found, int64_t known) {
  if (found <= known) return;
  refuse(fmt::format("{} was written by a newer version of Farstate: its schema is version {}, this "
                     "program knows up to {}. It was left as it is; use the newer version.",
                     path, found, known));
}

// The file itself where `path` is a link: SQLite keeps its log beside that.
fs::path real_path(const std::string& path) {
  if (path.empty()) throw Error(ErrorKind::kBadUsage, "The store of runs has no name; name a file.");
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(fs::absolute(path), error);
  return error ? fs::absolute(path).lexically_normal() : absolute;
}

// Why it can't be written, in a sentence; empty: it can. Asked of the system, whose reason is clearer
// than what SQLite makes of it.
std::string unwritable(const fs::path& path) {
  // The log is kept beside the file.
  if (::access(path.parent_path().c_str(), W_OK) != 0) {
    return fmt::format("Cannot keep a store of runs in the folder {}: {}.",
                       path.parent_path().string(), std::strerror(errno));
  }
  std::error_code ignored;
  if (fs::exists(path, ignored) && ::access(path.c_str(), R_OK | W_OK) != 0) {
    return fmt::format("Cannot write {}: {}.", path.string(), std::strerror(errno));
  }
  return {};
}

void check_place(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    refuse(fmt::format("{} is {}, but a store of runs is a file.", path.string(),
                       fs::is_directory(status) ? "a folder" : "no regular file"));
  }
  const fs::path folder = path.parent_path();
  if (!fs::exists(folder, ignored)) make_folder(folder.string());
  if (const std::string why = unwritable(path); !why.empty()) refuse(why);
}

// Looks at the first page of a file that is there, before it is opened: even to look into a database
// in write-ahead mode, SQLite makes files beside it. It is SQLite that reads, for it knows what this
// process has open: where any other file of the process on the same store is closed, the system takes
// the locks of all, and another program would take away the log that is being written.
void check_header(const std::string& path, int64_t known) {
  std::error_code problem;
  const uintmax_t size = fs::file_size(path, problem);
  if (problem || size == 0) return;
  const auto header = Database::to_read(path, false);
  const int64_t application = header->number("PRAGMA application_id");
  if (application != 0 && application != kApplication) refuse_foreign(path);
  if (application == kApplication) refuse_newer(path, header->number("PRAGMA user_version"), known);
}

void check_content(Database& database, int64_t known) {
  // One view of all three: another program may be making the store just now.
  Transaction view(database, Transaction::Kind::kRead);
  const int64_t version = database.number("PRAGMA user_version");
  const int64_t application = database.number("PRAGMA application_id");
  const bool empty = database.number("SELECT count(*) FROM sqlite_schema") == 0;
  view.commit();
  if (empty && application == 0) return;
  if (application != kApplication) refuse_foreign(database.path());
  refuse_newer(database.path(), version, known);
  std::error_code ignored;
  if (fs::file_size(database.path(), ignored) > kCheckedWhole) return;
  const std::string found = database.text("PRAGMA quick_check(1)");
  if (found == "ok") return;
  refuse(fmt::format("{} is damaged ({}). It was left as it is; \"sqlite3 {} .recover\" may bring back "
                     "what can still be read.",
                     database.path(), found.substr(found.rfind('\n') + 1), database.path()));
}

void bring_up_to_date(Database& database, std::span<const char* const> steps) {
  const int64_t newest = std::ssize(steps);
  if (database.number("PRAGMA user_version") == newest) return;
  // Only an empty file takes it: what is deleted gives its room back to the disk.
  database.run("PRAGMA auto_vacuum = INCREMENTAL");
  Transaction transaction(database, Transaction::Kind::kFlushed);
  // Asked again: another program may have been faster.
  for (int64_t version = database.number("PRAGMA user_version"); version < newest; ++version) {
    database.run(steps[static_cast<size_t>(version)]);
  }
  database.run(fmt::format("PRAGMA application_id = {}", kApplication).c_str());
  database.run(fmt::format("PRAGMA user_version = {}", newest).c_str());
  transaction.commit();
}

}  // namespace

std::span<const char* const> schema_steps() { return kSteps; }

std::unique_ptr<Database> open_database(const std::string& path, std::span<const char* const> steps) {
  const fs::path absolute = real_path(path);
  check_place(absolute);
  check_header(absolute.string(), std::ssize(steps));
  // A log that lies there stays there, and out of the file, until that is known to be ours.
  std::error_code ignored;
  const bool log = fs::exists(absolute.string() + "-wal", ignored);
  auto database = std::make_unique<Database>(absolute.string());
  database->keep_log_on_close(log);
  check_content(*database, std::ssize(steps));
  bring_up_to_date(*database, steps);
  database->write_ahead();
  database->run("PRAGMA foreign_keys = ON");
  // A log that one long transaction made large is cut back.
  database->run("PRAGMA journal_size_limit = 67108864");
  database->keep_log_on_close(false);
  return database;
}

std::unique_ptr<Database> open_database_to_read(const std::string& path, std::string& read_only,
                                                std::span<const char* const> steps) {
  const fs::path absolute = real_path(path);
  std::error_code ignored;
  const std::string why = unwritable(absolute);
  if (why.empty() || !fs::is_regular_file(absolute, ignored) ||
      ::access(absolute.c_str(), R_OK) != 0) {
    return open_database(path, steps);
  }
  check_header(absolute.string(), std::ssize(steps));
  const std::string log = absolute.string() + "-wal";
  const uintmax_t unmerged = fs::exists(log, ignored) ? fs::file_size(log, ignored) : 0;
  if (unmerged > 0 && !fs::exists(absolute.string() + "-shm", ignored)) {
    refuse(fmt::format("{} can't be read where it lies: {} beside it holds what has not reached the "
                       "file, and to look into that takes a folder that can be written. Copy both "
                       "into one.",
                       absolute.string(), log));
  }
  auto database = Database::to_read(absolute.string(), unmerged > 0);
  check_content(*database, std::ssize(steps));
  const int64_t version = database->number("PRAGMA user_version");
  if (version < std::ssize(steps)) {
    refuse(fmt::format("{} has the schema of an older version ({}, now {}), and can't be brought up to "
                       "date where it lies: {} Copy it into a folder that can be written.",
                       absolute.string(), version, std::ssize(steps), why));
  }
  read_only = fmt::format("{} It is read as it is; nothing can be recorded in it.", why);
  return database;
}

}  // namespace farstate
