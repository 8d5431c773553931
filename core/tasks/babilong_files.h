// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark's files as they are downloaded, or as Python's `datasets` writes them: JSON arrays of
// rows, a row a line, or Arrow's tables (docs/FORMATS.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace farstate {

struct BabilongRow {
  std::string input, question, target;
};

using BabilongRows = std::vector<BabilongRow>;

// "4k": 4096, "0k": 0, "1M": 2^20; -1 for a name that is no length.
int64_t nominal_length(const std::string& name);

// Throws Error(kBadInput) naming the file, the row and the key, what was found and what was wanted.
BabilongRows babilong_rows(std::string_view bytes, const std::string& source,
                           const std::string& kind);

class BabilongFiles {
 public:
  // Throws Error(kBadInput) where a kind has no file.
  BabilongFiles(const std::string& folder, const std::vector<std::string>& kinds);

  // Those that every kind has, ascending.
  std::vector<int64_t> lengths() const;
  // The nominal length of the file that a request of so many tokens names: 4096 and 4000 both name
  // 4k. -1: it names none.
  int64_t named(const std::string& kind, int64_t length) const;
  // Of a kind, ascending.
  std::vector<int64_t> lengths(const std::string& kind) const;
  // Read when it is first asked for. May be called from any thread.
  std::shared_ptr<const BabilongRows> rows(const std::string& kind, int64_t nominal) const;

 private:
  using Paths = std::vector<std::string>;  // the parts of a table, in their order
  std::map<std::string, std::map<int64_t, Paths>> paths_;  // by kind and nominal length
  mutable std::mutex mutex_;
  mutable std::map<Paths, std::shared_ptr<const BabilongRows>> kept_;
  mutable size_t kept_bytes_ = 0;
};

}  // namespace farstate
