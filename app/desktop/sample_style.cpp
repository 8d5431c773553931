// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/sample_style.h"

#include <QCoreApplication>
#include <QLocale>

#include "app/desktop/theme.h"

namespace farstate::desktop {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Sample", text); }

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

}  // namespace farstate::desktop
