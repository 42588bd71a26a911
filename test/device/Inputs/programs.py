# programs.py - small kernels of every phase, against NumPy in float64
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   programs.py --on=cpu
#   programs.py --on=emulator --arch=sm_90
#   programs.py --on=cuda --arch=sm_80
#
# Each program runs on one block, from arrays @f(%a0, %a1, ..., %out). On a GPU
# it is compiled first, and the cubin is run. Outputs are 0xff bytes before.

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import levels

MACHINE = sys.argv[1:]
RANDOM = np.random.default_rng(7)
ELEMENTS = {np.float32: "f32", np.float16: "f16", np.float64: "f64",
            np.int32: "i32", np.int8: "i8", np.uint16: "bf16",
            np.complex64: "complex<f32>", np.complex128: "complex<f64>"}


def box(shape, element, storage=""):
    return "x".join([str(extent) for extent in shape] + [element]) + storage


def to_bf16(values):
    """Rounds to nearest, ties to even; returns the bits of bf16."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


class Programs:
    """Runs programs in a folder and compares."""

    def __init__(self, folder):
        self.folder = folder
        self.count = 0

    def check(self, body, inputs, expected, bound=0, storage="", result=None):
        """Checks %r, of `expected`'s shape, which `body` computes from %0, %1, ...;
        `storage` is the text after the result's element type, and `result` the
        element type where the array has bits."""
        result = result or ELEMENTS[expected.dtype.type]
        elements = [ELEMENTS[array.dtype.type] for array in inputs]
        arguments = ["%%a%d: memref<%s>" % (i, ", ".join(
            [box(["?"] * array.ndim, element)]))
            for i, (array, element) in enumerate(zip(inputs, elements))]
        out = "memref<%s>" % box(["?"] * expected.ndim, result)
        lines = []
        for i, (array, element) in enumerate(zip(inputs, elements)):
            lines.append("  %%%d = tile.load %%a%d[%s] : memref<%s> -> "
                         "!tile.tile<%s>" % (
                             i, i, ", ".join(["%zero"] * array.ndim),
                             box(["?"] * array.ndim, element),
                             box(array.shape, element)))
        text = """tile.kernel @f(%s, %%out: %s, %%one: index) {
  %%zero = arith.constant 0 : index
%s
  %s
  tile.store %%r, %%out[%s] : !tile.tile<%s>, %s
  tile.return
}
""" % (", ".join(arguments), out, "\n".join(lines), body,
       ", ".join(["%zero"] * expected.ndim),
       box(expected.shape, result, storage), out)
        got = self.run(text, inputs, expected)
        if result == "bf16":
            got = from_bf16(got)
            expected = from_bf16(expected)
        error = np.abs(got.astype(np.result_type(got, np.float64))
                       - expected.astype(np.result_type(expected, np.float64)))
        if not (error <= bound).all():
            coordinates = tuple(np.argwhere(~(error <= bound))[0])
            sys.exit("%s\nexpected %r, got %r at %s" % (
                text, expected[coordinates], got[coordinates], coordinates))
        self.count += 1

    def run(self, text, inputs, expected):
        program = self.folder / "program.mlir"
        program.write_text(text)
        machine = MACHINE
        if "--on=cuda" in MACHINE:
            cubin = self.folder / "program.cubin"
            subprocess.run(["tile-compile", program, *MACHINE[1:], "-o", cubin],
                           check=True)
            program, machine = cubin, MACHINE[:1]
        names = []
        for i, array in enumerate(inputs):
            names.append(str(self.folder / ("%d.npy" % i)))
            np.save(names[-1], array)
        out = self.folder / "out.npy"
        words = [*machine, "--grid=1,1,1", str(program), "f", *names,
                 "out=%s:%s" % (out, "x".join(map(str, expected.shape))), "1"]
        if "--on=cpu" in MACHINE:
            done, _ = levels.run(words)
        else:
            done = subprocess.run(["tile-run", *words], capture_output=True,
                                  text=True)
        if done.returncode != 0:
            sys.exit(text + done.stderr)
        return np.load(out)


def normal(shape, dtype=np.float32):
    return RANDOM.standard_normal(shape).astype(dtype)


def check_reshapes(programs):
    """Reshapes tiles in shared memory, declared or by a view, to any shape."""
    for dtype in (np.float32, np.float16, np.complex64, np.int8):
        a = (100 * normal((8, 6), np.float64)).astype(dtype)
        e = ELEMENTS[dtype]
        programs.check("""%%s = tile.convert_layout %%0 : !tile.tile<8x6x%s> to !tile.tile<8x6x%s, #tile.shared>
  %%r = tile.reshape %%s : !tile.tile<8x6x%s, #tile.shared> to !tile.tile<16x3x%s, #tile.shared>"""
                       % (e, e, e, e), [a], a.reshape(16, 3),
                       storage=", #tile.shared")
    a = normal((64, 64))
    programs.check("""%v = tile.view %0[%one, %one] : !tile.tile<64x64xf32> to !tile.tile<16x32xf32>
  %s = tile.reshape %v : !tile.tile<16x32xf32> to !tile.tile<8x64xf32>
  %r = tile.view %s[%one, %one] : !tile.tile<8x64xf32> to !tile.tile<3x3xf32>""",
                   [a], a[1:17, 1:33].reshape(8, 64)[1:4, 1:4])
    swizzled = "!tile.tile<16x64xf16, #tile.shared<(16,64):(64,1), swizzle = <3, 4, 3>, align = 128>>"
    a = normal((16, 64), np.float16)
    programs.check("""%%s = tile.convert_layout %%0 : !tile.tile<16x64xf16> to %s
  %%t = tile.transpose %%0 [1, 0] : !tile.tile<16x64xf16> to !tile.tile<64x16xf16>
  %%x = tile.reshape %%s : %s to !tile.tile<64x16xf16>
  %%r = arith.addf %%x, %%t : !tile.tile<64x16xf16>""" % (swizzled, swizzled),
                   [a], a.reshape(64, 16) + a.T)
    # Both operands of a matmul, with extents that no instruction has.
    a, b = normal((9, 10), np.float16), normal((5, 14), np.float16)
    x, y = a.reshape(15, 6).astype(float), b.reshape(14, 5)[1:7, :].astype(float)
    programs.check("""%x = tile.reshape %0 : !tile.tile<9x10xf16> to !tile.tile<15x6xf16>
  %y = tile.reshape %1 : !tile.tile<5x14xf16> to !tile.tile<14x5xf16>
  %v = tile.view %y[%one, %zero] : !tile.tile<14x5xf16> to !tile.tile<6x5xf16>
  %z = arith.constant dense<0.0> : !tile.tile<15x5xf32>
  %r = tile.matmul %x, %v, %z : !tile.tile<15x6xf16>, !tile.tile<6x5xf16> -> !tile.tile<15x5xf32>""",
                   [a, b], (x @ y).astype(np.float32),
                   bound=6 * 2.0 ** -23 * (np.abs(x) @ np.abs(y)))


def check_matmuls(programs):
    """Multiplies operands that the program computes: their padding must be zero. A part
    that is not written would have values of an earlier tile in the same bytes."""
    for m, n, k in ((10, 5, 6), (33, 17, 20), (7, 9, 40)):
        a, b = normal((m, k), np.float16), normal((k, n), np.float16)
        x, y = 2 * a.astype(float), 2 * b.astype(float)
        programs.check("""%%x = arith.addf %%0, %%0 : !tile.tile<%dx%dxf16>
  %%y = arith.addf %%1, %%1 : !tile.tile<%dx%dxf16>
  %%z = arith.constant dense<0.0> : !tile.tile<%dx%dxf32>
  %%r = tile.matmul %%x, %%y, %%z : !tile.tile<%dx%dxf16>, !tile.tile<%dx%dxf16> -> !tile.tile<%dx%dxf32>"""
                       % (m, k, k, n, m, n, m, k, k, n, m, n), [a, b],
                       (x @ y).astype(np.float32),
                       bound=k * 2.0 ** -23 * (np.abs(x) @ np.abs(y)))


def check_declared_layout(programs):
    """Checks a matmul whose accumulator has a declared register layout."""
    a, b, c = normal((32, 16)), normal((16, 8)), normal((32, 8))
    layout = ", #tile.register<((8,4),1,(2,4)):((1,8),0,(32,64)), box = [32, 8]>"
    x, y = a.astype(float), b.astype(float)
    programs.check("""%%c = tile.convert_layout %%2 : !tile.tile<32x8xf32> to !tile.tile<32x8xf32%s>
  %%r = tile.matmul %%0, %%1, %%c : !tile.tile<32x16xf32>, !tile.tile<16x8xf32> -> !tile.tile<32x8xf32%s>"""
                   % (layout, layout), [a, b, c], (x @ y + c).astype(np.float32),
                   bound=17 * 2.0 ** -23 * (np.abs(x) @ np.abs(y) + np.abs(c)),
                   storage=layout)


def check_constants(programs):
    """Checks complex constants, one value for all elements and a table."""
    for dtype in (np.complex64, np.complex128):
        e = ELEMENTS[dtype]
        a = (normal(3) + 1j * normal(3)).astype(dtype)
        programs.check("""%%r = arith.constant dense<(1.5, -2.0)> : !tile.tile<3x%s>"""
                       % e, [a], np.full(3, 1.5 - 2j, dtype))
        table = ", ".join("(%.17e, %.17e)" % (v.real, v.imag) for v in a)
        programs.check("%%r = arith.constant dense<[%s]> : !tile.tile<3x%s>"
                       % (table, e), [a], a)


def check_sums(programs):
    """Checks that sums of small floats are those of f32, rounded once; in their own
    type they would lose terms below the last bit of the sum."""
    a = np.full((3, 4097), 2.0 ** -12, np.float16)
    a[:, 7] = 1
    for axis, shape in ((1, (3,)), (0, (4097,))):
        exact = a.astype(float).sum(axis)
        programs.check("%%r = tile.reduce add %%0 axis %d : !tile.tile<3x4097xf16> to !tile.tile<%s>"
                       % (axis, box(shape, "f16")), [a],
                       exact.astype(np.float16))
    bits = to_bf16(a)
    programs.check("%r = tile.reduce add %0 axis 1 : !tile.tile<3x4097xbf16> to !tile.tile<3xbf16>",
                   [bits], to_bf16(from_bf16(bits).astype(float).sum(1)),
                   result="bf16")


def check_divisions(programs):
    """Checks divisions that round down or up, with all signs."""
    for dtype in (np.int32, np.int8):
        e = ELEMENTS[dtype]
        a = RANDOM.integers(-100, 100, (5, 13)).astype(dtype)
        b = RANDOM.choice([-7, -3, -1, 1, 2, 9], (5, 13)).astype(dtype)
        t = "!tile.tile<5x13x%s>" % e
        programs.check("%%r = arith.floordivsi %%0, %%1 : %s" % t, [a, b], a // b)
        programs.check("%%r = arith.ceildivsi %%0, %%1 : %s" % t, [a, b],
                       -(-a // b))
        a, b = np.abs(a), np.abs(b)
        programs.check("%%r = arith.ceildivui %%0, %%1 : %s" % t, [a, b],
                       -(-a // b))


with tempfile.TemporaryDirectory() as folder:
    programs = Programs(pathlib.Path(folder))
    check_reshapes(programs)
    check_matmuls(programs)
    check_declared_layout(programs)
    check_constants(programs)
    check_sums(programs)
    check_divisions(programs)
print(programs.count, "programs agree")
