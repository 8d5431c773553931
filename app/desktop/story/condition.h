// SPDX-License-Identifier: GPL-3.0-or-later
// When a card's task is done: a small tree of comparisons of facts.
#pragma once

#include <vector>

#include "app/desktop/story/facts.h"

namespace farstate::desktop {

// A value that is written down, or a fact, times a factor where it is a number.
struct Operand {
  QString fact;  // empty: `value`
  FactValue value = 0.0;
  double times = 1;
};
std::optional<FactValue> value_of(const Operand& operand, const Facts& facts);
QString in_words(const Operand& operand);

struct Condition {
  enum class Kind { kAll, kAny, kNot, kTrue, kIs, kAbove, kAtLeast, kBelow, kAtMost };
  Kind kind = Kind::kAll;
  QString fact;  // of the comparisons
  Operand operand;
  std::vector<Condition> parts;  // of all, any and not
};

// A comparison with a fact that is not known doesn't hold.
bool holds(const Condition& condition, const Facts& facts);

// With the facts as they are now: "pin_a (128) is below context (64)".
QString in_words(const Condition& condition, const Facts& facts);

}  // namespace farstate::desktop
