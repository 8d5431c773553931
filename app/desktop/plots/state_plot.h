// SPDX-License-Identifier: GPL-3.0-or-later
// What the map and the lines of the state share: the rows, and the head in focus, which a click and
// the arrow keys choose.
#pragma once

#include <memory>

#include "app/desktop/plots/position_plot.h"
#include "app/desktop/plots/state_rows.h"

namespace farstate::desktop {

class StatePlot : public PositionPlot {
  Q_OBJECT
 public:
  explicit StatePlot(QWidget* parent = nullptr);

  void set_picture(std::shared_ptr<const StatePicture> picture);
  void show_head(HeadIndex head);

  QString title() const override;
  DataTable numbers() const override;

  const StatePicture& picture() const { return *picture_; }
  const std::vector<StateRow>& rows() const { return picture_->rows; }

 Q_SIGNALS:
  void head_wanted(farstate::HeadIndex head);

 protected:
  virtual void picture_changed() = 0;
  virtual void head_changed() = 0;
  // The row that a click on the pixel means; null: none.
  virtual const StateRow* row_at(const QPoint& pixel) const = 0;
  virtual bool is_shown(const StateRow&) const { return true; }

  void clicked(const QPoint& pixel, Qt::KeyboardModifiers modifiers) override;
  void double_clicked(const QPoint& pixel) override;
  void keyPressEvent(QKeyEvent* event) override;

  HeadIndex head() const { return head_; }
  const StateRow* focus_row() const;
  QString placeholder() const;
  // From the first to the last measured position; while measuring, to where it will end.
  std::optional<Extent> reach() const;

 private:
  void step_head(int64_t by);
  void step_layer(int by);

  std::shared_ptr<const StatePicture> picture_;
  HeadIndex head_;
  std::optional<HeadIndex> head_before_click_;
};

// The values of a row in one of its bins.
Tip tip_of(const StatePicture& picture, const StateRow& row, size_t bin);

}  // namespace farstate::desktop
