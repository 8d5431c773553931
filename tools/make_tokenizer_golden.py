#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small tokenizers and the ids that the tokenizers package gives, for tests/base/bpe_tokenizer_test.cpp
and word_tokenizer_test.cpp.

    pip install tokenizers==0.23.3
    make_tokenizer_golden.py [--out FOLDER]

They are trained on this repository's LICENSE, so nothing is downloaded.
"""

import argparse
import collections
import json
import pathlib
import random

from tokenizers import (AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers,
                        trainers)

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
         r"|\s*[\r\n]+|\s+(?!\S)|\s+")

FOREIGN = "Straße, naïve café, Ελλάδα, Привет, 日本語, 한국어. "


def train():
    """Like GPT-NeoX's: NFC, ByteLevel, runs of spaces as added tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=700, special_tokens=["<|endoftext|>", "<|padding|>"],
                                  initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
                                  show_progress=False)
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    tokenizer.train_from_iterator([text, FOREIGN * 40], trainer)
    tokenizer.add_tokens([AddedToken(" " * n, normalized=True) for n in range(24, 1, -1)])
    return json.loads(tokenizer.to_str())


def variants():
    neox = train()
    flags = json.loads(json.dumps(neox))
    for content, options in [("<mask>", {"lstrip": True}), ("<end>", {"rstrip": True}),
                             ("word", {"single_word": True}), ("e\u0301!", {"normalized": True}),
                             ("e\u0301?", {}), ("a b", {}), ("\n\n", {"lstrip": True, "rstrip": True})]:
        token = {"id": len(flags["model"]["vocab"]) + 30 + len(flags["added_tokens"]), "content": content,
                 "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
                 "special": False}
        flags["added_tokens"].append(token | options)
    # The package counts on from the last id, so these ids must do so too.
    first = max(t["id"] for t in neox["added_tokens"]) + 1
    for i, token in enumerate(flags["added_tokens"][len(neox["added_tokens"]):]):
        token["id"] = first + i
    flags["pre_tokenizer"]["add_prefix_space"] = True
    split = json.loads(json.dumps(neox))
    split["normalizer"] = None
    split["added_tokens"] = split["added_tokens"][:2]
    split["model"]["ignore_merges"] = True
    split["model"]["merges"] = [" ".join(pair) for pair in split["model"]["merges"]]
    split["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": WORDS}, "behavior": "Isolated", "invert": False},
        {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}]}
    return {"neox": neox, "flags": flags, "split": split} | word_level(flags)


def word_level(flags):
    """Words and characters as core/tokenizer/word_vocabulary.h has them, and words with added tokens."""
    text = (ROOT / "LICENSE").read_text(encoding="utf-8") + FOREIGN * 40
    made = {}
    for name, pattern, most in [("words", r" ?\p{L}+|[^\p{L}]", 200), ("characters", r"[\s\S]", 0)]:
        split = pre_tokenizers.Split(Regex(pattern), "isolated")
        counts = collections.Counter(piece for piece, _ in split.pre_tokenize_str(text))
        pieces = [piece for piece, _ in counts.most_common(most - 1 if most else None)] + ["[UNK]"]
        tokenizer = Tokenizer(models.WordLevel({p: i for i, p in enumerate(pieces)}, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = split
        tokenizer.decoder = decoders.Fuse()
        made[name] = json.loads(tokenizer.to_str())
    marks = json.loads(json.dumps(made["words"]))
    marks["normalizer"] = {"type": "NFC"}
    marks["added_tokens"] = [token | {"id": len(marks["model"]["vocab"]) + i}
                             for i, token in enumerate(flags["added_tokens"][-7:])]
    return made | {"marked_words": marks}


def texts():
    chosen = [
        "", " ", "\n", "The licenses for most software", "Hello, world! It's we'll I'M they'RE 'ſ",
        "  two   three    four" + " " * 30 + "many", " trailing  ", "tabs\t\tand\r\nlines\r\n\r\nend\n \n",
        "e\u0301 o\u0323\u0302 \u1112\u1161\u11ab \u0958 \u2126 \u212b a\u0323\u0301\u0308\u0344",
        "한국어 日本語 Ελλάδα Привет עברית العربية हिन्दी ไทย \u1e9e ǅ ﬁ",
        "👩\u200d👩\u200d👧\u200d👦 🇩🇪 👍🏽 \ufe0f", "1,234.5 ½ ² Ⅷ ① ١٢٣", "\0\x01\x1f\x7f\x85\xa0\u180e\u2028\u3000\ufeff",
        "<|endoftext|>a<|padding|> <|endoftext|", "x<mask> y  <mask><mask> z", "<end>  \n a<end>",
        "word swords word, _word word", "e\u0301! \u00e9! e\u0301? \u00e9?", "a b  a\nb a  b", "a\n\n\n  b \n\n c",
        "\u1c89\ua7cb\U000105c0 \U00010d40\U0002ebf0 \U0001e030",
        "if (x) {\n        return f(y);  // z\n}\n",
    ]
    raw = [text.encode() for text in chosen]
    raw += [b"\xff", b"a\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe0\x80\xaf",
            b"\xf0\x90\x80A\xc0\xaf \x80\x80", b"ok \xe2\x28\xa1 ok"]
    rng = random.Random(1)
    alphabet = "aZ é\u0301\u0323ß1٣'s\t\n\r \u00a0 <>|.,日한\u1161👍\u200d"
    raw += ["".join(rng.choice(alphabet) for _ in range(60)).encode() for _ in range(60)]
    return raw


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "tests/golden/tokenizer")
    folder = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    cases = [{"bytes": raw.hex()} for raw in texts()]
    for name, spec in variants().items():
        content = json.dumps(spec, ensure_ascii=False, separators=(",", ":"))
        (folder / f"{name}.json").write_text(content, encoding="utf-8")
        tokenizer = Tokenizer.from_str(content)
        for token in spec["added_tokens"]:
            assert tokenizer.token_to_id(token["content"]) == token["id"], token
        for case in cases:
            text = bytes.fromhex(case["bytes"]).decode("utf-8", errors="replace")
            case[name] = tokenizer.encode(text, add_special_tokens=False).ids
    (folder / "cases.json").write_text(json.dumps(cases, separators=(",", ":")))


if __name__ == "__main__":
    main()
