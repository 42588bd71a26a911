# check_sectors.py - compares the report's global accesses with the emulator's
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   PATH=build/bin:$PATH python3 check_sectors.py PROGRAM KERNEL ARRAY... FOLDER
#
# ARRAY is TYPE:EXTENTxEXTENT..., as "f4:64x64". One block runs; sectors times
# executions must be those that the emulator counts, line by line.

import collections
import json
import pathlib
import subprocess
import sys

import numpy as np


def predict(program, kernel):
    text = subprocess.run(
        ["tile-compile", program, "--arch=sm_80", "--emit=report", "--json",
         "--ptxas=none", "-o", "-"], capture_output=True, check=True).stdout
    lines = collections.Counter()
    body, = [one for one in json.loads(text)["kernels"]
             if one["symbol"] == kernel]
    for access in body["globalAccesses"]:
        lines[access["line"]] += access["sectors"] * access["executions"]
    return lines


def count(program, kernel, arrays, folder):
    words = []
    for index, array in enumerate(arrays):
        element, shape = array.split(":")
        path = folder / ("%d.npy" % index)
        np.save(path, np.zeros([int(one) for one in shape.split("x")], element))
        words.append("inout=%s" % path if index == len(arrays) - 1
                     else str(path))
    profile = folder / "profile.json"
    subprocess.run(["tile-run", program, kernel, *words, "--grid=1,1,1",
                    "--on=emulator", "--arch=sm_80",
                    "--profile-json=%s" % profile], check=True)
    lines = collections.Counter()
    for row in json.loads(profile.read_text())["instructions"]:
        if row["sectors"]:
            lines[int(row["location"].rsplit(":", 2)[1])] += row["sectors"]
    return lines


def main():
    program, kernel, *arrays, folder = sys.argv[1:]
    expected = predict(program, kernel)
    counted = count(program, kernel, arrays, pathlib.Path(folder))
    assert expected == counted, (expected, counted)
    print("%d lines agree, %d sectors" % (len(counted), sum(counted.values())))


main()
