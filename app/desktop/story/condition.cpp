// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/condition.h"

#include <algorithm>

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

using Kind = Condition::Kind;

bool compare(const Condition& condition, const Facts& facts) {
  const auto left = facts.fact(condition.fact);
  const auto right = value_of(condition.operand, facts);
  if (!left || !right || left->index() != right->index()) return false;
  if (condition.kind == Kind::kIs) return *left == *right;
  const double* a = std::get_if<double>(&*left);
  const double* b = std::get_if<double>(&*right);
  if (a == nullptr || b == nullptr) return false;
  switch (condition.kind) {
    case Kind::kAbove:
      return *a > *b;
    case Kind::kAtLeast:
      return *a >= *b;
    case Kind::kBelow:
      return *a < *b;
    default:
      return *a <= *b;
  }
}

QString sign_of(Kind kind) {
  switch (kind) {
    case Kind::kAbove:
      return u"above"_s;
    case Kind::kAtLeast:
      return u"at least"_s;
    case Kind::kBelow:
      return u"below"_s;
    case Kind::kAtMost:
      return u"at most"_s;
    default:
      return u"equal to"_s;
  }
}

QString now(const QString& fact, const Facts& facts) {
  const auto value = facts.fact(fact);
  return u"%1 (%2)"_s.arg(fact, value ? fact_text(*value) : u"not known"_s);
}

}  // namespace

std::optional<FactValue> value_of(const Operand& operand, const Facts& facts) {
  std::optional<FactValue> value =
      operand.fact.isEmpty() ? std::optional(operand.value) : facts.fact(operand.fact);
  if (!value) return std::nullopt;
  if (double* number = std::get_if<double>(&*value)) *number *= operand.times;
  return value;
}

QString in_words(const Operand& operand) {
  if (operand.fact.isEmpty()) return fact_text(operand.value);
  return operand.times == 1 ? operand.fact : u"%1 × %2"_s.arg(operand.times).arg(operand.fact);
}

bool holds(const Condition& condition, const Facts& facts) {
  const auto part_holds = [&facts](const Condition& part) { return holds(part, facts); };
  const auto& parts = condition.parts;
  switch (condition.kind) {
    case Kind::kAll:
      return std::all_of(parts.begin(), parts.end(), part_holds);
    case Kind::kAny:
      return std::any_of(parts.begin(), parts.end(), part_holds);
    case Kind::kNot:
      return std::none_of(parts.begin(), parts.end(), part_holds);
    case Kind::kTrue:
      return facts.fact(condition.fact) == FactValue(true);
    default:
      return compare(condition, facts);
  }
}

QString in_words(const Condition& condition, const Facts& facts) {
  QStringList parts;
  for (const Condition& part : condition.parts) parts.push_back(in_words(part, facts));
  switch (condition.kind) {
    case Kind::kAll:
      return parts.join(u" and "_s);
    case Kind::kAny:
      return u"(%1)"_s.arg(parts.join(u" or "_s));
    case Kind::kNot:
      return u"not (%1)"_s.arg(parts.join(u" or "_s));
    case Kind::kTrue:
      return u"%1 is true"_s.arg(now(condition.fact, facts));
    default:
      return u"%1 is %2 %3"_s.arg(now(condition.fact, facts), sign_of(condition.kind),
                                  in_words(condition.operand));
  }
}

}  // namespace farstate::desktop
