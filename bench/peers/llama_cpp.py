# SPDX-License-Identifier: GPL-3.0-or-later
"""llama.cpp beside a report of `farstate bench`: how fast it reads a prompt of the 130m shape.

    llama_cpp.py bench.json MODEL.gguf

Needs llama-bench on the PATH, and a model of that shape in llama.cpp's format (its
convert_hf_to_gguf.py makes one of a folder that farstate has saved). llama-bench reads the text
and computes the logits of its last token alone, so it does less than an evaluation with the loss at
every position.
"""
import json
import shutil
import subprocess
import sys


def main(report, model):
    rows = [r for r in json.load(open(report))["evaluate"]
            if r["shape"] == "130m" and r["dtype"] == "float32"]
    program = shutil.which("llama-bench")
    if program is None:
        print("llama.cpp was not timed: there is no llama-bench on the PATH.")
        return
    if not model or not rows:
        print("llama.cpp was not timed: "
              + ("PEER_GGUF names no model." if rows else "the report has no 130m shape."))
        return
    threads = json.load(open(report))["machine"]["threads"]
    for row in rows:
        out = subprocess.run(
            [program, "-m", model, "-p", str(row["length"]), "-n", "0", "-r", "1", "-t", str(threads),
             "-ngl", "0", "-o", "json"], check=True, capture_output=True, text=True).stdout
        timed = json.loads(out)[0]
        theirs, ours = timed["avg_ts"], row["tokens_per_second"]
        print(f"llama.cpp {timed['build_commit']}, {timed['model_type']}, {threads} threads: "
              f"{theirs:.0f} tokens/s over {row['length']} without losses; farstate with them "
              f"{ours:.0f}, ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
