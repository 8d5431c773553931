// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/state_map.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/desktop/plots/axis_ticker.h"
#include "app/desktop/plots/color_ramp.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"

namespace farstate::desktop {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kLeft = 100, kRight = 14;
constexpr int kScaleLabels = 34;  // right of the colour bar

const char* series_name(StateMap::Metric metric) {
  switch (metric) {
    case StateMap::Metric::kStd:
      return "state_std";
    case StateMap::Metric::kMax:
      return "state_max";
    case StateMap::Metric::kNorm:
      break;
  }
  return "state_norm";
}

// Bins as measured; without them, each sample reaches half way, in octaves, to its neighbours.
void set_bins(StateMap::Row& row, const Series& series) {
  const size_t count = row.x.size();
  if (series.bin_begin.size() >= count && series.bin_end.size() >= count) {
    row.begin.assign(series.bin_begin.begin(), series.bin_begin.begin() + count);
    row.end.assign(series.bin_end.begin(), series.bin_end.begin() + count);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    row.begin.push_back(i == 0 ? row.x[i] : std::sqrt(row.x[i - 1] * row.x[i]));
    row.end.push_back(i + 1 == count ? row.x[i] : std::sqrt(row.x[i] * row.x[i + 1]));
  }
}

std::optional<size_t> bin_of(const StateMap::Row& row, double position) {
  const auto above = std::upper_bound(row.begin.begin(), row.begin.end(), position);
  if (above == row.begin.begin()) return std::nullopt;
  const auto index = static_cast<size_t>(above - row.begin.begin()) - 1;
  if (position < row.end[index]) return index;
  return std::nullopt;
}

void set_ratios(StateMap::Row& row, int64_t position) {
  const auto t = static_cast<double>(position);
  const auto reference =
      bin_of(row, t).has_value() ? bin_of(row, t) : nearest_sample(row.x, t, true);
  const double at_t = reference ? row.value[*reference] : kNaN;
  for (const double value : row.value) {
    const double ratio = value / at_t;
    row.ratio.push_back(std::isfinite(ratio) && ratio > 0 ? ratio : kNaN);
  }
}

}  // namespace

std::vector<StateMap::Row> state_rows(const std::vector<Series>& series, const std::string& name,
                                      int64_t reference) {
  std::vector<StateMap::Row> rows;
  for (const Series& s : series) {
    if (s.name != name || !s.layer || !s.head) continue;
    StateMap::Row row;
    row.layer = *s.layer;
    row.head = *s.head;
    const size_t count = std::min(s.x.size(), s.y.size());
    row.x.assign(s.x.begin(), s.x.begin() + count);
    row.value.assign(s.y.begin(), s.y.begin() + count);
    set_bins(row, s);
    set_ratios(row, reference);
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::pair(a.layer, a.head) < std::pair(b.layer, b.head);
  });
  return rows;
}

// Paints the rows as one image, a pixel column at a time: the cost depends on the size of the
// window and not on the number of heads times positions.
class StateRaster : public QCPAbstractPlottable {
 public:
  StateRaster(QCPAxis* x, QCPAxis* y) : QCPAbstractPlottable(x, y) { removeFromLegend(); }

  void set(const std::vector<StateMap::Row>* rows, bool sweeping, double expected_length) {
    rows_ = rows;
    sweeping_ = sweeping;
    expected_length_ = expected_length;
  }
  void set_colors(const QColor& gap, const QColor& hatch, const QColor& note) {
    gap_ = gap;
    hatch_ = hatch;
    note_ = note;
  }
  void set_scale(QCPColorScale* scale) { scale_ = scale; }

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
  QCPRange getKeyRange(bool& found, QCP::SignDomain) const override {
    found = false;
    return {};
  }
  QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override {
    found = false;
    return {};
  }

 protected:
  void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

  void draw(QCPPainter* painter) override {
    if (rows_ == nullptr || rows_->empty()) return;
    const QRect area = clipRect();
    if (area.isEmpty()) return;
    painter->save();
    painter->setAntialiasing(false);
    painter->setPen(Qt::NoPen);
    painter->setBrush(QBrush(hatch_, Qt::BDiagPattern));
    painter->drawRect(area);
    const QImage image = colored(area);
    // Row i of the image is row i from the top.
    painter->drawImage(QRectF(area), image, QRectF(image.rect()));
    draw_gaps(painter, area);
    painter->restore();
    if (sweeping_) draw_note(painter, area);
  }

 private:
  QImage colored(const QRect& area) const {
    const auto columns = static_cast<size_t>(area.width());
    std::vector<double> positions(columns);
    for (size_t i = 0; i < columns; ++i) {
      positions[i] = mKeyAxis->pixelToCoord(area.left() + static_cast<double>(i) + 0.5);
    }
    const size_t lines = std::min(rows_->size(), static_cast<size_t>(area.height()));
    QImage image(area.width(), static_cast<int>(lines), QImage::Format_ARGB32_Premultiplied);
    QCPColorGradient gradient = scale_->gradient();
    std::vector<double> line(columns);
    for (size_t l = 0; l < lines; ++l) {
      std::fill(line.begin(), line.end(), kNaN);
      const size_t end = (l + 1) * rows_->size() / lines;
      for (size_t r = l * rows_->size() / lines; r < end; ++r) {
        raise_to((*rows_)[r], positions, line);
      }
      gradient.colorize(line.data(), scale_->dataRange(),
                        reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(l))), area.width(),
                        1, true);
    }
    return image;
  }

  // Positions rise, and so do the bins: one walk along both.
  static void raise_to(const StateMap::Row& row, const std::vector<double>& positions,
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
    const double height = static_cast<double>(area.height()) / static_cast<double>(rows_->size());
    const auto layers = static_cast<double>(rows_->back().layer - rows_->front().layer + 1);
    const double heads = static_cast<double>(rows_->size()) / layers;
    painter->setPen(QPen(gap_, 1));
    for (size_t r = 1; r < rows_->size(); ++r) {
      const bool layer_begins = (*rows_)[r].layer != (*rows_)[r - 1].layer;
      if (height < 8 && (!layer_begins || height * heads < 14)) continue;
      const int y = area.top() + static_cast<int>(std::lround(height * static_cast<double>(r)));
      painter->drawLine(QLineF(area.left(), y, area.right() + 1, y));
      if (layer_begins && height >= 8) {
        painter->drawLine(QLineF(area.left(), y + 1, area.right() + 1, y + 1));
      }
    }
  }

  void draw_note(QCPPainter* painter, const QRect& area) const {
    double measured = 0;
    for (const StateMap::Row& row : *rows_) {
      if (!row.end.empty()) measured = std::max(measured, row.end.back());
    }
    const int left = static_cast<int>(mKeyAxis->coordToPixel(std::max(measured, 1.0)));
    const QRect rest(QPoint(std::max(left, area.left()), area.top()), area.bottomRight());
    const QString text = QCoreApplication::translate("StateMap", "measuring…");
    painter->setFont(text_font(TextSize::kSmall));
    if (expected_length_ <= measured ||
        rest.width() < painter->fontMetrics().horizontalAdvance(text) + 8) {
      return;
    }
    painter->setPen(note_);
    painter->drawText(rest, Qt::AlignCenter, text);
  }

  const std::vector<StateMap::Row>* rows_ = nullptr;
  QCPColorScale* scale_ = nullptr;
  QColor gap_, hatch_, note_;
  double expected_length_ = 0;
  bool sweeping_ = false;
};

StateMap::StateMap(QWidget* parent) : PositionPlot(parent) {
  setAccessibleName(tr("State of every head over position"));
  set_zoomable(Qt::Horizontal);
  canvas()->yAxis->setRangeReversed(true);  // layer 0 on top
  canvas()->yAxis->grid()->setVisible(false);
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
  if (scale_ != nullptr) scale_->setMargins(QMargins(0, kTop, kScaleLabels, bottom));
}

void StateMap::set_measurement(const Measurement* measurement, int64_t trained_context,
                               int64_t reference) {
  series_.clear();
  complete_ = measurement == nullptr || measurement->complete;
  expected_length_ = 0;
  if (measurement != nullptr) {
    for (const Series& s : measurement->series) {
      if (s.layer && s.head) series_.push_back(s);
    }
    expected_length_ = static_cast<double>(measurement->recipe.measure.length);
  }
  reference_ = trained_context > 0 ? trained_context : reference;
  set_trained_context(trained_context);
  Q_EMIT dirtied();
}

void StateMap::set_metric(Metric metric) {
  metric_ = metric;
  Q_EMIT dirtied();
}

void StateMap::rebuild() {
  rows_ = state_rows(series_, series_name(metric_), reference_);
  raster_->set(&rows_, !complete_, expected_length_);
  std::optional<Extent> x;
  for (const Row& row : rows_) {
    if (row.begin.empty()) continue;
    x = united(x, Extent{std::max(row.begin.front(), 1.0), row.end.back()});
  }
  if (x && !complete_) x->high = std::max(x->high, expected_length_);
  set_placeholder(rows_.empty() ? tr("Not measured yet.") : QString());
  show_scale(!rows_.empty());
  set_home(x && x->low < x->high ? *x : Extent{1, 4096},
           {0, std::max(1.0, static_cast<double>(rows_.size()))});
  label_rows();
  scale_colors();
}

// Every row has its name where there is room; else every layer, or every other one.
void StateMap::label_rows() {
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  const double space = QFontMetrics(text_font(TextSize::kSmall)).height() * 0.95;
  const double height = rows_.empty() ? 0 : plot_area().height() / double(rows_.size());
  double last = -1e9;
  for (size_t r = 0; r < rows_.size(); ++r) {
    const bool every_row = height >= space;
    const bool first_of_layer = r == 0 || rows_[r].layer != rows_[r - 1].layer;
    if (!every_row && !first_of_layer) continue;
    size_t end = r + 1;
    while (!every_row && end < rows_.size() && rows_[end].layer == rows_[r].layer) ++end;
    const double middle = (static_cast<double>(r) + static_cast<double>(end)) / 2;
    if ((middle - last) * height < space) continue;
    last = middle;
    ticker->addTick(middle, every_row
                                ? tr("layer %1, head %2").arg(rows_[r].layer).arg(rows_[r].head)
                                : tr("layer %1").arg(rows_[r].layer));
  }
  y_axis()->setTicker(ticker);
}

// The bar spans what is there, at least a factor of two around 1 and at most 64. The first
// positions, where every state rises from nothing, would use up the colours that the rest needs:
// they take the darkest one.
void StateMap::scale_colors() {
  const double from = static_cast<double>(reference_) / 16;
  double low = 1, high = 1;
  for (const Row& row : rows_) {
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
  set_limit_color(Qt::white);
  raster_->set_colors(theme().surface, theme().hatch, theme().muted);
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

const StateMap::Row* StateMap::row_at(int pixel_y) const {
  const QRect area = plot_area();
  if (rows_.empty() || !area.isValid()) return nullptr;
  const auto row = static_cast<int64_t>(rows_.size()) * (pixel_y - area.top()) / area.height();
  return &rows_[static_cast<size_t>(
      std::clamp<int64_t>(row, 0, static_cast<int64_t>(rows_.size()) - 1))];
}

std::optional<double> StateMap::snapped_x(const QPoint& pixel) const {
  const Row* row = row_at(pixel.y());
  const auto bin = row != nullptr ? bin_of(*row, to_x(pixel.x())) : std::nullopt;
  return bin ? std::optional(row->x[*bin]) : std::nullopt;
}

std::optional<Tip> StateMap::tip_at(const QPoint& pixel) {
  const Row* row = row_at(pixel.y());
  const auto bin = row != nullptr ? bin_of(*row, to_x(pixel.x())) : std::nullopt;
  if (!bin) return std::nullopt;
  const QString what = metric_ == Metric::kNorm  ? tr("norm")
                       : metric_ == Metric::kStd ? tr("std")
                                                 : tr("largest |h|");
  return Tip{tr("position %1").arg(QLocale().toString(std::llround(row->x[*bin]))),
             {{std::nullopt, tr("layer %1, head %2").arg(row->layer).arg(row->head),
               tr("%1 %2").arg(what, value_text(row->value[*bin]))},
              {std::nullopt, trained_context() > 0
                   ? tr("of its value at T")
                   : tr("of its value at %1").arg(QLocale().toString(qint64(reference_))),
               std::isnan(row->ratio[*bin]) ? tr("unknown")
                                            : tr("%1×").arg(value_text(row->ratio[*bin]))}}};
}

}  // namespace farstate::desktop
