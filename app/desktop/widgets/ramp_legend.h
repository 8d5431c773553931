// SPDX-License-Identifier: GPL-3.0-or-later
// A strip of the colours that stand for numbers, with what they begin and end at.
#pragma once

#include <QWidget>
#include <functional>

namespace farstate::desktop {

struct Theme;

class RampLegend : public QWidget {
  Q_OBJECT
 public:
  explicit RampLegend(QWidget* parent = nullptr);

  // color: of a share from 0 to 1.
  void set_ramp(std::function<QColor(double share)> color);
  void set_ends(const QString& low, const QString& high);
  void set_theme(const Theme& theme);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Theme* theme_;
  std::function<QColor(double)> color_;
  QString low_, high_;
};

inline constexpr double kLossShown = 8;  // nats; more has the colour of this

// A token's ground, from the surface's colour at 0 nats on; NaN: the surface.
QColor loss_color(const Theme& theme, double nats);

}  // namespace farstate::desktop
