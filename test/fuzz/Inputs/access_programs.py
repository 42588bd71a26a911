# access_programs.py - kernels that access shared memory in every way
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For each element type and some shapes there are copies to shared memory (of arrays of
# static and run-time shape, and of a part of a larger array), stores to it, transposes,
# views, reductions, scans, sorts, gathers and matmuls. Values known only at run time,
# such as strides, are zero or multiples of 128 bytes, and boxes are inside their
# arrays, so that the report's assumptions hold.

ELEMENTS = ("i1", "i8", "f8E4M3FN", "f8E5M2", "i16", "f16", "bf16", "i32",
            "f32", "i64", "index", "f64", "complex<f32>", "complex<f64>")
# Rows are whole vectors, odd, or whole vectors in no power of two.
SHAPES = ((64, 64), (33, 17), (24, 96))
# Offset of a part in an array, and how much larger the array is than the part.
OFFSET, MARGIN = (3, 16), (4, 21)
# Extent of a view, and columns of a matmul.
VIEW, COLUMNS = (8, 16), 48
# Element types of accumulators where they are not the operands'.
ACCUMULATORS = {"i8": "i32", "f8E4M3FN": "f32", "f8E5M2": "f32", "f16": "f32",
                "bf16": "f32"}
SHARED = ", #tile.shared"
# A kernel that is left out. It adds bytes four at a time, and two of four sums are
# unused. LLVM splits such loads, in a pass after the one at which the emulator takes
# the code.
LEFT_OUT = "scan_1_i8_24x96"


def name_shape(shape):
    return "x".join(map(str, shape))


def get_tile(shape, element, storage=""):
    return "!tile.tile<%sx%s%s>" % (name_shape(shape), element, storage)


class Kernel:
    """A kernel's text, operation by operation."""

    def __init__(self, name):
        self.name = name
        self.arguments = []
        self.lines = []

    def add(self, line):
        """Adds an operation; returns its result's name."""
        result = "%%v%d" % len(self.lines)
        self.lines.append("%s = %s" % (result, line))
        return result

    def add_array(self, shape, element, is_dynamic=False):
        extents = name_shape("?" * len(shape) if is_dynamic else shape)
        name = "%%a%d" % len(self.arguments)
        self.arguments.append((name, "memref<%sx%s>" % (extents, element)))
        return self.arguments[-1]

    def load(self, array, shape, element, storage="", offset=None):
        name, type = array
        offsets = ", ".join("%%c%d" % at for at in offset or (0,) * len(shape))
        return self.add("tile.load %s[%s] : %s -> %s" % (
            name, offsets, type, get_tile(shape, element, storage)))

    def load_new(self, shape, element, is_dynamic=False):
        """Adds an array of `shape` and loads all of it; returns the tile's name."""
        return self.load(self.add_array(shape, element, is_dynamic), shape,
                         element)

    def convert(self, value, shape, element, before, after):
        return self.add("tile.convert_layout %s : %s to %s" % (
            value, get_tile(shape, element, before),
            get_tile(shape, element, after)))

    def store(self, value, shape, element, storage=""):
        name, type = self.add_array(shape, element)
        self.lines.append("tile.store %s, %s[%s] : %s, %s" % (
            value, name, ", ".join(["%c0"] * len(shape)),
            get_tile(shape, element, storage), type))

    def write(self):
        constants = ["%%c%d = arith.constant %d : index" % (at, at)
                     for at in sorted({0, *OFFSET})]
        arguments = ", ".join("%s: %s" % one for one in self.arguments)
        body = [*constants, *self.lines, "tile.return"]
        return "tile.kernel @%s(%s) {\n%s}\n" % (
            self.name, arguments, "".join("  %s\n" % one for one in body))


def copy_whole(kernel, shape, element, is_dynamic):
    array = kernel.add_array(shape, element, is_dynamic)
    tile = kernel.load(array, shape, element, SHARED)
    kernel.store(kernel.convert(tile, shape, element, SHARED, ""), shape,
                 element)


def copy_part(kernel, shape, element):
    array = kernel.add_array([a + b for a, b in zip(shape, MARGIN)], element)
    tile = kernel.load(array, shape, element, SHARED, OFFSET)
    kernel.store(kernel.convert(tile, shape, element, SHARED, ""), shape,
                 element)


def store(kernel, shape, element):
    tile = kernel.load_new(shape, element)
    kernel.store(kernel.convert(tile, shape, element, "", SHARED), shape,
                 element, SHARED)


def view(kernel, shape, element):
    tile = kernel.convert(kernel.load_new(shape, element), shape, element, "",
                          SHARED)
    part = kernel.add("tile.view %s[%%c3, %%c0] : %s to %s" % (
        tile, get_tile(shape, element, SHARED), get_tile(VIEW, element)))
    kernel.store(part, VIEW, element)


def transpose(kernel, shape, element):
    turned = shape[::-1]
    tile = kernel.add("tile.transpose %s [1, 0] : %s to %s" % (
        kernel.load_new(shape, element), get_tile(shape, element),
        get_tile(turned, element)))
    kernel.store(tile, turned, element)


def reduce(kernel, shape, element, axis):
    row = (shape[1 - axis],)
    kind = "or" if element == "i1" else "add"
    tile = kernel.add("tile.reduce %s %s axis %d : %s to %s" % (
        kind, kernel.load_new(shape, element), axis, get_tile(shape, element),
        get_tile(row, element)))
    kernel.store(tile, row, element)


def change(kernel, shape, element, operation, axis):
    """Applies an operation whose result has the type of its source."""
    tile = kernel.add("%s %s axis %d : %s" % (
        operation, kernel.load_new(shape, element), axis,
        get_tile(shape, element)))
    kernel.store(tile, shape, element)


def gather(kernel, shape, element):
    column = (shape[0], 1)
    indices = kernel.load_new(column, "i32")
    name, type = kernel.add_array(shape, element)
    tile = kernel.add("tile.gather %s[%%c0, %%c0] at %s axis 0 : %s, %s -> %s" %
                      (name, indices, type, get_tile(column, "i32"),
                       get_tile(shape, element)))
    kernel.store(tile, shape, element)


def multiply(kernel, shape, element, is_dynamic=False, precision=""):
    rhs, result = (shape[1], COLUMNS), (shape[0], COLUMNS)
    sum_element = ACCUMULATORS.get(element, element)
    zero = {"i": "0", "f": "0.0", "c": "(0.0, 0.0)"}[sum_element[0]]
    operands = [kernel.load_new(one, element, is_dynamic)
                for one in (shape, rhs)]
    sums = kernel.add("arith.constant dense<%s> : %s" % (
        zero, get_tile(result, sum_element)))
    matmul = kernel.add("tile.matmul %s, %s, %s%s : %s, %s -> %s" % (
        *operands, sums, precision, get_tile(shape, element),
        get_tile(rhs, element), get_tile(result, sum_element)))
    kernel.store(matmul, result, sum_element)


def get_makers(element):
    """Yields name suffixes for an element type, and functions that write the body."""
    yield "copy_static", copy_whole, (False,)
    yield "copy_dynamic", copy_whole, (True,)
    yield "copy_part", copy_part, ()
    yield "store", store, ()
    yield "view", view, ()
    yield "transpose", transpose, ()
    yield "gather", gather, ()
    for axis in (0, 1):
        yield "reduce_%d" % axis, reduce, (axis,)
        if element != "i1":
            yield "scan_%d" % axis, change, ("tile.scan add", axis)
        if "complex" not in element:
            yield "sort_%d" % axis, change, ("tile.sort", axis)
    if element not in ("i1", "index"):
        yield "matmul_static", multiply, ()
        yield "matmul_dynamic", multiply, (True,)
    if element == "f32":
        yield "matmul_tf32", multiply, (False, " precision tf32")


def write_all():
    """Yields for each element type its name, and names and texts of its kernels."""
    for element in ELEMENTS:
        word = element.replace("<", "_").replace(">", "")
        kernels = []
        for shape in SHAPES:
            for name, make, options in get_makers(element):
                kernel = Kernel("%s_%s_%s" % (name, word, name_shape(shape)))
                make(kernel, shape, element, *options)
                if kernel.name != LEFT_OUT:
                    kernels.append((kernel.name, kernel.write()))
        yield word, kernels
