#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each CUDA kernel takes of a multiprocessor, from what the assembler says of it.

    cuda_resources.py compile REPORT COMMAND…     runs nvcc (with -Xptxas -v); writes that to REPORT
    cuda_resources.py check FOLDER --registers N --spills M
                                                  a table of all reports; exit code 1 if a kernel
                                                  takes more than N registers a thread, or stores
                                                  and loads again more than M bytes for lack of them
    cuda_resources.py --self-test
"""

import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

ENTRY = re.compile(r"Compiling entry function '(\S+)' for 'sm_(\d+)'")
STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers(.*)")
SHARED = re.compile(r"(\d+) bytes smem")
# Functions that are not inlined have lines of their own, which must not be taken for a kernel's.
FUNCTION = re.compile(r"Function properties for (\S+)")


class Kernel(NamedTuple):
    name: str
    capability: int
    registers: int
    stack: int
    spills: int
    shared: int


def compile_with_report(report, command):
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    lines = done.stderr.splitlines(keepends=True)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        return done.returncode
    is_report = re.compile(r"^ptxas info|^ +\d+ bytes stack frame|^\s*$")
    sys.stderr.writelines(line for line in lines if not is_report.match(line))
    pathlib.Path(report).write_text("".join(filter(is_report.match, lines)), encoding="utf-8")
    return 0


def kernels_of(text):
    found = []
    entry = stack = None
    for line in text.splitlines():
        if match := ENTRY.search(line):
            entry, stack = match, None
        elif match := FUNCTION.search(line):
            inside = entry is not None and match.group(1) == entry.group(1)
            stack = stack if not inside else ()
        elif (match := STACK.search(line)) and stack == ():
            stack = [int(number) for number in match.groups()]
        elif (match := USED.search(line)) and entry is not None:
            if not stack:
                raise ValueError(f"{entry.group(1)}: registers without a stack frame")
            shared = SHARED.search(match.group(2))
            found.append(Kernel(entry.group(1), int(entry.group(2)), int(match.group(1)), stack[0],
                                stack[1] + stack[2], int(shared.group(1)) if shared else 0))
            entry = None
    return found


def readable(names):
    """Kernel names without namespaces and parameters, where c++filt is there."""
    try:
        said = subprocess.run(["c++filt", *names], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return dict(zip(names, names))
    short = {}
    for mangled, name in zip(names, said.stdout.splitlines()):
        name = name.replace("(anonymous namespace)::", "").removeprefix("void ")
        name = re.sub(r"\b(\w+::)+", "", name)
        short[mangled] = re.sub(r"(?<=[>\w])\(.*", "", name.replace("(int)", "").replace(
            "(bool)", ""))
    return short


def check(folder, most_registers, most_spills):
    reports = sorted(pathlib.Path(folder).glob("*.ptxas"))
    kernels = [k for report in reports for k in kernels_of(report.read_text(encoding="utf-8"))]
    if not kernels:
        print(f"{folder}: no kernel in {len(reports)} reports")
        return 1
    names = readable(sorted({k.name for k in kernels}))
    capabilities = sorted({k.capability for k in kernels})
    of = {(k.name, k.capability): k for k in kernels}
    width = max(map(len, names.values()))
    print("Registers of a thread by compute capability, bytes of stack, spills, static shared")
    print(" ".join([" " * width, *(f"{c // 10}.{c % 10}".rjust(5) for c in capabilities),
                    " stack spills shared"]))
    offences = []
    for mangled, name in sorted(names.items(), key=lambda item: item[1]):
        mine = [of[mangled, c] for c in capabilities if (mangled, c) in of]
        cells = [str(of[mangled, c].registers) if (mangled, c) in of else "-"
                 for c in capabilities]
        print(" ".join([name.ljust(width), *(cell.rjust(5) for cell in cells),
                        *(str(max(getattr(k, part) for k in mine)).rjust(6)
                          for part in ("stack", "spills", "shared"))]))
        for k in mine:
            where = f"{name} on {k.capability // 10}.{k.capability % 10}"
            if k.spills > most_spills:
                offences.append(f"{where} spills {k.spills} bytes; wanted at most {most_spills}")
            if k.registers > most_registers:
                offences.append(f"{where} takes {k.registers} registers; wanted at most "
                                f"{most_registers}")
            if len(mine) != len(capabilities):
                offences.append(f"{name} is not compiled for all of {capabilities}")
    for offence in offences:
        print(offence)
    print(f"{len(names)} kernels for {len(capabilities)} architectures, {len(offences)} offences")
    return 1 if offences else 0


SAMPLE = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_80'
ptxas info    : Function properties for _Z6helperf
    64 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
ptxas info    : Function properties for _Z1kPf
    16 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 42 registers, used 1 barriers, 16 bytes cumulative stack size, 128 bytes smem
ptxas info    : Compile time = 1.000 ms
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_120'
ptxas info    : Function properties for _Z1kPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers
"""


def self_test():
    wanted = [Kernel("_Z1kPf", 80, 42, 16, 16, 128), Kernel("_Z1kPf", 120, 40, 0, 0, 0)]
    found = kernels_of(SAMPLE)
    if found != wanted:
        print(f"wanted {wanted}, got {found}")
        return 1
    print("2 kernels read as they are")
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) > 2 and arguments[0] == "compile":
        return compile_with_report(arguments[1], arguments[2:])
    if len(arguments) == 6 and [arguments[i] for i in (0, 2, 4)] == ["check", "--registers", "--spills"]:
        return check(arguments[1], int(arguments[3]), int(arguments[5]))
    print(__doc__.strip(), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
