# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the gradients that tile.vjp derives from the kernels of
python-bindings/programs with NumPy in float64, on the processor."""

import numpy as np
import pytest

import tile_mlir as tile
from program_cases import make_rope
from program_gradient_cases import CASES, GROUPS, cross_entropy, make_rows, rope


def cast(value, dtype):
    is_wide = isinstance(value, np.ndarray) and value.dtype == np.float64
    return value.astype(dtype) if is_wide else value


@pytest.mark.parametrize("name, dtype", [
    (name, dtype) for name, case in CASES.items() for dtype in case.types])
def test_gradients(name, dtype, rng):
    case = CASES[name]
    arguments = {key: cast(value, dtype) for key, value in case.make(rng).items()}
    with tile.cpu():
        found = case.derive()(*arguments.values(), **case.constants)
    assert {gradient.dtype for gradient in found} == {np.dtype(dtype)}
    case.check(arguments, found, dtype)


def get_error(kernel, arguments, constants, **options):
    with tile.cpu(), pytest.raises(tile.CompileError) as raised:
        tile.vjp(kernel, **options)(*arguments, **constants)
    return str(raised.value)


def test_gradient_of_rows_that_groups_share(rng):
    """The rows of different groups are different, but the compiler cannot know it: that
    depends on the elements of `starts`."""
    arguments = [cast(value, "float32") for value in GROUPS.make(rng).values()]
    error = get_error(GROUPS.kernel, arguments, GROUPS.constants, wrt="x")
    assert "load different elements, got 'x'" in error
    assert "added up if 'atomics' are allowed" in error


def test_arrays_that_are_updated(rng):
    case = make_rope(rng, 2, 3, 1, 35, 26)
    error = get_error(rope.rope_kernel, (case["q"], case["cos"], case["sin"]),
                      {"half": 13, "back": False}, wrt="x", outputs="x")
    assert "got 'x', which the kernel reads and writes" in error
    arguments = make_rows(rng)["x"], np.zeros(5, np.int32), np.zeros(5, np.float32), 1.0
    error = get_error(cross_entropy.cross_entropy_kernel, arguments, {"ignored": -1})
    assert "the kernel reads and writes 'x'" in error
