// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/tip_box.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/desktop/widgets/line_sample.h"

namespace farstate::desktop {
namespace {

constexpr int kTipPad = 9;
constexpr int kTipAway = 14;  // from the mouse
constexpr int kRowSpace = 3;
constexpr int kColumnSpace = 16;
constexpr qsizetype kMostCurves = 6;

QFont row_font() { return text_font(TextSize::kSmall); }
QFont title_font() { return text_font(TextSize::kSmall, QFont::DemiBold); }

double distance(const TipRow& row, double height) {
  return std::isfinite(*row.height) ? std::abs(*row.height - height) : 1e9;
}

}  // namespace

Tip nearest_rows(const Tip& tip, double height) {
  std::vector<double> distances;
  for (const TipRow& row : tip.rows) {
    if (row.height) distances.push_back(distance(row, height));
  }
  const auto more = static_cast<qsizetype>(distances.size()) - kMostCurves;
  if (more <= 0) return tip;
  std::nth_element(distances.begin(), distances.begin() + kMostCurves - 1, distances.end());
  const double farthest = distances[kMostCurves - 1];
  Tip nearest{tip.title, {}};
  qsizetype room = kMostCurves;
  for (const TipRow& row : tip.rows) {
    if (row.height && (room == 0 || distance(row, height) > farthest)) continue;
    if (row.height) --room;
    nearest.rows.push_back(row);
  }
  nearest.rows.push_back(
      {std::nullopt, TipBox::tr("and %1 more").arg(more), {}});
  return nearest;
}

TipBox::TipBox(QWidget* parent) : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void TipBox::set_theme(const Theme& theme) { theme_ = &theme; }

void TipBox::show_tip(const Tip& tip, const QPoint& mouse) {
  tip_ = tip;
  const QSize size = size_of_tip();
  const QSize room = parentWidget()->size();
  QPoint at = mouse + QPoint(kTipAway, kTipAway);
  if (at.x() + size.width() > room.width()) at.setX(mouse.x() - kTipAway - size.width());
  if (at.y() + size.height() > room.height()) at.setY(mouse.y() - kTipAway - size.height());
  setGeometry(QRect(QPoint(std::max(0, at.x()), std::max(0, at.y())), size));
  raise();
  show();
  update();
}

QSize TipBox::size_of_tip() const {
  const QFontMetrics rows(row_font()), title(title_font());
  int label = 0, value = 0;
  bool lines = false;
  for (const TipRow& row : tip_.rows) {
    label = std::max(label, rows.horizontalAdvance(row.label));
    value = std::max(value, rows.horizontalAdvance(row.value));
    lines |= row.line.has_value();
  }
  const int body = label + kColumnSpace + value + (lines ? kLineSampleWidth + 6 : 0);
  const int width = std::max(title.horizontalAdvance(tip_.title), body);
  const int height =
      title.height() + static_cast<int>(tip_.rows.size()) * (rows.height() + kRowSpace);
  return {width + 2 * kTipPad, height + 2 * kTipPad - 2};
}

void TipBox::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme_->border, 1));
  painter.setBrush(theme_->tip);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
  const QFontMetrics rows(row_font()), title(title_font());
  QRect line = rect().adjusted(kTipPad, kTipPad - 1, -kTipPad, 0);
  line.setHeight(title.height());
  painter.setFont(title_font());
  painter.setPen(theme_->tip_text);
  painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, tip_.title);
  line.translate(0, title.height() + kRowSpace);
  line.setHeight(rows.height());
  painter.setFont(row_font());
  for (const TipRow& row : tip_.rows) {
    int left = 0;
    if (row.line) {
      paint_line_sample(painter, QRectF(line.left(), line.top(), kLineSampleWidth, line.height()),
                        *row.line);
      left = kLineSampleWidth + 6;
    }
    painter.setPen(theme_->tip_muted);
    painter.drawText(line.adjusted(left, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, row.label);
    painter.setPen(theme_->tip_text);
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, row.value);
    line.translate(0, rows.height() + kRowSpace);
  }
}

}  // namespace farstate::desktop
