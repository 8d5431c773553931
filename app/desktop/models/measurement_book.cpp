// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/measurement_book.h"

#include <algorithm>
#include <cmath>

namespace farstate::desktop {
namespace {

bool same_curve(const Series& a, const Series& b) {
  return a.name == b.name && a.layer == b.layer && a.head == b.head;
}

// Finds curves one after another. Measurements list them in the same order, so each search begins
// where the last one ended: a model of thousands of heads has thousands of curves.
class CurveFinder {
 public:
  explicit CurveFinder(std::vector<Series>& in) : in_(in) {}

  Series* find(const Series& wanted) {
    for (size_t looked = 0; looked < in_.size(); ++looked, ++next_) {
      if (next_ >= in_.size()) next_ = 0;
      if (same_curve(in_[next_], wanted)) return &in_[next_++];
    }
    return nullptr;
  }

 private:
  std::vector<Series>& in_;
  size_t next_ = 0;
};

void merge(Measurement& whole, const Measurement& part) {
  std::vector<Series> added;
  CurveFinder finder(whole.series);
  for (const Series& series : part.series) {
    if (Series* known = finder.find(series)) {
      *known = series;
    } else {
      added.push_back(series);
    }
  }
  whole.series.insert(whole.series.end(), added.begin(), added.end());
  whole.notes.insert(whole.notes.end(), part.notes.begin(), part.notes.end());
  whole.complete = part.complete;
}

double reach(const Series& series) { return series.x.empty() ? -1 : series.x.back(); }

// What to show while `incoming` is on its way to replace `before`.
Measurement shown(const Measurement* before, const Measurement& incoming) {
  if (before == nullptr || incoming.complete) return incoming;
  Measurement out = incoming;
  std::vector<Series> missing;
  CurveFinder finder(out.series);
  for (const Series& old : before->series) {
    Series* fresh = finder.find(old);
    if (fresh == nullptr) {
      missing.push_back(old);
    } else if (reach(*fresh) < reach(old)) {
      *fresh = old;
    }
  }
  out.series.insert(out.series.end(), missing.begin(), missing.end());
  return out;
}

}  // namespace

void MeasurementBook::clear() { *this = MeasurementBook(); }

void MeasurementBook::add(const Measurement& part) {
  if (part.id == incoming_.id && part.epoch == incoming_.epoch) {
    merge(incoming_, part);
  } else {
    incoming_ = part;
  }
  current_is_base_ = part.step == 0;
  current_kind_ = part.intervention;
  if (current_is_base_) {
    base_ = shown(base_ ? &*base_ : nullptr, incoming_);
  } else {
    last_[part.intervention] = shown(last_of(part.intervention), incoming_);
  }
}

const Measurement* MeasurementBook::base() const { return base_ ? &*base_ : nullptr; }

const Measurement* MeasurementBook::current() const {
  return current_is_base_ ? base() : last_of(current_kind_);
}

std::vector<const Measurement*> MeasurementBook::earlier() const {
  std::vector<const Measurement*> out;
  for (const auto& [kind, measurement] : last_) {
    if (&measurement != current()) out.push_back(&measurement);
  }
  return out;
}

const Measurement* MeasurementBook::last_of(Intervention kind) const {
  const auto found = last_.find(kind);
  return found == last_.end() ? nullptr : &found->second;
}

const Series* find_series(const Measurement& measurement, const std::string& name) {
  for (const Series& series : measurement.series) {
    if (series.name == name && !series.layer && !series.head) return &series;
  }
  return nullptr;
}

}  // namespace farstate::desktop
