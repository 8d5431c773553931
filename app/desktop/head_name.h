// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/results/state_report.h"

namespace farstate::desktop {

QString head_name(HeadIndex head);   // "layer 3, head 7"
QString head_title(HeadIndex head);  // "Layer 3, head 7"

}  // namespace farstate::desktop
