// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/norm_map.h"

#include <QLocale>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/desktop/plots/axis_ticker.h"
#include "app/desktop/plots/color_ramp.h"
#include "app/desktop/plots/raster.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kLeft = 92, kRight = 12;
constexpr int kClickSlack = 3;  // pixels that a click may move
constexpr int kChosenBar = 5;

// Token p, the p-th that was read, takes the axis from p - 1 to p.
int64_t position_at(double x) { return static_cast<int64_t>(std::floor(x)) + 1; }

// First row of line l of `lines`.
size_t first_row(size_t l, size_t lines, size_t rows) { return l * rows / lines; }

}  // namespace

// One image, a column of pixels at a time: the cost depends on the size of the window and on the
// number of heads, and not on the number of tokens.
class NormRaster : public Raster {
 public:
  NormRaster(QCPAxis* x, QCPAxis* y) : Raster(x, y), gradient_(viridis()) {}

  struct Look {
    QColor gap, hatch, boundary, chosen;
  };
  struct Content {
    const NormHistory* history = nullptr;
    std::vector<float> factors;  // per head, from its norm to what is shown; 0: not known
    Extent colors;
    bool log = false;
    int64_t heads_per_layer = 1, boundary = 0;
    const std::vector<HeadIndex>* chosen = nullptr;
  };
  void set_look(const Look& look) { look_ = look; }
  void set_content(Content content) { content_ = std::move(content); }

 protected:
  void draw(QCPPainter* painter) override {
    const QRect area = clipRect();
    if (content_.history == nullptr || content_.history->columns() == 0 || area.isEmpty()) return;
    painter->save();
    draw_image(painter, area, look_.hatch, colored(area));
    draw_gaps(painter, area);
    draw_chosen(painter, area);
    draw_boundary(painter, area);
    painter->restore();
  }

 private:
  QImage colored(const QRect& area) {
    const NormHistory& history = *content_.history;
    const auto width = static_cast<size_t>(area.width());
    const size_t lines = std::min(history.heads(), static_cast<size_t>(area.height()));
    std::vector<double> values(width * lines, kNaN);  // [lines, width]
    for (size_t x = 0; x < width; ++x) {
      const double right = mKeyAxis->pixelToCoord(area.left() + static_cast<double>(x) + 1);
      const double left = mKeyAxis->pixelToCoord(area.left() + static_cast<double>(x));
      // The last token of the pixel; a token wider than pixels is the one that it is in.
      const int64_t position = std::max(position_at(left), static_cast<int64_t>(std::floor(right)));
      if (const auto column = history.column_of(position)) {
        fill(history.norms(*column), lines, width, &values[x]);
      }
    }
    QImage image(area.width(), static_cast<int>(lines), QImage::Format_ARGB32_Premultiplied);
    const QCPRange range(content_.colors.low, content_.colors.high);
    for (size_t l = 0; l < lines; ++l) {
      gradient_.colorize(&values[l * width], range,
                         reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(l))),
                         area.width(), 1, content_.log);
    }
    return image;
  }

  void fill(std::span<const float> norms, size_t lines, size_t step, double* out) const {
    for (size_t l = 0; l < lines; ++l, out += step) {
      float most = -1;  // what is not a number is larger than nothing
      const size_t end = first_row(l + 1, lines, norms.size());
      for (size_t h = first_row(l, lines, norms.size()); h < end; ++h) {
        const float value = norms[h] * content_.factors[h];
        most = value > most ? value : most;
      }
      if (most < 0) continue;
      // A log scale has no place for zero, a state that was set to nothing: its darkest colour.
      *out = content_.log && most <= 0 ? content_.colors.low : static_cast<double>(most);
    }
  }

  void draw_gaps(QCPPainter* painter, const QRect& area) const {
    const auto rows = static_cast<int64_t>(content_.history->heads());
    const double height = static_cast<double>(area.height()) / static_cast<double>(rows);
    painter->setPen(QPen(look_.gap, 1));
    const int64_t step = height >= 8 ? 1 : content_.heads_per_layer;
    if (height * static_cast<double>(step) < 8) return;
    for (int64_t row = step; row < rows; row += step) {
      const int y = area.top() + static_cast<int>(std::lround(height * static_cast<double>(row)));
      painter->drawLine(QLineF(area.left(), y, area.right() + 1, y));
      if (height >= 8 && row % content_.heads_per_layer == 0) {
        painter->drawLine(QLineF(area.left(), y + 1, area.right() + 1, y + 1));
      }
    }
  }

  void draw_chosen(QCPPainter* painter, const QRect& area) const {
    const double height =
        static_cast<double>(area.height()) / static_cast<double>(content_.history->heads());
    for (const HeadIndex& head : *content_.chosen) {
      const double row = static_cast<double>(head.layer * content_.heads_per_layer + head.head);
      const QRectF bar(area.left(), area.top() + row * height, kChosenBar,
                       std::max(1.0, height - (height >= 8 ? 1 : 0)));
      painter->fillRect(bar.adjusted(0, 0, 2, 0), look_.gap);
      painter->fillRect(bar, look_.chosen);
    }
  }

  void draw_boundary(QCPPainter* painter, const QRect& area) const {
    if (content_.boundary <= 0) return;
    const double x = std::round(mKeyAxis->coordToPixel(static_cast<double>(content_.boundary)));
    if (x < area.left() || x > area.right()) return;
    painter->fillRect(QRectF(x - 1, area.top(), 2, area.height()), look_.boundary);
  }

  QCPColorGradient gradient_;
  Look look_;
  Content content_;
};

NormMap::NormMap(const NormHistory* history, QWidget* parent)
    : PositionPlot(parent), history_(history) {
  worded(this, [this] { setAccessibleName(tr("State of every head after each token")); });
  set_axis(x_axis(), AxisKind::kLinear, [] { return tr("tokens read"); });
  set_zoomable(Qt::Horizontal);
  y_axis()->setRangeReversed(true);  // layer 0 on top
  y_axis()->grid()->setVisible(false);
  x_axis()->grid()->setVisible(false);
  raster_ = new NormRaster(x_axis(), y_axis());
  set_margins(kLeft, kRight);
  connect(canvas(), &QCustomPlot::mousePress, this,
          [this](QMouseEvent* event) { pressed_ = event->pos(); });
  connect(canvas(), &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    const bool click = pressed_ && event->button() == Qt::LeftButton &&
                       (event->pos() - *pressed_).manhattanLength() <= kClickSlack;
    pressed_.reset();
    const auto head = head_at(event->pos().y());
    if (click && head && event->pos().x() < plot_area().right()) Q_EMIT head_clicked(*head);
  });
}

void NormMap::set_shape(int64_t layers, int64_t heads_per_layer) {
  layers_ = layers;
  heads_ = heads_per_layer;
  Q_EMIT dirtied();
}

void NormMap::set_scale(Scale scale) {
  scale_ = scale;
  fit_colors();
  Q_EMIT dirtied();
}

void NormMap::set_boundary(int64_t prompt_tokens) {
  if (boundary_ == prompt_tokens) return;
  boundary_ = prompt_tokens;
  Q_EMIT dirtied();
}

void NormMap::set_chosen(const std::vector<HeadIndex>& heads) {
  chosen_ = heads;
  Q_EMIT dirtied();
}

const std::vector<float>& NormMap::denominators() const {
  return scale_ == Scale::kOfLargest ? history_->largest() : history_->reference();
}

void NormMap::rebuild() {
  const bool shown = history_->columns() > 0 && layers_ * heads_ > 0 &&
                     history_->heads() == static_cast<size_t>(layers_ * heads_);
  set_placeholder(shown ? QString() : tr("No state yet: it is drawn as the text is read."));
  fit_colors();
  std::vector<float> factors;
  for (const float whole : denominators()) factors.push_back(whole > 0 ? 1 / whole : 0);
  raster_->set_content({.history = shown ? history_ : nullptr,
                        .factors = std::move(factors),
                        .colors = colors_,
                        .log = scale_ == Scale::kOfPromptEnd,
                        .heads_per_layer = std::max<int64_t>(heads_, 1),
                        .boundary = boundary_,
                        .chosen = &chosen_});
  const double end = shown ? static_cast<double>(history_->position(history_->columns() - 1)) : 1;
  set_home({0, std::max(end, 16.0)}, {0, std::max(1.0, static_cast<double>(layers_ * heads_))});
  label_rows();
}

// Relative to the prompt's end the colours reach as far as the heads have gone, by factors of two,
// at least one and at most six of them.
void NormMap::fit_colors() {
  Extent colors{0, 1};
  if (scale_ == Scale::kOfPromptEnd) {
    double most = 2;
    const std::vector<float>&largest = history_->largest(), &reference = history_->reference();
    for (size_t h = 0; h < reference.size(); ++h) {
      if (reference[h] > 0) most = std::max(most, static_cast<double>(largest[h] / reference[h]));
    }
    const double octaves = std::clamp(std::ceil(std::log2(most) - 1e-6), 1.0, 6.0);
    colors = {std::exp2(-octaves), std::exp2(octaves)};
  }
  if (colors == colors_) return;
  colors_ = colors;
  Q_EMIT colors_changed();
}

// Every row has its name where there is room; else every layer, or every other one.
void NormMap::label_rows() {
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  const double space = QFontMetrics(text_font(TextSize::kSmall)).height() * 0.95;
  const int64_t rows = layers_ * heads_;
  const double height = rows > 0 ? plot_area().height() / static_cast<double>(rows) : 0;
  const bool every_row = height >= space;
  const int64_t step = every_row ? 1 : heads_;
  double last = -1e9;
  for (int64_t row = 0; row < rows; row += step) {
    const double middle = static_cast<double>(row) + static_cast<double>(step) / 2;
    if ((middle - last) * height < space) continue;
    last = middle;
    ticker->addTick(middle, every_row
                                ? tr("layer %1, head %2").arg(row / heads_).arg(row % heads_)
                                : tr("layer %1").arg(row / heads_));
  }
  y_axis()->setTicker(ticker);
}

void NormMap::recolor() {
  PositionPlot::recolor();
  set_line_colors(Qt::white, Qt::white);
  raster_->set_look({theme().surface, theme().hatch, theme().surface, theme().accent});
}

std::optional<HeadIndex> NormMap::head_at(int pixel_y) const {
  const QRect area = plot_area();
  const int64_t rows = layers_ * heads_;
  if (rows == 0 || pixel_y < area.top() || pixel_y > area.bottom()) return std::nullopt;
  const int64_t row = std::min(rows * (pixel_y - area.top()) / area.height(), rows - 1);
  return HeadIndex{row / heads_, row % heads_};
}

std::optional<double> NormMap::snapped_x(const QPoint& pixel) const {
  const int64_t position = position_at(to_x(pixel.x()));
  if (!history_->column_of(position)) return std::nullopt;
  return static_cast<double>(position) - 0.5;
}

std::optional<Tip> NormMap::tip_at(const QPoint& pixel) {
  const int64_t position = position_at(to_x(pixel.x()));
  const auto column = history_->column_of(position);
  const auto head = head_at(pixel.y());
  if (!column || !head) return std::nullopt;
  const int64_t taken = history_->position(*column);
  const auto row = static_cast<size_t>(head->layer * heads_ + head->head);
  if (row >= history_->heads()) return std::nullopt;
  const float norm = history_->norms(*column)[row];
  const auto share = [norm](float of) {
    return of > 0 ? tr("%1×").arg(value_text(norm / of)) : tr("unknown");
  };
  QString title = tr("after token %1").arg(QLocale().toString(static_cast<qint64>(taken)));
  const QString text = token_text_ ? token_text_(taken) : QString();
  if (!text.isEmpty()) title += QLatin1Char(' ') + text;
  return Tip{title,
             {{std::nullopt, tr("layer %1, head %2").arg(head->layer).arg(head->head),
               tr("norm %1").arg(value_text(norm))},
              {std::nullopt, tr("of its largest so far"), share(history_->largest()[row])},
              {std::nullopt, tr("of its value at the prompt's end"),
               share(history_->reference()[row])}}};
}

DataTable NormMap::numbers() const {
  DataTable table{{tr("tokens read")}, {}};
  for (int64_t row = 0; row < layers_ * heads_; ++row) {
    table.columns.push_back(
        tr("layer %1, head %2").arg(row / std::max<int64_t>(heads_, 1)).arg(row % std::max<int64_t>(heads_, 1)));
  }
  for (size_t column = 0; column < history_->columns(); ++column) {
    auto& row = table.rows.emplace_back();
    row.push_back(static_cast<double>(history_->position(column)));
    for (const float norm : history_->norms(column)) row.push_back(static_cast<double>(norm));
  }
  return table;
}

}  // namespace farstate::desktop
