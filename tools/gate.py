#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Says whether an embedded model shows what it is there for, and writes the report.

    gate.py demo [--farstate build/release/bin/farstate] [--seeds 10] [--out build/gate]

Runs `farstate experiment`: every law of the initial state with as many seeds, all from the same
model, with the same data, steps and learning rate, measured on the same held-out sequences. Started
again, it goes on where it was ended. Writes docs/gates/<model>.json and docs/gates/<model>.md, to
which docs/DEMO.md points, and a picture into docs/images. Exit code 1 if a condition isn't met.
"""

import argparse
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
T = 64
CONTROL, REPAIRS = "zero", ("state-passing", "tbtt")
# Positions in tokens that were read, from the first to the second, which is included.
RANGES = {"1 to T/2": (0, T // 2), "T/2 to T": (T // 2, T), "T to 2T": (T, 2 * T),
          "2T to 4T": (2 * T, 4 * T), "4T to 8T": (4 * T, 8 * T), "8T to 16T": (8 * T, 16 * T)}
WITHIN, BEYOND = "T/2 to T", "8T to 16T"
STATE_AT = {"T": T, "2T": 2 * T, "4T": 4 * T, "16T": 16 * T}

TRAINING = {
    "demo": ["--arms", "zero,random-noise,fitted-noise,state-passing,tbtt", "--steps", "600",
             "--lr", "2e-3", "--schedule", "cosine", "--batch", "32"],
}
# Position 16T is in the last bin, and with one bin per octave bins end where the ranges do.
MEASURING = ["--length", str(16 * T + 1), "--sequences", "96", "--bins-per-octave", "1",
             "--probes", "perplexity,state", "--scored", "predictable"]


def whole_model(run, name):
    return next(s for s in run["series"]
                if s["name"] == name and s.get("layer") is None and s.get("head") is None)


def mean_over(series, low, high):
    """The mean loss over the bins of a range, weighed by their positions."""
    total = weight = 0
    for y, begin, end in zip(series["y"], series["bin_begin"], series["bin_end"]):
        if begin > low and end <= high + 1:
            total += y * (end - begin)
            weight += end - begin
    return total / weight if weight else math.nan


def value_near(series, position):
    return min(zip(series["x"], series["y"]), key=lambda point: abs(point[0] - position))[1]


def numbers_of(run):
    """What conditions and tables are about, of one run or of the base."""
    found = {"arm": run["arm"], "seed": run["seed"], "steps": run["steps"]}
    for key, name in (("predictable", "predictable_loss"), ("all", "loss")):
        loss = whole_model(run, name)
        found[key] = {label: math.exp(mean_over(loss, *ends)) for label, ends in RANGES.items()}
        found[key]["1 to T"] = math.exp(mean_over(loss, 0, T))
    state = whole_model(run, "model_state_std")
    found["state"] = {label: value_near(state, position) for label, position in STATE_AT.items()}
    found["ratio"] = found["predictable"][BEYOND] / found["predictable"][WITHIN]
    found["growth"] = found["state"]["16T"] / found["state"]["T"]
    return found


class Conditions:
    def __init__(self):
        self.lines = []

    def add(self, what, wanted, found, met):
        self.lines.append({"what": what, "wanted": wanted, "found": found, "met": bool(met)})

    def share(self, what, wanted, values, good):
        """Met where it is in 9 of 10 seeds."""
        met = sum(1 for value in values if good(value))
        spread = f"{min(values):.3g} to {max(values):.3g}"
        self.add(what, wanted, f"{spread}; {met} of {len(values)} seeds", 10 * met >= 9 * len(values))


def judge_demo(base, runs):
    conditions = Conditions()
    conditions.add("base: ratio", "1.5 or more", f"{base['ratio']:.3g}", base["ratio"] >= 1.5)
    conditions.share(f"{CONTROL} (control): ratio", "above 1.35",
                     [r["ratio"] for r in runs if r["arm"] == CONTROL], lambda v: v > 1.35)
    for arm in REPAIRS:
        mine = [r for r in runs if r["arm"] == arm]
        conditions.share(f"{arm}: ratio", "below 1.15", [r["ratio"] for r in mine],
                         lambda v: v < 1.15)
        conditions.share(f"{arm}: perplexity up to T, to that of the base", "1.01 or less",
                         [r["predictable"]["1 to T"] / base["predictable"]["1 to T"] for r in mine],
                         lambda v: v <= 1.01)
        conditions.share(f"{arm}: state at 16T to T", "below 1.1",
                         [r["growth"] for r in mine], lambda v: v < 1.1)
    conditions.add("base: state at 16T to T", "1.2 or more", f"{base['growth']:.3g}",
                   base["growth"] >= 1.2)
    return conditions.lines


JUDGES = {"demo": judge_demo}


def mean_and_spread(values):
    mean = statistics.fmean(values)
    return f"{mean:.3g} ± {statistics.stdev(values):.2g}" if len(values) > 1 else f"{mean:.3g}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def by_range(key, base, arms, labels):
    rows = [["base"] + [f"{base[key][label]:.3g}" for label in labels]]
    for arm, runs in arms.items():
        name = f"{arm} (control)" if arm == CONTROL else arm
        rows.append([name] + [mean_and_spread([r[key][label] for r in runs]) for label in labels])
    return table([""] + list(labels), rows)


def report(model, gate):
    base, arms = gate["base"], {}
    for run in gate["runs"]:
        arms.setdefault(run["arm"], []).append(run)
    seeds = sorted({run["seed"] for run in gate["runs"]})
    lines = [f"<!-- Written by tools/gate.py {model}. -->", f"# The gate of `{model}`", "",
             f"`{gate['command']}`", "",
             f"T = {T}. Seeds {', '.join(map(str, seeds))} of post-training; mean ± standard "
             f"deviation over them. {gate['seconds']:.0f} s of processor time for each run's training "
             "and measurement on average.", ""]
    lines += table(["condition", "wanted", "found", ""],
                   [[c["what"], c["wanted"], c["found"], "yes" if c["met"] else "**no**"]
                    for c in gate["conditions"]])
    lines += ["", "A ratio is the perplexity of predictable tokens from 8T to 16T by that from T/2 to "
              "T.", "", "Perplexity of predictable tokens, by tokens read:", ""]
    lines += by_range("predictable", base, arms, RANGES)
    lines += ["", "Perplexity of all tokens:", ""]
    lines += by_range("all", base, arms, RANGES)
    lines += ["", "Standard deviation of the whole state's elements:", ""]
    lines += by_range("state", base, arms, STATE_AT)
    lines += ["", f"![Perplexity by position](../images/gate-{model}.png)", ""]
    return "\n".join(lines)


def draw(farstate, model, twins, out):
    """The curves of the embedded twins over those of their base."""
    files = []
    for name in [model] + twins:
        files.append(out / f"{name}.json")
        subprocess.run([farstate, "measure", name, "--length", "4096", "--sequences", "24",
                        "--probes", "perplexity,state", "--json", files[-1]],
                       check=True, stdout=subprocess.DEVNULL)
    pictures = out / "pictures"
    subprocess.run([farstate, "plot", *files, "--plots", "perplexity", "--size", "640x320",
                    "--out", pictures], check=True, stdout=subprocess.DEVNULL)
    images = ROOT / "docs/images"
    (images / f"gate-{model}.png").write_bytes((pictures / "perplexity.png").read_bytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", choices=sorted(TRAINING))
    parser.add_argument("--farstate", default=ROOT / "build/release/bin/farstate")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/gate")
    options = parser.parse_args()
    out = options.out.resolve() / options.model
    out.mkdir(parents=True, exist_ok=True)
    command = ["experiment", options.model, *TRAINING[options.model], "--seeds", str(options.seeds),
               "--seed", "1", *MEASURING]
    results = out / "experiment.json"
    subprocess.run([options.farstate, *command, "--out", out / "runs", "--json", results,
                    "--store", out / "store.sqlite"], check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    experiment = json.loads(results.read_text())
    base = numbers_of(experiment["base"])
    runs = [numbers_of(run) for run in experiment["arms"]]
    gate = {"model": options.model, "command": " ".join(["farstate", *command]),
            "seconds": (used.ru_utime + used.ru_stime) / max(1, len(runs)),
            "base": base, "runs": runs, "conditions": JUDGES[options.model](base, runs)}
    draw(options.farstate, options.model,
         [f"{options.model}-{twin}" for twin in ("control", *REPAIRS)], out)
    folder = ROOT / "docs/gates"
    folder.mkdir(exist_ok=True)
    (folder / f"{options.model}.json").write_text(json.dumps(gate, indent=1) + "\n")
    (folder / f"{options.model}.md").write_text(report(options.model, gate))
    print((folder / f"{options.model}.md").read_text())
    return 0 if all(c["met"] for c in gate["conditions"]) else 1


if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    sys.exit(main())
