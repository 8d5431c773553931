// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;
class QRectF;

namespace farstate::desktop {

struct Theme;

inline constexpr int kCheckBox = 14;  // pixels a side, as the window draws it

// `lit`: a person can change it.
void paint_check_box(QPainter& painter, const QRectF& box, bool checked, bool lit,
                     const Theme& theme);

}  // namespace farstate::desktop
