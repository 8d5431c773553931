// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/axis_ticker.h"

#include <algorithm>
#include <cmath>

#include "app/desktop/plots/ticks.h"

namespace farstate::desktop {
namespace {

constexpr double kReferenceSpace = 44;  // pixels that the label of the reference needs

}  // namespace

int AxisTicker::wanted() const {
  const QRect area = axis_->axisRect()->rect();
  return axis_->orientation() == Qt::Horizontal ? std::clamp(area.width() / 75, 2, 9)
                                                : std::clamp(area.height() / 34, 2, 7);
}

void AxisTicker::generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                          QVector<double>* sub_ticks, QVector<QString>* labels) {
  ticks = kind_ == AxisKind::kLinear ? linear_ticks(range.lower, range.upper, wanted())
          : kind_ == AxisKind::kLog  ? log_ticks(range.lower, range.upper, wanted())
                                     : octave_ticks(range.lower, range.upper, wanted());
  if (sub_ticks != nullptr) sub_ticks->clear();
  if (labels == nullptr) return;
  labels->clear();
  for (const double tick : ticks) {
    const bool hidden = reference_ && std::abs(axis_->coordToPixel(tick) -
                                               axis_->coordToPixel(*reference_)) < kReferenceSpace;
    labels->push_back(hidden ? QString() : short_number(tick) + suffix_);
  }
}

}  // namespace farstate::desktop
