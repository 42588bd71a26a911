# harness.py - runs a kernel by tile-run and compares the result with NumPy's
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   PROGRAM.py --on=cpu
#   PROGRAM.py --on=emulator --arch=sm_90
#   PROGRAM.py --on=cuda --arch=sm_80
#
# The arguments are those of tile-run; for a GPU the program is compiled first, and the
# cubin is run. A program that the compiler rejects as unsupported on a GPU runs on the
# CPU path instead and is counted; the last lines are "N runs, M refused" and, on the
# CPU path, the count of runs that had a composite operation and were compared between
# both levels (levels.py). Tests compare these lines.
#
# With TILE_RECORD=DIR in the environment, each program, its arguments and its results
# are kept in DIR: benchmarks/compare_values.py runs them on a GPU.
#
# A test makes random arrays, computes the expected results in float64 itself, and
# calls `run`. Arrays of bf16 and of the f8 types hold the elements' bits; `decode` and
# `encode` convert between bits and float64 with a table of all codes, which is
# independent of the compiler's conversions.

import atexit
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import levels

DTYPES = {
    "f64": np.float64, "f32": np.float32, "f16": np.float16,
    "bf16": np.uint16, "f8E4M3FN": np.uint8, "f8E5M2": np.uint8,
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32,
    "i64": np.int64, "index": np.int64,
    "complex<f32>": np.complex64, "complex<f64>": np.complex128,
}
SMALL = {"bf16": (8, 7), "f8E4M3FN": (4, 3), "f8E5M2": (5, 2)}


# Some tests check more cases with --all, which the nightly tests use.
IS_FULL = "--all" in sys.argv
MACHINE = [word for word in sys.argv[1:] if word != "--all"] or ["--on=cpu"]
COUNTS = {"runs": 0, "refused": 0, "levels": 0}
# False in tests of operations for which the CPU path uses one algorithm for level
# source and another one for level decomposed: such a test runs each level separately,
# with --on=cpu and --on=cpu-decomposed.
LEVELS_HAVE_SAME_BITS = True
# Exit status of tile-run if it rejects a program or its arguments before the run.
REFUSED = 2
# Parts of the compiler's messages for programs that are valid but unsupported on a
# GPU.
GAPS = ["expected architecture ", "the GPU path", "of shared memory on sm_",
        "the instruction table has no row", "failed to legalize operation"]


def report_counts():
    """Prints how many programs ran, and adds the count to TILE_CASES."""
    print("%(runs)d runs, %(refused)d refused" % COUNTS)
    if "--on=cpu" in MACHINE and LEVELS_HAVE_SAME_BITS:
        print("%(levels)d of them from both levels" % COUNTS)
    if "TILE_CASES" in os.environ:
        with open(os.environ["TILE_CASES"], "a") as file:
            file.write("%d %s\n" % (COUNTS["runs"], " ".join(
                [os.path.basename(sys.argv[0])] + MACHINE)))


atexit.register(report_counts)


class Out:
    """An array that the kernel writes; elements not written remain 0xFF bytes."""

    def __init__(self, *shape):
        self.shape = shape


class InOut:
    """An array that the kernel reads and writes."""

    def __init__(self, array):
        self.array = array


def run(program, kernel, *arguments, grid="1,1,1"):
    """Runs `kernel` on `grid`, or on the program's grid if it is None; returns the
    list of its outputs, or the array itself if there is one."""
    path = save_program(program)
    with tempfile.TemporaryDirectory() as folder:
        words, outputs = [], []
        for index, argument in enumerate(arguments):
            name = os.path.join(folder, "%d.npy" % index)
            if isinstance(argument, Out):
                shape = "x".join(map(str, argument.shape))
                words.append("out=%s%s" % (name, ":" + shape if shape else ""))
                outputs.append(name)
            elif isinstance(argument, InOut):
                np.save(name, argument.array)
                words.append("inout=" + name)
                outputs.append(name)
            elif isinstance(argument, np.ndarray):
                words.append(save(name, argument))
            else:
                words.append(str(argument))
        if grid is not None:
            words.append("--grid=" + grid)
        record = begin_record(folder, path, kernel, words)
        is_refused = execute(path, [kernel] + words, program)
        results = [np.load(name) for name in outputs]
        end_record(record, outputs, is_refused)
    return results[0] if len(results) == 1 else results


@functools.cache
def get_folder():
    """Returns a folder that exists as long as this process."""
    return tempfile.TemporaryDirectory()


def save_program(program):
    """Saves the program under a fixed name, by which tile-run can cache it."""
    path = os.path.join(get_folder().name, "program.mlir")
    with open(path, "w") as file:
        file.write(program)
    return path


def save(name, array):
    """Saves an input array with its memory layout; returns tile-run's argument."""
    offset = 0
    if array.base is not None:
        offset = get_address(array) - get_address(array.base)
    is_contiguous = array.flags.c_contiguous or array.flags.f_contiguous
    if is_contiguous and offset == 0:
        np.save(name, array)
        return name
    # A file can hold only row-major and column-major arrays.
    np.save(name, array.base)
    return "%s[offset=%d,shape=%s,strides=%s]" % (
        name, offset // array.itemsize, "x".join(map(str, array.shape)),
        "x".join(str(stride // array.itemsize) for stride in array.strides))


def get_address(array):
    return array.__array_interface__["data"][0]


def begin_record(folder, path, kernel, words):
    """Saves a program and its arguments if TILE_RECORD is set; returns the folder."""
    if "TILE_RECORD" not in os.environ:
        return None
    os.makedirs(os.environ["TILE_RECORD"], exist_ok=True)
    record = tempfile.mkdtemp(
        prefix=os.path.basename(sys.argv[0])[:-3] + "-%03d-" % COUNTS["runs"],
        dir=os.environ["TILE_RECORD"])
    shutil.copy(path, record)
    for name in os.listdir(folder):
        shutil.copy(os.path.join(folder, name), record)
    with open(os.path.join(record, "launch.json"), "w") as file:
        json.dump({"kernel": kernel,
                   "words": [word.replace(folder + "/", "") for word in words]},
                  file)
    return record


def end_record(record, outputs, is_refused):
    """Adds the outputs to the record, or removes the record of a rejected program."""
    if record is None:
        return
    if is_refused:
        shutil.rmtree(record)
        return
    for name in outputs:
        shutil.copy(name, os.path.join(record,
                                       "result-" + os.path.basename(name)))


def execute(path, words, program):
    """Runs tile-run on the machine, or on the CPU path if the compiler rejects the
    program for the machine; returns whether it did."""
    done = launch(path, words)
    COUNTS["runs"] += 1
    is_refused = is_refusal(done)
    if is_refused:
        COUNTS["refused"] += 1
        done = run_tile("--on=cpu", path, *words)
    if done.returncode != 0:
        raise SystemExit(program + "\n" + done.stdout + done.stderr)
    return is_refused


def launch(path, words):
    """Returns the completed process of a run on the machine. On a GPU, it is the
    process of the compilation if this fails."""
    if "--on=cpu" in MACHINE and LEVELS_HAVE_SAME_BITS:
        done, has_levels = levels.run(MACHINE + [path] + words, run_tile)
        COUNTS["levels"] += has_levels
        return done
    if "--on=cuda" not in MACHINE:
        return run_tile(*MACHINE, path, *words)
    cubin = path.replace(".mlir", ".cubin")
    options = [word for word in MACHINE if word != "--on=cuda"]
    done = call("tile-compile", *options, path, "-o", cubin)
    if done.returncode != 0:
        return done
    done = run_tile("--on=cuda", cubin, *words)
    if done.returncode not in (0, REFUSED):
        # After a failed assertion no other kernel can run in the process.
        get_batch.cache_clear()
    return done


def call(*words):
    return subprocess.run(words, capture_output=True, text=True)


class Batch:
    """A tile-run process that executes many runs: to start the process and the compiler
    takes longer than most runs."""

    def __init__(self):
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            ["tile-run", "--batch"], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.errors)
        atexit.register(self.process.communicate)

    def run(self, *words):
        """Returns the completed process of tile-run with the arguments `words`."""
        self.errors.seek(0)
        self.errors.truncate()
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        output, status = self.read_output()
        self.errors.seek(0)
        return subprocess.CompletedProcess(("tile-run", *words), status, output,
                                           self.errors.read())

    def read_output(self):
        """Returns the output of the run and its exit code or, if the process has ended,
        the exit code of the process."""
        output = ""
        for line in self.process.stdout:
            text, end, code = line.partition("\0")
            output += text
            if end:
                return output, int(code)
        return output, self.process.wait()


@functools.cache
def get_batch():
    return Batch()


def run_tile(*words):
    return get_batch().run(*words)


def is_refusal(done):
    """Returns whether the compiler rejected a program as unsupported on a GPU."""
    if done.args[0] == "tile-run" and not (
            done.returncode == REFUSED and
            "does not compile for" in done.stderr):
        return False
    return done.returncode != 0 and any(gap in done.stderr for gap in GAPS)


def decode(bits, name):
    """Returns float64 values of an array of `name`, whether bits or NumPy values."""
    if name not in SMALL:
        return bits
    return get_values(name)[bits]


@functools.cache
def get_values(name):
    """Returns the float64 values of all codes of `name`."""
    exponent_bits, mantissa_bits = SMALL[name]
    bits = np.arange(2 ** (1 + exponent_bits + mantissa_bits))
    bias = 2 ** (exponent_bits - 1) - 1
    sign = np.where(bits >> (exponent_bits + mantissa_bits) & 1, -1.0, 1.0)
    exponent = bits >> mantissa_bits & (2 ** exponent_bits - 1)
    fraction = (bits & (2 ** mantissa_bits - 1)) / 2.0 ** mantissa_bits
    value = np.where(exponent == 0,
                     np.ldexp(fraction, 1 - bias),
                     np.ldexp(1 + fraction, exponent - bias))
    if name == "f8E4M3FN":
        value = np.where((bits & 0x7f) == 0x7f, np.nan, value)
    else:
        top = exponent == 2 ** exponent_bits - 1
        value = np.where(top, np.where(fraction == 0, np.inf, np.nan), value)
    return sign * value


def largest(name):
    """Returns the largest finite value of a type."""
    return {"f8E4M3FN": 448.0, "f8E5M2": 57344.0,
            "bf16": 2.0 ** 128 - 2.0 ** 119}[name]


@functools.cache
def get_finite(name):
    """Returns the codes of the nonnegative finite values of `name`, and the values."""
    table = get_values(name)[:2 ** sum(SMALL[name])]
    codes = np.flatnonzero(np.isfinite(table))
    return codes, table[codes]


def encode(values, name):
    """Rounds float64 to nearest, ties to even; f8 saturates at its finite range."""
    if name not in SMALL:
        return np.asarray(values).astype(DTYPES[name])
    values = np.asarray(values, np.float64)
    codes, table = get_finite(name)
    size = np.abs(values)
    above = np.clip(np.searchsorted(table, size), 0, len(table) - 1)
    below = np.maximum(above - 1, 0)
    up, down = table[above] - size, size - table[below]
    pick = np.where((up < down) | ((up == down) & (codes[above] % 2 == 0)),
                    above, below)
    pick = np.where(size >= table[-1], len(table) - 1, pick)
    result = codes[pick]
    if name == "bf16":
        limit = 2.0 ** 128 - 2.0 ** 118
        result = np.where(size >= limit, 0x7f80, result)
    nan = {"bf16": 0x7fc0, "f8E4M3FN": 0x7f, "f8E5M2": 0x7f}[name]
    sign = np.signbit(values).astype(np.int64) << sum(SMALL[name])
    result = np.where(np.isnan(values), nan, result | sign)
    return result.astype(DTYPES[name])


def random_values(rng, shape, name):
    """Returns normally distributed values, or integers of the whole range."""
    if name.startswith("complex"):
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
                ).astype(DTYPES[name])
    if name == "i1":
        return rng.integers(0, 2, shape).astype(np.bool_)
    if name[0] == "i":
        info = np.iinfo(DTYPES[name])
        return rng.integers(info.min, info.max, shape, DTYPES[name],
                            endpoint=True)
    return encode(rng.standard_normal(shape), name)


def get_box(array, offsets, shape):
    """Returns the slices of a box's part in an array: of the array, and of the box."""
    lows = [max(o, 0) for o in offsets]
    highs = [max(min(o + n, s), low) for o, n, s, low in
             zip(offsets, shape, array, lows)]
    return (tuple(slice(a, b) for a, b in zip(lows, highs)),
            tuple(slice(a - o, b - o) for a, b, o in
                  zip(lows, highs, offsets)))


def same(result, expected, what):
    """Expects equal values, NaN equal to NaN and zeros of one sign."""
    result, expected = np.asarray(result), np.asarray(expected)
    equal = result == expected
    if result.dtype.kind in "fc":
        equal |= np.isnan(result) & np.isnan(expected)
    if result.dtype.kind == "f":
        equal &= np.signbit(result) == np.signbit(expected)
        equal |= np.isnan(result) & np.isnan(expected)
    if result.shape != expected.shape or not equal.all():
        wrong = np.argwhere(~equal)[:5].tolist()
        raise SystemExit("%s: %d of %d elements differ, first at %s: got %s, "
                         "expected %s" % (
                             what, (~equal).sum(), equal.size, wrong,
                             [result[tuple(at)] for at in wrong],
                             [expected[tuple(at)] for at in wrong]))


def near(result, expected, bound, what):
    """Expects |result - expected| <= bound for each element."""
    error = np.abs(result - expected)
    if not (error <= bound).all():
        raise SystemExit("%s: error %g, %g times the bound" % (
            what, error.max(), (error / np.maximum(bound, 1e-300)).max()))


def shape_text(shape, element):
    return "x".join(list(map(str, shape)) + [element])


def tile_type(shape, element):
    return "!tile.tile<%s>" % shape_text(shape, element)


def memref(shape, element):
    return "memref<%s>" % shape_text(shape, element)


def zeros(shape):
    """Returns the offsets, in a `kernel`, of a tile that covers a whole array."""
    return ", ".join(["%zero"] * len(shape))


def load(name, array, shape, element):
    """Returns a line of a `kernel`: loads all of %array as the tile %name."""
    return "  %%%s = tile.load %%%s[%s] : %s -> %s\n" % (
        name, array, zeros(shape), memref(shape, element),
        tile_type(shape, element))


def store(name, array, shape, element):
    """Returns a line of a `kernel`: stores the tile %name to all of %array."""
    return "  tile.store %%%s, %%%s[%s] : %s, %s\n" % (
        name, array, zeros(shape), tile_type(shape, element),
        memref(shape, element))


def attributes_of(block):
    """Returns a kernel's attributes: `block` threads, or the compiler's choice."""
    return " attributes {block = %d : i64}" % block if block else ""


def kernel(arguments, body, block=None):
    """Returns a kernel `f` with the lines of `body`; %zero is the index 0."""
    return ("tile.kernel @f(%s)%s {\n  %%zero = arith.constant 0 : index\n%s"
            "  tile.return\n}\n" % (arguments, attributes_of(block), body))


def map_program(body, operands, result, shape, declarations=""):
    """Returns a kernel `f` that loads a tile %0, %1, ... of each array, runs `body`,
    which defines %r, and stores it."""
    arrays = ["%%a%d: memref<%s>" % (n, shape_text(shape, t))
              for n, t in enumerate(operands)]
    arrays.append("%%out: memref<%s>" % shape_text(shape, result))
    zeros = ", ".join(["%zero"] * len(shape))
    loads = "\n".join(
        "  %%%d = tile.load %%a%d[%s] : memref<%s> -> !tile.tile<%s>" % (
            n, n, zeros, shape_text(shape, t), shape_text(shape, t))
        for n, t in enumerate(operands))
    return """tile.kernel @f(%s) {
  %%zero = arith.constant 0 : index
%s
  %s
  tile.store %%r, %%out[%s] : !tile.tile<%s>, memref<%s>
  tile.return
}
""" % (", ".join(arrays), loads, body, zeros, shape_text(shape, result),
       shape_text(shape, result))
