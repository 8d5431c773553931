// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/focus.h"

namespace farstate::desktop {

void Focus::set_head(HeadIndex head) {
  head_chosen_ = true;
  change_head(head);
}

void Focus::set_pin(Pin pin, std::optional<int64_t> position) {
  pins_chosen_ = true;
  Pins pins = pins_;
  pins[pin] = position;
  change_pins(pins);
}

void Focus::suggest(HeadIndex head, int64_t a, int64_t b) {
  if (!head_chosen_) change_head(head);
  if (!pins_chosen_) change_pins({a, b});
}

void Focus::forget() {
  head_chosen_ = pins_chosen_ = false;
  change_head({});
  change_pins({});
}

void Focus::change_head(HeadIndex head) {
  if (head == head_) return;
  head_ = head;
  Q_EMIT head_changed();
}

void Focus::change_pins(const Pins& pins) {
  if (pins == pins_) return;
  pins_ = pins;
  Q_EMIT pins_changed();
}

}  // namespace farstate::desktop
