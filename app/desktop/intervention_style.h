// SPDX-License-Identifier: GPL-3.0-or-later
// The look of the initial states: one colour, one dash and one key each, in every panel.
// Colours after Okabe and Ito, who chose them to stay apart for colour-blind readers; two are
// darker on the light theme to keep a contrast of 3:1. The dash tells the same without colour.
#pragma once

#include <QColor>
#include <QPen>
#include <QString>
#include <QVector>

#include "core/session/run_config.h"

namespace farstate::desktop {

struct LineStyle {
  QColor color;
  QVector<qreal> dash;  // in pen widths; empty: solid
};

QString intervention_name(Intervention kind);    // "State passing"
QString intervention_detail(Intervention kind);  // "state of another row"
int intervention_key(Intervention kind);         // 1 to 7
LineStyle intervention_line(Intervention kind, bool dark);

// The checkpoint as loaded, before any step of ours: a finer dash than the zero state's.
LineStyle base_line(bool dark);

QPen pen_of(const LineStyle& line, qreal width = 1);

}  // namespace farstate::desktop
