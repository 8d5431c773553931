// SPDX-License-Identifier: GPL-3.0-or-later
// What whoever looks for a fault needs to know of this program and this machine, as a text to copy.
#pragma once

#include <QStringList>
#include <vector>

namespace farstate::desktop {

// Of what is open in a window, under the same names in each report.
struct DiagnosticFact {
  QString name, value;
};

// In English whatever the language of the window: it is read elsewhere. The person's home is ~.
QString diagnostics_text(const std::vector<DiagnosticFact>& window, const QStringList& log_lines);

}  // namespace farstate::desktop
