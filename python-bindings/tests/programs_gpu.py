# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each program of python-bindings/programs on a GPU, on PyTorch tensors, and
compares it with NumPy in float64. For each program, type and size it prints a line with
the greatest error, as a share of the allowed error.

  python3 programs_gpu.py [NAME...]
  python3 programs_gpu.py --on cpu [NAME...]     small PyTorch tensors on the host, run
                                                 on the processor
  python3 programs_gpu.py --on numpy [NAME...]   the same with NumPy arrays
"""

import argparse
import sys
import traceback

import numpy as np

import tile_mlir as tile
from program_cases import CASES, check, load_program


class NumPy:
    """Makes NumPy arrays. Cases of bf16 are left out."""

    types = ("float16", "float32", "float64")

    def put(self, array, dtype):
        return array.astype(dtype)

    def get(self, array):
        return np.array(array)

    def poison(self, array):
        array.fill(np.nan if array.dtype.kind == "f" else 77)


class Torch:
    """Makes PyTorch tensors on a device."""

    types = ("float16", "bfloat16", "float32", "float64")

    def __init__(self, device):
        import torch
        self.torch, self.device = torch, device

    def put(self, array, dtype):
        tensor = self.torch.from_numpy(array.copy())
        return tensor.to(self.device, getattr(self.torch, dtype))

    def get(self, tensor):
        is_half = tensor.dtype == self.torch.bfloat16
        return (tensor.float() if is_half else tensor).cpu().numpy().copy()

    def poison(self, tensor):
        tensor.fill_(float("nan") if tensor.is_floating_point() else 77)


def run(side, name, sizes, dtype):
    """Returns the greatest error of a case, as a share of the allowed error."""
    case = CASES[name]
    made = case.make(np.random.default_rng(7), **sizes)
    given, arrays = dict(made), dict(made)
    for key, value in made.items():
        if isinstance(value, np.ndarray):
            to = dtype if value.dtype == np.float64 else str(value.dtype)
            given[key] = side.put(value, to)
            arrays[key] = side.get(given[key])
    with tile.cpu():  # for arrays on the host
        outputs = case.call(load_program(name), **given)
    dtypes = [str(output.dtype).removeprefix("torch.") for output in outputs]
    return check(case, arrays, tuple(map(side.get, outputs)), dtypes)


def poison_new_arrays(side):
    empty_like = tile.empty_like

    def make(*arguments, **options):
        array = empty_like(*arguments, **options)
        side.poison(array)
        return array

    tile.empty_like = make


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--on", choices=["cuda", "cpu", "numpy"], default="cuda")
    parser.add_argument("names", nargs="*", default=list(CASES), metavar="NAME")
    options = parser.parse_args()
    side = NumPy() if options.on == "numpy" else Torch(options.on)
    poison_new_arrays(side)
    failed = 0
    for name in options.names:
        case = CASES[name]
        for sizes in case.large if options.on == "cuda" else case.small:
            for dtype in (dtype for dtype in case.types if dtype in side.types):
                what = f"{name} of {dtype}, " + ", ".join(
                    f"{key} {value}" for key, value in sizes.items())
                try:
                    share = run(side, name, sizes, dtype)
                    print(f"{what}: {share:.2g} of the bound", flush=True)
                except Exception:
                    failed += 1
                    traceback.print_exc(limit=-2, file=sys.stdout)
                    print(f"{what}: FAILED", flush=True)
    if failed:
        sys.exit(f"expected all programs to be right, got {failed} that are not")
    print("all right")


if __name__ == "__main__":
    main()
