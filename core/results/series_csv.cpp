// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/series_csv.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <type_traits>

namespace farstate {
namespace {

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string field(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
  return fmt::format("{}", value);
}

std::string field(const std::optional<int64_t>& index) {
  return index.has_value() ? fmt::format("{}", *index) : "";
}

template <typename Number>
std::string field_at(const std::vector<Number>& values, size_t i) {
  if (i >= values.size()) return "";
  if constexpr (std::is_integral_v<Number>) {
    return fmt::format("{}", values[i]);
  } else {
    return field(values[i]);
  }
}

constexpr const char* kSeriesColumns =
    "name,layer,head,x_name,x,y,lower,upper,bin_begin,bin_end,unit,sequences\r\n";

// Every row begins with `first`.
void write_rows(std::ostream& out, const std::string& first, const std::vector<Series>& all) {
  for (const Series& s : all) {
    const std::string head = fmt::format("{}{},{},{},{}", first, field(s.name), field(s.layer),
                                         field(s.head), field(s.x_name));
    for (size_t i = 0; i < s.x.size(); ++i) {
      out << fmt::format("{},{},{},{},{},{},{},{},{}\r\n", head, field(s.x[i]), field_at(s.y, i),
                         field_at(s.lower, i), field_at(s.upper, i), field_at(s.bin_begin, i),
                         field_at(s.bin_end, i), field(s.unit), s.sequences);
    }
  }
}

}  // namespace

void write_csv(std::ostream& out, const std::vector<Series>& all) {
  out << kSeriesColumns;
  write_rows(out, "", all);
}

void write_csv(std::ostream& out, const std::vector<Snapshot>& all) {
  out << "step," << kSeriesColumns;
  for (const Snapshot& snapshot : all) {
    write_rows(out, fmt::format("{},", snapshot.step), snapshot.series);
  }
}

void write_csv(std::ostream& out, const std::vector<TrainPoint>& points) {
  out << "step,loss,grad_norm,learning_rate,tokens_per_second\r\n";
  for (const TrainPoint& p : points) {
    out << fmt::format("{},{},{},{},{}\r\n", p.step, field(p.loss), field(p.grad_norm),
                       field(p.learning_rate), field(p.tokens_per_second));
  }
}

void write_csv(std::ostream& out, const std::vector<RunEvent>& events) {
  out << "step,kind,text\r\n";
  for (const RunEvent& e : events) {
    out << fmt::format("{},{},{}\r\n", e.step, field(e.kind), field(e.text));
  }
}

void write_csv(std::ostream& out, const std::vector<TaskCell>& cells) {
  out << "task,kind,mode,length,depth,arm,seed,samples,planned,correct,trials,accuracy,lower,upper\r\n";
  for (const TaskCell& c : cells) {
    const Interval interval = wilson(c.correct, c.trials);
    out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", field(c.task), field(c.kind),
                       field(c.mode), c.length, c.depth < 0 ? "" : field(c.depth), field(c.arm),
                       c.seed, c.samples, c.planned, c.correct, c.trials,
                       c.trials > 0 ? field(accuracy(c)) : "", field(interval.lower),
                       field(interval.upper));
  }
}

}  // namespace farstate
