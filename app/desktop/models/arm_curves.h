// SPDX-License-Identifier: GPL-3.0-or-later
// What a small plot of one arm shows.
#pragma once

#include "app/desktop/models/arm_groups.h"
#include "app/desktop/plots/arm_plot.h"

namespace farstate::desktop {

enum class ArmQuantity { kPerplexity, kState, kRemembrance, kLoss };

// `at` empty: the newest.
ArmPlot::Content arm_content(const Experiment& experiment, const ArmGroup& group,
                             ArmQuantity quantity, std::optional<int64_t> at, bool dark);

// "step 40", "steps 30–40"; empty: nothing was recorded by then.
QString recorded_text(const ArmGroup& group, std::optional<int64_t> at);

}  // namespace farstate::desktop
