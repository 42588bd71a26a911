# complex.py - tile.complex, and operations of the complex dialect in tile.map
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(31)
FORMULAS = {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y, "div": lambda x, y: x / y,
    "neg": lambda x: -x, "conj": np.conj, "exp": np.exp, "abs": np.abs,
    "re": np.real, "im": np.imag, "create": lambda a, b: a + 1j * b,
}
EPSILON = {"f32": 2.0 ** -24, "f64": 2.0 ** -53}


def random_numbers(shape, element):
    real = rng.standard_normal(shape)
    if element.startswith("complex"):
        real = real + 1j * rng.standard_normal(shape)
    return real.astype(DTYPES[element])


def check(kind, part, shape):
    real, pair = part, "complex<%s>" % part
    formula = FORMULAS[kind]
    count = formula.__code__.co_argcount if kind not in (
        "conj", "exp", "abs", "re", "im") else 1
    source = real if kind == "create" else pair
    result = real if kind in ("abs", "re", "im") else pair
    arrays = [random_numbers(shape, source) for _ in range(count)]
    tile = lambda element: tile_type(shape, element)
    array = lambda element: memref("?" * len(shape), element)
    program = kernel(
        "%s, %%r: %s" % (
            ", ".join("%%a%d: %s" % (n, array(source)) for n in range(count)),
            array(result)),
        "".join("  %%x%d = tile.load %%a%d[%s] : %s -> %s\n" % (
            n, n, zeros(shape), array(source), tile(source))
            for n in range(count)) +
        "  %%y = tile.complex %s %s : %s to %s\n" % (
            kind, ", ".join("%%x%d" % n for n in range(count)),
            ", ".join([tile(source)] * count), tile(result)) +
        "  tile.store %%y, %%r[%s] : %s, %s\n" % (
            zeros(shape), tile(result), array(result)))
    found = run(program, "f", *arrays, Out(*shape))
    exact = formula(*[array.astype(np.complex128 if source == pair
                                   else np.float64) for array in arrays])
    if kind in ("neg", "conj", "re", "im", "create"):
        if not np.array_equal(found, exact.astype(found.dtype)):
            raise SystemExit("%s of %s: expected exact parts" % (kind, source))
        return
    # Each part is a sum of products, with at most three roundings.
    size = {"mul": lambda: abs(arrays[0]) * abs(arrays[1]),
            "add": lambda: abs(arrays[0]) + abs(arrays[1]),
            "sub": lambda: abs(arrays[0]) + abs(arrays[1])}.get(
                kind, lambda: abs(exact))()
    bound = {"exp": 40, "div": 10}.get(kind, 4) * EPSILON[part] * size
    if not np.all(abs(found - exact) <= bound):
        raise SystemExit("%s of %s: error %g of the bound" % (
            kind, source, np.max(abs(found - exact) / bound)))


for part in ["f32", "f64"]:
    for kind in FORMULAS:
        check(kind, part, (37,))
    check("mul", part, (9, 31))
    check("exp", part, (3, 5, 7))
