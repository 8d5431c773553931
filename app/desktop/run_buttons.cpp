// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/run_buttons.h"

#include <QCoreApplication>

namespace farstate::desktop {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

}  // namespace

RunButtons buttons_for(RunState state) {
  using P = RunButtons::Primary;
  switch (state) {
    //                           run    step   stop   reset  measure save  interv. settings rate
    case RunState::kIdle:
      return {P::kRun, false, false, false, false, false, false, true, true, true};
    case RunState::kLoading:
      return {P::kRun, false, false, true, false, false, false, false, false, false};
    case RunState::kReady:
      return {P::kRun, true, true, false, true, true, true, true, true, true};
    case RunState::kRunning:
      return {P::kPause, true, false, true, true, false, false, true, false, true};
    case RunState::kPaused:
      return {P::kResume, true, true, true, true, true, true, true, true, true};
    case RunState::kEvaluating:
      return {P::kRun, false, false, true, true, false, false, true, false, false};
    case RunState::kExperimenting:
      return {P::kRun, false, false, true, false, false, false, false, false, false};
    case RunState::kStopping:
      return {P::kRun, false, false, false, false, false, false, false, false, false};
    case RunState::kFailed:
      return {P::kRun, false, false, false, true, false, false, true, true, true};
  }
  return {};
}

QString primary_text(RunButtons::Primary primary) {
  switch (primary) {
    case RunButtons::Primary::kPause:
      return tr("Pause");
    case RunButtons::Primary::kResume:
      return tr("Resume");
    case RunButtons::Primary::kRun:
      break;
  }
  return tr("Run");
}

QString state_text(RunState state) {
  switch (state) {
    case RunState::kIdle:
      return tr("No model");
    case RunState::kLoading:
      return tr("Loading");
    case RunState::kReady:
      return tr("Ready");
    case RunState::kRunning:
      return tr("Training");
    case RunState::kPaused:
      return tr("Paused");
    case RunState::kEvaluating:
      return tr("Measuring");
    case RunState::kExperimenting:
      return tr("Experiment");
    case RunState::kStopping:
      return tr("Stopping");
    case RunState::kFailed:
      return tr("Failed");
  }
  return {};
}

QString settings_hint(RunState state) {
  switch (state) {
    case RunState::kLoading:
      return tr("Can be changed once the model is loaded.");
    case RunState::kRunning:
      return tr("Can be changed when training is paused or has ended.");
    case RunState::kEvaluating:
      return tr("Can be changed when measuring has ended.");
    case RunState::kExperimenting:
      return tr("Can be changed when the experiment is paused or has ended.");
    case RunState::kStopping:
      return tr("Can be changed once the run has stopped.");
    default:
      return {};
  }
}

}  // namespace farstate::desktop
