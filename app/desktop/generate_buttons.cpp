// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/generate_buttons.h"

#include <QCoreApplication>
#include <QLocale>

namespace farstate::desktop {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

QString count(int64_t n) { return QLocale().toString(static_cast<qint64>(n)); }

}  // namespace

GenerateButtons generate_buttons(RunState state, Generation::Stage stage) {
  using Stage = Generation::Stage;
  const bool free = state == RunState::kReady || state == RunState::kPaused;
  const bool runs = is_running(stage);
  // While a text runs the runner evaluates; for the moment between two updates it may still be free.
  if (runs && (free || state == RunState::kEvaluating)) {
    return {.stop = true, .keep = true, .shelf = true};
  }
  if (!free) return {};
  const bool has_state = stage == Stage::kHeld || stage == Stage::kDone;
  return {.start = true,
          .go_on = has_state,
          .stop = false,
          .keep = has_state,
          .edit = has_state,
          .shelf = true};
}

QString generate_hint(RunState state, const ModelInfo* model) {
  switch (state) {
    case RunState::kLoading:
      return tr("The model is being loaded.");
    case RunState::kRunning:
      return tr("Inference waits until training is held or done: Pause, then start here.");
    case RunState::kEvaluating:
      return tr("The model is being measured. Inference can start when that has ended; Stop ends "
                "it now.");
    case RunState::kStopping:
      return tr("What runs is coming to its end.");
    default:
      break;
  }
  if (model == nullptr) return tr("No model is open. Open one, and it can read and write here.");
  if (model->tokenizer.empty()) {
    return tr("This model came without a tokenizer, so it can't read text. Put the tokenizer.json "
              "that belongs to it into its folder and open it again.");
  }
  return {};
}

QString stage_text(const Generation& g) {
  const QString read = count(g.read);
  switch (g.stage) {
    case Generation::Stage::kNone:
      break;
    case Generation::Stage::kReading:
      return g.prompt_tokens > 0
                 ? tr("reading the prompt, token %1 of %2").arg(read, count(g.prompt_tokens))
                 : tr("reading the prompt, token %1").arg(read);
    case Generation::Stage::kGenerating:
      return tr("writing, token %1").arg(read);
    case Generation::Stage::kHeld:
      return tr("held after token %1").arg(read);
    case Generation::Stage::kDone:
      return tr("done after token %1").arg(read);
  }
  return {};
}

}  // namespace farstate::desktop
