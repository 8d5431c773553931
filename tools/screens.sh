#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of every page and sheet of the window, of scale 1 and 2: tools/screens.sh DIR
set -euo pipefail

out=${1:?usage: tools/screens.sh DIR}
export QT_QPA_PLATFORM=offscreen
program=$(dirname "${BASH_SOURCE[0]}")/../build/release/bin/farstate-desktop
for scale in 1 2; do  # Qt reads the scale once, when a program starts
  QT_SCALE_FACTOR=$scale "$program" demo --steps 20 --screens "$out/scale-$scale"
done
