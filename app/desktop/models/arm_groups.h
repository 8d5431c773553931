// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment as a person reads it: its runs by arm, what of them was recorded at a step, and
// what that says over the seeds.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "app/desktop/intervention_style.h"
#include "core/results/experiment.h"

namespace farstate::desktop {

// The runs that differ in nothing but their seed. Forks at one step of one arm are an arm of their
// own, "zero@40 > tbtt", since they did not start where the others did.
struct ArmGroup {
  std::string arm;                  // as the experiment names it
  std::optional<Intervention> law;  // empty: a name that this program does not know
  QString
      name;  // "State passing", "Random noise, sigma=0.3", "Truncated BPTT, from Zero state at 40"
  std::vector<std::shared_ptr<const ArmRun>> runs;
  int variant = 0;  // 0: the law as such, from the checkpoint; else one of its others, from 1

  // Which arm it is, whatever it is called in a language.
  QString key() const { return QString::fromStdString(arm); }
  // Zero-state post-training with the experiment's own settings.
  bool is_control() const { return arm == "zero"; }
  bool is_fork() const { return runs.front()->parent != 0; }
  LineStyle line(bool dark) const;
};
std::vector<ArmGroup> arm_groups(const Experiment& experiment);

QString arm_name(const std::string& arm);

// "state passing", "truncated BPTT": within a sentence.
QString in_sentence(const QString& name);

// What a run's curves were at or before a step.
struct Recorded {
  int64_t step = 0;
  const std::vector<Series>* series = nullptr;
};
// `at` empty: the newest. The measurement at the end of a run counts for its last step.
std::optional<Recorded> recorded_at(const ArmRun& run, std::optional<int64_t> at);

// All steps at which any run was recorded, rising; 0 where the base was measured.
std::vector<int64_t> recorded_steps(const Experiment& experiment);

// A finite value of the series there, or none.
std::optional<double> value_at(const ArmRun& run, const std::string& series, int64_t position,
                               std::optional<int64_t> at);

struct SeedSpread {
  double mean = 0;
  double std = 0;            // of the sample; 0 for one seed
  double low = 0, high = 0;  // of the seeds
  int64_t seeds = 0;
  bool overlaps(const SeedSpread& other) const { return low <= other.high && other.low <= high; }
};
// Of the runs that have not failed: what is left after a failure is no sample of the arm.
std::optional<SeedSpread> spread_at(const ArmGroup& group, int64_t position,
                                    std::optional<int64_t> at);

}  // namespace farstate::desktop
