#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Proves and times Farstate on this machine's GPU, in under ten minutes: builds `farstate` without
# Qt for this GPU's architecture alone, runs its selftest and its benchmark on the GPU, and the peers
# in bench/peers where their packages are there. Wants an NVIDIA GPU with its driver, a C++ compiler
# and, to install what else is missing, root or sudo; nvcc and LibTorch are fetched where they are
# not there.
#
#   tools/gpu_check.sh [FOLDER]     FOLDER gets the outputs (default: build/gpu-check)
#
# PEER_PYTHON is the Python that has the peers' packages (default: python3). Ends with the first
# failure's exit code; a peer that is not there is no failure.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
# shellcheck source=setup.sh
. "$root/tools/setup.sh"

out=${1:-$root/build/gpu-check}
build=$root/build/terminal

# What the terminal program needs of the packages.
terminal_packages() {
  local package
  for package in "${farstate_packages[@]}"; do
    case $package in
      qt6-* | libqcustomplot-dev | libspdlog-dev | libgtest-dev | libgmock-dev) ;;
      *) printf '%s\n' "$package" ;;
    esac
  done
}

compute_capability() {  # of the first GPU: 90
  nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. '
}

run_peer() {
  local python=${PEER_PYTHON:-python3}
  echo
  timeout 180 "$python" "$root/bench/peers/$1.py" 2>&1 | tee "$out/$1.txt" || true
}

if ! command -v nvidia-smi >/dev/null || ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
  say "There is no NVIDIA GPU here, or no driver for it: nvidia-smi lists none. Nothing was built."
  exit 3
fi
capability=$(compute_capability)
((capability >= 80)) || {
  say "This GPU has compute capability ${capability%?}.${capability: -1}; the CUDA kernels need 8.0."
  exit 3
}

mapfile -t farstate_packages < <(terminal_packages)
farstate_install_packages
farstate_install_torch
farstate_install_nvcc

mkdir -p "$out"
say "Building for compute capability $capability."
(cd "$root" && cmake --preset terminal -DFARSTATE_TESTS=OFF -DFARSTATE_BENCH=OFF -DFARSTATE_CUDA=ON \
  -DFARSTATE_CUDA_ARCHITECTURES="$capability") >"$out/configure.txt" 2>&1 \
  || { tail -n 20 "$out/configure.txt" >&2; fail "CMake could not configure the build."; }
ninja -C "$build" -j "$(farstate_jobs)" farstate >"$out/build.txt" 2>&1 \
  || { tail -n 40 "$out/build.txt" >&2; fail "The build failed. The lines above say why."; }

nvidia-smi | tee "$out/nvidia-smi.txt"
echo
"$build/bin/farstate" selftest --device cuda | tee "$out/selftest.txt"
echo
"$build/bin/farstate" bench --device cuda --quick --json "$out/bench.json" | tee "$out/bench.txt"
run_peer mamba_ssm_scan
run_peer fla_simple_gla
say "The outputs are in $out."
