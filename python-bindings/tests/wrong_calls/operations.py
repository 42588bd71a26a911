# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic, shapes, reductions, matrices and transforms. Most of these calls are
expressions of `v` and `m`, which are tiles with one and with two dimensions."""

import tile_mlir as tile
from wrong_calls.table import M, X, at_line, of_type


@tile.kernel
def call(x, y, *, function):
    function(tile.load(x, 0, 8), tile.load(y, (0, 0), (8, 8)))  # here


def expressions(rows):
    for name, (function, text) in rows.items():
        kernel = call
        at_line(text, X, M, function=function, marked=function, name=name)(kernel)


# ----------------------------------------------------------------------------
# Arithmetic
# ----------------------------------------------------------------------------

expressions({
    "sums of other shapes": (
        lambda v, m: v + tile.zeros(5),  # here: v +
        "expected shapes that can be broadcast together, got (8,) and (5,)"),
    "sum along other rows": (
        lambda v, m: m + tile.zeros((4, 8)),  # here: m +
        "expected shapes that can be broadcast together, got (8, 8) and (4, 8)"),
    "bits of floats": (
        lambda v, m: v & 1,  # here: v &
        "expected integers or bools for &, got tile.f32"),
    "floats that are inverted": (
        lambda v, m: ~v,  # here: ~v
        "expected integers or bools for ~, got tile.f32"),
    "shift of floats": (
        lambda v, m: v << 2,  # here: v <<
        "expected integers or bools for <<, got tile.f32"),
    "fma of integers": (
        lambda v, m: tile.fma(tile.arange(4), 2, 3),  # here: tile
        "expected numbers of floating point for fma, got tile.i32"),
    "where of a text": (
        lambda v, m: tile.where("v > 0", v, 0),  # here: tile
        "expected a tile, a scalar or a number, got 'v > 0'"),
    "where of none": (
        lambda v, m: tile.where(v > 0, v, None),  # here: tile
        "expected a tile, a scalar or a number, got None; a function without 'return' "
        "gives None"),
    "where of other shapes": (
        lambda v, m: tile.where(v > 0, tile.zeros(7), v),  # here: tile
        "expected shapes that can be broadcast together, got (8,) and (7,) and (8,)"),
    "clip of texts": (
        lambda v, m: tile.clip(v, "low", 1),  # here: tile
        "expected a tile, a scalar or a number, got 'low'"),
    "order of complex numbers": (
        lambda v, m: tile.make_complex(v, v) < 0,  # here: tile
        "expected real numbers for an order, got complex ones"),
    "sine of complex numbers": (
        lambda v, m: tile.sin(tile.make_complex(v, v)),  # here: tile
        "expected real numbers for sin, got tile of 8 complex64"),
    "remainder of complex numbers": (
        lambda v, m: tile.make_complex(v, v) % 2,  # here: tile
        "expected real numbers for %, got tile.complex64"),
    "parts of real numbers": (
        lambda v, m: tile.real(v),  # here: tile
        "expected a tile or a scalar of complex numbers, got tile of 8 f32"),
    "complex number of complex ones": (
        lambda v, m: tile.make_complex(v, 2j),  # here: tile
        "expected real numbers for make_complex, got tile.complex64"),
    "conjugate of a number": (
        lambda v, m: tile.conj(2j),  # here: tile
        "expected a tile or a scalar of complex numbers, got 2j"),
    "square root of a text": (
        lambda v, m: tile.sqrt("2"),  # here: tile
        "expected a tile, a scalar or a number, got '2'"),
    "exponential of a list": (
        lambda v, m: tile.exp([v, v]),  # here: tile
        "expected a tile, a scalar or a number, got [tile of 8 f32, tile of 8 f32]"),
    "power of a text": (
        lambda v, m: tile.power(v, "2"),  # here: tile
        "expected a tile, a scalar or a number, got '2'"),
    "angle of complex numbers": (
        lambda v, m: tile.atan2(tile.make_complex(v, v), 2),  # here: tile
        "expected real numbers for atan2, got tile.complex64"),
    "cdiv of floats": (
        lambda v, m: tile.cdiv(v, 2),  # here: tile
        "expected integers for cdiv, got tile.f32"),
    "cdiv by zero": (
        lambda v, m: tile.cdiv(4, 0),  # here: tile
        "expected integers for cdiv, the second not zero, got 4 and 0"),
    "scalar that saturates": (
        lambda v, m: v.sum().astype(tile.i8, saturate=True),  # here: v.sum().astype
        "expected 'saturate' for tiles, got a scalar"),
    "conversion of complex numbers": (
        lambda v, m: tile.make_complex(v, v).astype(tile.f32),  # here: tile
        "expected a conversion that keeps the imaginary part, got one of "
        "tile.complex64 to tile.f32; 'tile.real' and 'tile.imag' have the parts"),
    "bits of a number": (
        lambda v, m: tile.bitcast(3, tile.f32),  # here: tile
        "expected a tile or a scalar, got 3"),
    "maximum of complex numbers": (
        lambda v, m: tile.maximum(tile.make_complex(v, v), 0),  # here: tile
        "expected real numbers for maximum, got tile.complex64"),
})

# ----------------------------------------------------------------------------
# Shapes
# ----------------------------------------------------------------------------

expressions({
    "another size": (
        lambda v, m: v.reshape(3, 2),  # here: v.reshape
        "expected a shape of 8 elements, got (3, 2)"),
    "two sizes that are left": (
        lambda v, m: m.reshape(-1, -1),  # here: m.reshape
        "expected a shape of 64 elements, got (-1, -1)"),
    "no whole size that is left": (
        lambda v, m: m.reshape(7, -1),  # here: m.reshape
        "expected a shape of 64 elements, got (7, -1)"),
    "negative size": (
        lambda v, m: v.reshape(-2, -4),  # here: v.reshape
        "expected positive extents of a tile, got -2"),
    "size between": (
        lambda v, m: v.reshape(2.0, 4),  # here: v.reshape
        "expected positive extents of a tile, got 2.0"),
    "size of a text": (
        lambda v, m: v.reshape("8"),  # here: v.reshape
        "expected positive extents of a tile, got '8'"),
    "shape of a number": (
        lambda v, m: tile.reshape(3, 1),  # here: tile
        "expected a tile, got 3"),
    "axes that are missing": (
        lambda v, m: tile.transpose(m, (0,)),  # here: tile
        "expected each of the 2 axes once, got (0,)"),
    "axes twice": (
        lambda v, m: m.transpose(1, 1),  # here: m.transpose
        "expected each of the 2 axes once, got (1, 1)"),
    "axes beyond": (
        lambda v, m: tile.swap_axes(m, 0, 2),  # here: tile
        "expected an axis from -2 to 1, got 2"),
    "axes of a number": (
        lambda v, m: tile.transpose(m, 0),  # here: tile
        "expected a sequence of axes, got 0"),
    "last axes of a vector": (
        lambda v, m: v.mT,  # here: v.mT
        "expected an axis from -1 to 0, got -2"),
    "new axis beyond": (
        lambda v, m: tile.expand_dims(v, 3),  # here: tile
        "expected an axis from -2 to 1, got 3"),
    "axis that is long": (
        lambda v, m: tile.squeeze(m, 1),  # here: tile
        "expected an axis of extent one, got one of 8"),
    "nothing side by side": (
        lambda v, m: tile.concatenate([]),  # here: tile
        "expected one tile or more, got none"),
    "tile side by side": (
        lambda v, m: tile.concatenate(v, v),  # here: tile
        "expected a list of tiles, got tile of 8 f32"),
    "numbers side by side": (
        lambda v, m: tile.concatenate([1, 2]),  # here: tile
        "expected a tile, got 1"),
    "tile and number stacked": (
        lambda v, m: tile.stack([v, 2]),  # here: tile
        "expected a tile, got 2"),
    "numbers stacked along another axis": (
        lambda v, m: tile.stack([1, 2], 1),  # here: tile
        "expected an axis from -1 to 0, got 1"),
    "ranks side by side": (
        lambda v, m: tile.concatenate([v, m]),  # here: tile
        "expected tiles that differ along axis 0 alone, got (8,) and (8, 8)"),
    "extents side by side": (
        lambda v, m: tile.concatenate([m, m[:4]], axis=1),  # here: tile
        "expected tiles that differ along axis 1 alone, got (8, 8) and (4, 8)"),
    "stack of other shapes": (
        lambda v, m: tile.stack([v, v[:4]]),  # here: tile
        "expected tiles that differ along axis 0 alone, got (1, 8) and (1, 4)"),
    "no elements": (
        lambda v, m: v[3:3],  # here: v[
        "expected a slice of at least one element, got 3:3:None of 8"),
    "no elements backwards": (
        lambda v, m: v[2:5:-1],  # here: v[
        "expected a slice of at least one element, got 2:5:-1 of 8"),
    "axis twice": (
        lambda v, m: m.sum(axis=(1, -1)),  # here: m.sum
        "expected different axes, got (1, -1)"),
    "one axis of two out of range": (
        lambda v, m: m.mean(axis=(0, 2)),  # here: m.mean
        "expected an axis from -2 to 1, got 2"),
    "negative widths": (
        lambda v, m: tile.pad(m, (0, -1)),  # here: tile
        "expected a number from zero on, a pair of them, or 2 pairs as widths, got "
        "(0, -1)"),
    "widths of three dimensions": (
        lambda v, m: tile.pad(m, ((0, 1), (0, 0), (2, 2))),  # here: tile
        "expected a number from zero on, a pair of them, or 2 pairs as widths, got "
        "((0, 1), (0, 0), (2, 2))"),
    "widths of fractions": (
        lambda v, m: tile.pad(v, 0.5),  # here: tile
        "expected a number from zero on, a pair of them, or 1 pairs as widths, got "
        "0.5"),
    "range of step zero": (
        lambda v, m: tile.arange(0, 8, 0),  # here: tile
        "expected a step of arange that is not zero, got 0"),
    "range of nothing": (
        lambda v, m: tile.arange(8, 2),  # here: tile
        "expected positive extents of a tile, got 0"),
    "shift by a fraction": (
        lambda v, m: tile.roll(v, 0.5, 0),  # here: tile
        "expected an integer as a shift, got 0.5"),
    "triangle of a vector": (
        lambda v, m: tile.tril(v),  # here: tile
        "expected a tile of 2 dimensions or more, got a tile of 8 f32"),
    "clip without bounds": (
        lambda v, m: tile.clip(v),  # here: tile
        "expected a bound for clip, got none"),
    "activation of complex numbers": (
        lambda v, m: tile.silu(v.astype(tile.complex64)),  # here: tile
        "expected real numbers for silu, got tile.complex64"),
    "places of a number in order": (
        lambda v, m: tile.argsort(2),  # here: tile
        "expected a tile, got 2"),
    "slice of fractions": (
        lambda v, m: v[0.5:],  # here: v[
        "expected integers as bounds of a slice, got 0.5"),
    "slice of scalars": (
        lambda v, m: v[tile.program_id(0):],  # here: v[
        "expected a slice with bounds that are known while the kernel is traced, got a "
        "scalar of index; tile.view takes offsets that are not"),
    "place beyond": (
        lambda v, m: v[8],  # here: v[
        "expected a place from -8 to 7, got 8"),
    "place between": (
        lambda v, m: v[1.5],  # here: v[
        "expected a slice, an integer, None or ..., got 1.5; tile.take has the "
        "elements at a tile of places"),
    "tile as place": (
        lambda v, m: v[tile.arange(4)],  # here: v[
        "expected a slice, an integer, None or ..., got tile of 4 i32; tile.take has "
        "the elements at a tile of places"),
    "list of places": (
        lambda v, m: v[[0, 1]],  # here: v[
        "expected a slice, an integer, None or ..., got [0, 1]; tile.take has the "
        "elements at a tile of places"),
    "truths as places": (
        lambda v, m: v[v > 0],  # here: v[
        "expected a slice, an integer, None or ..., got tile of 8 bool_; tile.take has "
        "the elements at a tile of places"),
    "truth as a place": (
        lambda v, m: v[True],  # here: v[
        "expected a slice, an integer, None or ..., got True; tile.take has the "
        "elements at a tile of places"),
    "word as a place": (
        lambda v, m: v["first"],  # here: v[
        "expected a slice, an integer, None or ..., got 'first'; tile.take has the "
        "elements at a tile of places"),
    "too many places": (
        lambda v, m: v[0, 0],  # here: v[
        "expected at most 1 places, got 2"),
    "two ellipses": (
        lambda v, m: m[..., 0, ...],  # here: m[
        "expected '...' once, got it more often"),
    "part of a number": (
        lambda v, m: tile.view(3, 0, 1),  # here: tile
        "expected a tile, got 3"),
    "part beyond": (
        lambda v, m: tile.view(v, 6, 4),  # here: tile
        "'tile.view' op expected the box to lie inside the source's extent 8 of "
        "dimension 0, got offset 6 and extent 4"),
    "part of other places": (
        lambda v, m: tile.view(m, 0, (4, 4)),  # here: tile
        "'tile.view' op expected 2 offsets (the source's rank), got 1"),
    "part with fractions": (
        lambda v, m: tile.view(v, 0, 4, steps=1.5),  # here: tile
        "tile.view: expected a sequence of ints for 'steps', got 1.5"),
    "part that is inserted beyond": (
        lambda v, m: tile.insert(v, 6, tile.zeros(4)),  # here: tile
        "'tile.insert' op expected the box to lie inside the tile's extent 8 of "
        "dimension 0, got offset 6 and extent 4"),
    "part of more dimensions": (
        lambda v, m: tile.insert(v, 0, m),  # here: tile
        "'tile.insert' op expected a part of rank 1 (the tile's), got rank 2"),
    "broadcast to less": (
        lambda v, m: tile.broadcast_to(m, (8,)),  # here: tile
        "expected a shape that (8, 8) can be broadcast to, got (8,)"),
    "broadcast along no dimension": (
        lambda v, m: tile.broadcast_to(v, (8, 8), dims=(2,)),  # here: tile
        "expected 1 of the dimensions from 0 to 1, in ascending order, got (2,)"),
    "broadcast along another extent": (
        lambda v, m: tile.broadcast_to(v, (4, 8), dims=(0,)),  # here: tile
        "expected extents of one or of (4, 8) along (0,), got (8,)"),
    "broadcast to a text": (
        lambda v, m: tile.broadcast_to(v, "8"),  # here: tile
        "expected positive extents of a tile, got '8'"),
    "indices of floats": (
        lambda v, m: tile.take(v, v, 0),  # here: tile
        "expected a tile of integers as indices, got tile of 8 f32"),
    "indices of more dimensions": (
        lambda v, m: tile.take(v, tile.zeros((2, 2), tile.i32), 0),  # here: tile
        "'tile.take' op expected indices of shape [2] (the result's), or of extent one "
        "instead, got [2, 2]"),
    "axis of indices": (
        lambda v, m: tile.take(v, tile.arange(4), 1),  # here: tile
        "expected an axis from -1 to 0, got 1"),
    "values of other indices": (
        lambda v, m: tile.put(v, tile.arange(4), tile.zeros(5), 0),  # here: tile
        "'tile.put' op expected indices of shape [5] (the values'), or of extent one "
        "instead, got [4]"),
    "unknown way to put": (
        lambda v, m: tile.put(v, tile.arange(4), 1.0, 0, kind="sub"),  # here: tile
        "expected a kind of add, min, max, umin, umax, and, or, xor, exchange, got "
        "'sub'"),
    "bounds of a fraction": (
        lambda v, m: tile.arange(2.5),  # here: tile
        "expected integers that are known while the kernel is traced as bounds of "
        "arange, got 2.5; a scalar can be added to it"),
    "bounds of a scalar": (
        lambda v, m: tile.arange(tile.program_id(0)),  # here: tile
        "expected integers that are known while the kernel is traced as bounds of "
        "arange, got scalar of index; a scalar can be added to it"),
    "bounds of nothing": (
        lambda v, m: tile.arange(4, 4),  # here: tile
        "expected positive extents of a tile, got 0"),
    "places along no axis": (
        lambda v, m: tile.iota((4, 4), 2),  # here: tile
        "expected an axis from -2 to 1, got 2"),
    "places of truths": (
        lambda v, m: tile.iota(4, 0, tile.bool_),  # here: tile
        "'tile.iota' op expected an element type of integers, index, or floating point "
        "of 16 bits and more, got 'i1'"),
    "matrix of no rows": (
        lambda v, m: tile.eye(0),  # here: tile
        "expected positive extents of a tile, got 0"),
    "packed in three bits": (
        lambda v, m: tile.unpack(tile.arange(4), 3),  # here: tile
        "expected numbers of 1, 2 or 4 bits, got 3"),
    "packed floats": (
        lambda v, m: tile.unpack(v, 4),  # here: tile
        "expected a tile of integers, got tile of 8 f32"),
    "distribution": (
        lambda v, m: tile.random("even", 1, 1, 4),  # here: tile
        "expected a distribution of bits, uniform, normal, got 'even'"),
    "seed of a text": (
        lambda v, m: tile.random("normal", "1", 1, 4),  # here: tile
        "expected a tile, a scalar or a number, got '1'"),
    "seed of a tile": (
        lambda v, m: tile.random("normal", v, 1, 4),  # here: tile
        "'tile.random' op operand #0 must be 64-bit signless integer, but got "
        "'!tile.tile<8xi64>'"),
    "random integers": (
        lambda v, m: tile.random("uniform", 1, 1, 4, tile.i32),  # here: tile
        "'tile.random' op expected an element type of f16, bf16, f32 or f64 for "
        "'uniform', got 'i32'"),
    "shape of 9 dimensions": (
        lambda v, m: tile.zeros((1,) * 9),  # here: tile
        "expected a tile of rank 0 to 8, got rank 9"),
    "tile beyond memory": (
        lambda v, m: tile.zeros((1 << 20, 1 << 20)),  # here: tile
        "expected a tile of fewer than 2^31 elements"),
    "extent beyond 64 bits": (
        lambda v, m: tile.zeros(1 << 64),  # here: tile
        "expected extents of a tile below 2^31, got 18446744073709551616"),
    "size beyond 64 bits": (
        lambda v, m: tile.zeros((1 << 40, 1 << 40)),  # here: tile
        "expected extents of a tile below 2^31, got 1099511627776"),
})

# ----------------------------------------------------------------------------
# Reductions
# ----------------------------------------------------------------------------

expressions({
    "axis beyond": (
        lambda v, m: v.sum(axis=1),  # here: v.sum
        "expected an axis from -1 to 0, got 1"),
    "axis of a pair": (
        lambda v, m: m.argmax(axis=(0, 1)),  # here: m.argmax
        "expected an axis from -2 to 1, got (0, 1)"),
    "axis of a fraction": (
        lambda v, m: m.max(axis=0.0),  # here: m.max
        "expected an axis from -2 to 1, got 0.0"),
    "axis of a scalar": (
        lambda v, m: m.max(axis=tile.program_id(0)),  # here: m.max
        "expected an axis from -2 to 1, got scalar of index"),
    "keepdims of a text": (
        lambda v, m: m.min(axis=0, keepdims="yes"),  # here: m.min
        "tile.reduce: expected a bool for 'keep', got 'yes'"),
    "sum of a list": (
        lambda v, m: tile.sum([1, 2]),  # here: tile
        "expected a tile, got [1, 2]"),
    "sum in a text": (
        lambda v, m: v.sum(dtype="wide"),  # here: v.sum
        of_type("'wide'")),
    "maximum of complex numbers along an axis": (
        lambda v, m: tile.make_complex(v, v).max(),  # here: tile
        "'tile.reduce' op expected an ordered element type for 'max', got "
        "'complex<f32>'"),
    "mean of a number": (
        lambda v, m: tile.mean(3),  # here: tile
        "expected a tile, got 3"),
    "argmax of a number": (
        lambda v, m: tile.argmax(3.0),  # here: tile
        "expected a tile, got 3.0"),
    "any of a number": (
        lambda v, m: tile.any(True),  # here: tile
        "expected a tile, got scalar of bool_"),
    "sums of a number": (
        lambda v, m: tile.cumsum(4),  # here: tile
        "expected a tile, got 4"),
    "sums along no axis": (
        lambda v, m: tile.cumsum(m, axis=None),  # here: tile
        "expected an axis from -2 to 1, got None"),
    "order of a number": (
        lambda v, m: tile.sort(5),  # here: tile
        "expected a tile, got 5"),
    "keys of a number": (
        lambda v, m: tile.sort_by_key(v, 6),  # here: tile
        "expected a tile, got 6"),
    "keys of another extent": (
        lambda v, m: tile.sort_by_key(v, tile.zeros(4)),  # here: tile
        "'tile.sort' op expected tiles of shape [8] (the keys'), got "
        "'!tile.tile<4xf32>'"),
    "order of complex numbers along an axis": (
        lambda v, m: tile.sort(tile.make_complex(v, v)),  # here: tile
        "'tile.sort' op expected ordered keys, got 'complex<f32>'"),
    "count of a text": (
        lambda v, m: tile.top_k(v, "a"),  # here: tile
        "expected positive extents of a tile, got 'a'"),
    "count beyond": (
        lambda v, m: tile.top_k(v, 9),  # here: tile
        "'tile.top_k' op expected at most 8 elements along axis 0 (the source's), got "
        "9"),
    "count of a pair": (
        lambda v, m: tile.top_k(v, (2, 2)),  # here: tile
        "expected positive extents of a tile, got (2, 2)"),
    "no bins": (
        lambda v, m: tile.histogram(tile.arange(4), 0),  # here: tile
        "expected positive extents of a tile, got 0"),
    "bins of floats": (
        lambda v, m: tile.histogram(v, 4),  # here: tile
        "'tile.histogram' op expected a source of at least one dimension and elements "
        "of i8, i16, i32, i64 or index, got '!tile.tile<8xf32>'"),
    "mask of a histogram": (
        lambda v, m: tile.histogram(tile.arange(4), 4, mask=True),  # here: tile
        "expected a tile, got True"),
    "unknown kind": (
        lambda v, m: tile.reduce("plus", v),  # here: tile
        "expected a function or a kind of add, mul, min, max, umin, umax, and, or, "
        "xor, got 'plus'"),
    "identity of a kind": (
        lambda v, m: tile.scan("add", v, 0),  # here: tile
        "expected no identities of the kind 'add', got 0"),
    "kind of several tiles": (
        lambda v, m: tile.reduce("add", (v, v)),  # here: tile
        "expected a tile, got (tile of 8 f32, tile of 8 f32)"),
    "function without an identity": (
        lambda v, m: tile.reduce(lambda a, b: a + b, v),  # here: tile
        "expected an identity for each tile, got none"),
    "identity of a text": (
        lambda v, m: tile.reduce(lambda a, b: a + b, v, "0"),  # here: tile
        "expected numbers as identities, got '0'"),
    "identity of a scalar": (
        lambda v, m: tile.reduce(lambda a, b: a + b, v, v.sum()),  # here: tile
        "expected numbers as identities, got scalar of f32"),
    "identities of other tiles": (
        lambda v, m: tile.scan(lambda *x: x[:2], (v, v), 0.0),  # here: tile
        "expected 2 identities, one for each tile, got 1"),
    "function of other results": (
        lambda v, m: tile.reduce(lambda a, b: (a, b), v, 0.0),  # here: tile
        "expected 1 values of the function, got 2"),
    "function of nothing": (
        lambda v, m: tile.reduce(lambda a, b: None, v, 0.0),  # here: tile
        "expected a tile, a scalar or a number, got None; a function without 'return' "
        "gives None"),
    "function of three": (
        lambda v, m: tile.reduce(lambda a, b, c: a, v, 0.0),  # here: tile
        "expected what the function takes, got something else: TypeError: "
        "<lambda>.<locals>.<lambda>() missing 1 required positional argument: 'c'"),
    "function of a tile": (
        lambda v, m: tile.map(lambda a: v, v),  # here: tile
        "'tile.yield' op operand #0 must be variadic of element of a tile, or vector "
        "of them, or tensor of a group, but got '!tile.tile<8xf32>'"),
    "function of a reduction": (
        lambda v, m: tile.map(lambda a: a + v.max(), v),  # here: v.max
        "expected an operation on scalars without side effects in the region of "
        "'tile.map', got 'tile.reduce'"),
    "map of nothing": (
        lambda v, m: tile.map(lambda: 1),  # here: tile
        "expected one tile or more, got none"),
    "map by a number": (
        lambda v, m: tile.map(3, v),  # here: tile
        "expected a function of scalars, got 3"),
    "map of a text": (
        lambda v, m: tile.map(lambda a: a, "v"),  # here: tile
        "expected a tile, a scalar or a number, got 'v'"),
    "map of other shapes": (
        lambda v, m: tile.map(lambda a, b: a, v, v[:3]),  # here: tile
        "expected shapes that can be broadcast together, got (8,) and (3,)"),
    "reduction of nothing": (
        lambda v, m: tile.reduce(lambda a, b: a, (), ()),  # here: tile
        "expected one tile or more, got none"),
    "identity beyond": (
        lambda v, m: tile.reduce(lambda a, b: a, tile.arange(4), 0.5),  # here: tile
        "expected an identity that tile.i32 has, got 0.5"),
    "softmax of a number": (
        lambda v, m: tile.softmax(0.5),  # here: tile
        "expected a tile, got 0.5"),
})

# ----------------------------------------------------------------------------
# Matrices and transforms
# ----------------------------------------------------------------------------

expressions({
    "product of other extents": (
        lambda v, m: m @ m[:4],  # here: m @
        "expected as many columns of the left matrix as the right one has rows, got "
        "(8, 8) and (4, 8)"),
    "product of a vector with other rows": (
        lambda v, m: v @ m[:4],  # here: v @
        "expected as many columns on the left as there are rows on the right, got (8,) "
        "and (4, 8)"),
    "product of vectors with an accumulator": (
        lambda v, m: tile.matmul(v, m, 1.0),  # here: tile
        "expected matrices, or batches of them, for a product, got a tile of 8 f32"),
    "product with a number": (
        lambda v, m: tile.matmul(m, 2.0),  # here: tile
        "expected tiles for a product, got 2.0"),
    "product of batches": (
        lambda v, m: tile.zeros((2, 8, 8)) @ tile.zeros((3, 8, 8)),  # here: tile
        "expected batches that can be broadcast together, got (2, 8, 8) and (3, 8, 8)"),
    "product with another accumulator": (
        lambda v, m: tile.matmul(m, m, tile.zeros((4, 8))),  # here: tile
        "expected shapes that can be broadcast together, got (4, 8) and (8, 8)"),
    "precision": (
        lambda v, m: tile.matmul(m, m, precision="f8"),  # here: tile
        "expected a precision of ieee, tf32, fast_accumulation, got 'f8'"),
    "precision of a number": (
        lambda v, m: tile.matmul(m, m, precision=32),  # here: tile
        "expected a precision of ieee, tf32, fast_accumulation, got 32"),
    "tiling of a text": (
        lambda v, m: tile.matmul(m, m, tiling="?"),  # here: tile
        "expected a dictionary as a tiling, got '?'"),
    "unknown parameter of a tiling": (
        lambda v, m: tile.matmul(m, m, tiling={"warp": 2}),  # here: tile
        "expected a parameter of a tiling of vector, stages, warps, sub, thread, atom, "
        "operands, got 'warp'"),
    "number as warps of a tiling": (
        lambda v, m: tile.matmul(m, m, tiling={"warps": 2}),  # here: tile
        "expected integers as 'warps' of a tiling, got 2"),
    "fraction as stages of a tiling": (
        lambda v, m: tile.matmul(m, m, tiling={"stages": 2.0}),  # here: tile
        "expected an integer as 'stages' of a tiling, got 2.0"),
    "too many stages of a tiling": (
        lambda v, m: tile.matmul(m, m, tiling={"stages": 65}),  # here: tile
        "expected 'stages' from 0 to 64, got 65"),
    "type of a product": (
        lambda v, m: tile.matmul(m, m, dtype=tile.i8),  # here: tile
        "'tile.matmul' op expected accumulator element type 'f32' for operands of "
        "'f32', got 'i8'"),
    "factors of a number": (
        lambda v, m: tile.qr(3),  # here: tile
        "expected a tile, got 3"),
    "factors of a vector": (
        lambda v, m: tile.svd(v),  # here: tile
        "expected a tile of 2 dimensions or more, got a tile of 8 f32"),
    "factors of integers": (
        lambda v, m: tile.cholesky(m.astype(tile.i32)),  # here: tile
        "'tile.cholesky' op expected elements of f32 or f64, or complex ones of them, "
        "got 'i32'"),
    "factors of no square": (
        lambda v, m: tile.cholesky(m[:4]),  # here: tile
        "'tile.cholesky' op expected square matrices in the last two dimensions, got "
        "'!tile.tile<4x8xf32>'"),
    "change of another factor": (
        lambda v, m: tile.cholesky_derivative(m, m[:4]),  # here: tile
        "expected a change with the shape and type of the factor, a tile of 8x8 f32, got a "
        "tile of 4x8 f32"),
    "factors of more columns": (
        lambda v, m: tile.householder(m[:4]),  # here: tile
        "'tile.householder' op expected matrices of no more columns than rows in the last two "
        "dimensions, got '!tile.tile<4x8xf32>'"),
    "solution of a number": (
        lambda v, m: tile.solve(m, 3),  # here: tile
        "expected a tile, got 3"),
    "solution of shorter vectors": (
        lambda v, m: tile.solve(m, v[:4]),  # here: tile
        "expected vectors of the shape (8,) as right-hand sides of a tile of 8x8 f32, "
        "got a tile of 4 f32"),
    "solution of more dimensions": (
        lambda v, m: tile.triangular_solve(m, m[None]),  # here: tile
        "expected right-hand sides of 2 dimensions, or vectors of 1, for a tile of 8x8 "
        "f32, got a tile of 1x8x8 f32"),
    "exponential of no square": (
        lambda v, m: tile.expm(m[:4]),  # here: tile
        "expected square matrices for expm, got a tile of 4x8 f32"),
    "exponential of f16": (
        lambda v, m: tile.expm(m.astype(tile.f16)),  # here: tile
        "expected matrices of f32, f64, complex64 or complex128 for expm, got a tile of "
        "8x8 f16"),
    "transform along an axis beyond": (
        lambda v, m: tile.rfft(v, axis=1),  # here: tile
        "expected an axis from -1 to 0, got 1"),
    "transform of a plane of one axis": (
        lambda v, m: tile.rfft2(m, axes=(0, -2)),  # here: tile
        "expected different axes, got (0, -2)"),
    "transform of a plane of three axes": (
        lambda v, m: tile.rfft2(m, axes=(0, 1, 2)),  # here: tile
        "expected two axes, got (0, 1, 2)"),
    "transform of a plane of a vector": (
        lambda v, m: tile.rfft2(v),  # here: tile
        "expected a tile of 2 dimensions or more, got a tile of 8 f32"),
    "solution of other rows": (
        lambda v, m: tile.solve(m, m[:4]),  # here: tile
        "'tile.solve' op expected matrices of 8 rows (the matrix's), got "
        "'!tile.tile<4x8xf32>'"),
    "reflectors both ways": (
        lambda v, m: tile.apply_householder(  # here: tile
            *tile.householder(m), m, transposed=True, triangular=True),
        "expected one of 'transposed' and 'triangular', got both"),
    "diagonal of a vector": (
        lambda v, m: tile.diagonal(v),  # here: tile
        "expected a tile of 2 dimensions or more, got a tile of 8 f32"),
    "diagonal of a text": (
        lambda v, m: tile.add_diagonal(m, "1"),  # here: tile
        "expected a tile, a scalar or a number, got '1'"),
    "transform of real numbers": (
        lambda v, m: tile.fft(v),  # here: tile
        "expected a tile of complex numbers for fft, got tile of 8 f32"),
    "transform of a number": (
        lambda v, m: tile.fft(3),  # here: tile
        "expected a tile, got 3"),
    "real transform of complex numbers": (
        lambda v, m: tile.rfft(tile.make_complex(v, v)),  # here: tile
        "expected a tile of float numbers for rfft, got tile of 8 complex64"),
    "norm of a transform": (
        lambda v, m: tile.rfft(v, norm="both"),  # here: tile
        "expected a norm of backward, forward, ortho, got 'both'"),
    "length of a transform": (
        lambda v, m: tile.irfft(tile.make_complex(v, v), 8),  # here: tile
        "expected 5 numbers for 8 real ones, got 8"),
    "length of a text": (
        lambda v, m: tile.irfft(tile.make_complex(v, v), "8"),  # here: tile
        "expected a positive length, got '8'"),
    "plan of a transform": (
        lambda v, m: tile.fft(tile.make_complex(v, v), plan="fast"),  # here: tile
        "expected '#tile.fft_plan<...>', got 'fast'"),
})
