// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector's table: one row per number of a head's states, one column per sample.
#pragma once

#include <array>

#include "app/desktop/models/pinned_states.h"
#include "app/desktop/widgets/number_table.h"

namespace farstate::desktop {

struct Theme;

// In tokens, at T and at the pins; empty: not measured.
using HalfLives = std::array<std::optional<double>, kSampleCount>;

QVector<NumberTable::Column> state_columns(const PinnedStates& states, const Theme& theme);
QVector<NumberTable::Row> state_rows(const PinnedStates& states, const HalfLives& half_lives);

}  // namespace farstate::desktop
