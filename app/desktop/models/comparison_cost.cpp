// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/comparison_cost.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>

#include "app/desktop/core_words.h"
#include "app/desktop/size_text.h"

namespace farstate::desktop {
namespace {

QString tr(const char* text, const char* which = nullptr, int n = -1) {
  return QCoreApplication::translate("farstate::desktop", text, which, n);
}

// Two digits: more would claim what a second of work doesn't tell.
QString time_text(double seconds) {
  const auto number = [](double value) {
    return QLocale().toString(value, 'g', value < 100 ? 2 : 3);
  };
  if (seconds < 90) return tr("%1 s", "seconds").arg(number(std::max(seconds, 0.1)));
  if (seconds < 90 * 60) return tr("%1 min", "minutes").arg(number(seconds / 60));
  if (seconds < 48 * 3600) return tr("%1 h", "hours").arg(number(seconds / 3600));
  return tr("%1 days").arg(number(seconds / 86400));
}

int64_t runs_of(const ExperimentPlan& plan) {
  return static_cast<int64_t>(plan.arms.size()) * plan.seeds;
}

// Curves between the steps of a run.
double curves_of(const RunConfig& recipe) {
  const int64_t every = snapshot_interval(recipe);
  return every > 0 ? static_cast<double>(recipe.train.steps / every) : 0;
}

}  // namespace

RunConfig cost_question(const RunConfig& recipe) {
  RunConfig question;
  question.model = recipe.model;
  question.data = recipe.data;
  question.task = recipe.task;
  question.measure = recipe.measure;
  question.train.context = recipe.train.context;
  question.train.batch = recipe.train.batch;
  question.train.micro_batch = recipe.train.micro_batch;
  question.train.compute = recipe.train.compute;
  question.train.recompute = recipe.train.recompute;
  return question;
}

ComparisonCost comparison_cost(const CostAnswer& answer, const RunConfig& recipe,
                               const ExperimentPlan& plan) {
  const TrainingEstimate& estimate = answer.estimate;
  const auto runs = static_cast<double>(runs_of(plan));
  const TrainingMemory& memory = estimate.memory;
  ComparisonCost cost;
  cost.seconds = runs * (static_cast<double>(recipe.train.steps) * estimate.seconds_per_step +
                         curves_of(recipe) * answer.seconds_curve) +
                 (runs + 1) * estimate.seconds_measuring;
  // The open model stays in memory beside the one at work, and runs that take turns keep theirs as
  // long as there is room; with little room they take turns in it.
  const int64_t one = estimate.bytes_needed + memory.weights;
  const int64_t others = (runs_of(plan) - 1) * (memory.weights + memory.moments);
  const int64_t room = estimate.bytes_available;
  cost.memory = one + (plan.interleaved ? others : 0);
  if (room > 0) cost.memory = std::min(cost.memory, std::max(one, room));
  cost.fits = estimate.fits && (room == 0 || one <= room);
  // The weights for other programs; weights, moments and the carried state to go on with.
  cost.disk = runs_of(plan) * (2 * memory.weights + memory.moments + memory.states / 2);
  return cost;
}

QString cost_text(const ComparisonCost& cost) {
  return tr("about %1 · %2 of memory · %3 on the disk", "time, bytes, bytes")
      .arg(time_text(cost.seconds), size_text(cost.memory), size_text(cost.disk));
}

QString cost_details(const TrainingEstimate& estimate, const RunConfig& recipe,
                     const ExperimentPlan& plan) {
  const TrainingMemory& m = estimate.memory;
  QStringList lines = {
      tr("%Ln run(s) of %1 steps, %2 a step; %3 for each measurement.", nullptr,
         static_cast<int>(runs_of(plan)))
          .arg(QLocale().toString(qint64(recipe.train.steps)), time_text(estimate.seconds_per_step),
               time_text(estimate.seconds_measuring)),
      tr("Memory of one: weights %1, optimizer %2, gradients %3, activations %4, states %5; the "
         "program and what is open %6.")
          .arg(size_text(m.weights), size_text(m.moments), size_text(m.gradients),
               size_text(m.activations), size_text(m.states), size_text(m.process + m.weights)),
      tr("Times are extrapolated from %1 of this work, done here just now; memory and disk are "
         "computed from the sizes.")
          .arg(time_text(estimate.measured_seconds))};
  for (const std::string& note : estimate.notes) lines.push_back(core_words(note));
  return lines.join(u'\n');
}

}  // namespace farstate::desktop
