// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/babilong_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/tasks/babilong_rules.h"

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int64_t kKibi = 1024;
constexpr size_t kMostKept = size_t{512} << 20;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::kBadInput, message);
}

std::string take_text(Json& row, const char* key, const std::string& where) {
  const auto found = row.find(key);
  if (found == row.end()) {
    refuse(fmt::format("{} has no key \"{}\"; a row has \"input\", \"question\" and \"target\".",
                       where, key));
  }
  if (!found->is_string()) {
    refuse(fmt::format("{}, key \"{}\": found {}, wanted a string.", where, key,
                       short_text(*found)));
  }
  std::string text = std::move(found->get_ref<std::string&>());
  if (text.find_first_not_of(" \t\r\n") == std::string::npos && std::string(key) != "input") {
    refuse(fmt::format("{}, key \"{}\": the string is empty.", where, key));
  }
  return text;
}

// The template of the benchmark takes the text without white space around it.
std::string stripped(const std::string& text) {
  constexpr const char* kWhite = " \t\r\n";
  const size_t begin = text.find_first_not_of(kWhite);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhite) + 1 - begin);
}

BabilongRow to_row(Json& json, const std::string& where, const std::string& kind) {
  if (!json.is_object()) {
    refuse(fmt::format("{}: found {}, wanted an object with \"input\", \"question\" and \"target\".",
                       where, short_text(json)));
  }
  BabilongRow row{stripped(take_text(json, "input", where)),
                  stripped(take_text(json, "question", where)),
                  stripped(take_text(json, "target", where))};
  if (!is_babilong_target(kind, row.target)) {
    refuse(fmt::format("{}, key \"target\": found \"{}\", wanted an answer of {}: {}.", where,
                       row.target, kind, fmt::join(babilong_labels(kind), ", ")));
  }
  return row;
}

BabilongRows rows_of_lines(const std::string& text, const std::string& source,
                           const std::string& kind) {
  BabilongRows rows;
  int64_t line = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view one = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++line;
    if (one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Json json = parse_json(one);
    const std::string where = fmt::format("{}, line {}", source, line);
    if (json.is_discarded()) {
      refuse(fmt::format("{} is no JSON: found {} bytes that begin with \"{}\", wanted one row; the "
                         "file may be cut off.",
                         where, one.size(), one.substr(0, 20)));
    }
    rows.push_back(to_row(json, where, kind));
  }
  return rows;
}

BabilongRows rows_of_array(const std::string& text, const std::string& source,
                           const std::string& kind) {
  Json json = parse_json(text);
  if (json.is_discarded()) {
    refuse(fmt::format("{} begins as a JSON array and is none as a whole: it may be cut off at its "
                       "{} bytes; download it again.",
                       source, text.size()));
  }
  BabilongRows rows;
  for (Json& row : json) {
    const std::string where = fmt::format("{}, row {}", source, rows.size() + 1);
    rows.push_back(to_row(row, where, kind));
  }
  return rows;
}

// What else people download, with what to do about it.
void refuse_other_exports(const fs::path& folder, const std::string& kind) {
  constexpr const char* kExport =
      "Write it as JSON with Python: datasets.load_dataset(NAME, \"4k\")[\"{0}\"]"
      ".to_json(\"FOLDER/{0}/4k.json\").";
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string ending = it->path().extension().string();
    if (ending != ".arrow" && ending != ".parquet") continue;
    refuse(fmt::format("{} holds {}, which is not read. {}", folder.string(),
                       it->path().lexically_relative(folder).string(),
                       fmt::format(fmt::runtime(kExport), kind)));
  }
}

}  // namespace

int64_t nominal_length(const std::string& name) {
  int64_t number = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || stop + 1 != end || number < 0 || number > (int64_t{1} << 20)) {
    return -1;
  }
  if (*stop == 'k') return number * kKibi;
  if (*stop == 'M') return number * kKibi * kKibi;
  return -1;
}

BabilongRows babilong_rows(const std::string& text, const std::string& source,
                           const std::string& kind) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (text.starts_with("version https://git-lfs")) {
    refuse(fmt::format("{} holds a pointer of git-lfs and not the file itself; run `git lfs pull` in "
                       "its folder.",
                       source));
  }
  if (first == std::string::npos || (text[first] != '[' && text[first] != '{')) {
    refuse(fmt::format("{} begins with \"{}\"; wanted was a JSON array of rows, or a row a line.",
                       source, first == std::string::npos ? "" : text.substr(first, 20)));
  }
  BabilongRows rows = text[first] == '[' ? rows_of_array(text, source, kind)
                                         : rows_of_lines(text, source, kind);
  if (rows.empty()) refuse(fmt::format("{} holds no rows; wanted was at least one.", source));
  return rows;
}

BabilongFiles::BabilongFiles(const std::string& folder, const std::vector<std::string>& kinds) {
  const fs::path root(folder);
  if (!fs::is_directory(root)) {
    refuse(fmt::format("{} is no folder; wanted was the folder of BABILong's files, with "
                       "data/{}/4k.json or {}/4k.json in it.",
                       folder, kinds.front(), kinds.front()));
  }
  for (const std::string& kind : kinds) {
    std::map<int64_t, std::string>& paths = paths_[kind];
    for (const fs::path& place : {root / "data" / kind, root / kind}) {
      std::error_code error;
      for (fs::directory_iterator it(place, error), end; !error && it != end;
           it.increment(error)) {
        const std::string ending = it->path().extension().string();
        const int64_t nominal = nominal_length(it->path().stem().string());
        if (nominal >= 0 && (ending == ".json" || ending == ".jsonl")) {
          paths.emplace(nominal, it->path().string());
        }
      }
    }
    if (!paths.empty()) continue;
    refuse_other_exports(root, kind);
    refuse(fmt::format("{} has no files of {}; wanted were data/{}/4k.json or {}/4k.json, or other "
                       "lengths: 0k, 1k, 2k and so on.",
                       folder, kind, kind, kind));
  }
}

std::vector<int64_t> BabilongFiles::lengths() const {
  std::vector<int64_t> all = lengths(paths_.begin()->first);
  for (const auto& [kind, paths] : paths_) {
    std::erase_if(all, [&](int64_t nominal) { return !paths.contains(nominal); });
  }
  return all;
}

std::vector<int64_t> BabilongFiles::lengths(const std::string& kind) const {
  std::vector<int64_t> all;
  for (const auto& [nominal, path] : paths_.at(kind)) all.push_back(nominal);
  return all;
}

int64_t BabilongFiles::named(const std::string& kind, int64_t length) const {
  for (const auto& [nominal, path] : paths_.at(kind)) {
    // A k is 1000 to one and 1024 to another.
    const int64_t round = nominal < kKibi * kKibi ? nominal / kKibi * 1000
                                                  : nominal / (kKibi * kKibi) * 1000 * 1000;
    if (length == nominal || length == round) return nominal;
  }
  return -1;
}

const std::string& BabilongFiles::path(const std::string& kind, int64_t nominal) const {
  return paths_.at(kind).at(nominal);
}

std::shared_ptr<const BabilongRows> BabilongFiles::rows(const std::string& kind,
                                                        int64_t nominal) const {
  const std::string& path = this->path(kind, nominal);
  const std::lock_guard lock(mutex_);
  if (const auto found = kept_.find(path); found != kept_.end()) return found->second;
  const std::string text = read_file(path);
  auto rows = std::make_shared<const BabilongRows>(babilong_rows(text, path, kind));
  if (kept_bytes_ + text.size() > kMostKept) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  kept_bytes_ += text.size();
  kept_.emplace(path, rows);
  return rows;
}

}  // namespace farstate
