# SPDX-License-Identifier: GPL-3.0-or-later
"""The same work as `farstate bench` by transformers' Mamba2 in PyTorch on the CPU.

    transformers_mamba2.py                  its own speed at the shapes that farstate has built in
    transformers_mamba2.py bench.json       at every shape of that report, with the ratio of the two
    transformers_mamba2.py bench.json C     C: the config.json that --model-config named, if it is gone

Needs torch and transformers (tools/requirements-golden.txt). float32; a training step is forward,
backward, clipping and AdamW, an evaluation the loss at every position of one text.
"""
import json
import statistics
import sys
import time

import torch
from transformers import Mamba2Config, Mamba2ForCausalLM
from transformers.utils import logging

logging.set_verbosity_error()

SHAPES = {  # model_dim, layers, head_dim, state_dim, vocabulary
    "0.1M": (64, 2, 32, 64, 256),
    "1M": (128, 6, 32, 64, 256),
    "10M": (256, 16, 64, 128, 4096),
    "130m": (768, 24, 64, 128, 50288),
}
WINDOWS = [(64, 32), (512, 4), (2048, 1)]  # context, batch
CHUNK = 64  # of its algorithm: of 32, 64, 128 and 256 the fastest at 512 x 4


def median_seconds(work):
    """As farstate takes it: the first run warms up, unless it took so long that it is the figure."""
    start = time.perf_counter()
    work()
    first = time.perf_counter() - start
    if first > 10:
        return first
    times = []
    while len(times) < 3 or sum(times) < 1:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def config_of(shape, path):
    if shape in SHAPES:
        model_dim, layers, head_dim, state_dim, vocabulary = SHAPES[shape]
        return Mamba2Config(
            hidden_size=model_dim, num_hidden_layers=layers, head_dim=head_dim,
            num_heads=2 * model_dim // head_dim, state_size=state_dim, n_groups=1, expand=2,
            conv_kernel=4, chunk_size=CHUNK, vocab_size=vocabulary, tie_word_embeddings=True,
            pad_token_id=0, bos_token_id=0, eos_token_id=0)
    given = json.load(open(path or shape))
    if given.get("model_type") != "mamba2":
        sys.exit(f"{path or shape} is not in Hugging Face's spelling; transformers can't read it.")
    for key in ("pad_token_id", "bos_token_id", "eos_token_id"):
        given[key] = 0
    given["chunk_size"] = CHUNK
    return Mamba2Config(**given)


def available_bytes():
    for line in open("/proc/meminfo"):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    return 0


def longest(config, length):
    """The longest text that it can evaluate in half of the memory that is left, up to `length`.

    It holds two arrays [length, chunk, heads, state] at once, and the logits twice.
    """
    per_token = 4 * (2 * CHUNK * config.num_heads * config.state_size + 2 * config.vocab_size)
    while length > CHUNK and length * per_token > available_bytes() / 2:
        length //= 2
    return length


def train_speed(config, context, batch):
    model = Mamba2ForCausalLM(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4, fused=True)
    ids = torch.randint(0, config.vocab_size, (batch, context))

    def step():
        loss = model(ids, labels=ids, use_cache=False).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()

    return batch * context / median_seconds(step)


@torch.no_grad()
def evaluate_speed(config, length):
    model = Mamba2ForCausalLM(config)
    ids = torch.randint(0, config.vocab_size, (1, length))

    def evaluate():
        logits = model(ids, use_cache=False).logits
        torch.nn.functional.cross_entropy(logits[0, :-1], ids[0, 1:], reduction="none")

    return length / median_seconds(evaluate)


def without_a_report():
    rows = [{"shape": s, "context": c, "batch": b, "dtype": "float32"}
            for s in list(SHAPES)[:3] for c, b in WINDOWS]
    texts = [{"shape": s, "length": 8192, "dtype": "float32"} for s in SHAPES]
    return {"train": rows, "evaluate": texts}


def columns(row, theirs):
    ours = row.get("tokens_per_second")
    return f"{theirs:>12.0f}" + (f" {ours:>12.0f} {ours / theirs:>7.2f}" if ours else "")


def main(arguments):
    report = json.load(open(arguments[0])) if arguments else without_a_report()
    path = arguments[1] if len(arguments) > 1 else None
    threads = report.get("machine", {}).get("threads")
    if threads:
        torch.set_num_threads(threads)
    torch.manual_seed(1)
    ours = f" {'farstate':>12} {'ratio':>7}" if arguments else ""
    print(f"transformers' Mamba2, torch {torch.__version__}, float32, {torch.get_num_threads()} threads; "
          "tokens per second")
    if report["train"]:
        print(f"\n{'training':<24} {'context':>8} {'batch':>6} {'dtype':<9} {'transformers':>12}{ours}")
    speeds = {}
    for row in report["train"]:
        work = (row["shape"], row["context"], row["batch"])
        if work not in speeds:
            speeds[work] = train_speed(config_of(row["shape"], path), *work[1:])
        print(f"{row['shape']:<24} {row['context']:>8} {row['batch']:>6} {row['dtype']:<9} "
              f"{columns(row, speeds[work])}", flush=True)
    if report["evaluate"]:
        print(f"\n{'evaluation':<24} {'length':>8} {'':>6} {'dtype':<9} {'transformers':>12}{ours}")
    for row in report["evaluate"]:
        config = config_of(row["shape"], path)
        length = longest(config, row["length"])
        work = (row["shape"], length)
        if work not in speeds:
            speeds[work] = evaluate_speed(config, length)
        shorter = "" if length == row["length"] else f"   transformers over {length}: memory"
        print(f"{row['shape']:<24} {row['length']:>8} {'':>6} {row['dtype']:<9} "
              f"{columns(row, speeds[work])}{shorter}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
