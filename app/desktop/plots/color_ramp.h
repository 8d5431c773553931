// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of maps: even steps of lightness, readable without colour vision.
#pragma once

#include "app/desktop/plots/qcp.h"

namespace farstate::desktop {

QCPColorGradient viridis();  // NaN is transparent

}  // namespace farstate::desktop
