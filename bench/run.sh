#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Speed on this machine, and the ratio to other programs for the same work in the same run: what
# `farstate bench` times, by transformers' Mamba2 too if PEER_PYTHON (default python3) has torch and
# transformers, and by llama.cpp if llama-bench is on the PATH and PEER_GGUF names a model of the
# 130m shape in its format. Arguments go to `farstate bench`.
#   bench/run.sh
#   bench/run.sh --model-config config.json --context 1024 --batch 2
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
# shellcheck source=../tools/setup.sh
. "$root/tools/setup.sh"

farstate_build farstate
report=$(mktemp --suffix .json)
trap 'rm -f "$report"' EXIT

"$root/build/release/bin/farstate" bench "$@" --json "$report"
echo
peer=${PEER_PYTHON:-python3}
if "$peer" -c 'import torch, transformers' 2>/dev/null; then
  "$peer" "$root/bench/peers/transformers_mamba2.py" "$report"
else
  echo "transformers was not timed: $peer has no torch and transformers (set PEER_PYTHON)."
fi
echo
python3 "$root/bench/peers/llama_cpp.py" "$report" "${PEER_GGUF:-}"
