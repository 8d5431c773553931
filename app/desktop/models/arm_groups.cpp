// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/arm_groups.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace farstate::desktop {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

std::optional<Intervention> law_of(const std::string& name) {
  for (const Intervention kind : kInterventions) {
    if (to_string(kind) == name) return kind;
  }
  return std::nullopt;
}

// "random-noise:sigma=0.3".
QString plain_name(const std::string& arm) {
  const size_t colon = arm.find(':');
  const std::optional<Intervention> law = law_of(arm.substr(0, colon));
  const QString name = law ? intervention_name(*law) : QString::fromStdString(arm.substr(0, colon));
  if (colon == std::string::npos) return name;
  QString settings = QString::fromStdString(arm.substr(colon + 1));
  return tr("%1, %2").arg(name, settings.replace(QLatin1Char(':'), QLatin1String(", ")));
}

int variant_of(const std::vector<ArmGroup>& before, std::optional<Intervention> law,
               const std::string& arm) {
  if (!law || arm == to_string(*law)) return 0;
  return 1 +
         static_cast<int>(std::count_if(before.begin(), before.end(), [&](const ArmGroup& other) {
           return other.law == law && other.variant > 0;
         }));
}

}  // namespace

QString arm_name(const std::string& arm) {
  static constexpr std::string_view kFork = " > ";
  const size_t fork = arm.rfind(kFork);
  const size_t at = fork == std::string::npos ? fork : arm.rfind('@', fork);
  if (at == std::string::npos) return plain_name(arm);
  return tr("%1, from %2 at %3")
      .arg(plain_name(arm.substr(fork + kFork.size())), arm_name(arm.substr(0, at)),
           QString::fromStdString(arm.substr(at + 1, fork - at - 1)));
}

QString in_sentence(const QString& name) { return name.left(1).toLower() + name.mid(1); }

LineStyle ArmGroup::line(bool dark) const {
  return law ? variant_line(intervention_line(*law, dark), variant, dark) : base_line(dark);
}

std::vector<ArmGroup> arm_groups(const Experiment& experiment) {
  std::vector<ArmGroup> groups;
  for (const auto& run : experiment.runs) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const ArmGroup& g) { return g.arm == run->arm; });
    if (group == groups.end()) {
      const std::optional<Intervention> law = law_of(run->law);
      const int variant = variant_of(groups, law, run->arm);
      group = groups.insert(group, {run->arm, law, arm_name(run->arm), {}, variant});
    }
    group->runs.push_back(run);
  }
  return groups;
}

std::optional<Recorded> recorded_at(const ArmRun& run, std::optional<int64_t> at) {
  if (!run.series.empty() && (!at || run.steps <= *at)) return Recorded{run.steps, &run.series};
  const std::shared_ptr<const Snapshot>* best = nullptr;
  for (const auto& snapshot : run.snapshots) {
    if (!at || snapshot->step <= *at) best = &snapshot;
  }
  if (best == nullptr) return std::nullopt;
  return Recorded{(*best)->step, &(*best)->series};
}

std::vector<int64_t> recorded_steps(const Experiment& experiment) {
  std::set<int64_t> steps;
  if (experiment.base != nullptr && recorded_at(*experiment.base, {})) steps.insert(0);
  for (const auto& run : experiment.runs) {
    for (const auto& snapshot : run->snapshots) steps.insert(snapshot->step);
    if (!run->series.empty()) steps.insert(run->steps);
  }
  return {steps.begin(), steps.end()};
}

std::optional<double> value_at(const ArmRun& run, const std::string& series, int64_t position,
                               std::optional<int64_t> at) {
  const std::optional<Recorded> recorded = recorded_at(run, at);
  const Series* curve = recorded ? find_series(*recorded->series, series) : nullptr;
  if (curve == nullptr) return std::nullopt;
  const auto sample = sample_at(*curve, static_cast<double>(position));
  if (!sample || !std::isfinite(curve->y[*sample])) return std::nullopt;
  return curve->y[*sample];
}

std::optional<SeedSpread> spread_at(const ArmGroup& group, int64_t position,
                                    std::optional<int64_t> at) {
  SeedSpread spread;
  double squares = 0;
  for (const auto& run : group.runs) {
    if (run->stage == ArmStage::kFailed) continue;
    const std::optional<double> value = value_at(*run, "perplexity", position, at);
    if (!value) continue;
    ++spread.seeds;  // Welford's update
    const double off = *value - spread.mean;
    spread.mean += off / static_cast<double>(spread.seeds);
    squares += off * (*value - spread.mean);
    spread.low = spread.seeds == 1 ? *value : std::min(spread.low, *value);
    spread.high = spread.seeds == 1 ? *value : std::max(spread.high, *value);
  }
  if (spread.seeds == 0) return std::nullopt;
  if (spread.seeds > 1) spread.std = std::sqrt(squares / static_cast<double>(spread.seeds - 1));
  return spread;
}

}  // namespace farstate::desktop
