# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands of elementwise functions: tiles, scalars and Python numbers, with their
types and shapes, and operations of the program on values of one type and shape."""

from __future__ import annotations

from typing import (Callable, Optional, Protocol, Sequence, TypeGuard, Union, cast,
                    overload)

from .. import elements
from ..elements import Element, Number
from ..ir import Attribute, ComputedType, TileType, Value
from ..tracing.trace import builder
from ..tracing.values import Computed, Operand, Scalar, Tile, Traced
from .extents import broadcast_shapes
from .promotion import get_common_element

# ----------------------------------------------------------------------------
# Types of functions, for static checks
# ----------------------------------------------------------------------------

ScalarOperand = Union[Scalar, Number]
Result = Union[Tile, Scalar]


class Unary(Protocol):
    """The type of a function that returns a tile for a tile, and a scalar for a scalar
    or Python value."""

    @overload
    def __call__(self, a: Tile) -> Tile: ...

    @overload
    def __call__(self, a: ScalarOperand) -> Scalar: ...


class Function(Protocol):
    """The type of a function like `Unary` with the parameter `fast`, which allows an
    approximation by the hardware."""

    @overload
    def __call__(self, a: Tile, *, fast: bool = ...) -> Tile: ...

    @overload
    def __call__(self, a: ScalarOperand, *, fast: bool = ...) -> Scalar: ...


class Binary(Protocol):
    """The type of a function of two operands that returns a tile if an operand is one,
    else a scalar."""

    @overload
    def __call__(self, a: Tile, b: Operand) -> Tile: ...

    @overload
    def __call__(self, a: Operand, b: Tile) -> Tile: ...

    @overload
    def __call__(self, a: ScalarOperand, b: ScalarOperand) -> Scalar: ...


def to_unary(function: Callable[[Operand], Result]) -> Unary:
    return cast(Unary, function)


def to_binary(function: Callable[[Operand, Operand], Result]) -> Binary:
    return cast(Binary, function)


# ----------------------------------------------------------------------------
# Types of values
# ----------------------------------------------------------------------------


def make_type(shape: Sequence[int], element: Element, is_tile: bool
              ) -> ComputedType:
    return make_tile_type(shape, element) if is_tile else element


def make_tile_type(shape: Sequence[int], element: Element) -> TileType:
    """Returns the type of a tile, in which an index is an i64."""
    return TileType(tuple(shape), get_tile_element(element))


def get_tile_element(element: Element) -> Element:
    """Returns the element type of a tile of scalars of type `element`: i64 for index,
    else `element`."""
    return elements.i64 if element == elements.index else element


def get_element(type: ComputedType) -> Element:
    return type.element if isinstance(type, TileType) else type


def get_shape(operand: Operand) -> tuple[int, ...]:
    return operand.shape if isinstance(operand, Computed) else ()


def get_common_type(operands: Sequence[Operand], element: Optional[Element] = None
                    ) -> ComputedType:
    """Returns the type that all operands are converted to. It has the shape to which
    they are broadcast together, and the element type `element`, or, if that is None,
    their common element type."""
    element = element or get_common_element(operands)
    shape = broadcast_shapes(*map(get_shape, operands))
    return make_type(shape, element, any(isinstance(x, Tile) for x in operands))


def is_f8(element: Element) -> bool:
    """Whether a type is one of the floating-point types of 8 bits, which have no
    arithmetic."""
    return element.kind == "float" and element.bits == 8


def is_number(operand: Operand) -> TypeGuard[Number]:
    return not isinstance(operand, Traced)


# ----------------------------------------------------------------------------
# Values
# ----------------------------------------------------------------------------


def wrap(value: Value) -> Result:
    """Returns the `Tile` or `Scalar` for a value of the program."""
    return Tile(value) if isinstance(value.type, TileType) else Scalar(value)


def unpack_element(value: Value) -> Result:
    """Returns the element of a tile of rank zero, and any other value as it is."""
    tile = Tile(value)
    if tile.shape:
        return tile
    [element] = builder().tile("extract", source=value, indices=[],
                               results=[tile.dtype])
    return Scalar(element)


def make_constant(number: Number, like: Operand, element: Element) -> Result:
    """Returns a constant `number` of type `element`: a tile with the shape of `like`,
    or a scalar if `like` is no tile."""
    type = make_type(get_shape(like), element, isinstance(like, Tile))
    return wrap(builder().constant(number, type))


@overload
def operate(name: str, values: Sequence[Value], type: TileType,
            properties: Optional[dict[str, Attribute]] = ...) -> Tile: ...


@overload
def operate(name: str, values: Sequence[Value], type: Element,
            properties: Optional[dict[str, Attribute]] = ...) -> Scalar: ...


def operate(name: str, values: Sequence[Value], type: ComputedType,
            properties: Optional[dict[str, Attribute]] = None) -> Result:
    """Builds an operation of arith, math or complex with one result."""
    [value] = builder().operation(name, values, [type], properties)
    return wrap(value)
