# mutate.py - every kernel with every mistake in its synchronization
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 test/mutations/mutate.py [--opt build/bin/tile-opt] [--out FILE]
#
# Takes each kernel of the examples, the benchmarks and the tests as phase 8
# leaves it, makes one mistake after the other (the list is at the head of
# test/lib/MutateSynchronization.cpp) and asks -tile-verify-synchronization. A
# mutation that is let through is a survivor, and needs an argument in ARGUMENTS.
# Prints what has none and exits with 1 if there is any. --out writes the table.
#
# A survivor is made by `tile-opt PROGRAM PASSES
# -test-tile-mutate-synchronization=index=N`, as printed.

import argparse
import collections
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PHASES = "-tile-phases"

# Why a survivor is harmless, by a pattern of "program kernel mutation".
ARGUMENTS = [
    (r"ring_in_a_ring.* (delete a commit|commit before the copy)",
     "the inner loop commits after the copy and ends with a wait for all groups, "
     "so the copy is in a group that is waited for"),
    (r"Inputs/\w+\.mlir \w+ shift a buffer|carried_tiles shift a buffer",
     "the buffer is scratch, shorter than what is free while it lives; the bytes "
     "after it are as good"),
    (r"reused_bytes shift a buffer",
     "the two buffers share bytes already, and the barrier between them orders "
     "all of their bytes"),
    (r"(unknown_slot|endless_counter) one slot less",
     "every two accesses to the ring, whichever slots they name, have a barrier "
     "between them"),
]

PAGE = """# Mutations of synchronization

Written by `python3 test/mutations/mutate.py --out docs/Mutations.md`. Each kernel
is taken as phase 8 leaves it and gets one mistake at a time: a barrier, wait or
commit deleted; a wait for one group less (`n + 1` for `n`); a commit before the
copy it is for; a barrier before the wait it publishes; a ring of one slot less; a
buffer shifted by its alignment, over its neighbour or beyond the kernel's bytes.
The proof is `-tile-verify-synchronization`; a figure is mutations caught / made,
over both bodies of a kernel. The emulator's column is empty where it has not run
the mutated kernel.

%d programs, %d mutations, %d caught by the proof.

| program | kernel | mutation | proof | emulator |
| --- | --- | --- | --- | --- |
%s
## Survivors

%s"""


def find_programs(folder):
    """(name, file, options) of each program; the generated ones in `folder`."""
    yield from ((str(p.relative_to(SOURCE)), p, [PHASES]) for pattern in (
        "examples/*/*.mlir", "benchmarks/programs/*.mlir",
        "test/mutations/Inputs/*.mlir", "test/Pipelines/*.mlir",
        "test/Target/*.mlir", "test/tools/**/*.mlir")
        for p in sorted(SOURCE.glob(pattern)) if "invalid" not in p.name)
    idioms = SOURCE / "test/Transforms/verify-synchronization.mlir"
    yield str(idioms.relative_to(SOURCE)), idioms, []
    for name, text in write_products():
        path = pathlib.Path(folder) / name
        path.write_text(text)
        yield "test/device/Inputs/products.py: " + name, path, [PHASES]


def write_products():
    """The programs of the tests of products."""
    path = SOURCE / "test/device/Inputs/products.py"
    spec = importlib.util.spec_from_file_location("products", path)
    products = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(products)
    for element in sorted(products.TILES):
        for orders in ("RR", "RC", "CR", "CC"):
            for is_batched in (False, True):
                name = "%s_%s%s" % (element, orders, "_batched" * is_batched)
                yield name, products.write_program(element, orders, is_batched)


def mutate(opt, path, options):
    """What came of each mutation, or None if the program does not get there."""
    done = subprocess.run(
        [opt, path, *options, "-test-tile-mutate-synchronization",
         "-o", "/dev/null"], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    return [json.loads(line) for line in done.stdout.splitlines()]


def argue(key):
    return next((why for pattern, why in ARGUMENTS if re.search(pattern, key)),
                None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--opt", default=str(SOURCE / "build/bin/tile-opt"))
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    rows = collections.OrderedDict()
    survivors, unargued = [], []
    programs, skipped = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name, path, options in find_programs(folder):
            results = mutate(arguments.opt, path, options)
            if results is None:
                skipped.append(name)
                continue
            programs += bool(results)
            for result in results:
                kernel = result["kernel"].replace("__general", "")
                row = rows.setdefault((name, kernel, result["mutation"]), [0, 0])
                row[0] += bool(result["proof"])
                row[1] += 1
                if result["proof"]:
                    continue
                why = argue(" ".join((name, kernel, result["mutation"])))
                text = "%s, `%s`, line %d, %s (number %d)" % (
                    name, result["kernel"], result["line"], result["mutation"],
                    result["index"])
                survivors.append("- %s: %s" % (text, why or "NO ARGUMENT"))
                if not why:
                    unargued.append(text)
    caught, made = (sum(column) for column in zip(*rows.values()))
    if arguments.out:
        table = "".join("| %s | %s | %s | %d / %d | |\n" % (*key, *row)
                        for key, row in rows.items())
        arguments.out.write_text(PAGE % (
            programs, made, caught, table,
            "\n".join(survivors) + "\n" if survivors else "None.\n"))
    for text in unargued:
        print("let through: " + text)
    for name in skipped:
        print("does not reach the end of phase 8: " + name)
    print("%d programs, %d mutations, %d caught, %d let through without an "
          "argument" % (programs, made, caught, len(unargued)))
    return 1 if unargued or made == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
