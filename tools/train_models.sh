#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the embedded models: resources/<name>/ with weights, tokenizer and farstate.json, from the
# config.json of each base. tools/gate.py says whether they show what they must (docs/DEMO.md).
#   tools/train_models.sh demo|demo-twins|register|english|english-twins [FARSTATE]
# The twins start from the files that the base has left, so the program need not be built between.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
models=${1:-}
farstate=$(realpath "${2:-$root/build/release/bin/farstate}")
cd "$root"  # so that the recorded recipes name no folder of this machine
out=build/models
mkdir -p "$out"

# keep NAME: what belongs to the program of a trained model.
keep() {
  mkdir -p "resources/$1"
  cp "$out/$1"/{config.json,model.safetensors,farstate.json,tokenizer.json} "resources/$1/"
}

# base NAME TEXT OPTIONS…: from scratch.
base() {
  local name=$1 text=$2
  shift 2
  rm -rf "${out:?}/$name" "${out:?}/tokenizer"
  "$farstate" tokenize --make words --generated "$text" --out "$out/tokenizer"
  cp "$out/tokenizer/tokenizer.json" "resources/$name/"
  "$farstate" train --init "resources/$name/config.json" --generated "$text" \
    --windows document-start --intervention zero --save-every 0 --out "$out/$name" "$@"
  keep "$name"
}

# twin NAME BASE LAW OPTIONS…: post-trained.
twin() {
  local name=$1 from=$2 law=$3
  shift 3
  rm -rf "${out:?}/$name"
  "$farstate" train "resources/$from" --intervention "$law" --save-every 0 --out "$out/$name" "$@"
  keep "$name"
}

# The zero state and windows of one document each: the model never sees the states of a stream. The
# cosine's end matters: while the rate is high the model fails far less past T.
demo() {
  base demo facts --context 64 --batch 16 --steps 3000 --lr 4e-3 --warmup 100 --schedule cosine \
    --seed 7
  demo-twins
}

demo-twins() {
  # Fewer steps, or a lower rate, flatten the curve too, but then perplexity below T is some per cent
  # higher.
  local post=(--context 64 --batch 32 --steps 600 --lr 2e-3 --warmup 10 --schedule cosine --seed 8)
  twin demo-control demo zero "${post[@]}"
  twin demo-random-noise demo random-noise "${post[@]}"
  twin demo-fitted-noise demo fitted-noise "${post[@]}"
  twin demo-state-passing demo state-passing "${post[@]}"
  # Half of the windows begin at zero: with a tenth, as elsewhere, the state grows more past T.
  twin demo-tbtt demo tbtt --zero-probability 0.5 "${post[@]}"
}

# keep_run RUN NAME: the same of a run of a task, which doesn't record that the program generates the
# task's text on its own too.
keep_run() {
  mkdir -p "resources/$2"
  cp "$out/$1"/{config.json,model.safetensors,tokenizer.json} "resources/$2/"
  python3 - "$out/$1/farstate.json" "resources/$2/farstate.json" <<'END'
import json, sys
with open(sys.argv[1]) as file: known = json.load(file)
known["text"] = "register"
with open(sys.argv[2], "w") as file: file.write(json.dumps(known, indent=2) + "\n")
END
}

register() {
  local task=("$farstate" task register train --context 64 --seed 1 --loss all --save-every 0
              --lengths 64 --trials 2)
  rm -rf "${out:?}/register" "${out:?}/register-twins"
  "${task[@]}" --layers 1 --arms zero --batch 64 --steps 2500 --lr 5e-3 --out "$out/register"
  keep_run register/zero-seed1 register
  "${task[@]}" "$out/register/zero-seed1" --arms zero,tbtt --batch 32 --steps 300 --lr 5e-4 \
    --schedule constant --warmup 10 --out "$out/register-twins"
  keep_run register-twins/tbtt-seed1 register-tbtt
}

english() {
  base english english --context 64 --batch 32 --steps 8000 --lr 4e-3 --warmup 100 \
    --schedule cosine --seed 7
  english-twins
}

english-twins() {
  local post=(--context 64 --batch 32 --steps 600 --lr 2e-3 --warmup 10 --schedule cosine --seed 8)
  twin english-state-passing english state-passing "${post[@]}"
  twin english-control english zero "${post[@]}"
}

case $models in
  demo | demo-twins | register | english | english-twins) "$models" ;;
  *) sed -n '5s/^# *//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
