// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/arm_curves.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "app/desktop/core_words.h"
#include "app/desktop/experiment_buttons.h"

namespace farstate::desktop {
namespace {

using Content = ArmPlot::Content;
using Curve = ArmPlot::Curve;

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

QString count(int64_t n) { return QLocale().toString(static_cast<qint64>(n)); }

const char* series_of(ArmQuantity quantity) {
  switch (quantity) {
    case ArmQuantity::kState:
      return "model_state_std";
    case ArmQuantity::kRemembrance:
      return "effrem";
    default:
      return "perplexity";
  }
}

std::optional<Curve> recorded_curve(const ArmRun& run, ArmQuantity quantity,
                                    std::optional<int64_t> at) {
  const auto recorded = recorded_at(run, at);
  const Series* series = recorded ? find_series(*recorded->series, series_of(quantity)) : nullptr;
  if (series == nullptr) return std::nullopt;
  const double end = series->bin_end.empty() ? 0 : static_cast<double>(series->bin_end.back());
  return Curve{{}, series->x, series->y, {}, ArmPlot::Rank::kSeed, end};
}

Curve loss_curve(const ArmRun& run) {
  Curve curve;
  curve.rank = ArmPlot::Rank::kSeed;
  for (const TrainPoint& point : run.points) {
    curve.x.push_back(static_cast<double>(point.step));
    curve.y.push_back(point.loss);
  }
  return curve;
}

// Over the x that all have: seeds are measured at the same positions, and only the number of steps
// or the length reached may differ.
Curve mean_of(const QVector<Curve>& seeds) {
  Curve mean = seeds.front();
  for (qsizetype s = 1; s < seeds.size(); ++s) {
    const Curve& seed = seeds[s];
    const size_t common = std::min({mean.x.size(), seed.x.size(), mean.y.size(), seed.y.size()});
    size_t same = 0;
    while (same < common && seed.x[same] == mean.x[same]) ++same;
    mean.x.resize(same);
    mean.y.resize(same);
    for (size_t i = 0; i < same; ++i) mean.y[i] += seed.y[i];
  }
  for (double& y : mean.y) y /= static_cast<double>(seeds.size());
  return mean;
}

void add_marks(Content& content, const ArmGroup& group) {
  for (const auto& run : group.runs) {
    for (const RunEvent& event : run->events) {
      const QString text = core_words(event.text);
      content.marks.push_back(
          {static_cast<double>(event.step),
           group.runs.size() > 1 ? tr("seed %1: %2").arg(run->seed).arg(text) : text});
    }
  }
}

QString quantity_name(ArmQuantity quantity) {
  const QString names[] = {tr("perplexity"), tr("standard deviation of the state"),
                           tr("effective remembrance"), tr("training loss")};
  return names[static_cast<int>(quantity)];
}

QString empty_text(ArmQuantity quantity, const ArmGroup& group) {
  const StageCount stages = count_stages(group.runs);
  if (quantity == ArmQuantity::kLoss) return tr("No step yet.");
  if (quantity == ArmQuantity::kRemembrance) return tr("Measured at the end.");
  return stages.waiting == stages.all() ? tr("Waits for its turn.") : tr("Not measured yet.");
}

}  // namespace

Content arm_content(const Experiment& experiment, const ArmGroup& group, ArmQuantity quantity,
                    std::optional<int64_t> at, bool dark) {
  using Over = ArmPlot::Over;
  const bool loss = quantity == ArmQuantity::kLoss;
  Content content;
  content.over = loss                                    ? Over::kSteps
                 : quantity == ArmQuantity::kRemembrance ? Over::kDropped
                                                         : Over::kPosition;
  content.log_x = content.over == Over::kPosition;
  content.log_y = quantity != ArmQuantity::kLoss;
  content.empty = empty_text(quantity, group);
  content.quantity = quantity_name(quantity);
  QVector<Curve> seeds, failed;  // what failed is shown, and is no part of the mean
  for (const auto& run : group.runs) {
    std::optional<Curve> curve = loss ? loss_curve(*run) : recorded_curve(*run, quantity, at);
    if (!curve || curve->x.empty()) continue;
    curve->line = group.line(dark);
    curve->name = group.runs.size() > 1 ? tr("seed %1").arg(run->seed) : group.name;
    if (run->stage == ArmStage::kFailed) {
      curve->name = tr("%1, failed").arg(curve->name);
      failed.push_back(*curve);
    } else {
      seeds.push_back(*curve);
    }
  }
  if (!loss && experiment.base != nullptr) {
    if (std::optional<Curve> base = recorded_curve(*experiment.base, quantity, {})) {
      base->line = base_line(dark);
      base->name = tr("base");
      base->rank = ArmPlot::Rank::kBehind;
      content.curves.push_back(*base);
    }
  }
  content.curves += failed;
  if (seeds.size() > 1) {
    content.curves += seeds;
    Curve mean = mean_of(seeds);
    mean.name = tr("mean");
    content.curves.push_back(mean);
  } else {
    content.curves += seeds;
  }
  if (!seeds.isEmpty()) content.curves.back().rank = ArmPlot::Rank::kMean;
  if (loss) {
    add_marks(content, group);
    if (at) content.now = static_cast<double>(*at);
  }
  return content;
}

QString recorded_text(const ArmGroup& group, std::optional<int64_t> at) {
  int64_t first = -1, last = -1;
  for (const auto& run : group.runs) {
    const auto recorded = recorded_at(*run, at);
    if (!recorded || run->stage == ArmStage::kFailed) continue;
    first = first < 0 ? recorded->step : std::min(first, recorded->step);
    last = std::max(last, recorded->step);
  }
  if (last < 0) return {};
  return first == last ? tr("step %1").arg(count(last))
                       : tr("steps %1–%2").arg(count(first), count(last));
}

}  // namespace farstate::desktop
