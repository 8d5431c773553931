#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tools/acceptance.sh [SECONDS]: what is wanted of the window, line by line, with what is found on this
# machine. SECONDS of it are one training without an end (1800). Nothing else should be at work.
# Wants what ./test.sh builds; code 1 if a line is not met.
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." || exit 1
bin=build/release/bin
export QT_QPA_PLATFORM=offscreen LANG=C.UTF-8 OMP_WAIT_POLICY=PASSIVE

own=$(mktemp -d)  # settings and runs of the person who calls it stay as they are
trap 'rm -rf "$own"' EXIT
export XDG_CONFIG_HOME=$own/config XDG_STATE_HOME=$own/state XDG_DATA_HOME=$own/data
export FARSTATE_STORE=$own/runs.sqlite

met=0
tests() {  # WHAT FILTER [VARIABLE=VALUE…]
  local what=$1 filter=$2 word=yes
  shift 2
  if ! env "$@" "$bin/desktop_test" --gtest_filter="$filter" >"$own/log" 2>&1; then
    word='NO ' met=1
    grep -E '^\[  FAILED|Failure' "$own/log" | sort -u | head -n 5
  fi
  printf '%-3s  %s: %s\n' "$word" "$what" "$(sed -n 's/^\[  PASSED  \] //p' "$own/log")"
}

"$bin/farstate-desktop" demo --responsiveness "${1:-1800}" || met=1
for scale in 1 1.25 2; do
  tests "no text is cut at scale $scale, English and Chinese" '*ClippedText*' "QT_SCALE_FACTOR=$scale"
done
tests 'colours stand out and apart, for the colour-blind too' 'Theme.*'
tests 'plots and tables as PNG, SVG, PDF, CSV, with their recipe' 'ExportTest.*'
tests 'a session gives back every setting, in every state' 'SessionFile.*:*SessionStateTest*:SessionTest.*'
tests 'the terminal program makes the same numbers' 'HeadlessTwin.*'
tests 'ten walks of 500 commands' '*RandomWalk*' FARSTATE_WALKS=10
exit "$met"
