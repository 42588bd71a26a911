# combining.py - tile.map, tile.reduce, tile.scan and tile.arg_reduce
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(11)
INTEGERS = ["i8", "i16", "i32", "i64", "index"]
FLOATS = ["f64", "f32", "f16", "bf16"]
ROUNDOFF = {"f64": 2.0 ** -53, "f32": 2.0 ** -24, "f16": 2.0 ** -11,
            "bf16": 2.0 ** -8}
SHAPES = [(1,), (7,), (33,), (1000,), (5, 7), (3, 129), (40, 4), (2, 3, 65),
          (3, 2, 5, 4)]


def random_array(shape, element):
    return random_values(rng, shape, element)


def program(body, inputs, outputs, block=None, scalars=""):
    """Returns a kernel that loads arrays as %0, %1, ..., runs the body, and
    stores %r0, %r1, ... Inputs and outputs are pairs of shape and element."""
    arguments, loads, stores = [], [], []
    for letter, tiles, lines in (("a", inputs, loads), ("b", outputs, stores)):
        for n, (shape, element) in enumerate(tiles):
            whole = shape or (1,)
            array, tile = memref(whole, element), tile_type(shape, element)
            arguments.append("%%%s%d: %s" % (letter, n, array))
            lines.append(
                "  %%%d = tile.load %%a%d[%s] in_bounds : %s -> %s\n" %
                (n, n, zeros(whole), array, tile) if letter == "a" else
                "  tile.store %%r%d, %%b%d[%s] in_bounds : %s, %s\n" %
                (n, n, zeros(whole), tile, array))
    return kernel(", ".join(arguments) + scalars,
                  "".join(loads) + body + "\n" + "".join(stores), block)


def outputs_of(tiles):
    return [Out(*(shape or (1,))) for shape, _ in tiles]


def evaluate(body, arrays, inputs, outputs, block=None):
    results = run(program(body, inputs, outputs, block), "f", *arrays,
                  *outputs_of(outputs))
    results = [results] if len(outputs) == 1 else results
    return [result.reshape(shape) for result, (shape, _) in
            zip(results, outputs)]


def reduced(shape, axis, keep):
    if axis is None:
        return (1,) * len(shape) if keep else ()
    return shape[:axis] + ((1,) if keep else ()) + shape[axis + 1:]


def words_of(axis, *flags):
    return "".join([" axis %d" % axis if axis is not None else ""] +
                   [" " + flag for flag in flags if flag])


def rows_of(array, axis):
    """Returns the array with `axis`, or all its axes, moved to the last dimension."""
    if axis is None:
        return array.reshape(1, -1)
    return np.moveaxis(array, axis, -1)


def from_rows(rows, shape, axis):
    if axis is None:
        return rows.reshape(shape)
    return np.moveaxis(rows, -1, axis)


def axes_of(shape):
    return [None] + list(range(len(shape)))


#===-----------------------------------------------------------------------===#
# Map
#===-----------------------------------------------------------------------===#

# Several tiles of several types, a scalar of the program, a branch.
for shape in SHAPES:
    for block in (32, 96):
        x, n = random_array(shape, "f16"), random_array(shape, "i32")
        body = """  %%block = tile.program_id x
  %%first = arith.addi %%block, %%zero : index
  %%three = arith.constant 3 : i32
  %%r0, %%r1 = tile.map %%0, %%1 : %s, %s to %s, %s {
  ^bb0(%%x: f16, %%n: i32):
    %%y = arith.extf %%x : f16 to f32
    %%zero32 = arith.constant 0.0 : f32
    %%isNegative = arith.cmpf olt, %%y, %%zero32 : f32
    %%z = scf.if %%isNegative -> (f32) {
      %%w = arith.negf %%y : f32
      scf.yield %%w : f32
    } else {
      %%w = arith.addf %%y, %%y : f32
      scf.yield %%w : f32
    }
    %%m = arith.muli %%n, %%three : i32
    %%i = arith.index_cast %%first : index to i32
    %%o = arith.addi %%m, %%i : i32
    tile.yield %%z, %%o : f32, i32
  }""" % (tile_type(shape, "f16"), tile_type(shape, "i32"),
          tile_type(shape, "f32"), tile_type(shape, "i32"))
        made = evaluate(body, [x, n], [(shape, "f16"), (shape, "i32")],
                        [(shape, "f32"), (shape, "i32")], block)
        wide = x.astype(np.float32)
        same(made[0], np.where(wide < 0, -wide, 2 * wide), "map %s" % (shape,))
        with np.errstate(over="ignore"):
            same(made[1], n * np.int32(3), "map %s" % (shape,))

# A loop in the region, on an element type that the CPU path stores as bits.
x = random_array((5, 19), "bf16")
body = """  %r0 = tile.map %0 : !tile.tile<5x19xbf16> to !tile.tile<5x19xbf16> {
  ^bb0(%x: bf16):
    %low = arith.constant 0 : index
    %high = arith.constant 3 : index
    %step = arith.constant 1 : index
    %y = scf.for %i = %low to %high step %step iter_args(%s = %x) -> (bf16) {
      %t = arith.addf %s, %x : bf16
      scf.yield %t : bf16
    }
    tile.yield %y : bf16
  }"""
made = evaluate(body, [x], [((5, 19), "bf16")], [((5, 19), "bf16")])
wide = decode(x, "bf16")
expected = wide
for _ in range(3):
    expected = decode(encode(expected + wide, "bf16"), "bf16")
same(decode(made[0], "bf16"), expected, "map bf16")


#===-----------------------------------------------------------------------===#
# Reduce
#===-----------------------------------------------------------------------===#

KINDS = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
for element in INTEGERS + ["i1"]:
    for kind, function in KINDS.items():
        for shape in [(7,), (3, 129)]:
            for axis in axes_of(shape):
                x = random_array(shape, element)
                to = reduced(shape, axis, keep=True)
                body = "  %%r0 = tile.reduce %s %%0%s : %s to %s" % (
                    kind, words_of(axis, "keep"), tile_type(shape, element),
                    tile_type(to, element))
                made, = evaluate(body, [x], [(shape, element)],
                                 [(to, element)])
                same(made, function.reduce(x, axis=axis, keepdims=True,
                                           dtype=x.dtype),
                     "%s %s" % (kind, element))

# Composition of functions x -> a x + b, which is not commutative.
COMPOSE = """{
  ^bb0(%%a: %(t)s, %%b: %(t)s, %%c: %(t)s, %%d: %(t)s):
    %%e = arith.muli %%a, %%c : %(t)s
    %%f = arith.muli %%b, %%c : %(t)s
    %%g = arith.addi %%f, %%d : %(t)s
    tile.yield %%e, %%g : %(t)s, %(t)s
  }"""


def compose(a, b):
    """Returns the compositions of all prefixes of each row."""
    e, g = [a[..., 0]], [b[..., 0]]
    with np.errstate(over="ignore"):
        for i in range(1, a.shape[-1]):
            e.append(e[-1] * a[..., i])
            g.append(g[-1] * a[..., i] + b[..., i])
    return np.stack(e, -1), np.stack(g, -1)


for element in INTEGERS:
    for shape in SHAPES:
        if element not in ("i32", "i64") and shape not in SHAPES[3:6]:
            continue
        for axis in axes_of(shape):
            block = int(rng.choice([32, 96, 128, 256]))
            a = random_array(shape, element) | 1
            b = random_array(shape, element)
            t = tile_type(shape, element)
            to = reduced(shape, axis, keep=False)
            body = ("  %%r0, %%r1 = tile.reduce %%0, %%1 identity [1 : %s, 0 : "
                    "%s]%s : %s, %s to %s, %s %s" %
                    (element, element, words_of(axis), t, t,
                     tile_type(to, element), tile_type(to, element),
                     COMPOSE % {"t": element}))
            made = evaluate(body, [a, b], [(shape, element)] * 2,
                            [(to, element)] * 2, block)
            expected = compose(rows_of(a, axis), rows_of(b, axis))
            for got, wanted in zip(made, expected):
                same(got, wanted[..., -1].reshape(to),
                     "compose %s %s axis %s" % (element, shape, axis))

# Count, mean and sum of squares at once (Welford; Chan, Golub and LeVeque).
for element in ("f32", "f64"):
    for shape in SHAPES:
        axis = int(rng.integers(0, len(shape)))
        x = random_array(shape, element) + 3
        to = reduced(shape, axis, keep=False)
        t, u = tile_type(shape, element), tile_type(to, element)
        body = """  %%one = arith.constant dense<1.0> : %(t)s
  %%none = arith.constant dense<0.0> : %(t)s
  %%n, %%r0, %%r1 = tile.reduce %%one, %%0, %%none
      identity [0.0 : %(e)s, 0.0 : %(e)s, 0.0 : %(e)s] axis %(axis)d commutative
      : %(t)s, %(t)s, %(t)s to %(u)s, %(u)s, %(u)s {
  ^bb0(%%n1: %(e)s, %%m1: %(e)s, %%s1: %(e)s, %%n2: %(e)s, %%m2: %(e)s, %%s2: %(e)s):
    %%c0 = arith.constant 0.0 : %(e)s
    %%c1 = arith.constant 1.0 : %(e)s
    %%sum = arith.addf %%n1, %%n2 : %(e)s
    %%isNone = arith.cmpf oeq, %%sum, %%c0 : %(e)s
    %%divisor = arith.select %%isNone, %%c1, %%sum : %(e)s
    %%share = arith.divf %%n2, %%divisor : %(e)s
    %%delta = arith.subf %%m2, %%m1 : %(e)s
    %%step = arith.mulf %%delta, %%share : %(e)s
    %%mean = arith.addf %%m1, %%step : %(e)s
    %%squares = arith.addf %%s1, %%s2 : %(e)s
    %%square = arith.mulf %%delta, %%step : %(e)s
    %%weighted = arith.mulf %%square, %%n1 : %(e)s
    %%all = arith.addf %%squares, %%weighted : %(e)s
    tile.yield %%sum, %%mean, %%all : %(e)s, %(e)s, %(e)s
  }""" % {"t": t, "u": u, "e": element, "axis": axis}
        made = evaluate(body, [x], [(shape, element)], [(to, element)] * 2,
                        block=128)
        wide = x.astype(np.float64)
        bound = 64 * ROUNDOFF[element]
        near(made[0], wide.mean(axis), bound * 4, "mean %s" % (shape,))
        near(made[1], ((wide - wide.mean(axis, keepdims=True)) ** 2).sum(axis),
             bound * 16 * shape[axis], "squares %s" % (shape,))

# 9! by a reduction with its own region.
body = """  %i = tile.iota axis 0 : !tile.tile<9xi32>
  %one = arith.constant dense<1> : !tile.tile<9xi32>
  %n = arith.addi %i, %one : !tile.tile<9xi32>
  %r0 = tile.reduce %n identity [1 : i32] : !tile.tile<9xi32> to !tile.tile<i32> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.muli %a, %b : i32
    tile.yield %c : i32
  }"""
made, = evaluate(body, [], [], [((), "i32")])
same(made, np.int32(362880), "factorial")


#===-----------------------------------------------------------------------===#
# Scan
#===-----------------------------------------------------------------------===#

def scan_rows(function, rows, identity, exclusive, reverse):
    """Scans each row with a function that returns the results of all prefixes."""
    if reverse:
        rows = rows[..., ::-1]
    made = function(rows)
    if exclusive:
        first = np.full_like(made[..., :1], identity)
        made = np.concatenate([first, made[..., :-1]], -1)
    return made[..., ::-1] if reverse else made


SCANS = {
    "add": (np.add, lambda info: 0), "mul": (np.multiply, lambda info: 1),
    "min": (np.minimum, lambda info: info.max),
    "max": (np.maximum, lambda info: info.min),
    "and": (np.bitwise_and, lambda info: -1),
    "xor": (np.bitwise_xor, lambda info: 0),
}


def scan(kind, element, shape, axis, exclusive, reverse, block):
    x = random_array(shape, element)
    t = tile_type(shape, element)
    body = "  %%r0 = tile.scan %s %%0%s : %s" % (
        kind, words_of(axis, "exclusive" if exclusive else "",
                       "reverse" if reverse else ""), t)
    made, = evaluate(body, [x], [(shape, element)], [(shape, element)], block)
    return x, made


for element in INTEGERS:
    for kind, (function, identity) in SCANS.items():
        for shape in SHAPES:
            if (element, kind) != ("i32", "add") and rng.random() > 0.2:
                continue
            axis = [None, *range(len(shape))][rng.integers(0, len(shape) + 1)]
            exclusive, reverse = rng.random(2) < 0.5
            block = int(rng.choice([32, 96, 128, 256]))
            x, made = scan(kind, element, shape, axis, exclusive, reverse,
                           block)
            with np.errstate(over="ignore"):
                expected = scan_rows(
                    lambda rows: function.accumulate(rows, axis=-1,
                                                     dtype=rows.dtype),
                    rows_of(x, axis), identity(np.iinfo(x.dtype)), exclusive,
                    reverse)
            same(made, from_rows(expected, shape, axis),
                 "scan %s %s %s axis %s exclusive %s reverse %s block %d" %
                 (kind, element, shape, axis, exclusive, reverse, block))

for element in FLOATS:
    for shape in SHAPES:
        for exclusive in (False, True):
            axis = [None, *range(len(shape))][rng.integers(0, len(shape) + 1)]
            reverse = rng.random() < 0.5
            x, made = scan("add", element, shape, axis, exclusive, reverse, 128)
            wide = decode(x, element).astype(np.float64)
            bounds, sums = (from_rows(
                scan_rows(lambda rows: np.cumsum(rows, -1),
                          rows_of(values, axis), 0, exclusive, reverse),
                shape, axis) for values in (np.abs(wide), wide))
            length = rows_of(wide, axis).shape[-1]
            inner = min(ROUNDOFF[element], 2.0 ** -24)
            near(decode(made, element).astype(np.float64), sums,
                 2 * length * inner * bounds + ROUNDOFF[element] * np.abs(sums),
                 "scan %s %s axis %s" % (element, shape, axis))

for element in ("complex<f32>", "complex<f64>"):
    x, made = scan("mul", element, (3, 70), 1, False, False, 96)
    x = x / np.abs(x)
    body = "  %%r0 = tile.scan mul %%0 axis 1 : %s" % tile_type((3, 70), element)
    made, = evaluate(body, [x], [((3, 70), element)], [((3, 70), element)], 96)
    near(made, np.cumprod(x.astype(np.complex128), 1),
         70 * 8 * ROUNDOFF["f32" if "32" in element else "f64"], "scan complex")

for shape in SHAPES:
    for exclusive in (False, True):
        for reverse in (False, True):
            axis = [None, *range(len(shape))][rng.integers(0, len(shape) + 1)]
            block = int(rng.choice([32, 96, 128, 256]))
            a, b = random_array(shape, "i32") | 1, random_array(shape, "i32")
            t = tile_type(shape, "i32")
            body = ("  %%r0, %%r1 = tile.scan %%0, %%1 identity [1 : i32, 0 : "
                    "i32]%s : %s, %s %s" %
                    (words_of(axis, "exclusive" if exclusive else "",
                              "reverse" if reverse else ""), t, t,
                     COMPOSE % {"t": "i32"}))
            made = evaluate(body, [a, b], [(shape, "i32")] * 2,
                            [(shape, "i32")] * 2, block)
            a, b = rows_of(a, axis), rows_of(b, axis)
            length = a.shape[-1]
            for i in range(length):
                low = i + exclusive if reverse else 0
                high = length if reverse else i + 1 - exclusive
                e, g = np.ones(a.shape[:-1], np.int32), np.zeros(
                    a.shape[:-1], np.int32)
                if low < high and (length < 100 or i % 37 == 0):
                    e, g = (part[..., -1] for part in
                            compose(a[..., low:high], b[..., low:high]))
                elif low < high:
                    continue
                for got, wanted in zip(made, (e, g)):
                    same(rows_of(got, axis)[..., i], wanted,
                         "scan compose %s axis %s at %d" % (shape, axis, i))


#===-----------------------------------------------------------------------===#
# Arg reduce
#===-----------------------------------------------------------------------===#

for element in FLOATS + INTEGERS:
    kinds = ["min", "max"] + (["umin", "umax"] if element in INTEGERS else [])
    for kind in kinds:
        for shape in [(7,), (1000,), (3, 129), (2, 3, 65)]:
            axis = [None, *range(len(shape))][rng.integers(0, len(shape) + 1)]
            keep = bool(rng.random() < 0.5)
            index = rng.choice(["i32", "i64", "index"])
            # Few values, so that many are equal; sometimes NaN.
            if element in FLOATS:
                values = rng.integers(-3, 4, shape).astype(np.float64)
                if rng.random() < 0.5:
                    values.flat[rng.integers(0, values.size, 2)] = np.nan
                x = encode(values, element)
            else:
                x = rng.integers(-3, 4, shape).astype(DTYPES[element])
                values = x.view("u%d" % x.dtype.itemsize) if kind[0] == "u" \
                    else x
            to = reduced(shape, axis, keep)
            body = "  %%r0, %%r1 = tile.arg_reduce %s %%0%s : %s to %s, %s" % (
                kind, words_of(axis, "keep" if keep else ""),
                tile_type(shape, element), tile_type(to, element),
                tile_type(to, index))
            made = evaluate(body, [x], [(shape, element)],
                            [(to, element), (to, index)], 128)
            function, find_index = ((np.min, np.argmin) if "min" in kind
                                    else (np.max, np.argmax))
            wanted = function(values, axis=axis, keepdims=keep)
            what = "arg_reduce %s %s %s axis %s" % (kind, element, shape, axis)
            got = made[0]
            if element in FLOATS:
                got = decode(got, element).astype(np.float64)
            else:
                got = got.view(values.dtype)
            same(got, np.asarray(wanted), what)
            same(made[1].astype(np.int64),
                 np.asarray(find_index(values, axis=axis, keepdims=keep)), what)
