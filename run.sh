#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and opens the window; arguments go to farstate-desktop.
# Without a display it does the same work in the terminal program and leaves pictures:
#   ./run.sh [--out FOLDER]
set -euo pipefail
# shellcheck source=tools/setup.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/tools/setup.sh"

case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in
  zh*)
    if [[ -z $(fc-list :lang=zh-cn family 2>/dev/null) ]]; then
      farstate_packages+=("$farstate_chinese_font")
    fi
    ;;
esac
farstate_build farstate farstate-desktop
bin=$farstate_build_dir/bin

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-} ]]; then
  exec "$bin/farstate-desktop" "$@"
fi
export QT_QPA_PLATFORM=offscreen
for argument in "$@"; do
  case $argument in
    --shot | --shot=* | --frames* | --screens* | --responsiveness* | --check | --render* | --diagnostics | --help | --version)
      exec "$bin/farstate-desktop" "$@" ;;
  esac
done

out=farstate-out-$(date +%Y-%m-%d-%H%M%S)
if (($# == 2)) && [[ $1 == --out ]]; then
  out=$2
elif (($# > 0)); then
  say "There is no display, so the window cannot open. Without one: ./run.sh --out FOLDER runs the"
  say "demo in the terminal program, ./run.sh --shot FILE.png … draws the window into a file, and"
  fail "$bin/farstate --help lists the commands of the terminal program."
fi

say "There is no display: running the demo in the terminal program, results in $out"
mkdir -p "$out"
"$bin/farstate" measure demo --json "$out/before.json"
"$bin/farstate" train demo --intervention state-passing --steps 200 --out "$out/model"
"$bin/farstate" measure "$out/model" --json "$out/after.json"
# The window does the same training once more, from the same recipe and so with the same numbers.
"$bin/farstate-desktop" demo --intervention state-passing --run --after 45 \
  --shot "$out/window.png" --plots "$out"
say "Done. In $out: before.json and after.json (the curves), model/ (the trained weights, for any"
say "tool that reads transformers' Mamba-2), and the plots as pictures: perplexity.png, state.png,"
say "effrem.png, training-loss.png, and the whole window.png."
