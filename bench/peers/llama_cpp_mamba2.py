# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens per second at which llama.cpp reads a Mamba-2 checkpoint with logits at every position.

    llama_cpp_mamba2.py MODEL [--tokens 2048] [--losses FILE.npy]
    llama_cpp_mamba2.py MODEL --report bench.json     with the ratio to the report's 130m shape

MODEL is a folder with config.json and model.safetensors in transformers' spelling (float32, one
file). Needs numpy, safetensors, gguf and xllamacpp: of the last only its library is used, through
llama.cpp's C interface, since PyPI has no other build of it for this system. The checkpoint is
written as a GGUF file of float32 beside a temporary name and removed again.

The losses of the tokens, which are those that --losses writes, let another program's be set beside
them: a peer that computes something else is not a peer. Computing them is not part of the time.
"""
import argparse
import ctypes
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import load_file

BATCH = 512  # tokens that one call reads, llama.cpp's own default


def write_gguf(model: Path, to: str) -> dict:
    config = json.loads((model / "config.json").read_text())
    weights = load_file(model / "model.safetensors")
    heads, groups = config["num_heads"], config["n_groups"]
    inner = heads * config["head_dim"]

    writer = gguf.GGUFWriter(to, "mamba2")
    writer.add_context_length(1 << 20)
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(0)
    writer.add_head_count(0)
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_ssm_conv_kernel(config["conv_kernel"])
    writer.add_ssm_inner_size(inner)
    writer.add_ssm_state_size(config["state_size"])
    writer.add_ssm_time_step_rank(heads)
    writer.add_ssm_group_count(groups)
    writer.add_layer_norm_rms_eps(config["layer_norm_epsilon"])
    writer.add_vocab_size(config["vocab_size"])
    writer.add_tokenizer_model("no_vocab")

    def add(name: str, values: np.ndarray) -> None:
        writer.add_tensor(name, np.ascontiguousarray(values, dtype=np.float32))

    add("token_embd.weight", weights["backbone.embeddings.weight"])
    add("output_norm.weight", weights["backbone.norm_f.weight"])
    if "lm_head.weight" in weights:
        add("output.weight", weights["lm_head.weight"])
    for i in range(config["num_hidden_layers"]):
        layer, block = f"backbone.layers.{i}.", f"blk.{i}."
        mixer = layer + "mixer."
        add(block + "attn_norm.weight", weights[layer + "norm.weight"])
        add(block + "ssm_in.weight", weights[mixer + "in_proj.weight"])
        add(block + "ssm_conv1d.weight", weights[mixer + "conv1d.weight"].squeeze(1))
        add(block + "ssm_conv1d.bias", weights[mixer + "conv1d.bias"])
        add(block + "ssm_dt.bias", weights[mixer + "dt_bias"])
        add(block + "ssm_a", -np.exp(weights[mixer + "A_log"]).reshape(heads, 1))
        add(block + "ssm_d", weights[mixer + "D"].reshape(heads, 1))
        add(block + "ssm_norm.weight", weights[mixer + "norm.weight"].reshape(groups, inner // groups))
        add(block + "ssm_out.weight", weights[mixer + "out_proj.weight"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return config


class Batch(ctypes.Structure):  # llama_batch
    _fields_ = [("n_tokens", ctypes.c_int32), ("token", ctypes.POINTER(ctypes.c_int32)),
                ("embd", ctypes.POINTER(ctypes.c_float)), ("pos", ctypes.POINTER(ctypes.c_int32)),
                ("n_seq_id", ctypes.POINTER(ctypes.c_int32)),
                ("seq_id", ctypes.POINTER(ctypes.POINTER(ctypes.c_int32))),
                ("logits", ctypes.POINTER(ctypes.c_int8))]


class Params(ctypes.Structure):
    """llama.cpp's parameter structs, whose fields differ between versions: filled by the library,
    handed back as they are. They are shorter than this and passed in memory from the front."""
    _fields_ = [("bytes", ctypes.c_int64 * 64)]


def library() -> ctypes.CDLL:
    import xllamacpp
    lib = ctypes.CDLL(str(next(Path(xllamacpp.__file__).parent.glob("xllamacpp*.so"))))
    for name, result, arguments in [
        ("llama_backend_init", None, []),
        ("llama_model_default_params", Params, []),
        ("llama_context_default_params", Params, []),
        ("llama_model_load_from_file", ctypes.c_void_p, [ctypes.c_char_p, Params]),
        ("llama_init_from_model", ctypes.c_void_p, [ctypes.c_void_p, Params]),
        ("llama_set_n_threads", None, [ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32]),
        ("llama_batch_init", Batch, [ctypes.c_int32] * 3),
        ("llama_decode", ctypes.c_int32, [ctypes.c_void_p, Batch]),
        ("llama_get_logits", ctypes.POINTER(ctypes.c_float), [ctypes.c_void_p]),
        ("llama_get_memory", ctypes.c_void_p, [ctypes.c_void_p]),
        ("llama_memory_clear", None, [ctypes.c_void_p, ctypes.c_bool]),
    ]:
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


def read(lib, context, batch, ids, vocabulary, losses=None) -> float:
    """Reads ids from a zero state; seconds of llama.cpp alone. Fills losses of ids[1:]."""
    lib.llama_memory_clear(lib.llama_get_memory(context), True)
    seconds = 0.0
    for first in range(0, len(ids), BATCH):
        part = ids[first:first + BATCH]
        batch.n_tokens = len(part)
        for i, token in enumerate(part):
            batch.token[i], batch.pos[i], batch.n_seq_id[i] = int(token), first + i, 1
            batch.seq_id[i][0], batch.logits[i] = 0, 1
        start = time.perf_counter()
        if lib.llama_decode(context, batch) != 0:
            raise SystemExit("llama.cpp could not read the tokens.")
        pointer = lib.llama_get_logits(context)
        seconds += time.perf_counter() - start
        if losses is None:
            continue
        logits = np.ctypeslib.as_array(pointer, (len(part), vocabulary)).astype(np.float64)
        highest = logits.max(axis=1)
        log_sum = highest + np.log(np.exp(logits - highest[:, None]).sum(axis=1))
        for i in range(min(len(part), len(ids) - 1 - first)):
            losses[first + i] = log_sum[i] - logits[i, ids[first + i + 1]]
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--tokens", type=int, default=2048)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--ids", type=Path, help=".npy of token ids instead of random ones")
    parser.add_argument("--losses", type=Path, help="where to write the losses, .npy of float64")
    parser.add_argument("--report", type=Path, help="of `farstate bench`")
    options = parser.parse_args()
    ours = None
    if options.report:
        report = json.loads(options.report.read_text())
        options.threads = report["machine"]["threads"]
        ours = next((row for row in report["evaluate"]
                     if row["shape"] == "130m" and row["dtype"] == "float32"), None)

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.gguf")
        config = write_gguf(options.model, path)
        lib = library()
        lib.llama_backend_init()
        model = lib.llama_model_load_from_file(path.encode(), lib.llama_model_default_params())
        context = model and lib.llama_init_from_model(model, lib.llama_context_default_params())
        if not context:
            raise SystemExit(f"llama.cpp could not load {options.model}; its lines above say why.")
    lib.llama_set_n_threads(context, options.threads, options.threads)

    vocabulary = config["vocab_size"]
    ids = (np.load(options.ids).ravel()[:options.tokens] if options.ids
           else np.random.default_rng(1).integers(0, vocabulary, options.tokens))
    batch = lib.llama_batch_init(BATCH, 0, 1)
    losses = np.zeros(len(ids) - 1)
    read(lib, context, batch, ids, vocabulary, losses)
    seconds = statistics.median(read(lib, context, batch, ids, vocabulary) for _ in range(3))
    if options.losses:
        np.save(options.losses, losses)
    speed = len(ids) / seconds
    print(f"llama.cpp: {len(ids)} tokens, {options.threads} threads, mean loss {losses.mean():.4f}, "
          f"{speed:.0f} tokens/s (without the losses' own arithmetic)")
    if ours:
        print(f"farstate: {ours['length']} tokens with their losses, "
              f"{ours['tokens_per_second']:.0f} tokens/s, ratio {ours['tokens_per_second'] / speed:.2f}")


if __name__ == "__main__":
    main()
