// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/perplexity_plot.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

// From the first position of the first bin to the last of the last, as in the state map above.
std::optional<Extent> reach_of(const Series& series, const std::optional<Extent>& drawn) {
  if (!drawn || series.bin_begin.empty() || series.bin_end.empty()) return drawn;
  return Extent{std::max(1.0, static_cast<double>(series.bin_begin.front())),
                static_cast<double>(series.bin_end.back())};
}

constexpr double kHandle = 14;  // across

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

// The band has a value wherever the curve has one.
std::vector<double> edge_of(const Measurement& m, const Series& curve, const std::string& name,
                            const std::vector<double>& own) {
  const Series* edge = name.empty() ? nullptr : find_series(m.series, name);
  const std::vector<double>& values = edge != nullptr ? edge->y : own;
  return values.size() == curve.x.size() ? values : std::vector<double>();
}

void add_curve(QVector<BookCurve>& out, const Measurement* m, const std::string& name,
               const BandNames& band, BookCurve curve) {
  const Series* series = m != nullptr ? find_series(m->series, name) : nullptr;
  if (series == nullptr) return;
  curve.series = *series;
  if (curve.banded) {
    curve.low = edge_of(*m, *series, band.low, series->lower);
    curve.high = edge_of(*m, *series, band.high, series->upper);
  }
  out.push_back(std::move(curve));
}

// At the end of its curve, in sight also where the header has no room for a legend. Made anew with
// the curves, and found again by its name.
void name_other_model(QCustomPlot* canvas, const QVector<BookCurve>& curves, const QColor& color) {
  const QString name = QStringLiteral("other-model");
  if (auto* last = canvas->findChild<QCPItemText*>(name)) canvas->removeItem(last);
  const BookCurve* highest = nullptr;  // above it there is the most room
  int others = 0;
  for (const BookCurve& curve : curves) {
    const Series& s = curve.series;
    if (!curve.other_model || s.y.empty() || s.y.size() != s.x.size()) continue;
    if (!(s.y.back() > 0)) continue;  // a NaN neither
    ++others;
    if (highest == nullptr || s.y.back() > highest->series.y.back()) highest = &curve;
  }
  if (highest == nullptr) return;
  auto* text = new QCPItemText(canvas);
  text->setObjectName(name);
  text->setText(others == 1 ? highest->name : tr("post-trained demo"));  // what the faint ones are
  text->setColor(color);
  text->setFont(text_font(TextSize::kSmall));
  text->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
  text->setPadding(QMargins(0, 0, 4, 2));
  text->position->setCoords(highest->series.x.back(), highest->series.y.back());
}

}  // namespace

QVector<BookCurve> curves_of(const MeasurementBook& book, const std::string& name, bool dark,
                             const BandNames& band) {
  QVector<BookCurve> out;
  const Measurement* current = book.current();
  add_curve(out, book.base(), name, band, {{}, base_line(dark), tr("base"), true, false, {}, {}});
  for (const Measurement* m : book.earlier()) {
    const bool other = current != nullptr && m->recipe.model != current->recipe.model;
    const QString law = intervention_name(m->intervention);
    add_curve(out, m, name, band,
              {{}, intervention_line(m->intervention, dark),
               other ? tr("%1, post-trained demo").arg(law) : law, false, other, {}, {}});
  }
  if (current != nullptr && current != book.base()) {
    const QString law = intervention_name(current->intervention);
    const bool twin = book.base() != nullptr && current->recipe.model != book.base()->recipe.model;
    add_curve(out, current, name, band,
              {{}, intervention_line(current->intervention, dark), tr("now"), true, false, {}, {},
               twin ? tr("%1, post-trained demo").arg(law) : law});
  }
  return out;
}

QVector<CurveLegend::Entry> legend_of(const QVector<BookCurve>& curves) {
  QVector<CurveLegend::Entry> entries;
  QStringList ghosts;
  for (const BookCurve& curve : curves) {
    if (curve.banded) {
      entries.push_back({curve.line, curve.name});
    } else if (curve.other_model) {
      entries.push_back({curve.line, tr("post-trained demo")});
    } else {
      ghosts.push_back(curve.name);
    }
  }
  if (!ghosts.isEmpty()) {
    entries.push_back({std::nullopt, tr("· %1 earlier").arg(ghosts.size())});
  }
  return entries;
}

QVector<CurveLegend::Entry> names_of(const QVector<BookCurve>& curves) {
  QVector<CurveLegend::Entry> entries;
  for (const BookCurve& curve : curves) {
    const bool ghost = !curve.banded && !curve.other_model;
    const QString name = curve.whole_name.isEmpty() ? curve.name : curve.whole_name;
    entries.push_back({curve.line, ghost ? tr("%1, earlier").arg(name) : name});
  }
  return entries;
}

DataTable numbers_of(const QString& x_name, const QVector<BookCurve>& curves) {
  std::vector<DataCurve> columns;
  for (const BookCurve& curve : curves) {
    columns.push_back({curve.name, curve.series.x, curve.series.y});
    if (curve.low.empty() || curve.high.empty()) continue;
    columns.push_back({tr("%1, low").arg(curve.name), curve.series.x, curve.low});
    columns.push_back({tr("%1, high").arg(curve.name), curve.series.x, curve.high});
  }
  return table_of(x_name, columns);
}

PerplexityPlot::PerplexityPlot(QWidget* parent) : PositionPlot(parent) {
  worded(this, [this] { setAccessibleName(tr("Perplexity by position")); });
  set_axis(y_axis(), AxisKind::kLog, QString());
  set_margins(40, 14);
}

void PerplexityPlot::set_curves(const QVector<BookCurve>& curves, double expected) {
  curves_ = curves;
  expected_ = expected;
  Q_EMIT dirtied();
}

void PerplexityPlot::set_log(bool log) {
  log_ = log;
  set_axis(y_axis(), log ? AxisKind::kLog : AxisKind::kLinear, QString());
  Q_EMIT dirtied();
}

void PerplexityPlot::rebuild() {
  canvas()->clearGraphs();
  std::optional<Extent> x, y;
  QVector<CleanCurve> clean;
  for (const BookCurve& curve : curves_) {
    clean.push_back(sanitize(curve.series.x, curve.series.y, log_x(), log_));
    x = united(x, reach_of(curve.series, clean.back().x_extent));
    // The axis must not tell what is covered.
    const size_t seen = seen_samples(curve.series);
    const auto extent = [&](const std::vector<double>& values) {
      const size_t n = std::min(seen, values.size());
      return sanitize({curve.series.x.data(), n}, {values.data(), n}, log_x(), log_).y_extent;
    };
    y = united(y, extent(curve.series.y));
    if (curve.banded) {
      y = united(y, extent(curve.low));
      y = united(y, extent(curve.high));
      draw_band(curve.series.x, curve.low, curve.high, curve.line.color, log_x(), log_);
    }
  }
  for (qsizetype i = 0; i < curves_.size(); ++i) {
    LineStyle line = curves_[i].line;
    if (i + 1 == curves_.size() && front()) {
      draw_newest(curves_[i], clean[i]);
      continue;
    }
    if (!curves_[i].banded) line.color = ghost(line.color);
    draw(clean[i], line);
  }
  draw_guess();
  const bool named = cover() || posing();  // a picture has them all above it
  name_other_model(canvas(), named ? QVector<BookCurve>() : curves_, theme().muted);
  if (y) united_with_guess(y);
  set_placeholder(y ? QString() : tr("Not measured yet."));
  if (x && y) {
    x->high = std::max(x->high, expected_);
    set_home(x->low < x->high ? *x : padded(*x, log_x()), padded(*y, log_));
  } else {
    set_home({1, 4096}, {1, 10});
  }
}

size_t PerplexityPlot::seen_samples(const Series& series) const {
  if (!cover()) return series.x.size();
  return static_cast<size_t>(std::upper_bound(series.x.begin(), series.x.end(), *cover()) -
                             series.x.begin());
}

void PerplexityPlot::show_guess(const GuessCurve& guess) {
  guess_ = guess;
  if (!guess.editable) held_handle_.reset();
  Q_EMIT dirtied();
}

// Above the cover, under which the measured curve may still lie.
void PerplexityPlot::draw_guess() {
  if (guess_.positions.empty()) return;
  QVector<double> x{guess_.from}, y{guess_.level};
  for (size_t i = 0; i < guess_.positions.size(); ++i) {
    x.push_back(guess_.positions[i]);
    y.push_back(guess_.values[i]);
  }
  QCPGraph* curve = canvas()->addGraph();
  curve->setLayer(QStringLiteral("overlay"));
  curve->setPen(QPen(theme().accent, 1, Qt::DashLine));
  curve->setData(x, y, /*alreadySorted=*/true);
  QCPGraph* handles = canvas()->addGraph();
  handles->setLayer(QStringLiteral("overlay"));
  handles->setLineStyle(QCPGraph::lsNone);
  const double size = guess_.editable ? kHandle : kHandle / 2;
  handles->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(theme().accent, 2),
                                           guess_.editable ? theme().surface : theme().accent, size));
  handles->setData(x.mid(1), y.mid(1), true);
}

// While it can be changed, there must be room to guess both less and much more.
void PerplexityPlot::united_with_guess(std::optional<Extent>& y) const {
  if (guess_.positions.empty()) return;
  for (const double value : guess_.values) y = united(y, Extent{value, value});
  if (guess_.editable) y = united(y, Extent{1, guess_.most});
}

std::optional<int> PerplexityPlot::handle_at(const QPoint& pixel) const {
  if (!guess_.editable) return std::nullopt;
  for (size_t i = 0; i < guess_.positions.size(); ++i) {
    const QPointF at(to_pixel(guess_.positions[i]), y_axis()->coordToPixel(guess_.values[i]));
    if ((at - pixel).manhattanLength() <= kHandle) return static_cast<int>(i);
  }
  return std::nullopt;
}

bool PerplexityPlot::take_hold(const QPoint& pixel) {
  held_handle_ = handle_at(pixel);
  return held_handle_ || PositionPlot::take_hold(pixel);
}

void PerplexityPlot::drag_held(const QPoint& pixel) {
  if (!held_handle_) return PositionPlot::drag_held(pixel);
  const QRect area = plot_area();
  const double value = y_axis()->pixelToCoord(std::clamp(pixel.y(), area.top(), area.bottom()));
  Q_EMIT guess_dragged(*held_handle_, std::clamp(value, 1.0, guess_.most));
}

// Faint where the sweep has not come by yet: that is an older measurement, or a recorded one.
void PerplexityPlot::draw_newest(const BookCurve& curve, const CleanCurve& clean) {
  const auto& x = curve.series.x;
  const auto& y = curve.series.y;
  const auto end = std::upper_bound(x.begin(), x.end(), *front());
  const auto fresh = static_cast<size_t>(end - x.begin());
  LineStyle faint = curve.line;
  faint.color = ghost(faint.color);
  draw(clean, faint);
  draw(sanitize(std::span(x).first(fresh), std::span(y).first(std::min(fresh, y.size())), log_x(),
                log_),
       curve.line);
}

std::optional<double> PerplexityPlot::snapped_x(const QPoint& pixel) const {
  for (auto curve = curves_.crbegin(); curve != curves_.crend(); ++curve) {
    const auto sample = nearest_sample(curve->series.x, to_x(pixel.x()), log_x());
    if (sample) return curve->series.x[*sample];
  }
  return std::nullopt;
}

std::optional<Tip> PerplexityPlot::tip_at(const QPoint& pixel) {
  const std::optional<double> x = snapped_x(pixel);
  if (!x) return std::nullopt;
  Tip tip{tr("position %1").arg(QLocale().toString(std::llround(*x))), {}};
  for (const BookCurve& curve : curves_) {
    const auto sample = sample_at(curve.series, *x);
    if (!sample) continue;
    const Series& s = curve.series;
    QString value = value_text(s.y[*sample]);
    if (s.lower.size() > *sample && s.upper.size() > *sample) {
      value = interval_text(s.y[*sample], (s.upper[*sample] - s.lower[*sample]) / 2);
    }
    const bool earlier = front() && *x > *front() && &curve == &curves_.back();
    const QString name = !earlier           ? curve.name
                         : recorded_beyond_ ? tr("%1, recorded").arg(curve.name)
                                            : tr("%1, earlier").arg(curve.name);
    tip.rows.push_back({curve.line, name, value, to_height(curve.series.y[*sample])});
  }
  return tip;
}

DataTable PerplexityPlot::numbers() const {
  return numbers_of(tr("position (tokens)"), curves_);
}

}  // namespace farstate::desktop
