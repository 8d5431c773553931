// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/task_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/results/task_scores_json.h"

namespace farstate {

std::string contradiction(const TaskCell& c) {
  if (c.task.empty()) return "\"task\" must not be empty";
  for (const auto& [key, value] : {std::pair("length", c.length), {"samples", c.samples},
                                   {"planned", c.planned}, {"correct", c.correct}}) {
    if (value < 0) return fmt::format("\"{}\" is {}, but must not be negative", key, value);
  }
  if (c.correct > c.trials) {
    return fmt::format("\"correct\" is {} of {} \"trials\"", c.correct, c.trials);
  }
  if (c.depth > 1 || (c.depth < 0 && c.depth != -1)) {
    return fmt::format("\"depth\" is {}, but must be from 0 to 1, or null", c.depth);
  }
  return {};
}

template <FieldsOf<TaskScores> S, typename Field>
void visit_fields(S& s, Field& field) {
  field.json("recipe", s.recipe);
  field("model", s.model);
  field("context", s.context);
  field("cells", s.cells);
  field("notes", s.notes);
}

std::string contradiction(const TaskScores& scores) {
  return scores.context >= 0 ? "" : "\"context\" must not be negative";
}

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "farstate.scores/1";

}  // namespace

double accuracy(const TaskCell& cell) {
  if (cell.trials <= 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(cell.correct) / static_cast<double>(cell.trials);
}

// E. B. Wilson, "Probable inference, the law of succession, and statistical inference", J. Am. Stat.
// Assoc. 22 (1927): the shares p that an observed share k/n is within z standard deviations of, with
// the deviation sqrt(p (1-p) / n) of p itself.
Interval wilson(int64_t correct, int64_t trials) {
  if (trials <= 0) return {};
  constexpr double kZ = 1.959963984540054;  // of the standard normal, 0.975 lies below
  constexpr double kSquare = kZ * kZ;
  const auto n = static_cast<double>(trials);
  const auto k = static_cast<double>(correct);
  const double centre = (k + kSquare / 2) / (n + kSquare);
  const double reach = kZ / (n + kSquare) * std::sqrt(k * (n - k) / n + kSquare / 4);
  // At the ends the formula gives 0 and 1, and its rounding something beside them.
  return {correct <= 0 ? 0 : std::max(centre - reach, 0.0),
          correct >= trials ? 1 : std::min(centre + reach, 1.0)};
}

std::string to_json(const TaskScores& scores) {
  int64_t non_finite = 0;  // a cell without a trial has no accuracy, and that is null by design
  Json root = {{"schema", kSchema}};
  root.update(FieldWriter(non_finite).write(scores));
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

TaskScores task_scores_from_json(const std::string& text, const std::string& source) {
  const Json root = parse_json(text);
  if (root.is_discarded()) throw Error(ErrorKind::kBadInput, source + " is no JSON.");
  if (!root.is_object() || !root.contains("schema")) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} has no \"schema\", so it is no file of scores: farstate task … score "
                            "--json writes one.",
                            source));
  }
  if (root["schema"] != kSchema) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: \"schema\" is {}, but must be \"{}\", the scores that farstate task … "
                            "score --json writes.",
                            source, short_text(root["schema"]), kSchema));
  }
  TaskScores scores;
  FieldReader(root, source).read(scores);
  return scores;
}

}  // namespace farstate
