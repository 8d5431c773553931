// SPDX-License-Identifier: GPL-3.0-or-later
// The share of right answers by depth and length, one cell for each. What a colour says stands in
// the cell as a number where there is room; a cell that was not scored is hatched.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "app/desktop/models/score_book.h"
#include "app/desktop/plots/tip_box.h"

namespace farstate::desktop {

QColor share_color(double share);  // of the maps

class AccuracyMap : public QWidget {
  Q_OBJECT
 public:
  struct Content {
    std::vector<int64_t> lengths;  // rising
    std::vector<double> depths;    // rising
    std::vector<ScorePoint> points;
    int64_t context = 0;   // T, marked between the lengths; 0: not known
    bool digitised = false;  // read off a figure: no trials are known
  };
  struct Place {
    int row = 0, column = 0;
    bool operator==(const Place&) const = default;
  };
  explicit AccuracyMap(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_content(Content content);
  const Content& content() const { return content_; }

  const ScorePoint* point_at(const Place& place) const;  // null: not scored
  QString text_at(const Place& place) const;  // as it stands in the cell; empty: no room, or nothing
  Tip tip_at(const Place& place) const;
  std::optional<Place> place_at(const QPoint& pixel) const;
  QRect rect_of(const Place& place) const;
  std::optional<int> context_line() const;  // where T lies between the columns, in pixels

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QRect cells_rect() const;
  void point(std::optional<QPoint> pixel);
  void paint_cell(QPainter& painter, const Place& place) const;
  void paint_labels(QPainter& painter) const;
  void paint_context(QPainter& painter) const;

  const Theme* theme_;
  Content content_;
  TipBox* tip_box_ = nullptr;  // of the window, made when first needed
};

}  // namespace farstate::desktop
