#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What it costs to look at the states: the time of a sweep with all probes of the state beside that of
# a sweep with the perplexity alone. First the gate: the losses of both are the same, or nothing is
# printed. Both are timed in turn, and the least of the runs counts, since other work on the machine
# can only add to it.
#   bench/probes.sh                            the embedded model, 65,536 tokens, 1 and 8 sequences
#   bench/probes.sh MODEL LENGTH SEQUENCES …   another one, with further words for measure, such as
#                                              --tokens FILE.npy; RUNS=3 says how often
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
# shellcheck source=../tools/setup.sh
. "$root/tools/setup.sh"

farstate_build farstate
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python3 - "$root/build/release/bin/farstate" "$scratch" "${RUNS:-3}" "$@" <<'PYTHON'
import json, os, sys, time

program, scratch, runs, *given = sys.argv[1:]
PLAIN = "perplexity"
ALL = "perplexity,state,distribution,dynamics"


def run(model, length, sequences, probes):
    """The curve of losses, and (seconds, processor seconds, peak MiB) of one run of the program."""
    out = f"{scratch}/out.json"
    words = [program, "measure", *model, "--length", length, "--sequences", sequences, "--probes",
             probes, "--part", "all", "--json", out]
    start = time.time()
    child = os.fork()
    if child == 0:
        log = os.open(f"{scratch}/log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.execv(program, words)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(open(f"{scratch}/log").read())
    cost = (time.time() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
    series = {s["name"]: s["y"] for s in json.load(open(out))["series"] if s["layer"] is None}
    return series["loss"], cost


def compare(name, model, length, sequences):
    plain, every = [], []
    for _ in range(int(runs)):
        a, cost = run(model, length, sequences, PLAIN)
        plain.append(cost)
        b, cost = run(model, length, sequences, ALL)
        every.append(cost)
        # Shown states end segments, so that matrix products have other shapes: fp32 rounding.
        gap = max(abs(x - y) for x, y in zip(a, b))
        if len(a) != len(b) or gap > 1e-4:
            sys.exit(f"Not timed: with all probes the losses of {name} differ by {gap}.")
    least = [[min(cost[i] for cost in costs) for i in range(3)] for costs in (plain, every)]
    (t, cpu, peak), (t_all, cpu_all, peak_all) = least
    print(f"{name:<12} {length:>8} {sequences:>5} {t:>9.2f} {t_all:>9.2f} {t_all / t:>7.2f} "
          f"{cpu_all / cpu:>9.2f} {peak:>10.0f} {peak_all:>10.0f}", flush=True)


print(f"{'model':<12} {'tokens':>8} {'rows':>5} {'seconds':>9} {'all':>9} {'ratio':>7} "
      f"{'cpu ratio':>9} {'peak MiB':>10} {'all':>10}")
if given:
    model, length, sequences, *words = given
    compare(os.path.basename(model.rstrip("/")), [model, *words], length, sequences)
else:
    for sequences in ("1", "8"):
        compare("demo", ["demo"], "65536", sequences)
PYTHON
