#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records the PTX of every example and every measured matmul, and lists the changes
since it was recorded.

  python3 ptx_manifest.py --compiler build/bin/tile-compile           compares
  python3 ptx_manifest.py --compiler build/bin/tile-compile --update  records

The manifest, ptx_manifest.csv, has a row for each entry point of each program on each
architecture of ARCHITECTURES: a hash of its code, the number of its instructions, and
the number of instructions of each kind in KINDS. A program that does not compile has
the first line of its error instead. A difference is listed with the instructions before
and after:

  examples/12_softmax/softmax.mlir sm_80 softmax: instructions 310 -> 305, ld.global 4 -> 2

Code that differs only in comments, source lines and label numbers is the same. The
first line of the manifest names the version of LLVM that made the hashes. Another
version may generate other code from the same sources. The exit status is 1 if there are
differences.
"""

import argparse
import collections
import concurrent.futures
import csv
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import launcher
import product

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = Path(__file__).resolve().parent / "ptx_manifest.csv"
ARCHITECTURES = ("sm_80", "sm_89", "sm_90a")

# Prefixes of instruction names. An instruction is counted for the first that matches.
KINDS = ("ld.global", "st.global", "ld.shared", "st.shared", "ld.local",
         "st.local", "ldmatrix", "stmatrix", "mma.sync", "wgmma.mma_async",
         "wgmma.wait_group", "cp.async.c", "cp.async.wait", "bar.sync",
         "barrier", "shfl", "atom", "red", "fence", "fma", "call", "bra")
# Names of rows without an entry point: code outside of functions, and an error of the
# compiler.
MODULE, REFUSED = "(module)", "(refused)"

COMMENT = re.compile(r"//.*")
LOCATION = re.compile(r"\s*\.(loc|file|section)\b")
LABEL = re.compile(r"\$L__(\w+?)\d+(_\d+)?\b")
FUNCTION = re.compile(r".*\.(?:entry|func)\s+(?:\(.*?\)\s*)?([\w$]+)")
# An instruction with many operands has them on the following lines.
INSTRUCTION = re.compile(r"\s*(?:@!?%p\d+\s+)?([a-z][\w.:]*)(?:[^:]*;|$)")


class ManifestError(Exception):
    """An error with a message for the user."""


@dataclass(frozen=True)
class Code:
    """The contents of the manifest's row for an entry point, or for an error of the
    compiler."""
    digest: str
    counts: tuple

    @staticmethod
    def of_lines(lines):
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
        found = collections.Counter()
        for name in list_instructions(lines):
            found["instructions"] += 1
            kind = next(filter(name.startswith, KINDS), None)
            if kind:
                found[kind] += 1
        return Code(digest, tuple(found[name]
                                  for name in ("instructions", *KINDS)))

    @staticmethod
    def of_refusal(message):
        return Code(message, (0,) * (1 + len(KINDS)))


# ---------------------------------------------------------------------------
# PTX
# ---------------------------------------------------------------------------

def simplify(text):
    """Returns the lines that are code, with labels numbered from 0 in each function."""
    labels = {}
    for line in text.splitlines():
        line = COMMENT.sub("", line).rstrip()
        if not line or LOCATION.match(line):
            continue
        if FUNCTION.match(line):
            labels = {}
        yield LABEL.sub(
            lambda match: labels.setdefault(match[0], f"$L{len(labels)}"), line)


def split_functions(text):
    """Returns the lines of each function by the function's name, and the lines outside
    of functions by MODULE."""
    parts = collections.defaultdict(list)
    name, depth = MODULE, 0
    for line in simplify(text):
        if line.startswith((".version", ".target")):
            continue
        match = FUNCTION.match(line)
        if match and not line.endswith(";"):
            name = match[1]
        parts[name].append(line)
        depth += line.count("{") - line.count("}")
        if depth == 0 and line.endswith("}"):
            name = MODULE
    return parts


def list_instructions(lines):
    """Returns the names of the instructions, such as ld.global.nc.v4.b32."""
    for line in lines:
        match = INSTRUCTION.match(line)
        if match:
            yield match[1]


def emit_ptx(compiler, path, architecture):
    """Compiles a program to PTX. The compiler runs in the folder of the program,
    because an assertion contains the path of the program's file."""
    return subprocess.run(
        [compiler, path.name, f"--arch={architecture}", "--emit=ptx", "-o", "-"],
        capture_output=True, text=True, cwd=path.parent)


def compile_program(compiler, path, architecture):
    """Returns the Code of each part of a program by the part's name."""
    result = emit_ptx(compiler, path, architecture)
    if result.returncode == 0:
        return {name: Code.of_lines(lines)
                for name, lines in split_functions(result.stdout).items()}
    errors = [line for line in result.stderr.splitlines() if "error:" in line]
    if not errors:
        raise ManifestError(f"{path}: expected PTX or an error, found exit "
                            f"status {result.returncode}")
    return {REFUSED: Code.of_refusal(errors[0].split("error:", 1)[1].strip())}


# ---------------------------------------------------------------------------
# The manifest
# ---------------------------------------------------------------------------

def find_programs(folder, only):
    """Returns names and paths of the examples and of the matmuls, which are written
    to `folder`."""
    programs = {str(path.relative_to(ROOT)): path
                for path in sorted(ROOT.glob("examples/*/*.mlir"))}
    matmuls = [program for program in product.list_programs()
               if only.search(program.name)]
    for path in launcher.write_programs(folder, matmuls):
        programs[path.stem] = path
    return {name: path for name, path in programs.items() if only.search(name)}


def compile_programs(compiler, programs, architectures, jobs):
    """Compiles all programs, and returns the Code of each (program, architecture,
    part)."""
    cases = [(name, architecture) for name in programs
             for architecture in architectures]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = pool.map(
            lambda case: compile_program(compiler, programs[case[0]], case[1]),
            cases)
        return {(*case, part): code for case, parts in zip(cases, results)
                for part, code in parts.items()}


def get_version(compiler):
    """Returns the version of LLVM that the compiler reports."""
    text = subprocess.run([compiler, "--version"], capture_output=True,
                          text=True, check=True).stdout
    match = re.search(r"LLVM version (\S+)", text)
    if not match:
        raise ManifestError(f"expected '{compiler} --version' to name an LLVM "
                            f"version, found '{text.strip()}'")
    return match[1]


def read_manifest(path):
    """Returns the version of LLVM, and the recorded code."""
    with open(path, newline="") as file:
        version = file.readline().removeprefix("# LLVM").strip()
        rows = csv.reader(file)
        next(rows)
        return version, {
            tuple(row[:3]): Code(row[3], tuple(map(int, row[4:])))
            for row in rows}


def write_manifest(path, version, codes):
    with open(path, "w", newline="") as file:
        file.write(f"# LLVM {version}\n")
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["program", "architecture", "entry", "sha256",
                       "instructions", *KINDS])
        for key, code in codes.items():
            rows.writerow([*key, code.digest, *code.counts])


def describe_difference(before, after):
    """Describes the counts that differ, or states that only order or operands
    differ."""
    if before is None or after is None:
        return (f"{'new' if before is None else 'gone'}, "
                f"instructions {(before or after).counts[0]}")
    changed = [f"{name} {old} -> {new}" for name, old, new in zip(
        ("instructions", *KINDS), before.counts, after.counts) if old != new]
    return ", ".join(changed) or f"instructions {after.counts[0]}, other code"


def list_differences(recorded, made):
    for key in sorted({*recorded, *made}):
        if recorded.get(key) != made.get(key):
            yield " ".join(key) + ": " + describe_difference(
                recorded.get(key), made.get(key))


# ---------------------------------------------------------------------------
# The command
# ---------------------------------------------------------------------------

def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default="tile-compile",
                        help="the path of tile-compile")
    parser.add_argument("--manifest", type=Path, default=MANIFEST)
    parser.add_argument("--update", action="store_true",
                        help="record what is made now")
    parser.add_argument("--only", type=re.compile, default=re.compile(""),
                        metavar="REGEX", help="programs whose names match")
    parser.add_argument("--arch", action="append", choices=ARCHITECTURES,
                        help="instead of all three; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def main():
    options = parse_arguments()
    found = shutil.which(options.compiler)
    if not found:
        raise ManifestError(f"expected a compiler, found no "
                            f"'{options.compiler}'")
    options.compiler = os.path.abspath(found)
    architectures = options.arch or ARCHITECTURES
    version = get_version(options.compiler)
    recorded_version, recorded = version, {}
    if options.manifest.exists():
        recorded_version, recorded = read_manifest(options.manifest)
    elif not options.update:
        raise ManifestError(f"{options.manifest}: no such file")
    if recorded_version != version:
        print(f"the manifest is of LLVM {recorded_version}, "
              f"'{options.compiler}' has {version}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        programs = find_programs(Path(folder), options.only)
        if not programs:
            raise ManifestError(f"no program matches '{options.only.pattern}'")
        made = compile_programs(options.compiler, programs, architectures,
                                options.jobs)
    def is_chosen(key):
        return options.only.search(key[0]) and key[1] in architectures
    compared = {key: code for key, code in recorded.items() if is_chosen(key)}
    differences = list(list_differences(compared, made))
    print("".join(line + "\n" for line in differences), end="")
    print(f"{len(programs)} programs on {', '.join(architectures)}: "
          f"{len(made)} parts, {len(differences)} differences")
    if options.update:
        kept = {key: code for key, code in recorded.items()
                if not is_chosen(key)}
        write_manifest(options.manifest, version,
                       dict(sorted({**kept, **made}.items())))
    return int(bool(differences) and not options.update)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ManifestError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"ptx_manifest.py: error: {error}")
