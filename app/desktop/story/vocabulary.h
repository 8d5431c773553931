// SPDX-License-Identifier: GPL-3.0-or-later
// The words that a story may use beside the facts: actions of Show me, and controls to highlight.
#pragma once

#include <QList>
#include <QString>
#include <optional>

#include "app/desktop/story/facts.h"

namespace farstate::desktop {

struct ActionInfo {
  QString name;
  std::optional<FactType> argument;  // empty: it takes none
  QString meaning;
  QStringList choices = {};  // of a text; empty: any
};
const QList<ActionInfo>& known_actions();
const ActionInfo* find_action(const QString& name);

struct ControlInfo {
  QString name, meaning;
};
const QList<ControlInfo>& known_controls();
bool is_control(const QString& name);

}  // namespace farstate::desktop
