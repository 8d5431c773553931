// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/curve_legend.h"

#include <QPainter>

#include "app/desktop/theme.h"
#include "app/desktop/widgets/line_sample.h"

namespace farstate::desktop {
namespace {

constexpr int kSpace = 6;     // between line and label
constexpr int kBetween = 14;  // between two entries

}  // namespace

CurveLegend::CurveLegend(QWidget* parent) : QWidget(parent) {
  setFont(text_font(TextSize::kSmall));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setAccessibleName(tr("Legend"));
}

void CurveLegend::set_entries(const QVector<Entry>& entries) {
  entries_ = entries;
  QStringList labels;
  for (const Entry& entry : entries) labels.push_back(entry.label);
  setAccessibleDescription(labels.join(QStringLiteral(", ")));
  setToolTip(labels.join(QStringLiteral("\n")));
  updateGeometry();
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

void CurveLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(QPalette::PlaceholderText));
  // Right-aligned, and an entry that does not fit is left out rather than cut.
  int x = width();
  for (auto entry = entries_.crbegin(); entry != entries_.crend(); ++entry) {
    x -= width_of(*entry);
    if (x < 0) break;
    int label = x;
    if (entry->line) {
      paint_line_sample(painter, QRectF(x, 0, kLineSampleWidth, height()), *entry->line);
      label += kLineSampleWidth + kSpace;
    }
    painter.drawText(QRect(label, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft,
                     entry->label);
    x -= kBetween;
  }
}

}  // namespace farstate::desktop
