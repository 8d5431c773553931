// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/widgets/sheet.h"
#include "core/session/presets.h"

class QTableWidget;

namespace farstate::desktop {

// A preset before it is taken over: every value, how well it is known and from where. Values can be
// changed here.
class PresetSheet : public Sheet {
  Q_OBJECT
 public:
  explicit PresetSheet(QWidget* over);

  void set_theme(const Theme& theme) override;
  void ask(const Preset& preset, const RunConfig& recipe);  // opens
  Preset preset() const;                                    // with the values as they stand
  QTableWidget* table() const { return table_; }

 private:
  enum Column { kKey, kValue, kKnown, kSource, kColumns };
  void say();
  void fill();
  void check();

  QTableWidget* table_;
  Preset preset_;
  RunConfig recipe_;
};

}  // namespace farstate::desktop
