# mutate.py - every kernel with every mistake in its synchronization
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 test/mutations/mutate.py [--opt build/bin/tile-opt] [--emulator[=N]]
#       [--filter REGEX] [--out FILE]
#
# Takes each kernel of the examples, the benchmarks and the tests as phase 8
# leaves it, makes one mistake after the other (the list is at the head of
# test/lib/MutateSynchronization.cpp) and asks -tile-verify-synchronization. A
# mutation that is let through is a survivor, and needs an argument in ARGUMENTS
# or, if the emulator is to find it, in OVERWRITTEN.
# Prints what has none and exits with 1 if there is any. With --emulator each
# mutated kernel is run there too, with N every Nth, and what only the proof
# catches needs a reason in MISSED. --out writes the table.
#
# A survivor is made by `tile-opt PROGRAM PASSES
# -test-tile-mutate-synchronization=index=N`, as printed.

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "benchmarks"))

import product

PHASES = "-tile-phases"
# Where it is not sm_80.
ARCHITECTURES = {"e4m3": "sm_90", "bf16": "sm_90a", "e4m3fast": "sm_90a"}

# Why a survivor is harmless, by a pattern of "program kernel mutation", with
# "in the generic variant" behind it for one of that.
ARGUMENTS = [
    (r"ring_in_a_ring.* (delete a commit|commit before the copy)",
     "the inner loop commits after the copy and ends with a wait for all groups, "
     "so the copy is in a group that is waited for"),
    (r"ring_in_a_ring.* (delete a wait|wait for one group less)",
     "the inner loop begins three groups before its first wait, which leaves two "
     "in flight, and ends with a wait for all: the outer loop's are complete"),
    (r"Inputs/\w+\.mlir \w+ shift a buffer|carried_tiles shift a buffer|"
     r"(dequantise|batched_gemm|gemm_f16inf16) shift a buffer|"
     r"(sums_before|prefix_sum|counts_before|compact) shift a buffer.* in the "
     r"generic variant|"
     r"(lookback_scan|radix_sort|top_k_sampling)\.mlir \w+ shift a buffer",
     "the buffer is scratch, shorter than what is free while it lives; the bytes "
     "after it are as good"),
    (r"(one slot less of|shift) ends in the generic variant",
     "the ends of rows are read when the rows are aligned, an iteration before the "
     "product: a slot less would do, and what a slot shares with another ring's is "
     "read before that is written"),
    (r"(delete a commit|commit before the copy) in the generic variant",
     "the waits are for all groups, and another commit comes before the next: the "
     "copies are in its group"),
    (r"ring_in_a_ring.* barrier before the wait",
     "the barrier before the inner loop comes after this wait, too, and before the "
     "outer loop's ring is read"),
    (r"reused_bytes shift a buffer",
     "the two buffers share bytes already, and the barrier between them orders "
     "all of their bytes"),
    (r"(unknown_slot|endless_counter) one slot less",
     "every two accesses to the ring, whichever slots they name, have a barrier "
     "between them"),
]

# What the proof lets through, as it is about order, and the emulator finds by the
# values, by the same pattern.
OVERWRITTEN = [
    (r"gemm_bf16_64x64x32 gemm_bf16 (one slot less of|shift) ends in the general "
     r"body",
     "no harmless one: the ends of a row are written over before they are read. "
     "Barriers order the two copies and the read, which is what the proof is about; "
     "the values are wrong, which the emulator finds"),
]

# Why the emulator does not find what the proof does, by a pattern of "program
# kernel mutation". The kernel's name ends in __general for the generic variant.
MISSED = [
    (r"(delete a wait|wait for one group less|delete a commit|commit before the "
     r"copy) expected every copy .* ends, got",
     "no copy is in flight there: the groups after a loop hold those of steps that "
     "do not come, which a condition leaves out; the proof takes either side of "
     "it (a copy that is in flight at the end the emulator reports)"),
    (r"(ring_in_a_while\.mlir whilek|batched_then_reduced\.mlir nested|"
     r"ring_in_a_ring\.mlir nested2|seven_stages_then_two\.mlir stages) (delete a "
     r"wait|wait for one group less|barrier before the wait) .* this (write of|"
     r"copy to)",
     "no copy is in flight there either, before the buffer or the copy that takes "
     "the bytes of the ring: its last groups are those of steps that do not come"),
    (r"ring_in_a_ring\.mlir nested2 ",
     "the inner loop has as many steps as the outer one, so one at least, and its "
     "waits and barriers hold for the outer ring's copies too; the proof takes any "
     "number of steps"),
    (r"arrays_in_turn\.mlir iterarg delete a barrier ",
     "each thread reads and writes its own elements of the arrays; the proof takes "
     "the block's accesses as one"),
    (r"verify-synchronization\.mlir .* (this|the|a) read of",
     "nothing uses what is read, so the lowering leaves the read out"),
    (r"verify-synchronization\.mlir (endless_counter|slot_by_branch) .* this "
     r"write of|verify-synchronization\.mlir ring_in_a_loop .* this copy to",
     "each thread writes its own elements, the same each time; the proof takes "
     "the block's accesses as one"),
    (r"tile-to-nvvm\.mlir three_warps__general ",
     "the generic variant copies these rows element by element, through registers, in "
     "program order, which waits and commits do not hold"),
]

PAGE = """# Mutations of synchronization

Written by `python3 test/mutations/mutate.py --emulator --out
docs/Mutations.md`. Each kernel is taken as phase 8 leaves it and gets one mistake
at a time: a barrier, wait or commit deleted; a wait for one group less (`n + 1` for `n`); a commit before the
copy it is for; a barrier before the wait it publishes; a ring of one slot less; a
buffer shifted by its alignment, over its neighbour or beyond the kernel's bytes.
The proof is `-tile-verify-synchronization`; a figure is mutations caught / made,
over both variants of a kernel. The emulator runs one block with random normal
arrays, sizes of 397 and 400, loops of 1 to 461, under three schedules, and catches
a mutation if it reports something or the values differ from the right kernel's
by a bit (`test/lib/EmulateMutation.cpp`); its figure is caught / run. Kernels are
for sm_80, the product of e4m3 is for sm_90, those of bf16 and of e4m3 with fast
accumulation, by wgmma, are for sm_90a.

%d programs, %d mutations, %d caught by the proof. %s

| program | kernel | mutation | proof | emulator | proof only | emulator only | nobody |
| --- | --- | --- | --- | --- | --- | --- | --- |
%s
## Caught by the proof alone

%s
## Survivors

%s"""


def find_programs(folder):
    """(name, file, options) of each program; the generated ones in `folder`."""
    yield from ((str(p.relative_to(SOURCE)), p, [PHASES]) for pattern in (
        "examples/*/*.mlir", "test/mutations/Inputs/*.mlir",
        "test/Pipelines/*.mlir", "test/Target/*.mlir", "test/tools/**/*.mlir")
        for p in sorted(SOURCE.glob(pattern)) if "invalid" not in p.name)
    idioms = SOURCE / "test/Transforms/verify-synchronization.mlir"
    yield str(idioms.relative_to(SOURCE)), idioms, []
    for program in list_products():
        path = pathlib.Path(folder) / program.name
        path.write_text(write_product(program))
        yield "benchmarks/product.py: " + program.name, path, [PHASES]


def list_products():
    """Products of two types in each order, as they are measured, and with small
    tiles, also batched; of each other kind of operands, by their fragments
    (Fragments.h), computed in registers or read by four warps, one."""
    tiles = {"f16": (64, 64, 32), "f32": (32, 64, 16)}
    for element, tile in tiles.items():
        for order in product.ORDERS:
            yield product.Program(element, order)
            yield product.Program(element, order, tile)
            yield product.Program(element, order, tile, batched=True)
    for element, tile in {"f16inf16": (64, 64, 32), "bf16": (64, 64, 32),
                          "tf32": (64, 64, 16), "f64": (32, 32, 16),
                          "i8": (64, 64, 64), "e4m3": (64, 64, 64),
                          "f16xi8": (64, 64, 32)}.items():
        yield product.Program(element, tile=tile)
    yield product.Program("i8", "nt", (64, 64, 64))
    yield product.Program("bf16", "tn", (64, 64, 32))
    yield product.Program("e4m3fast", "nt", (64, 64, 64))


def write_product(program):
    """The program for an architecture with an instruction for its type."""
    text = program.write()
    if program.type not in ARCHITECTURES:
        return text
    head, kernel = text.split("\ntile.kernel", 1)
    return '%s\nmodule attributes {tile.target = "%s"} {\ntile.kernel%s}\n' % (
        head, ARCHITECTURES[program.type], kernel)


def mutate(opt, path, options, step):
    """What came of each mutation, or None if the program does not get there."""
    done = subprocess.run(
        [opt, path, *options,
         "-test-tile-mutate-synchronization=emulate=%d" % step,
         "-o", "/dev/null"], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    # A kernel may print.
    return [json.loads(line) for line in done.stdout.splitlines()
            if line.startswith('{"')]


def argue(arguments, key):
    return next((why for pattern, why in arguments if re.search(pattern, key)),
                None)


def describe(name, result):
    return "%s, `%s`, line %d, %s (number %d)" % (
        name, result["kernel"], result["line"], result["mutation"],
        result["index"])


class Table:
    """Who caught what."""

    def __init__(self):
        self.rows = collections.OrderedDict()
        self.survivors, self.unargued = [], []
        self.missed = collections.Counter()
        self.unexplained, self.found = [], collections.Counter()

    def add(self, name, result):
        kernel = result["kernel"].replace("__general", "")
        row = self.rows.setdefault((name, kernel, result["mutation"]),
                                   collections.Counter())
        proof, emulator = bool(result["proof"]), result.get("emulator")
        row["made"] += 1
        row["proof"] += proof
        row["run"] += emulator is not None
        row["emulator"] += bool(emulator)
        row["proof only"] += proof and emulator == ""
        row["emulator only"] += not proof and bool(emulator)
        row["nobody"] += not proof and not emulator
        if emulator:
            self.found[emulator.split(":")[0]] += 1
        if not proof:
            self.add_survivor(name, kernel, result)
        elif emulator == "":
            self.add_missed(name, result)

    def add_survivor(self, name, kernel, result):
        """What the proof lets through; an emulator's finding is no harmless
        one, whatever ARGUMENTS say."""
        general = result["kernel"].endswith("__general")
        arguments = [*OVERWRITTEN,
                     *(ARGUMENTS if not result.get("emulator") else [])]
        why = argue(arguments, " ".join((name, kernel, result["mutation"])) +
                    (" in the generic variant" if general else ""))
        text = describe(name, result)
        if result.get("emulator"):
            text += " (emulator: %s)" % result["emulator"]
        self.survivors.append("- %s: %s" % (text, why or "NO ARGUMENT"))
        if not why:
            self.unargued.append(text)

    def add_missed(self, name, result):
        key = " ".join((name, result["kernel"], result["mutation"],
                        result["proof"]))
        why = argue(MISSED, key)
        self.missed[why or "NOT EXPLAINED"] += 1
        if not why:
            self.unexplained.append(describe(name, result))

    def sum(self, column):
        return sum(row[column] for row in self.rows.values())

    def write(self, path, programs):
        lines = "".join("| %s | %s | %s | %d / %d | %s | %d | %d | %d |\n" % (
            *key, row["proof"], row["made"],
            "%d / %d" % (row["emulator"], row["run"]) if row["run"] else "",
            row["proof only"], row["emulator only"], row["nobody"])
            for key, row in self.rows.items())
        emulated = "%d run on the emulator, %d caught there%s." % (
            self.sum("run"), self.sum("emulator"),
            "".join(", %d as %s" % (n, kind)
                    for kind, n in self.found.most_common()))
        missed = ["- %d: %s" % (n, why) for why, n in self.missed.most_common()]
        missed += ["  - " + text for text in self.unexplained]
        path.write_text(PAGE % (
            programs, self.sum("made"), self.sum("proof"), emulated, lines,
            "\n".join(missed) + "\n" if missed else "None.\n",
            "\n".join(self.survivors) + "\n" if self.survivors else
            "None.\n"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--opt", default=str(SOURCE / "build/bin/tile-opt"))
    parser.add_argument("--emulator", type=int, nargs="?", const=1, default=0,
                        metavar="N")
    parser.add_argument("--filter", default="")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count()))
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    table, programs, skipped = Table(), 0, []
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        found = [program for program in find_programs(folder)
                 if re.search(arguments.filter, program[0])]
        done = pool.map(lambda program: mutate(
            arguments.opt, program[1], program[2], arguments.emulator), found)
        for (name, _, _), results in zip(found, done):
            if results is None:
                skipped.append(name)
                continue
            programs += bool(results)
            for result in results:
                table.add(name, result)
    if arguments.out:
        table.write(arguments.out, programs)
    for text in table.unargued:
        print("let through: " + text)
    for text in table.unexplained:
        print("not found by the emulator: " + text)
    for name in skipped:
        print("does not reach the end of phase 8: " + name)
    print("%d programs, %d mutations, %d caught by the proof, %d let through "
          "without an argument, %d run on the emulator, %d caught there, %d "
          "missed without a reason" % (
              programs, table.sum("made"), table.sum("proof"),
              len(table.unargued), table.sum("run"), table.sum("emulator"),
              len(table.unexplained)))
    wrong = table.unargued or table.unexplained or table.sum("made") == 0
    if arguments.emulator and table.sum("run") == 0:
        wrong = True
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
