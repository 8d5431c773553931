// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "app/desktop/models/norm_history.h"
#include "app/desktop/plots/position_plot.h"
#include "core/results/state_report.h"

namespace farstate::desktop {

class NormRaster;

// The norm of every head's state after each token of a text that is being read or written: rows
// are heads, columns tokens. Where there are more rows or columns than pixels, a pixel shows the
// largest of its rows at the last of its tokens.
class NormMap : public PositionPlot {
  Q_OBJECT
 public:
  // What a norm is shown relative to, each head by itself.
  enum class Scale { kOfLargest, kOfPromptEnd };

  // The history outlives the map; changed() says when there is more in it.
  explicit NormMap(const NormHistory* history, QWidget* parent = nullptr);

  void set_shape(int64_t layers, int64_t heads_per_layer);
  void set_scale(Scale scale);
  Scale scale() const { return scale_; }
  void set_boundary(int64_t prompt_tokens);  // 0: none is marked
  void set_chosen(const std::vector<HeadIndex>& heads);
  void set_token_text(std::function<QString(int64_t position)> text) { token_text_ = text; }
  void changed() { Q_EMIT dirtied(); }

  // The value that the colours begin and end at, in the unit of the scale.
  Extent color_range() const { return colors_; }
  double canvas_x(double x) const { return to_pixel(x); }
  // By layer, then head; what clicking there would choose.
  std::optional<HeadIndex> head_at(int pixel_y) const;
  DataTable numbers() const override;

 Q_SIGNALS:
  void head_clicked(farstate::HeadIndex head);
  void colors_changed();

 protected:
  void rebuild() override;
  void recolor() override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;

 private:
  void label_rows();
  void fit_colors();
  const std::vector<float>& denominators() const;

  const NormHistory* history_;
  NormRaster* raster_;
  Scale scale_ = Scale::kOfLargest;
  Extent colors_{0, 1};
  int64_t layers_ = 0, heads_ = 0, boundary_ = 0;
  std::vector<HeadIndex> chosen_;
  std::function<QString(int64_t)> token_text_;
  std::optional<QPoint> pressed_;
};

}  // namespace farstate::desktop
