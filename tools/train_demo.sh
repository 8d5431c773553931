#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the embedded starting checkpoint of the demonstration, resources/demo/model.safetensors,
# and prints the curves by which it is accepted (docs/DEMO.md says what they must show).
#   tools/train_demo.sh [FARSTATE] [OUT]
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
farstate=$(realpath "${1:-$root/build/release/bin/farstate}")
out=$(realpath -m "${2:-$root/build/demo}")
cd "$root"  # so that the recorded recipe names no folder of this machine

# The zero state and windows of one document each: the model never sees the states of a stream.
# The cosine's end matters: while the rate is high the model fails far less past T.
"$farstate" train --init resources/demo/config.json --windows document-start \
  --intervention zero --steps 2000 --context 64 --batch 32 --lr 4e-3 --warmup 100 \
  --schedule cosine --seed 7 --out "$out"

"$farstate" measure "$out" --windows document-start --length 4096 --sequences 64 \
  --probes perplexity,state --json "$out/measure.json"
