// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/sample_style.h"

#include <QCoreApplication>
#include <QLocale>

#include "app/desktop/theme.h"
#include "core/base/error.h"

namespace farstate::desktop {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

std::optional<Intervention> fitted_law(const PinnedStates& states) {
  if (states.head == nullptr || !states.head->fitted || !(states.head->fitted->std > 0)) {
    return std::nullopt;
  }
  try {
    return intervention_from_string(states.head->fitted->law);
  } catch (const Error&) {
    return std::nullopt;  // of a later version
  }
}

}  // namespace

QColor sample_color(Sample sample, const Theme& theme) {
  return sample == kTraining ? theme.training : sample == kAtA ? theme.pin_a : theme.pin_b;
}

QString sample_name(Sample sample) {
  return sample == kTraining ? tr("training") : sample == kAtA ? tr("A") : tr("B");
}

QString sample_name(Sample sample, const PinnedStates& states) {
  const std::optional<int64_t> position =
      states.shown[sample] ? states.shown[sample] : states.pinned[sample];
  if (sample == kTraining || !position) return sample_name(sample);
  return tr("%1 at %2").arg(sample_name(sample), QLocale().toString(qint64(*position)));
}

std::optional<LineStyle> fitted_law_line(const PinnedStates& states, const Theme& theme) {
  const auto law = fitted_law(states);
  if (!law) return std::nullopt;
  return LineStyle{intervention_line(*law, theme.dark).color, {6, 3}};
}

QString fitted_law_name(const PinnedStates& states) {
  const auto law = fitted_law(states);
  return law ? tr("fitted law (%1)").arg(intervention_name(*law)) : QString();
}

QVector<CurveLegend::Entry> legend_of(const PinnedStates& states, const Theme& theme) {
  QVector<CurveLegend::Entry> entries;
  for (const Sample sample : kSamples) {
    if (states.elements[sample] == nullptr) continue;
    entries.push_back({LineStyle{sample_color(sample, theme), {}}, sample_name(sample, states)});
  }
  return entries;
}

}  // namespace farstate::desktop
