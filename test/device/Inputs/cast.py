# cast.py - tile.cast between all pairs of element types
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

from harness import *

rng = np.random.default_rng(1)
FLOATS = ["f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"]
INTEGERS = ["i1", "i8", "i16", "i32", "i64", "index"]
WIDTH = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
N = 777


def random_values(name):
    """Returns values of all magnitudes, as bits."""
    if name in INTEGERS:
        info = 2 ** (WIDTH[name] - 1)
        scale = rng.integers(0, max(WIDTH[name] - 1, 1), N)
        values = rng.integers(-info, info, N) >> scale
        return (values != 0) if name == "i1" else values.astype(DTYPES[name])
    values = rng.standard_normal(N) * np.exp2(rng.integers(-24, 20, N))
    # Ties of every format.
    values[:200] = np.ldexp(rng.integers(-2 ** 12, 2 ** 12, 200).astype(float),
                            rng.integers(-20, 8, 200))
    values[200:206] = [0.0, -0.0, np.inf, -np.inf, np.nan, 3e38]
    values[206:210] = [1 + 2.0 ** -11 + 2.0 ** -40, 1 + 2.0 ** -8 + 2.0 ** -45,
                       2.0 ** -9 + 2.0 ** -50, 17 + 2.0 ** -40]
    # Values around the limits of integer types.
    ends = np.concatenate([2.0 ** np.array([7, 8, 15, 16, 31, 32, 63, 64])] * 3)
    ends += np.repeat([-1, 0, 1], 8)
    values[210:258] = np.concatenate([ends, -ends])
    with np.errstate(over="ignore"):
        return encode(values, name)


def to_float(values, name):
    return decode(values, name)


def expect(values, source, target, unsigned, saturate):
    if source in INTEGERS:
        exact = [int(v) for v in values]
        width = WIDTH[source]
        exact = [v % 2 ** width if unsigned else v
                 for v in exact]
    else:
        exact = to_float(values, source)
    if target == "i1":
        return np.array([v != 0 for v in exact])
    if target in INTEGERS:
        width = WIDTH[target]
        low, high = (0, 2 ** width - 1) if unsigned else (
            -2 ** (width - 1), 2 ** (width - 1) - 1)
        result = []
        for v in exact:
            if isinstance(v, int):
                v = min(max(v, low), high) if saturate else v
            elif np.isnan(v):
                v = 0
            else:
                v = low if v <= low else high if v >= high else int(v)
            result.append((v + 2 ** (width - 1)) % 2 ** width - 2 ** (width - 1))
        return np.array(result, DTYPES[target])
    if source in INTEGERS:
        exact = np.array([round_integer(v, target) for v in exact])
    with np.errstate(over="ignore"):
        return encode(exact, target)


def round_integer(value, target):
    """Returns an integer as float64, rounded once to `target`'s precision."""
    bits = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8, "f8E4M3FN": 4,
            "f8E5M2": 3}[target]
    size = abs(value)
    drop = max(size.bit_length() - bits, 0)
    kept, rest = size >> drop, size & ((1 << drop) - 1)
    half = (1 << drop) >> 1
    if drop and (rest > half or (rest == half and kept & 1)):
        kept += 1
    return math.ldexp(-kept if value < 0 else kept, drop)


def test(source, target, flags=""):
    unsigned, saturate = "unsigned" in flags, "saturate" in flags
    values = random_values(source)
    body = "%%r = tile.cast %%0 %s : !tile.tile<%s> to !tile.tile<%s>" % (
        flags, shape_text((N,), source), shape_text((N,), target))
    result = run(map_program(body, [source], target, (N,)), "f", values, Out())
    what = "cast %s %s to %s" % (flags, source, target)
    expected = expect(values, source, target, unsigned, saturate)
    if target in SMALL:
        result, expected = decode(result, target), decode(expected, target)
    same(result, expected.astype(result.dtype), what)


for source in FLOATS + INTEGERS:
    for target in FLOATS + INTEGERS:
        if source != target:
            test(source, target)
for source in FLOATS + ["i64"]:
    for target in ["i8", "i32", "i64"]:
        if source != target:
            test(source, target, "saturate")
            test(source, target, "unsigned saturate")
for source, target in [("i8", "f32"), ("i64", "bf16"), ("i8", "i32"),
                       ("i1", "i32"), ("i64", "f64"), ("f32", "i8"),
                       ("f8E5M2", "i16"), ("i64", "f8E4M3FN")]:
    test(source, target, "unsigned")

# Scalars, by operations of arith.
for source in ("f64", "f32", "f16"):
    for target in ("i8", "i32", "i64"):
        for operation in ("fptosi", "fptoui"):
            values = random_values(source)
            body = """%%r = tile.map %%0 : !tile.tile<%dx%s> to !tile.tile<%dx%s> {
  ^bb0(%%e: %s):
    %%f = arith.%s %%e : %s to %s
    tile.yield %%f : %s
  }""" % (N, source, N, target, source, operation, source, target, target)
            result = run(map_program(body, [source], target, (N,)), "f", values,
                         Out())
            same(result, expect(values, source, target, operation == "fptoui",
                                True), "%s %s to %s" % (operation, source, target))

# A bitcast keeps the bits.
for source, target in [("f32", "i32"), ("bf16", "i16"), ("i16", "f16"),
                       ("f8E4M3FN", "i8"), ("f8E5M2", "f8E4M3FN"),
                       ("i64", "f64"), ("f16", "bf16")]:
    values = random_values(source)
    body = "%%r = tile.cast %%0 bitcast : !tile.tile<%s> to !tile.tile<%s>" % (
        shape_text((N,), source), shape_text((N,), target))
    result = run(map_program(body, [source], target, (N,)), "f", values, Out())
    assert result.tobytes() == values.tobytes(), (source, target)

# All codes of f8, and all values at which rounding moves to the next code.
F8 = ["f8E4M3FN", "f8E5M2"]
BLOCK = 1024


def test_all(source, target, values, flags=""):
    """Like `test`, but for any number of values, in blocks of BLOCK values."""
    values = np.concatenate(
        [values, np.zeros(-len(values) % BLOCK, values.dtype)])
    program = """tile.kernel @f(%%x: memref<?x%(source)s>, %%y: memref<?x%(target)s>) {
  %%size = arith.constant %(size)d : index
  %%block = tile.program_id x
  %%first = arith.muli %%block, %%size : index
  %%0 = tile.load %%x[%%first] : memref<?x%(source)s> -> !tile.tile<%(size)dx%(source)s>
  %%1 = tile.cast %%0 %(flags)s : !tile.tile<%(size)dx%(source)s> to !tile.tile<%(size)dx%(target)s>
  tile.store %%1, %%y[%%first] : !tile.tile<%(size)dx%(target)s>, memref<?x%(target)s>
  tile.return
}
""" % {"source": source, "target": target, "flags": flags, "size": BLOCK}
    result = run(program, "f", values, Out(len(values)),
                 grid="%d,1,1" % (len(values) // BLOCK))
    with np.errstate(invalid="ignore"):
        expected = expect(values, source, target, "unsigned" in flags,
                          "saturate" in flags)
    if target in SMALL:
        result, expected = decode(result, target), decode(expected, target)
    same(result, expected.astype(result.dtype),
         "every cast %s %s to %s" % (flags, source, target))


def list_turns(target, dtype):
    """Returns values at which rounding to f8 changes: each value of f8, and the
    midpoint of each two adjacent ones, with their neighbours in `dtype`. Adds values
    beyond the largest of f8, and NaN."""
    values = decode(np.arange(128), target)
    values = np.sort(values[np.isfinite(values)])
    step = values[-1] - values[-2]
    values = np.append(values, values[-1] + step * np.arange(1, 4))
    turns = np.concatenate([values, (values[:-1] + values[1:]) / 2])
    turns = turns.astype(dtype)
    info = np.finfo(dtype)
    turns = np.concatenate([
        turns, np.nextafter(turns, dtype(np.inf)),
        np.nextafter(turns, dtype(-np.inf)),
        # Values that f32, unlike f64, rounds to the midpoint of two codes.
        turns * dtype(1 + 2.0 ** -30), turns * dtype(1 - 2.0 ** -30),
        np.array([info.tiny, info.max, np.inf, np.nan], dtype)])
    return np.concatenate([turns, -turns])


def list_integers(name):
    """Returns all integers of at most 16 bits, or wider integers near values at which a
    conversion rounds."""
    width = WIDTH[name]
    if width <= 16:
        return np.arange(-2 ** (width - 1), 2 ** (width - 1)).astype(
            DTYPES[name])
    powers = 2 ** np.arange(width - 1)
    near = [sign * (base * odd // 8) + by for base in powers.tolist()
            for odd in range(8, 16) for by in (-1, 0, 1) for sign in (-1, 1)]
    near = [v for v in near if abs(v) < 2 ** (width - 1)]
    return np.array(near + [-2 ** (width - 1), 2 ** (width - 1) - 1],
                    DTYPES[name])


for source in F8:
    codes = np.arange(256).astype(np.uint8)
    for target in FLOATS:
        if source != target:
            test_all(source, target, codes)
    for target in INTEGERS:
        flags = "" if target == "i1" else "saturate"
        test_all(source, target, codes, flags)
for target in F8:
    codes = np.arange(2 ** 16)
    test_all("f16", target, codes.astype(np.uint16).view(np.float16))
    test_all("bf16", target, codes.astype(np.uint16))
    test_all("f32", target, list_turns(target, np.float32))
    test_all("f64", target, list_turns(target, np.float64))
    for source in INTEGERS[1:]:
        test_all(source, target, list_integers(source))
        test_all(source, target, list_integers(source), "unsigned")
