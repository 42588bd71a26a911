#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks Fourier transforms of many rows against float64, and compares their times
with PyTorch, which calls cuFFT.

  python3 fourier.py --compile TILE_COMPILE --cubins DIR --only compile
  python3 fourier.py --cubins DIR --commit HASH --out FILE

The name of a program is KIND_TYPE_nLENGTH_mROWS, where a block takes ROWS rows at once.
Kinds are fft, rfft and irfft (LENGTH counts the real elements), and filter: fft, the
multiplication by a row of LENGTH complex elements, and ifft, in one kernel. Types are
c64, c128, f32 and f64. A plan may follow, _rRxRx..._tTHREADS, and _oBLOCKS, the blocks
for which a multiprocessor must have room. --program NAME, which may be repeated,
measures the named programs instead of the usual ones. The first command makes cubins,
the second needs a GPU and PyTorch but no compiler. The exit status is 1 if a program
does not compile or a result is wrong; programs with wrong results are not timed.
"""

import argparse
import math
import re
from dataclasses import dataclass, field

import launcher
import runner
import tables
import timing
from launcher import BenchmarkError

# The number of elements that all timed rows have together.
ELEMENTS = 2 ** 26
# Batches of rows that no block divides.
CHECKED = [1, 7, 1003]
# The number of elements that are compared at a time.
COMPARED = 2 ** 22
PARTS = {"c64": "f32", "c128": "f64", "f32": "f32", "f64": "f64"}
UNIT = {"f32": 2.0 ** -24, "f64": 2.0 ** -53}
# Bounds of errors in units of u sqrt(log2 n), for lengths with prime factors of at
# most 13, and for others (docs/FourierTransforms.md).
BOUNDS = {True: 0.8, False: 1.1}
# The measured programs: lengths that one thread transforms and powers of two; other
# lengths without large prime factors, with the default and the best plan; lengths with
# a large prime factor; rows of real elements; and filters. Most blocks are small, so
# that a barrier waits for few warps.
MEASURED = """
fft_c64_n8_m32 fft_c64_n16_m16 fft_c64_n17_m32 fft_c64_n32_m8 fft_c64_n64_m4
fft_c64_n128_m2 fft_c64_n256_m2 fft_c64_n512_m1 fft_c64_n1024_m1
fft_c64_n2048_m1 fft_c64_n4096_m1 fft_c64_n8192_m1 fft_c64_n16384_m1
fft_c64_n96_m8 fft_c64_n100_m4 fft_c64_n343_m1 fft_c64_n1000_m1
fft_c64_n1331_m1
fft_c64_n100_m4_r10x10_t16_o16 fft_c64_n343_m1_r7x7x7_t32_o24
fft_c64_n1000_m1_r8x5x5x5_t128 fft_c64_n1331_m1_r11x11x11_t128_o5
fft_c64_n1009_m2 fft_c64_n37_m8 fft_c64_n127_m2 fft_c64_n74_m4 fft_c64_n83_m4
fft_c64_n296_m1 fft_c64_n511_m1 fft_c64_n656_m1 fft_c64_n1011_m1
fft_c64_n4297_m1
rfft_f32_n1024_m2 irfft_f32_n1024_m1
filter_c64_n64_m4 filter_c64_n1024_m2 filter_c64_n4096_m1
filter_c64_n4096_m1_r16x16x16_t128_o3 filter_c128_n256_m8
filter_c128_n1024_m1_r16x8x8_t64
""".split()

def write_tile(rows, length, element):
    return f"!tile.tile<{rows}x{length}x{element}>"


def write_array(rows, length, element):
    return f"memref<{rows}x{length}x{element}>"


@dataclass(frozen=True)
class Program:
    kind: str
    element: str
    length: int
    rows: int
    plan: tuple = ()  # the radices and the thread count
    occupancy: int = 0

    @property
    def name(self):
        name = f"{self.kind}_{self.element}_n{self.length}_m{self.rows}"
        if self.plan:
            name += f"_r{'x'.join(map(str, self.plan[0]))}_t{self.plan[1]}"
        if self.occupancy:
            name += f"_o{self.occupancy}"
        return name

    @property
    def part(self):
        return PARTS[self.element]

    def get_row(self, is_spectrum):
        """Returns the element count of a row, and the element type."""
        complex_element = f"complex<{self.part}>"
        if self.kind in ("fft", "filter"):
            return self.length, complex_element
        if is_spectrum:
            return self.length // 2 + 1, complex_element
        return self.length, self.part

    @property
    def source(self):
        return self.get_row(self.kind == "irfft")

    @property
    def result(self):
        return self.get_row(self.kind == "rfft")

    @property
    def bound(self):
        """The bound of the relative error in the norm, on average over rows."""
        rest = self.length
        for factor in (2, 3, 5, 7, 11, 13):
            while rest % factor == 0:
                rest //= factor
        transforms = 2 if self.kind == "filter" else 1
        return (transforms * BOUNDS[rest == 1] * UNIT[self.part] *
                math.sqrt(math.log2(self.length)))

    def write_body(self):
        """Returns the lines that compute the tile %y from the tile %x."""
        source = write_tile(self.rows, *self.source)
        result = write_tile(self.rows, *self.result)
        plan = ""
        if self.plan:
            plan = (f" plan <radices = {list(self.plan[0])}, "
                    f"threads = {self.plan[1]}>")
        if self.kind == "fft":
            return [f"%y = tile.fft %x{plan} : {source}"]
        if self.kind != "filter":
            return [f"%y = tile.{self.kind} %x : {source} to {result}"]
        row = write_tile(1, *self.source)
        return [
            f"%h1 = tile.load %h[%c0, %c0] : {write_array(1, *self.source)} -> "
            f"{row}",
            f"%hs = tile.broadcast %h1 : {row} to {source}",
            f"%f = tile.fft %x{plan} : {source}",
            f"%g = tile.complex mul %f, %hs : {source}, {source} to {source}",
            f"%y = tile.ifft %g{plan} : {source}"]

    def write(self):
        sources = write_array("?", *self.source)
        results = write_array("?", *self.result)
        source = write_tile(self.rows, *self.source)
        result = write_tile(self.rows, *self.result)
        factors, occupancy = "", ""
        if self.occupancy:
            occupancy = f", tile.blocks_per_processor = {self.occupancy} : i64"
        if self.kind == "filter":
            factors = f"%h: {write_array(1, *self.source)}, "
        return "\n".join([
            f"#grid = #tile.grid<affine_map<(n) -> (n ceildiv {self.rows})> of "
            "[[0, 0]]>", "",
            f"tile.kernel @{self.kind}(%a: {sources}, {factors}%b: {results}) "
            f"attributes {{grid = #grid{occupancy}}} {{",
            "  %c0 = arith.constant 0 : index",
            f"  %count = arith.constant {self.rows} : index",
            "  %block = tile.program_id x",
            "  %row = arith.muli %block, %count : index",
            f"  %x = tile.load %a[%row, %c0] : {sources} -> {source}",
            *["  " + line for line in self.write_body()],
            f"  tile.store %y, %b[%row, %c0] : {result}, {results}",
            "  tile.return", "}", ""])


def parse_name(name):
    match = re.fullmatch(r"(?:(fft|filter)_(c64|c128)|(rfft|irfft)_(f32|f64))"
                         r"_n(\d+)_m(\d+)(?:_r(\d+(?:x\d+)*)_t(\d+))?"
                         r"(?:_o(\d+))?", name)
    if not match:
        raise argparse.ArgumentTypeError(
            f"expected KIND_TYPE_nLENGTH_mROWS, got {name}")
    plan = ()
    if match[7]:
        plan = tuple(map(int, match[7].split("x"))), int(match[8])
    return Program(match[1] or match[3], match[2] or match[4], int(match[5]),
                   int(match[6]), plan, int(match[9] or 0))


def list_programs():
    """Lists the measured programs."""
    return map(parse_name, MEASURED)


@dataclass
class Workload:
    program: Program
    inputs: list
    output: object
    launch: launcher.Launch
    kept: list = field(default_factory=list)


def describe(tensor):
    return launcher.Array(tensor.data_ptr(), tuple(tensor.shape),
                          tuple(tensor.stride()))


def get_dtype(torch, element):
    return {"f32": torch.float32, "f64": torch.float64,
            "complex<f32>": torch.complex64,
            "complex<f64>": torch.complex128}[element]


def make_random(torch, rows, row):
    length, element = row
    return torch.randn(rows, length, device="cuda",
                       dtype=get_dtype(torch, element))


def make_workload(torch, driver, kernel, program, batch):
    """Makes random rows, and outputs of NaN."""
    inputs = [make_random(torch, batch, program.source)]
    if program.kind == "irfft":
        # The first and last elements of the transform of a real row are real.
        inputs[0].imag[:, 0] = 0
        if program.length % 2 == 0:
            inputs[0].imag[:, -1] = 0
    if program.kind == "filter":
        inputs.append(make_random(torch, 1, program.source))
    length, element = program.result
    output = torch.full((batch, length), float("nan"), device="cuda",
                        dtype=get_dtype(torch, element))
    kept = []

    def allocate(size):
        kept.append(torch.empty(size, dtype=torch.uint8, device="cuda"))
        return kept[-1].data_ptr()

    launch = launcher.Launch(driver, kernel,
                             [describe(x) for x in [*inputs, output]], allocate)
    return Workload(program, inputs, output, launch, kept)


def compute(torch, program, rows, factors):
    """Computes the results of some rows in float64."""
    x = rows.to(torch.complex128 if rows.is_complex() else torch.float64)
    if program.kind == "irfft":
        return torch.fft.irfft(x, n=program.length)
    if program.kind != "filter":
        return {"fft": torch.fft.fft, "rfft": torch.fft.rfft}[program.kind](x)
    return torch.fft.ifft(torch.fft.fft(x) * factors[0].to(torch.complex128))


def check_workload(torch, workload):
    """Returns the relative error in the norm, averaged over the rows, divided by its
    bound; raises BenchmarkError if the ratio exceeds 1."""
    program = workload.program
    torch.cuda.synchronize()
    workload.launch(torch.cuda.current_stream().cuda_stream)
    torch.cuda.synchronize()
    rows, *factors = workload.inputs
    squares = 0.0
    count = max(1, COMPARED // program.length)
    for some, found in zip(rows.split(count), workload.output.split(count)):
        exact = compute(torch, program, some, factors)
        error = torch.linalg.vector_norm(found - exact, dim=-1)
        size = torch.linalg.vector_norm(exact, dim=-1)
        squares += (error / size).square().sum().item()
    part = math.sqrt(squares / len(rows)) / program.bound
    if not part <= 1:
        raise BenchmarkError(f"{program.name} of {len(rows)}: error {part:.3g} "
                             "of the bound")
    return part


def get_batches(program):
    return [ELEMENTS // program.length]


def check_program(torch, driver, kernel, program):
    worst = max(check_workload(torch, make_workload(torch, driver, kernel,
                                                    program, batch))
                for batch in [*CHECKED, *get_batches(program)])
    print(f"  {program.name}: error at most {worst:.2f} of the bound",
          flush=True)


def prepare_peer(torch, program, inputs):
    """Returns the name of a PyTorch function and a call of it that a CUDA graph can
    capture. Inverse transforms omit the division by n, which would be another kernel;
    for a filter, the row of factors includes the division. Results are new tensors in
    memory that the graph owns, because PyTorch would copy a result to a given `out`."""
    fft = torch.fft
    if program.kind == "fft":
        return "torch.fft.fft", lambda: fft.fft(inputs[0])
    if program.kind == "rfft":
        return "torch.fft.rfft", lambda: fft.rfft(inputs[0])
    if program.kind == "irfft":
        return "torch.fft.irfft", lambda: fft.irfft(
            inputs[0], n=program.length, norm="forward")
    scaled = inputs[1] / program.length

    def filter_rows():
        y = fft.fft(inputs[0])
        y.mul_(scaled)
        return fft.ifft(y, norm="forward")

    return "torch.fft, three calls", filter_rows


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
               for x in [*first.inputs, first.output])
    properties = torch.cuda.get_device_properties(0)
    num_sets = timing.count_sets(properties.L2_cache_size, size)
    workloads = [first] + [make_workload(torch, driver, kernel, program, batch)
                           for _ in range(num_sets - 1)]
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()

    def launch(workload):
        return lambda: workload.launch(stream.cuda_stream)

    peers = [prepare_peer(torch, program, w.inputs) for w in workloads]
    torch.cuda.synchronize()
    sides = [timing.Side(torch, "ours", list(map(launch, workloads)), stream),
             timing.Side(torch, peers[0][0], [call for _, call in peers],
                         stream)]
    timing.run_series(torch, sides, timing.time_replays(torch, sides), num_sets)
    ours, peer = sides
    row = Row(program.name, batch, size, ours.get_time(), peer.name,
              peer.get_time(), max(ours.get_spread(), peer.get_spread()))
    print(f"  {row.name} {batch}: {row.ours:.1f} us, "
          f"{size / row.ours * 1e-3:.0f} GB/s; {row.peer} {row.theirs:.1f} us, "
          f"{tables.format_percent(row.theirs / row.ours)} % of its speed",
          flush=True)
    return [row]


def format_rows(rows, facts):
    return tables.format_csv(
        ["program", "batch", "us", "gbytes_per_s", "peer", "peer_us",
         "percent_of_peer", "spread_percent"],
        [[row.name, str(row.batch), f"{row.ours:.1f}",
          f"{row.bytes / row.ours * 1e-3:.0f}", row.peer, f"{row.theirs:.1f}",
          tables.format_percent(row.theirs / row.ours),
          tables.format_percent(row.spread)] for row in rows], facts)


if __name__ == "__main__":
    runner.main(runner.Benchmark(
        __doc__, list(list_programs()), parse_name, check_program,
        get_batches, time_program, format_rows))
