// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/toy_view.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "app/desktop/theme.h"

namespace farstate::desktop {
namespace {

constexpr double kDot = 2.4;

QPointF pixel_of(const ToyPoint& point, double half, const QRectF& plane) {
  return {plane.left() + (point.x + half) / (2 * half) * plane.width(),
          plane.bottom() - (point.y + half) / (2 * half) * plane.height()};
}

}  // namespace

ToyView::ToyView(QWidget* parent) : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setAccessibleName(tr("The plane of the toy's state"));
}

void ToyView::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void ToyView::set_trained(const ToyGrid& grid, const QColor& color) {
  trained_ = grid;
  color_ = color;
  set_tokens(tokens_);
}

void ToyView::set_texts(std::shared_ptr<const std::vector<std::vector<ToyPoint>>> texts) {
  texts_ = std::move(texts);
  set_tokens(tokens_);
}

void ToyView::set_tokens(int64_t tokens) {
  tokens_ = tokens;
  reached_ = ToyGrid(trained_.half_width());
  if (texts_ != nullptr) {
    for (const std::vector<ToyPoint>& path : *texts_) {
      const auto end = std::min(static_cast<size_t>(tokens) + 1, path.size());
      for (size_t t = 0; t < end; ++t) reached_.visit(path[t]);
    }
  }
  update();
}

QRectF ToyView::plane() const {
  const double side = std::min(width(), height()) - 2.0;
  return {std::floor((width() - side) / 2), std::floor((height() - side) / 2), side, side};
}

// Trained cells are filled; cells that texts have come to without training are outlined by dots, so
// that colour is not all that tells them apart.
void ToyView::paint_cells(QPainter& painter, const QRectF& plane) const {
  const double cell = plane.width() / ToyGrid::kSide;
  QColor fill = color_;
  fill.setAlphaF(theme_->dark ? 0.34F : 0.26F);
  // Whole pixels, so that neighbours neither overlap nor leave a seam.
  const auto edge = [cell](int index) { return static_cast<int>(std::lround(cell * index)); };
  for (int row = 0; row < ToyGrid::kSide; ++row) {
    for (int column = 0; column < ToyGrid::kSide; ++column) {
      const QPoint low(edge(column), edge(row)), high(edge(column + 1), edge(row + 1));
      const QRectF box(plane.left() + low.x(), plane.bottom() - high.y(), high.x() - low.x(),
                       high.y() - low.y());
      if (trained_.visited(column, row)) {
        painter.fillRect(box, fill);
      } else if (reached_.visited(column, row)) {
        painter.setBrush(theme_->pin_b);
        painter.drawEllipse(box.center(), 0.9, 0.9);
      }
    }
  }
}

void ToyView::paint_texts(QPainter& painter, const QRectF& plane) const {
  if (texts_ == nullptr || texts_->empty()) return;
  const double half = trained_.half_width();
  const std::vector<ToyPoint>& first = texts_->front();
  const auto last = [this](const std::vector<ToyPoint>& path) {
    return std::min(static_cast<size_t>(tokens_), path.size() - 1);
  };
  QPainterPath line(pixel_of(first.front(), half, plane));
  for (size_t t = 1; t <= last(first); ++t) line.lineTo(pixel_of(first[t], half, plane));
  QColor ink = theme_->muted;
  ink.setAlphaF(0.8F);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(ink, 1));
  painter.drawPath(line);
  painter.setPen(QPen(theme_->surface, 0.6));
  for (const std::vector<ToyPoint>& path : *texts_) {
    const ToyPoint& now = path[last(path)];
    painter.setBrush(trained_.visited(now) ? theme_->text : theme_->pin_b);
    painter.drawEllipse(pixel_of(now, half, plane), kDot, kDot);
  }
}

void ToyView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = plane();
  painter.setClipRect(area);
  painter.setPen(QPen(theme_->grid, 1));
  painter.drawLine(QPointF(area.left(), area.center().y()), QPointF(area.right(), area.center().y()));
  painter.drawLine(QPointF(area.center().x(), area.top()), QPointF(area.center().x(), area.bottom()));
  painter.setPen(Qt::NoPen);
  paint_cells(painter, area);
  paint_texts(painter, area);
  painter.setPen(theme_->muted);
  painter.setFont(text_font(TextSize::kSmall));
  painter.drawText(area.adjusted(0, area.height() / 2 + 3, -4, 0), Qt::AlignRight | Qt::AlignTop,
                   tr("first number"));
  painter.drawText(area.adjusted(area.width() / 2 + 6, 2, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                   tr("second number"));
  painter.setBrush(theme_->surface);
  painter.setPen(QPen(theme_->text, 1.2));
  painter.drawEllipse(area.center(), 3.2, 3.2);  // h = 0, where training began
}

}  // namespace farstate::desktop
