// SPDX-License-Identifier: GPL-3.0-or-later
// The short piece of a curve that legends, tables, tips and choices show before its name.
#pragma once

#include <QRectF>

#include "app/desktop/intervention_style.h"

class QPainter;

namespace farstate::desktop {

inline constexpr int kLineSampleWidth = 28;

// Centred in `area`, two pixels thick.
void paint_line_sample(QPainter& painter, const QRectF& area, const LineStyle& line);

}  // namespace farstate::desktop
