# SPDX-License-Identifier: GPL-3.0-or-later
"""What the peers of the scan on a GPU share: shapes, operands, the naive recurrence, timing, lines.

A peer is a function scan(operands) -> (y, last state) of the operands below. It is timed only where
it agrees with the naive recurrence, results and gradients.
"""
import statistics
import time

import torch

SHAPES = [(1, 512, 24, 64, 128), (8, 2048, 24, 64, 128), (8, 256, 2, 64, 64)]  # B, T, H, P, N
GATE = (2, 70, 4, 64, 128)
# Root mean square of the error over that of the result: a few roundings of operands to bf16 (2^-9)
# or tf32 (2^-11), of which a wrong result is far.
ALLOWED = {torch.float32: 8 * 2**-11, torch.bfloat16: 8 * 2**-9}


def operands(shape, dtype, seed=1):
    """x [B,T,H,P], dt [B,T,H] before softplus, A [H], B and C [B,T,1,N], D [H], h_first [B,H,P,N]."""
    B, T, H, P, N = shape
    generator = torch.Generator(device="cuda").manual_seed(seed)

    def normal(*sizes):
        return torch.randn(*sizes, generator=generator, device="cuda")

    made = {
        "x": normal(B, T, H, P).to(dtype),
        "dt": (normal(B, T, H) - 2).to(dtype),
        "A": -torch.linspace(1, 16, H, device="cuda"),
        "B": normal(B, T, 1, N).to(dtype),
        "C": normal(B, T, 1, N).to(dtype),
        "D": normal(H),
        "h_first": normal(B, H, P, N),
    }
    return {name: value.requires_grad_() for name, value in made.items()}


def naive(o):
    """The literal recurrence in float64."""
    o = {name: value.double() for name, value in o.items()}
    dt = torch.nn.functional.softplus(o["dt"])
    h, y = o["h_first"], []
    for t in range(dt.shape[1]):
        write = (dt[:, t, :, None] * o["x"][:, t])[..., None] * o["B"][:, t, :, None]
        h = torch.exp(dt[:, t] * o["A"])[..., None, None] * h + write
        y.append((h * o["C"][:, t, :, None]).sum(-1) + o["D"][:, None] * o["x"][:, t])
    return torch.stack(y, 1), h


def results_and_gradients(scan, o):
    y, last = scan(o)
    torch.manual_seed(2)
    loss = (y.double() * torch.randn(y.shape, device="cuda", dtype=torch.double)).sum()
    loss = loss + (last.double() * torch.randn(last.shape, device="cuda", dtype=torch.double)).sum()
    return [y.detach(), last.detach(), *torch.autograd.grad(loss, list(o.values()))]


def worst_error(scan, dtype):
    o = operands(GATE, dtype)
    pairs = zip(results_and_gradients(scan, o), results_and_gradients(naive, o))
    return max(float((got.double() - want.double()).norm() / want.double().norm())
               for got, want in pairs)


def median_seconds(work):
    for _ in range(3):  # compiles and tunes
        work()
    torch.cuda.synchronize()
    times = []
    while len(times) < 5 or (sum(times) < 0.5 and len(times) < 200):
        start = time.perf_counter()
        work()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def flops(shape):
    """Useful operations, forward and backward, counted as bench/kernels_bench.cpp counts ours."""
    B, T, H, P, N = shape
    elements = B * T * H * P * N
    return 5.0 * elements, 14.0 * elements


def time_peer(name, version, scan):
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, {name} {version}\n")
    print(f"{'':24} {'':34} {'ms':>9} {'GFLOP/s':>9}")
    for dtype in (torch.float32, torch.bfloat16):
        spelled = str(dtype).removeprefix("torch.")
        error = worst_error(scan, dtype)
        if not error < ALLOWED[dtype]:
            print(f"{name}, {spelled}: not timed, since it is off by {error:.2g} of the naive "
                  f"recurrence's norm, allowed {ALLOWED[dtype]:.2g}")
            continue
        for shape in SHAPES:
            o = operands(shape, dtype)
            with torch.no_grad():
                forward = median_seconds(lambda: scan(o))
            y, last = scan(o)
            grads = [torch.ones_like(y), torch.ones_like(last)]
            backward = median_seconds(lambda: torch.autograd.grad(
                [y, last], list(o.values()), grads, retain_graph=True))
            size = "B {} T {} H {} P {} N {} {}".format(*shape, spelled)
            work = flops(shape)
            print(f"{name:24} {size:34} {forward * 1e3:9.3f} {work[0] / forward / 1e9:9.1f}")
            print(f"{name + ', backward':24} {'':34} {backward * 1e3:9.3f} "
                  f"{work[1] / backward / 1e9:9.1f}", flush=True)
