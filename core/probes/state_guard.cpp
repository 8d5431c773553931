// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/state_guard.h"

#include <fmt/format.h>

#include <optional>

#include "core/base/error.h"
#include "core/probes/position_bins.h"

namespace farstate {
namespace {

// A state that is not finite, at a column of the segment's statistics.
struct Broken {
  int64_t layer = 0, head = 0;
  double elements = 0;
};

std::optional<Broken> broken_at(const UnrollSegment& segment, size_t column) {
  const std::vector<at::Tensor>& layers = segment.result.stats;
  for (size_t layer = 0; layer < layers.size(); ++layer) {
    const auto stats = layers[layer].accessor<double, 4>();
    for (int64_t row = 0; row < stats.size(0); ++row) {
      for (int64_t head = 0; head < stats.size(2); ++head) {
        const double count = stats[row][static_cast<int64_t>(column)][head][3];
        if (count > 0) return Broken{static_cast<int64_t>(layer), head, count};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

StateGuard::StateGuard(int64_t length, int64_t bins_per_octave) {
  for (const int64_t end : PositionBins::logarithmic(length, bins_per_octave).end) {
    indices_.push_back(end - 2);  // position end-1, counted from 0
  }
}

void StateGuard::observe(int64_t, const UnrollSegment& segment) {
  if (segment.begin == 0) whole_ = 0;
  for (size_t column = 0; column < segment.stat_positions.size(); ++column) {
    const int64_t position = segment.stat_positions[column] + 1;
    if (const std::optional<Broken> broken = broken_at(segment, column)) {
      throw Error(ErrorKind::kDiverged,
                  fmt::format("The state of layer {}, head {} is not finite after {} tokens ({} of "
                              "its elements): the model breaks down there. Measuring ended, and the "
                              "curves end before it.",
                              broken->layer, broken->head, position, broken->elements));
    }
    whole_ = position;
  }
}

}  // namespace farstate
