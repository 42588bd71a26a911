# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-tables.py SOURCE_DIR: checks that each benchmark writes the columns of
# its table in docs/performance, and that each row has as many.

import csv
import io
import pathlib
import sys

source = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(source / "benchmarks"))

import compile_time
import counters
import gemm
import growth
import memory_bound
import sgemm_steps
import timing
import wavefronts

MEASURED = timing.Timing("gemm_f16_128x128x64", (64, 64, 64), 2.0 * 64 ** 3,
                         2.0, "cuBLAS", 1.0, 0.001)
ALONE = timing.Timing("gemm_i16_128x128x32", (4, 64, 32, 16), 1.0, 2.0,
                      spread=0.0)
FAILED = timing.Timing("gemm_f16_128x128x64", (1, 1, 1), problem="no memory")
STEPS = {"naive": {(64, 64, 64): MEASURED}, "chosen": {(64, 64, 64): MEASURED}}
ROWS = [memory_bound.Row("axpby", 1024, 4096, 2.0, peer, 1.0, 0.001)
        for peer in ("Triton", "")]

written = {
    "gemm": (gemm.format_timings([MEASURED, ALONE, FAILED], "here"), 2),
    "sgemm-steps": (sgemm_steps.format_timings(STEPS, "here")[0], 2),
    "memory-bound": (memory_bound.format_rows(ROWS, "here"), 2),
    "wavefronts": (wavefronts.format_rows(wavefronts.compare(
        "gemm", 64, {"cp.async": 4}, {}), "here"), 2),
    "compile-time": (compile_time.format_rows(
        [["p", "ptx", *compile_time.format_times([1.0, 2.0]), "0.15"]],
        "here"), 1),
    "emulator-counters": (counters.format_rows(
        [("l", "ld, sectors", 2, None, "no counter")], "here"), 1),
    "growth": (growth.format_rows(
        [growth.format_row("p", "sm_80", [1.0, 2.0, 12.0])], "here"), 1),
}

problems = []
for name, (text, count) in written.items():
    rows = list(csv.reader(io.StringIO(text)))
    with open(source / f"docs/performance/{name}.csv", newline="") as file:
        kept = list(csv.reader(file))
    if rows[0] != kept[0]:
        problems.append(f"{name}: columns {rows[0]}, its table has {kept[0]}")
    if len(rows) - 1 != count:
        problems.append(f"{name}: expected {count} rows, got {len(rows) - 1}")
    for row in [*rows, *kept]:
        if len(row) != len(kept[0]):
            problems.append(f"{name}: expected {len(kept[0])} columns: {row}")
for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
