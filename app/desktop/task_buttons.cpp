// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/task_buttons.h"

#include <QCoreApplication>

namespace farstate::desktop {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

bool is_free(RunState state) { return state == RunState::kReady || state == RunState::kPaused; }

}  // namespace

TaskButtons task_buttons(RunState state, const ModelInfo* model, const TaskScores* scores) {
  const bool reads = model != nullptr && !model->tokenizer.empty();
  const bool works = state == RunState::kRunning || state == RunState::kEvaluating ||
                     state == RunState::kExperimenting;
  return {.ask = reads && (is_free(state) || works),
          .score = reads && is_free(state),
          .stop = scores != nullptr && scores->running && state == RunState::kEvaluating,
          .train = model != nullptr && is_free(state)};
}

QString task_hint(RunState state, const ModelInfo* model, const TaskScores* scores) {
  switch (state) {
    case RunState::kLoading:
      return tr("The model is being loaded.");
    case RunState::kRunning:
      return tr("Scoring waits until training is held or done: Pause, then score here.");
    case RunState::kEvaluating:
      return scores != nullptr && scores->running
                 ? QString()
                 : tr("The model is being measured. Scoring can start when that has ended; Stop "
                      "ends it now.");
    case RunState::kExperimenting:
      return tr("An experiment is at work. Its runs are scored where its recipe names this task; "
                "the model on screen can be scored when it is paused or has ended.");
    case RunState::kStopping:
      return tr("What runs is coming to its end.");
    default:
      break;
  }
  if (model == nullptr) return tr("No model is open. Open one, and it can be scored here.");
  if (model->tokenizer.empty()) {
    return tr("This model came without a tokenizer, so it can't read the task's text. Put the "
              "tokenizer.json that belongs to it into its folder and open it again.");
  }
  return {};
}

}  // namespace farstate::desktop
