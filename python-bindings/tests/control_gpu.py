# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops, branches, objects that they change, and ranges of any step, on a GPU: the
functions of test_objects.py and test_control.py on PyTorch tensors.

  python3 control_gpu.py
"""

import importlib.util
import tempfile
from pathlib import Path

import numpy as np
import torch

import test_control
import test_objects
import tile_mlir as tile


def run(kernel, x, size, *rest):
    """Runs a kernel of two arrays, and returns the second one, which is filled with -7
    before the launch."""
    out = torch.full((size,), -7.0, device="cuda")
    kernel[1](torch.from_numpy(x).cuda(), out, *rest)
    return out.cpu().numpy()


def check_objects():
    helpers = test_objects.__dict__
    for function in test_objects.BODIES:
        kernel = tile.kernel(function)
        for x, k in test_objects.list_inputs():
            of_kernels = {**test_objects.IN_KERNELS, "tile": tile}
            before = {name: helpers[name] for name in of_kernels}
            helpers.update(of_kernels)
            found = run(kernel, x, 2, k)
            helpers.update(before, tile=test_objects.Numbers)
            expected = np.full(2, -7.0, np.float32)
            function(x, expected, k)
            helpers.update(tile=tile)
            np.testing.assert_array_equal(found, expected, function.__name__)
    print(f"objects: {len(test_objects.BODIES)}")


def check_ranges():
    x = np.zeros(1, np.float32)
    for bounds in test_control.RANGES:
        expected = test_control.compute_count_by(range(*bounds))
        np.testing.assert_array_equal(
            run(test_control.count_by, x, 4, *bounds), expected)
    print(f"ranges: {len(test_control.RANGES)}")


def check_conditions():
    x = np.asarray([0.5, -3, 2, 4], np.float32)
    for k in (0, 1, 2, 5):
        expected = [0 < x.sum() < 10, k > 0 and 0 < k < 20 // k <= 10 != 7,
                    k == 0 or 20 // k > 3, 1]
        found = np.where(run(test_control.chains, x, 4, k) == -7, 0,
                         run(test_control.chains, x, 4, k))
        np.testing.assert_array_equal(found, np.asarray(expected, np.float32))
    print("conditions")


def check_path():
    """Checks a kernel in a file whose name has characters that PTX must escape."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'a "quoted" \\ name.py'
        path.write_text("import tile_mlir as tile\n"
                        "@tile.kernel\n"
                        "def double(x, out):\n"
                        "    tile.store(out, 0, 2 * tile.load(x, 0, 4))\n")
        spec = importlib.util.spec_from_file_location("quoted", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        x = np.arange(4, dtype=np.float32)
        np.testing.assert_array_equal(run(module.double, x, 4), 2 * x)
    print("path")


if __name__ == "__main__":
    check_objects()
    check_ranges()
    check_conditions()
    check_path()
    print("all right")
