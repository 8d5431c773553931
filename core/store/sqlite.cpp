// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <thread>

#include "core/base/error.h"

namespace farstate::sqlite {
namespace {

constexpr const char* kElsewhere = "name another file with --store or FARSTATE_STORE";

std::string sentence(const std::string& path, int code, int system_error,
                     const std::string& message) {
  if (code == SQLITE_FULL || system_error == ENOSPC || system_error == EDQUOT) {
    return fmt::format("Cannot write {}: the disk is full. What was recorded before is kept; make "
                       "room, or {}.",
                       path, kElsewhere);
  }
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return fmt::format("{} is locked: another program is writing to it and does not finish. End "
                         "that program or try again, or {}.",
                         path, kElsewhere);
    case SQLITE_NOTADB:
      return fmt::format("{} is no store of runs: it is no SQLite database. It was left as it is; {}.",
                         path, kElsewhere);
    case SQLITE_CORRUPT:
      return fmt::format("{} is damaged ({}). \"sqlite3 {} .recover\" may bring back what can still be "
                         "read; move it away, or {}.",
                         path, message, path, kElsewhere);
    default:
      // Where the system has a reason it says more than SQLite's.
      return fmt::format("Cannot use {}: {}. Look after that, or {}.", path,
                         system_error != 0 ? std::strerror(system_error) : message, kElsewhere);
  }
}

// As a URI spells it.
std::string escaped(const std::string& path) {
  std::string out;
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

Database::Database(const std::string& path, std::chrono::milliseconds patience)
    : Database(path, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, patience) {}

std::unique_ptr<Database> Database::to_read(const std::string& path, bool log) {
  // Without a log nobody writes, and SQLite needs no locks, for which it would make files.
  const std::string uri =
      "file:" + escaped(path) + (log ? "?mode=ro" : "?mode=ro&immutable=1");
  return std::unique_ptr<Database>(
      new Database(path, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, kPatience));
}

Database::Database(const std::string& path, const std::string& uri, int flags,
                   std::chrono::milliseconds patience)
    : path_(path), patience_(patience) {
  const int code =
      sqlite3_open_v2(uri.c_str(), &handle_, flags | SQLITE_OPEN_EXRESCODE, nullptr);
  if (code != SQLITE_OK) {
    const std::string why = sentence(path_, code, sqlite3_system_errno(handle_), sqlite3_errstr(code));
    sqlite3_close(handle_);
    throw Error(ErrorKind::kBadInput, why);
  }
  sqlite3_busy_timeout(handle_, static_cast<int>(patience.count()));
}

Database::~Database() { sqlite3_close(handle_); }

void Database::fail(int code) const {
  // Only where the system failed: otherwise its number may be that of an earlier call.
  const int kind = code & 0xff;
  const bool by_system = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN || kind == SQLITE_FULL;
  throw Error(ErrorKind::kBadInput, sentence(path_, code, by_system ? sqlite3_system_errno(handle_) : 0,
                                             sqlite3_errmsg(handle_)));
}

void Database::run(const char* sql) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

int64_t Database::number(const char* sql) {
  Statement statement(*this, sql);
  return statement.next() ? statement.number(0) : 0;
}

std::string Database::text(const char* sql) {
  Statement statement(*this, sql);
  return statement.next() ? statement.text(0) : "";
}

int64_t Database::last_id() const { return sqlite3_last_insert_rowid(handle_); }

void Database::keep_log_on_close(bool keep) {
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep ? 1 : 0, nullptr);
}

bool Database::try_write_ahead() {
  std::string mode;
  const auto keep = [](void* into, int, char** values, char**) {
    *static_cast<std::string*>(into) = values[0] != nullptr ? values[0] : "";
    return 0;
  };
  const int code = sqlite3_exec(handle_, "PRAGMA journal_mode = WAL", keep, &mode, nullptr);
  if ((code & 0xff) == SQLITE_BUSY) return false;
  if (code != SQLITE_OK) fail(code);
  if (mode != "wal") {
    throw Error(ErrorKind::kBadInput,
                fmt::format("Cannot keep {} in write-ahead mode, which needs a file system that shares "
                            "memory between programs (no network drive); {}.",
                            path_, kElsewhere));
  }
  return true;
}

void Database::write_ahead() {
  // The change of mode wants the file for itself and, unlike other calls, does not wait for it.
  const auto until = std::chrono::steady_clock::now() + patience_;
  while (!try_write_ahead()) {
    if (std::chrono::steady_clock::now() > until) fail(SQLITE_BUSY);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

Statement::Statement(Database& database, const char* sql, std::nullptr_t) : database_(database) {
  const int code = sqlite3_prepare_v2(database.handle_, sql, -1, &handle_, nullptr);
  if (code != SQLITE_OK) database.fail(code);
}

Statement::~Statement() { sqlite3_finalize(handle_); }

void Statement::reset() {
  // Its code repeats the failure of the last step, which was thrown then.
  sqlite3_reset(handle_);
}

void Statement::bind_one(int place, int64_t value) {
  if (const int code = sqlite3_bind_int64(handle_, place, value); code != SQLITE_OK) {
    database_.fail(code);
  }
}

void Statement::bind_one(int place, double value) {
  if (const int code = sqlite3_bind_double(handle_, place, value); code != SQLITE_OK) {
    database_.fail(code);
  }
}

void Statement::bind_one(int place, std::string_view value) {
  // An empty view may have no address, which SQLite would take for NULL.
  const char* const data = value.data() != nullptr ? value.data() : "";
  const int code =
      sqlite3_bind_text64(handle_, place, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) database_.fail(code);
}

void Statement::bind_one(int place, const Blob& value) {
  const char* const data = value.bytes.data() != nullptr ? value.bytes.data() : "";
  const int code =
      sqlite3_bind_blob64(handle_, place, data, value.bytes.size(), SQLITE_TRANSIENT);
  if (code != SQLITE_OK) database_.fail(code);
}

bool Statement::next() {
  const int code = sqlite3_step(handle_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail(code);
  return code == SQLITE_ROW;
}

void Statement::run() {
  while (next()) {
  }
  reset();
}

int64_t Statement::number(int column) const { return sqlite3_column_int64(handle_, column); }

double Statement::real(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL
             ? std::numeric_limits<double>::quiet_NaN()
             : sqlite3_column_double(handle_, column);
}

std::string Statement::text(int column) const {
  const void* const text = sqlite3_column_text(handle_, column);
  const auto size = static_cast<size_t>(sqlite3_column_bytes(handle_, column));
  return text == nullptr ? "" : std::string(static_cast<const char*>(text), size);
}

std::string_view Statement::blob(int column) const {
  const void* const bytes = sqlite3_column_blob(handle_, column);
  const auto size = static_cast<size_t>(sqlite3_column_bytes(handle_, column));
  return {static_cast<const char*>(bytes), size};
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  if (kind == Kind::kRead) {
    database_.run("BEGIN");
  } else {
    database_.run(kind == Kind::kFlushed ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    // At once for writing: a transaction that reads first and writes later could find that another
    // program wrote in between, and would have to start anew.
    database_.run("BEGIN IMMEDIATE");
  }
  open_ = true;
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.run("ROLLBACK");
  } catch (const Error&) {
    // A full disk has already made SQLite roll it back.
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace farstate::sqlite
