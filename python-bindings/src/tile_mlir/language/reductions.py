# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions that combine the elements of a tile: along one axis, or all of them to a
scalar."""

from __future__ import annotations

import builtins
import math
from typing import (Any, Callable, Literal, Optional, Protocol, Sequence, Union,
                    cast, overload)

from .. import elements
from ..elements import DType, Element, Number
from ..ir import Attribute, Block, TileType, Value, format_typed_number
from ..tracing.objects import call_unchanged
from ..tracing.trace import builder, check_word, describe, fail
from ..tracing.values import (Axes, Operand, Scalar, Tile, Traced, check_tile,
                              is_operand)
from . import compute, promotion
from .compute import Result, ScalarOperand, convert, wrap
from .memory import check_axis, check_extent, list_axes
from .shapes import iota

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


class Reduction(Protocol):
    """A scalar of all elements, a tile of those along an axis, or along several. If
    no axis is left it is a scalar too, which static checks do not see."""

    @overload
    def __call__(self, tile: Tile, axis: None = ...,
                 keepdims: Literal[False] = ...) -> Scalar: ...

    @overload
    def __call__(self, tile: Tile, axis: Axes, keepdims: bool = ...) -> Tile: ...

    @overload
    def __call__(self, tile: Tile, axis: Optional[Axes] = ..., *,
                 keepdims: Literal[True]) -> Tile: ...

    @overload
    def __call__(self, tile: Tile, axis: Optional[Axes] = ...,
                 keepdims: bool = ...) -> Result: ...


def _reduction(function: Callable[..., Result]) -> Reduction:
    return cast(Reduction, function)


def _unpack(value: Value) -> Result:
    """A tile of rank zero as its element."""
    tile = Tile(value)
    if tile.shape != ():
        return tile
    [element] = builder().tile("extract", source=value, indices=[],
                               results=[tile.dtype])
    return Scalar(element)


def _combine(kind: str, tile: object, axis: Optional[Axes], keepdims: bool
             ) -> Result:
    if not isinstance(tile, Tile):
        fail(f"expected a tile, got {describe(tile)}")
    if compute.is_f8(tile.dtype) and kind in ("max", "min"):
        wide = _combine(kind, compute.widen_f8(tile), axis, keepdims)
        return convert(wide, tile.dtype)
    if isinstance(axis, (tuple, list)):
        return _combine_along(kind, tile, list_axes(axis, tile.ndim), keepdims)
    at = None if axis is None else check_axis(axis, tile.ndim)
    [value] = builder().tile(
        "reduce", kind=kind, sources=tile.value, axis=at, keep=keepdims,
        results=[_get_result_type(tile, at, keepdims)])
    return _unpack(value)


def _combine_along(kind: str, tile: Tile, axes: list[int], keepdims: bool) -> Result:
    """Reduces along one axis after the other, the last one first. Sums and products of
    f16, bf16 and f8 are in f32 until the end."""
    if len(axes) == tile.ndim:
        return _combine(kind, tile, None, keepdims)
    of = tile.dtype
    is_narrow = of.kind == "float" and of.bits < 32 and kind in ("add", "mul")
    found = convert(tile, elements.f32) if is_narrow else tile
    for axis in reversed(axes):
        found = cast(Tile, _combine(kind, found, axis, keepdims))
    return convert(found, of)


def _get_ordered_kind(kind: str, tile: object) -> str:
    return f"u{kind}" if isinstance(tile, Tile) and _is_unsigned(tile) else kind


def _is_unsigned(tile: Tile) -> bool:
    """Whether elements have no sign: True is one."""
    return tile.dtype.is_unsigned or tile.dtype.kind == "bool"


@overload
def sum(tile: Tile, axis: None = ..., keepdims: Literal[False] = ...,
        dtype: Optional[DType] = ...) -> Scalar: ...


@overload
def sum(tile: Tile, axis: Axes, keepdims: bool = ...,
        dtype: Optional[DType] = ...) -> Tile: ...


@overload
def sum(tile: Tile, axis: Optional[Axes] = ..., *, keepdims: Literal[True],
        dtype: Optional[DType] = ...) -> Tile: ...


@overload
def sum(tile: Tile, axis: Optional[Axes] = ..., keepdims: bool = ...,
        dtype: Optional[DType] = ...) -> Result: ...


def sum(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False,
        dtype: Optional[DType] = None) -> Result:
    """The sum, in `dtype` if one is given: else that of f16, bf16 and f8 is summed
    in f32 and rounded once, that of bools and of integers of less than 32 bits is an
    i32, or a u32."""
    tile = _widen_integers(tile) if dtype is None else convert(tile, dtype)
    return _combine("add", tile, axis, keepdims)


def _widen_integers(tile: Tile) -> Tile:
    """Converts bools and integers of less than 32 bits to 32 bits, since sums and
    products of them soon leave their type."""
    of = check_tile(tile).dtype
    if of.kind not in ("bool", "int") or of.bits >= 32:
        return tile
    return convert(tile, elements.u32 if of.is_unsigned else elements.i32)


@_reduction
def prod(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """The product, in the type that `sum` has."""
    return _combine("mul", _widen_integers(tile), axis, keepdims)


@_reduction
def max(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """The greatest element, NaN if one is."""
    return _combine(_get_ordered_kind("max", tile), tile, axis, keepdims)


@_reduction
def min(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """The least element, NaN if one is."""
    return _combine(_get_ordered_kind("min", tile), tile, axis, keepdims)


@_reduction
def any(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """Whether an element holds, or is not zero."""
    return _combine("or", convert(tile, elements.bool_), axis, keepdims)


@_reduction
def all(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """Whether all elements hold, or none is zero."""
    return _combine("and", convert(tile, elements.bool_), axis, keepdims)


@_reduction
def mean(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """The sum divided by the count of elements; f16 and bf16 are in f32 until the end,
    integers are computed as f32."""
    to = check_tile(tile).dtype
    count = math.prod(tile.shape[at] for at in list_axes(axis, tile.ndim))
    result = compute.divide(sum(_widen(tile), axis, keepdims), count)
    return convert(result, to) if to.kind in ("float", "complex") else result


def _widen(tile: Tile) -> Tile:
    """Returns complex numbers, f64 and f32 as they are, and other types as f32."""
    is_wide = tile.dtype.kind == "complex" or tile.dtype == elements.f64
    return tile if is_wide else convert(tile, elements.f32)


@_reduction
def var(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """The mean of the squared differences of the elements from their mean; f16 and bf16
    are in f32 until the end, integers are computed as f32, and complex numbers give a
    real one."""
    return _convert_back(_compute_variance(tile, axis, keepdims), tile)


@_reduction
def std(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """The square root of the variance."""
    return _convert_back(compute.sqrt(_compute_variance(tile, axis, keepdims)), tile)


def _compute_variance(tile: Tile, axis: Optional[Axes], keepdims: bool) -> Result:
    wide = _widen(check_tile(tile))
    rest = wide - mean(wide, axis, keepdims=True)
    return mean(compute.square_size(rest), axis, keepdims)


def _convert_back(result: Result, tile: Tile) -> Result:
    """Converts to the type of the elements, or of their parts, if it has a point."""
    part = tile.dtype.part
    return convert(result, part) if part.kind == "float" else result


@_reduction
def logsumexp(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
              ) -> Result:
    """The logarithm of the sum of exp of the elements, without overflow; f16 and bf16
    are in f32 until the end, integers are computed as f32."""
    wide = _widen(check_tile(tile))
    top = max(wide, axis, keepdims=True)
    top = compute.where(compute.isfinite(top), top, 0)
    found = compute.log(sum(compute.exp(wide - top), axis, keepdims=True)) + top
    # The sum drops the axes, which have one element each.
    return _convert_back(found if keepdims else sum(found, axis), tile)


@_reduction
def argmax(tile: Tile, axis: Optional[int] = None, keepdims: bool = False
        ) -> Result:
    """The index of the greatest element, as i32: the first of equal ones, and of
    NaN."""
    return _find("max", tile, axis, keepdims)[1]


@_reduction
def argmin(tile: Tile, axis: Optional[int] = None, keepdims: bool = False
        ) -> Result:
    """The index of the least element, as i32: the first of equal ones, and of NaN."""
    return _find("min", tile, axis, keepdims)[1]


def find_max(tile: Tile, axis: Optional[int] = None, keepdims: bool = False
             ) -> tuple[Result, Result]:
    """The greatest element, and its index as of `argmax`."""
    return _find("max", tile, axis, keepdims)


def find_min(tile: Tile, axis: Optional[int] = None, keepdims: bool = False
             ) -> tuple[Result, Result]:
    """The least element, and its index as of `argmin`."""
    return _find("min", tile, axis, keepdims)


def _find(kind: str, tile: Tile, axis: Optional[int], keepdims: bool
          ) -> tuple[Result, Result]:
    wide = compute.widen_f8(check_tile(tile))
    at = None if axis is None else check_axis(axis, tile.ndim)
    value, index = builder().tile(
        "arg_reduce", kind=_get_ordered_kind(kind, tile), source=wide.value,
        axis=at, keep=keepdims,
        results=[_get_result_type(wide, at, keepdims),
                 _get_result_type(wide, at, keepdims, elements.i32)])
    return convert(_unpack(value), tile.dtype), _unpack(index)


def cumsum(tile: Tile, axis: int = -1, *, exclusive: bool = False,
           reverse: bool = False) -> Tile:
    """Each element's sum with those before it. With `exclusive` it has only those
    before it; with `reverse` it sums with those after it. Bools and integers of less
    than 32 bits count as i32, or as u32."""
    return _scan_kind("add", _widen_integers(tile), axis, exclusive, reverse)


def cumprod(tile: Tile, axis: int = -1, *, exclusive: bool = False,
            reverse: bool = False) -> Tile:
    """Each element's product with those before it; the options are those of
    `cumsum`."""
    return _scan_kind("mul", _widen_integers(tile), axis, exclusive, reverse)


def cummax(tile: Tile, axis: int = -1, *, exclusive: bool = False,
           reverse: bool = False) -> Tile:
    """The greatest of each element and those before it; the options are those of
    `cumsum`."""
    return _scan_kind(_get_ordered_kind("max", tile), tile, axis, exclusive,
                      reverse)


def cummin(tile: Tile, axis: int = -1, *, exclusive: bool = False,
           reverse: bool = False) -> Tile:
    """The least of each element and those before it; the options are those of
    `cumsum`."""
    return _scan_kind(_get_ordered_kind("min", tile), tile, axis, exclusive,
                      reverse)


def _scan_kind(kind: str, tile: Tile, axis: int, exclusive: bool, reverse: bool
               ) -> Tile:
    check_tile(tile, 1)
    if compute.is_f8(tile.dtype) and kind in ("max", "min"):
        wide = _scan_kind(kind, compute.widen_f8(tile), axis, exclusive, reverse)
        return convert(wide, tile.dtype)
    [value] = builder().tile(
        "scan", kind=kind, sources=tile.value, axis=check_axis(axis, tile.ndim),
        exclusive=exclusive, reverse=reverse, results=[tile.type])
    return Tile(value)


def softmax(tile: Tile, axis: Axes = -1) -> Tile:
    """exp of each element divided by the sum of those along the axis, or along several;
    the greatest is subtracted before. Elements of f16, bf16 and f8 are in f32 until the
    end; integers are computed as f32."""
    wide = _widen(check_tile(tile))
    power = compute.exp(wide - max(wide, axis, keepdims=True))
    return cast(Tile, _convert_back(power / sum(power, axis, keepdims=True), tile))


def log_softmax(tile: Tile, axis: Axes = -1) -> Tile:
    """The logarithm of `softmax`, right where that is zero: of f16 and bf16 in f32
    until the end, of integers as f32."""
    wide = _widen(check_tile(tile))
    rest = wide - max(wide, axis, keepdims=True)
    found = rest - compute.log(sum(compute.exp(rest), axis, keepdims=True))
    return cast(Tile, _convert_back(found, tile))


def sort(tile: Tile, axis: int = -1, *, descending: bool = False) -> Tile:
    """The elements in order along an axis, False before True, NaN last."""
    check_tile(tile)
    [value] = builder().tile(
        "sort", sources=tile.value, axis=check_axis(axis, tile.ndim),
        descending=descending, unsigned_integer=_is_unsigned(tile),
        results=[tile.type])
    return Tile(value)


def sort_by_key(keys: Tile, *values: Tile, axis: int = -1,
                descending: bool = False) -> tuple[Tile, ...]:
    """Keys in order along an axis, and other tiles of their shape in the same
    order."""
    for tile in (keys, *values):
        check_tile(tile, 1)
    sources = (keys, *values)
    results = builder().tile(
        "sort", sources=[tile.value for tile in sources],
        axis=check_axis(axis, keys.ndim), descending=descending,
        unsigned_integer=_is_unsigned(keys),
        results=[tile.type for tile in sources])
    return tuple(builtins.map(Tile, results))


def argsort(tile: Tile, axis: int = -1, *, descending: bool = False) -> Tile:
    """The indices along an axis from which the elements in order come, as i32: equal
    elements keep their order, NaN is last."""
    check_tile(tile, 1)
    places = iota(tile.shape, axis)
    return sort_by_key(tile, places, axis=axis, descending=descending)[1]


def top_k(tile: Tile, count: int, axis: int = -1, *, least: bool = False
          ) -> tuple[Tile, Tile]:
    """The `count` greatest elements along an axis in order, or the least ones, and
    their indices, as i32."""
    check_tile(tile)
    check_extent(count)
    shape = list(tile.shape)
    shape[check_axis(axis, tile.ndim)] = count
    values, indices = builder().tile(
        "top_k", source=tile.value, axis=check_axis(axis, tile.ndim), least=least,
        unsigned_integer=_is_unsigned(tile),
        results=[TileType(tuple(shape), tile.dtype),
                 TileType(tuple(shape), elements.i32)])
    return Tile(values), Tile(indices)


def histogram(tile: Tile, bins: int, mask: Optional[Tile] = None) -> Tile:
    """How often each integer from zero to one below `bins` occurs, as i32."""
    check_tile(tile)
    check_extent(bins)
    if mask is not None:
        check_tile(mask)
    if tile.dtype.kind == "bool":
        tile = convert(tile, elements.i8)
    [value] = builder().tile("histogram", source=compute.widen_unsigned(tile).value,
                             mask=None if mask is None else mask.value,
                             results=[TileType((bins,), elements.i32)])
    return Tile(value)


# ----------------------------------------------------------------------------
# By a function
# ----------------------------------------------------------------------------

# Results of a function of scalars: one, or a tuple of them.
One = Callable[..., ScalarOperand]
OfOne = Callable[[Scalar], ScalarOperand]
OfTwo = Callable[[Scalar, Scalar], ScalarOperand]
OfThree = Callable[[Scalar, Scalar, Scalar], ScalarOperand]
Several = Callable[..., tuple[ScalarOperand, ...]]
Function = Union[One, Several]


def _trace_elements(function: Function, types: Sequence[Element],
                    results: Optional[Sequence[Element]] = None
                    ) -> tuple[Block, list[Element]]:
    """A region that computes elements by a function of scalars; the types of what
    it yields, converted to `results` if they are given."""
    if not callable(function):
        fail(f"expected a function of scalars, got {describe(function)}")
    with builder().block(types) as block:
        found = call_unchanged("a function of elements",
                               lambda: function(*builtins.map(wrap, block.values)),
                               [function])
        values = found if isinstance(found, tuple) else (found,)
        if results is None:
            results = [_get_result_element(value) for value in values]
        if len(values) != len(results):
            fail(f"expected {len(results)} values of the function, got "
                 f"{len(values)}")
        builder().tile("yield", values=[convert(value, to).value for value, to in
                                        zip(values, results)])
    return block, list(results)


def _get_result_element(value: Operand) -> Element:
    """Returns the element type of the tile that a function's results become."""
    return compute.get_tile_element(promotion.get_common_element((value,)))


@overload
def map(function: OfOne, a: Operand, /) -> Tile: ...


@overload
def map(function: OfTwo, a: Operand, b: Operand, /) -> Tile: ...


@overload
def map(function: OfThree, a: Operand, b: Operand, c: Operand, /) -> Tile: ...


@overload
def map(function: One, *tiles: Operand) -> Tile: ...


@overload
def map(function: Several, *tiles: Operand) -> tuple[Tile, ...]: ...


def map(function: Function, *tiles: Operand
        ) -> Union[Tile, tuple[Tile, ...]]:  # noqa: A001
    """Applies a function of scalars to the elements of tiles at each index; f8 is
    computed as f32. With a tuple of the function there is a tuple of tiles."""
    if not tiles:
        fail("expected one tile or more, got none")
    shape = compute.broadcast_shapes(*builtins.map(compute.get_shape, tiles))
    inputs = [compute.broadcast_to(compute.widen_f8(tile), shape)
              if isinstance(tile, Tile) else
              Tile(compute.to_value(tile, compute.make_tile_type(
                  shape, promotion.get_common_element((tile,))))) for tile in tiles]
    block, types = _trace_elements(function, [tile.dtype for tile in inputs])
    values = builder().tile("map", inputs=[tile.value for tile in inputs],
                            regions=[block],
                            results=[TileType(shape, type) for type in types])
    return Tile(values[0]) if len(values) == 1 else tuple(builtins.map(Tile, values))


Tiles = Union[Tile, Sequence[Tile]]
Numbers = tuple[Number, ...]


_KINDS = ("add", "mul", "min", "max", "umin", "umax", "and", "or", "xor")


def _check_kind(kind: str, tiles: Tiles, identities: object) -> str:
    check_word("a function or a kind", kind, _KINDS)
    if identities is not None:
        fail(f"expected no identities of the kind {kind!r}, got {identities!r}")
    return _get_ordered_kind(kind, tiles) if kind in ("min", "max") else kind


def _widen_sums(kind: str, tiles: Tiles) -> Tile:
    """Widens the elements for sums and products to the type that `sum` has."""
    tile = check_tile(tiles)
    return _widen_integers(tile) if kind in ("add", "mul") else tile


def _check_tiles(tiles: Tiles) -> None:
    """Checks one tile, or several in a sequence."""
    if isinstance(tiles, (tuple, list)):
        if not tiles:
            fail("expected one tile or more, got none")
        for tile in tiles:
            check_tile(tile)
    else:
        check_tile(tiles)


def _combine_by(name: str, function: Function, tiles: Tiles,
                identities: Union[Number, Numbers, None], results: Callable[[Tile], TileType],
                **attributes: Any) -> list[Value]:
    of = [tiles] if isinstance(tiles, Tile) else list(tiles)
    sources = [compute.widen_f8(tile) for tile in of]
    if identities is None:
        fail("expected an identity for each tile, got none")
    numbers = identities if isinstance(identities, tuple) else (identities,)
    for number in numbers:
        if isinstance(number, Traced) or not is_operand(number):
            fail(f"expected numbers as identities, got {describe(number)}")
    if len(numbers) != len(sources):
        fail(f"expected {len(sources)} identities, one for each tile, got "
             f"{len(numbers)}")
    types = [tile.dtype for tile in sources]
    for number, type in zip(numbers, types):
        promotion.check_number(number, type)
        if type.kind == "int" and number != int(elements.get_real(number)):
            fail(f"expected an identity that {type!r} has, got {number}")
    block, _ = _trace_elements(function, types + types, types)
    text = ", ".join(builtins.map(format_typed_number, numbers, types))
    found = builder().tile(name, sources=[tile.value for tile in sources],
                           identities=Attribute(f"[{text}]"), regions=[block],
                           results=[results(tile) for tile in sources],
                           **attributes)
    return [convert(wrap(value), tile.dtype).value for value, tile in zip(found, of)]


@overload
def reduce(function: str, tiles: Tile, identities: None = ..., axis: None = ...,
           keepdims: Literal[False] = ...) -> Scalar: ...


@overload
def reduce(function: str, tiles: Tile, identities: None = ..., *, axis: int,
           keepdims: bool = ...) -> Tile: ...


@overload
def reduce(function: str, tiles: Tile, identities: None = ...,
           axis: Optional[int] = ..., *, keepdims: Literal[True]) -> Tile: ...


@overload
def reduce(function: OfTwo, tiles: Tile, identities: Number, axis: None = ...,
           keepdims: Literal[False] = ..., *,
           commutative: bool = ...) -> Scalar: ...


@overload
def reduce(function: OfTwo, tiles: Tile, identities: Number, axis: int,
           keepdims: bool = ..., *,
           commutative: bool = ...) -> Tile: ...


@overload
def reduce(function: OfTwo, tiles: Tile, identities: Number,
           axis: Optional[int] = ..., *, keepdims: Literal[True],
           commutative: bool = ...) -> Tile: ...


@overload
def reduce(function: Several, tiles: Sequence[Tile], identities: Numbers, axis: None = ...,
           keepdims: Literal[False] = ..., *,
           commutative: bool = ...) -> tuple[Scalar, ...]: ...


@overload
def reduce(function: Several, tiles: Sequence[Tile], identities: Numbers, axis: int,
           keepdims: bool = ..., *,
           commutative: bool = ...) -> tuple[Tile, ...]: ...


@overload
def reduce(function: Several, tiles: Sequence[Tile], identities: Numbers,
           axis: Optional[int] = ..., *, keepdims: Literal[True],
           commutative: bool = ...) -> tuple[Tile, ...]: ...


def reduce(function: Union[str, Function], tiles: Tiles,
           identities: Union[Number, Numbers, None] = None,
           axis: Optional[int] = None, keepdims: bool = False, *,
           commutative: bool = False) -> Union[Result, tuple[Result, ...]]:
    """Elements along an axis, or all, combined by an associative function of two
    scalars. For a tuple of n tiles it takes n scalars twice and gives a tuple.
    Identities are values that change nothing; `commutative` is the assumption that the
    order does not matter, which saves an exchange. A word in place of the function,
    "add", "mul", "min", "max", "and", "or" or "xor", is that of one tile, for integers
    also "umin" and "umax", without identities; sums and products are in the type that
    `sum` has."""
    _check_tiles(tiles)
    if isinstance(function, str):
        kind = _check_kind(function, tiles, identities)
        return _combine(kind, _widen_sums(kind, tiles), axis, keepdims)
    first = tiles if isinstance(tiles, Tile) else tiles[0]
    at = None if axis is None else check_axis(axis, first.ndim)
    values = _combine_by(
        "reduce", function, tiles, identities,
        lambda tile: _get_result_type(tile, at, keepdims), axis=at,
        keep=keepdims, commutative=commutative)
    found = tuple(_unpack(value) for value in values)
    return found[0] if isinstance(tiles, Tile) else found


@overload
def scan(function: str, tiles: Tile, identities: None = ..., axis: int = ..., *,
         exclusive: bool = ..., reverse: bool = ...) -> Tile: ...


@overload
def scan(function: OfTwo, tiles: Tile, identities: Number, axis: int = ..., *,
         exclusive: bool = ..., reverse: bool = ...) -> Tile: ...


@overload
def scan(function: Several, tiles: Sequence[Tile],
         identities: Numbers, axis: int = ..., *,
         exclusive: bool = ..., reverse: bool = ...) -> tuple[Tile, ...]: ...


def scan(function: Union[str, Function], tiles: Tiles,
         identities: Union[Number, Numbers, None] = None, axis: int = -1, *,
         exclusive: bool = False, reverse: bool = False
         ) -> Union[Tile, tuple[Tile, ...]]:
    """Combines as `reduce`, but each element with those before it. With `exclusive` it
    has only those before it; with `reverse` it combines with those after it."""
    _check_tiles(tiles)
    if isinstance(function, str):
        kind = _check_kind(function, tiles, identities)
        return _scan_kind(kind, _widen_sums(kind, tiles), axis, exclusive, reverse)
    first = tiles if isinstance(tiles, Tile) else tiles[0]
    values = _combine_by(
        "scan", function, tiles, identities,
        lambda tile: TileType(tile.shape, tile.dtype),
        axis=check_axis(axis, first.ndim), exclusive=exclusive, reverse=reverse)
    found = tuple(builtins.map(Tile, values))
    return found[0] if isinstance(tiles, Tile) else found
