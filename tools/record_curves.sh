#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures built-in models as the window does at its start, into resources/recorded/MODEL.json: the
# curves that it shows before the model is loaded. Wanted after every change of a model, its text or
# what is measured of it; a test of the window compares them with the model.
#   tools/record_curves.sh [MODEL…]
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
farstate=${FARSTATE:-$root/build/release/bin/farstate}
cd "$root"
made=$(date --utc --date="@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%F)

models=("$@")
if [ ${#models[@]} -eq 0 ]; then
  for config in resources/*/config.json; do models+=("$(basename "$(dirname "$config")")"); done
fi
mkdir -p resources/recorded
for model in "${models[@]}"; do
  out=resources/recorded/$model.json
  "$farstate" measure "$model" --probes perplexity,state,effrem,dynamics --json "$out.new"
  python3 - "$out.new" "$made" <<'END'
import json, sys
path, made = sys.argv[1:]
with open(path) as file: results = json.load(file)
results["made"] = made
with open(path, "w") as file: json.dump(results, file, separators=(",", ":"))
END
  mv "$out.new" "$out"
done
