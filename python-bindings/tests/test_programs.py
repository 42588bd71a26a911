# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares each program of python-bindings/programs with NumPy in float64: on the
emulator, which also checks for races and accesses outside of arrays, and on the
processor."""

import ast

import numpy as np
import pytest

import tile_mlir as tile
from checking import MACHINES
from program_cases import CASES, PROGRAMS, check, load_program

# The sizes of each program: the first ones with all types except bf16, which NumPy does
# not have, the others with one type.
SIZES = [(name, dtype, index) for name, case in CASES.items()
         for index in range(len(case.small))
         for dtype in case.types[:1 if index else None] if dtype != "bfloat16"]


@pytest.fixture(autouse=True)
def poison(monkeypatch):
    """Fills new arrays with wrong values."""
    empty_like = tile.empty_like

    def make(*arguments, **options):
        array = empty_like(*arguments, **options)
        array.fill(np.nan if array.dtype.kind == "f" else 77)
        return array

    monkeypatch.setattr(tile, "empty_like", make)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name, dtype, index", SIZES)
def test_program(name, dtype, index, machine, rng):
    case = CASES[name]
    arrays = {key: value.astype(dtype) if isinstance(value, np.ndarray) and
              value.dtype == np.float64 else value
              for key, value in case.make(rng, **case.small[index]).items()}
    given = {key: value.copy() if isinstance(value, np.ndarray) else value
             for key, value in arrays.items()}
    with MACHINES[machine]():
        outputs = case.call(load_program(name), **given)
    outputs = tuple(map(np.asarray, outputs))
    check(case, arrays, outputs, [str(output.dtype) for output in outputs])


def test_attention_of_scores_far_below_zero(rng):
    """Keys beyond the end have the score zero. Here the other scores are about -100, so
    that the weight of such a key would be infinite relative to them."""
    case = CASES["flash_attention_backward"]
    arrays = {key: value.astype(np.float32) if isinstance(value, np.ndarray) else value
              for key, value in case.make(rng, 1, 1, 70, 16).items()}
    arrays["q"][..., 0], arrays["k"][..., 0] = -25, 16  # scores of about -100
    with tile.cpu():
        outputs = case.call(load_program("flash_attention_backward"), **arrays)
    for found, expected in zip(outputs, case.reference(outputs, **arrays)):
        np.testing.assert_allclose(found, expected, atol=2e-4)


def test_each_program_has_a_case():
    files = {path.stem for path in PROGRAMS.glob("*.py")
             if "\n@tile.kernel" in path.read_text()}
    assert files == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_each_has_its_description(name):
    tree = ast.parse((PROGRAMS / f"{name}.py").read_text())
    assert len(ast.get_docstring(tree)) > 80
