# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuning on a GPU, on PyTorch tensors: needs PyTorch and a GPU.

  python3 tuning_gpu.py [SIZE]        a matmul of SIZE, 4096 if none is given

Prints the time of each candidate. Checks that the result is right, that another process
takes the choice of the file, that measuring does not change arrays which a kernel
updates, that an executor's process measures about the same times, and that the chosen
candidate is not slower than the others when they are timed by CUDA events on the arrays
themselves.
"""

import concurrent.futures
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time

import torch

import tile_mlir as tile

# The folder of this process and of the processes that it starts.
FOLDER = os.environ.setdefault("TILE_TUNING_CHECK", tempfile.mkdtemp())
SPACE = {"m": [64, 128], "n": [64, 128, 256], "k": [32, 64],
         "tiling": [None, "stages=3", "warps=4,2", "warps=3,1"]}


@tile.autotune(SPACE, when=lambda m, n: m * n <= 128 * 256,
               file=os.path.join(FOLDER, "gemm.tune"), budget=120)
@tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[0], m),
                                   tile.cdiv(c.shape[1], n)))
def gemm(a, b, c, *, m, n, k):
    i, j = tile.program_id(0) * m, tile.program_id(1) * n
    acc = tile.zeros((m, n))
    for p in range(0, a.shape[1], k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(c, (i, j), acc)


@tile.autotune({"n": [256, 1000, 1024, 4096], "block": [None, 128, 256]})
@tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
def grow(x, count, *, n):
    """Updates `x` in place, and adds one to `count` for each block."""
    first = tile.program_id(0) * n
    tile.store(x, first, tile.load(x, first, n) * 3 + 1)
    tile.atomic_add(count, 0, 1)


def make_matrices(size):
    torch.manual_seed(1)
    a = torch.randn(size, size - 8, device="cuda").half()
    b = torch.randn(size - 8, size + 8, device="cuda").half()
    return a, b, torch.full((size, size + 8), float("nan"), device="cuda")


def check_matmul(a, b, c):
    torch.cuda.synchronize()
    expected = a.double() @ b.double()
    error = ((c.double() - expected).abs().max() / expected.abs().max()).item()
    print(f"error {error:.2e}")
    if not error < 1e-5:
        sys.exit("expected at most 1e-5")


def show(tuning):
    for record in tuning.records:
        low, high = record.interval
        print(f"{record.median * 1e6:10.2f} us  {len(record.seconds):3} bursts  "
              f"{low * 1e6:8.2f} to {high * 1e6:8.2f}  {record.state:11} "
              f"{record.name}  {record.reason.splitlines()[0] if record.reason else ''}")
    choice = tuning.choice
    print(f"chosen: {dict(choice.values)}, {choice.seconds * 1e6:.2f} us, "
          f"{choice.source}")


def check_gemm(size):
    matrices = make_matrices(size)
    begin = time.monotonic()
    gemm(*matrices)
    print(f"first call: {time.monotonic() - begin:.1f} s")
    check_matmul(*matrices)
    if gemm.choose(*matrices).source != "measured":
        sys.exit("expected the first call to measure")
    matrices[2].fill_(float("nan"))
    tuning = gemm.tune(*matrices)
    show(tuning)
    if not matrices[2].isnan().all():
        sys.exit("expected tuning to write to a copy")
    gemm(*matrices)
    check_matmul(*matrices)
    print(open(os.path.join(FOLDER, "gemm.tune")).read(), end="")
    check_choice(matrices, tuning)


def time_candidate(values, matrices):
    kernel = gemm.kernel
    if values["tiling"] is not None:
        definition = kernel.definition
        kernel = tile.kernel(grid=definition.grid, tiling=values["tiling"])(
            definition.function)
    constants = {name: values[name] for name in "mnk"}
    kernel(*matrices, **constants)
    times = []
    for _ in range(15):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(1_000_000)
        begin.record()
        kernel(*matrices, **constants)
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    return statistics.median(times)


def check_choice(matrices, tuning):
    """Times the candidates of the last round by CUDA events on the arrays, and checks
    that the chosen one is not slower than the others."""
    names = {record.name for record in tuning.records
             if record.state in ("measured", "chosen")}
    times = {str(candidate): time_candidate(candidate.values, matrices)
             for candidate in gemm._candidates if str(candidate) in names}
    chosen = next(str(candidate) for candidate in gemm._candidates
                  if candidate.values == dict(tuning.choice.values))
    print(f"chosen {times[chosen]:.2f} us, least {min(times.values()):.2f} us, "
          "by events around warm calls")
    if times[chosen] > 1.1 * min(times.values()):
        sys.exit("expected the choice within 10 % of the fastest")


def check_other_process(size):
    begin = time.monotonic()
    subprocess.run([sys.executable, __file__, "again", str(size)], check=True)
    print(f"another process: {time.monotonic() - begin:.1f} s")


def run_again(size):
    """Checks the choice in a process that finds the tuning file; runs in this
    process."""
    matrices = make_matrices(size)
    gemm(*matrices)
    check_matmul(*matrices)
    if gemm.choose(*matrices).source != "file":
        sys.exit("expected the choice of the file")


def check_in_place():
    whole = torch.randn(1_000_003, 2, device="cuda")
    for x in whole[:, 0], whole[7:, 1], whole.flatten()[1:]:
        count = torch.full((1,), 5, dtype=torch.int32, device="cuda")
        before = whole.clone()
        tuning = grow.tune(x, count)
        torch.cuda.synchronize()
        if not torch.equal(whole, before) or count.item() != 5:
            sys.exit("expected arrays as before")
        expected = x.double() * 3 + 1
        grow(x, count)
        torch.cuda.synchronize()
        error = (x.double() - expected).abs().max().item()
        blocks = -(-x.shape[0] // tuning.choice.values["n"])
        print(f"in place: error {error:.2e}, {count.item() - 5} blocks of {blocks}")
        if not error < 1e-5 or count.item() != 5 + blocks:
            sys.exit("expected one update")


def check_launches(size):
    """Prints the host time of a call whose choice is known."""
    matrices = make_matrices(size)
    for _ in range(3):
        gemm(*matrices)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(200):
        gemm(*matrices)
    print(f"call: {(time.perf_counter() - begin) / 200 * 1e6:.1f} us of the host")
    torch.cuda.synchronize()


def check_executor(size):
    """Checks that an executor's process, on its own arrays, measures about the same."""
    matrices = make_matrices(size)
    here = gemm.choose(*matrices)
    with concurrent.futures.ProcessPoolExecutor(
            1, mp_context=multiprocessing.get_context("spawn")) as pool:
        gemm.executor = pool
        tuning = gemm.tune(*matrices)
        gemm.executor = None
    show(tuning)
    factor = tuning.choice.seconds / here.seconds
    print(f"in another process: {factor:.3f} of the time here")
    if not 0.8 < factor < 1.25:
        sys.exit("expected about the same time")


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["again"]:
        run_again(int(arguments[1]))
        return
    size = int(arguments[0]) if arguments else 4096
    check_gemm(size)
    check_other_process(size)
    check_in_place()
    check_launches(size)
    check_executor(size)
    print("all right")


if __name__ == "__main__":
    main()
