# report_counters.py - compares the report's accesses with the emulator's counters
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   PATH=build/bin:$PATH python3 report_counters.py --programs=REGEX
#   PATH=build/bin:$PATH python3 report_counters.py --seed=1 --count=100
#   PATH=build/bin:$PATH python3 report_counters.py FILE.mlir ...
#
# `tile-compile --emit=report` reports for each access to shared memory how many
# wavefronts it takes and how many it would take without bank conflicts; the
# emulator counts both. For each entry point of each kernel of access_programs.py, of
# random programs or of files, this script compares the two by line and direction for
# one block: no line may be on only one side. In a program without control flow they
# must be equal; otherwise an access is executed as often as the program determines,
# perhaps never, and the counts must be in the proportion that is
# reported.
#
# Each difference is printed, and the last line is "N lines agree, M differ, E of
# other arrays, K not all counted, P programs skipped". "Of other arrays" are lines of
# random programs that differ and whose report assumes a property of the arrays, which
# such a program need not have. "Not all counted" are lines with an access that is
# reported as not counted (tile.take, tile.put, views at run-time offsets, zeros beyond
# a tile, words of rows that are shifted): the emulator counts at least as many there.
# These counts are printed so that a new gap is noticed.
# Arrays are zeros, since apart from accesses that are not counted no address in shared
# memory depends on their values.

import argparse
import collections
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import access_programs
import numpy as np

DTYPES = {"f64": "f8", "f32": "f4", "f16": "f2", "bf16": "u2", "i1": "?",
          "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "index": "i8",
          "f8E4M3FN": "u1", "f8E5M2": "u1", "complex<f32>": "c8",
          "complex<f64>": "c16"}
# Prefixes of the names of the report's accesses that read.
LOADS = ("tile.load", "tile_gpu.load_shared", "tile.matmul", "tile.take", "tile.print",
         "tile_gpu.align_rows words")
# Values of run-time extents, from the last dimension on.
EXTENTS = (128, 96, 4, 2)


class Skip(Exception):
    """A program that cannot be compared, and why."""


def get_error(done):
    lines = done.stderr.strip().splitlines()
    return lines[0][:150] if lines else "exit %d" % done.returncode


def call(*words, given=None):
    """Returns the output of a command."""
    done = subprocess.run([str(word) for word in words], capture_output=True,
                          text=True, input=given, timeout=300)
    if done.returncode != 0:
        raise Skip(get_error(done))
    return done.stdout


def compile(program, arch, *words):
    """Returns the compiler's JSON; without ptxas, which adds nothing here."""
    return json.loads(call("tile-compile", program, "--arch=" + arch,
                           "--ptxas=none", "-o", "-", *words))["kernels"]


def write_array(folder, index, argument):
    """Saves zeros in the kernel's memory order; returns tile-run's argument."""
    rank = len(argument["shape"])
    shape = [EXTENTS[rank - 1 - dim] if extent is None else extent
             for dim, extent in enumerate(argument["shape"])]
    strides = argument["strides"]
    isColumns = rank > 1 and strides[0] == 1 and strides[-1] != 1
    if not isColumns and rank and strides[-1] not in (1, None):
        raise Skip("strides %s" % strides)
    path = folder / ("%d.npy" % index)
    np.save(path, np.zeros(shape, DTYPES[argument["type"]],
                           "F" if isColumns else "C"))
    return str(path) if argument["access"] == "read" else "inout=%s" % path


class Run:
    """A launch of one entry point by one block."""

    def __init__(self, program, kernel, body, arch, folder):
        folder.mkdir()
        self.program = program
        self.body = body
        self.profile = folder / "profile.json"
        arguments = [write_array(folder, index, argument)
                     if argument["kind"] == "array" else "0"
                     for index, argument in enumerate(kernel["arguments"])]
        self.words = [str(program), kernel["name"], *arguments, "--grid=1,1,1",
                      "--on=emulator", "--arch=" + arch,
                      "--entry=" + body["symbol"],
                      "--profile-json=%s" % self.profile]

    def count(self):
        """Returns the emulator's counters by line and direction."""
        lines = collections.Counter()
        for row in json.loads(self.profile.read_text())["instructions"]:
            if row["wavefronts"]:
                isLoad = row["instruction"].startswith("ld")
                key = (row["location"].rsplit(":", 1)[0],
                       "load" if isLoad else "store")
                lines[key] += complex(row["wavefronts"],
                                      row["minimalWavefronts"])
        return lines


def make_runs(program, arch, folder):
    """Returns a run of each entry point of a program."""
    kernels = {one["name"]: one
               for one in compile(program, arch, "--emit=metadata")}
    return [Run(program, kernels[body["generalOf"] or body["symbol"]], body,
                arch, folder / str(index))
            for index, body in enumerate(
                compile(program, arch, "--emit=report", "--json"))]


def emulate(runs):
    """Runs tile-run to write the profiles; returns the runs that have one."""
    given = "".join(json.dumps(run.words) + "\n" for run in runs)
    call("tile-run", "--batch", given=given)
    return [run for run in runs if run.profile.exists()]


class Prediction:
    """Reported wavefronts of a line in one direction."""

    def __init__(self):
        self.counts = []
        self.isCounted = True
        self.assumes = False

    def add(self, access):
        self.assumes |= bool(access["assumes"])
        if access["wavefronts"] is None:
            self.isCounted = False
        else:
            self.counts.append(complex(access["wavefronts"],
                                       access["minimalWavefronts"]))

    def agrees(self, counted, isStraight):
        """Returns whether the counts are the reported ones or those of repetitions."""
        total = sum(self.counts)
        if isStraight:
            return counted == total or (not self.isCounted and
                                        counted.real >= total.real)
        if not counted or not self.isCounted:
            return True
        # Wavefronts in proportion to those without conflicts.
        return (counted.real * total.imag == counted.imag * total.real and
                counted.real >= min((one.real for one in self.counts),
                                    default=math.inf))


def predict(body):
    """Returns the predictions by line and direction."""
    lines = collections.defaultdict(Prediction)
    for access in body["accesses"]:
        isLoad = access["operation"].startswith(LOADS)
        lines["%s:%d" % (access["file"], access["line"]),
              "load" if isLoad else "store"].add(access)
    return lines


def compare(run, isRandom, counts):
    text = pathlib.Path(run.program).read_text()
    isStraight = not re.search(r"\bscf\.", text)
    expected, counted = predict(run.body), run.count()
    for key in sorted(set(counted) | set(expected)):
        line = expected[key]
        if line.agrees(counted[key], isStraight):
            counts["agree" if line.isCounted else "not all counted"] += 1
        elif isRandom and line.assumes:
            counts["assumed"] += 1
        else:
            counts["differ"] += 1
            print("%s, %s, %s of %s:\n  %s\n  the report says %s, the "
                  "emulator counts %s" % (
                      run.program, run.body["symbol"], key[1], key[0],
                      show_line(text, key[0]), show(sum(line.counts)),
                      show(counted[key])))


def show(count):
    return "%d wavefronts (at least %d)" % (count.real, count.imag)


def show_line(text, location):
    return text.splitlines()[int(location.rsplit(":", 1)[1]) - 1].strip()


def make_random(seed, count, folder):
    """Yields paths of random programs."""
    text = call("tile-fuzz", "--print", "--seed=%d" % seed,
                "--count=%d" % count)
    for program in re.split(r"(?m)^(?=// seed )", text):
        found = re.match(r"// seed (\d+)", program)
        if found:
            path = folder / ("%s.mlir" % found[1])
            path.write_text(program)
            yield path


def make_programs(pattern, folder):
    """Yields paths of the kernels of access_programs.py with matching names, a file
    for each element type."""
    for element, kernels in access_programs.write_all():
        texts = [text for name, text in kernels if re.search(pattern, name)]
        if texts:
            path = folder / ("%s.mlir" % element)
            path.write_text("\n".join(texts))
            yield path


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--arch", default="sm_80")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--programs", metavar="REGEX")
    parser.add_argument("--verbose", action="store_true",
                        help="say why programs are skipped")
    return parser.parse_args()


def list_programs(options, folder):
    """Yields paths, and whether programs are random."""
    for path in options.files:
        yield path, False
    if options.count:
        for path in make_random(options.seed, options.count, folder):
            yield path, True
    if options.programs:
        for path in make_programs(options.programs, folder):
            yield path, False


def main():
    options = parse_arguments()
    counts, runs = collections.Counter(), {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for program, isRandom in list_programs(options, folder):
            try:
                directory = pathlib.Path(tempfile.mkdtemp(dir=folder))
                for run in make_runs(program, options.arch, directory):
                    runs[run] = isRandom
            except (Skip, subprocess.TimeoutExpired) as problem:
                counts["skipped"] += 1
                if options.verbose:
                    print("skipped %s: %s" % (program, problem))
        done = emulate(runs)
        counts["skipped"] += len(runs) - len(done)
        for run in done:
            compare(run, runs[run], counts)
    print("%d lines agree, %d differ, %d of other arrays, %d not all counted, "
          "%d programs skipped" % tuple(
              counts[key] for key in ("agree", "differ", "assumed",
                                      "not all counted", "skipped")))
    return counts["differ"] != 0


if __name__ == "__main__":
    sys.exit(main())
