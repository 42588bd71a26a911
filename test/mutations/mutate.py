# mutate.py - makes every mistake in the synchronization of every kernel
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 test/mutations/mutate.py [--opt build/bin/tile-opt] [--emulator[=N]]
#       [--filter REGEX] [--update]
#
# Takes each kernel of the examples, the benchmarks and the tests after phase 8, makes
# one mistake at a time (the list is at the head of
# test/lib/MutateSynchronization.cpp) and runs -tile-verify-synchronization. A
# mutation that it accepts is a survivor, and needs an argument in ARGUMENTS
# or, if the emulator is to find it, in OVERWRITTEN.
# Prints survivors without an argument and exits with 1 if there is any. With
# --emulator each mutated kernel, or every Nth, is also run there, and mutations that
# only the proof finds need a reason in MISSED. --update writes
# docs/mutations/*.csv and the summary in docs/Mutations.md.
#
# A survivor is reproduced by `tile-opt PROGRAM PASSES
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

sys.path.insert(0, str(SOURCE / "test/Pipelines/Inputs"))

import phases
import product
import tables

PHASES = ["-tile-phases"]
# Up to the pass after which channels are checked and replaced.
BARRIERS = "tile-insert-barriers"
CHANNELS = ["-pass-pipeline=builtin.module(%s%s))" % (
    ",".join(phases.PHASES).split(BARRIERS)[0], BARRIERS)]
# Architectures by element type, if not sm_80.
ARCHITECTURES = {"e4m3": "sm_90", "bf16": "sm_90a", "e4m3fast": "sm_90a"}

# Reasons why a survivor is harmless, by a pattern of "line N of program kernel
# mutation", followed by "in the generic variant" for a survivor there.
ARGUMENTS = [
    (r"rounded release before the reads",
     "the lhs is read to registers an iteration before its matmul, so that the fill that is "
     "released has been read in the iteration before"),
    (r"ring_in_a_ring.* (delete a commit|commit before the copy)",
     "the inner loop commits after the copy and ends with a wait for all groups, "
     "so the copy is in a group that is waited for"),
    (r"ring_in_a_ring.* (delete a wait|wait for one group less)",
     "the inner loop begins three groups before its first wait, which leaves two "
     "in flight, and ends with a wait for all: the outer loop's are complete"),
    (r"(attention|fused_layers)\.mlir \w+ (delete a commit|commit before the copy|"
     r"delete a wait|wait for one group less)$",
     "the operand loaded before the loop is read in the loop alone, behind the wait "
     "for the first stage, a later group"),
    (r"line 28 of \S+/kalman\.mlir \w+ (delete a commit|commit before the copy|"
     r"delete a wait|wait for one group less)",
     "a later wait, for all groups, comes before the barrier that precedes the first "
     "read"),
    (r"Inputs/\w+\.mlir \w+ shift a buffer|carried_tiles shift a buffer|"
     r"(attention|options)\.mlir \w+ shift a buffer|"
     r"(dequantise|batched_gemm|gemm_f16inf16) shift a buffer|"
     r"(sums_before|prefix_sum|counts_before|compact) shift a buffer.* in the "
     r"generic variant|"
     r"(lookback_scan|radix_sort|top_k_sampling|fft_filter|report-sort|"
     r"fft_convolution|spectrogram|four_step_fft|normal_equations|kalman|"
     r"jacobi_eigenvalues|hold-stored)\.mlir \w+ shift a buffer|"
     r"line (22|27|45) of \S+/crba\.mlir \w+ shift a buffer|"
     r"(crba_loop|humanoid)\.mlir \w+ shift a buffer|"
     r"blocked_cholesky\.mlir solve_panel shift a buffer",
     "the bytes after the scratch buffer are free while it lives, and serve as "
     "well"),
    (r"shift ends in the generic variant",
     "the ends of rows are read when the rows are aligned, an iteration before the "
     "matmul, and so before they are overwritten"),
    (r"(delete a commit|commit before the copy) in the generic variant",
     "the waits are for all groups, and another commit comes before the next wait, "
     "so the copies are in that group"),
    (r"ring_in_a_ring.* barrier before the wait",
     "the barrier before the inner loop also comes after this wait, and before the "
     "outer loop's buffer is read"),
    (r"line (24 of \S+/tiles_in_turn\.mlir tiles|16 of \S+/batched_then_reduced\.mlir "
     r"nested) barrier before the wait",
     "the barrier is for the next tile: before the loop over K it also comes between the "
     "accesses of one tile and those of the next"),
    (r"line 31 of \S+/register-demand\.mlir product barrier before the wait",
     "the wait after the loop completes copies that nothing reads; the barrier is for "
     "the array that the kernel reads and writes"),
    (r"reused_bytes shift a buffer",
     "the two buffers share bytes already, and the barrier between them orders "
     "all of their bytes"),
    (r"unknown_stage one stage less",
     "every two accesses to the circular buffer, whichever stages they name, have a "
     "barrier between them"),
    (r"(delete a channel's wait|wait for the fill before) in the generic variant",
     "rows that continue in the next box: a fill is waited for once for the rows before "
     "it, and a second time, an iteration later, for its own"),
    (r"line 16 of .*ring_in_a_ring.* delete a drain in the generic variant",
     "a wait for the newest fill of the outer loop, and so for all groups, comes before "
     "the stages are filled again"),
]

# Survivors that are harmful, by the same pattern: the proof considers only order, and
# the emulator finds them by wrong values.
OVERWRITTEN = [
    (r"counter ahead in the generic variant",
     "not harmless: rows end with chunks of the fill after the next one. That fill was "
     "waited for as well, so the order is right; the values are wrong, or nobody wrote them, "
     "which the emulator finds"),
    (r"shift ends in the generic variant",
     "not harmless: the ends of a row are overwritten before they are read. "
     "Barriers order the two copies and the read, which is what the proof is about; "
     "the values are wrong, which the emulator finds"),
    (r"line (17|24|40) of \S+/crba\.mlir \w+ shift a buffer|"
     r"line (28|46|54) of \S+/kalman\.mlir \w+ shift a buffer",
     "not harmless: padding of one operand is written over elements of the other, "
     "before they are read. Barriers order the accesses, which is what the proof is "
     "about; the values are wrong, which the emulator finds"),
    (r"line (111|113|115) of \S+/jacobi_eigenvalues\.mlir \w+ shift a buffer",
     "not harmless: the last row of one operand is written over the first of another, "
     "which a later matmul reads. Barriers order the accesses, which is what the "
     "proof is about; the values are wrong, which the emulator finds"),
]

BARRIER = "(delete a barrier|barrier of warps for one of the block)"

# Reasons why the emulator does not find a mutation that the proof finds, by a pattern
# of "program kernel mutation error". The kernel's name ends in __general for the
# generic variant.
MISSED = [
    (r"(delete a wait|delete a drain|wait for one group less|delete a commit|commit "
     r"before the copy) expected every copy .* ends, got",
     "no copy is in flight there: the groups after a loop are those of iterations "
     "beyond the last, whose copies a condition skips; the proof assumes that it "
     "may hold (a copy in flight at the end is found by the emulator)"),
    (r"(ring_in_a_while\.mlir whilek|batched_then_reduced\.mlir nested|"
     r"ring_in_a_ring\.mlir nested2|seven_stages_then_two\.mlir stages|"
     r"dequantise\.mlir dequantise|batched_gemm\.mlir batched_gemm|"
     r"attention\.mlir attention|"
     r"gemm_f16inf16_64x64x32 gemm_f16inf16)(__general)? (delete a "
     r"wait|delete a drain|wait for one group less|barrier before the wait|" + BARRIER +
     r") expected .*copy to .* this (write of|copy to)|"
     r"(ring_in_a_while\.mlir whilek|batched_then_reduced\.mlir nested)__general "
     r"commit before the copy .* this (copy to|write of)",
     "no copy is in flight there: the last groups of the circular buffer, whose "
     "bytes are reused, are those of iterations beyond the last"),
    (r"ring_in_a_ring\.mlir nested2(__general)? ",
     "the inner loop has as many iterations as the outer one, so at least one, and "
     "its waits and barriers also order the outer loop's copies; the proof assumes "
     "any number of iterations, none included"),
    (r"arrays_in_turn\.mlir iterarg delete a barrier |"
     r"(combining|libdevice-functions|atomic-load-libdevice|spills|register-demand)"
     r"\.mlir \w+ " +
     BARRIER + r" .* read of an array and this write of an array|"
     r"tile-phases\.mlir carried_tiles(__general)? delete a barrier of warps "
     r".* read of an array and this write of an array|"
     r"verify-synchronization\.mlir atomic_accesses delete a barrier ",
     "each thread reads and writes its own elements of the arrays; the proof does "
     "not tell threads apart"),
    (r"report-global\.mlir unknown delete a barrier of warps .* write of an array and "
     r"this write of an array",
     "each thread writes its own elements of the array; the proof does not tell threads "
     "apart"),
    (r"tiles_in_turn\.mlir tiles delete a barrier .* read of shared .* write of shared",
     "the loop over K between the two has barriers; the proof takes it that a loop may "
     "have no iteration"),
    (r"blocked_cholesky\.mlir solve_panel shift a buffer expected an access inside",
     "the bytes beyond the kernel's are padding, which nothing accesses"),
    (r"verify-synchronization\.mlir .* (this|the|a) read of",
     "nothing uses what is read, so the lowering omits the read"),
    (r"verify-synchronization\.mlir stage_by_branch .* this "
     r"write of|verify-synchronization\.mlir buffers_in_a_loop .* this copy to",
     "each thread writes its own elements, the same each time; the proof does not "
     "tell threads apart"),
    (r"(n_body\.mlir n_body(__general)?|atomic-access\.mlir relaxed) " + BARRIER +
     r" .* write of an array and this write of an array",
     "the two access different elements of the array; the proof treats an array as "
     "a whole"),
    (r"(prefix_sum|compaction|radix_sort)\.mlir (sums|counts)_before(__general)? " +
     BARRIER,
     "the barrier is for the loop's next iteration, and arrays of 400 take one "
     "iteration"),
    (r"atomic-access\.mlir waits " + BARRIER,
     "the barrier is for the loop's next iteration, and the loop ends after one: the "
     "flag, a random number, is not zero"),
    (r"(top_k_sampling|report-sort)\.mlir \w+ " + BARRIER +
     r" .* read of .* this write of",
     "each thread writes the bytes that it alone has read, in the same layout, or "
     "other bytes; the proof does not tell threads apart"),
    (r"(top_k_sampling\.mlir \w+|report-sort\.mlir \w+|"
     r"fft_convolution\.mlir convolve_signals(__general)?) " + BARRIER +
     r" .* write of .* this write of",
     "the two write different columns of a buffer; the proof takes a view to be all "
     "bytes of its range"),
    (r"report-copies\.mlir \w+ (barrier before the wait|" + BARRIER +
     r") .* copy to .* this read of",
     "each thread reads the bytes that it has copied; the proof does not tell "
     "threads apart"),
    (r"crba\.mlir crba__general (barrier before the wait|" + BARRIER +
     r") .* write of shared bytes \[0, 5616\) and this read of",
     "each thread reads the elements that it has written, as both layouts give it "
     "the same; the proof does not tell threads apart"),
    (r"(report-view\.mlir whole_vectors|example-operations\.mlir butterfly"
     r"(__general)?|ring_in_a_while\.mlir whilek|"
     r"four_step_fft\.mlir (columns|rows)_945|kalman\.mlir \w+|"
     r"jacobi_eigenvalues\.mlir \w+) barrier of warps ",
     "what a warp reads it has written itself, and the other way round; the proof "
     "does not tell which bytes of a buffer a warp has"),
    (r"(crba_loop|humanoid)\.mlir \w+ delete a barrier of warps .* between the wait",
     "the loop before it has barriers behind the wait; the proof takes it that a "
     "loop may have no iteration"),
    (r"top_k_sampling\.mlir \w+ shift a buffer expected a barrier",
     "the two buffers overlap in padding of the last row, which is not read"),
    (r"gemm_f16_tt_(batched_)?64x64x32 \w+__general barrier before the wait ",
     "the block is one warp, whose lanes synchronize after the wait, where the rows "
     "of A are aligned, before those of B are"),
    (r"(tile-to-nvvm\.mlir three_warps|report-shared-operand\.mlir \w+)__general ",
     "the generic variant copies these rows element by element, through registers, "
     "which needs neither waits nor commits"),
]

# Programs that the emulator does not run, and why.
NOT_RUN = {
    "27_lookback_scan": "its blocks wait for words that the blocks before them "
                        "write; one block with random arrays never ends",
}

# Programs whose test expects an error of the compiler.
REFUSED = {"verify-target.mlir", "mistake.mlir"}

# The counters of a table's row, and the kinds of mutation whose names include their
# subject, by the start of the name.
COLUMNS = ("made", "proof", "run", "emulator", "proof_only", "emulator_only",
           "nobody")
KINDS = {"shift": "shift a buffer"}


def find_programs(folder):
    """Yields (name, file, list of options) of each program; generates some in `folder`.
    The program is mutated once with each of the options."""
    yield from ((str(p.relative_to(SOURCE)), p, [PHASES, CHANNELS]) for pattern in (
        "examples/*/*.mlir", "test/mutations/Inputs/*.mlir",
        "test/Pipelines/*.mlir", "test/Target/*.mlir", "test/tools/**/*.mlir")
        for p in sorted(SOURCE.glob(pattern))
        if "invalid" not in p.name and p.name not in REFUSED)
    idioms = SOURCE / "test/Transforms/verify-synchronization.mlir"
    yield str(idioms.relative_to(SOURCE)), idioms, [[]]
    for program in list_matmuls():
        path = pathlib.Path(folder) / program.name
        path.write_text(write_matmul(program))
        yield "benchmarks/product.py: " + program.name, path, [PHASES, CHANNELS]


def list_matmuls():
    """Yields matmuls of two types in each order, with the tiles of the benchmarks and
    with small tiles, also batched. Yields one matmul for each other kind of operands:
    by fragments (Fragments.h), computed in registers, or read by a warpgroup MMA."""
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


def write_matmul(program):
    """Returns the program, for an architecture that has an instruction for its type."""
    text = program.write()
    if program.type not in ARCHITECTURES:
        return text
    head, kernel = text.split("\ntile.kernel", 1)
    return '%s\nmodule attributes {tile.target = "%s"} {\ntile.kernel%s}\n' % (
        head, ARCHITECTURES[program.type], kernel)


def mutate(opt, path, ways, step):
    """Returns the result of each mutation, or None if phase 8 is not reached."""
    if any(name in str(path) for name in NOT_RUN):
        step = 0
    results = []
    for options in ways:
        mutation = "test-tile-mutate-synchronization"
        if options and "pipeline" in options[0]:
            options = [options[0][:-1] + ",%s{emulate=%d})" % (mutation, step)]
        else:
            options = [*options, "-%s=emulate=%d" % (mutation, step)]
        done = subprocess.run([opt, path, *options, "-o", "/dev/null"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            return None
        # A kernel may print text that does not end a line.
        found = re.findall(r'\{"(?:emulator|index)":.*\}$', done.stdout, re.M)
        results += [json.loads(text) for text in found]
    return results


def argue(arguments, key):
    return next((why for pattern, why in arguments if re.search(pattern, key)),
                None)


def describe(name, result):
    return "%s, `%s`, line %d, %s (number %d)" % (
        name, result["kernel"], result["line"], result["mutation"],
        result["index"])


class Table:
    """Counts the mutations that the proof and the emulator find."""

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
        row["proof_only"] += proof and emulator == ""
        row["emulator_only"] += not proof and bool(emulator)
        row["nobody"] += not proof and not emulator
        if emulator:
            self.found[emulator.split(":")[0]] += 1
        if not proof:
            self.add_survivor(name, kernel, result)
        elif emulator == "":
            self.add_missed(name, result)

    def add_survivor(self, name, kernel, result):
        """Records a mutation that the proof accepts. If the emulator finds it, it is
        not harmless: then only OVERWRITTEN may have an argument, namely that values
        are wrong. If the emulator was not run, either list may have an argument."""
        generic = result["kernel"].endswith("__general")
        emulator = result.get("emulator")
        arguments = {None: ARGUMENTS + OVERWRITTEN, "": ARGUMENTS}.get(
            emulator, OVERWRITTEN
            if (emulator or "").startswith(("wrong values", "uninitialized")) else [])
        why = argue(arguments, "line %d of %s %s %s%s" % (
            result["line"], name, kernel, result["mutation"],
            " in the generic variant" if generic else ""))
        self.survivors.append([
            name, result["kernel"], result["line"], result["mutation"],
            result["index"], result.get("emulator", "not run") or "clean",
            why or "NO ARGUMENT"])
        if not why:
            self.unargued.append(describe(name, result))

    def add_missed(self, name, result):
        key = " ".join((name, result["kernel"], result["mutation"],
                        result["proof"]))
        why = argue(MISSED, key)
        self.missed[why or "NOT EXPLAINED"] += 1
        if not why:
            self.unexplained.append(describe(name, result) + ": " +
                                    result["proof"])

    def sum(self, column):
        return sum(row[column] for row in self.rows.values())

    def write(self, facts):
        """Writes the tables of docs/mutations, and the summary of docs/Mutations.md."""
        folder = SOURCE / "docs/mutations"
        folder.mkdir(exist_ok=True)
        (folder / "mutations.csv").write_text(tables.format_csv(
            ["program", "kernel", "mutation", *COLUMNS],
            [[*key, *(row[column] for column in COLUMNS)]
             for key, row in self.rows.items()], facts))
        (folder / "survivors.csv").write_text(tables.format_csv(
            ["program", "kernel", "line", "mutation", "number", "emulator",
             "argument"], self.survivors, facts))
        page = SOURCE / "docs/Mutations.md"
        page.write_text(tables.replace_section(
            page.read_text(), "mutations", self.summarize(facts)))

    def summarize(self, facts):
        """Returns a table of findings by kind of mutation, and reasons for the rest."""
        kinds = collections.OrderedDict()
        for (_, _, mutation), row in self.rows.items():
            kind = next((kind for word, kind in KINDS.items()
                         if mutation.startswith(word)), mutation)
            kinds.setdefault(kind, collections.Counter()).update(row)
        lines = [[kind, *(str(row[column]) for column in COLUMNS)]
                 for kind, row in kinds.items()]
        lines.append(["all", *(str(self.sum(column)) for column in COLUMNS)])
        found = ", ".join("%d as %s" % (n, kind)
                          for kind, n in self.found.most_common())
        survivors = collections.Counter(row[-1] for row in self.survivors)
        return "\n".join([
            "%s. %d programs. What the emulator reported: %s.\n" % (
                facts, len({program for program, _, _ in self.rows}), found),
            tables.format_table(
                ["mutation", *(name.replace("_", " ") for name in COLUMNS)],
                lines),
            "### Caught by the proof alone\n",
            format_reasons(self.missed),
            "### Survivors\n",
            format_reasons(survivors)])


def format_reasons(counts):
    return tables.format_table(
        ["why", "mutations"], [[why, str(n)] for why, n in counts.most_common()]
    ) if counts else "None.\n"


def get_commit():
    return subprocess.run(["git", "-C", SOURCE, "rev-parse", "--short", "HEAD"],
                          capture_output=True, text=True).stdout.strip()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--opt", default=str(SOURCE / "build/bin/tile-opt"))
    parser.add_argument("--emulator", type=int, nargs="?", const=1, default=0,
                        metavar="N")
    parser.add_argument("--filter", default="")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count()))
    parser.add_argument("--update", action="store_true")
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
    if arguments.update:
        table.write(tables.format_facts("commit " + get_commit()))
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
