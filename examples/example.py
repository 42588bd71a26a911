# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs an example with tile-run and compares the results with NumPy in float64.

Every check.py takes the same options:

  check.py [--on cpu|emulator|cuda] [--arch sm_90] [--schedules N]
           [--file CUBIN] [--tile-run PATH] [--size M,N,K] [--plot FILE.svg]

Only some examples have the options --size and --plot.

Without --on, tile-run uses the GPU if there is one, else the emulator.
"""

import argparse
import inspect
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

# The bound is |out - ref| <= c (|A||B|) + u |ref|; ROUNDING is c divided by K.
ROUNDING = {"f16": 2.0 ** -23, "f32": 2.0 ** -24}
UNIT = 2.0 ** -24  # u, of an f32 result


class Example:
    """An example: its program, and the options with which tile-run runs it."""

    def __init__(self, program, size=None, has_picture=False):
        here = pathlib.Path(inspect.stack()[1].filename).resolve().parent
        parser = argparse.ArgumentParser(description=__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--on", choices=["cpu", "emulator", "cuda"])
        parser.add_argument("--arch", help="what to compile the program for")
        parser.add_argument("--schedules", help="how many the emulator tries")
        parser.add_argument("--file", default=here / program,
                            help="the program, or a cubin made from it")
        parser.add_argument("--tile-run", default=find_tile_run(here))
        if size:
            parser.add_argument("--size", default=size, metavar="M,N,K",
                                type=parse_size)
        if has_picture:
            parser.add_argument("--plot", metavar="FILE.svg",
                                help="where to draw what came out")
        self.options = parser.parse_args()
        self.size = getattr(self.options, "size", None)
        self.random = np.random.default_rng(1)

    def normal(self, *shape, dtype=np.float32):
        """Returns an array of normally distributed random values."""
        return self.random.standard_normal(shape).astype(dtype)

    def run(self, kernel, inputs, shape):
        """Returns the last argument that `kernel` writes, an array of `shape`.

        tile-run fills it with bytes 0xFF, which is NaN, before the run.
        """
        return self.run_all(kernel, inputs, [shape])[0]

    def run_all(self, kernel, inputs, shapes):
        """Returns the last arguments that `kernel` writes, arrays of `shapes`."""
        return self.launch(kernel, inputs, list(map(name_result, shapes)))

    def update(self, kernel, inputs, array):
        """Returns the last argument of `kernel`, which the kernel reads and writes."""
        return self.launch(kernel, inputs, [save_initial(array)])[0]

    def run_changing(self, kernel, inputs, array, shape):
        """Returns the last but one argument of `kernel`, which it reads and
        writes, and the last one, which it writes, an array of `shape`."""
        return self.launch(kernel, inputs,
                           [save_initial(array), name_result(shape)])

    def launch(self, kernel, inputs, results):
        """Runs `kernel` on arrays and scalars, and returns its last arguments,
        which tile-run writes to files. For each of these, `results` has a function
        that takes the path of the file and returns the argument for tile-run."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            arguments = []
            for index, value in enumerate(inputs):
                if not isinstance(value, np.ndarray):
                    arguments.append(str(value))
                    continue
                name = folder / ("%d.npy" % index)
                np.save(name, value)
                arguments.append(str(name))
            files = [folder / ("result%d.npy" % index)
                     for index in range(len(results))]
            arguments += [name(file) for name, file in zip(results, files)]
            command = [self.options.tile_run, str(self.options.file), kernel,
                       *arguments]
            for name in ("on", "arch", "schedules"):
                value = getattr(self.options, name)
                if value:
                    command.insert(1, "--%s=%s" % (name, value))
            status = subprocess.run(command, stdout=subprocess.PIPE, text=True)
            sys.stdout.write(status.stdout)
            if status.returncode != 0:
                sys.exit("expected tile-run to succeed, got exit code %d"
                         % status.returncode)
            return list(map(np.load, files))


def name_result(shape):
    """Returns a function for `results` of Example.launch: for an array of `shape`
    that a kernel writes."""
    return lambda result: "out=%s:%s" % (result, "x".join(map(str, shape)))


def save_initial(array):
    """Returns a function for `results` of Example.launch: for an array that a kernel
    reads and writes. The function saves its initial contents to the file."""
    def save(result):
        np.save(result, array)
        return "inout=%s" % result
    return save


def parse_size(text):
    """Parses sizes such as M,N,K."""
    return tuple(map(int, text.split(",")))


def find_tile_run(folder):
    """Finds tile-run on PATH, or in a build folder next to the sources."""
    root = folder.parent.parent
    paths = [shutil.which("tile-run"), root / "build/bin/tile-run",
             root.parent / "build/bin/tile-run"]
    for path in paths:
        if path and pathlib.Path(path).exists():
            return str(path)
    return "tile-run"


def check_equal(result, expected, what):
    """Ends the program unless every element equals the expected element."""
    if result.shape != expected.shape or not np.array_equal(result, expected):
        bad = np.argwhere(result != expected)
        sys.exit("%s: expected %s, got %s at %s" % (
            what, expected[tuple(bad[0])], result[tuple(bad[0])], bad[0]))
    print("%s: %d values, all as expected" % (what, result.size))


def check_near(result, reference, bound, what):
    """Ends the program unless every error is within its bound."""
    error = np.abs(result.astype(np.float64) - reference)
    # NaN compares false: an element that was never written is bad.
    bad = np.argwhere(~(error <= bound))
    if bad.size:
        coordinates = tuple(bad[0])
        sys.exit("%s: expected %r within %.3g, got %r at %s; %d of %d are off"
                 % (what, reference[coordinates], bound[coordinates],
                    result[coordinates], bad[0], len(bad), result.size))
    norm = np.linalg.norm(reference) or 1.0
    share = np.max(error / np.maximum(bound, np.finfo(float).tiny), initial=0.0)
    print("%s: greatest error %.3g (%.2g of the bound), %.3g in norm, "
          "against float64" % (what, np.max(error, initial=0.0), share,
                               np.linalg.norm(error) / norm))


def check_norm(result, reference, bound, what):
    """Ends the program unless the error of all elements together, relative to
    the reference in the L2 norm, is within its bound."""
    if result.shape != reference.shape:
        sys.exit("%s: expected shape %s, got %s" % (what, reference.shape,
                                                    result.shape))
    error = np.linalg.norm(result - reference) / np.linalg.norm(reference)
    # NaN compares false: an element that was never written is bad.
    if not error <= bound:
        coordinates = np.unravel_index(np.argmax(np.abs(result - reference)),
                                       result.shape)
        sys.exit("%s: expected an error of at most %.3g in norm, got %.3g; "
                 "expected %r, got %r at %s" % (what, bound, error,
                                                reference[coordinates],
                                                result[coordinates],
                                                list(map(int, coordinates))))
    print("%s: error %.3g in norm (%.2g of the bound), against float64"
          % (what, error, error / bound))


def check_matmul(result, a, b, element, what):
    """Compares with the matmul in float64, element by element.

    Each error must be at most c (|A||B|) + u |ref|, where c is k 2^-23 for f16 operands
    and k 2^-24 for f32 operands.
    """
    a, b = a.astype(np.float64), b.astype(np.float64)
    reference = a @ b
    bound = (a.shape[1] * ROUNDING[element] * (np.abs(a) @ np.abs(b))
             + UNIT * np.abs(reference))
    check_near(result, reference, bound, what)


def check_gemm(example, kernel, element):
    """Multiplies random normal matrices of example.size."""
    m, n, k = example.size
    dtype = {"f16": np.float16, "f32": np.float32}[element]
    a, b = (example.normal(*s, dtype=dtype) for s in ((m, k), (k, n)))
    c = example.run(kernel, [a, b], (m, n))
    check_matmul(c, a, b, element, "%s %dx%dx%d" % (kernel, m, n, k))
