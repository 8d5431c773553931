// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/score_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/results/paper_results.h"

namespace farstate {
namespace {

struct Counts {
  int64_t correct = 0, trials = 0;
  double share() const { return static_cast<double>(correct) / static_cast<double>(trials); }
};

// A row of a table: an arm at a depth.
struct Row {
  std::string arm;
  double depth = -1;
  std::map<int64_t, std::map<uint64_t, Counts>> by_length;  // then by seed

  std::string name() const { return depth < 0 ? arm : fmt::format("{}, depth {}", arm, depth); }
};

// In the order in which they first appear, depths ascending within an arm.
std::vector<Row> rows_of(const std::vector<TaskCell>& cells, const std::string& mode) {
  std::vector<std::string> arms;
  std::map<std::string, std::map<double, Row>> rows;
  for (const TaskCell& cell : cells) {
    if (cell.mode != mode) continue;
    if (std::find(arms.begin(), arms.end(), cell.arm) == arms.end()) arms.push_back(cell.arm);
    Row& row = rows[cell.arm][cell.depth];
    row.arm = cell.arm;
    row.depth = cell.depth;
    Counts& counts = row.by_length[cell.length][cell.seed];
    counts.correct += cell.correct;
    counts.trials += cell.trials;
  }
  std::vector<Row> ordered;
  for (const std::string& arm : arms) {
    for (const auto& [depth, row] : rows[arm]) ordered.push_back(row);
  }
  return ordered;
}

std::string cell_text(const std::map<uint64_t, Counts>& seeds) {
  double mean = 0, squares = 0;
  int64_t scored = 0;
  Counts last;
  for (const auto& [seed, counts] : seeds) {
    if (counts.trials == 0) continue;
    ++scored;  // Welford's update
    const double off = counts.share() - mean;
    mean += off / static_cast<double>(scored);
    squares += off * (counts.share() - mean);
    last = counts;
  }
  if (scored == 0) return "-";
  if (scored > 1) {
    return fmt::format("{:.2f} ± {:.2f}", mean, std::sqrt(squares / static_cast<double>(scored - 1)));
  }
  const Interval interval = wilson(last.correct, last.trials);
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", mean, interval.lower, interval.upper);
}

// Code points: all that stands in a table is as wide as one.
size_t width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void print_lines(const std::vector<std::vector<std::string>>& lines) {
  std::vector<size_t> widths(lines.front().size());
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width(line[i]));
  }
  for (const auto& line : lines) {
    std::string text = fmt::format("{:<{}}", line[0], widths[0]);
    for (size_t i = 1; i < line.size(); ++i) text += fmt::format("   {:>{}}", line[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    fmt::print("{}\n", text);
  }
}

std::string length_text(int64_t length) {
  return length >= 10240 && length % 1024 == 0 ? fmt::format("{}k", length / 1024)
                                               : fmt::format("{}", length);
}

const char* way_of(const std::string& mode) {
  return mode == "predicted" ? "the likeliest token at each place, the text before it given"
                             : "text that the model goes on with";
}

void print_mode(const std::vector<TaskCell>& cells, const std::string& mode) {
  const std::vector<Row> rows = rows_of(cells, mode);
  std::set<int64_t> lengths;
  bool unfinished = false;
  for (const TaskCell& cell : cells) {
    if (cell.mode != mode) continue;
    lengths.insert(cell.length);
    unfinished = unfinished || cell.samples < cell.planned;
  }
  fmt::print("\n{}, share of right answers ({})\n", cells.front().task, way_of(mode));
  std::vector<std::vector<std::string>> lines(1, {cells.front().task == "copying" ? "letters" : "tokens"});
  for (const int64_t length : lengths) lines[0].push_back(length_text(length));
  for (const Row& row : rows) {
    std::vector<std::string>& line = lines.emplace_back(1, row.name());
    for (const int64_t length : lengths) {
      const auto found = row.by_length.find(length);
      line.push_back(found == row.by_length.end() ? "-" : cell_text(found->second));
    }
  }
  print_lines(lines);
  const auto shown = [&](const char* mark) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::vector<std::string>& line) {
      return std::any_of(line.begin() + 1, line.end(), [&](const std::string& text) {
        return text.find(mark) != std::string::npos;
      });
    });
  };
  if (shown("±")) fmt::print("± standard deviation over seeds.\n");
  if (shown("[")) fmt::print("[95 % interval of the share, after Wilson], of one seed.\n");
  if (unfinished) fmt::print("Not all samples are read yet.\n");
}

}  // namespace

void print_scores(const std::vector<TaskCell>& cells) {
  std::vector<std::string> modes;
  for (const TaskCell& cell : cells) {
    if (std::find(modes.begin(), modes.end(), cell.mode) == modes.end()) modes.push_back(cell.mode);
  }
  for (const std::string& mode : modes) print_mode(cells, mode);
}

std::string short_scores(const std::vector<TaskCell>& cells) {
  std::map<int64_t, Counts> by_length;
  const std::string mode = cells.empty() ? "" : cells.front().mode;
  for (const TaskCell& cell : cells) {
    if (cell.mode != mode) continue;
    by_length[cell.length].correct += cell.correct;
    by_length[cell.length].trials += cell.trials;
  }
  std::string text;
  for (const auto& [length, counts] : by_length) {
    text += fmt::format("  {} {}", length_text(length),
                        counts.trials == 0 ? "-" : fmt::format("{:.2f}", counts.share()));
  }
  return text;
}

void print_paper(const std::string& task) {
  const std::vector<PaperSeries>& paper = paper_results(task);
  if (paper.empty()) return;
  fmt::print("\nThe paper's, of other models trained elsewhere. {}.\n", paper.front().source);
  std::vector<std::vector<std::string>> lines(1, {"tokens"});
  if (paper.front().cells.size() == 1) lines[0] = {"longer than trained on", "share"};
  std::set<int64_t> lengths;
  for (const TaskCell& cell : paper.front().cells) lengths.insert(cell.length);
  if (lengths.size() > 1) {
    for (const int64_t length : lengths) lines[0].push_back(fmt::format("{}k", length / 1024));
  }
  for (const PaperSeries& series : paper) {
    std::map<double, std::map<int64_t, double>> by_depth;
    for (const TaskCell& cell : series.cells) by_depth[cell.depth][cell.length] = accuracy(cell);
    for (const auto& [depth, shares] : by_depth) {
      std::vector<std::string>& line = lines.emplace_back(
          1, depth < 0 ? series.label : fmt::format("{}, depth {}", series.label, depth));
      for (const auto& [length, share] : shares) {
        line.push_back(series.spread > 0 ? fmt::format("{:.2f} ± {:.2f}", share, series.spread)
                                         : fmt::format("{:.2g}", share));
      }
    }
  }
  print_lines(lines);
}

}  // namespace farstate
