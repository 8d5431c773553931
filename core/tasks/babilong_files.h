// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark's files as they are downloaded: <folder>/data/qa1/4k.json, or without "data". A file
// is a JSON array of rows, or one row a line (docs/FORMATS.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace farstate {

struct BabilongRow {
  std::string input, question, target;
};

using BabilongRows = std::vector<BabilongRow>;

// "4k": 4096, "0k": 0, "1M": 2^20; -1 for a name that is no length.
int64_t nominal_length(const std::string& name);

// Throws Error(kBadInput) naming the file, the row and the key, what was found and what was wanted.
BabilongRows babilong_rows(const std::string& text, const std::string& source,
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
  const std::string& path(const std::string& kind, int64_t nominal) const;

 private:
  std::map<std::string, std::map<int64_t, std::string>> paths_;  // by kind and nominal length
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const BabilongRows>> kept_;  // by path
  mutable size_t kept_bytes_ = 0;
};

}  // namespace farstate
