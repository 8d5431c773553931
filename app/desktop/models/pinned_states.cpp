// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/pinned_states.h"

#include <algorithm>
#include <cmath>

#include "app/desktop/models/measurement_book.h"

namespace farstate::desktop {
namespace {

constexpr Sample kPins[] = {kAtA, kAtB};

// Which of the answer's positions stands for which pin: the one that is meant; for a pin that has
// moved since, the one that no other pin means.
std::array<std::optional<size_t>, kSampleCount> places(const std::vector<int64_t>& positions,
                                                       const Focus::Pins& pins) {
  std::array<std::optional<size_t>, kSampleCount> out;
  std::vector<bool> taken(positions.size(), false);
  for (const Sample pin : kPins) {
    const auto wanted = pins[pin - kAtA];
    if (!wanted) continue;
    const auto found = std::find(positions.begin(), positions.end(), *wanted);
    if (found == positions.end()) continue;
    out[pin] = static_cast<size_t>(found - positions.begin());
    taken[*out[pin]] = true;
  }
  for (const Sample pin : kPins) {
    if (out[pin] || !pins[pin - kAtA]) continue;
    const auto free = std::find(taken.begin(), taken.end(), false);
    if (free == taken.end()) continue;
    out[pin] = static_cast<size_t>(free - taken.begin());
    *free = true;
  }
  return out;
}

bool is_of(const Series& series, const char* name, HeadIndex head) {
  return series.layer == head.layer && series.head == head.head && series.name == name;
}

// Negative: there is none.
double log_drift(const Series& series) {
  if (series.y.empty()) return -1;
  const double size = std::abs(std::log(series.y.back()));
  return std::isnan(size) ? -1 : size;
}

}  // namespace

PinnedStates pinned_states(std::shared_ptr<const StateReport> report, const Focus& focus) {
  PinnedStates out;
  out.report = std::move(report);
  out.index = focus.head();
  for (const Sample pin : kPins) out.pinned[pin] = focus.pins()[pin - kAtA];
  if (out.report == nullptr) return out;
  for (const HeadReport& head : out.report->heads) {
    if (head.index == out.index) out.head = &head;
  }
  if (out.head == nullptr) return out;
  if (out.head->training) out.elements[kTraining] = &*out.head->training;
  const auto place = places(out.report->positions, focus.pins());
  for (const Sample pin : kPins) {
    if (!place[pin]) continue;
    if (*place[pin] < out.head->at.size()) {
      out.elements[pin] = &out.head->at[*place[pin]];
      out.shown[pin] = out.report->positions[*place[pin]];
    }
    if (*place[pin] < out.report->text.size()) out.text[pin] = &out.report->text[*place[pin]];
  }
  return out;
}

std::optional<DriftRank> drift_rank(const MeasurementBook& book, HeadIndex head) {
  const Measurement* measured = book.current();
  if (measured == nullptr) return std::nullopt;
  double own = -1;
  for (const Series& series : measured->series) {
    if (is_of(series, "state_drift", head)) own = log_drift(series);
  }
  if (own < 0) return std::nullopt;
  DriftRank out{1, 0};
  for (const Series& series : measured->series) {
    if (series.name != "state_drift" || !series.layer || !series.head) continue;
    const double drift = log_drift(series);
    if (drift < 0) continue;
    ++out.heads;
    out.rank += drift > own ? 1 : 0;
  }
  return out;
}

std::optional<double> half_life(const MeasurementBook& book, HeadIndex head, int64_t position) {
  const Measurement* measured = book.current();
  if (measured == nullptr) return std::nullopt;
  for (const Series& series : measured->series) {
    if (!is_of(series, "half_life", head)) continue;
    const auto sample = sample_at(series, static_cast<double>(position));
    if (!sample || *sample >= series.y.size()) return std::nullopt;
    return series.y[*sample];
  }
  return std::nullopt;
}

}  // namespace farstate::desktop
