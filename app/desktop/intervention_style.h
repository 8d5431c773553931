// SPDX-License-Identifier: GPL-3.0-or-later
// The look of the initial states: one colour, one dash, one marker and one key each, in every panel.
// Colours after Okabe and Ito, who chose them to stay apart for colour-blind readers; two are
// darker on the light theme to keep a contrast of 3:1. Dash and marker tell the same without colour.
#pragma once

#include <QColor>
#include <QPainterPath>
#include <QPen>
#include <QString>
#include <QVector>

#include "core/session/run_config.h"

namespace farstate::desktop {

enum class Marker { kNone, kCircle, kSquare, kDiamond, kUp, kDown, kCross, kStar };

struct LineStyle {
  QColor color;
  QVector<qreal> dash;  // in pen widths; empty: solid
  Marker marker = Marker::kNone;
  bool hollow = false;  // the marker
  bool operator==(const LineStyle&) const = default;
};

QString intervention_name(Intervention kind);    // "State passing"
QString intervention_detail(Intervention kind);  // "state of another row"
int intervention_key(Intervention kind);         // 1 to 7
LineStyle intervention_line(Intervention kind, bool dark);

// The checkpoint as loaded, before any step of ours: a finer dash than the zero state's.
LineStyle base_line(bool dark);

// One law with several settings, or from several starts: variant 0 is the law as such, the others
// tell themselves from it by a hollow marker and, from the second on, a deeper shade; five of them.
LineStyle variant_line(LineStyle line, int variant, bool dark);

// Around the origin, to be filled; about `size` across. Empty for no marker.
QPainterPath marker_path(Marker marker, qreal size);

QPen pen_of(const LineStyle& line, qreal width = 1);

}  // namespace farstate::desktop
