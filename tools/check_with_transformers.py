#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks folders that Farstate wrote against the programs that they are for.

    check_with_transformers.py FARSTATE MODEL [--like FOLDER]

FARSTATE is the program, MODEL a checkpoint. It is converted into both forms. transformers must load
the one and give every token the loss that `FARSTATE measure` gives; torch.load must read the other
with weights_only, under the names of mamba_ssm's MambaLMHeadModel. --like names a folder of
mamba_ssm with the original pytorch_model.bin, whose tensors must come out unchanged.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
import torch.nn.functional as F
import transformers
from transformers import AutoModelForCausalLM

# Two float32 computations in different orders, each off by some 1e3 roundings of 2^-24.
LOSS_TOLERANCE = 2e-5


def farstate(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def check_hugging_face(program, folder, work):
    model, info = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32,
                                                       output_loading_info=True)
    for kind, names in info.items():
        assert not names, f"{kind}: {names}"
    ids = np.random.default_rng(1).integers(0, model.config.vocab_size, (3, 97)).astype(np.int32)
    np.save(work / "ids.npy", ids)
    farstate(program, "measure", folder, "--tokens", work / "ids.npy", "--probes", "perplexity",
             "--per-position", "--json", work / "ours.json", "--precision", "float32")
    ours = json.loads((work / "ours.json").read_text())["per_position"]
    assert ours["tokens"] == ids.tolist()
    tokens = torch.from_numpy(ids.astype(np.int64))
    with torch.no_grad():
        logits = model(tokens, use_cache=False).logits
    theirs = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    error = (torch.tensor(ours["nll"]) - theirs).abs().max().item() / theirs.abs().max().item()
    print(f"transformers {transformers.__version__}: largest difference of a token's loss {error:.1e}")
    assert error < LOSS_TOLERANCE


def names_of_mamba_ssm(config):
    """The keys of MambaLMHeadModel.state_dict() for Mamba-2 layers."""
    layer = config["ssm_cfg"]
    mixer = ["dt_bias", "A_log", "D", "in_proj.weight", "conv1d.weight", "norm.weight",
             "out_proj.weight"]
    if layer.get("conv_bias", True):
        mixer.append("conv1d.bias")
    if layer.get("bias", False):
        mixer += ["in_proj.bias", "out_proj.bias"]
    names = {"backbone.embedding.weight", "backbone.norm_f.weight", "lm_head.weight"}
    for i in range(config["n_layer"]):
        names.add(f"backbone.layers.{i}.norm.weight")
        names |= {f"backbone.layers.{i}.mixer.{name}" for name in mixer}
    return names


def check_state_spaces(folder, like):
    config = json.loads((folder / "config.json").read_text())
    state = torch.load(folder / "pytorch_model.bin", weights_only=True)
    assert state.keys() == names_of_mamba_ssm(config), state.keys() ^ names_of_mamba_ssm(config)
    multiple = config["pad_vocab_size_multiple"]
    rows = -(-config["vocab_size"] // multiple) * multiple
    assert state["backbone.embedding.weight"].shape[0] == rows
    tied = state["lm_head.weight"].data_ptr() == state["backbone.embedding.weight"].data_ptr()
    assert tied == config["tie_embeddings"]
    if like is not None:
        original = torch.load(like / "pytorch_model.bin", weights_only=True)
        assert state.keys() == original.keys()
        for name, value in original.items():
            assert state[name].dtype == value.dtype and torch.equal(state[name], value), name
    print(f"torch {torch.__version__}: {len(state)} tensors{' unchanged' if like else ''}, head "
          f"{'tied' if tied else 'of its own'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("farstate")
    parser.add_argument("model")
    parser.add_argument("--like", type=pathlib.Path)
    arguments = parser.parse_args()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for form in ("hf", "state-spaces"):
            farstate(arguments.farstate, "convert", arguments.model, work / form, "--format", form)
        check_hugging_face(arguments.farstate, work / "hf", work)
        check_state_spaces(work / "state-spaces", arguments.like)


if __name__ == "__main__":
    sys.exit(main())
