// SPDX-License-Identifier: GPL-3.0-or-later
// Name and colour of the three samples of a head's states, in every view: training, pin A, pin B.
#pragma once

#include <QColor>
#include <QString>

#include "app/desktop/intervention_style.h"
#include "app/desktop/models/pinned_states.h"
#include "app/desktop/widgets/curve_legend.h"

namespace farstate::desktop {

struct Theme;

QColor sample_color(Sample sample, const Theme& theme);
QString sample_name(Sample sample);                               // "training", "A", "B"
QString sample_name(Sample sample, const PinnedStates& states);   // "A at 4,096"

// Of the Gaussian that the law of the initial state was fitted to; nothing where there is none.
std::optional<LineStyle> fitted_law_line(const PinnedStates& states, const Theme& theme);
QString fitted_law_name(const PinnedStates& states);  // "fitted law (Fitted noise)"

// Of the samples that are there.
QVector<CurveLegend::Entry> legend_of(const PinnedStates& states, const Theme& theme);

}  // namespace farstate::desktop
