#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks batches of factorisations against float64, and compares their times with
PyTorch, which calls cuSOLVER, cuBLAS or MAGMA.

  python3 factor.py --compile build/bin/tile-compile --cubins DIR --only compile
  python3 factor.py --cubins DIR --commit HASH --out FILE

The name of a program is KIND_TYPE_nORDER_mMATRICES, where a block factors MATRICES
matrices at once, followed by _bBLOCKS if a multiprocessor must have room for BLOCKS
blocks. --program NAME, which may be repeated, measures the named programs instead of
the usual ones. The first command makes cubins, the second needs a GPU and PyTorch but
no compiler. The exit status is 1 if a program does not compile or a result is wrong;
programs with wrong results are not timed.
"""

import argparse
import re
from dataclasses import dataclass, field

import launcher
import runner
import solver_peers
import tables
import timing
from launcher import BenchmarkError

BATCHES = [65536, 1024]
# Batch sizes that no block divides.
CHECKED = [1, 7, 1003]
UNIT = {"f32": 2.0 ** -24, "f64": 2.0 ** -53}
# LAPACK's test ratios, in units of n u (docs/LinearAlgebra.md).
BOUNDS = {"cholesky": 1.5, "solve": 2.0, "lu": 1.0, "gesv": 2.0, "inverse": 2.0,
          "qr": 3.0, "eigh": 3.0, "svd": 3.0}


@dataclass(frozen=True)
class Program:
    kind: str
    element: str
    order: int
    matrices: int
    blocks: int = 0  # required per multiprocessor; zero for no requirement

    @property
    def name(self):
        name = f"{self.kind}_{self.element}_n{self.order}_m{self.matrices}"
        return name + (f"_b{self.blocks}" if self.blocks else "")

    @property
    def has_sides(self):
        return self.kind in ("solve", "gesv")

    def write(self):
        n, m, element = self.order, self.matrices, self.element
        array = f"memref<?x{n}x{n}x{element}>"
        tile = f"!tile.tile<{m}x{n}x{n}x{element}>"
        sides = f"memref<?x{n}x1x{element}>"
        side = f"!tile.tile<{m}x{n}x1x{element}>"
        rows, row = f"memref<?x{n}x{element}>", f"!tile.tile<{m}x{n}x{element}>"
        permutations, permutation = f"memref<?x{n}xi32>", f"!tile.tile<{m}x{n}xi32>"
        arguments = f"%a: {array}, %y: {array}"
        body = [f"%x = tile.load %a[%row, %c0, %c0] : {array} -> {tile}"]
        if self.has_sides:
            arguments = f"%a: {array}, %b: {sides}, %y: {sides}"
            body += [f"%r = tile.load %b[%row, %c0, %c0] : {sides} -> {side}"]
        body += {
            "cholesky": [f"%t = tile.cholesky %x : {tile}"],
            "solve": [
                f"%f = tile.cholesky %x : {tile}",
                f"%s = tile.triangular_solve %f, %r : {tile}, {side}",
                f"%t = tile.triangular_solve %f, %s transposed : {tile}, {side}"],
            "lu": [f"%t, %p = tile.lu %x : {tile}, {permutation}",
                   f"tile.store %p, %q[%row, %c0] : {permutation}, {permutations}"],
            "gesv": [f"%t = tile.solve %x, %r : {tile}, {side}"],
            "inverse": [f"%t = tile.inverse %x : {tile}"],
            "qr": [f"%t, %p = tile.qr %x : {tile} to {tile}, {tile}",
                   f"tile.store %p, %q[%row, %c0, %c0] : {tile}, {array}"],
            "eigh": [f"%p, %t = tile.eigh %x : {tile} to {row}, {tile}",
                     f"tile.store %p, %q[%row, %c0] : {row}, {rows}"],
            "svd": [f"%t, %p, %v = tile.svd %x : {tile} to {tile}, {row}, {tile}",
                    f"tile.store %p, %q[%row, %c0] : {row}, {rows}",
                    f"tile.store %v, %z[%row, %c0, %c0] : {tile}, {array}"]
        }[self.kind]
        if self.kind == "qr":
            arguments += f", %q: {array}"
        if self.kind in ("eigh", "svd"):
            arguments += f", %q: {rows}"
        if self.kind == "svd":
            arguments += f", %z: {array}"
        if self.kind == "lu":
            arguments += f", %q: {permutations}"
        attributes = "grid = #grid"
        if self.blocks:
            attributes += f", tile.blocks_per_processor = {self.blocks} : i64"
        to = f"{side}, {sides}" if self.has_sides else f"{tile}, {array}"
        body += [f"tile.store %t, %y[%row, %c0, %c0] : {to}"]
        return "\n".join([
            f"#grid = #tile.grid<affine_map<(n) -> (n ceildiv {m})> of [[0, 0]]>",
            "", f"tile.kernel @{self.kind}({arguments}) attributes "
            "{" + attributes + "} {", "  %c0 = arith.constant 0 : index",
            f"  %count = arith.constant {m} : index",
            "  %block = tile.program_id x",
            "  %row = arith.muli %block, %count : index",
            *["  " + line for line in body], "  tile.return", "}", ""])


def parse_name(name):
    match = re.fullmatch(r"(cholesky|solve|lu|gesv|inverse|qr|eigh|svd)_(f32|f64)_n(\d+)_m(\d+)(?:_b(\d+))?",
                         name)
    if not match:
        raise argparse.ArgumentTypeError(
            f"expected KIND_TYPE_nORDER_mMATRICES, got {name}")
    return Program(match[1], match[2], int(match[3]), int(match[4]),
                   int(match[5] or 0))


def list_programs():
    """Lists the measured programs. A block usually has as many matrices as two to four
    warps hold."""
    for order, matrices in ((8, 16), (16, 8), (18, 4), (32, 4), (64, 2)):
        yield Program("cholesky", "f32", order, matrices)
        yield Program("solve", "f32", order, matrices)
    for order, matrices in ((8, 16), (16, 8), (18, 4), (32, 4), (64, 1), (96, 1),
                            (128, 1)):
        for kind in ("lu", "gesv", "inverse", "qr"):
            yield Program(kind, "f32", order, matrices)
    for kind in ("lu", "gesv", "inverse", "qr"):
        yield Program(kind, "f64", 32, 4 if kind == "gesv" else 2)
        yield Program(kind, "f64", 96, 1)
    for order, matrices in ((16, 8), (32, 4), (64, 4)):
        yield Program("cholesky", "f64", order, matrices)
    for order, matrices in ((8, 16), (16, 8), (32, 4), (64, 1)):
        yield Program("eigh", "f32", order, matrices)
        yield Program("svd", "f32", order, matrices)
    yield Program("eigh", "f32", 32, 2, blocks=16)
    yield Program("qr", "f32", 32, 4, blocks=5)


@dataclass
class Workload:
    program: Program
    inputs: list
    outputs: list
    launch: launcher.Launch
    kept: list = field(default_factory=list)


def describe(tensor):
    return launcher.Array(tensor.data_ptr(), tuple(tensor.shape),
                          tuple(tensor.stride()))


def make_matrices(torch, program, batch):
    """Makes random matrices; for Cholesky, well-conditioned positive definite ones."""
    n = program.order
    x = torch.randn(batch, n, n, device="cuda", dtype=torch.float32)
    if program.kind == "eigh":
        return x + x.transpose(1, 2)
    if program.kind not in ("cholesky", "solve"):
        return x
    return torch.baddbmm(torch.eye(n, device="cuda"), x, x.transpose(1, 2),
                         alpha=1 / n)


def make_workload(torch, driver, kernel, program, batch):
    """Makes a workload whose outputs are NaN, or -1."""
    dtype = {"f32": torch.float32, "f64": torch.float64}[program.element]
    inputs = [make_matrices(torch, program, batch).to(dtype)]
    if program.has_sides:
        inputs.append(torch.randn(batch, program.order, 1, device="cuda",
                                  dtype=dtype))
    outputs = [torch.full_like(inputs[-1], float("nan"))]
    if program.kind == "lu":
        outputs.append(torch.full((batch, program.order), -1, device="cuda",
                                  dtype=torch.int32))
    if program.kind in ("eigh", "svd"):
        outputs.append(torch.full_like(inputs[0][..., 0], float("nan")))
    if program.kind in ("qr", "svd"):
        outputs.append(torch.full_like(inputs[0], float("nan")))
    kept = []

    def allocate(size):
        kept.append(torch.empty(size, dtype=torch.uint8, device="cuda"))
        return kept[-1].data_ptr()

    launch = launcher.Launch(driver, kernel,
                             [describe(x) for x in [*inputs, *outputs]],
                             allocate)
    return Workload(program, inputs, outputs, launch, kept)


def norm(matrix):
    return matrix.abs().sum(-2).amax(-1)


def measure_ratio(torch, workload):
    """Returns LAPACK's test ratio of each matrix."""
    program = workload.program
    a, found = workload.inputs[0].double(), workload.outputs[0].double()
    size = program.order * norm(a) * UNIT[program.element]
    if program.kind == "cholesky":
        if found.triu(1).abs().max().item() != 0:
            raise BenchmarkError(f"{program.name}: the upper triangle is not zero")
        return norm(a - found @ found.transpose(1, 2)) / size
    if program.kind == "lu":
        rows = workload.outputs[1].long().unsqueeze(-1).expand_as(a)
        unit = torch.eye(program.order, device="cuda", dtype=a.dtype)
        matmul = (found.tril(-1) + unit) @ found.triu()
        return norm(a.gather(1, rows) - matmul) / size
    if program.kind == "qr":
        # LAPACK's ratio for the orthogonality of Q is not divided by the norm of A, and
        # its bound is 5. It is scaled here, so that both ratios have the bound 3.
        rest = torch.eye(program.order, device="cuda", dtype=a.dtype) - (
            found.transpose(1, 2) @ found)
        residual = norm(a - found @ workload.outputs[1].double()) / size
        unit = program.order * UNIT[program.element]
        return torch.maximum(residual, norm(rest) / unit * 3 / 5)
    if program.kind in ("eigh", "svd"):
        return measure_decomposition(torch, workload, size)
    if program.kind == "inverse":
        unit = torch.eye(program.order, device="cuda", dtype=a.dtype)
        return norm(unit - found @ a) / (size * norm(found))
    return norm(workload.inputs[1].double() - a @ found) / (size * norm(found))


def measure_decomposition(torch, workload, size):
    """Returns the larger one of LAPACK's test ratios for the reconstructed matrix and
    for the vectors, in units of 2 u (docs/LinearAlgebra.md). The ratio for the vectors,
    whose bound is 5, is scaled to the bound of the other."""
    left, values = (x.double() for x in workload.outputs[:2])
    right = (left.transpose(1, 2) if workload.program.kind == "eigh" else
             workload.outputs[2].double())
    matmul = (left * values.unsqueeze(1)) @ right
    ratio = norm(workload.inputs[0].double() - matmul) / (2 * size)
    identity = torch.eye(workload.program.order, device="cuda",
                         dtype=left.dtype)
    unit = 2 * workload.program.order * UNIT[workload.program.element]
    for vectors in (left, right):
        rest = identity - vectors.transpose(1, 2) @ vectors
        ratio = torch.maximum(ratio, norm(rest) / unit * 3 / 5)
    return ratio


def check_workload(torch, workload):
    """Returns the largest of LAPACK's test ratios; raises BenchmarkError if it exceeds
    its bound."""
    torch.cuda.synchronize()
    workload.launch(torch.cuda.current_stream().cuda_stream)
    torch.cuda.synchronize()
    worst = measure_ratio(torch, workload).max().item()
    if not worst <= BOUNDS[workload.program.kind]:
        raise BenchmarkError(f"{workload.program.name} of "
                             f"{len(workload.inputs[0])}: ratio {worst:.3g}")
    return worst


def check_program(torch, driver, kernel, program):
    worst = max(check_workload(torch, make_workload(torch, driver, kernel,
                                                    program, batch))
                for batch in [*CHECKED, *BATCHES])
    print(f"  {program.name}: worst ratio {worst:.3g}", flush=True)


def prepare_peer(torch, program, inputs):
    """Returns the name of a PyTorch function and a call of it that a CUDA graph can
    capture; an empty name and None if a graph can capture no such call."""
    if program.kind == "cholesky":
        return "torch.linalg.cholesky_ex", lambda: torch.linalg.cholesky_ex(
            inputs[0])
    if program.kind == "qr":
        return "torch.geqrf", lambda: torch.geqrf(inputs[0])
    return "", None


@dataclass
class Row:
    name: str
    batch: int
    bytes: int
    ours: float
    peer: str
    theirs: float
    spread: float


def time_program(torch, driver, kernel, program, batch):
    first = make_workload(torch, driver, kernel, program, batch)
    size = sum(x.numel() * x.element_size()
               for x in [*first.inputs, *first.outputs])
    properties = torch.cuda.get_device_properties(0)
    num_sets = timing.count_sets(properties.L2_cache_size, size)
    workloads = [first] + [make_workload(torch, driver, kernel, program, batch)
                           for _ in range(num_sets - 1)]
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()

    def launch(workload):
        return lambda: workload.launch(stream.cuda_stream)

    sides = [timing.Side(torch, "ours", list(map(launch, workloads)), stream)]
    peers = [prepare_peer(torch, program, w.inputs) for w in workloads]
    name = peers[0][0]
    if name:
        sides.append(timing.Side(torch, name, [call for _, call in peers],
                                 stream))
    timing.run_series(torch, sides, timing.time_replays(torch, sides), num_sets)
    ours = sides[0]
    theirs = sides[1].get_time() if name else float("nan")
    if program.kind in solver_peers.ROUTINES:
        theirs, name = solver_peers.time_fastest(
            torch, program.kind, program.element, first.inputs[0])
    row = Row(program.name, batch, size, ours.get_time(), name, theirs,
              ours.get_spread())
    print(f"  {row.name} {batch}: {row.ours:.2f} us, "
          f"{size / row.ours * 1e-3:.0f} GB/s; {row.peer} {row.theirs:.2f}",
          flush=True)
    return [row]


def format_rows(rows, facts):
    return tables.format_csv(
        ["program", "batch", "us", "gbytes_per_s", "peer", "peer_us",
         "percent_of_peer", "spread_percent"],
        [[row.name, str(row.batch), f"{row.ours:.1f}",
          f"{row.bytes / row.ours * 1e-3:.0f}", row.peer,
          f"{row.theirs:.1f}" if row.peer else "",
          tables.format_percent(row.theirs / row.ours) if row.peer else "",
          tables.format_percent(row.spread)] for row in rows], facts)


if __name__ == "__main__":
    runner.main(runner.Benchmark(
        __doc__, list(list_programs()), parse_name, check_program,
        lambda program: BATCHES, time_program, format_rows))
