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
  // complete, curves of the one before it stay where the new ones do not yet reach, so that
  // measuring again never empties a plot.
  void add(std::shared_ptr<const Measurement> part);
  void add(const Measurement& part) { add(std::make_shared<Measurement>(part)); }

  void show_base();  // the newest, from here on, is the base

  const Measurement* base() const;     // step 0; null: none yet
  const Measurement* current() const;  // the newest
  std::shared_ptr<const Measurement> shared_current() const;  // outlives the next add()
  // How far the curves of that name in current() are new; beyond it they are of the measurement
  // before. Empty: they are of one measurement.
  std::optional<double> front(const std::string& name) const;
  // Where the curves of current() are from. While a measurement is under way they are live, and what
  // lies beyond the front may still be recorded.
  enum class Origin { kNone, kRecorded, kLive };
  Origin origin() const;
  bool recorded_beyond() const { return mixed_ && rest_recorded_; }
  // The last one under each initial state, without `current`, in the order of the keys.
  std::vector<const Measurement*> earlier() const;
  // The last one under this initial state after at least one step; null: none.
  const Measurement* last_of(Intervention kind) const;

 private:
  using Shared = std::shared_ptr<const Measurement>;  // a copy of the book copies no curve

  Shared base_;
  Shared incoming_;  // the parts of the newest measurement, by themselves
  std::map<Intervention, Shared> last_;
  bool mixed_ = false;  // current() holds curves of the measurement before it
  bool rest_recorded_ = false;  // and that was recorded
  bool current_is_base_ = true;
  Intervention current_kind_ = Intervention::kZero;
};

}  // namespace farstate::desktop
