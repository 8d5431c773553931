#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs the tests; arguments go to ctest, such as -R ops.
set -euo pipefail
# shellcheck source=tools/setup.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/tools/setup.sh"

farstate_wants_nvcc=1  # the CUDA kernels are compiled wherever they are tested
farstate_packages+=("$farstate_chinese_font")  # some tests look at the window in Chinese
farstate_build all
export QT_QPA_PLATFORM=offscreen
cd "$root"
exec ctest --preset release "$@"
