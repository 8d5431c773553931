#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps the translations of the window and its texts together.

update ROOT   takes new texts over into app/desktop/translations/*.ts, without a translation yet,
              and drops those that are no longer said
check ROOT    tells what is missing, unfinished or wrong; the tests call it
self-test     shows that each kind of fault is found
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

LUPDATE = "/usr/lib/qt6/bin/lupdate"
PLACEHOLDER = re.compile(r"%L?(?:n|\d+)")


def extract(root, lupdate, ts, locations="none"):
    """Brings the texts of the sources into a .ts file. English needs its plural forms alone."""
    options = ["-silent", "-no-obsolete", "-I", ".", "-locations", locations,
               "-source-language", "en_US"]
    if ts.stem.endswith("_en"):
        options.append("-pluralonly")
    subprocess.run([lupdate, *options, "app/desktop", "-ts", str(ts.resolve())], cwd=root,
                   check=True, stderr=subprocess.DEVNULL)


def messages(ts):
    """{(context, source, comment): message} of a .ts file."""
    found = {}
    for context in xml.etree.ElementTree.parse(ts).getroot().iter("context"):
        for message in context.findall("message"):
            comment = message.findtext("comment") or ""
            found[context.findtext("name"), message.findtext("source") or "", comment] = message
    return found


def forms(message):
    translation = message.find("translation")
    if message.get("numerus") == "yes":
        return [form.text or "" for form in translation.findall("numerusform")]
    return [translation.text or ""]


def faults_of(key, message):
    context, source, _ = key
    where = f"{context.split('::')[-1]}: \"{source}\""
    translation = message.find("translation")
    if translation.get("type") == "unfinished" or not all(forms(message)):
        yield f"{where} has no translation"
        return
    wanted = sorted(PLACEHOLDER.findall(source))
    for form in forms(message):
        # "One change" may go without the number.
        if message.get("numerus") == "yes" and "%n" not in form and "%Ln" not in form:
            continue
        if sorted(PLACEHOLDER.findall(form)) != wanted:
            yield f"{where} has the placeholders {wanted}, and its translation \"{form}\" has not"


def speaking_classes(root):
    """The classes whose own tr() asks in their own context."""
    declared = re.compile(r"class (\w+)[^;{}]*\{\s*(?:Q_OBJECT\b|Q_DECLARE_TR_FUNCTIONS\()")
    files = [*root.glob("app/desktop/**/*.h"), *root.glob("app/desktop/**/*.cpp")]
    return {name for file in files for name in declared.findall(file.read_text())}


def foreign_rooms(root):
    """A tr() of a file's own asks in the room where lupdate puts what free functions say."""
    own = re.compile(r"\btr\b[^;{}]*\{\s*return QCoreApplication::translate\(\"([^\"]+)\", text\)")
    for file in sorted(root.glob("app/desktop/**/*.cpp")):
        for room in own.findall(file.read_text()):
            if room != "farstate::desktop":
                yield f"{file.name}: its tr() asks in {room}, and not in farstate::desktop"


def misplaced(root, ts):
    """lupdate takes `Plot::Curve curve_of()` for a function of Plot, and the members of any class for
    speakers of their own, while the program asks for the texts of the function's own room: such a
    text would stay English."""
    speaking = speaking_classes(root)
    for (context, source, _), message in messages(ts).items():
        name = context.split("::")[-1]
        if not context.startswith("farstate::desktop::"):
            continue
        if name not in speaking:
            yield (f"\"{source}\" is taken for a text of {name}, which has neither Q_OBJECT nor "
                   "Q_DECLARE_TR_FUNCTIONS")
        for location in message.findall("location"):
            file = (ts.parent / location.get("filename")).resolve()
            text = file.read_text()
            if not re.search(rf"\b{name}::~?\w+\(", text) and not re.search(rf"class {name}\b", text):
                yield (f"\"{source}\" in {file.name} is taken for a text of {name}: "
                       "give its return type a name without ::")


def check(root, lupdate):
    faults = []
    for ts in sorted((root / "app/desktop/translations").glob("*.ts")):
        with tempfile.TemporaryDirectory() as folder:
            fresh = pathlib.Path(folder) / ts.name
            extract(root, lupdate, fresh)
            said, known = messages(fresh), messages(ts)
        for key in said.keys() - known.keys():
            faults.append(f"{ts.name}: {key[0]}: \"{key[1]}\" is missing")
        for key in known.keys() - said.keys():
            faults.append(f"{ts.name}: {key[0]}: \"{key[1]}\" is no longer said")
        for key, message in known.items():
            faults += [f"{ts.name}: {fault}" for fault in faults_of(key, message)]
    with tempfile.TemporaryDirectory() as folder:
        located = pathlib.Path(folder) / "located.ts"
        extract(root, lupdate, located, "absolute")
        faults += misplaced(root, located)
    faults += foreign_rooms(root)
    return faults


def update(root, lupdate):
    for ts in sorted((root / "app/desktop/translations").glob("*.ts")):
        extract(root, lupdate, ts)


SOURCE = """#include <QObject>
namespace farstate::desktop {
class Plot : public QObject { Q_OBJECT public: struct Curve {}; QString name() const; };
QString Plot::name() const { return tr("%1 of %2"); }
QString many(int n) { return Plot::tr("%Ln step(s)", nullptr, n); }
}
"""
STRAY = """
namespace farstate::desktop { Plot::Curve curve_of() { return {tr("a stray text")}; } }
"""
BOOK = """namespace farstate::desktop {
class Book { QString name() const { return tr("a text of no speaker"); } };
}
"""

ROOM = """namespace farstate::desktop {
QString tr(const char* text) { return QCoreApplication::translate("Elsewhere", text); }
}
"""


def translate(ts, texts):
    tree = xml.etree.ElementTree.parse(ts)
    for message in tree.getroot().iter("message"):
        translation = message.find("translation")
        text = texts.get(message.findtext("source"))
        if text is None:
            continue
        translation.attrib.pop("type", None)
        if message.get("numerus") == "yes":
            for form in translation.findall("numerusform"):
                form.text = text
        else:
            translation.text = text
    tree.write(ts, encoding="utf-8", xml_declaration=True)


def self_test(lupdate):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "app/desktop/translations").mkdir(parents=True)
        source = root / "app/desktop/plot.cpp"
        source.write_text(SOURCE)
        ts = root / "app/desktop/translations/farstate_zh_CN.ts"
        extract(root, lupdate, ts)
        good = {"%1 of %2": "%2 / %1", "%Ln step(s)": "%Ln"}

        def faults():
            return "\n".join(check(root, lupdate))

        assert faults().count("has no translation") == 2, faults()
        translate(ts, good)
        assert faults() == "", faults()
        translate(ts, good | {"%1 of %2": "%1"})
        assert "placeholders" in faults(), faults()
        translate(ts, good)
        source.write_text(SOURCE.replace("%1 of %2", "%2, %1"))
        assert "is missing" in faults() and "no longer said" in faults(), faults()
        source.write_text(SOURCE)
        (root / "app/desktop/stray.cpp").write_text('#include "plot.h"\n' + STRAY)
        (root / "app/desktop/plot.h").write_text(SOURCE.split("QString Plot::name")[0] + "}\n")
        assert "without ::" in faults(), faults()
        (root / "app/desktop/stray.cpp").unlink()
        (root / "app/desktop/plot.h").unlink()
        (root / "app/desktop/book.cpp").write_text(BOOK)
        assert "neither Q_OBJECT" in faults(), faults()
        (root / "app/desktop/book.cpp").write_text(ROOM)
        assert "asks in Elsewhere" in faults(), faults()
    print("Every kind of fault is found.")
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["check", "update", "self-test"])
    parser.add_argument("root", nargs="?", default=".", type=pathlib.Path)
    parser.add_argument("--lupdate", default=LUPDATE)
    given = parser.parse_args()
    if given.command == "update":
        update(given.root.resolve(), given.lupdate)
        return 0
    faults = (self_test(given.lupdate) if given.command == "self-test"
              else check(given.root.resolve(), given.lupdate))
    for fault in faults:
        print(fault)
    if faults:
        print(f"{len(faults)} faults. New texts come into the files by: tools/translations.py update;"
              " docs/TRANSLATING.md says how to go on.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
