// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment for a page that is read and not operated: all arms in one plot of each kind, and
// its table.
#pragma once

#include <QList>
#include <QString>
#include <memory>

#include "core/results/experiment.h"

class QWidget;

namespace farstate::desktop {

struct Theme;

// Perplexity, state, remembrance and loss, where there is something of them: the mean over the
// seeds of each arm.
QList<std::shared_ptr<QWidget>> comparison_cards(const Experiment& experiment, const Theme& theme);

QString comparison_html(const Experiment& experiment);  // the table as it is shown

}  // namespace farstate::desktop
