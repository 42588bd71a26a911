# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions of operands to another element type, and to a common type and shape.
Shapes are broadcast as in NumPy; a scalar is repeated at every index."""

from __future__ import annotations

from typing import Optional, Sequence, Union, overload

from .. import elements
from ..elements import DType, Element
from ..ir import ComputedType, TileType, Value
from ..tracing.trace import builder, describe, fail, to_element
from ..tracing.values import (Computed, Operand, Scalar, Tile, check_operand,
                              check_tile, methods)
from .casts import convert_real
from .elementwise import apply_complex, compare_values
from .extents import broadcast_shapes, check_axis, check_shape
from .operands import (Result, ScalarOperand, get_common_type, get_element, is_f8,
                       make_type)
from .promotion import check_number


@overload
def convert(operand: Tile, dtype: DType, *, saturate: bool = ...) -> Tile: ...


@overload
def convert(operand: ScalarOperand, dtype: DType, *, saturate: bool = ...
            ) -> Scalar: ...


def convert(operand: Operand, dtype: DType, *, saturate: bool = False) -> Result:
    """Computes `operand.astype(dtype)`, also for a Python value."""
    to = to_element(dtype)
    if not isinstance(operand, Computed):
        check_operand(operand)
        check_number(operand, to)
        return Scalar(builder().constant(operand, to))
    if operand.dtype == to:
        return operand
    if to.kind == "bool":
        return _is_not_zero(operand)
    if "complex" in (operand.dtype.kind, to.kind):
        return _convert_complex(operand, to)
    return convert_real(operand, to, saturate=saturate)


def _is_not_zero(operand: Result) -> Result:
    type = make_type(operand.shape, operand.dtype, isinstance(operand, Tile))
    return compare_values("not_equal", operand.value, builder().constant(0, type))


def _convert_complex(operand: Result, to: Element) -> Result:
    """Converts to a complex type; a complex operand can be converted only to another
    complex type."""
    of = operand.dtype
    if to.kind != "complex":
        fail(f"expected a conversion that keeps the imaginary part, got one of "
             f"{of!r} to {to!r}; 'tile.real' and 'tile.imag' have the parts")
    if of.kind != "complex":
        part = convert(operand, to.part)
        zero = builder().constant(0, make_type(part.shape, to.part,
                                               isinstance(part, Tile)))
        return apply_complex("create", [part.value, zero], to)
    parts = [convert(apply_complex(part, [operand.value], of.part), to.part).value
             for part in ("re", "im")]
    return apply_complex("create", parts, to)


def widen_f8(tile: Tile) -> Tile:
    """Converts f8 to f32; other elements stay."""
    return convert(tile, elements.f32) if is_f8(tile.dtype) else tile


def widen_unsigned(tile: Tile) -> Tile:
    """Converts unsigned integers of less than 64 bits to a wider signed type. The
    operations of the dialect that read all integers as signed then read the same
    values."""
    if tile.dtype.is_unsigned and tile.dtype.bits < 64:
        return convert(tile, elements.i64 if tile.dtype.bits == 32 else elements.i32)
    return tile


def unpack(tile: Tile, bits: int, axis: int = -1, *, unsigned: bool = False
           ) -> Tile:
    """Unpacks integers of 1, 2 or 4 bits, signed unless `unsigned`, from integers that
    hold them along an axis, the lowest bits first. The result has elements of i8, or of
    u8 if `unsigned`, and all unpacked integers along the axis."""
    if not isinstance(tile, Tile) or tile.dtype.kind != "int":
        fail(f"expected a tile of integers, got {describe(tile)}")
    if bits not in (1, 2, 4):
        fail(f"expected numbers of 1, 2 or 4 bits, got {describe(bits)}")
    at = check_axis(axis, tile.ndim)
    shape = list(tile.shape)
    shape[at] *= tile.dtype.bits // bits
    [value] = builder().tile(
        "unpack", source=tile.value, axis=at, bits=bits,
        unsigned_integer=unsigned, results=[
            TileType(tuple(shape), elements.u8 if unsigned else elements.i8)])
    return Tile(value)


# ----------------------------------------------------------------------------
# To a common type and shape
# ----------------------------------------------------------------------------


def align(operands: Sequence[Operand], element: Optional[Element] = None
          ) -> tuple[list[Value], ComputedType]:
    """Returns the operands as values of their common type and shape."""
    type = get_common_type(operands, element)
    return [to_value(x, type) for x in operands], type


def to_value(operand: Operand, type: ComputedType) -> Value:
    """Returns an operand as a value of `type`: converted to the element type and
    broadcast to the shape."""
    element = get_element(type)
    if not isinstance(operand, Computed):
        check_operand(operand)
        check_number(operand, element)
        return builder().constant(operand, type)
    converted = convert(operand, element)
    if not isinstance(type, TileType):
        return converted.value
    if isinstance(converted, Scalar):
        [filled] = builder().tile("fill", value=converted.value, results=[type])
        return filled
    return broadcast_to(converted, type.shape).value


def broadcast_to(tile: Tile, shape: Union[int, Sequence[int]],
                 dims: Optional[Sequence[int]] = None) -> Tile:
    """Repeats the tile along dimensions of extent one, and along new dimensions. New
    dimensions come before the tile's; if `dims` is given, it lists, in ascending order,
    the dimensions of the result that are the tile's, and the others are new."""
    check_tile(tile)
    shape = check_shape(shape)
    if dims is not None:
        return _broadcast_along(tile, shape, tuple(dims))
    if tile.shape == shape:
        return tile
    if broadcast_shapes(tile.shape, shape) != shape:
        fail(f"expected a shape that {tile.shape} can be broadcast to, got "
             f"{shape}")
    [value] = builder().tile("broadcast", source=tile.value,
                             results=[TileType(shape, tile.dtype)])
    return Tile(value)


def _broadcast_along(tile: Tile, shape: tuple[int, ...], dims: tuple[int, ...]
                     ) -> Tile:
    if list(dims) != sorted(set(dims) & set(range(len(shape)))) or \
            len(dims) != tile.ndim:
        fail(f"expected {tile.ndim} of the dimensions from 0 to {len(shape) - 1}, "
             f"in ascending order, got {dims}")
    if any(n not in (1, shape[dim]) for n, dim in zip(tile.shape, dims)):
        fail(f"expected extents of one or of {shape} along {dims}, got "
             f"{tile.shape}")
    [value] = builder().tile("broadcast", source=tile.value, dims=dims,
                             results=[TileType(shape, tile.dtype)])
    return Tile(value)


methods.convert = convert
