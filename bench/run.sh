#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Speed on this machine: kernels and whole models beside the machine's own matrix product, then the
# same work by transformers' Mamba2 if PEER_PYTHON (default python3) has torch and transformers.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
# shellcheck source=../tools/setup.sh
. "$root/tools/setup.sh"

farstate_build kernels_bench model_bench
# Ours wait asleep, as the programs do (core/base/process.h); the peer as it comes.
for bench in kernels_bench model_bench; do
  OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-PASSIVE} "$root/build/release/bin/$bench"
  echo
done
peer=${PEER_PYTHON:-python3}
if "$peer" -c 'import torch, transformers' 2>/dev/null; then
  "$peer" "$root/bench/peers/transformers_mamba2.py"
else
  echo "transformers was not timed: $peer has no torch and transformers (set PEER_PYTHON)."
fi
