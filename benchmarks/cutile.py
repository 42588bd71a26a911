#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times kernels of cuTile Python by this compiler and by NVIDIA's, on one GPU.

  python3 cutile.py compile FOLDER [REGEX]  writes cubins of NVIDIA's compiler, of each
                                            kernel with several hints; needs no GPU, but
                                            the package cuda-tile[tileiras]
  python3 cutile.py time FOLDER [REGEX]     times these and ours, in turns; needs PyTorch,
                                            CuPy, cuda-tile and tile_mlir

Prints a row of a CSV file for each kernel: the times of ours without hints, NVIDIA's
without hints and with the best ones, in microseconds, the speed of ours relative to both,
and the errors in norm against float64, both computed on the same inputs. FOLDER and its
cubins are not to be kept (docs/CudaTile.md).
"""

import itertools
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import cuda.tile as ct
import cutile_programs as programs
from cuda.tile import compilation

ARCHITECTURE = "sm_90"
MOST_ERROR = 0.01  # in norm; bf16 has 2e-3
# The type of cuTile and the name of PyTorch's.
TYPES = {"f16": (ct.float16, "float16"), "bf16": (ct.bfloat16, "bfloat16"),
         "f32": (ct.float32, "float32"), "e4m3": (ct.float8_e4m3fn, "float8_e4m3fn"),
         "i8": (ct.int8, "int8"), "i32": (ct.int32, "int32")}


@dataclass(frozen=True)
class Case:
    """A kernel, the type of its arrays and their shapes, its constants, its grid, and the
    hints to try. It writes the last array, whose type is `result`, if given. All extents
    are multiples of 16, except those listed in `odd`, the arrays with 3 columns."""

    kernel: object
    dtype: str
    shapes: tuple
    constants: tuple
    grid: int
    hints: dict
    odd: tuple = ()
    result: str = ""

    def list_types(self):
        """Returns the types of the arrays."""
        return [self.dtype] * (len(self.shapes) - 1) + [self.result or self.dtype]


GEMM_HINTS = {"num_ctas": (None, 2), "occupancy": (None, 1, 2),
              "num_worker_warps": (None, 4, 8)}
ROW_HINTS = {"occupancy": (None, 1, 2, 4), "num_worker_warps": (None, 4, 8)}


def list_cases():
    """Yields the name of each case, and the case."""
    size = 4096
    for dtype, (m, n) in itertools.product(
            ("f16", "bf16"), ((128, 256), (256, 128), (128, 128), (64, 128))):
        yield f"matmul {dtype} {size} by {m}x{n}x64", Case(
            programs.matmul, dtype, ((size, size),) * 3, (m, n, 64),
            (size // m) * (size // n), GEMM_HINTS)
    yield f"matmul f16 {size} by 256x256x64", Case(
        programs.matmul, "f16", ((size, size),) * 3, (256, 256, 64), (size // 256) ** 2,
        GEMM_HINTS)
    for dtype, kernel, result, k in (("e4m3", programs.matmul, "f16", 128),
                                     ("i8", programs.matmul_of_integers, "i32", 128)):
        yield f"matmul {dtype} {size} by 128x128x{k}", Case(
            kernel, dtype, ((size, size),) * 3, (128, 128, k), (size // 128) ** 2,
            GEMM_HINTS, result=result)
    heads = 32
    for d in (64, 128):
        yield f"attention f16 {heads}x{size}x{d}", Case(
            programs.attention, "f16", ((heads, size, d),) * 4,
            (1.4426950408889634 / d ** 0.5, 128, 64, d), heads * size // 128, ROW_HINTS)
    points = 1 << 20
    for h in (32, 64, 128):
        yield f"mlp f16 32-{h}-{h}-{h}-3 of {points}", Case(
            programs.mlp, "f16",
            ((points, 32), (32, h), (h, h), (h, h), (h, 3), (points, 3)), (128, h),
            points // 128, ROW_HINTS, odd=(4, 5))
    rows = 8192
    for dtype, n in itertools.product(("f16", "f32"), (1024, 4096, 16384)):
        yield f"softmax {dtype} {rows}x{n}", Case(
            programs.softmax, dtype, ((rows, n), (rows, n)), (n,), rows, ROW_HINTS)
        yield f"layer norm {dtype} {rows}x{n}", Case(
            programs.layer_norm, dtype, ((rows, n), (n,), (n,), (rows, n)), (n,), rows,
            ROW_HINTS)


def choose_cases(pattern):
    return [(index, name, case) for index, (name, case) in enumerate(list_cases())
            if re.search(pattern, name)]


def list_hints(case):
    """Yields combinations of hints, none of them first."""
    for values in itertools.product(*case.hints.values()):
        yield {key: value for key, value in zip(case.hints, values) if value is not None}


# ----------------------------------------------------------------------------
# NVIDIA's compiler
# ----------------------------------------------------------------------------


def constrain(case, index, shape):
    """Describes an array as cuTile does for a call: what 16 divides."""
    divisor = 1 if index in case.odd else 16
    rank = len(shape)
    return compilation.ArrayConstraint(
        TYPES[case.list_types()[index]][0], rank, index_dtype=ct.int32, stride_lower_bound_incl=0,
        alias_groups=[], may_alias_internally=False,
        stride_constant=[None] * (rank - 1) + [1],
        stride_divisible_by=[divisor] * (rank - 1) + [1],
        shape_divisible_by=[16] * (rank - 1) + [divisor], base_addr_divisible_by=16)


def compile_case(index, case, folder):
    signature = compilation.KernelSignature(
        [*(constrain(case, *pair) for pair in enumerate(case.shapes)),
         *map(compilation.ConstantConstraint, case.constants)],
        compilation.CallingConvention.cutile_python_v1(), symbol="kernel")
    for number, hints in enumerate(list_hints(case)):
        kernel = case.kernel.replace_hints(**hints)
        path = folder / f"{index}-{number}.cubin"
        try:
            compilation.export_kernel(kernel, [signature], str(path), gpu_code=ARCHITECTURE,
                                      output_format="cubin")
        except Exception as error:
            print(f"{index} {hints}: {str(error).splitlines()[0]}", file=sys.stderr)


# ----------------------------------------------------------------------------
# Times
# ----------------------------------------------------------------------------


def find_right(case, arrays):
    """Returns the right result in float64."""
    import torch
    wide = [array.double() for array in arrays]
    if case.kernel in (programs.matmul, programs.matmul_of_integers):
        return wide[0] @ wide[1]
    if case.kernel is programs.attention:
        q, k, v = wide
        return torch.stack([torch.softmax(x @ y.T / q.shape[2] ** 0.5, 1) @ z
                            for x, y, z in zip(q, k, v)])
    if case.kernel is programs.softmax:
        return torch.softmax(wide[0], 1)
    if case.kernel is programs.layer_norm:
        return torch.layer_norm(wide[0], wide[0].shape[1:], wide[1], wide[2], 1e-5)
    points = wide[0]
    for layer in wide[1:4]:
        points = torch.relu(points @ layer)
    return points @ wide[4]


def load_theirs(path, case, arrays):
    """Returns a function that launches a cubin of NVIDIA's compiler."""
    import cupy
    import numpy
    import torch
    kernel = cupy.RawModule(path=str(path)).get_function("kernel")
    arguments = []
    for array in arrays:
        arguments += [numpy.uint64(array.data_ptr()),
                      *map(numpy.int32, (*array.shape, *array.stride()))]
    stream = cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)

    def launch():
        with stream:
            kernel((case.grid,), (1,), tuple(arguments))
    return launch


def draw(shape, dtype):
    """Returns normally distributed elements, or integers of a byte."""
    import torch
    if dtype == torch.int8:
        return torch.randint(-128, 128, shape, device="cuda", dtype=dtype)
    return torch.randn(shape, device="cuda").to(dtype)


def time_case(index, name, case, folder):
    import torch

    import tile_mlir as tile
    from bursts import time_in_turns
    *types, result = (getattr(torch, TYPES[name][1]) for name in case.list_types())
    arrays = [draw(shape, dtype) for shape, dtype in zip(case.shapes, types)]
    if case.kernel is programs.mlp:
        arrays[1:] = [w / w.shape[0] ** 0.5 for w in arrays[1:]]
    right = find_right(case, arrays)
    poison = float("nan") if result.is_floating_point else -1
    arrays.append(torch.full(case.shapes[-1], poison, device="cuda", dtype=result))

    def find_error():
        error = ((arrays[-1].double() - right).norm() / right.norm()).item()
        arrays[-1].fill_(poison)
        return error

    imported = tile.from_cutile(case.kernel)
    calls = [lambda: imported[case.grid](*arrays, *case.constants)]
    names, errors = ["ours"], []
    for number, hints in enumerate(list_hints(case)):
        path = folder / f"{index}-{number}.cubin"
        if path.exists():
            calls.append(load_theirs(path, case, arrays))
            names.append(" ".join(f"{key}={value}" for key, value in hints.items()) or "none")
    for call in calls:
        call()
        torch.cuda.synchronize()
        errors.append(find_error())
    times = time_in_turns(calls)
    # A wrong result has no time.
    times = [us if error < MOST_ERROR else float("nan")
             for us, error in zip(times, errors)]
    theirs = list(zip(times[1:], names[1:], errors[1:]))
    right = [row for row in theirs if row[0] == row[0]]
    best = min(right, default=(float("nan"), "", float("nan")))
    plain = next((us for us, hints, _ in theirs if hints == "none"), float("nan"))
    print(f"{name},{times[0]:.1f},{plain:.1f},{best[0]:.1f},{best[1]},"
          f"{best[0] / times[0]:.3f},{plain / times[0]:.3f},{errors[0]:.1e},{best[2]:.1e},"
          f"{len(theirs) - len(right)} wrong", flush=True)
    torch.cuda.empty_cache()


def main():
    mode, folder, *pattern = sys.argv[1:]
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    if mode == "time":
        print("kernel,ours,theirs,theirs_best,hints,speed_to_best,speed_to_theirs,error,"
              "error_of_best,theirs_wrong")
    for index, name, case in choose_cases(pattern[0] if pattern else ""):
        if mode == "compile":
            compile_case(index, case, folder)
        else:
            time_case(index, name, case, folder)


if __name__ == "__main__":
    main()
