// SPDX-License-Identifier: GPL-3.0-or-later
// What stands between measured numbers and QCustomPlot, which draws a zero on a log axis as a
// stroke to the floor, nothing at all for a lone point between two NaN, and stops scaling at the
// first Inf. Nothing is bent to fit: what cannot be drawn becomes a marker and a count.
#pragma once

#include <QVector>
#include <cstdint>
#include <optional>
#include <span>

namespace farstate::desktop {

struct Extent {
  double low = 0, high = 0;
  bool operator==(const Extent&) const = default;
};

struct CleanCurve {
  QVector<double> x, y;          // the line; a NaN in y ends a run
  QVector<double> dot_x, dot_y;  // runs of one sample, which a line cannot show
  QVector<double> floor_x;       // x of samples <= 0 on a log axis: marked on the bottom edge
  // y of samples with x <= 0 on a log axis: marked on the left edge; NaN: in its lowest corner.
  QVector<double> edge_y;
  QVector<double> bad_x, bad_y;  // where NaN or Inf begins: marked at the last finite value
  int64_t nonpositive = 0;
  int64_t nonfinite = 0;
  int64_t outliers = 0;  // finite, but outside y_extent to keep the rest readable
  std::optional<double> first_bad_x;
  std::optional<Extent> x_extent, y_extent;  // of what is drawn; empty: nothing is
};

// y may be shorter than x or the other way round; the common part counts.
CleanCurve sanitize(std::span<const double> x, std::span<const double> y, bool log_x, bool log_y);

std::optional<Extent> united(const std::optional<Extent>& a, const std::optional<Extent>& b);

// The range to show for an extent: a margin of 5 %, in decades on a log axis; around a constant c
// the range c ± 5 %, around zero -1 to 1; positive on a log axis whatever comes in.
Extent padded(const Extent& extent, bool log);

// Keeps a range that a person zooms from collapsing or running away: its span stays between 1e-9
// of its size and 1000 times the home range (in decades on a log axis).
Extent clamped(const Extent& wanted, const Extent& home, bool log);

}  // namespace farstate::desktop
