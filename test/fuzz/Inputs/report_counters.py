# report_counters.py - the report's accesses against the emulator's counters
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   PATH=build/bin:$PATH python3 report_counters.py --seed=1 --count=100
#   PATH=build/bin:$PATH python3 report_counters.py FILE.mlir ...
#
# `tile-compile --emit=report` says of each access to shared memory how many
# wavefronts it takes and how many it would take without bank conflicts; the
# emulator counts both. For each entry point of each program the two are
# compared by line and direction for one block. Where a program is straight code
# they must be equal; elsewhere an access is executed as often as the program
# says, and the counts must be in the proportion that is reported.
#
# Each difference is printed, and the last line is "N lines agree, M differ, E
# may be at an edge, K not reported, P programs skipped". At an edge are loads
# that differ and may leave their array: those copies go another way, which the
# report does not count. Not reported are accesses at places that the run decides
# and zeros beyond a tile, of which the report says that it does not count them:
# tile.take, tile.put, views at run-time offsets. The numbers are printed, so
# that a gap that opens is seen.
# Arrays are of zeros: no other address in shared memory depends on them.

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

DTYPES = {"f64": "f8", "f32": "f4", "f16": "f2", "bf16": "u2", "i1": "?",
          "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "index": "i8",
          "f8E4M3FN": "u1", "f8E5M2": "u1", "complex<f32>": "c8",
          "complex<f64>": "c16"}
# Extents for those of the run, from the last dimension on.
EXTENTS = (64, 48, 4, 2)


class Skip(Exception):
    """A program that cannot be compared, and why."""


def call(*words):
    """What a command prints."""
    done = subprocess.run([str(word) for word in words], capture_output=True,
                          text=True, timeout=120)
    if done.returncode != 0:
        raise Skip(done.stderr.strip().splitlines()[0][:150]
                   if done.stderr.strip() else "exit %d" % done.returncode)
    return done.stdout


def write_array(folder, number, argument):
    """Zeros in the order that the kernel wants; returns the word."""
    rank = len(argument["shape"])
    shape = [EXTENTS[rank - 1 - dim] if extent is None else extent
             for dim, extent in enumerate(argument["shape"])]
    strides = argument["strides"]
    isColumns = rank > 1 and strides[0] == 1 and strides[-1] != 1
    if not isColumns and rank and strides[-1] not in (1, None):
        raise Skip("strides %s" % strides)
    path = folder / ("%d.npy" % number)
    np.save(path, np.zeros(shape, DTYPES[argument["type"]],
                           "F" if isColumns else "C"))
    return str(path) if argument["access"] == "read" else "inout=%s" % path


def run(program, kernel, entry, arch, folder):
    """The counters of one entry point, by line and direction."""
    words = [write_array(folder, number, argument)
             if argument["kind"] == "array" else "0"
             for number, argument in enumerate(kernel["arguments"])]
    profile = folder / "profile.json"
    call("tile-run", program, kernel["name"], *words, "--grid=1,1,1",
         "--on=emulator", "--arch=" + arch, "--entry=" + entry, "--profile-json=%s" % profile)
    lines = collections.Counter()
    for row in json.loads(profile.read_text())["instructions"]:
        if row["wavefronts"]:
            key = (row["location"].rsplit(":", 1)[0],
                   "load" if row["instruction"].startswith("ld") else "store")
            lines[key] += complex(row["wavefronts"], row["minimalWavefronts"])
    return lines


def predict(body):
    """The same of a report, a list of accesses for each line."""
    lines = collections.defaultdict(list)
    for access in body["accesses"]:
        isLoad = access["operation"].startswith(("tile.load", "tile.matmul",
                                                 "tile.take"))
        lines[access["location"], "load" if isLoad else "store"].append(
            None if access["wavefronts"] is None else
            complex(access["wavefronts"], access["minimalWavefronts"]))
    return lines


def agree(expected, counted, isStraight):
    """Whether the counts are those of the report, or of some executions."""
    total = sum(expected)
    if isStraight:
        return counted == total
    # Wavefronts in proportion to those without conflicts.
    return (counted.real * total.imag == counted.imag * total.real and
            counted.real >= min(one.real for one in expected))


def compare(program, arch, counts):
    text = pathlib.Path(program).read_text()
    metadata = json.loads(call("tile-compile", program, "--arch=" + arch,
                               "--emit=metadata", "-o", "-"))
    report = json.loads(call("tile-compile", program, "--arch=" + arch,
                             "--emit=report", "--json", "-o", "-"))
    for body in report["kernels"]:
        name = body["generalOf"] or body["symbol"]
        kernel, = [one for one in metadata["kernels"] if one["name"] == name]
        isStraight = not re.search(r"\bscf\.", text)
        with tempfile.TemporaryDirectory() as folder:
            counted = run(program, kernel, body["symbol"], arch,
                          pathlib.Path(folder))
        expected = predict(body)
        for key in sorted(counted):
            if key not in expected or None in expected[key]:
                counts["not reported"] += 1
            elif agree(expected[key], counted[key], isStraight):
                counts["agree"] += 1
            elif mayLeaveArray(show_line(text, key[0])):
                counts["edge"] += 1
            else:
                counts["differ"] += 1
                print("%s, %s, %s of %s:\n  %s\n  the report says %s, the "
                      "emulator counts %s" % (
                          program, body["symbol"], key[1], key[0],
                          show_line(text, key[0]),
                          show(sum(expected[key])), show(counted[key])))


def mayLeaveArray(line):
    """Whether a copy may take the other way, for boxes that leave an array."""
    return "tile.load" in line and "in_bounds" not in line


def show(count):
    return "%d wavefronts (at least %d)" % (count.real, count.imag)


def show_line(text, location):
    return text.splitlines()[int(location.rsplit(":", 1)[1]) - 1].strip()


def make_programs(seed, count, folder):
    """Random programs, as files."""
    text = call("tile-fuzz", "--print", "--seed=%d" % seed,
                "--count=%d" % count)
    for program in re.split(r"(?m)^(?=// seed )", text):
        found = re.match(r"// seed (\d+)", program)
        if found:
            path = pathlib.Path(folder) / ("%s.mlir" % found[1])
            path.write_text(program)
            yield path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--arch", default="sm_80")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--verbose", action="store_true",
                        help="say why programs are skipped")
    options = parser.parse_args()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        programs = list(options.files)
        if options.count:
            programs += make_programs(options.seed, options.count, folder)
        for program in programs:
            try:
                compare(program, options.arch, counts)
            except (Skip, subprocess.TimeoutExpired) as problem:
                counts["skipped"] += 1
                if options.verbose:
                    print("skipped %s: %s" % (program, problem))
    print("%d lines agree, %d differ, %d may be at an edge, %d not reported, %d "
          "programs skipped" % (counts["agree"], counts["differ"],
                                counts["edge"], counts["not reported"],
                                counts["skipped"]))
    return counts["differ"] != 0


if __name__ == "__main__":
    sys.exit(main())
