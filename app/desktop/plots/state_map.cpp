// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/state_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/desktop/head_name.h"
#include "app/desktop/plots/axis_ticker.h"
#include "app/desktop/plots/color_ramp.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/raster.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/text_room.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kLeft = 114, kRight = 14;
constexpr int kScaleLabels = 34;  // right of the colour bar

double name_height() { return QFontMetrics(text_font(TextSize::kSmall)).height() * 0.95; }

}  // namespace

// Paints the rows as one image, a pixel column at a time: the cost depends on the size of the
// window and not on the number of heads times positions.
class StateRaster : public Raster {
 public:
  using Raster::Raster;

  void set(const StatePicture* picture) { picture_ = picture; }
  void set_colors(const QColor& gap, const QColor& hatch, const QColor& note) {
    gap_ = gap;
    hatch_ = hatch;
    note_ = note;
  }
  void set_scale(QCPColorScale* scale) { scale_ = scale; }

 protected:
  void draw(QCPPainter* painter) override {
    if (picture_ == nullptr || rows().empty()) return;
    const QRect area = clipRect();
    if (area.isEmpty()) return;
    painter->save();
    draw_image(painter, area, hatch_, colored(area));
    draw_gaps(painter, area);
    painter->restore();
    draw_rest(painter, area);
  }

 private:
  const std::vector<StateRow>& rows() const { return picture_->rows; }

  QImage colored(const QRect& area) const {
    const auto columns = static_cast<size_t>(area.width());
    std::vector<double> positions(columns);
    for (size_t i = 0; i < columns; ++i) {
      positions[i] = mKeyAxis->pixelToCoord(area.left() + static_cast<double>(i) + 0.5);
    }
    const size_t lines = std::min(rows().size(), static_cast<size_t>(area.height()));
    QImage image(area.width(), static_cast<int>(lines), QImage::Format_ARGB32_Premultiplied);
    QCPColorGradient gradient = scale_->gradient();
    std::vector<double> line(columns);
    for (size_t l = 0; l < lines; ++l) {
      std::fill(line.begin(), line.end(), kNaN);
      const size_t end = (l + 1) * rows().size() / lines;
      for (size_t r = l * rows().size() / lines; r < end; ++r) {
        raise_to(rows()[r], positions, line);
      }
      gradient.colorize(line.data(), scale_->dataRange(),
                        reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(l))), area.width(),
                        1, true);
    }
    return image;
  }

  // Positions rise, and so do the bins: one walk along both.
  static void raise_to(const StateRow& row, const std::vector<double>& positions,
                       std::vector<double>& line) {
    size_t bin = 0;
    for (size_t i = 0; i < positions.size(); ++i) {
      while (bin < row.end.size() && positions[i] >= row.end[bin]) ++bin;
      if (bin == row.end.size()) return;
      if (positions[i] >= row.begin[bin]) line[i] = std::fmax(line[i], row.ratio[bin]);
    }
  }

  // Thin lines between rows, where these are high enough to spare a pixel.
  void draw_gaps(QCPPainter* painter, const QRect& area) const {
    const double height = static_cast<double>(area.height()) / static_cast<double>(rows().size());
    const auto layers = static_cast<double>(rows().back().layer - rows().front().layer + 1);
    const double heads = static_cast<double>(rows().size()) / layers;
    painter->setPen(QPen(gap_, 1));
    for (size_t r = 1; r < rows().size(); ++r) {
      const bool layer_begins = rows()[r].layer != rows()[r - 1].layer;
      if (height < 8 && (!layer_begins || height * heads < 14)) continue;
      const int y = area.top() + static_cast<int>(std::lround(height * static_cast<double>(r)));
      painter->drawLine(QLineF(area.left(), y, area.right() + 1, y));
      if (layer_begins && height >= 8) {
        painter->drawLine(QLineF(area.left(), y + 1, area.right() + 1, y + 1));
      }
    }
  }

  // Under a veil what an older measurement says, beyond what the new one has reached; and in words
  // where there is nothing yet.
  void draw_rest(QCPPainter* painter, const QRect& area) const {
    double measured = 1;
    for (const StateRow& row : rows()) {
      if (!row.end.empty()) measured = std::max(measured, row.end.back());
    }
    const int end = pixel_in(area, measured);
    if (picture_->front) {
      const int front = pixel_in(area, std::max(*picture_->front, 1.0));
      const QRect older(QPoint(front, area.top()), QPoint(end, area.bottom()));
      QColor veil = gap_;
      veil.setAlphaF(0.5F);
      painter->fillRect(older, veil);
      draw_words(painter, older,
                 picture_->recorded_beyond ? StateMap::tr("recorded")
                                           : StateMap::tr("earlier measurement"));
    }
    if (picture_->complete || picture_->length <= measured) return;
    draw_words(painter, QRect(QPoint(end, area.top()), area.bottomRight()),
               StateMap::tr("not measured yet"));
  }

  int pixel_in(const QRect& area, double position) const {
    const double pixel = mKeyAxis->coordToPixel(position);
    return static_cast<int>(std::clamp<double>(pixel, area.left(), area.right() + 1));
  }

  void draw_words(QCPPainter* painter, const QRect& area, const QString& words) const {
    painter->setFont(text_font(TextSize::kSmall));
    if (area.width() < painter->fontMetrics().horizontalAdvance(words) + 8) return;
    painter->setPen(note_);
    painter->drawText(area, Qt::AlignCenter, words);
  }

  const StatePicture* picture_ = nullptr;
  QCPColorScale* scale_ = nullptr;
  QColor gap_, hatch_, note_;
};

StateMap::StateMap(QWidget* parent) : StatePlot(parent) {
  worded(this, [this] { setAccessibleName(tr("State of every head over position")); });
  set_zoomable(Qt::Horizontal);
  canvas()->yAxis->setRangeReversed(true);  // layer 0 on top
  canvas()->yAxis->grid()->setVisible(false);
  canvas()->yAxis->setTickLabelPadding(9);  // beside the wedge at the row in focus
  canvas()->xAxis->grid()->setVisible(false);
  raster_ = new StateRaster(canvas()->xAxis, canvas()->yAxis);
  scale_ = new QCPColorScale(canvas());
  canvas()->plotLayout()->addElement(0, 1, scale_);
  canvas()->plotLayout()->setColumnSpacing(0);
  scale_->setType(QCPAxis::atRight);
  scale_->setAutoMargins(QCP::msNone);
  scale_->setMinimumSize(10, 10);
  scale_->setBarWidth(10);
  scale_->setRangeDrag(false);
  scale_->setRangeZoom(false);
  scale_->setDataScaleType(QCPAxis::stLogarithmic);
  scale_->setGradient(viridis());
  auto ticker = QSharedPointer<AxisTicker>::create(scale_->axis(), AxisKind::kOctaves);
  ticker->set_suffix(QStringLiteral("×"));
  scale_->axis()->setTicker(ticker);
  scale_->axis()->setTickLength(0, 0);
  scale_->axis()->setSubTicks(false);
  scale_->setDataRange(QCPRange(0.5, 4));
  raster_->set_scale(scale_);
  set_margins(kLeft, kRight);
}

void StateMap::bottom_changed(int bottom) {
  if (scale_ != nullptr) scale_->setMargins(QMargins(0, kTop, text_room(kScaleLabels), bottom));
}

void StateMap::picture_changed() {
  raster_->set(&picture());
  scale_colors();
}

void StateMap::rebuild() {
  set_placeholder(placeholder());
  show_scale(!rows().empty());
  set_home(reach().value_or(Extent{1, 4096}),
           {0, std::max(1.0, static_cast<double>(rows().size()))});
  label_rows();
}

// Every row has its name where there is room; else every layer, or every other one, but for those in
// whose place the head in focus has its name.
void StateMap::label_rows() {
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  const double space = name_height();
  const double height = rows().empty() ? 0 : plot_area().height() / double(rows().size());
  const std::optional<size_t> focus = picture().row_of(head());
  double last = -1e9;
  for (size_t r = 0; r < rows().size(); ++r) {
    const bool every_row = height >= space;
    const bool first_of_layer = r == 0 || rows()[r].layer != rows()[r - 1].layer;
    if (!every_row && !first_of_layer) continue;
    size_t end = r + 1;
    while (!every_row && end < rows().size() && rows()[end].layer == rows()[r].layer) ++end;
    const double middle = (static_cast<double>(r) + static_cast<double>(end)) / 2;
    if ((middle - last) * height < space) continue;
    if (!every_row && focus && std::abs(middle - (double(*focus) + 0.5)) * height < space) continue;
    last = middle;
    ticker->addTick(middle, every_row
                                ? head_name(rows()[r].index())
                                : tr("layer %1").arg(rows()[r].layer));
  }
  y_axis()->setTicker(ticker);
}

// The bar spans what is there, at least a factor of two around 1 and at most 64. The first
// positions, where every state rises from nothing, would use up the colours that the rest needs:
// they take the darkest one.
void StateMap::scale_colors() {
  const double from = static_cast<double>(picture().reference) / 16;
  double low = 1, high = 1;
  for (const StateRow& row : rows()) {
    for (size_t i = 0; i < row.ratio.size(); ++i) {
      if (std::isnan(row.ratio[i]) || row.x[i] < from) continue;
      low = std::min(low, row.ratio[i]);
      high = std::max(high, row.ratio[i]);
    }
  }
  low = std::exp2(std::clamp(std::floor(std::log2(low)), -6.0, -1.0));
  high = std::exp2(std::clamp(std::ceil(std::log2(high)), 1.0, 6.0));
  scale_->setDataRange(QCPRange(low, high));
}

void StateMap::recolor() {
  PositionPlot::recolor();
  set_line_colors(Qt::white, Qt::white);
  raster_->set_colors(theme().surface, theme().hatch, theme().text);
  QCPAxis* axis = scale_->axis();
  axis->setTickLabelColor(theme().muted);
  axis->setTickLabelFont(text_font(TextSize::kSmall));
  for (QCPAxis* side : canvas()->findChildren<QCPAxis*>()) {  // the bar's four and the plot's
    side->setBasePen(Qt::NoPen);
    side->setTickPen(Qt::NoPen);
  }
}

void StateMap::show_scale(bool shown) {
  scale_->setVisible(shown);
  for (QCPAxis* axis : canvas()->findChildren<QCPAxis*>()) {
    if (axis->axisRect() == scale_->axis()->axisRect()) axis->axisRect()->setVisible(shown);
  }
  scale_->axis()->setVisible(shown);
}

const StateRow* StateMap::row_at(const QPoint& pixel) const {
  const QRect area = plot_area();
  if (rows().empty() || !area.isValid()) return nullptr;
  const auto count = static_cast<int64_t>(rows().size());
  const int64_t row = count * (pixel.y() - area.top()) / area.height();
  return &rows()[static_cast<size_t>(std::clamp<int64_t>(row, 0, count - 1))];
}

QRect StateMap::row_rect(HeadIndex head) const {
  const std::optional<size_t> row = picture().row_of(head);
  const QRect area = plot_area();
  if (!row || !area.isValid()) return {};
  const auto count = static_cast<double>(rows().size());
  const auto edge = [&](double r) {
    return area.top() + static_cast<int>(std::lround(area.height() * r / count));
  };
  const int top = edge(static_cast<double>(*row)), bottom = edge(static_cast<double>(*row) + 1);
  return {area.left(), top, area.width(), std::max(1, bottom - top)};
}

void StateMap::placed() {
  PositionPlot::placed();
  mark_head();
}

void StateMap::head_changed() {
  mark_head();
  Q_EMIT dirtied();  // names of layers give way to that of the head
}

// In the margin the name stands only where the rows have none of their own.
void StateMap::mark_head() {
  QRect row = has_placeholder() ? QRect() : row_rect(head());
  if (cover()) row.setRight(std::min(row.right(), static_cast<int>(to_pixel(*cover()))));
  overlay()->set_row(row, row.height() >= name_height() ? QString() : head_name(head()));
}

std::optional<double> StateMap::snapped_x(const QPoint& pixel) const {
  const StateRow* row = row_at(pixel);
  const auto bin = row != nullptr ? bin_of(*row, to_x(pixel.x())) : std::nullopt;
  return bin ? std::optional(row->x[*bin]) : std::nullopt;
}

std::optional<Tip> StateMap::tip_at(const QPoint& pixel) {
  const StateRow* row = row_at(pixel);
  const auto bin = row != nullptr ? bin_of(*row, to_x(pixel.x())) : std::nullopt;
  if (!bin) return std::nullopt;
  return tip_of(picture(), *row, *bin);
}

}  // namespace farstate::desktop
