# SPDX-License-Identifier: GPL-3.0-or-later
"""The scan as flash-linear-attention computes it (chunk_simple_gla) on this machine's GPU.

The same recurrence under other names: queries are C, keys B, values dt x, and the log of the gate
dt A; its state is [B,H,N,P]. softplus, dt x and the skip D x are part of what is timed, as they are
of ours. Needs torch with CUDA and fla. Prints one line per shape, or why there is none.
"""
import sys


def main():
    try:
        import fla
        from fla.ops.simple_gla import chunk_simple_gla
        import torch
    except ImportError as error:
        sys.exit(f"flash-linear-attention was not timed: {error}")
    if not torch.cuda.is_available():
        sys.exit("flash-linear-attention was not timed: torch finds no GPU.")
    import scan_peer

    def scan(o):
        heads = o["x"].shape[2]
        dt = torch.nn.functional.softplus(o["dt"].float())
        values = (dt[..., None] * o["x"]).to(o["x"].dtype)
        keys, queries = (o[name].expand(-1, -1, heads, -1).contiguous() for name in ("B", "C"))
        y, last = chunk_simple_gla(
            q=queries, k=keys, v=values, g=dt * o["A"], scale=1.0,
            initial_state=o["h_first"].transpose(-1, -2).contiguous(), output_final_state=True)
        return y + o["D"][:, None].to(y.dtype) * o["x"], last.transpose(-1, -2)

    scan_peer.time_peer("simple_gla", getattr(fla, "__version__", "?"), scan)


if __name__ == "__main__":
    main()
