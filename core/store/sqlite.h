// SPDX-License-Identifier: GPL-3.0-or-later
// A thin door to SQLite: a database, its statements and its transactions as objects. Whatever fails
// is an Error(kBadInput) that names the file, says what was found and what to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace farstate::sqlite {

// Bytes that are no text.
struct Blob {
  std::string_view bytes;
};

class Database {
 public:
  // How long a call waits while another program writes.
  static constexpr std::chrono::milliseconds kPatience{5000};

  // Opens the file, or makes an empty one.
  explicit Database(const std::string& path, std::chrono::milliseconds patience = kPatience);
  // Opens a file that is there and can't be written, and makes nothing beside it. `log`: its
  // write-ahead log lies there too, and with it what has not reached the file.
  static std::unique_ptr<Database> to_read(const std::string& path, bool log);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  // All statements of `sql`; rows are passed over.
  void run(const char* sql);
  // The first column of the first row.
  int64_t number(const char* sql);
  std::string text(const char* sql);
  int64_t last_id() const;
  // Lets changes stay in the write-ahead log when the last connection is closed, or not.
  void keep_log_on_close(bool keep);
  // Readers and writers no longer wait for one another. Throws where the file system can't do it.
  void write_ahead();

 private:
  friend class Statement;
  Database(const std::string& path, const std::string& uri, int flags,
           std::chrono::milliseconds patience);
  [[noreturn]] void fail(int code) const;
  bool try_write_ahead();

  std::string path_;
  std::chrono::milliseconds patience_;
  sqlite3* handle_ = nullptr;
};

// A prepared statement. Values are bound in the order of the question marks.
class Statement {
 public:
  template <typename... Values>
  Statement(Database& database, const char* sql, const Values&... values)
      : Statement(database, sql, nullptr) {
    bind(values...);
  }
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Starts anew, with these values.
  template <typename... Values>
  void bind(const Values&... values) {
    reset();
    int place = 0;
    (bind_one(++place, values), ...);
  }
  bool next();  // to the next row; false: there is none
  void run();   // to the end

  // Of the row, columns from 0.
  int64_t number(int column) const;
  double real(int column) const;  // NaN is kept as NULL and comes back as NaN
  std::string text(int column) const;
  std::string_view blob(int column) const;  // until the next call of next()

 private:
  Statement(Database& database, const char* sql, std::nullptr_t);
  void reset();
  void bind_one(int place, int64_t value);
  void bind_one(int place, double value);
  void bind_one(int place, std::string_view value);
  void bind_one(int place, const Blob& value);

  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

// Ends without a trace unless it is committed.
class Transaction {
 public:
  enum class Kind {
    kRead,    // one view of the data, whatever others write
    kWrite,   // survives the death of this program, not always a power cut
    kFlushed  // is on the disk when commit() returns, and all before it
  };
  Transaction(Database& database, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = false;
};

}  // namespace farstate::sqlite
