// SPDX-License-Identifier: GPL-3.0-or-later
// What was measured of one model on one text: the checkpoint as loaded, the newest measurement,
// and the last one under each initial state. Changing the initial state, or going back to the
// loaded weights, never erases a measurement; loading something else does.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/session/runner.h"

namespace farstate::desktop {

class MeasurementBook {
 public:
  void clear();

  // A part with a known id adds its series to those that came before. Until a measurement is
  // complete, curves of the one before it stay where the new ones do not yet reach as far, so that
  // measuring again never empties a plot.
  void add(const Measurement& part);

  const Measurement* base() const;     // step 0; null: none yet
  const Measurement* current() const;  // the newest
  // The last one under each initial state, without `current`, in the order of the keys.
  std::vector<const Measurement*> earlier() const;
  // The last one under this initial state after at least one step; null: none.
  const Measurement* last_of(Intervention kind) const;

 private:
  std::optional<Measurement> base_;
  Measurement incoming_;  // the parts of the newest measurement, by themselves
  std::map<Intervention, Measurement> last_;
  bool current_is_base_ = true;
  Intervention current_kind_ = Intervention::kZero;
};

// The series of that name without layer and head; null: not measured.
const Series* find_series(const Measurement& measurement, const std::string& name);

}  // namespace farstate::desktop
