// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with an experiment and with chosen runs of it: one table over the runner's state
// and the stages of the runs.
#pragma once

#include <QString>
#include <vector>

#include "core/session/runner.h"

namespace farstate::desktop {

// How many runs are in each stage.
struct StageCount {
  int waiting = 0, running = 0, paused = 0, done = 0, stopped = 0, failed = 0;
  int all() const { return waiting + running + paused + done + stopped + failed; }
  int unfinished() const { return waiting + running + paused; }
};
StageCount count_stages(const std::vector<std::shared_ptr<const ArmRun>>& runs);

struct ExperimentButtons {
  enum class Primary { kStart, kPauseAll, kResumeAll };
  Primary primary = Primary::kStart;
  bool act = false;      // the primary button, whatever it says; a start needs a plan besides
  bool stop = false;     // end all that have not ended, and measure them where they are
  bool another = false;  // start a new comparison while one is held
  bool operator==(const ExperimentButtons&) const = default;
};
ExperimentButtons experiment_buttons(RunState state, const StageCount& runs);

// For the runs that are chosen.
struct ArmActions {
  bool pause = false, resume = false, stop = false, extend = false, fork = false;
  bool operator==(const ArmActions&) const = default;
};
ArmActions arm_actions(RunState state, const StageCount& chosen);

QString primary_text(ExperimentButtons::Primary primary);

// Why no comparison can be started now, as a sentence; empty: it can.
QString experiment_hint(RunState state, bool has_model);

QString stage_word(ArmStage stage);           // "running"
QString stages_text(const StageCount& runs);  // "2 running, 3 waiting, 1 done"

}  // namespace farstate::desktop
