// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/state_lines.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/desktop/head_name.h"
#include "app/desktop/models/measurement_book.h"
#include "app/desktop/plots/axis_ticker.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/text_room.h"
#include "app/desktop/widgets/legend_list.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr int kKeyWidth = 170;
constexpr int kLeft = 52;  // "0.0156×"
constexpr int kNear = 14;  // pixels from a line that still mean it

double quantile(std::vector<double>& values, double share) {
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<size_t>(at);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(low);
  std::nth_element(values.begin(), middle, values.end());
  if (low + 1 == values.size()) return *middle;
  const double next = *std::min_element(middle + 1, values.end());
  return *middle + (at - static_cast<double>(low)) * (next - *middle);
}

}  // namespace

// Okabe and Ito's colours once more, without the yellow that a white ground swallows.
LineStyle head_line(size_t row, bool dark) {
  static constexpr QRgb light[] = {0x0072b2, 0xd55e00, 0x009e73, 0xb0608f,
                                   0xb87d00, 0x3d9bd1, 0x7d838d, 0x6f5bb5};
  static constexpr QRgb bright[] = {0x4a9fe0, 0xe8762c, 0x17b389, 0xd68ab8,
                                    0xe69f00, 0x7cc8f2, 0x9ba1ab, 0x9d8ce0};
  const size_t color = row % std::size(light);
  const bool dashed = row / std::size(light) % 2 == 1;
  return {QColor(dark ? bright[color] : light[color]),
          dashed ? QVector<qreal>{5, 3} : QVector<qreal>()};
}

StateLines::Band band_of(const std::vector<StateRow>& rows) {
  StateLines::Band band;
  const auto longest = std::max_element(
      rows.begin(), rows.end(),
      [](const StateRow& a, const StateRow& b) { return a.x.size() < b.x.size(); });
  if (longest == rows.end()) return band;
  std::vector<double> values;
  for (size_t i = 0; i < longest->x.size(); ++i) {
    values.clear();
    for (const StateRow& row : rows) {
      if (row.ratio.size() > i && std::isfinite(row.ratio[i])) values.push_back(row.ratio[i]);
    }
    if (values.empty()) continue;
    band.x.push_back(longest->x[i]);
    band.low.push_back(quantile(values, 0.1));
    band.median.push_back(quantile(values, 0.5));
    band.high.push_back(quantile(values, 0.9));
  }
  return band;
}

StateLines::StateLines(QWidget* parent) : StatePlot(parent), key_(new LegendList(this)) {
  worded(this, [this] { setAccessibleName(tr("State over position as lines")); });
  set_axis(y_axis(), AxisKind::kOctaves, QString());
  qSharedPointerCast<AxisTicker>(y_axis()->ticker())->set_suffix(QStringLiteral("×"));
  set_margins(kLeft, kKeyWidth + 10);
  with_font_of(key_, [this] { place_key(); });
  connect(key_, &LegendList::shown_changed, this, [this] { Q_EMIT dirtied(); });
  connect(key_, &LegendList::chosen, this, [this](int row) {
    if (!is_banded()) Q_EMIT head_wanted(rows()[static_cast<size_t>(row)].index());
  });
}

CleanCurve StateLines::clean(const StateRow& row) const {
  return sanitize(row.x, row.ratio, log_x(), true);
}

void StateLines::picture_changed() {
  band_ = is_banded() ? band_of(rows()) : Band();
  write_key();
}

void StateLines::head_changed() {
  write_key();
  Q_EMIT dirtied();
}

void StateLines::rebuild() {
  key_->set_bare(posing());
  write_key();
  canvas()->clearGraphs();
  lines_ = 0;
  std::optional<Extent> y;
  const StateRow* focus = focus_row();
  if (is_banded()) {
    const LineStyle median{theme().muted, {}};
    draw_band(band_.x, band_.low, band_.high, theme().muted, log_x(), true);
    draw(sanitize(band_.x, band_.median, log_x(), true), median);
    y = united(sanitize(band_.x, band_.low, log_x(), true).y_extent,
               sanitize(band_.x, band_.high, log_x(), true).y_extent);
  } else {
    for (size_t r = 0; r < rows().size(); ++r) {
      if (!is_shown(rows()[r])) continue;
      const CleanCurve curve = clean(rows()[r]);
      y = united(y, curve.y_extent);
      if (&rows()[r] == focus) continue;
      draw(curve, head_line(r, theme().dark));
      ++lines_;
    }
  }
  if (focus != nullptr && is_shown(*focus)) {
    const CleanCurve curve = clean(*focus);
    y = united(y, curve.y_extent);
    const auto row = static_cast<size_t>(focus - rows().data());
    draw(curve, is_banded() ? LineStyle{theme().accent, {}} : head_line(row, theme().dark), 2);
    ++lines_;
  }
  const bool all_hidden = !rows().empty() && lines_ == 0 && !is_banded();
  set_placeholder(all_hidden ? tr("No head is shown: set a box at the right.") : placeholder());
  key_->setVisible(!rows().empty());
  set_home(reach().value_or(Extent{1, 4096}), y ? padded(*y, true) : Extent{0.5, 4});
}

void StateLines::recolor() {
  PositionPlot::recolor();
  write_key();
}

void StateLines::write_key() {
  QVector<LegendList::Entry> entries;
  const StateRow* focus = focus_row();
  if (is_banded()) {
    QColor band = theme().muted;
    band.setAlphaF(theme().dark ? 0.20F : 0.15F);
    const QString heads = QLocale().toString(qint64(rows().size()));
    entries.push_back({{band, {}}, tr("10–90 % of %1 heads").arg(heads), true});
    entries.push_back({{theme().muted, {}}, tr("median of the heads")});
    if (focus != nullptr) {
      entries.push_back({{theme().accent, {}}, head_name(focus->index()), false, true});
    }
  } else {
    for (size_t r = 0; r < rows().size(); ++r) {
      entries.push_back({head_line(r, theme().dark), head_name(rows()[r].index()), false,
                         &rows()[r] == focus, true});
    }
  }
  key_->set_entries(entries, theme());
}

QStringList StateLines::key() const {
  QStringList words;
  for (const LegendList::Entry& entry : key_->entries()) words.push_back(entry.label);
  return words;
}

bool StateLines::is_shown(const StateRow& row) const {
  return is_banded() || key_->shows(static_cast<int>(&row - rows().data()));
}

void StateLines::place_key() {
  const int wide = text_room(kKeyWidth);
  key_->setGeometry(width() - wide, kTop, wide, std::max(20, height() - kTop - 4));
}

void StateLines::resizeEvent(QResizeEvent* event) {
  StatePlot::resizeEvent(event);
  place_key();
}

std::optional<double> StateLines::height_of(const StateRow& row, double position) const {
  const auto sample = nearest_sample(row.x, position, log_x());
  if (!sample || !std::isfinite(row.ratio[*sample])) return std::nullopt;
  return y_axis()->coordToPixel(row.ratio[*sample]);
}

// Of a band only the head in focus is a line that can be meant.
const StateRow* StateLines::row_at(const QPoint& pixel) const {
  const double position = to_x(pixel.x());
  const StateRow* nearest = nullptr;
  double distance = kNear;
  const auto look_at = [&](const StateRow& row) {
    const std::optional<double> height = height_of(row, position);
    if (!height || std::abs(*height - pixel.y()) > distance) return;
    distance = std::abs(*height - pixel.y());
    nearest = &row;
  };
  if (is_banded()) {
    if (const StateRow* focus = focus_row()) look_at(*focus);
  } else {
    for (const StateRow& row : rows()) {
      if (is_shown(row)) look_at(row);
    }
  }
  return nearest;
}

std::optional<double> StateLines::snapped_x(const QPoint& pixel) const {
  const StateRow* row = focus_row();
  if (row == nullptr && !rows().empty()) row = &rows().front();
  if (row == nullptr) return std::nullopt;
  const auto sample = nearest_sample(row->x, to_x(pixel.x()), log_x());
  return sample ? std::optional(row->x[*sample]) : std::nullopt;
}

std::optional<Tip> StateLines::tip_at(const QPoint& pixel) {
  const StateRow* row = row_at(pixel);
  if (row == nullptr) row = focus_row();
  if (row != nullptr && !is_shown(*row)) return std::nullopt;
  const std::optional<double> x = snapped_x(pixel);
  if (row == nullptr || !x) return std::nullopt;
  const auto sample = nearest_sample(row->x, *x, log_x());
  if (!sample) return std::nullopt;
  Tip tip = tip_of(picture(), *row, *sample);
  if (!is_banded()) return tip;
  const auto at = nearest_sample(band_.x, *x, log_x());
  if (!at) return tip;
  tip.rows.push_back({std::nullopt, tr("median of the heads"),
                      tr("%1×").arg(value_text(band_.median[*at]))});
  const QString low = value_text(band_.low[*at]), high = value_text(band_.high[*at]);
  tip.rows.push_back(
      {std::nullopt, tr("10–90 % of the heads"), tr("%1× to %2×").arg(low, high)});
  return tip;
}

}  // namespace farstate::desktop
