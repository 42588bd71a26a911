# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of a tile by a kind, such as "add": along one axis, along several axes, or
of all elements to a scalar."""

from __future__ import annotations

import math
from typing import Callable, Literal, Optional, Protocol, cast, overload

from .. import elements
from ..elements import DType, Element
from ..ir import TileType
from ..tracing.trace import builder, describe, fail
from ..tracing.values import Axes, Scalar, Tile, check_tile, methods
from .arithmetic import divide
from .conditions import where
from .conversions import convert, widen_f8
from .extents import check_axis, list_axes
from .functions import exp, isfinite, log, sqrt, square_size
from .operands import Result, is_f8, unpack_element


class Reduction(Protocol):
    """The type of a function that combines all elements of a tile to a scalar, or the
    elements along one or several axes to a tile. If `axis` lists all axes, the result
    is a scalar too, but static checks take it for a tile."""

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


def reduce_by_kind(kind: str, tile: object, axis: Optional[Axes], keepdims: bool
                   ) -> Result:
    if not isinstance(tile, Tile):
        fail(f"expected a tile, got {describe(tile)}")
    if is_f8(tile.dtype) and kind in ("max", "min"):
        wide = reduce_by_kind(kind, widen_f8(tile), axis, keepdims)
        return convert(wide, tile.dtype)
    if isinstance(axis, (tuple, list)):
        return _combine_along(kind, tile, list_axes(axis, tile.ndim), keepdims)
    at = None if axis is None else check_axis(axis, tile.ndim)
    [value] = builder().tile(
        "reduce", kind=kind, sources=tile.value, axis=at, keep=keepdims,
        results=[get_result_type(tile, at, keepdims)])
    return unpack_element(value)


def _combine_along(kind: str, tile: Tile, axes: list[int], keepdims: bool) -> Result:
    """Reduces along one axis after the other, from the last axis to the first. "add"
    and "mul" of f16, bf16 and f8 are computed in f32 and rounded once."""
    if len(axes) == tile.ndim:
        return reduce_by_kind(kind, tile, None, keepdims)
    of = tile.dtype
    is_narrow = of.kind == "float" and of.bits < 32 and kind in ("add", "mul")
    found = convert(tile, elements.f32) if is_narrow else tile
    for axis in reversed(axes):
        found = cast(Tile, reduce_by_kind(kind, found, axis, keepdims))
    return convert(found, of)


def get_result_type(tile: Tile, axis: Optional[int], keepdims: bool,
                    element: Optional[Element] = None) -> TileType:
    shape = list(tile.shape)
    if axis is None:
        shape = [1] * len(shape) if keepdims else []
    elif keepdims:
        shape[axis] = 1
    else:
        del shape[axis]
    return TileType(tuple(shape), element or tile.dtype)


def get_ordered_kind(kind: str, tile: object) -> str:
    return f"u{kind}" if isinstance(tile, Tile) and is_unsigned(tile) else kind


def is_unsigned(tile: Tile) -> bool:
    """Whether operations read the elements as unsigned: unsigned integers, and bools,
    so that True is 1 and not -1."""
    return tile.dtype.is_unsigned or tile.dtype.kind == "bool"


# ----------------------------------------------------------------------------
# By a kind
# ----------------------------------------------------------------------------


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
    """The sum of the elements, in `dtype` if it is given. Otherwise f16, bf16 and f8
    are summed in f32 and rounded once, and bools and integers of less than 32 bits are
    summed in i32, or, if they are unsigned, in u32."""
    tile = widen_integers(tile) if dtype is None else convert(tile, dtype)
    return reduce_by_kind("add", tile, axis, keepdims)


def widen_integers(tile: Tile) -> Tile:
    """Converts bools and integers of less than 32 bits to 32 bits, since `sum` and
    `prod` would soon overflow their type."""
    of = check_tile(tile).dtype
    if of.kind not in ("bool", "int") or of.bits >= 32:
        return tile
    return convert(tile, elements.u32 if of.is_unsigned else elements.i32)


@_reduction
def prod(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """The product of the elements, in the type that `sum` has without `dtype`."""
    return reduce_by_kind("mul", widen_integers(tile), axis, keepdims)


@_reduction
def max(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """The greatest element; NaN if any element is NaN."""
    return reduce_by_kind(get_ordered_kind("max", tile), tile, axis, keepdims)


@_reduction
def min(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """The least element; NaN if any element is NaN."""
    return reduce_by_kind(get_ordered_kind("min", tile), tile, axis, keepdims)


@_reduction
def any(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """Whether any element is true, or not zero."""
    return reduce_by_kind("or", convert(tile, elements.bool_), axis, keepdims)


@_reduction
def all(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """Whether all elements are true, or not zero."""
    return reduce_by_kind("and", convert(tile, elements.bool_), axis, keepdims)


# ----------------------------------------------------------------------------
# Means, and functions of sums
# ----------------------------------------------------------------------------


@_reduction
def mean(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """The sum divided by the count of elements. For f16, bf16 and f8 it is computed in
    f32 and rounded once; integers are converted to f32."""
    to = check_tile(tile).dtype
    count = math.prod(tile.shape[at] for at in list_axes(axis, tile.ndim))
    result = divide(sum(_widen(tile), axis, keepdims), count)
    return convert(result, to) if to.kind in ("float", "complex") else result


def _widen(tile: Tile) -> Tile:
    """Returns complex numbers, f64 and f32 as they are, and other types as f32."""
    is_wide = tile.dtype.kind == "complex" or tile.dtype == elements.f64
    return tile if is_wide else convert(tile, elements.f32)


@_reduction
def var(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """The mean of the squared differences of the elements from their mean. For f16,
    bf16 and f8 it is computed in f32 and rounded once; integers are converted to f32,
    and the variance of complex numbers is real."""
    return _convert_back(_compute_variance(tile, axis, keepdims), tile)


@_reduction
def std(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
        ) -> Result:
    """The square root of the variance."""
    return _convert_back(sqrt(_compute_variance(tile, axis, keepdims)), tile)


def _compute_variance(tile: Tile, axis: Optional[Axes], keepdims: bool) -> Result:
    wide = _widen(check_tile(tile))
    rest = wide - mean(wide, axis, keepdims=True)
    return mean(square_size(rest), axis, keepdims)


def _convert_back(result: Result, tile: Tile) -> Result:
    """Converts a result to the element type of `tile`, or to the type of the parts of
    complex elements. For integers and bools, returns the result as it is."""
    part = tile.dtype.part
    return convert(result, part) if part.kind == "float" else result


@_reduction
def logsumexp(tile: Tile, axis: Optional[Axes] = None, keepdims: bool = False
              ) -> Result:
    """The logarithm of the sum of exp of the elements, without overflow. For f16, bf16
    and f8 it is computed in f32 and rounded once; integers are converted to f32."""
    wide = _widen(check_tile(tile))
    top = max(wide, axis, keepdims=True)
    top = where(isfinite(top), top, 0)
    found = log(sum(exp(wide - top), axis, keepdims=True)) + top
    # The axes have extent one here; the sum over them removes them.
    return _convert_back(found if keepdims else sum(found, axis), tile)


def softmax(tile: Tile, axis: Axes = -1) -> Tile:
    """exp of each element, divided by the sum of exp of the elements along the axis or
    axes. The greatest element is subtracted first. For f16, bf16 and f8 it is computed
    in f32 and rounded once; integers are converted to f32."""
    wide = _widen(check_tile(tile))
    power = exp(wide - max(wide, axis, keepdims=True))
    return cast(Tile, _convert_back(power / sum(power, axis, keepdims=True), tile))


def log_softmax(tile: Tile, axis: Axes = -1) -> Tile:
    """The logarithm of `softmax`, which is accurate also where `softmax` underflows.
    For f16, bf16 and f8 it is computed in f32 and rounded once; integers are converted
    to f32."""
    wide = _widen(check_tile(tile))
    rest = wide - max(wide, axis, keepdims=True)
    found = rest - log(sum(exp(rest), axis, keepdims=True))
    return cast(Tile, _convert_back(found, tile))


# ----------------------------------------------------------------------------
# Indices
# ----------------------------------------------------------------------------


@_reduction
def argmax(tile: Tile, axis: Optional[int] = None, keepdims: bool = False
        ) -> Result:
    """The index of the greatest element, as i32. If several elements are equal, it is
    the first index; if an element is NaN, the index of the first NaN."""
    return _find("max", tile, axis, keepdims)[1]


@_reduction
def argmin(tile: Tile, axis: Optional[int] = None, keepdims: bool = False
        ) -> Result:
    """The index of the least element, as i32. If several elements are equal, it is the
    first index; if an element is NaN, the index of the first NaN."""
    return _find("min", tile, axis, keepdims)[1]


def find_max(tile: Tile, axis: Optional[int] = None, keepdims: bool = False
             ) -> tuple[Result, Result]:
    """The greatest element, and its index as from `argmax`."""
    return _find("max", tile, axis, keepdims)


def find_min(tile: Tile, axis: Optional[int] = None, keepdims: bool = False
             ) -> tuple[Result, Result]:
    """The least element, and its index as from `argmin`."""
    return _find("min", tile, axis, keepdims)


def _find(kind: str, tile: Tile, axis: Optional[int], keepdims: bool
          ) -> tuple[Result, Result]:
    wide = widen_f8(check_tile(tile))
    at = None if axis is None else check_axis(axis, tile.ndim)
    value, index = builder().tile(
        "arg_reduce", kind=get_ordered_kind(kind, tile), source=wide.value,
        axis=at, keep=keepdims,
        results=[get_result_type(wide, at, keepdims),
                 get_result_type(wide, at, keepdims, elements.i32)])
    return convert(unpack_element(value), tile.dtype), unpack_element(index)


methods.sum = sum
methods.prod = prod
methods.max = max
methods.min = min
methods.mean = mean
methods.any = any
methods.all = all
methods.argmax = argmax
methods.argmin = argmin
