// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace farstate::desktop {

// The norm of every head after the tokens of a text, in bounded memory: when it is full, every
// other column goes and from then on half as many come in. The newest is always there.
class NormHistory {
 public:
  explicit NormHistory(size_t most_columns = 4096, size_t most_values = size_t{1} << 23)
      : most_columns_(most_columns), most_values_(most_values) {}

  void clear();
  // position: tokens read. prompt: the last of these columns is what ratios are taken to.
  void add(int64_t position, std::span<const float> norms, bool prompt);

  size_t columns() const { return positions_.size(); }
  size_t heads() const { return heads_; }
  int64_t position(size_t column) const { return positions_[column]; }
  std::span<const float> norms(size_t column) const {
    return {values_.data() + column * heads_, heads_};
  }
  int64_t widest_gap() const;  // most tokens from one column to the next; 1: each has its own
  // The newest column at or before the position that stands for it; empty: none was taken there.
  std::optional<size_t> column_of(int64_t position) const;

  const std::vector<float>& largest() const { return largest_; }  // per head, of all that came in
  // Per head after the prompt, or after the first token where there was none.
  const std::vector<float>& reference() const { return reference_; }

 private:
  void thin();

  size_t most_columns_, most_values_;
  size_t heads_ = 0;
  int64_t stride_ = 1;  // least tokens between two columns, but for the newest
  std::vector<int64_t> positions_;
  std::vector<float> values_;  // [columns, heads]
  std::vector<float> largest_, reference_;
};

}  // namespace farstate::desktop
