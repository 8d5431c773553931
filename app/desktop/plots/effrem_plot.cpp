// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/effrem_plot.h"

#include <QLocale>
#include <cmath>

#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr int kEdge = 10;  // pixels: what is marked on the left edge is meant there

}  // namespace

const char* series_name(EffremMeasure measure) {
  switch (measure) {
    case EffremMeasure::kJensenShannon:
      return "effrem_js";
    case EffremMeasure::kKullbackLeibler:
      return "effrem_kl";
    case EffremMeasure::kAgreement:
      return "effrem_agreement";
    case EffremMeasure::kTotalVariation:
      break;
  }
  return "effrem";
}

QString short_name(EffremMeasure measure) {
  switch (measure) {
    case EffremMeasure::kJensenShannon:
      return EffremPlot::tr("JS");
    case EffremMeasure::kKullbackLeibler:
      return EffremPlot::tr("KL");
    case EffremMeasure::kAgreement:
      return EffremPlot::tr("agree");
    case EffremMeasure::kTotalVariation:
      break;
  }
  return EffremPlot::tr("TV");
}

QString full_name(EffremMeasure measure) {
  switch (measure) {
    case EffremMeasure::kJensenShannon:
      return EffremPlot::tr("Jensen-Shannon divergence, nats");
    case EffremMeasure::kKullbackLeibler:
      return EffremPlot::tr("Kullback-Leibler divergence, nats");
    case EffremMeasure::kAgreement:
      return EffremPlot::tr("agreement on the likeliest token");
    case EffremMeasure::kTotalVariation:
      break;
  }
  return EffremPlot::tr("total variation");
}

EffremPlot::EffremPlot(QWidget* parent) : LivePlot(parent) {
  worded(this, [this] { setAccessibleName(tr("Effective remembrance")); });
  set_axis(x_axis(), AxisKind::kLinear, [] { return tr("dropped tokens t"); });
  set_axis(y_axis(), AxisKind::kLog, QString());
  set_margins(44, 14);
  put_origin_right();
  zero_note_ = new QCPItemText(canvas());
  zero_note_->position->setType(QCPItemPosition::ptAxisRectRatio);
  zero_note_->position->setCoords(0, 0);
  zero_note_->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
  zero_note_->setPadding(QMargins(0, 0, 0, 4));
  zero_note_->setClipToAxisRect(false);
  worded(this, [this] { zero_note_->setText(tr("▲ 0 at t = 0, by definition")); });
}

void EffremPlot::set_curves(const QVector<BookCurve>& curves, int64_t tokens) {
  curves_ = curves;
  tokens_ = tokens;
  name_x();
  Q_EMIT dirtied();
}

void EffremPlot::name_x() {
  set_axis(x_axis(), log_x_ ? AxisKind::kOctaves : AxisKind::kLinear, [tokens = tokens_] {
    return tokens > 0 ? tr("dropped tokens t of %1").arg(QLocale().toString(qint64(tokens)))
                      : tr("dropped tokens t");
  });
}

void EffremPlot::set_log_x(bool log) {
  if (log_x_ == log) return;
  log_x_ = log;
  name_x();
  follow();  // a range that suited the one axis says nothing on the other
  Q_EMIT dirtied();
}

void EffremPlot::set_log(bool log) {
  log_ = log;
  set_axis(y_axis(), log ? AxisKind::kLog : AxisKind::kLinear, QString());
  Q_EMIT dirtied();
}

void EffremPlot::recolor() {
  zero_note_->setColor(theme().muted);
  zero_note_->setFont(text_font(TextSize::kSmall));
}

void EffremPlot::rebuild() {
  canvas()->clearGraphs();
  std::optional<Extent> x, y;
  bool zero_at_start = false;
  for (const BookCurve& curve : curves_) {
    CleanCurve clean = sanitize(curve.series.x, curve.series.y, log_x_, log_);
    x = united(x, clean.x_extent);
    y = united(y, clean.y_extent);
    if (curve.banded && !curve.low.empty() && !curve.high.empty()) {
      y = united(y, sanitize(curve.series.x, curve.high, log_x_, log_).y_extent);
      draw_band(curve.series.x, curve.low, curve.high, curve.line.color, log_x_, log_);
    }
    // On a log axis of t the first sample is at the edge, whatever its value.
    if (clean.floor_x.contains(0.0) || !clean.edge_y.isEmpty()) {
      zero_at_start = true;
      --clean.nonpositive;  // it is 0 by definition, and the plot says so by itself
    }
    LineStyle line = curve.line;
    if (!curve.banded) line.color = ghost(line.color);
    draw(clean, line);
  }
  zero_note_->setVisible(zero_at_start);
  set_placeholder(x ? QString() : tr("Not measured yet."));
  if (x && y && log_x_) {
    set_home(padded(*x, true), padded(*y, log_));
  } else if (x && y) {
    const double side = 0.015 * (x->high - x->low);  // room for the marker at t = 0
    set_home(side > 0 ? Extent{x->low - side, x->high + side} : padded(*x, false),
             padded(*y, log_));
  } else {
    set_home({0, 4096}, {0.01, 1});
  }
}

std::optional<double> EffremPlot::snapped_x(const QPoint& pixel) const {
  for (auto curve = curves_.crbegin(); curve != curves_.crend(); ++curve) {
    const std::vector<double>& x = curve->series.x;
    const bool at_edge = log_x_ && pixel.x() < plot_area().left() + kEdge;
    if (at_edge && !x.empty() && x.front() <= 0) return x.front();
    const auto sample = nearest_sample(x, to_x(pixel.x()), log_x_);
    if (sample) return curve->series.x[*sample];
  }
  return std::nullopt;
}

std::optional<Tip> EffremPlot::tip_at(const QPoint& pixel) {
  const std::optional<double> x = snapped_x(pixel);
  if (!x) return std::nullopt;
  Tip tip{tr("%1 tokens dropped").arg(QLocale().toString(std::llround(*x))), {}};
  for (const BookCurve& curve : curves_) {
    const auto sample = nearest_sample(curve.series.x, *x, false);
    if (!sample || std::abs(curve.series.x[*sample] - *x) > 0.5) continue;
    QString value = value_text(curve.series.y[*sample]);
    if (curve.low.size() > *sample && curve.high.size() > *sample) {
      value = tr("%1 (%2 to %3)")
                  .arg(value, value_text(curve.low[*sample]), value_text(curve.high[*sample]));
    }
    tip.rows.push_back({curve.line, curve.name, value, to_height(curve.series.y[*sample])});
  }
  return tip;
}

DataTable EffremPlot::numbers() const {
  return numbers_of(tr("dropped tokens t"), curves_);
}

}  // namespace farstate::desktop
