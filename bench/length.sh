#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Peak memory and time of evaluation by the length of the text: the embedded model, and a model of
# the shape of mamba2-130m with random weights. First the gate: what a short run gives for the
# first positions, a long one must give again, or nothing is timed.
#   bench/length.sh            the embedded model
#   bench/length.sh --large    and the large shape at 65,536 tokens, which takes minutes
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
# shellcheck source=../tools/setup.sh
. "$root/tools/setup.sh"

farstate_build farstate
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python3 - "$root/build/release/bin/farstate" "$scratch" "${1:-}" <<'PYTHON'
import array, json, os, random, struct, sys, time

program, scratch, large = sys.argv[1:]


def run(*words):
    """(peak resident MiB, seconds) of one run of the program."""
    start = time.time()
    child = os.fork()
    if child == 0:
        log = os.open(f"{scratch}/log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.execv(program, [program, *words])
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(open(f"{scratch}/log").read())
    return usage.ru_maxrss / 1024, time.time() - start


def losses(length):
    path = f"{scratch}/{length}.json"
    run("measure", "demo", "--length", str(length), "--sequences", "1", "--probes", "perplexity",
        "--part", "all", "--per-position", "--json", path)
    return json.load(open(path))["per_position"]["nll"][0]


def measure(name, length, *model):
    peak, seconds = run("measure", *model, "--length", str(length), "--sequences", "1",
                        "--probes", "perplexity,state")
    print(f"{name:<6} {length:>9} {peak:>10.0f} {seconds:>9.1f} {length / seconds:>10.0f}", flush=True)


# fp32, and other segments at the end: the same to rounding, where a lost state is off by 1e-2.
short = losses(2048)
gap = max(abs(a - b) for a, b in zip(short, losses(65536)))
if gap > 1e-4:
    sys.exit(f"Not timed: the first 2048 losses of a long run differ from a short one's by {gap}.")

print(f"{'model':<6} {'tokens':>9} {'peak MiB':>10} {'seconds':>9} {'tokens/s':>10}")
for length in (4096, 65536, 262144):
    measure("demo", length, "demo")
if large == "--large":
    config = {"model_type": "mamba2", "hidden_size": 768, "num_hidden_layers": 24, "num_heads": 24,
              "head_dim": 64, "state_size": 128, "n_groups": 1, "conv_kernel": 4, "expand": 2,
              "vocab_size": 50288, "tie_word_embeddings": True}
    json.dump(config, open(f"{scratch}/config.json", "w"))
    random.seed(1)
    ids = array.array("i", (random.randrange(50288) for _ in range(65536)))
    header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (65536,), }"
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    with open(f"{scratch}/ids.npy", "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + ids.tobytes())
    for length in (4096, 65536):
        measure("130m", length, "--init", f"{scratch}/config.json", "--tokens", f"{scratch}/ids.npy")
PYTHON
