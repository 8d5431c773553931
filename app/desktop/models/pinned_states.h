// SPDX-License-Identifier: GPL-3.0-or-later
// What an answer about the states says of the head in focus, in training and at the pins. An answer
// may be older than the pins: then what it holds is shown under the positions that it is of.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "app/desktop/models/focus.h"
#include "core/results/state_report.h"

namespace farstate::desktop {

class MeasurementBook;

enum Sample { kTraining, kAtA, kAtB };
inline constexpr Sample kSamples[] = {kTraining, kAtA, kAtB};
inline constexpr size_t kSampleCount = 3;

struct PinnedStates {
  std::shared_ptr<const StateReport> report;  // what the pointers below point into
  HeadIndex index;                            // in focus
  const HeadReport* head = nullptr;           // null: the answer has no such head
  std::array<const ElementDistribution*, kSampleCount> elements{};  // null: none
  std::array<const TextAround*, kSampleCount> text{};
  std::array<std::optional<int64_t>, kSampleCount> shown;   // the positions of the above
  std::array<std::optional<int64_t>, kSampleCount> pinned;  // where the pins are now

  bool older(Sample pin) const { return shown[pin] && shown[pin] != pinned[pin]; }
  bool missing(Sample pin) const { return pinned[pin] && !elements[pin]; }
};

PinnedStates pinned_states(std::shared_ptr<const StateReport> report, const Focus& focus);

// A head's place in the order of |log drift| at the end of what was measured.
struct DriftRank {
  int64_t rank = 0;  // from 1
  int64_t heads = 0;
};
std::optional<DriftRank> drift_rank(const MeasurementBook& book, HeadIndex head);

// Tokens after which half of the state is left, at a position of the newest measurement.
std::optional<double> half_life(const MeasurementBook& book, HeadIndex head, int64_t position);

}  // namespace farstate::desktop
