#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Trains and scores the small models of docs/TASKS.md, which has the tables that this prints.
#   tools/task_models.sh passkey|copying|register [FARSTATE] [OUT]
# The same command again goes on where it was ended.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
task=${1:-}
farstate=$(realpath "${2:-$root/build/release/bin/farstate}")
out=$(realpath -m "${3:-$root/build/tasks}")

post_training=(--schedule constant --warmup 10 --save-every 0)

# Each seed's model is the start of its own arms, so that the spread over seeds is that of models.
passkey() {
  "$farstate" task passkey train --arms zero --seeds 3 --seed 1 --context 64 --batch 16 \
    --steps 1500 --lr 1e-2 --save-every 0 --lengths 64,128,256,512,1024 \
    --out "$out/passkey" --json "$out/passkey.json"
  local noise=random-noise:sigma seed
  for seed in 1 2 3; do
    "$farstate" task passkey train "$out/passkey/zero-seed$seed" --seed "$seed" --context 64 \
      --arms "zero,$noise=0.1,$noise=0.3,$noise=1,$noise=3,fitted-noise,state-passing,tbtt" \
      --batch 16 --steps 200 --lr 1e-3 "${post_training[@]}" \
      --lengths 64,128,256,512,1024,2048 \
      --out "$out/passkey-arms-$seed" --json "$out/passkey-arms-$seed.json"
  done
}

copying() {
  "$farstate" task copying train --seeds 3 --seed 1 --layers 1 --head-dim 32 --context 128 \
    --arms zero,state-passing,tbtt,fitted-noise --batch 16 \
    --steps 1500 --lr 7e-3 --warmup 100 --save-every 0 --lengths 10,20,40,64,100 --paper \
    --out "$out/copying" --json "$out/copying.json"
}

register() {
  "$farstate" task register train --layers 1 --arms zero --seed 1 --context 64 --batch 32 \
    --steps 2000 --lr 1e-2 --save-every 0 --trials 8 \
    --out "$out/register" --json "$out/register.json"
  "$farstate" task register train "$out/register/zero-seed1" --seeds 3 --seed 1 --context 64 \
    --arms zero,random-noise:sigma=1,fitted-noise,state-passing,tbtt \
    --batch 32 --steps 300 --lr 5e-4 "${post_training[@]}" --trials 8 \
    --out "$out/register-arms" --json "$out/register-arms.json"
}

case $task in
  passkey | copying | register) mkdir -p "$out"; "$task" ;;
  *) sed -n '4,5s/^# *//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
