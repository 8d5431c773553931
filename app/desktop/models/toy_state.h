// SPDX-License-Identifier: GPL-3.0-or-later
// An analogy, without Qt: a state of two numbers in place of thousands. Each step turns it, shrinks
// it and adds what a random token writes,
//   h_t = a R(phi) h_{t-1} + b u(x_t).
// How far states go depends on how long a text is; training sees those that its windows go through,
// and which these are depends on where the windows start.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/rng.h"

namespace farstate::desktop {

struct ToyPoint {
  double x = 0, y = 0;
};

struct ToySettings {
  double decay = 0.98;     // a: below 1, or the state has no bound
  double turn = 0.04;      // phi, radians per token
  double input = 0.12;     // b
  int64_t context = 16;    // T
  uint64_t seed = 7;
  bool operator==(const ToySettings&) const = default;
};

enum class ToyStart {
  kZero,
  kNoise,   // independent numbers of one standard deviation
  kFitted,  // the same with the one of the states that windows end in
  kOwnEnds  // states that windows of this kind ended in: state passing
};
inline constexpr ToyStart kToyStarts[] = {ToyStart::kZero, ToyStart::kNoise, ToyStart::kFitted,
                                          ToyStart::kOwnEnds};

// A square around the origin in cells.
class ToyGrid {
 public:
  static constexpr int kSide = 56;

  explicit ToyGrid(double half_width) : half_(half_width), cells_(kSide * kSide) {}

  void visit(const ToyPoint& point);
  bool visited(int column, int row) const { return cells_[static_cast<size_t>(row * kSide + column)]; }
  bool visited(const ToyPoint& point) const;
  double half_width() const { return half_; }

 private:
  int cell_of(const ToyPoint& point) const;  // negative: outside

  double half_;
  std::vector<bool> cells_;
};

class Toy {
 public:
  explicit Toy(const ToySettings& settings) : settings_(settings) {}

  const ToySettings& settings() const { return settings_; }
  ToyPoint next(const ToyPoint& state, Rng& rng) const;
  // Standard deviation of one of the two numbers after so many tokens from zero.
  double spread(int64_t tokens) const;

  // `count` texts of `tokens` tokens from zero: paths[text][t], t from 0.
  std::vector<std::vector<ToyPoint>> texts(int64_t count, int64_t tokens) const;
  // The states that `windows` training windows of T tokens go through.
  ToyGrid trained(ToyStart start, int64_t windows) const;
  // The share of the states of `texts` after `first` to `last` tokens that lies where training was.
  static double covered(const ToyGrid& trained, const std::vector<std::vector<ToyPoint>>& texts,
                        int64_t first, int64_t last);
  // The share of the cells that training went through where none of the texts ever comes.
  static double astray(const ToyGrid& trained, const std::vector<std::vector<ToyPoint>>& texts);

  double view_half_width() const;  // of a picture that holds nearly all states

 private:
  ToyPoint start_of(ToyStart start, const std::vector<ToyPoint>& ends, Rng& rng) const;

  ToySettings settings_;
};

}  // namespace farstate::desktop
