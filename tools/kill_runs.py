#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills training runs at random moments and proves that nothing is lost beyond --save-every steps.

    kill_runs.py build/release/bin/farstate [--kills 100] [--save-every 5] [--longest 2]
    kill_runs.py build/release/bin/farstate --every-law

Two programs train at once, recorded in one store. Each is killed (SIGKILL) at a random moment, in
its start or after it, and gone on with. After every kill:

  - the store opens, is whole (PRAGMA integrity_check), and `farstate runs list` reads it;
  - every step that another program had seen in the store before the kill is still there;
  - of the steps that the program had reported, the checkpoint lacks at most --save-every;
  - the record reaches at least as far as the checkpoint, and no point in it is missing.

In the end each run is trained a little further to its end, and its weights, its optimizer and its
law's memory must be those of a run that nobody killed, to the bit.

With --every-law instead: for each law of the initial state 60 steps, 20 steps resumed for 40 more,
and a run that is killed once it has reported step 33 and is resumed to its 60, saved every 10. The
three must end with the same weights, optimizer and law's memory, to the bit.
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
EVERY_LAW = {"zero": [], "random-noise": [], "fitted-noise": [], "state-passing": [], "tbtt": [],
             "correlated-noise": [], "mixture": ["--mixture", "tbtt=1,fitted-noise=1,zero=0.5"]}
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

    def wait_for_step(self, step):
        while self.reported < step and self.process.poll() is None:
            time.sleep(0.001)

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
            program.wait_for_step(1)
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
        quietly(self.words() + ["--steps", str(EXTRA_STEPS)])
        steps, mine = read_training(self.run / "training.safetensors")
        twin = self.place / (self.law + "-twin")
        quietly(self.begin_words(twin, steps) + ["--no-store"])
        _, other = read_training(twin / "training.safetensors")
        tensors = compare(mine, other)
        if self.recorded() != list(range(1, steps + 1)):
            raise Lost(f"the record is not the {steps} steps of the run")
        return steps, tensors


def quietly(words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Lost(f"{' '.join(map(str, words))}: {done.stderr}")


def compare(mine, other):
    """The number of tensors, all equal to the bit; the curve holds times and is left out."""
    names = sorted((set(mine) | set(other)) - {"curve"})
    differ = [n for n in names if mine.get(n) != other.get(n)]
    if differ:
        raise Lost(f"{len(differ)} of {len(names)} tensors are not the twin's, such as {differ[0]}")
    return len(names)


def sixty_steps_of(farstate, law, place):
    """60 = 20 + 40 = killed at 33 and resumed."""
    def train(folder, steps):
        return [farstate, "train", "demo", "--intervention", law, *EVERY_LAW[law], "--context", "24",
                "--batch", "3", "--lr", "1e-3", "--steps", str(steps), "--save-every", "10",
                "--no-store", "--out", str(place / law / folder)]

    def resume(folder):
        return [farstate, "train", "--no-store", "--resume", str(place / law / folder)]

    (place / law).mkdir()
    quietly(train("whole", 60))
    quietly(train("parts", 20))
    quietly(resume("parts") + ["--steps", "40"])
    program = Program(train("killed", 60))
    program.wait_for_step(33)
    if program.end(signal.SIGKILL) != -signal.SIGKILL:
        raise Lost(f"{law}: it ended by itself: {program.output.decode(errors='replace')}")
    saved, _ = read_training(place / law / "killed" / "training.safetensors")
    if not program.reported - 10 <= saved < 60:
        raise Lost(f"{law}: killed after step {program.reported}, and the checkpoint is at {saved}")
    quietly(resume("killed"))
    steps, whole = read_training(place / law / "whole" / "training.safetensors")
    for folder in ("parts", "killed"):
        after, other = read_training(place / law / folder / "training.safetensors")
        if (steps, after) != (60, 60):
            raise Lost(f"{law}, {folder}: {after} steps, not {steps}")
        try:
            tensors = compare(other, whole)
        except Lost as problem:
            raise Lost(f"{law}, {folder}: {problem}") from problem
    print(f"{law}: 60 steps, 20 + 40, and killed at {program.reported} (saved at {saved}) end with "
          f"the same {tensors} tensors", flush=True)


def every_law(options, place):
    problems = []
    for law in EVERY_LAW:
        try:
            sixty_steps_of(options.farstate, law, place)
        except Lost as problem:
            problems.append(str(problem))
    return problems


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


def random_kills(options, place):
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
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("farstate")
    parser.add_argument("--kills", type=int, default=100, help="of both runs together")
    parser.add_argument("--save-every", type=int, default=5)
    parser.add_argument("--longest", type=float, default=2.0,
                        help="seconds of a life, from its start or its first step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every-law", action="store_true",
                        help="60 = 20 + 40 = killed at 33, for every law")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="farstate-kills-") as scratch:
        place = pathlib.Path(scratch).resolve()
        problems = every_law(options, place) if options.every_law else random_kills(options, place)
    for problem in problems:
        print(f"LOST: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
