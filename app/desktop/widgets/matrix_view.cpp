// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/matrix_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/desktop/plots/ticks.h"
#include "app/desktop/theme.h"

namespace farstate::desktop {
namespace {

constexpr int kSideColumn = 9, kSideGap = 3;
constexpr int kBar = 8, kBarSpace = 5;
constexpr int kBarEnd = 6;  // room for half of a label

QColor blend(const QColor& from, const QColor& to, double share) {
  const auto mix = [share](int a, int b) { return int(std::lround(a + share * (b - a))); };
  return {mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
}

QString bar_number(double value) { return general_text(value, 2); }

}  // namespace

double SignedScale::strength(double value) const {
  if (!(limit > 0)) return 0;
  const double linear = std::clamp(value / limit, -1.0, 1.0);
  return root ? std::copysign(std::sqrt(std::abs(linear)), linear) : linear;
}

QColor signed_color(double strength, const Theme& theme) {
  if (!std::isfinite(strength)) return theme.hatch;
  return blend(theme.surface, strength < 0 ? theme.negative : theme.positive, std::abs(strength));
}

MatrixView::MatrixView(QWidget* parent)
    : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setMouseTracking(true);
}

void MatrixView::set_theme(const Theme& theme) {
  theme_ = &theme;
  make_images();
}

void MatrixView::set_matrix(int64_t side, std::vector<float> values, const SignedScale& scale) {
  const bool whole = side > 0 && static_cast<int64_t>(values.size()) / side >= side;
  side_ = whole ? side : 0;
  values_ = std::move(values);
  scale_ = scale;
  marked_.reset();
  make_images();
}

void MatrixView::set_side_column(std::vector<float> shares) {
  shares_ = std::move(shares);
  make_images();
}

void MatrixView::set_lower_triangle(bool lower) {
  lower_ = lower;
  make_images();
}

void MatrixView::make_images() {
  const auto n = int(side_);
  image_ = n > 0 ? QImage(n, n, QImage::Format_RGB32) : QImage();
  for (int row = 0; row < n; ++row) {
    auto* line = reinterpret_cast<QRgb*>(image_.scanLine(row));
    for (int column = 0; column < n; ++column) {
      const auto at = static_cast<size_t>(row) * static_cast<size_t>(n) + size_t(column);
      line[column] = lower_ && column > row
                         ? theme_->beyond.rgb()
                         : signed_color(scale_.strength(double(values_[at])), *theme_).rgb();
    }
  }
  const bool has_column = n > 0 && shares_.size() == static_cast<size_t>(n);
  column_image_ = has_column ? QImage(1, n, QImage::Format_RGB32) : QImage();
  for (int row = 0; has_column && row < n; ++row) {
    const double share = std::clamp(double(shares_[size_t(row)]), 0.0, 1.0);
    column_image_.setPixelColor(0, row, blend(theme_->surface, theme_->accent, share));
  }
  update();
}

QRect MatrixView::matrix_rect() const {
  const int left = column_image_.isNull() ? 0 : kSideColumn + kSideGap;
  QRect area = rect().adjusted(left, 0, -1, -1);
  if (square_) area.setSize(QSize(1, 1) * std::min(area.width(), area.height()));
  return area;
}

QRect MatrixView::column_rect() const {
  const QRect matrix = matrix_rect();
  return {0, matrix.top(), kSideColumn, matrix.height()};
}

std::optional<MatrixView::Cell> MatrixView::cell_at(const QPoint& pixel) const {
  const QRect matrix = matrix_rect();
  if (side_ == 0 || matrix.isEmpty()) return std::nullopt;
  const auto row = (pixel.y() - matrix.top()) * side_ / matrix.height();
  if (!column_image_.isNull() && column_rect().contains(pixel)) return Cell{row, -1};
  if (!matrix.contains(pixel)) return std::nullopt;
  const Cell cell{row, (pixel.x() - matrix.left()) * side_ / matrix.width()};
  if (lower_ && cell.column > cell.row) return std::nullopt;
  return cell;
}

QPoint MatrixView::middle_of(const Cell& cell) const {
  const QRect matrix = matrix_rect();
  if (side_ == 0) return matrix.center();
  const auto along = [&](int64_t i, int from, int length) {
    return from + int((2 * i + 1) * length / (2 * side_));
  };
  return {cell.column < 0 ? column_rect().center().x()
                          : along(cell.column, matrix.left(), matrix.width()),
          along(cell.row, matrix.top(), matrix.height())};
}

void MatrixView::mark(std::optional<int64_t> index) {
  if (marked_ == index) return;
  marked_ = index;
  update();
}

const Tip* MatrixView::shown_tip() const {
  return tip_box_ != nullptr && !tip_box_->isHidden() ? &tip_box_->tip() : nullptr;
}

void MatrixView::point(std::optional<QPoint> pixel) {
  const std::optional<Cell> cell = pixel ? cell_at(*pixel) : std::nullopt;
  if (cell && tips_) {
    if (tip_box_ == nullptr) tip_box_ = new TipBox(window());
    tip_box_->set_theme(*theme_);
    tip_box_->show_tip(tips_(*cell), mapTo(window(), *pixel));
  } else if (tip_box_ != nullptr) {
    tip_box_->hide();
  }
  const auto column =
      cell && cell->column >= 0 ? std::optional(cell->column) : std::optional<int64_t>();
  if (column == pointed_) return;
  pointed_ = column;
  Q_EMIT pointed(column);
}

void MatrixView::mouseMoveEvent(QMouseEvent* event) { point(event->pos()); }
void MatrixView::leaveEvent(QEvent*) { point(std::nullopt); }

void MatrixView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  point(std::nullopt);
}

// What the marked token writes is its row, where it is read from later is its column.
void MatrixView::paint_marks(QPainter& painter, const QRect& area) const {
  if (!marked_ || *marked_ < 0 || *marked_ >= side_) return;
  const QPoint at = middle_of({*marked_, *marked_});
  painter.setPen(QPen(theme_->cursor, 1));
  painter.drawLine(column_image_.isNull() ? area.left() : 0, at.y(), lower_ ? at.x() : area.right(),
                   at.y());
  painter.drawLine(at.x(), lower_ ? at.y() : area.top(), at.x(), area.bottom());
}

void MatrixView::paintEvent(QPaintEvent*) {
  if (image_.isNull()) return;
  QPainter painter(this);
  const QRect area = matrix_rect();
  // Enlarged, a cell keeps its edges; shrunk, the cells that share a pixel are averaged.
  painter.setRenderHint(QPainter::SmoothPixmapTransform, area.width() < side_);
  const auto scaled = [&](const QImage& image, const QRect& into) {
    const bool shrink = into.height() < image.height();
    painter.drawImage(into, shrink ? image.scaled(into.size(), Qt::IgnoreAspectRatio,
                                                  Qt::SmoothTransformation)
                                   : image);
  };
  scaled(image_, area);
  if (!column_image_.isNull()) scaled(column_image_, column_rect());
  paint_marks(painter, area);
  painter.setPen(theme_->border);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(area.adjusted(0, 0, -1, -1));
  if (!column_image_.isNull()) painter.drawRect(column_rect().adjusted(0, 0, -1, -1));
}

SignedBar::SignedBar(QWidget* parent) : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  set_text(this, TextSize::kSmall);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

void SignedBar::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void SignedBar::set_scale(const SignedScale& scale) {
  scale_ = scale;
  updateGeometry();
  update();
}

QSize SignedBar::sizeHint() const {
  int widest = 0;
  for (const double value : {scale_.limit, scale_.limit / 4}) {
    const QString text = QChar(u'−') + bar_number(value);
    widest = std::max(widest, fontMetrics().horizontalAdvance(text));
  }
  return {kBar + kBarSpace + widest + 1, 80};
}

void SignedBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRect bar(0, kBarEnd, kBar, height() - 2 * kBarEnd);
  QLinearGradient colors(bar.topLeft(), bar.bottomLeft());
  colors.setColorAt(0, signed_color(1, *theme_));
  colors.setColorAt(0.5, signed_color(0, *theme_));
  colors.setColorAt(1, signed_color(-1, *theme_));
  painter.fillRect(bar, colors);
  painter.setPen(theme_->border);
  painter.drawRect(bar.adjusted(0, 0, -1, -1));
  painter.setPen(theme_->muted);
  const int line = fontMetrics().height();
  const auto label = [&](int y, const QString& text) {
    painter.drawText(QRect(kBar + kBarSpace, y - line / 2, width(), line),
                     Qt::AlignVCenter | Qt::AlignLeft, text);
  };
  label(bar.top(), bar_number(scale_.limit));
  label(bar.center().y(), QStringLiteral("0"));
  label(bar.bottom(), QChar(u'−') + bar_number(scale_.limit));
  // The square root puts a quarter of the limit half-way.
  if (scale_.root && bar.height() > 5 * line) {
    label(bar.top() + bar.height() / 4, bar_number(scale_.limit / 4));
    label(bar.bottom() - bar.height() / 4, QChar(u'−') + bar_number(scale_.limit / 4));
  }
}

}  // namespace farstate::desktop
