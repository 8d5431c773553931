#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small tables as `datasets` and pyarrow write them, for tests/core/formats/arrow_stream_test.cpp.

    pip install datasets==5.2.0 pyarrow==26.0.1
    make_arrow_golden.py [--out FOLDER]
"""

import argparse
import pathlib
import shutil
import tempfile

import datasets
import pyarrow as pa

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS = [
    {"question": "Where is Mary? ", "target": "kitchen", "input": " Mary went to the kitchen. It rained. "},
    {"question": "Where is John?", "target": "office", "input": "John went to the “office”."},
    {"question": "Where is Sandra?", "target": "garden", "input": ""},
]


def write(path, table, container=pa.ipc.new_stream, **options):
    with container(str(path), table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "tests/golden/arrow")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)

    with tempfile.TemporaryDirectory() as folder:
        datasets.Dataset.from_list(ROWS).save_to_disk(folder, num_shards=2)
        for part in sorted(pathlib.Path(folder).glob("data-*.arrow")):
            shutil.copy(part, out / part.name)

    table = pa.Table.from_pylist(ROWS)
    write(out / "stream.arrow", table)
    write(out / "file.arrow", table, pa.ipc.new_file)
    write(out / "large.arrow", table.cast(pa.schema([(n, pa.large_string()) for n in table.column_names])))
    write(out / "compressed.arrow", table, compression="lz4")
    write(out / "numbers.arrow", table.append_column("id", pa.array([1, 2, 3])))
    write(out / "dictionary.arrow", table.set_column(1, "target", table["target"].dictionary_encode()))
    write(out / "missing.arrow", table.set_column(1, "target", pa.array(["kitchen", None, "garden"])))


if __name__ == "__main__":
    main()
