# diagonal.py - tile.diagonal and tile.add_diagonal against NumPy
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(59)


def diagonal(element, shape):
    source = random_values(rng, shape, element)
    to = shape[:-2] + (min(shape[-2:]),)
    body = load("t", "a", shape, element)
    body += "  %%d = tile.diagonal %%t : %s to %s\n" % (
        tile_type(shape, element), tile_type(to, element))
    body += store("d", "r", to, element)
    found = run(kernel("%%a: %s, %%r: %s" % (
        memref(shape, element), memref(to, element)), body), "f", source, Out())
    expected = np.einsum("...ii->...i", source[..., :to[-1], :to[-1]])
    same(found, expected, ("diagonal", element, shape))


def add_diagonal(element, shape, is_scalar=False):
    source = random_values(rng, shape, element)
    side = () if is_scalar else shape[:-2] + (min(shape[-2:]),)
    added = random_values(rng, side or (1,), element)
    types, body = tile_type(shape, element), load("t", "a", shape, element)
    if is_scalar:
        body += "  %%c = memref.load %%b[%%zero] : %s\n" % memref((1,), element)
    else:
        body += load("c", "b", side, element)
    body += "  %%r = tile.add_diagonal %%t, %%c : %s, %s\n" % (
        types, element if is_scalar else tile_type(side, element))
    body += store("r", "to", shape, element)
    found = run(kernel("%%a: %s, %%b: %s, %%to: %s" % (
        memref(shape, element), memref(side or (1,), element),
        memref(shape, element)), body), "f", source, added, Out())
    expected = source.copy()
    indices = np.arange(min(shape[-2:]))
    # Sums round once, also in bf16.
    sums = source[..., indices, indices]
    if element == "bf16":
        sums = encode(decode(sums, element) + decode(added, element), element)
    else:
        sums = (sums + added).astype(source.dtype)
    expected[..., indices, indices] = sums
    same(found, expected, ("add_diagonal", element, shape, is_scalar))


for element in ("f32", "f64", "f16", "bf16", "f8E4M3FN", "i1", "i8", "i32",
                "i64", "complex<f32>"):
    diagonal(element, (5, 7, 7))
for shape in ((1, 1), (3, 8), (8, 3), (16, 16), (2, 3, 40, 33)):
    diagonal("f32", shape)
for element in ("f32", "f64", "f16", "bf16", "i8", "i16", "i32", "i64",
                "complex<f32>", "complex<f64>"):
    add_diagonal(element, (4, 9, 9))
add_diagonal("complex<f32>", (3, 8), is_scalar=True)
for shape in ((1, 1), (3, 8), (8, 3), (16, 16), (2, 3, 40, 33)):
    add_diagonal("f32", shape)
    add_diagonal("f64", shape, is_scalar=True)
print("diagonals agree")
