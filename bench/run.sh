#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Speed on this machine, and the ratio to other programs for the same work in the same run: what
# `farstate bench` times, by transformers' Mamba2 too if PEER_PYTHON (default python3) has torch and
# transformers, and by llama.cpp if that Python has xllamacpp and gguf and PEER_MODEL is a checkpoint
# of the 130m shape in transformers' spelling. Arguments go to `farstate bench`.
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
if [[ -n ${PEER_MODEL:-} ]] && "$peer" -c 'import xllamacpp, gguf' 2>/dev/null; then
  "$peer" "$root/bench/peers/llama_cpp_mamba2.py" "$PEER_MODEL" --report "$report" 2>/dev/null
else
  echo "llama.cpp was not timed: set PEER_MODEL, and PEER_PYTHON to one that has xllamacpp and gguf."
fi
