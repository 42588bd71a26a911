#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs that random_programs.py stored, and compares them with NumPy.

  python3 stored_programs.py FOLDER
"""

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from program_runs import Array, Call, draw, list_faults, report  # noqa: E402
from recorded_programs import from_json  # noqa: E402


def read_call(data):
    inputs = [draw(array["element"], array["shape"], array["seed"])
              for array in data["inputs"]]
    outputs = [Array(array["element"], tuple(array["shape"]), None, 0, array["error"],
                     array["is_updated"]) for array in data["outputs"]]
    return Call(tuple(data["grid"]), inputs, outputs)


def check(path, folder):
    """Returns the faults of a program."""
    data = json.loads(path.read_text())
    return list_faults(read_call(data), path.with_suffix(".tileirbc").read_bytes(),
                       from_json(data["program"]), folder)


def main():
    with tempfile.TemporaryDirectory() as folder:
        report((path.stem, check(path, Path(folder)))
               for path in sorted(Path(sys.argv[1]).glob("*.json")))


if __name__ == "__main__":
    main()
