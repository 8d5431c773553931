// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/ramp_legend.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/desktop/theme.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr int kStrip = 52, kHeight = 8, kSpace = 6;

QFont legend_font() { return text_font(TextSize::kSmall); }

QColor between(const QColor& a, const QColor& b, double share) {
  const auto mix = [share](int from, int to) {
    return static_cast<int>(std::lround(from + share * (to - from)));
  };
  return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

}  // namespace

QColor loss_color(const Theme& theme, double nats) {
  constexpr double kSome = 3;
  if (std::isnan(nats) || nats <= 0) return theme.surface;
  if (nats < kSome) return between(theme.surface, theme.loss_some, nats / kSome);
  return between(theme.loss_some, theme.loss_high,
                 (std::min(nats, kLossShown) - kSome) / (kLossShown - kSome));
}

RampLegend::RampLegend(QWidget* parent) : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  worded(this, [this] { set_ends(low_, high_); });
}

void RampLegend::set_ramp(std::function<QColor(double)> color) {
  color_ = std::move(color);
  update();
}

void RampLegend::set_ends(const QString& low, const QString& high) {
  low_ = low;
  high_ = high;
  setAccessibleName(tr("Colours from %1 to %2").arg(low, high));
  updateGeometry();
  update();
}

void RampLegend::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

QSize RampLegend::sizeHint() const {
  const QFontMetrics metrics(legend_font());
  return {metrics.horizontalAdvance(low_) + metrics.horizontalAdvance(high_) + kStrip + 2 * kSpace,
          metrics.height()};
}

void RampLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(legend_font());
  painter.setPen(theme_->muted);
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, low_);
  painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, high_);
  const int left = painter.fontMetrics().horizontalAdvance(low_) + kSpace;
  const QRect strip(left, (height() - kHeight) / 2, kStrip, kHeight);
  for (int x = 0; color_ && x < kStrip; ++x) {
    painter.fillRect(QRect(left + x, strip.top(), 1, kHeight), color_(x / (kStrip - 1.0)));
  }
  painter.setPen(QPen(theme_->border, 1));
  painter.drawRect(strip.adjusted(0, 0, -1, -1));
}

}  // namespace farstate::desktop
