// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/plot_sanitizer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace farstate::desktop {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kDrawable = 1e250;    // QCustomPlot refuses ranges beyond about this size
constexpr double kOutlierRatio = 1e4;  // of the maximum to the median
constexpr double kSmallest = 1e-300;

bool drawable(double v) { return std::isfinite(v) && std::abs(v) <= kDrawable; }

void widen(std::optional<Extent>& extent, double v) {
  if (!extent) {
    extent = Extent{v, v};
  } else {
    extent->low = std::min(extent->low, v);
    extent->high = std::max(extent->high, v);
  }
}

// Collects runs of samples; a run of one goes to the dots.
class Runs {
 public:
  explicit Runs(CleanCurve& out) : out_(out) {}
  void add(double x, double y) {
    out_.x.push_back(x);
    out_.y.push_back(y);
    ++length_;
  }
  void end(double x) {
    if (length_ == 0) return;
    if (length_ == 1) {
      out_.dot_x.push_back(out_.x.takeLast());
      out_.dot_y.push_back(out_.y.takeLast());
    } else {
      out_.x.push_back(x);
      out_.y.push_back(kNaN);
    }
    length_ = 0;
  }

 private:
  CleanCurve& out_;
  int64_t length_ = 0;
};

// On a linear axis one value of 1e38 would flatten the rest to a line: then the range covers the
// middle 99 % and the count says how many samples lie outside.
void ignore_outliers(CleanCurve& curve) {
  QVector<double> sorted;
  for (const double v : curve.y) {
    if (!std::isnan(v)) sorted.push_back(v);
  }
  sorted += curve.dot_y;
  if (sorted.size() < 8) return;
  std::sort(sorted.begin(), sorted.end());
  const double median = std::abs(sorted[sorted.size() / 2]);
  const double largest = std::max(std::abs(sorted.front()), std::abs(sorted.back()));
  if (median <= kSmallest || largest / median <= kOutlierRatio) return;
  const auto cut = static_cast<qsizetype>(std::ceil(0.005 * static_cast<double>(sorted.size())));
  curve.y_extent = Extent{sorted[cut], sorted[sorted.size() - 1 - cut]};
  curve.outliers = std::count_if(sorted.begin(), sorted.end(), [&](double v) {
    return v < curve.y_extent->low || v > curve.y_extent->high;
  });
}

}  // namespace

CleanCurve sanitize(std::span<const double> x, std::span<const double> y, bool log_x, bool log_y) {
  CleanCurve out;
  Runs runs(out);
  std::optional<double> last_finite;
  bool in_gap = false;
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (!drawable(x[i])) continue;
    if (log_x && x[i] <= 0) {
      ++out.nonpositive;
      const bool placed = drawable(y[i]) && !(log_y && y[i] <= 0);
      out.edge_y.push_back(placed ? y[i] : kNaN);
      if (placed) widen(out.y_extent, y[i]);
      continue;
    }
    if (!drawable(y[i])) {
      ++out.nonfinite;
      if (!out.first_bad_x) out.first_bad_x = x[i];
      if (!in_gap) {
        out.bad_x.push_back(x[i]);
        out.bad_y.push_back(last_finite.value_or(kNaN));
      }
      in_gap = true;
      runs.end(x[i]);
      continue;
    }
    in_gap = false;
    widen(out.x_extent, x[i]);
    if (log_y && y[i] <= 0) {
      ++out.nonpositive;
      out.floor_x.push_back(x[i]);
      runs.end(x[i]);
      continue;
    }
    last_finite = y[i];
    widen(out.y_extent, y[i]);
    runs.add(x[i], y[i]);
  }
  if (!out.x.isEmpty() || !out.dot_x.isEmpty()) runs.end(out.x.isEmpty() ? 0 : out.x.back());
  if (!out.y.isEmpty() && std::isnan(out.y.back())) {  // the last run needs no end mark
    out.x.removeLast();
    out.y.removeLast();
  }
  for (double& v : out.bad_y) {
    if (std::isnan(v) && out.y_extent) v = out.y_extent->low;
  }
  // What follows the last finite value is in sight too.
  for (const double v : out.bad_x) {
    if (out.y_extent) widen(out.x_extent, v);
  }
  if (!log_y) ignore_outliers(out);
  return out;
}

std::optional<Extent> united(const std::optional<Extent>& a, const std::optional<Extent>& b) {
  if (!a) return b;
  if (!b) return a;
  return Extent{std::min(a->low, b->low), std::max(a->high, b->high)};
}

Extent padded(const Extent& extent, bool log) {
  if (log) {
    const double low = std::max(extent.low, kSmallest);
    const double high = std::max(extent.high, low);
    const double decades = std::log10(high / low);
    const double margin = decades > 1e-9 ? 0.05 * decades : std::log10(1.05);
    return {low * std::pow(10.0, -margin), high * std::pow(10.0, margin)};
  }
  const double span = extent.high - extent.low;
  const double size = std::max(std::abs(extent.low), std::abs(extent.high));
  if (size <= kSmallest) return {-1, 1};
  const double margin = span > 1e-12 * size ? 0.05 * span : 0.05 * size;
  return {extent.low - margin, extent.high + margin};
}

Extent clamped(const Extent& wanted, const Extent& home, bool log) {
  if (log) {
    const Extent w{std::log10(std::max(wanted.low, kSmallest)),
                   std::log10(std::max(wanted.high, kSmallest))};
    const Extent h{std::log10(home.low), std::log10(home.high)};
    // A thousand decades do not exist; three home widths on each side are far enough.
    const double widest = 3 * (h.high - h.low);
    const double span = std::clamp(w.high - w.low, 1e-6, std::max(widest, 1e-6));
    const double center = std::clamp((w.low + w.high) / 2, h.low - widest, h.high + widest);
    return {std::pow(10.0, center - span / 2), std::pow(10.0, center + span / 2)};
  }
  const double home_span = std::max(home.high - home.low, kSmallest);
  const double size = std::max({std::abs(home.low), std::abs(home.high), home_span});
  const double span = std::clamp(wanted.high - wanted.low, 1e-9 * size, 1e3 * home_span);
  const double center = std::clamp((wanted.low + wanted.high) / 2, home.low - 1e3 * home_span,
                                   home.high + 1e3 * home_span);
  return {center - span / 2, center + span / 2};
}

}  // namespace farstate::desktop
