# SPDX-License-Identifier: GPL-3.0-or-later
"""The same work as bench/model_bench.cpp by transformers' Mamba2 in PyTorch on the CPU.

Needs torch and transformers (tools/requirements-golden.txt). Prints one line per shape.
"""
import statistics
import time

import torch
from transformers import Mamba2Config, Mamba2ForCausalLM
from transformers.utils import logging

logging.set_verbosity_error()

SIZES = [  # name, model_dim, layers, head_dim, state_dim, vocabulary
    ("0.1M", 64, 2, 32, 64, 256),
    ("1M", 128, 6, 32, 64, 256),
    ("10M", 256, 16, 64, 128, 4096),
]
SHAPES = [(64, 32), (512, 4), (2048, 1)]  # context, batch


def median_seconds(work):
    work()
    times = []
    while len(times) < 3 or sum(times) < 2:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def build(model_dim, layers, head_dim, state_dim, vocabulary):
    config = Mamba2Config(
        hidden_size=model_dim, num_hidden_layers=layers, head_dim=head_dim,
        num_heads=2 * model_dim // head_dim, state_size=state_dim, n_groups=1, expand=2,
        conv_kernel=4, chunk_size=64, vocab_size=vocabulary, tie_word_embeddings=True,
        pad_token_id=0, bos_token_id=0, eos_token_id=0)
    return Mamba2ForCausalLM(config)


def main():
    torch.manual_seed(1)
    print(f"threads {torch.get_num_threads()}, torch {torch.__version__}, transformers peer\n")
    print(f"{'size':<5} {'context':>8} {'batch':>6} {'train tok/s':>12} {'eval tok/s':>12}")
    for name, *size in SIZES:
        model = build(*size)
        optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4, fused=True)
        for context, batch in SHAPES:
            ids = torch.randint(0, size[-1], (batch, context))

            def train():
                loss = model(ids, labels=ids, use_cache=False).loss
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()

            @torch.no_grad()
            def evaluate():
                logits = model(ids, use_cache=False).logits
                torch.nn.functional.cross_entropy(
                    logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(), reduction="none")

            tokens = batch * context
            print(f"{name:<5} {context:>8} {batch:>6} {tokens / median_seconds(train):>12.0f} "
                  f"{tokens / median_seconds(evaluate):>12.0f}", flush=True)


if __name__ == "__main__":
    main()
