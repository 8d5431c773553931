// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/babilong_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/utf8.h"
#include "core/formats/arrow_stream.h"
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

std::string excerpt(std::string_view text) {
  constexpr size_t kMost = 30;
  std::string shown;
  append_valid_utf8(text.substr(0, kMost), shown);
  return text.size() > kMost ? shown + "…" : shown;
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
  return std::move(found->get_ref<std::string&>());
}

// The template of the benchmark takes the text without white space around it.
std::string stripped(std::string_view text) {
  constexpr const char* kWhite = " \t\r\n";
  const size_t begin = text.find_first_not_of(kWhite);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kWhite) + 1 - begin));
}

void check_row(const BabilongRow& row, const std::string& where, const std::string& kind) {
  for (const auto& [key, text] : {std::pair("question", &row.question), {"target", &row.target}}) {
    if (text->empty()) refuse(fmt::format("{}, key \"{}\": the string is empty.", where, key));
  }
  if (!is_babilong_target(kind, row.target)) {
    refuse(fmt::format("{}, key \"target\": found \"{}\", wanted an answer of {}: {}.", where,
                       excerpt(row.target), kind, fmt::join(babilong_labels(kind), ", ")));
  }
}

BabilongRow to_row(Json& json, const std::string& where, const std::string& kind) {
  if (!json.is_object()) {
    refuse(fmt::format("{}: found {}, wanted an object with \"input\", \"question\" and \"target\".",
                       where, short_text(json)));
  }
  BabilongRow row{stripped(take_text(json, "input", where)),
                  stripped(take_text(json, "question", where)),
                  stripped(take_text(json, "target", where))};
  check_row(row, where, kind);
  return row;
}

BabilongRows rows_of_lines(std::string_view text, const std::string& source,
                           const std::string& kind) {
  BabilongRows rows;
  int64_t line = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view one = text.substr(begin, end - begin);
    begin = end + 1;
    ++line;
    if (one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Json json = parse_json(one);
    const std::string where = fmt::format("{}, line {}", source, line);
    if (json.is_discarded()) {
      refuse(fmt::format("{} is no JSON: found {} bytes that begin with \"{}\", wanted one row; the "
                         "file may be cut off.",
                         where, one.size(), excerpt(one)));
    }
    rows.push_back(to_row(json, where, kind));
  }
  return rows;
}

BabilongRows rows_of_array(std::string_view text, const std::string& source,
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

BabilongRows rows_of_arrow(std::string_view bytes, const std::string& source,
                           const std::string& kind) {
  const std::vector<TextColumn> columns = parse_arrow_text(bytes, source);
  const auto column = [&](const char* key) -> const std::vector<std::string_view>& {
    for (const TextColumn& one : columns) {
      if (one.name == key) return one.rows;
    }
    refuse(fmt::format("{} has no column \"{}\"; a table has \"input\", \"question\" and "
                       "\"target\".",
                       source, key));
  };
  const auto &inputs = column("input"), &questions = column("question"),
             &targets = column("target");
  BabilongRows rows;
  for (size_t i = 0; i < inputs.size(); ++i) {
    rows.push_back({stripped(inputs[i]), stripped(questions[i]), stripped(targets[i])});
    check_row(rows.back(), fmt::format("{}, row {}", source, i + 1), kind);
  }
  return rows;
}

bool is_arrow(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFF\xFF\xFF") || bytes.starts_with("ARROW1");
}

using PathsByLength = std::map<int64_t, std::vector<std::string>>;

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    all.push_back(it->path());
  }
  std::ranges::sort(all);
  return all;
}

// A table that save_to_disk() left: data-00000-of-00002.arrow and so on.
void add_parts(const fs::path& folder, int64_t nominal, PathsByLength& paths) {
  std::vector<std::string> parts;
  for (const fs::path& path : entries(folder)) {
    const std::string name = path.filename().string();
    if (name.starts_with("data-") && name.ends_with(".arrow")) parts.push_back(path.string());
  }
  if (!parts.empty()) paths.emplace(nominal, parts);
}

// Of a kind, below a folder: qa1/4k.json, qa1/4k/ or 4k/qa1/. What was found first stays.
void add_files(const fs::path& root, const std::string& kind, PathsByLength& paths) {
  for (const fs::path& path : entries(root / kind)) {
    const int64_t nominal = nominal_length(path.stem().string());
    const std::string ending = path.extension().string();
    if (nominal < 0) continue;
    if (ending == ".json" || ending == ".jsonl") {
      paths.emplace(nominal, std::vector<std::string>{path.string()});
    }
    if (ending.empty()) add_parts(path, nominal, paths);
  }
  for (const fs::path& path : entries(root)) {
    const int64_t nominal = nominal_length(path.filename().string());
    if (nominal >= 0) add_parts(path / kind, nominal, paths);
  }
}

// What else people download, with what to do about it.
void refuse_other_exports(const fs::path& folder, const std::string& kind) {
  constexpr const char* kExport =
      "Write it as JSON with Python: datasets.load_dataset(NAME, \"4k\")[\"{0}\"]"
      ".to_json(\"FOLDER/{0}/4k.json\").";
  constexpr int kDeepest = 3, kMostEntries = 10'000;  // of a folder that may be any
  std::error_code error;
  int seen = 0;
  for (fs::recursive_directory_iterator it(folder, error), end;
       !error && it != end && ++seen < kMostEntries; it.increment(error)) {
    if (it.depth() >= kDeepest) it.disable_recursion_pending();
    const std::string ending = it->path().extension().string();
    if (ending != ".arrow" && ending != ".parquet" && ending != ".csv") continue;
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

BabilongRows babilong_rows(std::string_view text, const std::string& source,
                           const std::string& kind) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  BabilongRows rows;
  if (text.starts_with("version https://git-lfs")) {
    refuse(fmt::format("{} holds a pointer of git-lfs and not the file itself; run `git lfs pull` in "
                       "its folder.",
                       source));
  }
  if (is_arrow(text)) {
    rows = rows_of_arrow(text, source, kind);
  } else if (first != std::string_view::npos && text[first] == '[') {
    rows = rows_of_array(text, source, kind);
  } else if (first != std::string_view::npos && text[first] == '{') {
    rows = rows_of_lines(text, source, kind);
  } else {
    refuse(fmt::format("{} begins with \"{}\"; wanted was a JSON array of rows, a row a line, or an "
                       "Arrow table.",
                       source, excerpt(text)));
  }
  if (rows.empty()) refuse(fmt::format("{} holds no rows; wanted was at least one.", source));
  return rows;
}

BabilongFiles::BabilongFiles(const std::string& folder, const std::vector<std::string>& kinds) {
  const fs::path root(folder);
  std::error_code ignored;
  if (!fs::is_directory(root, ignored)) {
    refuse(fmt::format("{} is no folder; wanted was the folder of BABILong's files, with "
                       "data/{}/4k.json or {}/4k.json in it.",
                       folder, kinds.front(), kinds.front()));
  }
  for (const std::string& kind : kinds) {
    PathsByLength& paths = paths_[kind];
    add_files(root / "data", kind, paths);
    add_files(root, kind, paths);
    if (!paths.empty()) continue;
    refuse_other_exports(root, kind);
    refuse(fmt::format("{} has no files of {}; wanted were data/{}/4k.json or {}/4k.json, or other "
                       "lengths: 0k, 1k, 2k and so on.",
                       folder, kind, kind, kind));
  }
}

std::vector<int64_t> BabilongFiles::lengths() const {
  std::vector<int64_t> all = lengths(paths_.begin()->first);
  for (const auto& entry : paths_) {
    std::erase_if(all, [&](int64_t nominal) { return !entry.second.contains(nominal); });
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

std::shared_ptr<const BabilongRows> BabilongFiles::rows(const std::string& kind,
                                                        int64_t nominal) const {
  const Paths& paths = paths_.at(kind).at(nominal);
  const std::lock_guard lock(mutex_);
  if (const auto found = kept_.find(paths); found != kept_.end()) return found->second;
  auto rows = std::make_shared<BabilongRows>();
  size_t bytes = 0;
  for (const std::string& path : paths) {
    const MappedFile file(path);
    bytes += file.bytes().size();
    for (BabilongRow& row : babilong_rows(file.bytes(), path, kind)) rows->push_back(std::move(row));
  }
  if (kept_bytes_ + bytes > kMostKept) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  kept_bytes_ += bytes;
  kept_.emplace(paths, rows);
  return rows;
}

}  // namespace farstate
