// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/curve_legend.h"

#include <QPainter>
#include <algorithm>

#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/line_sample.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr int kSpace = 6;     // between line and label
constexpr int kBetween = 14;  // between two entries

}  // namespace

CurveLegend::CurveLegend(QWidget* parent) : QWidget(parent) {
  set_text(this, TextSize::kSmall);
  with_font_of(this, [this] { fit_height(); });
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  worded(this, [this] { setAccessibleName(tr("Legend")); });
}

void CurveLegend::set_entries(const QVector<Entry>& entries) {
  entries_ = entries;
  QStringList labels;
  for (const Entry& entry : entries) labels.push_back(entry.label);
  setAccessibleDescription(labels.join(QStringLiteral(", ")));
  setToolTip(labels.join(QStringLiteral("\n")));
  updateGeometry();
  fit_height();
  update();
}

int CurveLegend::width_of(const Entry& entry) const {
  return (entry.line ? kLineSampleWidth + kSpace : 0) +
         fontMetrics().horizontalAdvance(entry.label);
}

QSize CurveLegend::sizeHint() const {
  int width = 0;
  for (const Entry& entry : entries_) width += width_of(entry) + kBetween;
  return {std::max(0, width - kBetween), fontMetrics().height() + 4};
}

void CurveLegend::set_wrapping(bool wrapping) {
  wrapping_ = wrapping;
  setSizePolicy(wrapping ? QSizePolicy::Ignored : QSizePolicy::Preferred, QSizePolicy::Fixed);
  fit_height();
  update();
}

// Of the entries that are shown. On one line they are right-aligned, and one that does not fit is
// left out rather than cut.
QVector<QPoint> CurveLegend::places(int width) const {
  QVector<QPoint> places(entries_.size(), QPoint(-1, -1));
  int x = wrapping_ ? 0 : width, y = 0;
  for (qsizetype i = 0; i < entries_.size(); ++i) {
    const qsizetype at = wrapping_ ? i : entries_.size() - 1 - i;
    const int wide = width_of(entries_[at]);
    if (wrapping_) {
      if (x > 0 && x + wide > width) {
        x = 0;
        y += line_height();
      }
      places[at] = {x, y};
      x += wide + kBetween;
    } else {
      x -= wide;
      if (x < 0) break;
      places[at] = {x, y};
      x -= kBetween;
    }
  }
  return places;
}

void CurveLegend::fit_height() {
  if (!wrapping_) return;
  int bottom = 0;
  for (const QPoint& place : places(width())) bottom = std::max(bottom, place.y());
  setFixedHeight(bottom + line_height());
}

void CurveLegend::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_height();
}

void CurveLegend::paint_entry(QPainter& painter, const Entry& entry, const QPoint& at) const {
  int label = at.x();
  if (entry.line) {
    paint_line_sample(painter, QRectF(at.x(), at.y(), kLineSampleWidth, line_height()),
                      *entry.line);
    label += kLineSampleWidth + kSpace;
  }
  painter.drawText(QRect(label, at.y(), width() - label, line_height()),
                   Qt::AlignVCenter | Qt::AlignLeft, entry.label);
}

void CurveLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QColor muted = palette().color(QPalette::PlaceholderText);
  const QVector<QPoint> at = places(width());
  for (qsizetype i = 0; i < entries_.size(); ++i) {
    painter.setPen(muted);
    if (at[i].x() >= 0) paint_entry(painter, entries_[i], at[i]);
  }
}

}  // namespace farstate::desktop
