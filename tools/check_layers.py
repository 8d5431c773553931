#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that dependencies point downward, by reading the #include lines.

    check_layers.py ROOT         one line per offence, exit code 1 if there is one
    check_layers.py --self-test  plants offences in a scratch tree and expects each to be found
"""

import pathlib
import re
import sys
import tempfile

# Lowest first. A room may include itself, its own level and every level before it.
LEVELS = [
    ["core/base", "core/results"],
    ["core/formats", "core/store"],
    ["core/state"],
    ["kernels"],
    ["core/ops"],
    ["core/models"],
    ["core/tokenizer", "core/data", "core/checkpoint"],
    ["core/interventions", "core/probes", "core/tasks"],
    ["core/session"],
    ["app/terminal", "app/desktop"],
]
RANK = {room: rank for rank, rooms in enumerate(LEVELS) for room in rooms}

TORCH_FREE = {"kernels", "core/base", "core/results", "core/formats", "core/store", "core/tokenizer", "core/data", "core/tasks",
              "app/terminal", "app/desktop", "resources"}
# The recipe and the door live with the session, and the front ends include them.
TORCH_FREE_FILES = re.compile(
    r"^core/(session/((run_config|presets)\.(h|cpp)|(runner|jobs|bench|machine|generation|experiment_plan)\.h)|checkpoint/((checkpoint|convert|model_source)\.h|provenance\.(h|cpp))|"
    r"models/(\w*config\w*|tensor_spec)\.(h|cpp))$")
QT_ROOMS = {"app/desktop"}
# Beside the lowest level: the names of the laws that embedded models were trained with.
RESOURCES_MAY = {"core/interventions/intervention_config.h"}
TOP = ("kernels", "core", "app", "resources")
SUFFIXES = {".h", ".hpp", ".cpp", ".cc", ".cu", ".cuh", ".inc"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
TORCH = re.compile(r"^(torch|ATen|c10|caffe2)/")
QT = re.compile(r"^(Q[A-Z]\w*|Qt\w*/.+|q[a-z]+\.h)$", re.ASCII)


def room_of(path):
    """The room of a path below the root, such as core/ops; None outside the layers."""
    parts = path.split("/")
    if parts[0] in ("kernels", "resources") and len(parts) > 1:
        return parts[0]
    if parts[0] in ("core", "app") and len(parts) > 2:
        return "/".join(parts[:2])
    return None


class Tree:
    def __init__(self, root):
        self.root = root
        self.includes = {}  # path -> [(line, name as written, path in the tree or None)]
        files = {}
        for top in TOP:
            for f in sorted((root / top).rglob("*")):
                if f.suffix in SUFFIXES and f.is_file():
                    files[f.relative_to(root).as_posix()] = f
        for path, f in files.items():
            text = f.read_text(encoding="utf-8", errors="replace")
            # A block comment's line breaks stay, so that line numbers hold.
            text = COMMENT.sub(lambda m: "\n" * m.group().count("\n"), text)
            found = []
            for m in INCLUDE.finditer(text):
                line = text.count("\n", 0, m.start(1)) + 1
                found.append((line, m.group(2), self.resolve(path, m.group(2), files)))
            self.includes[path] = found
        self.to_torch = {}  # path -> chain of names that ends in torch, or None

    @staticmethod
    def resolve(path, name, files):
        beside = pathlib.PurePosixPath(path).parent / name
        parts = []
        for part in beside.parts:  # "../state/x.h" must not hide which room it means
            if part == ".." and parts:
                parts.pop()
            elif part != ".":
                parts.append(part)
        for candidate in ("/".join(parts), name):
            if candidate in files:
                return candidate
        # Generated headers are not in the tree; their name tells the room.
        return name if name.split("/")[0] in TOP else None

    def torch_chain(self, path):
        if path not in self.to_torch:
            self.to_torch[path] = None  # ends a circle of includes
            for _, name, target in self.includes.get(path, []):
                if target is None and TORCH.match(name):
                    self.to_torch[path] = [name]
                    break
                chain = self.torch_chain(target) if target else None
                if chain:
                    self.to_torch[path] = [target, *chain]
                    break
        return self.to_torch[path]


def check(root):
    tree = Tree(root)
    offences = []
    for path, includes in tree.includes.items():
        room = room_of(path)
        if room is None:
            continue
        if room not in RANK and room != "resources":
            offences.append(f"{path}:1: {room} has no place in the order of the layers; "
                            "add it to LEVELS in tools/check_layers.py")
            continue
        for line, name, target in includes:
            free = room if room in TORCH_FREE else path if TORCH_FREE_FILES.match(path) else None
            problem = judge(tree, room, free, name, target)
            if problem:
                offences.append(f"{path}:{line}: {problem}")
    if not tree.includes:
        offences.append(f"{root}: no source files in {', '.join(TOP)}")
    return offences, len(tree.includes)


def judge(tree, room, torch_free, name, target):
    """What is wrong with one include, or None. torch_free names what must be free of LibTorch."""
    if target is None:
        if TORCH.match(name) and torch_free:
            return f"found {name}; {torch_free} is free of LibTorch"
        if QT.match(name) and room not in QT_ROOMS:
            return f"found {name}; Qt is allowed in {', '.join(sorted(QT_ROOMS))} only"
        return None
    below = room_of(target)
    if below is not None and below != room and below != "resources":
        if room == "kernels":
            return f"found {target}; kernels may include nothing but itself"
        if room == "resources":
            if below in LEVELS[0] or target in RESOURCES_MAY:
                return None
            return (f"found {target}; resources may include "
                    f"{', '.join(LEVELS[0] + sorted(RESOURCES_MAY))}")
        if below not in RANK:
            return None  # reported at the room's own files
        if RANK[below] > RANK[room] or {below, room} == {"app/terminal", "app/desktop"}:
            allowed = [r for r in RANK if RANK[r] <= RANK[room] and not
                       (r.startswith("app/") and r != room)]
            return f"found {target}; {room} may include {', '.join(allowed)}"
    if torch_free:
        chain = tree.torch_chain(target)
        if chain:
            return f"found {' -> '.join([target, *chain])}; {torch_free} is free of LibTorch"
    return None


# Each file, and what the one offence in it must mention; None: none.
PLANTED = [
    ("kernels/scan/scan_cpu.cpp", '#include "kernels/scan/scan.h"\n#include <vector>\n', None),
    ("kernels/scan/scan.h", "#pragma once\n", None),
    ("kernels/a/a.cpp", "#include <ATen/ATen.h>\n", "a.cpp:1: found ATen/ATen.h"),
    ("kernels/a/b.cu", "\n#include <c10/util/Half.h>\n", "b.cu:2: found c10"),
    ("kernels/a/c.cpp", '#include "core/base/plain.h"\n', "nothing but itself"),
    ("kernels/a/d.cpp", "#include <QString>\n", "Qt is allowed in app/desktop only"),
    ("core/base/plain.h", "#include <string>\n// #include <torch/torch.h>\n", None),
    ("core/base/up.cpp", '#include "core/state/state.h"\n', "core/base may include"),
    ("core/base/beside.cpp", '#include "../state/state.h"\n', "found core/state/state.h"),
    ("core/state/state.h", "#include <torch/types.h>\n", None),
    ("core/ops/scan.cpp", '#include "kernels/scan/scan.h"\n#include "core/state/state.h"\n', None),
    ("core/ops/up.cpp", '/* two\nlines */\n#  include "core/models/model.h"\n', "up.cpp:3: found"),
    ("core/models/model.h", '#include "core/ops/generated.h"\n', None),
    ("core/models/generated.cpp", '#include "core/tasks/generated.h"\n', "core/models may include"),
    ("core/models/qt.cpp", "#include <QtCore/QObject>\n", "found QtCore/QObject"),
    ("core/models/qt2.cpp", "#include <qcustomplot.h>\n", "found qcustomplot.h"),
    ("core/models/commented.cpp", '/*\n#include <QtCore/QObject>\n*/\n', None),
    ("core/data/torch.cpp", '#include "core/state/state.h"\n',
     "core/state/state.h -> torch/types.h; core/data is free"),
    ("core/checkpoint/load.cpp", '#include "core/models/model.h"\n', None),
    ("core/interventions/law.h",
     '#include "core/interventions/law_config.h"\n#include "core/state/state.h"\n', None),
    ("core/interventions/law_config.h", "#include <string>\n", None),
    ("core/probes/up.cpp", '#include "core/session/runner.h"\n', "core/probes may include"),
    ("core/session/run_config.h", '#include "core/interventions/law_config.h"\n', None),
    ("core/session/run_config.cpp", '#include "core/session/trainer.h"\n',
     "core/session/run_config.cpp is free of LibTorch"),
    ("core/session/runner.h", '#include "core/session/run_config.h"\n', None),
    ("core/session/trainer.h", '#include "core/interventions/law.h"\n', None),
    ("core/session/app.cpp", '#include "app/terminal/main.h"\n', "found app/terminal/main.h"),
    ("resources/embedded.cpp", '#include "core/base/plain.h"\n', None),
    ("resources/up.cpp", '#include "core/state/state.h"\n', "resources may include core/base"),
    ("core/interventions/intervention_config.h", "#pragma once\n", None),
    ("resources/laws.h", '#include "core/interventions/intervention_config.h"\n', None),
    ("core/attic/x.h", "#pragma once\n", "core/attic has no place"),
    ("app/terminal/main.h", '#include "core/session/runner.h"\n', None),
    ("app/terminal/qt.cpp", "#include <QApplication>\n", "found QApplication"),
    ("app/terminal/window.cpp", '#include "app/desktop/window.h"\n', "found app/desktop/window.h"),
    ("app/desktop/window.h", '#include <QWidget>\n#include "core/session/runner.h"\n', None),
    ("app/desktop/near.cpp", '#include "window.h"\n', None),
    ("app/desktop/torch.cpp", '#include "core/session/trainer.h"\n',
     "trainer.h -> core/interventions/law.h -> core/state/state.h -> torch/types.h"),
]


def self_test():
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        empty, _ = check(root)
        failed = [] if empty else ["an empty tree passed"]
        for path, text, _ in PLANTED:
            f = root / path
            f.parent.mkdir(parents=True, exist_ok=True)
            f.write_text(text, encoding="utf-8")
        offences, _ = check(root)
    for path, _, expected in PLANTED:
        mine = [o for o in offences if o.startswith(path + ":")]
        if expected is None and mine:
            failed.append(f"innocent, but: {mine[0]}")
        elif expected is not None and (len(mine) != 1 or expected not in mine[0]):
            failed.append(f"{path}: expected one offence with '{expected}', got {mine}")
    for line in failed:
        print(line)
    planted = sum(1 for _, _, expected in PLANTED if expected)
    print(f"{planted} planted offences, {len(PLANTED) - planted} innocent files: "
          + ("FAILED" if failed else "all as expected"))
    return 1 if failed else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    offences, count = check(pathlib.Path(arguments[0]))
    for line in offences:
        print(line)
    print(f"{count} files, {len(offences)} offences")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
