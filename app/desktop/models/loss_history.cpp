// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/loss_history.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace farstate::desktop {
namespace {

// Of every four samples keeps two: a NaN or Inf before all others, then the extremes.
void thin(LossHistory::Segment& segment) {
  std::vector<double> steps, losses;
  const auto rank = [&](size_t i) {
    return std::isfinite(segment.losses[i]) ? segment.losses[i]
                                            : std::numeric_limits<double>::infinity();
  };
  for (size_t i = 0; i < segment.steps.size(); i += 4) {
    const size_t end = std::min(i + 4, segment.steps.size());
    size_t low = i, high = i;
    for (size_t j = i; j < end; ++j) {
      if (rank(j) < rank(low)) low = j;
      if (rank(j) > rank(high)) high = j;
    }
    const auto keep = [&](size_t j) {
      steps.push_back(segment.steps[j]);
      losses.push_back(segment.losses[j]);
    };
    keep(std::min(low, high));
    if (low != high) keep(std::max(low, high));
  }
  segment.steps = std::move(steps);
  segment.losses = std::move(losses);
}

}  // namespace

void LossHistory::clear() { segments_.clear(); }

void LossHistory::begin_segment(Intervention kind) {
  if (!segments_.empty() && segments_.back().steps.empty()) {
    segments_.back().kind = kind;
    return;
  }
  segments_.push_back({kind, {}, {}});
}

void LossHistory::add(const std::vector<TrainPoint>& points) {
  if (segments_.empty()) segments_.emplace_back();
  Segment& segment = segments_.back();
  for (const TrainPoint& point : points) {
    segment.steps.push_back(static_cast<double>(point.step));
    segment.losses.push_back(point.loss);
    if (segment.steps.size() >= kLimit) thin(segment);
  }
}

bool LossHistory::empty() const {
  return std::all_of(segments_.begin(), segments_.end(),
                     [](const Segment& s) { return s.steps.empty(); });
}

}  // namespace farstate::desktop
