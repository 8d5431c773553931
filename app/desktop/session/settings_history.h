// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QTimer>
#include <QUndoStack>
#include <functional>

#include "app/desktop/wording.h"
#include "core/session/run_config.h"

namespace farstate::desktop {

// The settings and views that a person has changed, to be taken back and made again. What has been
// trained or measured is not in it. Turning one control is one change, however many values it passes.
class SettingsHistory : public QObject {
  Q_OBJECT
 public:
  // `put` makes the settings of a recipe those of the window: initial state, training, measuring
  // and seed.
  SettingsHistory(std::function<void(const RunConfig&)> put, QObject* parent);
  // Says nothing more: whoever listens may have ended before it.
  ~SettingsHistory() override { stack_.disconnect(this); }

  void record(const RunConfig& before, const RunConfig& after);
  // What is shown otherwise; `back` and `again` show it the one way and the other.
  void record_view(const Words& name, std::function<void()> back, std::function<void()> again);
  void begin_joint(const Words& name) { stack_.beginMacro(known(name)); }  // what follows is one change
  void end_joint() { stack_.endMacro(); }
  void forget() { stack_.clear(); }  // another model

  void undo() { put_back([this] { stack_.undo(); }); }
  void redo() { put_back([this] { stack_.redo(); }); }
  // A view may be changed whatever the runner does, settings only where it allows it.
  bool can_undo(bool settings_too) const { return may(stack_.index() - 1, settings_too); }
  bool can_redo(bool settings_too) const { return may(stack_.index(), settings_too); }
  QString undo_text() const { return said(stack_.undoText()); }  // what would be taken back
  QString redo_text() const { return said(stack_.redoText()); }
  int count() const { return stack_.count(); }

 Q_SIGNALS:
  void changed();

 private:
  bool may(int command, bool settings_too) const;
  void put_back(const std::function<void()>& act);
  QString known(const Words& name);
  QString said(const QString& text) const { return names_.value(text, text)(); }

  std::function<void(const RunConfig&)> put_;
  QUndoStack stack_;
  QHash<QString, Words> names_;  // by what they were when the stack took them
  QTimer rest_;   // runs out when a control was let go of
  int turn_ = 0;  // the changes of one turn are joined
  bool putting_ = false;
};

}  // namespace farstate::desktop
