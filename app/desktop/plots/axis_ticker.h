// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/desktop/plots/live_plot.h"
#include "app/desktop/plots/qcp.h"

namespace farstate::desktop {

// Round numbers for the three kinds of axis. A label that would run into the one of a reference
// value (T) is left out.
class AxisTicker : public QCPAxisTicker {
 public:
  AxisTicker(QCPAxis* axis, AxisKind kind) : axis_(axis), kind_(kind) {}
  void set_reference(std::optional<double> value) { reference_ = value; }
  void set_suffix(const QString& suffix) { suffix_ = suffix; }

  void generate(const QCPRange& range, const QLocale& locale, QChar format, int precision,
                QVector<double>& ticks, QVector<double>* sub_ticks,
                QVector<QString>* labels) override;

 private:
  int wanted() const;

  QCPAxis* axis_;
  AxisKind kind_;
  std::optional<double> reference_;
  QString suffix_;
};

}  // namespace farstate::desktop
