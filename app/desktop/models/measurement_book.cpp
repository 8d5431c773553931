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

using Shared = std::shared_ptr<const Measurement>;

Shared merged(const Measurement& before, const Measurement& part) {
  auto whole = std::make_shared<Measurement>(before);
  std::vector<Series> added;
  CurveFinder finder(whole->series);
  for (const Series& series : part.series) {
    if (Series* known = finder.find(series)) {
      *known = series;
    } else {
      added.push_back(series);
    }
  }
  whole->series.insert(whole->series.end(), added.begin(), added.end());
  for (const std::string& note : part.notes) {
    if (std::find(whole->notes.begin(), whole->notes.end(), note) == whole->notes.end()) {
      whole->notes.push_back(note);
    }
  }
  whole->complete = part.complete;
  return whole;
}

double reach(const Series& series) { return series.x.empty() ? -1 : series.x.back(); }

template <class T>
void append_from(std::vector<T>& to, const std::vector<T>& from, size_t first, size_t already) {
  if (to.size() != already || from.size() <= first) return;
  to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(first), from.end());
}

// Carries a curve that has not come to its end yet on as the one before it went.
void carry_on(Series& fresh, const Series& old) {
  const size_t had = fresh.x.size();
  auto first = static_cast<size_t>(std::upper_bound(old.x.begin(), old.x.end(), reach(fresh)) -
                                   old.x.begin());
  if (had > 0 && fresh.bin_end.size() >= had) {
    const int64_t end = fresh.bin_end[had - 1];
    while (first < old.bin_begin.size() && old.bin_begin[first] < end) ++first;
  }
  append_from(fresh.x, old.x, first, had);
  append_from(fresh.y, old.y, first, had);
  append_from(fresh.lower, old.lower, first, had);
  append_from(fresh.upper, old.upper, first, had);
  append_from(fresh.bin_begin, old.bin_begin, first, had);
  append_from(fresh.bin_end, old.bin_end, first, had);
}

// What to show while `incoming` is on its way to replace `before`.
Shared shown(const Measurement* before, const Shared& incoming) {
  if (before == nullptr || incoming->complete) return incoming;
  auto out = std::make_shared<Measurement>(*incoming);
  std::vector<Series> missing;
  CurveFinder finder(out->series);
  for (const Series& old : before->series) {
    Series* fresh = finder.find(old);
    if (fresh == nullptr) {
      missing.push_back(old);
    } else if (reach(*fresh) < reach(old)) {
      carry_on(*fresh, old);
    }
  }
  out->series.insert(out->series.end(), missing.begin(), missing.end());
  return out;
}

}  // namespace

void MeasurementBook::clear() { *this = MeasurementBook(); }

void MeasurementBook::add(Shared part) {
  const bool goes_on = incoming_ && part->id == incoming_->id && part->epoch == incoming_->epoch;
  incoming_ = goes_on ? merged(*incoming_, *part) : std::move(part);
  current_is_base_ = incoming_->step == 0;
  current_kind_ = incoming_->intervention;
  Shared& place = current_is_base_ ? base_ : last_[current_kind_];
  // The curve of a twin is of other weights: nothing of it may pass for what this model does.
  const bool same_model = place != nullptr && place->recipe.model == incoming_->recipe.model;
  mixed_ = !incoming_->complete && (goes_on ? mixed_ : same_model);
  if (!goes_on) rest_recorded_ = place != nullptr && place->recorded;
  place = shown(mixed_ ? place.get() : nullptr, incoming_);
}

const Measurement* MeasurementBook::base() const { return base_.get(); }

std::shared_ptr<const Measurement> MeasurementBook::shared_current() const {
  if (current_is_base_) return base_;
  const auto found = last_.find(current_kind_);
  return found == last_.end() ? nullptr : found->second;
}

const Measurement* MeasurementBook::current() const { return shared_current().get(); }

void MeasurementBook::show_base() {
  current_is_base_ = true;
  mixed_ = false;
}

MeasurementBook::Origin MeasurementBook::origin() const {
  if (current() == nullptr) return Origin::kNone;
  return current()->recorded ? Origin::kRecorded : Origin::kLive;
}

std::optional<double> MeasurementBook::front(const std::string& name) const {
  if (!mixed_) return std::nullopt;
  for (const Series& series : incoming_->series) {
    if (series.name == name) return std::max(0.0, reach(series));
  }
  return 0;
}

std::vector<const Measurement*> MeasurementBook::earlier() const {
  std::vector<const Measurement*> out;
  for (const auto& [kind, measurement] : last_) {
    if (measurement.get() != current()) out.push_back(measurement.get());
  }
  return out;
}

const Measurement* MeasurementBook::last_of(Intervention kind) const {
  const auto found = last_.find(kind);
  return found == last_.end() ? nullptr : found->second.get();
}

}  // namespace farstate::desktop
