#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes tests/golden/checkpoints: small Mamba-2 models with random weights, in every form in which
such models are published, and the logits that transformers' Mamba-2 gives them in float32.

Every weight is a number that float32, float16 and bfloat16 all hold exactly, so one model has the
same weights in all its folders, whatever their dtype. tests/golden/README.md describes the folders.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import sys
from collections import OrderedDict

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import torch
import transformers
from safetensors.torch import save_file, save_model
from transformers import Mamba2Config, Mamba2ForCausalLM

EMBEDDING = "backbone.embeddings.weight"  # transformers' name
NATIVE_EMBEDDING = "backbone.embedding.weight"  # mamba_ssm's
HEAD = "lm_head.weight"

# What a model is made of; `vocabulary` is the tokenizer's, which no `pad` divides, as in the models
# that are published. No size is mamba_ssm's default, so that each has to be read. `codestral` has
# mamba_ssm's defaults, since its params.json can say nothing else.
SMALL = dict(tied=True, D=16, L=2, H=4, P=4, N=8, G=1, W=4, vocabulary=37, pad=8, bias=False,
             conv_bias=True, limit=(0.0, math.inf))
MODELS = {
    "tied": SMALL | dict(seed=31),
    "untied": SMALL | dict(seed=32, tied=False),
    "g2": SMALL | dict(seed=33, G=2, pad=16, limit=(0.01, 0.2)),
    "gh": SMALL | dict(seed=34, G=4, pad=4, W=3, bias=True, conv_bias=False),
    "codestral": SMALL | dict(seed=35, tied=False, D=64, L=1, H=2, P=64, N=128, G=2,
                              vocabulary=40, pad=1),
}


# ----- models ----------------------------------------------------------------------------------


def exact(values):
    """The nearest numbers that bfloat16 and float16 both hold."""
    values = torch.from_numpy(np.asarray(values, dtype=np.float32)).bfloat16().float()
    values = torch.where(values.abs() < 2.0**-14, torch.zeros(()), values)
    assert torch.equal(values, values.half().float())
    return values


def random_weight(name, shape, rng):
    """No factor is trivially one or zero, and logits come out at a few units."""
    leaf = ".".join(name.split(".")[-2:])
    if leaf.endswith("A_log"):
        return exact(rng.uniform(math.log(0.25), math.log(16.0), shape))
    if leaf.endswith("dt_bias"):
        dt = np.exp(rng.uniform(math.log(0.004), math.log(0.4), shape))
        return exact(np.log(np.expm1(dt)))
    if leaf.endswith("mixer.D"):
        return exact(rng.normal(1.0, 0.5, shape))
    if "norm" in leaf:
        return exact(rng.normal(1.0, 0.25, shape))
    if leaf.endswith("bias"):
        return exact(rng.normal(0.0, 0.2, shape))
    if leaf == "conv1d.weight":
        return exact(rng.uniform(-0.8, 0.8, shape))
    if leaf == "embeddings.weight":
        return exact(rng.normal(0.0, 0.6, shape))
    return exact(rng.normal(0.0, 1.2 / math.sqrt(shape[-1]), shape))


def build(m):
    config = Mamba2Config(
        hidden_size=m["D"], num_hidden_layers=m["L"], num_heads=m["H"], head_dim=m["P"],
        state_size=m["N"], n_groups=m["G"], expand=m["H"] * m["P"] // m["D"],
        conv_kernel=m["W"], use_bias=m["bias"], use_conv_bias=m["conv_bias"],
        time_step_limit=m["limit"], chunk_size=8,
        vocab_size=-(-m["vocabulary"] // m["pad"]) * m["pad"], tie_word_embeddings=m["tied"],
        pad_token_id=0, bos_token_id=0, eos_token_id=0)
    model = Mamba2ForCausalLM(config).float().eval()
    rng = np.random.default_rng(m["seed"])
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(random_weight(name, tuple(parameter.shape), rng))
    return model


# ----- state-spaces' form ----------------------------------------------------------------------


def native_config(m):
    """What mamba_ssm's MambaConfig holds; absent arguments of the layer have its defaults."""
    layer = dict(layer="Mamba2", d_state=m["N"], headdim=m["P"], ngroups=m["G"],
                 expand=m["H"] * m["P"] // m["D"], chunk_size=8)
    usual = dict(d_conv=("W", 4), bias=("bias", False), conv_bias=("conv_bias", True),
                 dt_limit=("limit", (0.0, math.inf)))
    layer |= {key: m[ours] for key, (ours, default) in usual.items() if m[ours] != default}
    return dict(d_model=m["D"], d_intermediate=0, n_layer=m["L"], vocab_size=m["vocabulary"],
                ssm_cfg=layer, attn_layer_idx=[], attn_cfg={}, rms_norm=True,
                residual_in_fp32=True, fused_add_norm=True, pad_vocab_size_multiple=m["pad"],
                tie_embeddings=m["tied"])


def native_state(model, dtype, tie="same object"):
    """The state_dict of mamba_ssm's MambaLMHeadModel: an OrderedDict with `_metadata`, and the
    head in it though it is tied."""
    state = OrderedDict()
    for name, value in model.named_parameters():
        name = name.replace(EMBEDDING, NATIVE_EMBEDDING)
        state[name] = value.detach().to(dtype)
    if model.config.tie_word_embeddings:
        embedding = state[NATIVE_EMBEDDING]
        # torch.save writes the one as a reference to the whole tensor, the other as a second tensor
        # over the same storage.
        state[HEAD] = embedding if tie == "same object" else embedding.view(embedding.shape)
    state._metadata = OrderedDict((module, {"version": 1})
                                  for module in ("", "backbone", "backbone.embedding", "lm_head"))
    return state


def prefixed(state, prefix):
    return OrderedDict((prefix + name, value) for name, value in state.items())


def strided(state):
    """The same numbers in transposed storages, and all vectors as pieces of one."""
    out = OrderedDict()
    vectors = [name for name, value in state.items() if value.dim() == 1]
    pool = torch.cat([state[name] for name in vectors])
    begin = 0
    for name, value in state.items():
        if value.dim() == 1:
            out[name] = pool[begin:begin + value.numel()]
            begin += value.numel()
        else:
            out[name] = value.transpose(0, -1).contiguous().transpose(0, -1)
        assert torch.equal(out[name], value)
    return out


# ----- folders ---------------------------------------------------------------------------------


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2) + "\n")


def write_bin(folder, config, state, name="pytorch_model.bin"):
    folder.mkdir(parents=True)
    write_json(folder / "config.json", config)
    torch.save(state, folder / name)


def hf_config(folder, model):
    folder.mkdir(parents=True, exist_ok=True)
    model.config.save_pretrained(folder)


def hf4_config(folder, model):
    """As transformers 4 spelled it: a bare Infinity, which is not JSON, and torch_dtype."""
    hf_config(folder, model)
    path = folder / "config.json"
    config = json.loads(path.read_text())
    assert config["time_step_limit"] == [0.0, {"__float__": "Infinity"}]
    config["time_step_limit"] = [0.0, math.inf]
    config["torch_dtype"] = config.pop("dtype", "float32")
    write_json(path, config)


def hf_state(model, dtype=torch.float32):
    state = OrderedDict((k, v.detach().to(dtype)) for k, v in model.named_parameters())
    if model.config.tie_word_embeddings:
        state[HEAD] = state[EMBEDDING]
    return state


def hf_bin_sharded(folder, model, shards=2):
    """As transformers 4 wrote it; transformers 5 only writes safetensors."""
    hf4_config(folder, model)
    state = hf_state(model)
    names = list(state)
    weight_map = {}
    for i in range(shards):
        # The tied pair stays together, as there.
        part = [n for j, n in enumerate(names) if (0 if n == HEAD else j % shards) == i]
        file = f"pytorch_model-{i + 1:05d}-of-{shards:05d}.bin"
        torch.save({n: state[n] for n in part}, folder / file)
        weight_map |= {n: file for n in part}
    size = sum(v.nbytes for n, v in state.items() if n != HEAD)
    write_json(folder / "pytorch_model.bin.index.json",
               {"metadata": {"total_size": size}, "weight_map": dict(sorted(weight_map.items()))})


def make_hf(root, models):
    model = models["tied"]
    model.save_pretrained(root / "hf_fp32")
    for name, dtype in (("hf_fp16", torch.float16), ("hf_bf16", torch.bfloat16)):
        build(MODELS["tied"]).to(dtype).save_pretrained(root / name)
    model.save_pretrained(root / "hf_sharded", max_shard_size="8KB")
    models["untied"].save_pretrained(root / "hf_untied")

    hf4_config(root / "hf_bin", model)
    torch.save(hf_state(model), root / "hf_bin" / "pytorch_model.bin")
    hf_bin_sharded(root / "hf_bin_sharded", model)
    # save_model leaves the second name of a shared tensor out and notes it in the metadata.
    hf_config(root / "hf_alias", model)
    save_model(model, root / "hf_alias" / "model.safetensors")


def make_native(root, models):
    tied = models["tied"]
    config = native_config(MODELS["tied"])
    half = native_state(tied, torch.float16)
    write_bin(root / "ssm_fp16", config, half)
    write_bin(root / "ssm_fp32", config, native_state(tied, torch.float32, tie="same storage"))
    write_bin(root / "ssm_bf16_parameters", config,
              OrderedDict((k, torch.nn.Parameter(v)) for k, v in
                          native_state(tied, torch.bfloat16).items()))
    write_bin(root / "ssm_strided", config, strided(half))
    # What training frameworks put around a model: a dict, its prefix, a counter beside it.
    write_bin(root / "ssm_in_model", config, {"model": half, "step": 1000})
    write_bin(root / "ssm_in_state_dict", config,
              {"state_dict": prefixed(half, "model."), "global_step": 1000, "epoch": 3})
    write_bin(root / "ssm_module_prefix", config, prefixed(half, "module."))
    write_bin(root / "ssm_step_beside", config, OrderedDict([*half.items(), ("step", 1000)]))
    write_bin(root / "ssm_untied", native_config(MODELS["untied"]),
              native_state(models["untied"], torch.float16))
    for name in ("g2", "gh"):
        write_bin(root / f"ssm_{name}", native_config(MODELS[name]),
                  native_state(models[name], torch.float16))


def make_codestral(root, models):
    """As Mistral published Codestral Mamba: its own keys, and one more prefix before the names."""
    m = MODELS["codestral"]
    folder = root / "codestral"
    folder.mkdir()
    write_json(folder / "params.json", dict(
        dim=m["D"], n_layers=m["L"], vocab_size=m["vocabulary"], n_groups=m["G"], rms_norm=True,
        residual_in_fp32=True, fused_add_norm=True, pad_vocab_size_multiple=m["pad"],
        tie_embeddings=False, model_type="mamba"))
    state = native_state(models["codestral"], torch.bfloat16)
    save_file({"model." + k: v.contiguous() for k, v in state.items()},
              folder / "consolidated.safetensors")


def make_logits(root, models):
    rng = np.random.default_rng(30)
    ids = torch.from_numpy(rng.integers(0, 37, (2, 19)).astype(np.int64))
    out = {"ids": ids}
    with torch.no_grad():
        for name, model in models.items():
            out[f"{name}/logits"] = model(ids, use_cache=False).logits.contiguous()
    meta = {"about": f"transformers' logits in float32; torch {torch.__version__.split('+')[0]}, "
                     f"transformers {transformers.__version__}"}
    save_file(out, root / "logits.safetensors", metadata=meta)


def main():
    here = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=here / "tests/golden/checkpoints",
                        help="folder to replace (default: tests/golden/checkpoints)")
    root = parser.parse_args().out
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(1)  # sums in one order on every machine
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)

    models = {name: build(m) for name, m in MODELS.items()}
    make_hf(root, models)
    make_native(root, models)
    make_codestral(root, models)
    make_logits(root, models)
    for unused in root.rglob("generation_config.json"):
        unused.unlink()
    size = sum(f.stat().st_size for f in root.rglob("*") if f.is_file())
    print(f"{root}: {size / 1e3:.0f} kB")


if __name__ == "__main__":
    sys.exit(main())
