// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/color_ramp.h"

namespace farstate::desktop {

// At eleven of its stops.
QCPColorGradient viridis() {
  static constexpr QRgb stops[] = {0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c,
                                   0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725};
  QCPColorGradient gradient;
  gradient.clearColorStops();
  for (size_t i = 0; i < std::size(stops); ++i) {
    gradient.setColorStopAt(static_cast<double>(i) / (std::size(stops) - 1), QColor(stops[i]));
  }
  gradient.setNanHandling(QCPColorGradient::nhTransparent);
  return gradient;
}

}  // namespace farstate::desktop
