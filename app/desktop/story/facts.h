// SPDX-License-Identifier: GPL-3.0-or-later
// What a story may ask of a session: named facts, each of one type.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <variant>

namespace farstate::desktop {

using FactValue = std::variant<bool, double, QString>;
enum class FactType { kTruth, kNumber, kText };  // in the order of FactValue

inline FactType type_of(const FactValue& value) { return static_cast<FactType>(value.index()); }
QString type_name(FactType type);  // "a number"

// A source of facts. A fact that is not known now has no value.
class Facts {
 public:
  virtual ~Facts() = default;
  virtual std::optional<FactValue> fact(const QString& name) const = 0;
};

struct FactInfo {
  QString name;  // "pin_a", or "ratio.<initial state>" for a fact of each initial state
  FactType type = FactType::kTruth;
  QString meaning;
};

// All facts of a session, in the order in which docs/STORIES.md lists them.
const QList<FactInfo>& known_facts();

// Of "pin_a" and of "ratio.state-passing"; empty: there is no such fact.
std::optional<FactType> fact_type(const QString& name);

// The initial state that a fact's name ends in, "state-passing" of "ratio.state-passing"; empty:
// the fact is of none.
QString initial_state_of(const QString& fact);

// As a card shows it: at most three digits of a number that is no whole one.
QString fact_text(const FactValue& value);

}  // namespace farstate::desktop
