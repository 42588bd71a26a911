# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# long_functions.py FOLDER: writes functions, each of which is long in one way. Checks
# that they are converted in little time on a stack of 1 MiB, and that functions of
# integers give NumPy's results on the CPU path.

import pathlib
import resource
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
SECONDS = 6
STACK = 1 << 20

VECTOR = "tensor<?xi32>"
ELEMENTWISE = """\
func.func @f(%%v0: %s, %%a: %s) -> %s {
%s
  return %%v%d : %s
}
"""


def write_elementwise(lines, count):
    return ELEMENTWISE % (VECTOR, VECTOR, VECTOR, "\n".join(lines), count,
                          VECTOR)


def chain(count):
    """Returns a chain of alternating additions and multiplications."""
    operations = ("addi", "muli")
    return write_elementwise(
        ["  %%v%d = arith.%s %%v%d, %%a : %s" %
         (i + 1, operations[i % 2], i, VECTOR) for i in range(count)], count)


def doubled(count):
    """Returns a chain in which each value is used twice to compute the next one, so
    that 2^count paths lead to the first value."""
    lines = []
    for i in range(count):
        lines.append("  %%t%d = math.absi %%v%d : %s" % (i, i, VECTOR))
        lines.append("  %%v%d = arith.subi %%t%d, %%v%d : %s" %
                     (i + 1, i, i, VECTOR))
    return write_elementwise(lines, count)


def body(count):
    """Returns one operation with a long body."""
    lines = "\n".join("    %%v%d = arith.%s %%v%d, %%x : i32" %
                      (i + 1, ("addi", "muli")[i % 2], i)
                      for i in range(count))
    return """\
func.func @f(%%a: %s, %%b: %s) -> %s {
  %%r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%%a : %s) outs(%%b : %s) {
  ^bb0(%%v0: i32, %%x: i32):
%s
    linalg.yield %%v%d : i32
  } -> %s
  return %%r : %s
}
""" % (VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, lines, count, VECTOR, VECTOR)


def scalars(count):
    """Returns a long computation of a scalar, which the kernel evaluates."""
    lines = "\n".join("  %%s%d = arith.%s %%s%d, %%c : f32" %
                      (i + 1, ("addf", "mulf")[i % 2], i)
                      for i in range(count))
    return """\
func.func @f(%%s0: f32, %%c: f32) -> tensor<9xf32> {
%s
  %%r = tensor.splat %%s%d : tensor<9xf32>
  return %%r : tensor<9xf32>
}
""" % (lines, count)


def slices(count):
    """Returns a chain of operations on slices of earlier results."""
    lines = "\n".join(
        "  %%t%d = arith.muli %%v%d, %%v%d : tensor<%dxi32>\n"
        "  %%v%d = tensor.extract_slice %%t%d[1] [%d] [1] : tensor<%dxi32> to "
        "tensor<%dxi32>" % (i, i, i, 2 * count - i, i + 1, i, 2 * count - i - 1,
                            2 * count - i, 2 * count - i - 1)
        for i in range(count))
    return """\
func.func @f(%%v0: tensor<%dxi32>) -> tensor<%dxi32> {
%s
  return %%v%d : tensor<%dxi32>
}
""" % (2 * count, count, lines, count, count)


def reductions(count):
    """Returns reductions that are not grouped, so that each has its own loop."""
    lines = "\n".join(
        "  %%r%d = linalg.reduce ins(%%a : tensor<5x?xi32>) "
        "outs(%%z : tensor<5xi32>) dimensions = [1]\n"
        "    (%%x: i32, %%o: i32) {\n"
        "      %%c%d = arith.constant %d : i32\n"
        "      %%y = arith.muli %%x, %%c%d : i32\n"
        "      %%s = arith.addi %%y, %%o : i32\n"
        "      linalg.yield %%s : i32\n    }\n"
        "  %%v%d = arith.xori %%v%d, %%r%d : tensor<5xi32>" %
        (i, i, i + 2, i, i + 1, i, i) for i in range(count))
    return """\
func.func @f(%%a: tensor<5x?xi32>) -> tensor<5xi32> {
  %%z = arith.constant dense<0> : tensor<5xi32>
  %%v0 = arith.constant dense<0> : tensor<5xi32>
%s
  return %%v%d : tensor<5xi32>
}
""" % (lines, count)


def limit():
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def convert(text, name):
    source = folder / ("%s.mlir" % name)
    kernels = folder / ("%s-kernels.mlir" % name)
    source.write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        ["tile-opt", source, "-convert-linalg-to-tile", "-o", kernels],
        preexec_fn=limit, capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if done.returncode != 0:
        sys.exit("error: '%s' ends with %d after %.1f s: %s" %
                 (name, done.returncode, seconds, done.stderr[-500:]))
    print("'%s' is converted: %.1f s" % (name, seconds), file=sys.stderr)
    print("'%s' is converted" % name)
    return kernels


def run(kernels, arrays, expected):
    words = []
    for index, array in enumerate(arrays):
        np.save(folder / ("%d.npy" % index), array)
        words.append(folder / ("%d.npy" % index))
    out = folder / "out.npy"
    shape = "x".join(map(str, expected.shape))
    subprocess.run(["tile-run", kernels, "f", *words, "out=%s:%s" % (out, shape),
                    "--on=cpu", "--quiet"], check=True)
    if not np.array_equal(np.load(out), expected):
        sys.exit("error: expected %s, found %s" % (expected, np.load(out)))
    print("the results of %s are right" % kernels.stem)


def evaluate_chain(v, a, count):
    for i in range(count):
        v = v * a if i % 2 else v + a
    return v


def evaluate_doubled(v, count):
    for _ in range(count):
        v = np.abs(v) - v
    return v


def evaluate_slices(v, count):
    for _ in range(count):
        v = (v * v)[1:]
    return v


def evaluate_reductions(a, count):
    v = np.zeros(5, "i4")
    for i in range(count):
        v = v ^ (a * np.int32(i + 2)).sum(1, dtype="i4")
    return v


np.seterr(over="ignore")
random = np.random.default_rng(5)
a, b = random.integers(-9, 9, (2, 37), "i4")
matrix = random.integers(-9, 9, (5, 23), "i4")
for name, write, count in [("chain", chain, 4000), ("doubled", doubled, 60),
                           ("body", body, 4000), ("scalars", scalars, 4000),
                           ("slices", slices, 1000),
                           ("reductions", reductions, 300)]:
    convert(write(count), name)
run(convert(chain(300), "chain-300"), [a, b], evaluate_chain(a, b, 300))
run(convert(doubled(40), "doubled-40"), [a, b], evaluate_doubled(a, 40))
run(convert(body(30), "body-30"), [a, b], evaluate_chain(a, b, 30))
run(convert(slices(200), "slices-200"), [np.arange(400, dtype="i4")],
    evaluate_slices(np.arange(400, dtype="i4"), 200))
run(convert(reductions(9), "reductions-9"), [matrix],
    evaluate_reductions(matrix, 9))
