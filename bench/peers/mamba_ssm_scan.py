# SPDX-License-Identifier: GPL-3.0-or-later
"""The scan by mamba_ssm's Triton kernels (mamba_chunk_scan_combined) on this machine's GPU.

Needs torch with CUDA and mamba_ssm. Prints one line per shape, or why there is none.
"""
import sys


def main():
    try:
        import mamba_ssm
        from mamba_ssm.ops.triton.ssd_combined import mamba_chunk_scan_combined
        import torch
    except ImportError as error:
        sys.exit(f"mamba_ssm was not timed: {error}")
    if not torch.cuda.is_available():
        sys.exit("mamba_ssm was not timed: torch finds no GPU.")
    import scan_peer

    def scan(o):
        return mamba_chunk_scan_combined(
            o["x"], o["dt"], o["A"], o["B"], o["C"], chunk_size=256, D=o["D"],
            initial_states=o["h_first"], dt_softplus=True, return_final_states=True)

    scan_peer.time_peer("mamba_ssm", getattr(mamba_ssm, "__version__", "?"), scan)


if __name__ == "__main__":
    main()
