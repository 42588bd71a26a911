# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maps, reductions and scans of tiles by user-defined functions of scalars."""

from __future__ import annotations

import builtins
from typing import Any, Callable, Literal, Optional, Sequence, Union, overload

from .. import elements
from ..elements import Element, Number
from ..ir import Attribute, Block, TileType, Value, format_typed_number
from ..tracing.objects import call_unchanged
from ..tracing.trace import builder, check_word, describe, fail
from ..tracing.values import Operand, Scalar, Tile, Traced, check_tile, is_operand
from . import promotion
from .conversions import broadcast_to, convert, to_value, widen_f8
from .extents import broadcast_shapes, check_axis
from .operands import (Result, ScalarOperand, get_shape, get_tile_element,
                       make_tile_type, unpack_element, wrap)
from .reductions import (get_ordered_kind, get_result_type, reduce_by_kind,
                         widen_integers)
from .scans import scan_by_kind

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
    """Traces a function of scalars to a region that computes elements. Returns the
    region, and the types of the values that it yields, which are converted to `results`
    if these are given."""
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
    """Returns the element type of the tile of a function's results."""
    return get_tile_element(promotion.get_common_element((value,)))


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
    """Applies a function of scalars to the elements of tiles at each index; elements of
    f8 are converted to f32. If the function returns a tuple, the result is a tuple of
    tiles."""
    if not tiles:
        fail("expected one tile or more, got none")
    shape = broadcast_shapes(*builtins.map(get_shape, tiles))
    inputs = [broadcast_to(widen_f8(tile), shape)
              if isinstance(tile, Tile) else
              Tile(to_value(tile, make_tile_type(
                  shape, promotion.get_common_element((tile,))))) for tile in tiles]
    block, types = _trace_elements(function, [tile.dtype for tile in inputs])
    values = builder().tile("map", inputs=[tile.value for tile in inputs],
                            regions=[block],
                            results=[TileType(shape, type) for type in types])
    return Tile(values[0]) if len(values) == 1 else tuple(builtins.map(Tile, values))


# ----------------------------------------------------------------------------
# Reductions and scans
# ----------------------------------------------------------------------------

Tiles = Union[Tile, Sequence[Tile]]
Numbers = tuple[Number, ...]
_KINDS = ("add", "mul", "min", "max", "umin", "umax", "and", "or", "xor")


def _check_kind(kind: str, tiles: Tiles, identities: object) -> str:
    check_word("a function or a kind", kind, _KINDS)
    if identities is not None:
        fail(f"expected no identities of the kind {kind!r}, got {identities!r}")
    return get_ordered_kind(kind, tiles) if kind in ("min", "max") else kind


def _widen_sums(kind: str, tiles: Tiles) -> Tile:
    """For "add" and "mul", widens the elements to the result type of `sum`."""
    tile = check_tile(tiles)
    return widen_integers(tile) if kind in ("add", "mul") else tile


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
                identities: Union[Number, Numbers, None],
                results: Callable[[Tile], TileType], **attributes: Any) -> list[Value]:
    of = [tiles] if isinstance(tiles, Tile) else list(tiles)
    sources = [widen_f8(tile) for tile in of]
    if identities is None:
        fail("expected an identity for each tile, got none")
    given = identities if isinstance(identities, tuple) else (identities,)
    for identity in given:
        if isinstance(identity, Traced) or not is_operand(identity):
            fail(f"expected numbers as identities, got {describe(identity)}")
    if len(given) != len(sources):
        fail(f"expected {len(sources)} identities, one for each tile, got "
             f"{len(given)}")
    types = [tile.dtype for tile in sources]
    for identity, type in zip(given, types):
        promotion.check_number(identity, type)
        if type.kind == "int" and identity != int(elements.get_real(identity)):
            fail(f"expected an identity that {type!r} has, got {identity}")
    block, _ = _trace_elements(function, types + types, types)
    text = ", ".join(builtins.map(format_typed_number, given, types))
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
def reduce(function: Several, tiles: Sequence[Tile], identities: Numbers,
           axis: None = ..., keepdims: Literal[False] = ..., *,
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
    """Combines elements along an axis, or all elements, by an associative function of
    two scalars. For a tuple of n tiles the function takes 2 n scalars and returns a
    tuple of n. `identities` are the neutral values of the function, one for each tile.
    `commutative` is the assumption that the order of operands does not matter, which
    saves an exchange. Instead of the function, "add", "mul", "min", "max", "and", "or"
    or "xor", and for integers also "umin" and "umax", combine one tile and need no
    identities; "add" and "mul" have the result type of `sum`."""
    _check_tiles(tiles)
    if isinstance(function, str):
        kind = _check_kind(function, tiles, identities)
        return reduce_by_kind(kind, _widen_sums(kind, tiles), axis, keepdims)
    first = tiles if isinstance(tiles, Tile) else tiles[0]
    at = None if axis is None else check_axis(axis, first.ndim)
    values = _combine_by(
        "reduce", function, tiles, identities,
        lambda tile: get_result_type(tile, at, keepdims), axis=at,
        keep=keepdims, commutative=commutative)
    found = tuple(unpack_element(value) for value in values)
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
    """Combines, as `reduce` does, each element with all elements before it along the
    axis. With `exclusive` the element itself is left out; with `reverse` an element is
    combined with the elements after it instead."""
    _check_tiles(tiles)
    if isinstance(function, str):
        kind = _check_kind(function, tiles, identities)
        return scan_by_kind(kind, _widen_sums(kind, tiles), axis, exclusive, reverse)
    first = tiles if isinstance(tiles, Tile) else tiles[0]
    values = _combine_by(
        "scan", function, tiles, identities,
        lambda tile: TileType(tile.shape, tile.dtype),
        axis=check_axis(axis, first.ndim), exclusive=exclusive, reverse=reverse)
    found = tuple(builtins.map(Tile, values))
    return found[0] if isinstance(tiles, Tile) else found
