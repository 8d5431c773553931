// SPDX-License-Identifier: GPL-3.0-or-later
// A matrix of signed numbers as a picture: one end of the colours for positive values, the other
// for negative ones, the ground for zero. Drawn as one image, whatever its size.
#pragma once

#include <QImage>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "app/desktop/plots/tip_box.h"

namespace farstate::desktop {

// How values become colours, between -limit and limit. Where few values are large, the square root
// keeps the others visible.
struct SignedScale {
  double limit = 1;
  bool root = false;

  double strength(double value) const;  // -1 to 1
};

QColor signed_color(double strength, const Theme& theme);

class MatrixView : public QWidget {
  Q_OBJECT
 public:
  struct Cell {
    int64_t row = 0, column = 0;  // column -1: the one at the side
    bool operator==(const Cell&) const = default;
  };
  explicit MatrixView(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  // side x side values, row by row; fewer values: nothing to draw.
  void set_matrix(int64_t side, std::vector<float> values, const SignedScale& scale);
  // A column of shares from 0 to 1 at the left of the matrix, one per row; empty: none.
  void set_side_column(std::vector<float> shares);
  void set_lower_triangle(bool lower);  // what is above the diagonal is no part of the matrix
  void set_square(bool square) { square_ = square; }
  void set_tips(std::function<Tip(const Cell&)> tips) { tips_ = std::move(tips); }
  void mark(std::optional<int64_t> index);  // its row and column

  int64_t side() const { return side_; }
  std::optional<Cell> cell_at(const QPoint& pixel) const;
  QPoint middle_of(const Cell& cell) const;
  const Tip* shown_tip() const;  // null: none
  QSize minimumSizeHint() const override { return {80, 80}; }

 Q_SIGNALS:
  void pointed(std::optional<int64_t> column);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QRect matrix_rect() const;
  QRect column_rect() const;
  void make_images();
  void point(std::optional<QPoint> pixel);
  void paint_marks(QPainter& painter, const QRect& area) const;

  const Theme* theme_;
  int64_t side_ = 0;
  std::vector<float> values_, shares_;
  SignedScale scale_;
  bool lower_ = false, square_ = true;
  std::function<Tip(const Cell&)> tips_;
  std::optional<int64_t> marked_, pointed_;
  QImage image_, column_image_;
  TipBox* tip_box_ = nullptr;  // of the window, made when first needed
};

// The legend of a MatrixView, upright: colours with the values at both ends and in the middle.
class SignedBar : public QWidget {
  Q_OBJECT
 public:
  explicit SignedBar(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void set_scale(const SignedScale& scale);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {sizeHint().width(), 40}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Theme* theme_;
  SignedScale scale_;
};

}  // namespace farstate::desktop
