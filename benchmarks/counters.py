#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the emulator's counters of a launch with those of ncu.

The programs are five of the examples and center_rows.mlir. On a machine with the
compiler,

  python3 counters.py DIR --on emulator --compile build/bin/tile-compile \\
      --tile-run build/bin/tile-run

writes cubins, arrays and the emulator's profiles to DIR. On a machine with a GPU,
tile-run, ncu and DIR,

  python3 counters.py DIR --on cuda --tile-run tile-run --measured FILE

writes ncu's counters to FILE. On any machine

  python3 counters.py DIR --measured FILE --commit HASH --out counters.md

writes the table. The exit status is 1 if a counter differs by more than 2 %.
"""

import argparse
import collections
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import ncu
import tables
from launcher import BenchmarkError

SOURCE = Path(__file__).resolve().parent.parent
ARCH = "sm_90a"
LIMIT = 0.02


@dataclass
class Launch:
    """A program, and the arrays that its kernel gets."""
    label: str
    program: str
    kernel: str
    type: str
    inputs: list
    output: tuple

    def get_words(self, folder):
        """Returns the arguments of tile-run after the file."""
        arrays = [str(folder / f"{i}.npy") for i in range(len(self.inputs))]
        shape = "x".join(map(str, self.output))
        return [self.kernel, *arrays, f"out={folder / 'out.npy'}:{shape}"]


def make_matmul(program, kernel, element, m, n, k):
    return Launch(f"{kernel} {m}x{n}x{k}", program, kernel, element,
                  [(m, k), (k, n)], (m, n))


LAUNCHES = [
    Launch("row_sum 10x256", "examples/02_row_sum/row_sum.mlir", "row_sum",
           "f4", [(10, 256)], (10,)),
    Launch("vector_add 100003", "examples/01_vector_add/vector_add.mlir",
           "vector_add", "f4", [(100003,), (100003,)], (100003,)),
    Launch("tile_add 16x16", "examples/03_tile_add/tile_add.mlir",
           "tile_add", "f4", [(16, 16), (16, 16)], (16, 16)),
    Launch("center_rows 128x128", "benchmarks/center_rows.mlir", "center_rows",
           "f4", [(128, 128)], (128, 128)),
    make_matmul("examples/04_gemm_small/gemm_small.mlir",
                "gemm_small", "f4", 56, 20, 48),
    make_matmul("examples/05_gemm_f32/gemm_f32.mlir",
                "gemm_f32", "f4", 256, 256, 512),
    make_matmul("examples/06_gemm_f16/gemm_f16.mlir",
                "gemm_f16", "f2", 512, 512, 512),
]


@dataclass
class Class:
    """Instructions that are counted together: the prefix of their names in the
    emulator, their opcodes on the GPU, and lists of ncu's counters. The first counter
    of each list that ncu supports is used. ncu's counters of requests omit instructions
    whose predicate is false in all lanes."""
    prefix: str
    opcodes: tuple
    wavefronts: list = ()
    requests: list = ()
    sectors: list = ()


def name_requests(operation):
    return ["smsp__sass_inst_executed_op_" + operation]


def name_sectors(operation):
    return ["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_" + operation]


CLASSES = {
    "ld.shared": Class("ld.shared", ("LDS",), ncu.WAVEFRONTS["loads"],
                       name_requests("shared_ld")),
    "st.shared": Class("st.shared", ("STS",), ncu.WAVEFRONTS["stores"],
                       name_requests("shared_st")),
    "ldmatrix": Class("ldmatrix", ("LDSM",), ncu.WAVEFRONTS["ldmatrix"],
                      name_requests("ldsm")),
    "cp.async": Class("cp.async", ("LDGSTS",), ncu.WAVEFRONTS["cp.async"],
                      name_requests("ldgsts"), name_sectors("ldgsts")),
    "ld.global": Class("ld.global", ("LDG",), (), name_requests("global_ld"),
                       name_sectors("ld")),
    "st.global": Class("st.global", ("STG",), (), name_requests("global_st"),
                       name_sectors("st")),
    "mma.sync": Class("mma.sync", ("HMMA", "IMMA", "DMMA")),
    "shfl.sync": Class("shfl.sync", ("SHFL",)),
    "barrier": Class("barrier", ("BAR",)),
}
# Instructions that commit or await asynchronous copies, but do not copy.
IGNORED = ("cp.async.commit", "cp.async.wait")

METRICS = (r"regex:^smsp__sass_(inst_executed_op_\w+"
           r"|l1tex_data_pipe_lsu_wavefronts_mem_shared_op_\w+"
           r"|l1tex_t_sectors_pipe_lsu_mem_global_op_\w+)\.sum$")


# ---------------------------------------------------------------------------
# The two sides
# ---------------------------------------------------------------------------

def call(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchmarkError(f"{command[0]} failed: {done.stderr.strip()}")


def emulate(options, launch):
    """Writes the files that the run on the GPU needs, and the emulator's profile."""
    import numpy as np

    folder = options.folder / launch.kernel
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    for i, shape in enumerate(launch.inputs):
        values = random.integers(-4, 5, shape).astype(launch.type)
        np.save(folder / f"{i}.npy", values)
    program = str(SOURCE / launch.program)
    call([options.compile, program, f"--arch={ARCH}", "--emit=cubin", "-o",
          str(folder / "program.cubin")])
    call([options.tile_run, program, *launch.get_words(folder),
          "--on=emulator", f"--arch={ARCH}",
          f"--profile-json={folder / 'profile.json'}"])


def measure(options, launch):
    """Returns a dictionary of ncu's counters ("metrics", "opcodes") and its output
    ("said")."""
    folder = options.folder / launch.kernel
    command = [str(options.tile_run), "--on=cuda",
               str(folder / "program.cubin"), *launch.get_words(folder)]
    kernel = ["--kernel-name", f"regex:^{launch.kernel}(__general)?$"]

    def run(*arguments):
        text, errors = ncu.run(options.ncu, [*kernel, *arguments], command)
        print(errors, file=sys.stderr, end="")
        if "==ERROR==" in text + errors or not text.strip():
            raise BenchmarkError(f"ncu counted nothing of {launch.kernel}: "
                                 f"{(text + errors).strip()[:1000]}")
        return text

    texts = [run("--page", "raw", "--metrics", METRICS),
             run("--page", "raw", "--metrics", ncu.OPCODES,
                 "--print-metric-instances", "values")]
    return {"metrics": ncu.read_metrics(texts[0]),
            "opcodes": ncu.read_opcodes(texts[1]),
            "said": [text[:200000] for text in texts]}


# ---------------------------------------------------------------------------
# The table
# ---------------------------------------------------------------------------

def count_classes(profile):
    """Returns the emulator's counters by class."""
    counts = collections.defaultdict(collections.Counter)
    for row in profile["instructions"]:
        if row["instruction"].startswith(IGNORED):
            continue
        for name, kind in CLASSES.items():
            if row["instruction"].startswith(kind.prefix):
                for key in ("warps", "wavefronts", "sectors"):
                    counts[name][key] += row[key]
    return counts


def measure_executions(kind, measured):
    """Returns the GPU's count of requests, or, if ncu has no such counter, of
    executions by opcode, and the names of the counters or opcodes."""
    gpu, source = ncu.measure(measured["metrics"], kind.requests)
    if gpu is None and measured["opcodes"]:
        gpu = sum(measured["opcodes"].get(name, 0) for name in kind.opcodes)
        source = ", ".join(kind.opcodes)
    return gpu, source


def compare(launch, profile, measured):
    """Returns a row for each counter that is not zero on the emulator or the GPU: the
    label, the name, the emulator's value, the GPU's value, and the source of the
    latter."""
    counts = count_classes(profile)
    rows = []

    def add(what, emulated, gpu, source):
        if emulated or gpu:
            rows.append((launch.label, what, emulated, gpu, source))

    for name, kind in CLASSES.items():
        add(f"{name}, instructions", counts[name]["warps"],
            *measure_executions(kind, measured))
        for key, choices in (("wavefronts", kind.wavefronts),
                             ("sectors", kind.sectors)):
            if choices:
                add(f"{name}, {key}", counts[name][key],
                    *ncu.measure(measured["metrics"], choices))
    return rows


def format_rows(rows, facts):
    return tables.format_csv(
        ["launch", "counter", "emulator", "ncu", "difference_percent",
         "counters_of_ncu"],
        [[label, what, f"{emulated:.0f}", ncu.format_count(gpu),
          ncu.format_difference(gpu, emulated).rstrip("%"), source]
         for label, what, emulated, gpu, source in rows], facts)


def is_close(row):
    _, _, emulated, gpu, _ = row
    return gpu is not None and abs(gpu - emulated) <= LIMIT * emulated


def compare_all(options):
    measured = json.loads(options.measured.read_text())
    rows = []
    for launch in LAUNCHES:
        profile = options.folder / launch.kernel / "profile.json"
        rows += compare(launch, json.loads(profile.read_text()),
                        measured[launch.kernel])
    bad = [row for row in rows if not is_close(row)]
    text = format_rows(rows, tables.format_facts(
        "ncu on an NVIDIA H200", f"commit {options.commit}"))
    print(f"{text}{len(rows) - len(bad)} of {len(rows)} counters within 2 %")
    if options.out:
        options.out.write_text(text)
    return int(bool(bad))


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--on", choices=["emulator", "cuda"])
    parser.add_argument("--compile", default="tile-compile")
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--ncu", default="ncu", help="the path of ncu")
    parser.add_argument("--measured", type=Path, metavar="FILE",
                        help="what ncu counted")
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--out", type=Path, metavar="FILE")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if options.on == "emulator":
        for launch in LAUNCHES:
            emulate(options, launch)
        return 0
    if not options.measured:
        raise BenchmarkError("expected --measured FILE")
    if options.on == "cuda":
        results = {launch.kernel: measure(options, launch)
                   for launch in LAUNCHES}
        options.measured.write_text(json.dumps(results, indent=1))
    return compare_all(options)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BenchmarkError, OSError) as error:
        sys.exit(f"counters.py: error: {error}")
