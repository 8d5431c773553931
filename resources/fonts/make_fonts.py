# SPDX-License-Identifier: GPL-3.0-or-later
"""Derives the window's typeface from Inter (Debian's fonts-inter): a subset with tabular figures.

Qt 6.4 cannot switch OpenType features on, and Inter's plain digits have different widths, so
numbers that change would jump about. The tabular digits become the plain ones here, the features
that would rewrite text ("->" into an arrow) go, and the result carries another family name, as
the Open Font License wants of a changed font where a name is reserved.

    pip install fonttools && python3 make_fonts.py /usr/share/fonts/opentype/inter
"""
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FAMILY = "Farstate Sans"
WEIGHTS = ["Regular", "Medium", "SemiBold", "Bold"]
RANGES = [(0x20, 0x7E), (0xA0, 0x17F), (0x370, 0x3FF), (0x2010, 0x2027), (0x2030, 0x203A),
          (0x2070, 0x209C), (0x20AC, 0x20AC), (0x2122, 0x2122), (0x2190, 0x2193),
          (0x2200, 0x22FF), (0x25A0, 0x25FF), (0x2605, 0x2606), (0x2713, 0x2717)]
KEPT_FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl"]


def tabular(font):
    """Glyph name of a plain character -> that of its tabular form, from the font's own tnum."""
    gsub = font["GSUB"].table
    mapping = {}
    for record in gsub.FeatureList.FeatureRecord:
        if record.FeatureTag != "tnum":
            continue
        for index in record.Feature.LookupListIndex:
            for table in gsub.LookupList.Lookup[index].SubTable:
                table = getattr(table, "ExtSubTable", table)
                mapping.update(getattr(table, "mapping", {}))
    return mapping


def derive(source, target, weight):
    font = TTFont(source)
    swap = tabular(font)
    for table in font["cmap"].tables:
        for code in list(table.cmap):
            # Digits and the signs between them; spaces keep their width for running text.
            if chr(code) in "0123456789+-.,:%−×=<>":
                table.cmap[code] = swap.get(table.cmap[code], table.cmap[code])
    options = subset.Options()
    options.layout_features = KEPT_FEATURES
    options.name_IDs = ["*"]
    options.hinting = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[c for low, high in RANGES for c in range(low, high + 1)])
    subsetter.subset(font)
    names = font["name"]
    for record in list(names.names):
        if record.nameID in (16, 17, 21, 22, 25):
            names.removeNames(nameID=record.nameID)
    postscript = FAMILY.replace(" ", "") + "-" + weight
    for name_id, text in {1: FAMILY, 2: weight, 3: postscript, 4: f"{FAMILY} {weight}",
                          6: postscript}.items():
        names.setName(text, name_id, 3, 1, 0x409)
    top = font["CFF "].cff.topDictIndex[0]
    top.FamilyName, top.FullName, top.Weight = FAMILY, f"{FAMILY} {weight}", weight
    font["CFF "].cff.fontNames[0] = postscript
    font.save(target)


if __name__ == "__main__":
    for name in WEIGHTS:
        derive(Path(sys.argv[1]) / f"Inter-{name}.otf", f"FarstateSans-{name}.otf", name)
