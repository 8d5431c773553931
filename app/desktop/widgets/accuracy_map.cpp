// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/accuracy_map.h"

#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/desktop/plots/color_ramp.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/task_words.h"
#include "app/desktop/theme.h"

namespace farstate::desktop {
namespace {

constexpr int kLeft = 40, kTop = 17, kBottom = 18;
constexpr int kRowHeight = 28, kMostWidth = 76;
constexpr int kRoomForNumber = 24;
constexpr int kDone = 3;  // height of the strip that says how much of a cell is scored

// Black or white, whichever stands out more.
QColor readable_on(const QColor& ground) {
  const double light =
      0.299 * ground.redF() + 0.587 * ground.greenF() + 0.114 * ground.blueF();
  return light > 0.55 ? QColor(Qt::black) : QColor(Qt::white);
}

QString depth_text(double depth) { return QLocale().toString(depth, 'g', 3); }

}  // namespace

QColor share_color(double share) {
  static QCPColorGradient gradient = viridis();
  return QColor(gradient.color(std::clamp(share, 0.0, 1.0), QCPRange(0, 1)));
}

AccuracyMap::AccuracyMap(QWidget* parent)
    : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  set_text(this, TextSize::kSmall);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void AccuracyMap::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void AccuracyMap::show_content(Content content) {
  const bool other_size = content.depths.size() != content_.depths.size();
  content_ = std::move(content);
  QStringList words;
  for (const ScorePoint& p : content_.points) {
    words.push_back(tr("%1 at depth %2: %3")
                        .arg(p.length)
                        .arg(depth_text(p.depth), share_text(p.share)));
  }
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  if (other_size) updateGeometry();
  update();
}

QSize AccuracyMap::sizeHint() const {
  const int rows = std::max(1, static_cast<int>(content_.depths.size()));
  return {kLeft + 48 * std::max(1, static_cast<int>(content_.lengths.size())),
          kTop + rows * kRowHeight + kBottom};
}

QRect AccuracyMap::cells_rect() const {
  const int columns = static_cast<int>(content_.lengths.size());
  const int rows = static_cast<int>(content_.depths.size());
  if (columns == 0 || rows == 0) return {};
  const int wide = std::clamp((width() - kLeft) / columns, 6, kMostWidth);
  return {kLeft, kTop, columns * wide, rows * kRowHeight};
}

QRect AccuracyMap::rect_of(const Place& place) const {
  const QRect all = cells_rect();
  if (all.isEmpty()) return {};
  const int wide = all.width() / static_cast<int>(content_.lengths.size());
  return {all.left() + place.column * wide, all.top() + place.row * kRowHeight, wide, kRowHeight};
}

std::optional<AccuracyMap::Place> AccuracyMap::place_at(const QPoint& pixel) const {
  const QRect all = cells_rect();
  if (!all.contains(pixel)) return std::nullopt;
  const int wide = all.width() / static_cast<int>(content_.lengths.size());
  return Place{(pixel.y() - all.top()) / kRowHeight, (pixel.x() - all.left()) / wide};
}

const ScorePoint* AccuracyMap::point_at(const Place& place) const {
  const int64_t length = content_.lengths[static_cast<size_t>(place.column)];
  const double depth = content_.depths[static_cast<size_t>(place.row)];
  for (const ScorePoint& p : content_.points) {
    if (p.length == length && p.depth == depth) return &p;
  }
  return nullptr;
}

QString AccuracyMap::text_at(const Place& place) const {
  const ScorePoint* p = point_at(place);
  const QRect cell = rect_of(place);
  if (p == nullptr || cell.width() < kRoomForNumber || cell.height() < kRoomForNumber) return {};
  QString text = share_text(p->share);
  if (p->share == 0 || p->share == 1) text = QLocale().toString(p->share, 'f', 0);
  if (fontMetrics().horizontalAdvance(text) + 2 > cell.width()) {
    text = QLocale().toString(p->share, 'f', 1);
  }
  return text;
}

Tip AccuracyMap::tip_at(const Place& place) const {
  const int64_t length = content_.lengths[static_cast<size_t>(place.column)];
  const double depth = content_.depths[static_cast<size_t>(place.row)];
  Tip tip{tr("%1 tokens, depth %2")
              .arg(QLocale().toString(static_cast<qint64>(length)), depth_text(depth)),
          {}};
  const ScorePoint* p = point_at(place);
  if (p == nullptr) {
    tip.rows.push_back({std::nullopt, tr("not scored yet"), {}});
    return tip;
  }
  tip.rows.push_back({std::nullopt, tr("accuracy"), share_text(p->share)});
  if (content_.digitised) {
    tip.rows.push_back({std::nullopt, tr("digitised from the paper"), {}});
    return tip;
  }
  tip.rows.push_back(
      {std::nullopt, tr("right"), tr("%1 of %2").arg(p->correct).arg(p->trials)});
  const QString range = tr("%1 to %2").arg(share_text(p->low), share_text(p->high));
  tip.rows.push_back({std::nullopt,
                      p->seeds > 1 ? tr("%1 seeds, lowest and highest").arg(p->seeds)
                                   : tr("95 % interval"),
                      range});
  if (!p->complete()) {
    tip.rows.push_back(
        {std::nullopt, tr("scored so far"), tr("%1 of %2").arg(p->samples).arg(p->planned)});
  }
  return tip;
}

std::optional<int> AccuracyMap::context_line() const {
  const auto& lengths = content_.lengths;
  if (content_.context <= 0 || lengths.empty()) return std::nullopt;
  const auto within = std::upper_bound(lengths.begin(), lengths.end(), content_.context) -
                      lengths.begin();
  const QRect all = cells_rect();
  return all.left() + static_cast<int>(within) * (all.width() / static_cast<int>(lengths.size()));
}

void AccuracyMap::point(std::optional<QPoint> pixel) {
  const std::optional<Place> place = pixel ? place_at(*pixel) : std::nullopt;
  if (place) {
    if (tip_box_ == nullptr) tip_box_ = new TipBox(window());
    tip_box_->set_theme(*theme_);
    tip_box_->show_tip(tip_at(*place), mapTo(window(), *pixel));
  } else if (tip_box_ != nullptr) {
    tip_box_->hide();
  }
}

void AccuracyMap::mouseMoveEvent(QMouseEvent* event) { point(event->pos()); }
void AccuracyMap::leaveEvent(QEvent*) { point(std::nullopt); }

void AccuracyMap::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  point(std::nullopt);
}

void AccuracyMap::paint_cell(QPainter& painter, const Place& place) const {
  const QRect cell = rect_of(place).adjusted(0, 0, -1, -1);
  const ScorePoint* p = point_at(place);
  if (p == nullptr) {
    painter.fillRect(cell, QBrush(theme_->hatch, Qt::BDiagPattern));
    return;
  }
  const QColor ground = share_color(p->share);
  painter.fillRect(cell, ground);
  painter.setPen(readable_on(ground));
  painter.drawText(cell, Qt::AlignCenter, text_at(place));
  if (p->complete() || p->planned <= 0) return;
  QRect done(cell.left(), cell.bottom() - kDone + 1, cell.width(), kDone);
  painter.fillRect(done, theme_->surface);
  done.setWidth(static_cast<int>(done.width() * p->samples / p->planned));
  painter.fillRect(done, theme_->accent);
}

void AccuracyMap::paint_labels(QPainter& painter) const {
  const QRect all = cells_rect();
  painter.setPen(theme_->muted);
  for (int row = 0; row < static_cast<int>(content_.depths.size()); ++row) {
    const QRect at(0, all.top() + row * kRowHeight, kLeft - 7, kRowHeight);
    painter.drawText(at, Qt::AlignVCenter | Qt::AlignRight,
                     depth_text(content_.depths[static_cast<size_t>(row)]));
  }
  int free_from = 0;
  for (int column = 0; column < static_cast<int>(content_.lengths.size()); ++column) {
    const QString text = short_number(static_cast<double>(content_.lengths[size_t(column)]));
    const int middle = rect_of({0, column}).center().x();
    const int wide = fontMetrics().horizontalAdvance(text);
    if (middle - wide / 2 < free_from) continue;  // a label that ran into its neighbour says nothing
    painter.drawText(QRect(middle - wide, all.bottom() + 2, 2 * wide, kBottom - 2),
                     Qt::AlignHCenter | Qt::AlignTop, text);
    free_from = middle + wide / 2 + 5;
  }
  painter.drawText(QRect(0, 0, kLeft - 7, kTop - 3), Qt::AlignRight | Qt::AlignVCenter,
                   tr("depth"));
}

void AccuracyMap::paint_context(QPainter& painter) const {
  const std::optional<int> x = context_line();
  if (!x) return;
  const QRect all = cells_rect();
  painter.setPen(QPen(theme_->trained_limit, 2, Qt::DashLine));
  painter.drawLine(*x - 1, kTop - 3, *x - 1, all.bottom() + 3);
  painter.setPen(theme_->text);
  const QString text =
      tr("T = %1").arg(QLocale().toString(static_cast<qint64>(content_.context)));
  const int wide = fontMetrics().horizontalAdvance(text);
  const int left = std::clamp(*x - wide / 2, kLeft, std::max(kLeft, width() - wide));
  painter.drawText(QRect(left, 0, wide + 2, kTop - 4), Qt::AlignLeft | Qt::AlignVCenter, text);
}

void AccuracyMap::paintEvent(QPaintEvent*) {
  if (cells_rect().isEmpty()) return;
  QPainter painter(this);
  for (int row = 0; row < static_cast<int>(content_.depths.size()); ++row) {
    for (int column = 0; column < static_cast<int>(content_.lengths.size()); ++column) {
      paint_cell(painter, {row, column});
    }
  }
  paint_labels(painter);
  paint_context(painter);
}

}  // namespace farstate::desktop
