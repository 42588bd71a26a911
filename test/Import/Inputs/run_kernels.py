#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernels of cutile_kernels.py, and compares them with float64.

  python3 run_kernels.py FOLDER

FOLDER has the bytecode; tile-run is found by PATH.

Prints each wrong result, and the count of runs.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

INPUTS = Path(sys.argv[1])
random = np.random.default_rng(1)


def draw(*shape, dtype=np.float32):
    return random.standard_normal(shape).astype(dtype)


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def list_cases():
    """Yields the name, grid, arguments, right result and its type. The output is None;
    arrays that are updated are in tuples, and the first one is the result, or one with True.
    """
    x, y = draw(1000), draw(1000)
    yield "add", (8, 1), [x, y, None], x.astype(float) + y, np.float32
    rows = draw(37, 1000, dtype=np.float16)
    yield "softmax", (37, 1), [rows, None], softmax(rows.astype(float)), np.float16
    a, b = draw(100, 75, dtype=np.float16), draw(75, 130, dtype=np.float16)
    yield "matmul", (2, 3), [a, b, None], a.astype(float) @ b.astype(float), np.float32
    scaled = draw(3, 256) * np.array([[1], [100], [np.inf]], np.float32)
    scaled[2] = np.inf
    times = [max(0, int(np.floor(np.log2(max(row.sum(), 0.5)))) + 1) for row in scaled[:2]]
    yield "halvings", (3, 1), [scaled, None], np.array([*times, 50]), np.int32
    integers = random.integers(0, 100, (20, 30)).astype(np.int32)
    parts = [integers[at:at + 7] for at in (0, 7, 14)]
    evens = np.array([part[part[:, 0] % 2 == 0].sum(axis=0) for part in parts])
    yield "sum_even", (5, 1), [integers, None], evens, np.int32
    keys = random.integers(0, 10, 320).astype(np.int32)
    zeros = np.zeros(10, np.int32)
    yield ("count", (5, 1), [keys, (zeros,), 10, (zeros[:1],), 1],
           np.bincount(keys, minlength=10), np.int32)
    shown = random.integers(0, 9, 16).astype(np.int32)
    yield "show", (1, 1), [shown, None], shown, np.int32
    handed = random.integers(-9, 9, 50).astype(np.int32)
    empty = np.zeros(50, np.int32)
    yield ("hand_over", (2, 1), [handed, (zeros[:1],), (empty,), None], 2 * handed + 1,
           np.int32)
    table = random.integers(-9, 9, (7, 50)).astype(np.int32)
    least = np.minimum(table.min(axis=0), 0)  # the tile has rows of zeros
    yield "scans", (1, 1), [table, (table,), None], least, np.int32
    yield ("scans", (1, 1), [table, None, (least,)],
           np.cumsum(table[:, ::-1], axis=1)[:, ::-1], np.int32)
    rows = random.standard_normal((37, 45), np.float32)
    padded = np.full((41, 50), 10.0)
    padded[:37, :45] = 2.0 * rows
    yield ("rows_and_columns", (3, 2), [rows, (np.empty((45, 37), np.float32),), None], padded,
           np.float32)
    starts = np.array([0, 13, 13, 30, 37], np.int32)
    doubled = np.full((37, 34), 10.0)
    doubled[:, :32] = 2.0 * rows[:, 1:33]
    yield ("chunks", (4, 1), [rows, 45, starts, (np.full((37, 34), 10, np.float32),)],
           doubled, np.float32)
    number = -(-len(x) // 3)
    padded = np.append(x.astype(float), np.zeros(16))
    sums = np.array([padded[3 * i:3 * i + 16].sum() for i in range(number)])
    yield ("windows", (number, 1), [x, None, (np.zeros(number, np.int32),)], sums,
           np.float32)
    yield ("windows", (number, 1), [x, (np.zeros(number, np.float32),), None],
           np.full(number, number), np.int32)
    picked = random.integers(0, 37, 48).astype(np.int32)
    yield ("pick_rows", (3, 1), [rows, picked, None],
           rows[picked, 2:34].T.astype(float), np.float32)
    wide = random.integers(-9, 9, (20, 90)).astype(np.float32)
    added = np.append(wide, np.zeros((20, 6)), axis=1).reshape(20, 3, 32).sum(axis=1)
    yield ("add_tiles", (3, 2), [wide, (np.zeros((20, 32), np.float32),)], added,
           np.float32)
    cube = random.integers(-9, 9, (2, 3, 2, 1, 2)).astype(np.int32)
    yield "rank5", (1, 1), [cube, None], cube[:2, :2, :2, :, :2], np.int32
    ten = np.append(shown[:10], np.zeros(6, np.int32))
    yield "part", (1, 1), [shown, None], ten, np.int32
    slots = random.permutation(60)[:48].reshape(3, 16).astype(np.int32)
    owned = 9 * (random.random(50) < 0.3).astype(np.int32)
    claimed = np.append(owned, np.zeros(10, np.int32))
    for program, row in enumerate(slots):
        claimed[row] = np.where(claimed[row] == 0, program + 1, claimed[row])
    yield ("claim", (3, 1), [slots, (owned,), 50, (np.zeros((3, 16), np.int32),)], claimed[:50],
           np.int32)
    bytes_ = [random.integers(0, 256, shape).astype(np.uint8) for shape in
              ((13, 60), (60, 29), (60, 29))]
    signed = bytes_[2].view(np.int8)
    wide = [x.astype(np.int32) for x in (*bytes_[:2], signed)]
    results = [np.zeros(shape, np.int32) for shape in ((13, 29), (13, 29), (29, 13))]
    rights = [wide[0] @ wide[1] + 1, wide[0] @ wide[2], wide[2].T @ wide[0].T]
    for at, right in enumerate(rights):
        outputs = [None if at == i else (result,) for i, result in enumerate(results)]
        yield ("unsigned_products", (1, 1), [*bytes_[:2], signed, *outputs], right, np.int32)
    matrix = random.permutation(35).reshape(7, 5).astype(np.int32)
    keys = np.array([3, 34, 99, matrix[6, 4], matrix[0, 0]], np.int32)
    found = [np.argwhere(matrix == key)[0] if key < 35 else (-1, -1) for key in keys]
    yield "find_row", (5, 1), [matrix, keys, None], np.array(found), np.int32
    floats = draw(84)
    yield ("turn_bytes", (3, 1), [floats, None, (np.zeros(42, np.int64),)],
           floats.view(np.int8), np.int8)
    yield ("turn_bytes", (3, 1), [floats, (np.zeros(336, np.uint8),), None],
           floats.view(np.int64), np.int64)
    eight = random.integers(0, 99, 8).astype(np.int32)
    copied = np.where(np.arange(8) % 2, -7, np.arange(8)).astype(np.int32)
    yield "ordered", (1, 1), [(eight,), (eight, True), (shown[:8],)], copied, np.int32
    yield ("ordered", (1, 1), [(eight,), (eight,), (shown[:8], True)],
           shown[:8] + np.where(np.arange(8) % 2, 0, eight), np.int32)
    reverse = (np.arange(7, -1, -1) + 100 * np.arange(3)[:, None]).astype(np.int32).ravel()
    yield ("scratch", (3, 1), [None, (np.zeros(24, np.int32),)], reverse, np.int32)
    tickets = np.where(np.isin(np.arange(9), [2, 3, 4, 5]), np.arange(9), 0).astype(np.int32)
    counter = np.array([1, 2], np.int32)
    yield ("tickets", (4, 1), [(np.zeros(9, np.int32), True), (counter,)], tickets, np.int32)
    yield ("tickets", (4, 1), [(np.zeros(9, np.int32),), (counter, True)], np.array([1, 6]),
           np.int32)
    source = draw(7, 45)
    yield ("table", (3, 1), [(np.zeros(6, np.int64),), (source.ravel(),),
                             (np.zeros(315, np.float32), True), 45],
           2.0 * source.astype(float).ravel(), np.float32)
    yield "in_place", (1, 1), [(shown, True)], 2 * shown, np.int32
    chosen = random.integers(0, 1000, 333).astype(np.int32)
    yield ("take", (6, 1), [x, 1000, chosen, None], 2.0 * x[chosen].astype(float),
           np.float32)


def run(folder, place, name, grid, arguments, shape):
    words, output = [], None
    for index, argument in enumerate(arguments):
        path = folder / f"{index}.npy"
        if argument is None:
            output = path
            words.append(f"out={path}:{'x'.join(map(str, shape))}")
        elif isinstance(argument, tuple):
            np.save(path, argument[0])
            updated = folder / f"{index}-updated.npy"
            output = updated if len(argument) == 2 or not output else output
            words.append(f"inout={path}:{updated}")
        elif isinstance(argument, int):
            words.append(str(argument))
        else:
            np.save(path, argument)
            words.append(str(path))
    subprocess.run(["tile-run", str(INPUTS / f"{name}.tileirbc"), name, *words, "--quiet",
                    f"--grid={grid[0]},{grid[1]},1", f"--on={place}"], check=True)
    return np.load(output)


count = wrong = 0
for name, grid, arguments, expected, dtype in list_cases():
    for place in "cpu", "emulator":
        with tempfile.TemporaryDirectory() as folder:
            found = run(Path(folder), place, name, grid, arguments, expected.shape)
        error = np.abs(found - expected).max() / np.abs(expected).max()
        allowed = 0 if np.issubdtype(dtype, np.integer) else 4 * np.finfo(dtype).eps
        count += 1
        if not (found.dtype == dtype and error <= allowed):
            wrong += 1
            print(f"{name} on {place}: error {error}")
print(f"{count} runs, {wrong} wrong")
