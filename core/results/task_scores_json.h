// SPDX-License-Identifier: GPL-3.0-or-later
// A TaskCell as a JSON object, for every document that holds some. What follows from the counts is
// written for programs that read it, and not read back.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "core/results/json_fields.h"
#include "core/results/task_scores.h"

namespace farstate {

template <FieldsOf<TaskCell> S, typename Field>
void visit_fields(S& s, Field& field) {
  constexpr bool kWritten = std::is_const_v<S>;
  field("task", s.task);
  field("kind", s.kind);
  field("mode", s.mode);
  field("length", s.length);
  std::optional<double> depth;
  if (kWritten && s.depth >= 0) depth = s.depth;
  field("depth", depth);
  if constexpr (!kWritten) s.depth = depth.value_or(-1);
  field("arm", s.arm);
  field("seed", s.seed);
  field("samples", s.samples);
  field("planned", s.planned);
  field("correct", s.correct);
  field("trials", s.trials);
  if constexpr (kWritten) {
    const Interval interval = wilson(s.correct, s.trials);
    field("accuracy", s.trials > 0 ? std::optional(accuracy(s)) : std::nullopt);
    field("lower", interval.lower);
    field("upper", interval.upper);
  }
}

std::string contradiction(const TaskCell& cell);

}  // namespace farstate
