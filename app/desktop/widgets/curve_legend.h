// SPDX-License-Identifier: GPL-3.0-or-later
// Names the curves of a plot in its header, outside of the plot where nothing is covered.
#pragma once

#include <QVector>
#include <QWidget>
#include <optional>

#include "app/desktop/intervention_style.h"

namespace farstate::desktop {

class CurveLegend : public QWidget {
  Q_OBJECT
 public:
  struct Entry {
    std::optional<LineStyle> line;
    QString label;
  };
  explicit CurveLegend(QWidget* parent = nullptr);

  void set_entries(const QVector<Entry>& entries);
  void set_wrapping(bool wrapping);  // into lines from the left, instead of one from the right

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  int width_of(const Entry& entry) const;
  int line_height() const { return fontMetrics().height() + 4; }
  QVector<QPoint> places(int width) const;
  void fit_height();
  void paint_entry(QPainter& painter, const Entry& entry, const QPoint& at) const;

  QVector<Entry> entries_;
  bool wrapping_ = false;
};

}  // namespace farstate::desktop
