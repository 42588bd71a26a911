# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every wrong call of the table (wrong_calls/table.py) is refused with the error that
its row states. All calls are made in one process, which then makes correct calls.

  python3 test_wrong_calls.py     prints the count of calls, and those that are not
                                  refused
"""

import sys

import numpy as np
import pytest

import tile_mlir as tile
from wrong_calls import (arguments, builder, control, custom_derivatives,  # noqa: F401
                         definitions,
                         devices, environment, gradients, launches, memory, objects,
                         operations, values)
from wrong_calls.table import ROWS, check

LEAST = 700


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_wrong_call(row):
    check(row)


def test_number_of_wrong_calls():
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert len({row.text for row in ROWS}) >= LEAST


@tile.kernel(grid=lambda x: tile.cdiv(x.shape[0], 4))
def double(x, y):
    first = tile.program_id(0) * 4
    tile.store(y, first, 2 * tile.load(x, first, 4))


def test_right_call_behind_the_wrong_ones(rng):
    x = rng.standard_normal(11).astype(np.float32)
    y = np.full_like(x, np.nan)
    double(x, y)
    np.testing.assert_array_equal(y, 2 * x)


def main():
    problems = []
    for row in ROWS:
        try:
            check(row)
        except AssertionError as error:
            problems.append(f"error: {row.name}: {error}")
    print("\n".join([*problems, f"{len(ROWS)} wrong calls, {len(problems)} not refused "
                     "as they should be"]))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
