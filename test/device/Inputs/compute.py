# compute.py - elementwise operations, select, reduce, and operations that create tiles
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(3)
SHAPE = (7, 19)
FLOATS = ["f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"]
INTEGERS = ["i8", "i16", "i32", "i64"]


def random_floats(name, shape=SHAPE, scale=1.0):
    return encode(scale * rng.standard_normal(shape), name)


def random_integers(name, shape=SHAPE):
    info = np.iinfo(DTYPES[name])
    return rng.integers(info.min, info.max, shape, dtype=DTYPES[name],
                        endpoint=True)


def elementwise(op, arrays, operands, result, shape=SHAPE, text=None):
    tiles = ", ".join("%%%d" % n for n in range(len(arrays)))
    body = text or "%%r = %s %s : !tile.tile<%s>" % (
        op, tiles, shape_text(shape, operands[0]))
    return run(map_program(body, operands, result, shape), "f", *arrays, Out())


def round_to(values, name):
    """Rounds exact float64 results to `name`; arithmetic in f8 overflows."""
    return decode(encode(values, name), name) if name in SMALL else np.asarray(
        values).astype(DTYPES[name])


# Operations such as + - * / round once. float64 is exact enough to round small types
# once; f32 and f64 are NumPy's own.
for name in FLOATS:
    a, b = random_floats(name), random_floats(name)
    x, y = decode(a, name), decode(b, name)
    y = np.where(y == 0, 1, y)
    b = encode(y, name)
    for op, function in [("addf", np.add), ("subf", np.subtract),
                         ("mulf", np.multiply), ("divf", np.divide)]:
        if name in ("f32", "f64"):
            expected = function(a, b)
        else:
            expected = round_to(function(x, y), name)
        if name in ("f8E4M3FN", "f8E5M2"):
            limit = largest(name)
            expected = np.where(np.abs(expected) >= limit, np.nan, expected)
        result = decode(elementwise("arith." + op, [a, b], [name, name], name),
                        name)
        if name in ("f8E4M3FN", "f8E5M2"):
            result = np.where(np.abs(result) >= limit, np.nan, result)
        same(result, expected.astype(result.dtype), op + " " + name)
    result = decode(elementwise("math.sqrt", [encode(np.abs(x), name)], [name],
                                name), name)
    expected = round_to(np.sqrt(np.abs(decode(encode(x, name), name))), name)
    same(result, expected.astype(result.dtype), "sqrt " + name)
    special = decode(a, name).copy()
    special[0, :3] = [np.nan, 0.0, -0.0]
    special[1, :2] = [1.0, np.nan]
    other = decode(b, name).copy()
    other[0, :3] = [1.0, -0.0, 0.0]
    for op, function in [("maximumf", np.maximum), ("minimumf", np.minimum)]:
        expected = function(special, other)
        zeros = (special == 0) & (other == 0)
        expected = np.where(zeros, 0.0 if op == "maximumf" else -0.0, expected)
        same(decode(elementwise("arith." + op, [encode(special, name),
                                                encode(other, name)],
                                [name, name], name), name),
             expected.astype(special.dtype), op + " " + name)
    result = elementwise(None, [a, b], [name, name], "i1", text=(
        "%%r = arith.cmpf olt, %%0, %%1 : !tile.tile<%s>" %
        shape_text(SHAPE, name)))
    same(result, decode(a, name) < decode(b, name), "cmpf " + name)

# A multiplication and an addition round twice, and subnormals are kept.
a, b, c = (random_floats("f32", scale=s) for s in (1, 1, 1e-38))
text = """%%m = arith.mulf %%0, %%1 : %s
  %%r = arith.addf %%m, %%2 : %s""" % (("!tile.tile<7x19xf32>",) * 2)
same(elementwise(None, [a, b, -(a * b)], ["f32"] * 3, "f32", text=text),
     np.zeros(SHAPE, np.float32), "no contraction")
tiny = (c * np.float32(1e-5)).astype(np.float32)
same(elementwise("arith.addf", [tiny, tiny], ["f32", "f32"], "f32"), tiny + tiny,
     "denormals")

for name in INTEGERS:
    a, b = random_integers(name), random_integers(name)
    with np.errstate(over="ignore"):
        for op, expected in [("addi", a + b), ("subi", a - b), ("muli", a * b),
                             ("andi", a & b), ("xori", a ^ b),
                             ("maxsi", np.maximum(a, b))]:
            same(elementwise("arith." + op, [a, b], [name, name], name),
                 expected, op + " " + name)
    unsigned = np.dtype(DTYPES[name]).str.replace("i", "u")
    same(elementwise("arith.minui", [a, b], [name, name], name),
         np.minimum(a.view(unsigned), b.view(unsigned)).view(a.dtype),
         "minui " + name)
    d = np.where(b == 0, 3, b)
    d = np.where(d == -1, 5, d).astype(a.dtype)
    same(elementwise("arith.floordivsi", [a, d], [name, name], name), a // d,
         "floordivsi " + name)

# Functions, within a few units in the last place (ulp).
for op, function in [("exp", np.exp), ("log", np.log), ("tanh", np.tanh),
                     ("sin", np.sin), ("expm1", np.expm1), ("log1p", np.log1p),
                     ("rsqrt", lambda v: 1 / np.sqrt(v)), ("floor", np.floor),
                     ("cbrt", np.cbrt), ("exp2", np.exp2)]:
    for name in ["f64", "f32", "f16", "bf16"]:
        a = encode(np.abs(rng.standard_normal(SHAPE)) * 1e-2 + 1e-3, name)
        x = decode(a, name).astype(np.float64)
        result = decode(elementwise("math." + op, [a], [name], name), name)
        unit = {"f64": 2.0 ** -52, "f32": 2.0 ** -23, "f16": 2.0 ** -10,
                "bf16": 2.0 ** -7}[name]
        near(result, function(x), 2 * unit * np.abs(function(x)), op + name)

# select, by element and by one condition.
for name in FLOATS + INTEGERS + ["i1", "index", "complex<f32>"]:
    bits = np.dtype(DTYPES[name]).itemsize
    a, b = (rng.integers(0, 2, SHAPE + (bits,)).astype(np.uint8) for _ in "ab")
    a, b = (x.view(DTYPES[name])[..., 0] for x in (a, b)) if name != "i1" else (
        x[..., 0].astype(bool) for x in (a, b))
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    condition = rng.integers(0, 2, SHAPE).astype(bool)
    tile = "!tile.tile<%s>" % shape_text(SHAPE, name)
    text = "%%r = tile.select %%0, %%1, %%2 : !tile.tile<7x19xi1>, %s" % tile
    result = elementwise(None, [condition, a, b], ["i1", name, name], name,
                         text=text)
    assert result.tobytes() == np.where(condition, a, b).tobytes(), name
    text = """%%c = arith.constant false
  %%r = tile.select %%c, %%0, %%1 : i1, %s""" % tile
    result = elementwise(None, [a, b], [name, name], name, text=text)
    assert result.tobytes() == b.tobytes(), name

# fill, iota, constants.
for name in ["f64", "f32", "f16", "bf16", "i8", "i16", "i32", "i64", "index"]:
    for axis in range(2):
        text = "%%r = tile.iota axis %d : !tile.tile<%s>" % (
            axis, shape_text(SHAPE, name))
        expected = encode(np.indices(SHAPE)[axis], name)
        same(elementwise(None, [], [], name, text=text), expected,
             "iota " + name)
text = """%x = arith.constant 2.5 : bf16
  %r = tile.fill %x : !tile.tile<7x19xbf16>"""
same(elementwise(None, [], [], "bf16", text=text),
     np.full(SHAPE, encode(2.5, "bf16")), "fill")
for name in FLOATS:
    text = ("%%r = arith.constant dense<[[1.5, -2.0], [0.25, 0.0]]> : "
            "!tile.tile<%s>" % shape_text((2, 2), name))
    same(elementwise(None, [], [], name, (2, 2), text),
         encode([[1.5, -2.0], [0.25, 0.0]], name), "constant " + name)
    text = "%%r = arith.constant dense<-1.5> : !tile.tile<%s>" % (
        shape_text((2, 2), name))
    same(elementwise(None, [], [], name, (2, 2), text),
         encode(np.full((2, 2), -1.5), name), "splat " + name)

# Constant tables read by vectors, as is possible for rows of 24, and by elements.
for name in FLOATS + ["i8", "i16", "i32", "i64"]:
    for shape in ((8, 24), SHAPE, (5, 6)):
        values = np.arange(np.prod(shape)).reshape(shape) % 8
        printed = str((values * 1.0 if name in FLOATS else values).tolist())
        text = "%%r = arith.constant dense<%s> : !tile.tile<%s>" % (
            printed, shape_text(shape, name))
        same(elementwise(None, [], [], name, shape, text),
             encode(values, name), "table " + name)


def reduce_program(kind, name, shape, axis):
    result = [] if axis is None else [
        s for d, s in enumerate(shape) if d != axis]
    store = shape_text(result, name) if result else "1x" + name
    where = ", ".join(["%z"] * max(len(result), 1))
    return """tile.kernel @f(%%a: memref<%s>, %%out: memref<%s>) {
  %%z = arith.constant 0 : index
  %%t = tile.load %%a[%s] : memref<%s> -> !tile.tile<%s>
  %%r = tile.reduce %s %%t %s : !tile.tile<%s> to !tile.tile<%s>
  tile.store %%r, %%out[%s] : !tile.tile<%s>, memref<%s>
  tile.return
}
""" % (shape_text(shape, name), store, ", ".join(["%z"] * len(shape)),
       shape_text(shape, name), shape_text(shape, name), kind,
       "" if axis is None else "axis %d" % axis, shape_text(shape, name),
       shape_text(result, name), where, shape_text(result, name), store)


UNIT = {"f64": 2.0 ** -53, "f32": 2.0 ** -24, "f16": 2.0 ** -11,
        "bf16": 2.0 ** -8, "f8E4M3FN": 2.0 ** -4, "f8E5M2": 2.0 ** -3,
        "complex<f32>": 2.0 ** -24, "complex<f64>": 2.0 ** -53}
for name in FLOATS:
    for shape, axis in [((5, 9, 13), 0), ((5, 9, 13), 1), ((5, 9, 13), 2),
                        ((33, 65), None), ((17,), 0)]:
        a = random_floats(name, shape)
        x = decode(a, name).astype(np.float64)
        result = decode(run(reduce_program("add", name, shape, axis), "f", a,
                            Out()), name)
        accumulate = max(UNIT["f32"], UNIT[name]) if name != "f64" else UNIT[name]
        accumulate = min(accumulate, UNIT["f32"])
        expected = np.sum(x, axis).reshape(result.shape)
        bound = (x.size * accumulate * np.sum(np.abs(x), axis).reshape(
            result.shape) + UNIT[name] * np.abs(expected) + 2.0 ** -9)
        near(result, expected, bound, "reduce add " + name)
        result = decode(run(reduce_program("max", name, shape, axis), "f", a,
                            Out()), name)
        same(result, np.max(decode(a, name), axis).reshape(result.shape),
             "reduce max " + name)
a = random_floats("f32", (4, 6))
a[1, 2] = np.nan
a[3] = -0.0
same(run(reduce_program("min", "f32", (4, 6), 1), "f", a, Out()),
     np.min(a, 1), "NaN in a reduction")
same(run(reduce_program("add", "f32", (4, 6), 1), "f", a, Out())[3],
     np.float32(-0.0), "sum of -0")
for name in INTEGERS:
    a = random_integers(name, (6, 11))
    with np.errstate(over="ignore"):
        for kind, expected in [
                ("add", np.add.reduce(a, 1, a.dtype)),
                ("mul", np.multiply.reduce(a, 1, a.dtype)),
                ("min", a.min(1)), ("max", a.max(1)),
                ("umin", a.view(a.dtype.str.replace("i", "u")).min(1)),
                ("umax", a.view(a.dtype.str.replace("i", "u")).max(1))]:
            same(run(reduce_program(kind, name, (6, 11), 1), "f", a, Out()),
                 expected.view(a.dtype), "reduce " + kind + " " + name)
for name in ["complex<f32>", "complex<f64>"]:
    a = (rng.standard_normal((6, 11)) + 1j * rng.standard_normal((6, 11))
         ).astype(DTYPES[name])
    for kind, function in [("add", np.sum), ("mul", np.prod)]:
        expected = function(a.astype(np.complex128), axis=1)
        near(run(reduce_program(kind, name, (6, 11), 1), "f", a, Out()),
             expected, 100 * UNIT[name] * (1 + np.abs(expected)),
             "reduce " + kind + " " + name)

# An integer exponent of either sign.
for name in ["f64", "f32", "f16", "bf16"]:
    a = random_floats(name)
    exponents = rng.integers(-4, 6, SHAPE).astype(np.int32)
    text = "%%r = math.fpowi %%0, %%1 : !tile.tile<%s>, !tile.tile<%s>" % (
        shape_text(SHAPE, name), shape_text(SHAPE, "i32"))
    with np.errstate(over="ignore"):
        expected = decode(a, name).astype(np.float64) ** exponents
        stored = decode(encode(expected, name), name)
    result = decode(elementwise("", [a, exponents], [name, "i32"], name,
                                text=text), name)
    finite = np.isfinite(stored.astype(np.float64))
    near(result[finite], expected[finite],
         16 * UNIT[name] * np.abs(expected[finite]) + 1e-4, "fpowi " + name)
