// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/state_plot.h"

#include "app/desktop/head_name.h"
#include <QKeyEvent>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/desktop/plots/ticks.h"

namespace farstate::desktop {

StatePlot::StatePlot(QWidget* parent)
    : PositionPlot(parent), picture_(std::make_shared<StatePicture>()) {}

void StatePlot::set_picture(std::shared_ptr<const StatePicture> picture) {
  picture_ = std::move(picture);
  set_trained_context(picture_->trained_context);
  set_front(picture_->front);
  picture_changed();
  Q_EMIT dirtied();
}

void StatePlot::show_head(HeadIndex head) {
  if (head_ == head) return;
  head_ = head;
  head_changed();
}

const StateRow* StatePlot::focus_row() const {
  const std::optional<size_t> row = picture_->row_of(head_);
  return row ? &picture_->rows[*row] : nullptr;
}

QString StatePlot::placeholder() const {
  if (!picture_->rows.empty()) return {};
  if (picture_->metric != StateMetric::kDrift || !picture_->complete || picture_->length <= 0) {
    return tr("Not measured yet.");
  }
  return tr("No drift to show: the context T that the model was trained on is not known, "
            "or the text ends before it.");
}

std::optional<Extent> StatePlot::reach() const {
  std::optional<Extent> x;
  for (const StateRow& row : picture_->rows) {
    if (row.begin.empty()) continue;
    x = united(x, Extent{std::max(row.begin.front(), 1.0), row.end.back()});
  }
  if (x && !picture_->complete) x->high = std::max(x->high, picture_->length);
  return x && x->low < x->high ? x : std::nullopt;
}

void StatePlot::clicked(const QPoint& pixel, Qt::KeyboardModifiers modifiers) {
  const StateRow* row = row_at(pixel);
  head_before_click_ = head_;
  if (row != nullptr) Q_EMIT head_wanted(row->index());
  PositionPlot::clicked(pixel, modifiers);
}

void StatePlot::double_clicked(const QPoint& pixel) {
  if (head_before_click_ && *head_before_click_ != head_) Q_EMIT head_wanted(*head_before_click_);
  head_before_click_.reset();
  PositionPlot::double_clicked(pixel);
}

void StatePlot::step_head(int64_t by) {
  if (rows().empty()) return;
  const std::optional<size_t> at = picture_->row_of(head_);
  const auto last = static_cast<int64_t>(rows().size()) - 1;
  const int64_t to = at ? std::clamp<int64_t>(static_cast<int64_t>(*at) + by, 0, last) : 0;
  Q_EMIT head_wanted(rows()[static_cast<size_t>(to)].index());
}

void StatePlot::step_layer(int by) {
  const HeadIndex wanted{head_.layer + by, head_.head};
  if (picture_->row_of(wanted)) Q_EMIT head_wanted(wanted);
}

void StatePlot::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
      return step_head(-1);
    case Qt::Key_Down:
      return step_head(1);
    case Qt::Key_PageUp:
      return step_layer(-1);
    case Qt::Key_PageDown:
      return step_layer(1);
    default:
      PositionPlot::keyPressEvent(event);
  }
}

Tip tip_of(const StatePicture& picture, const StateRow& row, size_t bin) {
  Tip tip{StatePlot::tr("position %1").arg(QLocale().toString(std::llround(row.x[bin]))), {}};
  const QString name = head_name(row.index());
  const QString ratio = std::isnan(row.ratio[bin])
                            ? StatePlot::tr("unknown")
                            : StatePlot::tr("%1×").arg(value_text(row.ratio[bin]));
  if (picture.metric == StateMetric::kDrift) {
    tip.rows.push_back({std::nullopt, name, StatePlot::tr("drift %1").arg(ratio)});
  } else {
    tip.rows.push_back({std::nullopt, name,
                        StatePlot::tr("%1 %2").arg(metric_name(picture.metric),
                                                   value_text(row.value[bin]))});
    tip.rows.push_back({std::nullopt, picture.ratio_name(), ratio});
  }
  if (picture.front && row.x[bin] > *picture.front) {
    tip.rows.push_back({std::nullopt,
                        picture.recorded_beyond ? StatePlot::tr("recorded")
                                                : StatePlot::tr("of an earlier measurement"),
                        {}});
  }
  return tip;
}

QString StatePlot::title() const {
  return tr("State over position: %1").arg(metric_name(picture_->metric));
}

DataTable StatePlot::numbers() const {
  const bool drift = picture_->metric == StateMetric::kDrift;
  std::vector<DataCurve> curves;
  for (const StateRow& row : rows()) {
    if (!is_shown(row)) continue;
    const QString name = head_name(row.index());
    if (!drift) {
      curves.push_back({tr("%1, %2").arg(name, metric_name(picture_->metric)), row.x, row.value});
    }
    curves.push_back({tr("%1, %2").arg(name, picture_->ratio_name()), row.x, row.ratio});
  }
  return table_of(tr("position (tokens)"), curves);
}

}  // namespace farstate::desktop
