// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/norm_history.h"

#include <algorithm>
#include <cmath>

namespace farstate::desktop {

void NormHistory::clear() {
  heads_ = 0;
  stride_ = 1;
  positions_.clear();
  values_.clear();
  largest_.clear();
  reference_.clear();
}

void NormHistory::add(int64_t position, std::span<const float> norms, bool prompt) {
  if (norms.empty()) return;
  if (norms.size() != heads_) {
    clear();
    heads_ = norms.size();
    largest_.assign(heads_, 0);
  }
  for (size_t h = 0; h < heads_; ++h) {
    if (std::isfinite(norms[h])) largest_[h] = std::max(largest_[h], norms[h]);
  }
  if (prompt || reference_.empty()) reference_.assign(norms.begin(), norms.end());
  // The newest column makes room for a newer one, unless it is far enough from the one before it.
  const size_t count = positions_.size();
  if (count >= 2 && positions_[count - 1] - positions_[count - 2] < stride_) {
    positions_.pop_back();
    values_.resize(values_.size() - heads_);
  }
  positions_.push_back(position);
  values_.insert(values_.end(), norms.begin(), norms.end());
  if (positions_.size() >= std::max<size_t>(16, std::min(most_columns_, most_values_ / heads_))) {
    thin();
  }
}

void NormHistory::thin() {
  size_t kept = 0;
  const size_t newest = positions_.size() - 1;
  for (size_t i = 0; i <= newest; ++i) {
    if (i % 2 != 0 && i != newest) continue;
    positions_[kept] = positions_[i];
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(i * heads_), heads_,
                values_.begin() + static_cast<std::ptrdiff_t>(kept * heads_));
    ++kept;
  }
  positions_.resize(kept);
  values_.resize(kept * heads_);
  stride_ *= 2;
}

int64_t NormHistory::widest_gap() const {
  int64_t widest = 1;
  for (size_t i = 1; i < positions_.size(); ++i) {
    widest = std::max(widest, positions_[i] - positions_[i - 1]);
  }
  return widest;
}

std::optional<size_t> NormHistory::column_of(int64_t position) const {
  const auto above = std::upper_bound(positions_.begin(), positions_.end(), position);
  if (above == positions_.begin()) return std::nullopt;
  const auto column = static_cast<size_t>(above - positions_.begin()) - 1;
  // A column stands for the tokens up to the next; past the newest there is nothing.
  const bool newest = column + 1 == positions_.size();
  if (newest && position > positions_[column]) return std::nullopt;
  return column;
}

}  // namespace farstate::desktop
