// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_store.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "core/base/error.h"
#include "core/results/json_fields.h"
#include "core/store/packed_series.h"
#include "core/store/schema.h"
#include "core/store/sqlite.h"
#include "core/store/writer_process.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;
using sqlite::Blob;
using sqlite::Database;
using sqlite::Statement;
using sqlite::Transaction;
using Kind = Transaction::Kind;

const std::string kThisProgram = "farstate " FARSTATE_VERSION;

constexpr RunStatus kStatuses[] = {RunStatus::kRunning, RunStatus::kDone, RunStatus::kStopped,
                                   RunStatus::kFailed};

// Of a run without points the steps of what it started from.
constexpr const char* kSelectRuns = R"sql(
SELECT id, name, program, recipe, law, experiment, arm, seed, parent, forked_at, status, writer,
       problem, coalesce(newest.step, max(checkpoint_step, forked_at)), planned, newest.loss, started,
       updated, folder, checkpoint_step
FROM runs LEFT JOIN points AS newest
  ON newest.run = runs.id AND newest.step = (SELECT max(step) FROM points WHERE run = runs.id)
)sql";

RunStatus status_from(const std::string& text) {
  for (const RunStatus status : kStatuses) {
    if (to_string(status) == text) return status;
  }
  return RunStatus::kFailed;  // the schema allows no other
}

uint64_t seed_from(const std::string& text) {
  uint64_t seed = 0;
  std::from_chars(text.data(), text.data() + text.size(), seed);
  return seed;
}

StoredRun run_of(const Statement& row) {
  int column = 0;
  StoredRun run;
  run.id = row.number(column++);
  run.name = row.text(column++);
  run.program = row.text(column++);
  run.recipe = row.text(column++);
  run.law = row.text(column++);
  run.experiment = row.text(column++);
  run.arm = row.text(column++);
  run.seed = seed_from(row.text(column++));
  run.parent = row.number(column++);
  run.forked_at = row.number(column++);
  run.status = status_from(row.text(column++));
  run.alive = run.status == RunStatus::kRunning && still_runs(row.text(column));
  ++column;
  run.problem = row.text(column++);
  run.steps = row.number(column++);
  run.planned = row.number(column++);
  run.final_loss = row.real(column++);
  run.started = row.text(column++);
  run.updated = row.text(column++);
  run.folder = row.text(column++);
  run.checkpoint_step = row.number(column++);
  return run;
}

const std::string kSelectCells = R"sql(
SELECT task, kind, mode, length, depth, arm, seed, samples, planned, correct, trials
FROM cells JOIN scorings ON scorings.id = scoring
)sql";
const std::string kCellOrder = "scoring, kind, mode, length, depth";

std::vector<TaskCell> cells_of(Statement& rows) {
  std::vector<TaskCell> cells;
  while (rows.next()) {
    int column = 0;
    TaskCell& cell = cells.emplace_back();
    cell.task = rows.text(column++);
    cell.kind = rows.text(column++);
    cell.mode = rows.text(column++);
    cell.length = rows.number(column++);
    cell.depth = rows.real(column++);
    cell.arm = rows.text(column++);
    cell.seed = seed_from(rows.text(column++));
    cell.samples = rows.number(column++);
    cell.planned = rows.number(column++);
    cell.correct = rows.number(column++);
    cell.trials = rows.number(column++);
  }
  return cells;
}

// One spelling for a folder, wherever the program runs.
std::string folder_name(const std::string& folder) {
  if (folder.empty()) return {};
  std::error_code error;
  const fs::path absolute = fs::absolute(folder);
  const fs::path real = fs::weakly_canonical(absolute, error);
  std::string name = (error ? absolute.lexically_normal() : real).string();
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  return name;
}

// A model's path, or a name that is none ("demo").
std::string place_of(const std::string& model) {
  std::error_code error;
  return fs::exists(model, error) ? folder_name(model) : model;
}

class SqliteRunStore final : public RunStore {
 public:
  explicit SqliteRunStore(std::unique_ptr<Database> database, std::string read_only = {})
      : database_(std::move(database)), read_only_(std::move(read_only)) {}

  std::string path() const override { return database_->path(); }
  std::string read_only() const override { return read_only_; }

  int64_t begin(const StoredRun& run) override;
  void go_on(int64_t run, int64_t step, const std::string& recipe, int64_t planned) override;
  void add(int64_t run, std::span<const TrainPoint> points,
           std::span<const RunEvent> events) override;
  void add(int64_t run, const Snapshot& snapshot) override;
  void set_recipe(int64_t run, const std::string& recipe, int64_t planned) override;
  void set_checkpoint(int64_t run, const std::string& folder, int64_t step) override;
  void finish(int64_t run, RunStatus status, const std::string& problem,
              const std::vector<Series>& series) override;

  int64_t begin_scoring(const StoredScoring& scoring) override;
  void add_cells(int64_t scoring, std::span<const TaskCell> cells) override;
  std::vector<TaskCell> cells(int64_t scoring) const override;
  std::vector<StoredScoring> list_scorings() const override;
  void remove_scoring(int64_t scoring) override;

  std::vector<StoredRun> list() const override;
  std::optional<StoredRun> find(int64_t run) const override;
  std::optional<StoredRun> find_by_folder(const std::string& folder) const override;
  RunCurves curves(int64_t run) const override;
  void remove(int64_t run) override;

 private:
  // One call at a time: threads of a program share the connection, and with it its transactions.
  template <typename Work>
  auto within(Kind kind, Work&& work) const {
    const std::lock_guard lock(mutex_);
    Transaction transaction(*database_, kind);
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      transaction.commit();
    } else {
      auto result = work();
      transaction.commit();
      return result;
    }
  }

  template <typename... Values>
  void run_sql(const char* sql, const Values&... values) const {
    Statement(*database_, sql, values...).run();
  }
  template <typename... Values>
  std::optional<StoredRun> first(const std::string& where, const Values&... values) const;
  StoredRun existing(int64_t run) const;
  void check_scoring(int64_t scoring) const;
  void touch(int64_t run);
  void take_folder(int64_t run, const std::string& folder);
  int64_t layout_of(int64_t run, const std::string& json);
  std::string place(int64_t run) const { return fmt::format("{}, run {}", path(), run); }

  std::unique_ptr<Database> database_;
  std::string read_only_;
  mutable std::mutex mutex_;
};

template <typename... Values>
std::optional<StoredRun> SqliteRunStore::first(const std::string& where,
                                               const Values&... values) const {
  Statement rows(*database_, (kSelectRuns + where).c_str(), values...);
  return rows.next() ? std::optional(run_of(rows)) : std::nullopt;
}

StoredRun SqliteRunStore::existing(int64_t run) const {
  std::optional<StoredRun> found = first("WHERE id = ?", run);
  if (found) return *found;
  throw Error(ErrorKind::kBadUsage,
              fmt::format("There is no run {} in {}; \"farstate runs list\" names them all.", run,
                          path()));
}

// Throws where the run was deleted meanwhile: what is written has to belong to one.
void SqliteRunStore::touch(int64_t run) {
  existing(run);
  run_sql("UPDATE runs SET updated = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?", run);
}

// A folder holds one run: where another takes it, the checkpoint of the one before is gone.
void SqliteRunStore::take_folder(int64_t run, const std::string& folder) {
  if (folder.empty()) return;
  run_sql("UPDATE runs SET folder = '', checkpoint_step = 0 WHERE folder = ? AND id <> ?", folder, run);
  run_sql("UPDATE runs SET folder = ? WHERE id = ?", folder, run);
}

int64_t SqliteRunStore::begin(const StoredRun& run) {
  return within(Kind::kFlushed, [&] {
    run_sql(R"sql(
INSERT INTO runs (name, program, recipe, law, experiment, arm, seed, parent, forked_at, status,
                  planned, started, updated, writer)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'),
        strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?))sql",
            run.name, run.program.empty() ? kThisProgram : run.program, run.recipe, run.law, run.experiment, run.arm,
            std::to_string(run.seed), run.parent, run.forked_at, run.planned, this_process());
    const int64_t id = database_->last_id();
    take_folder(id, folder_name(run.folder));
    return id;
  });
}

void SqliteRunStore::go_on(int64_t run, int64_t step, const std::string& recipe, int64_t planned) {
  within(Kind::kFlushed, [&] {
    touch(run);
    run_sql("DELETE FROM points WHERE run = ? AND step > ?", run, step);
    run_sql("DELETE FROM events WHERE run = ? AND step > ?", run, step);
    run_sql("DELETE FROM snapshots WHERE run = ? AND step > ?", run, step);
    run_sql("DELETE FROM results WHERE run = ?", run);  // measured at an end that is none
    run_sql("UPDATE runs SET status = 'running', problem = '', recipe = ?, planned = ?, writer = ? "
            "WHERE id = ?",
            recipe, planned, this_process(), run);
  });
}

void SqliteRunStore::add(int64_t run, std::span<const TrainPoint> points,
                         std::span<const RunEvent> events) {
  within(Kind::kWrite, [&] {
    touch(run);
    // What is told twice is kept once: a run that goes on from a checkpoint may tell its past again.
    Statement point(*database_, "INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?, ?, ?)");
    for (const TrainPoint& p : points) {
      point.bind(run, p.step, p.loss, p.grad_norm, p.learning_rate, p.tokens_per_second);
      point.run();
    }
    Statement event(*database_,
                    "INSERT OR IGNORE INTO events (run, step, kind, text) VALUES (?, ?, ?, ?)");
    for (const RunEvent& e : events) {
      event.bind(run, e.step, e.kind, e.text);
      event.run();
    }
  });
}

int64_t SqliteRunStore::layout_of(int64_t run, const std::string& json) {
  Statement known(*database_, "SELECT id FROM layouts WHERE run = ? AND json = ?", run, json);
  if (known.next()) return known.number(0);
  run_sql("INSERT INTO layouts (run, json) VALUES (?, ?)", run, json);
  return database_->last_id();
}

void SqliteRunStore::add(int64_t run, const Snapshot& snapshot) {
  const PackedSeries packed = pack(snapshot.series);
  const std::string notes = nlohmann::json(snapshot.notes)
                                .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  within(Kind::kWrite, [&] {
    touch(run);
    run_sql("INSERT OR REPLACE INTO snapshots (run, step, layout, numbers, notes) "
            "VALUES (?, ?, ?, ?, ?)",
            run, snapshot.step, layout_of(run, packed.layout), Blob{packed.numbers}, notes);
  });
}

void SqliteRunStore::set_recipe(int64_t run, const std::string& recipe, int64_t planned) {
  within(Kind::kWrite, [&] {
    touch(run);
    run_sql("UPDATE runs SET recipe = ?, planned = ? WHERE id = ?", recipe, planned, run);
  });
}

// Flushed: a checkpoint that is on the disk has its record there too.
void SqliteRunStore::set_checkpoint(int64_t run, const std::string& folder, int64_t step) {
  within(Kind::kFlushed, [&] {
    touch(run);
    take_folder(run, folder_name(folder));
    run_sql("UPDATE runs SET checkpoint_step = ? WHERE id = ?", step, run);
  });
}

void SqliteRunStore::finish(int64_t run, RunStatus status, const std::string& problem,
                            const std::vector<Series>& series) {
  const PackedSeries packed = pack(series);
  within(Kind::kFlushed, [&] {
    touch(run);
    run_sql("UPDATE runs SET status = ?, problem = ? WHERE id = ?", to_string(status), problem, run);
    run_sql("DELETE FROM results WHERE run = ?", run);
    if (series.empty()) return;
    run_sql("INSERT INTO results (run, layout, numbers) VALUES (?, ?, ?)", run,
            layout_of(run, packed.layout), Blob{packed.numbers});
  });
}

void SqliteRunStore::check_scoring(int64_t scoring) const {
  if (Statement(*database_, "SELECT 1 FROM scorings WHERE id = ?", scoring).next()) return;
  throw Error(ErrorKind::kBadUsage,
              fmt::format("There are no scores {} in {}; \"farstate task scores\" names them all.",
                          scoring, path()));
}

int64_t SqliteRunStore::begin_scoring(const StoredScoring& scoring) {
  return within(Kind::kWrite, [&] {
    if (scoring.run != 0) existing(scoring.run);
    const std::string seed = std::to_string(scoring.seed);
    const std::string model = place_of(scoring.model);
    Statement known(*database_, "SELECT id FROM scorings WHERE key = ?", scoring.key);
    if (!known.next()) {
      run_sql(R"sql(
INSERT INTO scorings (key, recipe, task, model, arm, seed, run, started, updated)
VALUES (?, ?, ?, ?, ?, ?, nullif(?, 0), strftime('%Y-%m-%dT%H:%M:%SZ', 'now'),
        strftime('%Y-%m-%dT%H:%M:%SZ', 'now')))sql",
              scoring.key, scoring.recipe, scoring.task, model, scoring.arm, seed, scoring.run);
      return database_->last_id();
    }
    const int64_t id = known.number(0);
    run_sql(R"sql(
UPDATE scorings SET recipe = ?, task = ?, model = ?, arm = ?, seed = ?, run = coalesce(nullif(?, 0), run),
                    updated = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
WHERE id = ?)sql",
            scoring.recipe, scoring.task, model, scoring.arm, seed, scoring.run, id);
    return id;
  });
}

void SqliteRunStore::add_cells(int64_t scoring, std::span<const TaskCell> cells) {
  within(Kind::kWrite, [&] {
    check_scoring(scoring);  // deleted meanwhile: what is written has to belong to one
    // Of two programs that score the same, the one that is further.
    Statement cell(*database_,
                   "INSERT INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                   "samples = excluded.samples, planned = excluded.planned, "
                   "correct = excluded.correct, trials = excluded.trials "
                   "WHERE excluded.samples >= samples");
    for (const TaskCell& c : cells) {
      // One spelling for "none", since the depth is a part of the key.
      cell.bind(scoring, c.kind, c.mode, c.length, c.depth < 0 ? -1.0 : c.depth, c.samples, c.planned,
                c.correct, c.trials);
      cell.run();
    }
    run_sql("UPDATE scorings SET updated = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?", scoring);
  });
}

std::vector<TaskCell> SqliteRunStore::cells(int64_t scoring) const {
  return within(Kind::kRead, [&] {
    check_scoring(scoring);
    Statement rows(*database_, (kSelectCells + "WHERE scoring = ? ORDER BY " + kCellOrder).c_str(),
                   scoring);
    return cells_of(rows);
  });
}

std::vector<StoredScoring> SqliteRunStore::list_scorings() const {
  return within(Kind::kRead, [&] {
    std::vector<StoredScoring> all;
    Statement rows(*database_,
                   "SELECT id, key, recipe, task, model, arm, seed, coalesce(run, 0), started, updated "
                   "FROM scorings ORDER BY id DESC");
    while (rows.next()) {
      int column = 0;
      StoredScoring& scoring = all.emplace_back();
      scoring.id = rows.number(column++);
      scoring.key = rows.text(column++);
      scoring.recipe = rows.text(column++);
      scoring.task = rows.text(column++);
      scoring.model = rows.text(column++);
      scoring.arm = rows.text(column++);
      scoring.seed = seed_from(rows.text(column++));
      scoring.run = rows.number(column++);
      scoring.started = rows.text(column++);
      scoring.updated = rows.text(column++);
    }
    return all;
  });
}

void SqliteRunStore::remove_scoring(int64_t scoring) {
  within(Kind::kWrite, [&] {
    check_scoring(scoring);
    run_sql("DELETE FROM scorings WHERE id = ?", scoring);
  });
}

std::vector<StoredRun> SqliteRunStore::list() const {
  return within(Kind::kRead, [&] {
    std::vector<StoredRun> runs;
    Statement rows(*database_, (std::string(kSelectRuns) + "ORDER BY id DESC").c_str());
    while (rows.next()) runs.push_back(run_of(rows));
    return runs;
  });
}

std::optional<StoredRun> SqliteRunStore::find(int64_t run) const {
  return within(Kind::kRead, [&] { return first("WHERE id = ?", run); });
}

std::optional<StoredRun> SqliteRunStore::find_by_folder(const std::string& folder) const {
  if (folder.empty()) return std::nullopt;
  return within(Kind::kRead, [&] { return first("WHERE folder = ?", folder_name(folder)); });
}

RunCurves SqliteRunStore::curves(int64_t run) const {
  return within(Kind::kRead, [&] {
    existing(run);
    RunCurves curves;
    Statement points(*database_,
                     "SELECT step, loss, grad_norm, learning_rate, tokens_per_second FROM points "
                     "WHERE run = ? ORDER BY step",
                     run);
    while (points.next()) {
      curves.points.push_back({points.number(0), points.real(1), points.real(2), points.real(3),
                               points.real(4)});
    }
    Statement events(*database_, "SELECT step, kind, text FROM events WHERE run = ? ORDER BY step, id",
                     run);
    while (events.next()) {
      curves.events.push_back({events.number(0), events.text(1), events.text(2)});
    }
    Statement snapshots(*database_,
                        "SELECT step, json, numbers, notes FROM snapshots JOIN layouts "
                        "ON layouts.id = layout WHERE snapshots.run = ? ORDER BY step",
                        run);
    while (snapshots.next()) {
      Snapshot& snapshot = curves.snapshots.emplace_back();
      snapshot.step = snapshots.number(0);
      snapshot.series = unpack(snapshots.text(1), snapshots.blob(2), place(run));
      FieldReader(parse_json(snapshots.text(3)), place(run)).read(snapshot.notes);
    }
    Statement results(*database_,
                      "SELECT json, numbers FROM results JOIN layouts ON layouts.id = layout "
                      "WHERE results.run = ?",
                      run);
    if (results.next()) curves.series = unpack(results.text(0), results.blob(1), place(run));
    Statement cells(*database_, (kSelectCells + "WHERE run = ? ORDER BY " + kCellOrder).c_str(), run);
    curves.cells = cells_of(cells);
    return curves;
  });
}

void SqliteRunStore::remove(int64_t run) {
  within(Kind::kWrite, [&] {
    if (existing(run).alive) {
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("Run {} is running; stop it before it is deleted.", run));
    }
    // Snapshots and results first: layouts, which they refer to, go with the run as they do.
    run_sql("DELETE FROM snapshots WHERE run = ?", run);
    run_sql("DELETE FROM results WHERE run = ?", run);
    run_sql("DELETE FROM runs WHERE id = ?", run);
  });
  const std::lock_guard lock(mutex_);
  database_->run("PRAGMA incremental_vacuum");
}

}  // namespace

std::string to_string(RunStatus status) {
  switch (status) {
    case RunStatus::kRunning:
      return "running";
    case RunStatus::kDone:
      return "done";
    case RunStatus::kStopped:
      return "stopped";
    case RunStatus::kFailed:
      return "failed";
  }
  return {};
}

std::string RunStore::default_path() {
  if (const char* named = std::getenv("FARSTATE_STORE"); named != nullptr && named[0] != '\0') {
    return named;
  }
  const auto absolute = [](const char* path) { return path != nullptr && path[0] == '/'; };
  const char* data = std::getenv("XDG_DATA_HOME");
  if (absolute(data)) return std::string(data) + "/farstate/runs.sqlite";
  const char* home = std::getenv("HOME");
  if (absolute(home)) return std::string(home) + "/.local/share/farstate/runs.sqlite";
  throw Error(ErrorKind::kBadInput,
              "There is no place for the store of runs: neither FARSTATE_STORE nor XDG_DATA_HOME nor "
              "HOME is set. Name a file with --store.");
}

std::unique_ptr<RunStore> RunStore::open(const std::string& path) {
  return std::make_unique<SqliteRunStore>(open_database(path));
}

std::unique_ptr<RunStore> RunStore::open_to_read(const std::string& path) {
  std::string read_only;
  std::unique_ptr<Database> database = open_database_to_read(path, read_only);
  return std::make_unique<SqliteRunStore>(std::move(database), std::move(read_only));
}

}  // namespace farstate
