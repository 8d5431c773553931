// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>
#include <QWidget>
#include <optional>

#include "app/desktop/intervention_style.h"
#include "app/desktop/theme.h"

namespace farstate::desktop {

struct TipRow {
  std::optional<LineStyle> line;
  QString label, value;
  std::optional<double> height = {};  // of the curve's sample, in pixels; empty: of no curve
};

struct Tip {
  QString title;
  QVector<TipRow> rows;
};

// The tip with no more curves than a person reads at a glance, those nearest to the height of the
// mouse, and how many more there are.
Tip nearest_rows(const Tip& tip, double height);

// The values under the mouse. It floats over the whole window, so that a low plot does not cut it,
// and never leaves the window.
class TipBox : public QWidget {
  Q_OBJECT
 public:
  explicit TipBox(QWidget* parent);

  void set_theme(const Theme& theme);
  void show_tip(const Tip& tip, const QPoint& mouse);  // in the parent's coordinates
  const Tip& tip() const { return tip_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QSize size_of_tip() const;

  const Theme* theme_;
  Tip tip_;
};

}  // namespace farstate::desktop
