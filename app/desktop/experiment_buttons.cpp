// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/experiment_buttons.h"

#include <QCoreApplication>
#include <QStringList>

namespace farstate::desktop {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

}  // namespace

StageCount count_stages(const std::vector<std::shared_ptr<const ArmRun>>& runs) {
  StageCount count;
  for (const auto& run : runs) {
    switch (run->stage) {
      case ArmStage::kWaiting:
        ++count.waiting;
        break;
      case ArmStage::kRunning:
        ++count.running;
        break;
      case ArmStage::kPaused:
        ++count.paused;
        break;
      case ArmStage::kDone:
        ++count.done;
        break;
      case ArmStage::kStopped:
        ++count.stopped;
        break;
      case ArmStage::kFailed:
        ++count.failed;
        break;
    }
  }
  return count;
}

ExperimentButtons experiment_buttons(RunState state, const StageCount& runs) {
  using P = ExperimentButtons::Primary;
  const bool free = state == RunState::kReady || state == RunState::kPaused;
  const bool goes_on = runs.running + runs.waiting > 0;
  if (state == RunState::kExperimenting) {
    return {goes_on ? P::kPauseAll : P::kResumeAll, runs.unfinished() > 0, runs.unfinished() > 0,
            false};
  }
  // What waits when the runner is free waits for a word, as what is paused does.
  if (free && runs.unfinished() > 0) return {P::kResumeAll, true, true, true};
  return {P::kStart, free, false, false};
}

ArmActions arm_actions(RunState state, const StageCount& chosen) {
  const bool listens =
      state == RunState::kReady || state == RunState::kPaused || state == RunState::kExperimenting;
  if (!listens || chosen.all() == 0) return {};
  const bool goes_on = chosen.running + chosen.waiting > 0;
  const bool has_weights = chosen.all() > chosen.waiting + chosen.failed;
  return {.pause = state == RunState::kExperimenting && goes_on,
          .resume = chosen.paused > 0 || (state != RunState::kExperimenting && chosen.waiting > 0),
          .stop = chosen.unfinished() > 0,
          .extend = chosen.all() > chosen.failed,
          .fork = has_weights};
}

QString primary_text(ExperimentButtons::Primary primary) {
  switch (primary) {
    case ExperimentButtons::Primary::kPauseAll:
      return tr("Pause all");
    case ExperimentButtons::Primary::kResumeAll:
      return tr("Resume all");
    case ExperimentButtons::Primary::kStart:
      break;
  }
  return tr("Start comparison");
}

QString experiment_hint(RunState state, bool has_model) {
  switch (state) {
    case RunState::kLoading:
      return tr("The model is being loaded.");
    case RunState::kRunning:
      return tr("Training runs. A comparison can start when it is paused or done.");
    case RunState::kEvaluating:
      return tr("The model is being measured. A comparison can start when that has ended.");
    case RunState::kStopping:
      return tr("What runs is coming to its end.");
    default:
      break;
  }
  return has_model ? QString()
                   : tr("No model is open. Open one, and its arms can be compared here.");
}

QString stage_word(ArmStage stage) {
  switch (stage) {
    case ArmStage::kWaiting:
      return tr("waiting");
    case ArmStage::kRunning:
      return tr("running");
    case ArmStage::kPaused:
      return tr("paused");
    case ArmStage::kDone:
      return tr("done");
    case ArmStage::kStopped:
      return tr("stopped");
    case ArmStage::kFailed:
      return tr("failed");
  }
  return {};
}

QString stages_text(const StageCount& runs) {
  const std::pair<int, ArmStage> parts[] = {
      {runs.running, ArmStage::kRunning}, {runs.waiting, ArmStage::kWaiting},
      {runs.paused, ArmStage::kPaused},   {runs.done, ArmStage::kDone},
      {runs.stopped, ArmStage::kStopped}, {runs.failed, ArmStage::kFailed}};
  QStringList words;
  for (const auto& [count, stage] : parts) {
    if (count == runs.all() && count == 1) return stage_word(stage);
    if (count > 0) words.push_back(tr("%1 %2").arg(count).arg(stage_word(stage)));
  }
  return words.join(QStringLiteral(", "));
}

}  // namespace farstate::desktop
