// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/help/definitions.h"

#include <QCoreApplication>

namespace farstate::desktop {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

}  // namespace

QString intervention_definition(Intervention kind) {
  switch (kind) {
    case Intervention::kZero:
      return tr("h₋₁ = 0: how models are usually trained, and the control of all others.");
    case Intervention::kRandomNoise:
      return tr("h₋₁ ~ N(0, σ²), independent for every element. Buitrago Ruiz and Gu 2025, section 4.");
    case Intervention::kFittedNoise:
      return tr("h₋₁ ~ N(mean, std²) of the states that training windows end in, per layer and head. "
                "Buitrago Ruiz and Gu 2025, section 4.");
    case Intervention::kStatePassing:
      return tr("h₋₁ is the state in which another, unrelated window ended. "
                "Buitrago Ruiz and Gu 2025, section 4.");
    case Intervention::kTbtt:
      return tr("h₋₁ is the state in which the window before in the same text ended; no gradient "
                "flows back. Buitrago Ruiz and Gu 2025, section 4.");
    case Intervention::kCorrelatedNoise:
      return tr("h₋₁ = mean + Σ z f + ε: Gaussian with the strongest directions of real states. Not in "
                "the paper; docs/METHODS.md.");
    case Intervention::kMixture:
      return tr("Each row draws one of several laws by its weight. Not in the paper; docs/METHODS.md.");
  }
  return {};
}

}  // namespace farstate::desktop
