# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What combines the elements of a tile: along one axis, or all of them, to a
scalar."""

from __future__ import annotations

import builtins
from typing import Any, Callable, Optional, Sequence

from . import compute, elements
from .compute import convert, wrap
from .elements import DType, Element, Number
from .ir import Attribute, Block, TileType, Value, format_number
from .memory import check_axis
from .trace import builder, fail
from .values import Operand, Scalar, Tile

# ----------------------------------------------------------------------------
# By a kind
# ----------------------------------------------------------------------------


def _get_result_type(tile: Tile, axis: Optional[int], keepdims: bool,
                     element: Optional[Element] = None) -> TileType:
    shape = list(tile.shape)
    if axis is None:
        shape = [1] * len(shape) if keepdims else []
    elif keepdims:
        shape[axis] = 1
    else:
        del shape[axis]
    return TileType(tuple(shape), element or tile.dtype)


def _unpack(value: Value) -> Any:
    """A tile of rank zero as its element."""
    if value.type.shape != ():  # type: ignore[union-attr]
        return Tile(value)
    [element] = builder().tile("extract", source=value, indices=[],
                               results=[value.type.element])  # type: ignore
    return Scalar(element)


def _combine(kind: str, tile: Any, axis: Optional[int], keepdims: bool) -> Any:
    if not isinstance(tile, Tile):
        fail(f"expected a tile, got {tile!r}")
    at = None if axis is None else check_axis(axis, tile.ndim)
    [value] = builder().tile(
        "reduce", kind=kind, sources=tile.value, axis=at, keep=keepdims,
        results=[_get_result_type(tile, at, keepdims)])
    return _unpack(value)


def _get_ordered_kind(kind: str, tile: Any) -> str:
    is_unsigned = isinstance(tile, Tile) and (tile.dtype.is_unsigned or
                                              tile.dtype.kind == "bool")
    return f"u{kind}" if is_unsigned else kind


def sum(tile: Tile, axis: Optional[int] = None, keepdims: bool = False,
        dtype: Optional[DType] = None) -> Any:
    """The sum, in `dtype` if one is given: else that of f16, bf16 and f8 is summed
    in f32 and rounded once, that of bools is an i32."""
    if dtype is None and isinstance(tile, Tile) and tile.dtype.kind == "bool":
        dtype = elements.i32
    if dtype is not None:
        tile = convert(tile, dtype)
    return _combine("add", tile, axis, keepdims)


def prod(tile: Tile, axis: Optional[int] = None, keepdims: bool = False) -> Any:
    """The product."""
    return _combine("mul", tile, axis, keepdims)


def max(tile: Tile, axis: Optional[int] = None, keepdims: bool = False) -> Any:
    """The greatest element, NaN if one is."""
    return _combine(_get_ordered_kind("max", tile), tile, axis, keepdims)


def min(tile: Tile, axis: Optional[int] = None, keepdims: bool = False) -> Any:
    """The least element, NaN if one is."""
    return _combine(_get_ordered_kind("min", tile), tile, axis, keepdims)


def any(tile: Tile, axis: Optional[int] = None, keepdims: bool = False) -> Any:
    """Whether an element holds, or is not zero."""
    return _combine("or", convert(tile, elements.bool_), axis, keepdims)


def all(tile: Tile, axis: Optional[int] = None, keepdims: bool = False) -> Any:
    """Whether all elements hold, or none is zero."""
    return _combine("and", convert(tile, elements.bool_), axis, keepdims)


def mean(tile: Tile, axis: Optional[int] = None, keepdims: bool = False) -> Any:
    """The sum by the number of elements, of f16 and bf16 in f32 until the end, of
    integers as f32."""
    count = tile.size if axis is None else tile.shape[check_axis(axis, tile.ndim)]
    to = tile.dtype
    wide = to if to.kind == "complex" or to == elements.f64 else elements.f32
    result = compute.divide(sum(convert(tile, wide), axis, keepdims), count)
    return convert(result, to) if to.kind in ("float", "complex") else result


def var(tile: Tile, axis: Optional[int] = None, keepdims: bool = False) -> Any:
    """The mean of the squares of what elements differ from their mean by."""
    rest = tile - mean(tile, axis, keepdims=True)
    return mean(rest * rest, axis, keepdims)


def argmax(tile: Tile, axis: Optional[int] = None, keepdims: bool = False, *,
           value: bool = False) -> Any:
    """Where the greatest element is, as i32: the first of equal ones, and of NaN;
    with `value` the element beside it."""
    return _find("max", tile, axis, keepdims, value)


def argmin(tile: Tile, axis: Optional[int] = None, keepdims: bool = False, *,
           value: bool = False) -> Any:
    """Where the least element is, as i32: the first of equal ones, and of NaN; with
    `value` the element beside it."""
    return _find("min", tile, axis, keepdims, value)


def _find(kind: str, tile: Tile, axis: Optional[int], keepdims: bool,
          with_value: bool) -> Any:
    at = None if axis is None else check_axis(axis, tile.ndim)
    value, index = builder().tile(
        "arg_reduce", kind=_get_ordered_kind(kind, tile), source=tile.value,
        axis=at, keep=keepdims,
        results=[_get_result_type(tile, at, keepdims),
                 _get_result_type(tile, at, keepdims, elements.i32)])
    if with_value:
        return _unpack(index), _unpack(value)
    return _unpack(index)


def cumsum(tile: Tile, axis: int = -1, *, exclusive: bool = False,
           reverse: bool = False) -> Tile:
    """Each element's sum with those before it; with `exclusive` of those before
    it alone, with `reverse` with those behind it. Bools count as i32."""
    if isinstance(tile, Tile) and tile.dtype.kind == "bool":
        tile = convert(tile, elements.i32)
    return _scan_kind("add", tile, axis, exclusive, reverse)


def cumprod(tile: Tile, axis: int = -1, *, exclusive: bool = False,
            reverse: bool = False) -> Tile:
    """As `cumsum`, of products."""
    return _scan_kind("mul", tile, axis, exclusive, reverse)


def cummax(tile: Tile, axis: int = -1, *, exclusive: bool = False,
           reverse: bool = False) -> Tile:
    """As `cumsum`, of the greatest."""
    return _scan_kind(_get_ordered_kind("max", tile), tile, axis, exclusive,
                      reverse)


def cummin(tile: Tile, axis: int = -1, *, exclusive: bool = False,
           reverse: bool = False) -> Tile:
    """As `cumsum`, of the least."""
    return _scan_kind(_get_ordered_kind("min", tile), tile, axis, exclusive,
                      reverse)


def _scan_kind(kind: str, tile: Tile, axis: int, exclusive: bool, reverse: bool
               ) -> Tile:
    [value] = builder().tile(
        "scan", kind=kind, sources=tile.value, axis=check_axis(axis, tile.ndim),
        exclusive=exclusive, reverse=reverse, results=[tile.type])
    return Tile(value)


def softmax(tile: Tile, axis: int = -1) -> Tile:
    """exp of each element by the sum of those along the axis; the greatest is
    subtracted before."""
    power = compute.exp(tile - max(tile, axis, keepdims=True))
    return power / sum(power, axis, keepdims=True)


def sort(tile: Tile, axis: int = -1, *, descending: bool = False) -> Tile:
    """The elements in order along an axis, NaN last."""
    [value] = builder().tile(
        "sort", sources=tile.value, axis=check_axis(axis, tile.ndim),
        descending=descending, unsigned_integer=tile.dtype.is_unsigned,
        results=[tile.type])
    return Tile(value)


def sort_by_key(keys: Tile, *values: Tile, axis: int = -1,
                descending: bool = False) -> tuple[Tile, ...]:
    """Keys in order along an axis, and other tiles of their shape in the same
    order."""
    sources = (keys, *values)
    results = builder().tile(
        "sort", sources=[tile.value for tile in sources],
        axis=check_axis(axis, keys.ndim), descending=descending,
        unsigned_integer=keys.dtype.is_unsigned,
        results=[tile.type for tile in sources])
    return tuple(builtins.map(Tile, results))


def top_k(tile: Tile, count: int, axis: int = -1, *, least: bool = False
          ) -> tuple[Tile, Tile]:
    """The `count` greatest elements along an axis in order, or the least ones, and
    where they are, as i32."""
    shape = list(tile.shape)
    shape[check_axis(axis, tile.ndim)] = count
    values, indices = builder().tile(
        "top_k", source=tile.value, axis=check_axis(axis, tile.ndim), least=least,
        unsigned_integer=tile.dtype.is_unsigned,
        results=[TileType(tuple(shape), tile.dtype),
                 TileType(tuple(shape), elements.i32)])
    return Tile(values), Tile(indices)


def histogram(tile: Tile, bins: int, mask: Optional[Tile] = None) -> Tile:
    """How often each number from zero to one below `bins` occurs, as i32."""
    [value] = builder().tile("histogram", source=tile.value,
                             mask=mask and mask.value,
                             results=[TileType((bins,), elements.i32)])
    return Tile(value)


# ----------------------------------------------------------------------------
# By a function
# ----------------------------------------------------------------------------

Function = Callable[..., Any]


def _trace_elements(function: Function, types: Sequence[Element],
                    results: Optional[Sequence[Element]] = None
                    ) -> tuple[Block, list[Element]]:
    """A region that computes elements by a function of scalars; the types of what
    it yields, converted to `results` if they are given."""
    with builder().block(types) as block:
        found = function(*builtins.map(wrap, block.values))
        values = found if isinstance(found, tuple) else (found,)
        if results is None:
            results = [compute.get_common_element((value,)) for value in values]
        if len(values) != len(results):
            fail(f"expected {len(results)} values of the function, got "
                 f"{len(values)}")
        builder().tile("yield", values=[convert(value, to).value for value, to in
                                        zip(values, results)])
    return block, list(results)


def map(function: Function, *tiles: Operand) -> Any:  # noqa: A001
    """A function of scalars, on the elements of tiles at each place. With a tuple
    of the function there is a tuple of tiles."""
    shape = compute.broadcast_shapes(*builtins.map(compute.get_shape, tiles))
    inputs = [compute.broadcast_to(tile, shape) if isinstance(tile, Tile) else
              wrap(compute.to_value(tile, TileType(
                  shape, compute.get_common_element((tile,))))) for tile in tiles]
    block, types = _trace_elements(function, [tile.dtype for tile in inputs])
    values = builder().tile("map", inputs=[tile.value for tile in inputs],
                            regions=[block],
                            results=[TileType(shape, type) for type in types])
    return Tile(values[0]) if len(values) == 1 else tuple(builtins.map(Tile, values))


def _combine_by(name: str, function: Function, tiles: Any,
                identities: Any, results: Callable[[Tile], TileType],
                **attributes: Any) -> list[Value]:
    sources = [tiles] if isinstance(tiles, Tile) else list(tiles)
    numbers = identities if isinstance(identities, tuple) else (identities,)
    if len(numbers) != len(sources):
        fail(f"expected {len(sources)} identities, one for each tile, got "
             f"{len(numbers)}")
    types = [tile.dtype for tile in sources]
    block, _ = _trace_elements(function, types + types, types)
    text = ", ".join(_format_identity(number, type)
                     for number, type in zip(numbers, types))
    return builder().tile(name, sources=[tile.value for tile in sources],
                          identities=Attribute(f"[{text}]"), regions=[block],
                          results=[results(tile) for tile in sources],
                          **attributes)


def _format_identity(number: Number, type: Element) -> str:
    return f"{format_number(number, type)} : {type.mlir}"


def reduce(function: Function, tiles: Any, identities: Any,
           axis: Optional[int] = None, keepdims: bool = False, *,
           commutative: bool = False) -> Any:
    """Elements along an axis, or all, combined by an associative function of two
    scalars. Of a tuple of n tiles it takes n scalars twice and gives a tuple.
    Identities are numbers that change nothing; `commutative` promises that the
    order does not matter, which saves an exchange."""
    first = tiles if isinstance(tiles, Tile) else tiles[0]
    at = None if axis is None else check_axis(axis, first.ndim)
    values = _combine_by(
        "reduce", function, tiles, identities,
        lambda tile: _get_result_type(tile, at, keepdims), axis=at,
        keep=keepdims, commutative=commutative)
    found = tuple(_unpack(value) for value in values)
    return found[0] if isinstance(tiles, Tile) else found


def scan(function: Function, tiles: Any, identities: Any, axis: int = -1, *,
         exclusive: bool = False, reverse: bool = False) -> Any:
    """As `reduce`, each element with those before it."""
    first = tiles if isinstance(tiles, Tile) else tiles[0]
    values = _combine_by(
        "scan", function, tiles, identities,
        lambda tile: TileType(tile.shape, tile.dtype),
        axis=check_axis(axis, first.ndim), exclusive=exclusive, reverse=reverse)
    found = tuple(builtins.map(Tile, values))
    return found[0] if isinstance(tiles, Tile) else found
