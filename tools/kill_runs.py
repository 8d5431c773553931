#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills training runs at random moments and proves that nothing is lost beyond --save-every steps.

    kill_runs.py build/release/bin/farstate [--kills 100] [--save-every 5] [--longest 2]

Two programs train at once, recorded in one store. Each is killed (SIGKILL) at a random moment, in
its start or after it, and gone on with. After every kill:

  - the store opens, is whole (PRAGMA integrity_check), and `farstate runs list` reads it;
  - every step that another program had seen in the store before the kill is still there;
  - of the steps that the program had reported, the checkpoint lacks at most --save-every;
  - the record reaches at least as far as the checkpoint, and no point in it is missing.

In the end each run is trained a little further to its end, and its weights, its optimizer and its
law's memory must be those of a run that nobody killed, to the bit.
"""

import argparse
import json
import os
import pathlib
import pty
import random
import re
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time

LAWS = ("state-passing", "fitted-noise")
ENDLESS = 1000000
EXTRA_STEPS = 3  # after the last kill


class Lost(Exception):
    """Something that must not happen, in words."""


def read_training(path):
    """Steps, and the bytes of the tensors by name, of a training.safetensors; (0, {}): none there."""
    if not path.exists():
        return 0, {}
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    steps = json.loads(header.pop("__metadata__")["farstate.training/1"])["steps"]
    body = memoryview(data)[8 + length:]
    return steps, {name: (entry["dtype"], entry["shape"], bytes(body[slice(*entry["data_offsets"])]))
                   for name, entry in header.items()}


class Program:
    """farstate train on a terminal of its own, where it reports every step that it can."""

    REPORT = re.compile(rb"step +(\d+)")

    def __init__(self, words):
        self.terminal, child_end = pty.openpty()
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=child_end,
                                        stderr=child_end)
        os.close(child_end)
        self.output = b""
        self.reported = 0
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while True:
            try:
                part = os.read(self.terminal, 65536)
            except OSError:  # the program's end of the terminal is closed
                return
            if not part:
                return
            self.output = (self.output + part)[-4000:]
            # The last report may be cut off in the midst of its number.
            reports = self.REPORT.findall(self.output[:self.output.rfind(b" ") + 1])
            if reports:
                self.reported = max(self.reported, int(reports[-1]))

    def wait_for_a_step(self):
        while self.reported == 0 and self.process.poll() is None:
            time.sleep(0.01)

    def end(self, with_signal=None):
        if with_signal is not None:
            self.process.send_signal(with_signal)
        code = self.process.wait()
        self.reader.join()
        os.close(self.terminal)
        return code


class Writer:
    """A run that is killed again and again."""

    def __init__(self, options, place, law, rng):
        self.options, self.law, self.rng = options, law, rng
        self.store = place / "runs.sqlite"
        self.run = place / law
        self.place = place
        self.kills = self.furthest = self.most_lost = 0

    def begin_words(self, folder, steps):
        return [self.options.farstate, "train", "demo", "--intervention", self.law, "--context", "24",
                "--batch", "3", "--lr", "1e-3", "--steps", str(steps), "--save-every",
                str(self.options.save_every), "--evaluate-every", "7", "--length", "256",
                "--sequences", "2", "--out", str(folder)]

    def words(self):
        if (self.run / "training.safetensors").exists():
            words = [self.options.farstate, "train", "--resume", str(self.run)]
        else:
            words = self.begin_words(self.run, ENDLESS)
        return words + ["--store", str(self.store)]

    def recorded(self):
        """The steps in the record of the run in the folder, in order."""
        if not self.store.exists():
            return []
        store = sqlite3.connect(self.store, timeout=30)
        try:
            rows = store.execute(
                "SELECT step FROM points WHERE run = (SELECT max(id) FROM runs WHERE folder = ?) "
                "ORDER BY step", (str(self.run),)).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):  # killed before the store was made
                return []
            raise
        finally:
            store.close()
        return [step for (step,) in rows]

    def one_kill(self):
        program = Program(self.words())
        # One life in four may end while it starts; the first one gets as far as training.
        if self.kills == 0 or self.rng.random() < 0.75:
            program.wait_for_a_step()
        time.sleep(self.rng.uniform(0, self.options.longest))
        before, _ = read_training(self.run / "training.safetensors")
        # Before its first report the program may still drop what it is about to compute again.
        seen = max(self.recorded(), default=0) if program.reported > 0 else 0
        if program.process.poll() is not None:
            program.end()
            raise Lost(f"it ended by itself: {program.output.decode(errors='replace')}")
        reported = program.reported
        program.end(signal.SIGKILL)
        self.kills += 1
        self.check(before, seen, max(reported, program.reported))

    def check(self, before, seen, reported):
        self.check_store()
        saved, _ = read_training(self.run / "training.safetensors")
        steps = self.recorded()
        last = max(steps, default=0)
        if saved < before:
            raise Lost(f"the checkpoint went back from step {before} to {saved}")
        if saved < reported - self.options.save_every:
            raise Lost(f"step {reported} was reported, but the checkpoint is at {saved}")
        if last < seen:
            raise Lost(f"the store had step {seen} and now ends at {last}")
        if last < saved:
            raise Lost(f"the checkpoint is at step {saved}, but the record ends at {last}")
        if steps != list(range(1, last + 1)):
            missing = sorted(set(range(1, last + 1)) - set(steps))
            raise Lost(f"of the {last} recorded steps these are missing: {missing[:10]}")
        self.furthest = max(self.furthest, saved)
        self.most_lost = max(self.most_lost, reported - saved)

    def check_store(self):
        if not self.store.exists():
            return
        store = sqlite3.connect(self.store, timeout=30)
        found = store.execute("PRAGMA integrity_check").fetchone()[0]
        broken = store.execute("PRAGMA foreign_key_check").fetchall()
        store.close()
        if found != "ok" or broken:
            raise Lost(f"the store is damaged: {found} {broken}")
        listed = subprocess.run([self.options.farstate, "runs", "list", "--store", str(self.store)],
                                capture_output=True, text=True, check=False)
        if listed.returncode != 0:
            raise Lost(f"runs list: {listed.stderr}")

    def compare_with_twin(self):
        """Trains on to an end, and the same without a break."""
        if not (self.run / "training.safetensors").exists():
            raise Lost("no life of it reached a checkpoint; take a larger --longest")
        self.quietly(self.words() + ["--steps", str(EXTRA_STEPS)])
        steps, mine = read_training(self.run / "training.safetensors")
        twin = self.place / (self.law + "-twin")
        self.quietly(self.begin_words(twin, steps) + ["--no-store"])
        _, other = read_training(twin / "training.safetensors")
        names = sorted(set(mine) | set(other))
        differ = [n for n in names if n != "curve" and mine.get(n) != other.get(n)]
        if differ:
            raise Lost(f"{len(differ)} of {len(names)} tensors are not the twin's, such as {differ[0]}")
        if self.recorded() != list(range(1, steps + 1)):
            raise Lost(f"the record is not the {steps} steps of the run")
        return steps, len(names) - 1

    def quietly(self, words):
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Lost(f"{' '.join(words)}: {done.stderr}")


def kill_again_and_again(writer, share, problems):
    try:
        for _ in range(share):
            if problems:
                return
            writer.one_kill()
            print(f"{writer.law}: kill {writer.kills} of {share}, checkpoint at step "
                  f"{writer.furthest}", flush=True)
    except Exception as error:  # pylint: disable=broad-except  # of a thread: told by main
        problems.append(f"{writer.law}, kill {writer.kills}: {error}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("farstate")
    parser.add_argument("--kills", type=int, default=100, help="of both runs together")
    parser.add_argument("--save-every", type=int, default=5)
    parser.add_argument("--longest", type=float, default=2.0,
                        help="seconds of a life, from its start or its first step")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="farstate-kills-") as scratch:
        place = pathlib.Path(scratch).resolve()
        writers = [Writer(options, place, law, random.Random(options.seed + i))
                   for i, law in enumerate(LAWS)]
        shares = [options.kills - options.kills // 2, options.kills // 2]
        problems = []
        threads = [threading.Thread(target=kill_again_and_again, args=(writer, share, problems))
                   for writer, share in zip(writers, shares)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        try:
            for writer in writers if not problems else []:
                steps, tensors = writer.compare_with_twin()
                print(f"{writer.law}: killed {writer.kills} times, at most {writer.most_lost} steps "
                      f"computed again; after {steps} steps all {tensors} tensors are those of a run "
                      "that nobody killed")
        except Lost as problem:
            problems.append(str(problem))
    for problem in problems:
        print(f"LOST: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
