// SPDX-License-Identifier: GPL-3.0-or-later
// What the window looks at closely: one head, and up to two pinned positions. All views of the
// state set it and follow it.
#pragma once

#include <QObject>
#include <array>
#include <optional>

#include "core/results/state_report.h"

namespace farstate::desktop {

class Focus : public QObject {
  Q_OBJECT
 public:
  enum Pin { kA, kB };
  using Pins = std::array<std::optional<int64_t>, 2>;  // tokens read

  using QObject::QObject;

  HeadIndex head() const { return head_; }
  const Pins& pins() const { return pins_; }
  bool pins_chosen() const { return pins_chosen_; }  // by a person

  void set_head(HeadIndex head);
  void set_pin(Pin pin, std::optional<int64_t> position);
  // What the views begin with; nothing once a person has chosen.
  void suggest(HeadIndex head, int64_t a, int64_t b);
  void forget();  // another model: nobody has chosen

 Q_SIGNALS:
  void head_changed();
  void pins_changed();

 private:
  void change_head(HeadIndex head);
  void change_pins(const Pins& pins);

  HeadIndex head_;
  Pins pins_;
  bool head_chosen_ = false, pins_chosen_ = false;
};

}  // namespace farstate::desktop
