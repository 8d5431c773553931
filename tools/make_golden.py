#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the reference files below tests/golden that the C++ tests compare with.

Two sources stand side by side: "hf", transformers' Mamba-2 on the CPU in float32, written by other
people, and "ref", the literal recurrence in float64 below, one position at a time. The script
fails where the two disagree. tests/golden/README.md says what each file holds.

Letters as in docs/NOTATION.md: B batch, T positions, H heads, P head dimension, N state dimension,
G groups, D model dimension, W convolution width, C convolution channels, V vocabulary.
"""

import argparse
import math
import os
import pathlib
import shutil
import sys

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import torch
import torch.nn.functional as F
import transformers
from safetensors.torch import load_file, save_file
from transformers import Mamba2Config, Mamba2ForCausalLM
from transformers.cache_utils import DynamicCache
from transformers.models.mamba2.modeling_mamba2 import mamba2_chunk_scan

TOLERANCE = 1e-4  # of |hf - ref|, relative to the largest |ref| of the tensor
INF = float("inf")


def relative_error(actual, expected):
    scale = expected.abs().max().item() if expected.numel() else 0.0
    difference = (actual.double() - expected.double()).abs().max().item()
    if math.isnan(difference):
        return INF
    return difference / scale if scale > 0 else difference


class Report:
    """Collects the disagreement of the two sources, the worst per kind of result."""

    def __init__(self):
        self.worst = {}
        self.failed = []

    def compare(self, where, kind, actual, expected):
        error = relative_error(actual, expected)
        if error > self.worst.get(kind, (-1.0, ""))[0]:
            self.worst[kind] = (error, where)
        if not error <= TOLERANCE:
            self.failed.append(f"{where}: {kind} differs by {error:.2e}")

    def print(self, title):
        print(f"{title}: largest |hf - ref| / max|ref|")
        for kind in sorted(self.worst):
            error, where = self.worst[kind]
            print(f"  {kind:<24} {error:.2e}  {where}")


# ----- the recurrence in float64 ---------------------------------------------------------------


def scan(x, B, C, dt_raw, A, D, dt_bias, h, dt_limit, stat_positions=()):
    """x [B,T,H,P], B and C [B,T,G,N], dt_raw [B,T,H], A, D, dt_bias [H], h [B,H,P,N] is h_{-1}.

    Returns y [B,T,H,P], h_{T-1}, and the state's statistics [B,K,H,4] after the given positions:
    sum, sum of squares, largest magnitude, count of elements that are not finite.
    """
    heads_per_group = x.shape[2] // B.shape[2]
    dt = F.softplus(dt_raw + dt_bias, threshold=1e9)  # without the shortcut for large arguments
    dt = dt.clamp(dt_limit[0], dt_limit[1])
    ys, stats = [], []
    for t in range(x.shape[1]):
        Bt = B[:, t].repeat_interleave(heads_per_group, dim=1)  # [B,H,N]
        Ct = C[:, t].repeat_interleave(heads_per_group, dim=1)
        decay = torch.exp(dt[:, t] * A)  # [B,H]
        fed = dt[:, t, :, None, None] * x[:, t, :, :, None] * Bt[:, :, None, :]
        h = decay[:, :, None, None] * h + fed
        ys.append((h * Ct[:, :, None, :]).sum(-1) + D[None, :, None] * x[:, t])
        if t in stat_positions:
            v = h.detach().flatten(2)
            stats.append(torch.stack(
                [v.sum(-1), (v * v).sum(-1), v.abs().amax(-1), (~v.isfinite()).sum(-1).double()],
                dim=-1))
    return torch.stack(ys, 1), h, torch.stack(stats, 1) if stats else None


def rms_norm(v, weight, eps, groups=1):
    split = v.unflatten(-1, (groups, -1))
    split = split / torch.sqrt(split.pow(2).mean(-1, keepdim=True) + eps)
    return split.flatten(-2) * weight


def ref_forward(config, w, ids, h_first, context_first):
    """The whole model. w maps the names of the checkpoint to float64 tensors.

    h_first[l] [B,H,P,N] and context_first[l] [B,W-1,C], oldest input first. Returns logits
    [B,T,V] and the two lists after the last position.
    """
    inner = config.num_heads * config.head_dim
    bc = config.n_groups * config.state_size
    width = config.conv_kernel
    T = ids.shape[1]
    residual = w["backbone.embeddings.weight"][ids]
    h_last, context_last = [], []
    for layer in range(config.num_hidden_layers):
        p = f"backbone.layers.{layer}."
        u = rms_norm(residual, w[p + "norm.weight"], config.layer_norm_epsilon)
        u = u @ w[p + "mixer.in_proj.weight"].T
        if config.use_bias:
            u = u + w[p + "mixer.in_proj.bias"]
        z, xbc, dt_raw = u.split([inner, inner + 2 * bc, config.num_heads], dim=-1)

        seen = torch.cat([context_first[layer], xbc], dim=1)  # [B,W-1+T,C]
        kernel = w[p + "mixer.conv1d.weight"][:, 0]  # [C,W]
        conv = sum(seen[:, k:k + T] * kernel[:, k] for k in range(width))
        if config.use_conv_bias:
            conv = conv + w[p + "mixer.conv1d.bias"]
        conv = conv * torch.sigmoid(conv)
        context_last.append(seen[:, T:])

        x, B, C = conv.split([inner, bc, bc], dim=-1)
        y, h, _ = scan(
            x.unflatten(-1, (config.num_heads, config.head_dim)),
            B.unflatten(-1, (config.n_groups, config.state_size)),
            C.unflatten(-1, (config.n_groups, config.state_size)),
            dt_raw, -torch.exp(w[p + "mixer.A_log"]), w[p + "mixer.D"],
            w[p + "mixer.dt_bias"], h_first[layer], config.time_step_limit)
        h_last.append(h)
        gated = y.flatten(2) * z * torch.sigmoid(z)
        out = rms_norm(gated, w[p + "mixer.norm.weight"], config.layer_norm_epsilon,
                       config.n_groups) @ w[p + "mixer.out_proj.weight"].T
        if config.use_bias:
            out = out + w[p + "mixer.out_proj.bias"]
        residual = residual + out
    final = rms_norm(residual, w["backbone.norm_f.weight"], config.layer_norm_epsilon)
    head = "backbone.embeddings.weight" if config.tie_word_embeddings else "lm_head.weight"
    return final @ w[head].T, h_last, context_last


def next_token_loss(logits, ids):
    """Mean over B and the first T-1 positions."""
    logp = torch.log_softmax(logits[:, :-1], dim=-1)
    return -logp.gather(-1, ids[:, 1:, None]).mean()


def run_ref(config, parameters, ids, h_first, context_first, gradients):
    w = {k: v.detach().double().requires_grad_() for k, v in parameters.items()}
    h0 = [h.double().requires_grad_() for h in h_first]
    c0 = [c.double().requires_grad_() for c in context_first]
    logits, h_last, context_last = ref_forward(config, w, ids, h0, c0)
    out = collect(logits, h_last, context_last)
    if ids.shape[1] > 1:
        loss = next_token_loss(logits, ids)
        out["loss"] = loss.detach()
        if gradients:
            loss.backward()
            add_gradients(out, w, h0, c0)
    return out


def run_hf(config, model, ids, h_first, context_first, given, gradients):
    model.zero_grad(set_to_none=True)
    cache = DynamicCache(config=config)
    h0 = [h.clone().requires_grad_() for h in h_first]
    c0 = [c.clone().requires_grad_() for c in context_first]
    if given:
        for layer in range(config.num_hidden_layers):
            # transformers keeps W columns of which the oldest never meets the kernel. Filled with
            # a large number it would show at once if that were wrong. The convolution's state has
            # to be given before the recurrent one, which is ignored otherwise.
            columns = F.pad(c0[layer].transpose(1, 2), (1, 0), value=100.0)
            cache.update_conv_state(columns, layer, conv_kernel_size=config.conv_kernel)
            cache.update_recurrent_state(h0[layer], layer)
    has_loss = ids.shape[1] > 1
    result = model(ids, labels=ids if has_loss else None, cache=cache, use_cache=True)
    h_last = [cache.layers[l].recurrent_states[0] for l in range(config.num_hidden_layers)]
    context_last = [cache.layers[l].conv_states[0][..., 1:].transpose(1, 2)
                    for l in range(config.num_hidden_layers)]
    out = collect(result.logits, h_last, context_last)
    if has_loss:
        out["loss"] = result.loss.detach()
    if gradients:
        result.loss.backward()
        add_gradients(out, dict(model.named_parameters()), h0 if given else [],
                      c0 if given else [])
    return out


def collect(logits, h_last, context_last):
    out = {"logits": logits.detach()}
    for layer, (h, c) in enumerate(zip(h_last, context_last)):
        out[f"h_last/{layer}"] = h.detach()
        out[f"context_last/{layer}"] = c.detach()
    return out


def add_gradients(out, parameters, h0, c0):
    for name, value in parameters.items():
        out[f"grad/{name}"] = value.grad
    for layer, (h, c) in enumerate(zip(h0, c0)):
        out[f"grad/h_first/{layer}"] = h.grad
        out[f"grad/context_first/{layer}"] = c.grad


# ----- models ----------------------------------------------------------------------------------


def randomise(model, rng):
    """Weights at which no factor is trivially one or zero, and logits of a few units."""
    config = model.config

    def normal(shape, std, mean=0.0):
        return torch.from_numpy((mean + std * rng.standard_normal(shape)).astype(np.float32))

    def uniform(shape, low, high):
        return torch.from_numpy(rng.uniform(low, high, shape).astype(np.float32))

    with torch.no_grad():
        for name, p in model.named_parameters():
            kind = name.split(".")[-2] + "." + name.split(".")[-1]
            if name.endswith("A_log"):
                value = uniform(p.shape, math.log(0.25), math.log(16.0))
            elif name.endswith("dt_bias"):
                # Inverse of softplus, so that the heads' dt spread over 0.004 to 0.4 before the
                # input's share.
                dt = torch.linspace(math.log(0.004), math.log(0.4), p.numel()).exp()
                dt = dt * torch.exp(uniform(p.shape, -0.3, 0.3))
                value = dt + torch.log(-torch.expm1(-dt))
            elif name.endswith("mixer.D"):
                value = normal(p.shape, 0.5, 1.0)
            elif "norm" in kind:
                value = normal(p.shape, 0.25, 1.0)
            elif name.endswith("bias"):
                value = normal(p.shape, 0.2)
            elif kind == "conv1d.weight":
                value = uniform(p.shape, -0.8, 0.8)
            elif kind == "embeddings.weight":
                value = normal(p.shape, 0.6)
            else:  # a projection [out,in]
                value = normal(p.shape, 1.2 / math.sqrt(p.shape[-1]))
            p.copy_(value)
    if config.tie_word_embeddings:
        assert model.lm_head.weight is model.backbone.embeddings.weight


def make_inputs(config, rng, batch, T, given):
    conv_channels = config.num_heads * config.head_dim + 2 * config.n_groups * config.state_size
    ids = torch.from_numpy(rng.integers(0, config.vocab_size, (batch, T)).astype(np.int64))
    h_first, context_first = [], []
    for _ in range(config.num_hidden_layers):
        h = rng.standard_normal((batch, config.num_heads, config.head_dim, config.state_size))
        c = rng.standard_normal((batch, config.conv_kernel - 1, conv_channels))
        h_first.append(torch.from_numpy((h * given).astype(np.float32)))
        context_first.append(torch.from_numpy((c * given).astype(np.float32)))
    return ids, h_first, context_first


def dt_clamped(config, parameters, ids, h_first, context_first):
    """Shares of the time steps below and above the limits in the first layer."""
    w = {k: v.detach().double() for k, v in parameters.items()}
    u = rms_norm(w["backbone.embeddings.weight"][ids], w["backbone.layers.0.norm.weight"],
                 config.layer_norm_epsilon) @ w["backbone.layers.0.mixer.in_proj.weight"].T
    if config.use_bias:
        u = u + w["backbone.layers.0.mixer.in_proj.bias"]
    dt = F.softplus(u[..., -config.num_heads:] + w["backbone.layers.0.mixer.dt_bias"])
    low, high = config.time_step_limit
    return (dt < low).double().mean().item(), (dt > high).double().mean().item()


# A run: name -> (B, T, what else): "state" gives it an initial state that is not zero, "grad"
# stores the loss's gradients too. chunk_size is transformers' chunk, which the lengths straddle;
# our own program does not read it.
CASES = {
    "g1_tied": dict(
        seed=11,
        config=dict(hidden_size=16, expand=2, num_heads=4, head_dim=8, state_size=8, n_groups=1,
                    conv_kernel=4, chunk_size=8, vocab_size=32, tie_word_embeddings=True,
                    use_bias=False, use_conv_bias=True),
        runs={"t1": (2, 1, ""), "t7": (2, 7, ""), "t8": (2, 8, ""), "t9": (2, 9, "grad"),
              "t19": (2, 19, "grad")}),
    "g2_limit": dict(
        seed=12,
        config=dict(hidden_size=24, expand=2, num_heads=6, head_dim=8, state_size=8, n_groups=2,
                    conv_kernel=4, chunk_size=16, vocab_size=40, tie_word_embeddings=False,
                    use_bias=True, use_conv_bias=True, time_step_limit=(0.01, 0.2)),
        runs={"t37": (2, 37, ""), "t35_state": (1, 35, "state grad")}),
    "gh_state": dict(
        seed=13,
        config=dict(hidden_size=16, expand=3, num_heads=4, head_dim=12, state_size=8, n_groups=4,
                    conv_kernel=4, chunk_size=8, vocab_size=32, tie_word_embeddings=True,
                    use_bias=False, use_conv_bias=False, layer_norm_epsilon=1e-3),
        runs={"t1_state": (2, 1, "state"), "t2_state": (2, 2, "state"),
              "t19_state": (2, 19, "state grad")}),
    "expand1_limit_state": dict(
        seed=14,
        config=dict(hidden_size=32, expand=1, num_heads=2, head_dim=16, state_size=16, n_groups=1,
                    conv_kernel=3, chunk_size=8, vocab_size=32, tie_word_embeddings=False,
                    use_bias=True, use_conv_bias=False, time_step_limit=(0.01, 0.2)),
        runs={"t1_state": (2, 1, "state"), "t17_state": (2, 17, "state grad")}),
}
HALF_CASES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def build(spec):
    rng = np.random.default_rng(spec["seed"])
    config = Mamba2Config(num_hidden_layers=2, pad_token_id=0, bos_token_id=0, eos_token_id=0,
                          **spec["config"])
    model = Mamba2ForCausalLM(config).float().eval()
    randomise(model, rng)
    return rng, model


def save_golden(folder, tensors, about):
    # One key only: with several, their order in the file would change from run to run.
    meta = {"about": f"{about}; torch {torch.__version__.split('+')[0]}, "
                     f"transformers {transformers.__version__}"}
    tensors = {k: v.detach().contiguous().clone() for k, v in tensors.items()}
    save_file(tensors, folder / "golden.safetensors", metadata=meta)


def answers(case, config, model, rng, runs, report):
    """Both sources' results of every run, compared with each other."""
    parameters = dict(model.named_parameters())
    stored = {}
    for run, (batch, T, extras) in runs.items():
        where = f"{case}/{run}"
        given = "state" in extras
        gradients = "grad" in extras
        ids, h_first, context_first = make_inputs(config, rng, batch, T, given)
        stored[f"{run}/ids"] = ids
        if given:
            for layer in range(config.num_hidden_layers):
                stored[f"{run}/h_first/{layer}"] = h_first[layer]
                stored[f"{run}/context_first/{layer}"] = context_first[layer]
        if config.time_step_limit[1] < INF and T > 1:
            low, high = dt_clamped(config, parameters, ids, h_first, context_first)
            print(f"{where}: first layer's dt at the lower limit {low:.0%}, upper {high:.0%}")
            assert low > 0.05 and high > 0.05, "the limits do not bind"

        ref = run_ref(config, parameters, ids, h_first, context_first, gradients)
        if not given:  # no one passes a zero state's gradient on
            ref = {k: v for k, v in ref.items() if "_first/" not in k}
        stored.update({f"{run}/ref/{k}": v for k, v in ref.items()})

        if given and T == 1 and config.time_step_limit[1] < INF:
            # transformers 5.24 takes another way for a single position with a state, on which it
            # leaves time_step_limit out, so it is no oracle here.
            continue
        hf = run_hf(config, model, ids, h_first, context_first, given, gradients)
        stored.update({f"{run}/hf/{k}": v for k, v in hf.items()})
        assert hf.keys() == ref.keys(), set(hf) ^ set(ref)
        for key in hf:
            kind = key if key.startswith("grad") else key.split("/")[0]
            kind = ".".join(part for part in kind.split(".") if not part.isdigit())
            kind = "/".join(part for part in kind.split("/") if not part.isdigit())
            report.compare(where, kind.replace("backbone.", ""), hf[key], ref[key])
    return stored


def make_case(root, case, spec, report):
    rng, model = build(spec)
    folder = root / case
    model.save_pretrained(folder)
    stored = answers(case, model.config, model, rng, spec["runs"], report)
    save_golden(folder, stored, f"Mamba-2 model {case}")
    reload_check(folder, model)


def make_half_case(root, case, dtype, report):
    """A checkpoint in 16 bits. The answers are those of its values widened to float32."""
    rng, model = build(CASES["g1_tied"])
    folder = root / case
    model.to(dtype).save_pretrained(folder)
    widened = Mamba2ForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    reload_check(folder, model)
    stored = answers(case, widened.config, widened, rng, {"t19": (2, 19, "")}, report)
    save_golden(folder, stored, f"Mamba-2 model {case}, weights stored as {dtype}")


def reload_check(folder, model):
    written = load_file(folder / "model.safetensors")
    named = dict(model.named_parameters())
    assert written.keys() == named.keys(), set(written) ^ set(named)
    for name, value in written.items():
        assert value.dtype == named[name].dtype and torch.equal(value, named[name].detach())


# ----- the scan alone --------------------------------------------------------------------------

# A covers a state that hardly fades, ordinary ones, and one that is gone at once. In float64, with
# inputs that float32 holds exactly, so that both precisions can be tested from the same file.
SCANS = {
    "g1": dict(seed=21, B=2, T=19, H=4, P=5, N=8, G=1, A=[-1e-4, -1.0, -16.0, -100.0],
               limit=(0.0, INF), chunk=8),
    "g2_limit": dict(seed=22, B=2, T=35, H=4, P=4, N=6, G=2, A=[-0.5, -2.0, -8.0, -16.0],
                     limit=(0.01, 0.2), chunk=16),
    "gh_large": dict(seed=23, B=1, T=9, H=3, P=8, N=16, G=3, A=[-0.05, -1.0, -4.0],
                     limit=(0.0, INF), chunk=8),
}


def make_scans(root, report):
    stored = {}
    for name, s in SCANS.items():
        rng = np.random.default_rng(s["seed"])
        B, T, H, P, N, G = (s[k] for k in "BTHPNG")

        def values(*shape, std=1.0, mean=0.0):
            v = (mean + std * rng.standard_normal(shape)).astype(np.float32)
            return torch.from_numpy(v).double()

        inputs = {
            "xBC": values(B, T, H * P + 2 * G * N),
            "dt_raw": values(B, T, H, std=2.0, mean=-2.0),
            "A": torch.tensor(s["A"], dtype=torch.float32).double(),
            "D": values(H, std=0.5, mean=1.0),
            "dt_bias": values(H, std=0.5),
            "h_first": values(B, H, P, N),
        }
        if name == "gh_large":
            inputs["h_first"][:, 0] *= 2.0**13  # a power of two keeps them exact
            inputs["dt_raw"][:, ::4, 1] = 25.0  # far up on softplus's straight arm
            inputs["dt_raw"][:, 1::4, 2] = -30.0  # and far out on its flat one
        weights = {"dy": values(B, T, H, P), "dh_last": values(B, H, P, N)}
        positions = [0, T // 3, T // 2, T - 1]

        def split(xBC):
            x, b, c = xBC.split([H * P, G * N, G * N], dim=-1)
            return x.unflatten(-1, (H, P)), b.unflatten(-1, (G, N)), c.unflatten(-1, (G, N))

        leaves = {k: v.clone().requires_grad_() for k, v in inputs.items()}
        x, b, c = split(leaves["xBC"])
        y, h_last, stats = scan(x, b, c, leaves["dt_raw"], leaves["A"], leaves["D"],
                                leaves["dt_bias"], leaves["h_first"], s["limit"], positions)
        ((y * weights["dy"]).sum() + (h_last * weights["dh_last"]).sum()).backward()
        if s["limit"][1] < INF:
            dt = F.softplus(inputs["dt_raw"] + inputs["dt_bias"])
            assert (dt < s["limit"][0]).any() and (dt > s["limit"][1]).any()

        x, b, c = split(inputs["xBC"].float())
        hf_y, hf_h = mamba2_chunk_scan(
            x, inputs["dt_raw"].float(), inputs["A"].float(), b, c, s["chunk"],
            D=inputs["D"].float(), dt_bias=inputs["dt_bias"].float(),
            initial_states=inputs["h_first"].float(), dt_softplus=True, dt_limit=s["limit"],
            return_final_states=True)
        report.compare(f"scan/{name}", "scan y", hf_y, y.detach())
        report.compare(f"scan/{name}", "scan h_last", hf_h, h_last.detach())

        tensors = {k: v.float() for k, v in (inputs | weights).items()}
        tensors |= {"y": y, "h_last": h_last, "stats": stats}
        tensors |= {f"grad/{k}": v.grad for k, v in leaves.items()}
        stored.update({f"{name}/{k}": v for k, v in tensors.items()})
        stored[f"{name}/stat_positions"] = torch.tensor(positions)
        stored[f"{name}/dims"] = torch.tensor([B, T, H, P, N, G])
        stored[f"{name}/dt_limit"] = torch.tensor(s["limit"], dtype=torch.float64)
    (root / "scan").mkdir()
    save_golden(root / "scan", stored, "the scan alone, float64")


def main():
    here = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=here / "tests" / "golden",
                        help="folder to fill (default: tests/golden)")
    root = parser.parse_args().out
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(1)  # sums in one order on every machine
    torch.manual_seed(0)
    for name in [*CASES, *HALF_CASES, "scan"]:
        shutil.rmtree(root / name, ignore_errors=True)
    root.mkdir(parents=True, exist_ok=True)

    report = Report()
    for case, spec in CASES.items():
        make_case(root, case, spec, report)
    for case, dtype in HALF_CASES.items():
        make_half_case(root, case, dtype, report)
    make_scans(root, report)

    report.print(f"torch {torch.__version__}, transformers {transformers.__version__}")
    size = sum(f.stat().st_size for f in root.rglob("*") if f.is_file())
    print(f"{root}: {size / 1e6:.2f} MB")
    for line in report.failed:
        print(line, file=sys.stderr)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
