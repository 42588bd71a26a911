# arithmetic.py - integer arithmetic at its limits, in each kind of operation
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The cases are division by zero and overflowing quotients, shifts by too much, and floats
# that do not fit an integer: on tiles, in tile.map, in tile.per_thread and on scalars.

from harness import *

rng = np.random.default_rng(45)
WIDTHS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
IS_EMULATOR = "--on=emulator" in MACHINE


def wrap(value, bits):
    return (value + 2 ** (bits - 1)) % 2 ** bits - 2 ** (bits - 1)


def truncate(x, y):
    return 0 if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def expect(operation, x, y, bits):
    """Returns the exact result of `operation` on two Python integers, wrapped."""
    ux, uy = x % 2 ** bits, y % 2 ** bits
    return wrap({
        "divsi": lambda: truncate(x, y),
        "remsi": lambda: x - truncate(x, y) * y if y else 0,
        "divui": lambda: ux // uy if uy else 0,
        "remui": lambda: ux % uy if uy else 0,
        "floordivsi": lambda: x // y if y else 0,
        "ceildivsi": lambda: -(-x // y) if y else 0,
        "ceildivui": lambda: -(-ux // uy) if uy else 0,
        "shli": lambda: x << uy if uy < bits else 0,
        "shrsi": lambda: x >> min(uy, bits),
        "shrui": lambda: ux >> uy if uy < bits else 0,
    }[operation](), bits)


DIVISIONS = ["divsi", "remsi", "divui", "remui", "floordivsi", "ceildivsi",
             "ceildivui"]
SHIFTS = ["shli", "shrsi", "shrui"]


def make_pairs(bits):
    """Pairs all values at the limits with one another, and adds random pairs."""
    low = -2 ** (bits - 1)
    values = [low, low + 1, -bits, -7, -1, 0, 1, 2, 7, bits - 1, bits, bits + 1,
              -low - 1]
    pairs = [(x, y) for x in values for y in values]
    for _ in range(256 - len(pairs)):
        shift = rng.integers(0, bits - 1, 2)
        pairs.append(tuple(int(n) >> int(s) for n, s in zip(
            rng.integers(low, -low - 1, 2, endpoint=True), shift)))
    return pairs


ON_TILES = "  %%%(name)s = arith.%(operation)s %%a, %%b : %(tile)s\n"
IN_MAP = """  %%%(name)s = tile.map %%a, %%b : %(tile)s, %(tile)s to %(tile)s {
  ^bb0(%%p: %(element)s, %%q: %(element)s):
    %%s = arith.%(operation)s %%p, %%q : %(element)s
    tile.yield %%s : %(element)s
  }
"""
IN_THREADS = """  %%%(name)s = tile.per_thread %%a, %%b : %(tile)s, %(tile)s to %(tile)s {
  ^bb0(%%thread: index, %%p: %(element)s, %%q: %(element)s):
    %%s = arith.%(operation)s %%p, %%q : %(element)s
    tile.yield %%s : %(element)s
  }
"""
OF_SCALARS = """  %%%(name)s = scf.for %%i = %%zero to %%end step %%one iter_args(%%u = %%a) -> (%(tile)s) {
    %%p = tile.extract %%a[%%i] : %(tile)s
    %%q = tile.extract %%b[%%i] : %(tile)s
    %%s = arith.%(operation)s %%p, %%q : %(element)s
    %%v = tile.insert %%s into %%u[%%i] : %(element)s into %(tile)s
    scf.yield %%v : %(tile)s
  }
"""
FORMS = {"tiles": ON_TILES, "map": IN_MAP, "threads": IN_THREADS,
         "scalars": OF_SCALARS}
# The emulator reports stored quotients by zero, so the program selects other values.
REPLACED = """  %%w_%(operation)s = tile.select %%is, %%%(name)s, %%five : %(mask)s, %(tile)s
"""


def check(form, operations, element, pairs):
    count = len(pairs)
    array = memref((count,), element)
    words = {"tile": tile_type((count,), element), "element": element,
             "mask": tile_type((count,), "i1"), "array": array, "count": count}
    program = "tile.kernel @f(%%x: %s, %%y: %s, %s) attributes {block = %d : i64} {\n" % (
        array, array, ", ".join("%%r_%s: %s" % (o, array) for o in operations),
        count)
    program += """  %%zero = arith.constant 0 : index
  %%one = arith.constant 1 : index
  %%end = arith.constant %(count)d : index
  %%a = tile.load %%x[%%zero] : %(array)s -> %(tile)s
  %%b = tile.load %%y[%%zero] : %(array)s -> %(tile)s
  %%none = arith.constant dense<0> : %(tile)s
  %%five = arith.constant dense<5> : %(tile)s
  %%is = arith.cmpi ne, %%b, %%none : %(tile)s
""" % words
    for operation in operations:
        is_replaced = IS_EMULATOR and operation in DIVISIONS
        words.update(operation=operation, name="t_" + operation)
        program += FORMS[form] % words
        if is_replaced:
            program += REPLACED % words
        program += "  tile.store %%%s_%s, %%r_%s[%%zero] : %s, %s\n" % (
            "w" if is_replaced else "t", operation, operation, words["tile"],
            array)
    program += "  tile.return\n}\n"
    xs, ys = (np.array(v, DTYPES[element]) for v in zip(*pairs))
    found = run(program, "f", xs, ys, *[Out() for _ in operations])
    for operation, values in zip(operations, found):
        for (x, y), value in zip(pairs, values):
            expected = expect(operation, x, y, WIDTHS[element])
            if IS_EMULATOR and operation in DIVISIONS and y == 0:
                expected = 5
            assert value == expected, (form, element, operation, x, y, value,
                                       expected)


for element, bits in WIDTHS.items():
    pairs = make_pairs(bits)
    for form in ("tiles", "map", "threads"):
        check(form, DIVISIONS + SHIFTS, element, pairs)
    check("scalars", DIVISIONS + SHIFTS, element, pairs[:60:3])
