// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/experiment_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>

#include "app/desktop/models/arm_groups.h"
#include "app/desktop/plots/ticks.h"

namespace farstate::desktop {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

QString count(int64_t n) { return QLocale().toString(static_cast<qint64>(n)); }

QString joined(const QStringList& parts) {
  if (parts.size() < 2) return parts.join(QString());
  return tr("%1 and %2")
      .arg(QStringList(parts.mid(0, parts.size() - 1)).join(tr(", ")), parts.back());
}

QString words_for(const ArmGroup& group) {
  return group.is_control() ? tr("the zero-state control") : in_sentence(group.name);
}

QString words_for(const SeedSpread& at) {
  if (at.seeds == 1) return tr("%1 (1 seed)").arg(value_text(at.mean));
  return tr("%1 (%2 seeds)").arg(interval_text(at.mean, at.std), count(at.seeds));
}

// An arm with what it was measured at the position that is spoken of.
struct Measured {
  const ArmGroup* group = nullptr;
  SeedSpread at;
  QString name() const { return words_for(*group); }
  QString value() const { return words_for(at); }
};

// Smallest mean first.
std::vector<Measured> measured_at(const std::vector<ArmGroup>& groups, int64_t position) {
  std::vector<Measured> out;
  for (const ArmGroup& group : groups) {
    if (const auto spread = spread_at(group, position, {})) out.push_back({&group, *spread});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Measured& a, const Measured& b) { return a.at.mean < b.at.mean; });
  return out;
}

// The farthest column of the table that the most arms have been measured at.
TablePosition spoken_of(const Experiment& experiment, const std::vector<ArmGroup>& groups) {
  TablePosition best;
  size_t most = 0;
  for (const TablePosition& column : table_positions(experiment.context)) {
    const size_t arms = measured_at(groups, column.position).size();
    if (arms > 0 && arms >= most) best = column;
    most = std::max(most, arms);
  }
  return best;
}

std::optional<double> base_at(const Experiment& experiment, int64_t position) {
  if (experiment.base == nullptr) return std::nullopt;
  return value_at(*experiment.base, "perplexity", position, {});
}

QString head_sentence(const Experiment& experiment, const std::vector<Measured>& arms,
                      const TablePosition& place) {
  const auto control = std::find_if(arms.begin(), arms.end(),
                                    [](const Measured& m) { return m.group->is_control(); });
  const std::optional<double> base = base_at(experiment, place.position);
  const Measured& best = arms.front();
  const QString where =
      tr("At %1, position %2,").arg(QString::fromStdString(place.name), count(place.position));
  QString sentence = tr("%1 %2 has perplexity %3").arg(where, best.name(), best.value());
  const bool against_control = control != arms.end() && control != arms.begin();
  if (against_control) sentence += tr(" against %1 for %2").arg(control->value(), control->name());
  if (base && against_control) {
    sentence += tr("; the untouched checkpoint has %1").arg(value_text(*base));
  } else if (base) {
    sentence += tr(" against %1 for the untouched checkpoint").arg(value_text(*base));
  }
  return sentence + tr(".");
}

QString others_sentence(const std::vector<Measured>& arms) {
  QStringList others;
  for (size_t i = 1; i < arms.size(); ++i) {
    if (arms[i].group->is_control()) continue;
    others.push_back(tr("%1 %2").arg(arms[i].name(), arms[i].value()));
  }
  return others.isEmpty() ? QString() : tr("Then: %1.").arg(others.join(tr("; ")));
}

// Which arms can be told from the best one.
QString ranges_sentence(const std::vector<Measured>& arms) {
  const Measured& best = arms.front();
  QStringList apart, alike;
  for (size_t i = 1; i < arms.size(); ++i) {
    if (best.at.seeds < 2 || arms[i].at.seeds < 2) continue;
    (best.at.overlaps(arms[i].at) ? alike : apart).push_back(arms[i].name());
  }
  QStringList sentences;
  if (!alike.isEmpty()) {
    sentences.push_back(tr("Its seeds' range overlaps that of %1: there they can't be told apart.")
                            .arg(joined(alike)));
  }
  if (!apart.isEmpty()) {
    sentences.push_back(tr("Its seeds' range doesn't overlap that of %1.").arg(joined(apart)));
  }
  return sentences.join(u' ');
}

// Whether mending costs anything where the model was good before.
QString within_sentence(const Experiment& experiment, const Measured& best, int64_t spoken) {
  const std::optional<double> base = base_at(experiment, experiment.context);
  const auto at = spread_at(*best.group, experiment.context, {});
  if (!base || !at || spoken <= experiment.context) return {};
  const QString value = at->seeds == 1 ? value_text(at->mean) : interval_text(at->mean, at->std);
  return tr("At T itself it has %1, the untouched checkpoint %2.").arg(value, value_text(*base));
}

QString seeds_words(const std::vector<ArmGroup>& groups) {
  int64_t fewest = 0, most = 0;
  for (const ArmGroup& group : groups) {
    const auto seeds = static_cast<int64_t>(group.runs.size());
    fewest = fewest == 0 ? seeds : std::min(fewest, seeds);
    most = std::max(most, seeds);
  }
  if (most == 1) {
    return tr("One seed each: without a spread nothing tells a difference from chance.");
  }
  if (fewest == 1) return tr("Some arms have one seed: of those there is no spread.");
  return most <= 3 ? tr("With %1 seeds the spread itself is known only roughly.").arg(count(most))
                   : QString();
}

// "fitted noise (seeds 7 and 8)" for the runs of which `which` holds.
template <typename Which>
QStringList arms_where(const std::vector<ArmGroup>& groups, Which&& which) {
  QStringList arms;
  for (const ArmGroup& group : groups) {
    QStringList seeds;
    for (const auto& run : group.runs) {
      if (which(*run)) seeds.push_back(QString::number(run->seed));
    }
    if (seeds.isEmpty()) continue;
    const QString name = in_sentence(group.name);
    const bool all = seeds.size() == static_cast<qsizetype>(group.runs.size());
    arms.push_back(all                 ? name
                   : seeds.size() == 1 ? tr("%1 (seed %2)").arg(name, seeds.front())
                                       : tr("%1 (seeds %2)").arg(name, joined(seeds)));
  }
  return arms;
}

QStringList unfinished_words(const std::vector<ArmGroup>& groups) {
  QStringList out;
  const auto add = [&](const QString& form, const QStringList& arms) {
    if (!arms.isEmpty()) out.push_back(form.arg(joined(arms)));
  };
  add(tr("Not at its planned end: %1; what is said is of the last curve so far."),
      arms_where(groups, [](const ArmRun& run) {
        return run.stage == ArmStage::kRunning || run.stage == ArmStage::kPaused;
      }));
  add(tr("Not begun: %1."),
      arms_where(groups, [](const ArmRun& run) { return run.stage == ArmStage::kWaiting; }));
  add(tr("Stopped early: %1."),
      arms_where(groups, [](const ArmRun& run) { return run.stage == ArmStage::kStopped; }));
  add(tr("Failed, and left out of the numbers: %1."),
      arms_where(groups, [](const ArmRun& run) { return run.stage == ArmStage::kFailed; }));
  return out;
}

// Where the curves that are compared were taken.
QString steps_words(const std::vector<ArmGroup>& groups) {
  int64_t first = -1, last = -1;
  for (const ArmGroup& group : groups) {
    for (const auto& run : group.runs) {
      const auto recorded = recorded_at(*run, {});
      if (!recorded || run->stage == ArmStage::kFailed) continue;
      first = first < 0 ? recorded->step : std::min(first, recorded->step);
      last = std::max(last, recorded->step);
    }
  }
  if (first == last) return {};
  return tr("The arms are not at the same step: the curves are of steps %1 to %2.")
      .arg(count(first), count(last));
}

QString reach_words(const Experiment& experiment, const std::vector<ArmGroup>& groups) {
  const std::vector<TablePosition> columns = table_positions(experiment.context);
  if (!measured_at(groups, columns.back().position).empty()) return {};
  double reach = 0;
  for (const ArmGroup& group : groups) {
    for (const auto& run : group.runs) {
      const auto recorded = recorded_at(*run, {});
      const Series* curve = recorded ? find_series(*recorded->series, "perplexity") : nullptr;
      if (curve == nullptr || curve->x.empty()) continue;
      const double end =
          curve->bin_end.empty() ? curve->x.back() : static_cast<double>(curve->bin_end.back()) - 1;
      reach = std::max(reach, end);
    }
  }
  return tr("Measured up to position %1, not to %2 (%3): how it goes on isn't known.")
      .arg(count(std::llround(reach)), QString::fromStdString(columns.back().name),
           count(columns.back().position));
}

QStringList design_words(const std::vector<ArmGroup>& groups) {
  QStringList out;
  const auto any = [&](auto&& which) { return std::any_of(groups.begin(), groups.end(), which); };
  if (!any([](const ArmGroup& g) { return g.is_control(); })) {
    out.push_back(
        tr("Without the zero-state control it isn't known how much of this is training "
           "as such."));
  }
  if (groups.size() > 1 && any([](const ArmGroup& g) { return g.law == Intervention::kTbtt; })) {
    out.push_back(
        tr("Truncated BPTT reads the text in order, so it saw other windows than the "
           "other arms."));
  }
  if (any([](const ArmGroup& g) { return g.is_fork(); })) {
    out.push_back(tr("Forked runs did not start from the untouched checkpoint."));
  }
  return out;
}

}  // namespace

ExperimentWords experiment_words(const Experiment& experiment) {
  const std::vector<ArmGroup> groups = arm_groups(experiment);
  if (groups.empty()) return {tr("There is nothing to compare yet."), {}};
  const TablePosition place = spoken_of(experiment, groups);
  const std::vector<Measured> arms = measured_at(groups, place.position);
  QStringList shows, open;
  if (place.position == 0) {
    shows = {experiment.base == nullptr ? tr("Nothing has been measured yet.")
                                        : tr("Only the untouched checkpoint has been measured so "
                                             "far.")};
  } else {
    shows = {head_sentence(experiment, arms, place), others_sentence(arms), ranges_sentence(arms),
             within_sentence(experiment, arms.front(), place.position)};
    open = {seeds_words(groups), steps_words(groups), reach_words(experiment, groups)};
  }
  open += unfinished_words(groups);
  open += design_words(groups);
  shows.removeAll(QString());
  open.removeAll(QString());
  return {shows.join(u' '), open.join(u' ')};
}

}  // namespace farstate::desktop
