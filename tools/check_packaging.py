#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that what a desktop is told of Farstate agrees with itself and with the programs.

    check_packaging.py SOURCE [FARSTATE]

The id is one everywhere; the desktop file starts a program that is installed; names, types and the
version are those of the build; the manual names every command that FARSTATE --help lists. Where
appstreamcli and desktop-file-validate are installed, they must have nothing to say.
"""

import configparser
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

ID = "org.farstate.Farstate"


def problems_of(source, program):
    packaging = source / "packaging"
    found = []

    def expect(holds, sentence):
        if not holds:
            found.append(sentence)

    version = re.search(r"project\(farstate VERSION ([\d.]+)",
                        (source / "CMakeLists.txt").read_text("utf-8")).group(1)
    desktop = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    desktop.optionxform = str
    desktop.read(packaging / f"{ID}.desktop", "utf-8")
    entry = desktop["Desktop Entry"]
    info = xml.parse(packaging / f"{ID}.metainfo.xml").getroot()
    mime = xml.parse(packaging / f"{ID}.mime.xml").getroot()
    types = {t.get("type") for t in mime.iter("{http://www.freedesktop.org/standards/shared-mime-info}mime-type")}
    build = (packaging / "CMakeLists.txt").read_text("utf-8")
    main = (source / "app/desktop/main.cpp").read_text("utf-8")

    expect(info.findtext("id") == ID, f"the metainfo's id is {info.findtext('id')}, not {ID}")
    expect(info.findtext("launchable") == f"{ID}.desktop", "the metainfo launches another file")
    expect(info.findtext("icon") == ID == entry["Icon"], "the icons have different names")
    expect(info.findtext("name") == entry["Name"], "the names differ")
    expect(f'"{ID}"' in main, f"main.cpp does not say setDesktopFileName({ID})")
    expect(f"set(id {ID})" in build, "the install rules have another id")
    started = entry["Exec"].split()[0]
    binaries = {b.text for b in info.iter("binary")}
    expect(started in binaries and binaries == {"farstate", "farstate-desktop"},
           f"it starts {started} and provides {sorted(binaries)}")
    releases = [r.get("version") for r in info.iter("release")]
    expect(releases[:1] == [version], f"the newest release is {releases[:1]}, the build {version}")
    changes = (source / "CHANGELOG.md").read_text("utf-8")
    expect(f"## {version}" in changes, f"CHANGELOG.md has no {version}")
    for media in info.iter("mediatype"):
        expect(media.text in types, f"{media.text} is provided and not defined")
        expect(media.text in entry["MimeType"].split(";"), f"{media.text} is not opened")
    for page in ("farstate.1", "farstate-desktop.1"):
        expect(f"Farstate {version}" in (packaging / page).read_text("utf-8"),
               f"{page} is not of version {version}")
    if program:
        help_text = subprocess.run([program, "--help"], capture_output=True, text=True,
                                   check=True).stdout
        commands = re.findall(r"^  ([a-z]\w*)", help_text.split("Subcommands:")[1], re.M)
        manual = re.findall(r"^\.B ([a-z]\w*)$", (packaging / "farstate.1").read_text("utf-8"), re.M)
        expect(set(commands) <= set(manual),
               f"farstate.1 lacks {sorted(set(commands) - set(manual))}")
    for words in (["appstreamcli", "validate", "--no-net", str(packaging / f"{ID}.metainfo.xml")],
                  ["desktop-file-validate", str(packaging / f"{ID}.desktop")]):
        if not shutil.which(words[0]):
            print(f"{words[0]} is not installed; left out")
            continue
        said = subprocess.run(words, capture_output=True, text=True, check=False)
        expect(said.returncode == 0, f"{words[0]}: {said.stdout}{said.stderr}")
    return found


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    found = problems_of(pathlib.Path(sys.argv[1]), sys.argv[2] if len(sys.argv) == 3 else None)
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
