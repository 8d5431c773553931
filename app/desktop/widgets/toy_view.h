// SPDX-License-Identifier: GPL-3.0-or-later
// The plane of the toy's two numbers: where training has been, where texts have come so far, and
// where they are now.
#pragma once

#include <QWidget>
#include <memory>

#include "app/desktop/models/toy_state.h"

namespace farstate::desktop {

struct Theme;

class ToyView : public QWidget {
  Q_OBJECT
 public:
  explicit ToyView(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void set_trained(const ToyGrid& grid, const QColor& color);
  void set_texts(std::shared_ptr<const std::vector<std::vector<ToyPoint>>> texts);
  void set_tokens(int64_t tokens);  // read of each text

  QSize sizeHint() const override { return {460, 420}; }
  QSize minimumSizeHint() const override { return {220, 200}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QRectF plane() const;
  void paint_cells(QPainter& painter, const QRectF& plane) const;
  void paint_texts(QPainter& painter, const QRectF& plane) const;

  const Theme* theme_;
  ToyGrid trained_{1}, reached_{1};
  QColor color_;
  std::shared_ptr<const std::vector<std::vector<ToyPoint>>> texts_;
  int64_t tokens_ = 0;
};

}  // namespace farstate::desktop
