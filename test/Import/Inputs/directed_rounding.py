#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs directed_f32 and directed_f64 of written_programs.py, and compares each element with
the exact result, a fraction, rounded.

  python3 directed_rounding.py FOLDER [cpu|emulator|gpu]...

FOLDER has the bytecode; tile-run is found by PATH. Prints each wrong result, and the count.
"""

import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np

COUNT, MODES = 64, ("toward zero", "down", "up")


def round_exact(is_above, guess, mode):
    """Returns the value next to the exact one in the direction of `mode`; `is_above(x)`
    is whether that is above x, and `guess` is near."""
    down, up = -guess.dtype.type(np.inf), guess.dtype.type(np.inf)
    while guess != down and not is_above(guess, True):
        guess = np.nextafter(guess, down)
    while guess != up and is_above(np.nextafter(guess, up), True):
        guess = np.nextafter(guess, up)
    # The exact value is at least `guess`, and below the next one.
    is_exact = not is_above(guess, False)
    if mode == "toward zero":
        mode = "down" if guess > 0 or (guess == 0 and np.copysign(1, guess) > 0) else "up"
    return guess if mode == "down" or is_exact else np.nextafter(guess, up)


def round_fraction(exact, dtype, mode):
    if exact == 0:
        return None

    def is_above(x, or_equal):
        if np.isinf(x):
            return x < 0
        return exact >= Fraction(float(x)) if or_equal else exact > Fraction(float(x))

    largest = np.finfo(dtype).max
    guess = dtype(max(-largest, min(largest, float(max(min(exact, Fraction(float(largest))),
                                                       -Fraction(float(largest)))))))
    return round_exact(is_above, guess, mode)


def round_root(z, dtype, mode):
    square = Fraction(float(z))

    def is_above(x, or_equal):
        if x < 0 or np.isinf(x):
            return x < 0
        return square >= Fraction(float(x)) ** 2 if or_equal else square > Fraction(float(x)) ** 2

    return round_exact(is_above, np.sqrt(z), mode)


def expect(name, x, y, z, mode):
    """Returns the right result."""
    dtype = type(x)
    if name == "sqrt":
        return round_root(abs(z), dtype, mode)
    operands = [Fraction(float(v)) for v in (x, y, z)]
    if name == "divide":
        exact = operands[0] / operands[1] if y else None
    else:
        exact = {"add": operands[0] + operands[1], "subtract": operands[0] - operands[1],
                 "multiply": operands[0] * operands[1],
                 "fma": operands[0] * operands[1] + operands[2]}[name]
    if exact:
        return round_fraction(exact, dtype, mode)
    if name in ("multiply", "divide"):
        return {"multiply": np.multiply, "divide": np.divide}[name](x, y)
    addends = {"add": (x, y), "subtract": (x, -y), "fma": (x * y, z)}[name]
    both = all(not np.signbit(v) for v in addends) or all(np.signbit(v) for v in addends)
    sign = np.signbit(addends[0]) if both else mode == "down"
    return dtype(-0.0 if sign else 0.0)


def draw(dtype):
    """Returns three arrays: of any sizes, and of special cases."""
    random = np.random.default_rng(5)
    most = np.finfo(dtype).max
    x, y, z = (random.standard_normal((3, COUNT)) *
               2.0 ** random.integers(-20, 20, (3, COUNT))).astype(dtype)
    y[:8] = [0.0, -x[1], most, most, 3.0, 1.0, -0.0, x[7]]
    x[:8] = [-0.0, x[1], most, -most, most, 2.0 ** -20, 0.0, x[7]]
    x[8:16], y[8:16] = x[8:16].round(1), y[8:16].round(1)
    z[16:24] = -(x[16:24] * y[16:24])
    z[24:32] = np.arange(8) ** 2
    return x, y, z


def compare(name, place, dtype):
    """Returns the count of wrong elements."""
    inputs = draw(dtype)
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{i}.npy" for i in range(3)]
        for path, array in zip(paths, inputs):
            np.save(path, array)
        subprocess.run(["tile-run", str(Path(sys.argv[1], f"{name}.tileirbc")), name, *paths,
                        f"out={folder}/out.npy:19x64", "--quiet", "--grid=1,1,1",
                        f"--on={place}"], check=True)
        found = np.load(f"{folder}/out.npy")
    wrong = 0
    for row, (mode, operation) in enumerate(
            (m, o) for m in MODES for o in ("add", "subtract", "multiply", "divide", "fma",
                                            "sqrt")):
        for at, (x, y, z) in enumerate(zip(*inputs)):
            right, own = expect(operation, x, y, z, mode), found[row, at]
            is_same = own == right and np.signbit(own) == np.signbit(right)
            if not (is_same or np.isnan(own) and np.isnan(right)):
                wrong += 1
                print(f"{name} on {place}: {operation} {mode} of {x!r}, {y!r}, {z!r}: "
                      f"{own!r}, not {right!r}")
    exact = sum(Fraction(float(v)) for v in inputs[2])
    error = abs(Fraction(float(found[18, 0])) - exact) / sum(abs(Fraction(float(v)))
                                                           for v in inputs[2])
    if not float(error) <= 64 * np.finfo(dtype).eps:
        wrong += 1
        print(f"{name} on {place}: sum {found[18, 0]}, not {float(exact)}")
    return wrong


def main():
    np.seterr(all="ignore")
    wrong = count = 0
    for place in sys.argv[2:] or ("cpu", "emulator"):
        for dtype in (np.float32, np.float64):
            wrong += compare(f"directed_f{8 * np.dtype(dtype).itemsize}", place, dtype)
            count += 18 * COUNT + 1
    print(f"{count} results, {wrong} wrong")


if __name__ == "__main__":
    main()
