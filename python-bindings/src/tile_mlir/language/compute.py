# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic, comparisons and functions of each element, on tiles, scalars and Python
numbers. Shapes are broadcast as NumPy's are: a scalar is at every index.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import (Any, Callable, Optional, Protocol, Sequence, TypeGuard,
                    Union, cast, overload)

from .. import elements
from ..elements import DType, Element, Number, is_known_integer
from ..errors import ArgumentError
from ..ir import Attribute, ComputedType, TileType, Value
from ..tracing.trace import builder, describe, fail, to_element
from ..tracing.values import (Computed, Operand, Scalar, Tile, Traced,
                              check_operand, check_tile)
from .promotion import (check_number, find_missing, get_common_element,
                        get_working_element, is_integer)

# ----------------------------------------------------------------------------
# Types of functions, for static checks
# ----------------------------------------------------------------------------

ScalarOperand = Union[Scalar, Number]
Result = Union[Tile, Scalar]


class Unary(Protocol):
    """A function that gives a tile for a tile, a scalar for a scalar or a number."""

    @overload
    def __call__(self, a: Tile) -> Tile: ...

    @overload
    def __call__(self, a: ScalarOperand) -> Scalar: ...


class Function(Protocol):
    """A function as `Unary`, perhaps by an approximation of the hardware."""

    @overload
    def __call__(self, a: Tile, *, fast: bool = ...) -> Tile: ...

    @overload
    def __call__(self, a: ScalarOperand, *, fast: bool = ...) -> Scalar: ...


class Binary(Protocol):
    """A tile if an operand is one, else a scalar."""

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
# Operands
# ----------------------------------------------------------------------------


def wrap(value: Value) -> Result:
    """A value of the program as one of Python's."""
    return Tile(value) if isinstance(value.type, TileType) else Scalar(value)


def make_type(shape: Sequence[int], element: Element, is_tile: bool
              ) -> ComputedType:
    return make_tile_type(shape, element) if is_tile else element


def make_tile_type(shape: Sequence[int], element: Element) -> TileType:
    """Returns the type of a tile, in which an index is an i64."""
    return TileType(tuple(shape), get_tile_element(element))


def get_tile_element(element: Element) -> Element:
    """The type of elements of a tile in place of a scalar's: an index is an i64."""
    return elements.i64 if element == elements.index else element


def make_constant(number: Number, like: Operand, element: Element) -> Result:
    """A number of a type, as a tile of another one's shape or as a scalar."""
    type = make_type(get_shape(like), element, isinstance(like, Tile))
    return wrap(builder().constant(number, type))


def get_shape(operand: Operand) -> tuple[int, ...]:
    return operand.shape if isinstance(operand, Computed) else ()


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """NumPy's rule: last dimensions against last ones, and those of extent one
    repeated."""
    if not can_broadcast(*shapes):
        fail("expected shapes that can be broadcast together, got " +
             " and ".join(map(str, shapes)))
    return tuple(wide.pop() if wide else 1 for wide in _list_wide(shapes))


def can_broadcast(*shapes: tuple[int, ...]) -> bool:
    """Whether there is a shape that all can be repeated to."""
    return all(len(wide) <= 1 for wide in _list_wide(shapes))


def _list_wide(shapes: Sequence[tuple[int, ...]]) -> list[set[int]]:
    """Lists, for each dimension, the extents that are not one."""
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return [{n for n in extents if n != 1} for extents in zip(*padded)]


def get_common_type(operands: Sequence[Operand], element: Optional[Element] = None
                    ) -> ComputedType:
    """The type that all operands are converted to: of one shape, and of an element
    type, their common one if none is given."""
    element = element or get_common_element(operands)
    shape = broadcast_shapes(*map(get_shape, operands))
    return make_type(shape, element, any(isinstance(x, Tile) for x in operands))


def align(operands: Sequence[Operand], element: Optional[Element] = None
          ) -> tuple[list[Value], ComputedType]:
    """The operands as values of their common type."""
    type = get_common_type(operands, element)
    return [to_value(x, type) for x in operands], type


def to_value(operand: Operand, type: ComputedType) -> Value:
    """An operand converted to an element type, and broadcast to a shape."""
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
    """The tile repeated along dimensions of extent one, and along new ones: before
    the others, or all but `dims`, in ascending order."""
    check_tile(tile)
    from .memory import check_shape
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


@overload
def apply(name: str, values: Sequence[Value], type: TileType,
          properties: Optional[dict[str, Attribute]] = ...) -> Tile: ...


@overload
def apply(name: str, values: Sequence[Value], type: Element,
          properties: Optional[dict[str, Attribute]] = ...) -> Scalar: ...


def apply(name: str, values: Sequence[Value], type: ComputedType,
          properties: Optional[dict[str, Attribute]] = None) -> Result:
    """An operation of arith or math, of one result. f8 is computed with in f32, which
    is rounded to f8."""
    element = get_element(values[0].type)  # type: ignore[arg-type]
    if is_f8(element) and name not in _MOVES:
        return _apply_to_f8(name, values, type, properties)
    [value] = builder().operation(name, values, [type], properties)
    return wrap(value)


# Operations that move the bits of f8 as they are, and conversions.
_MOVES = ("arith.select", "arith.bitcast", "arith.extf", "arith.truncf", "arith.fptosi",
          "arith.fptoui")


def is_f8(element: Element) -> bool:
    """Whether it is one of the types of floating point that have no arithmetic."""
    return element.kind == "float" and element.bits == 8


def widen_f8(tile: Tile) -> Tile:
    """f8 as f32, other elements as they are."""
    return convert(tile, elements.f32) if is_f8(tile.dtype) else tile


def _apply_to_f8(name: str, values: Sequence[Value], type: ComputedType,
                 properties: Optional[dict[str, Attribute]]) -> Result:
    wide = [convert(wrap(value), elements.f32).value for value in values]
    element = get_element(type)
    shape = get_shape(wrap(values[0]))
    of = elements.f32 if is_f8(element) else element
    found = apply(name, wide, make_type(shape, of, isinstance(type, TileType)),
                  properties)
    return convert(found, element)


def is_number(operand: Operand) -> TypeGuard[Number]:
    return not isinstance(operand, Traced)


# ----------------------------------------------------------------------------
# Conversions
# ----------------------------------------------------------------------------


@overload
def convert(operand: Tile, dtype: DType, *, saturate: bool = ...) -> Tile: ...


@overload
def convert(operand: ScalarOperand, dtype: DType, *, saturate: bool = ...
            ) -> Scalar: ...


def convert(operand: Operand, dtype: DType, *, saturate: bool = False) -> Result:
    """Computes `operand.astype(dtype)`, also for a Python number."""
    to = to_element(dtype)
    if not isinstance(operand, Computed):
        check_operand(operand)
        check_number(operand, to)
        return Scalar(builder().constant(operand, to))
    if operand.dtype == to:
        return operand
    if to.kind == "bool":
        return compare_aligned("not_equal", operand, 0)
    if "complex" in (operand.dtype.kind, to.kind):
        return _convert_complex(operand, to)
    if isinstance(operand, Tile):
        return _convert_tile(operand, to, saturate)
    return _convert_scalar(operand, to, saturate)


def _convert_complex(operand: Result, to: Element) -> Result:
    """Converts to complex numbers, and from them to no others."""
    from .complex_numbers import imag, make_complex, real
    of = operand.dtype
    if to.kind != "complex":
        fail(f"expected a conversion that keeps the imaginary part, got one of "
             f"{of!r} to {to!r}; 'tile.real' and 'tile.imag' have the parts")
    if of.kind != "complex":
        return make_complex(convert(operand, to.part), 0)
    a: Any = convert(real(operand), to.part)
    return make_complex(a, convert(imag(operand), to.part))


def _convert_tile(tile: Tile, to: Element, saturate: bool) -> Tile:
    of = tile.dtype
    if to == elements.index:
        fail("expected tiles of integers with a width, got index")
    if of.mlir == to.mlir:  # of another sign
        return _retype(tile, to)
    unsigned = of.kind == "bool" or (of.is_unsigned if of.kind == "int"
                                     else to.is_unsigned)
    [value] = builder().tile("cast", source=tile.value, saturate=saturate,
                             unsigned_integer=unsigned,
                             results=[TileType(tile.shape, to)])
    return Tile(value)


@overload
def _retype(operand: Tile, to: Element) -> Tile: ...


@overload
def _retype(operand: Scalar, to: Element) -> Scalar: ...


def _retype(operand: Result, to: Element) -> Result:
    """Changes only the signedness, which the program's types do not have."""
    type = make_type(operand.shape, to, isinstance(operand, Tile))
    return wrap(replace(operand.value, type=type))


def _convert_scalar(scalar: Scalar, to: Element, saturate: bool) -> Scalar:
    of = scalar.dtype
    if saturate:
        fail("expected 'saturate' for tiles, got a scalar")
    if of.mlir == to.mlir:
        return _retype(scalar, to)
    if "index" in (of.kind, to.kind):
        return _convert_index(scalar, to)
    if is_f8(of) or is_f8(to):
        return _convert_f8(scalar, to)
    if {of.name, to.name} == {"f16", "bf16"}:
        return _convert_scalar(_convert_scalar(scalar, elements.f32, False), to,
                               False)
    return apply(_get_conversion(of, to), [scalar.value], to)


def _convert_f8(scalar: Scalar, to: Element) -> Scalar:
    """Converts from f8 or to it, over f32, in tiles of one element: scalars have no
    conversion of f8."""
    if elements.f32 not in (scalar.dtype, to):
        return convert(convert(scalar, elements.f32), to)
    [filled] = builder().tile("fill", value=scalar.value,
                              results=[TileType((), scalar.dtype)])
    converted = _convert_tile(Tile(filled), to, False)
    [value] = builder().tile("extract", source=converted.value, indices=[], results=[to])
    return Scalar(value)


def _convert_index(scalar: Scalar, to: Element) -> Scalar:
    """Converts from an index or to one, over 64 bits if the other is no integer."""
    of = scalar.dtype
    if of.kind == "float":
        return _convert_index(_convert_scalar(scalar, elements.i64, False), to)
    if to.kind == "float":
        return _convert_scalar(_convert_index(scalar, elements.i64), to, False)
    unsigned = of.kind == "bool" or of.is_unsigned
    return apply("arith.index_castui" if unsigned else "arith.index_cast",
                 [scalar.value], to)


def _get_conversion(of: Element, to: Element) -> str:
    is_integer = [e.kind in ("bool", "int") for e in (of, to)]
    unsigned = of.kind == "bool" or of.is_unsigned
    if all(is_integer):
        if to.bits < of.bits:
            return "arith.trunci"
        return "arith.extui" if unsigned else "arith.extsi"
    if is_integer[0]:
        return "arith.uitofp" if unsigned else "arith.sitofp"
    if is_integer[1]:
        return "arith.fptoui" if to.is_unsigned else "arith.fptosi"
    return "arith.truncf" if to.bits < of.bits else "arith.extf"


@overload
def bitcast(a: Tile, dtype: DType) -> Tile: ...


@overload
def bitcast(a: Scalar, dtype: DType) -> Scalar: ...


def bitcast(a: Result, dtype: DType) -> Result:
    """Reinterprets the bits as another type of the same width, which is not complex,
    nor an index."""
    to = to_element(dtype)
    if not isinstance(a, (Tile, Scalar)):
        fail(f"expected a tile or a scalar, got {describe(a)}")
    if a.dtype.bits != to.bits or \
            not {a.dtype.kind, to.kind}.isdisjoint(("index", "complex")):
        fail(f"expected types of the same number of bits, not complex and no "
             f"index, got {a.dtype!r} and {to!r}")
    if a.dtype.mlir == to.mlir:
        return _retype(a, to)
    if isinstance(a, Scalar):
        return apply("arith.bitcast", [a.value], to)
    [value] = builder().tile("cast", source=a.value, bitcast=True,
                             results=[TileType(a.shape, to)])
    return Tile(value)


def widen_unsigned(tile: Tile) -> Tile:
    """Integers that operations of the dialect read as signed ones: of less than 64
    bits in a type in which they are."""
    if tile.dtype.is_unsigned and tile.dtype.bits < 64:
        return convert(tile, elements.i64 if tile.dtype.bits == 32 else elements.i32)
    return tile


# ----------------------------------------------------------------------------
# Arithmetic
# ----------------------------------------------------------------------------


def _choose(type: ComputedType, floats: str, signed: str,
            unsigned: Optional[str] = None) -> str:
    """The operation for the elements of a type."""
    element = get_element(type)
    if element.kind == "float":
        return floats
    if element.is_unsigned or element.kind == "bool":
        return unsigned or signed
    return signed


def get_element(type: ComputedType) -> Element:
    return type.element if isinstance(type, TileType) else type


def _is_complex(type: ComputedType) -> bool:
    return get_element(type).kind == "complex"


def _arithmetic(what: str, operands: Sequence[Operand], floats: str, signed: str,
                unsigned: Optional[str] = None,
                complex: Optional[str] = None) -> Result:
    """An operation on operands of their common type; bools count as i32."""
    element = get_working_element(operands)
    if element.kind == "bool":
        element = elements.i32
    values, type = align(operands, element)
    if _is_complex(type):
        return _compute_complex(what, complex, values, type)
    found = apply(_choose(type, floats, signed, unsigned), values, type)
    return _round(found, operands)


def _round(found: Result, operands: Sequence[Operand]) -> Result:
    """Converts a result that was computed in a wider type to the common type of the
    operands."""
    element = get_common_element(operands)
    return convert(found, element) if element.kind == "float" else found


def _compute_complex(what: str, kind: Optional[str], values: Sequence[Value],
                     type: ComputedType) -> Result:
    from . import complex_numbers
    if kind is None:
        fail(f"expected real numbers for {what}, got {get_element(type)!r}")
    return complex_numbers.apply(kind, values, get_element(type))


def _is_complex_and_real(a: Operand, b: Operand) -> TypeGuard[Result]:
    return isinstance(a, Computed) and a.dtype.kind == "complex" and \
        get_common_element((b,)).kind != "complex"


def _scale(a: Result, b: Operand, combine: Callable[[Any, Any], Any]) -> Result:
    """The parts of a complex number with a real one."""
    from .complex_numbers import imag, make_complex, real
    whole: Result = make_complex(combine(real(a), b), combine(imag(a), b))
    return whole


@to_binary
def add(a: Operand, b: Operand) -> Result:
    """a + b."""
    from ..linear_algebra import factorizations as linear_algebra
    fused = linear_algebra.fuse_sum(a, b)
    if fused is not None:
        return fused
    return _arithmetic("+", (a, b), "arith.addf", "arith.addi", complex="add")


@to_binary
def subtract(a: Operand, b: Operand) -> Result:
    """a - b."""
    from ..linear_algebra import factorizations as linear_algebra
    fused = linear_algebra.fuse_difference(a, b)
    if fused is not None:
        return fused
    return _arithmetic("-", (a, b), "arith.subf", "arith.subi", complex="sub")


@to_binary
def multiply(a: Operand, b: Operand) -> Result:
    """a * b."""
    for whole, factor in ((a, b), (b, a)):
        if _is_complex_and_real(whole, factor):
            return _scale(whole, factor, multiply)
    return _arithmetic("*", (a, b), "arith.mulf", "arith.muli", complex="mul")


@to_binary
def divide(a: Operand, b: Operand) -> Result:
    """a / b, of integers as f32."""
    if _is_complex_and_real(a, b):
        return _scale(a, b, divide)
    element = get_working_element((a, b))
    if element.kind not in ("float", "complex"):
        element = elements.f32
    values, type = align((a, b), element)
    if _is_complex(type):
        return _compute_complex("/", "div", values, type)
    return _round(apply("arith.divf", values, type), (a, b))


@to_binary
def floor_divide(a: Operand, b: Operand) -> Result:
    """The greatest integer that is at most a / b, as Python's `//`."""
    element = get_common_element((a, b))
    if element.kind == "float":
        return convert(_divide_floats(a, b)[0], element)
    return _arithmetic("//", (a, b), "", "arith.floordivsi", "arith.divui")


@to_binary
def remainder(a: Operand, b: Operand) -> Result:
    """a - (a // b) * b, of the sign of b as Python's `%`."""
    element = get_common_element((a, b))
    if element.kind == "complex":
        fail(f"expected real numbers for %, got {element!r}")
    if element.kind == "float":
        return convert(_divide_floats(a, b)[1], element)
    if element.is_unsigned:
        return _arithmetic("%", (a, b), "", "arith.remsi", "arith.remui")
    return subtract(a, multiply(floor_divide(a, b), b))


def _divide_floats(a: Operand, b: Operand) -> tuple[Result, Result]:
    """Returns the floor of the quotient and the remainder; f16, bf16 and f8 are
    computed in f32, and a number of Python is rounded to their type before. The
    remainder comes first, since it is exact, and a great quotient is rounded."""
    working = get_working_element((a, b))
    wide = working if working.bits >= 32 else elements.f32
    x, y = (convert(wrap(value), wide) for value in align((a, b), working)[0])
    rest = apply("arith.remf", [x.value, y.value], x.type)  # of the sign of a
    quotient = round(divide(subtract(x, rest), y))
    has_other_sign = compare_aligned("not_equal", compare_aligned("less", rest, 0),
                                     compare_aligned("less", y, 0))
    is_above = bitwise_and(compare_aligned("not_equal", rest, 0), has_other_sign)
    is_zero = compare_aligned("equal", y, 0)
    return (where(is_zero, divide(x, y), subtract(quotient, is_above)),
            where(is_above, add(rest, y), rest))


@overload
def cdiv(a: int, b: int) -> int: ...


@overload
def cdiv(a: Scalar, b: Union[int, Scalar]) -> Scalar: ...


@overload
def cdiv(a: int, b: Scalar) -> Scalar: ...


@overload
def cdiv(a: Tile, b: Operand) -> Tile: ...


@overload
def cdiv(a: Operand, b: Tile) -> Tile: ...


def cdiv(a: Any, b: Any) -> Any:
    """The least integer that is at least a / b."""
    if is_number(a) and is_number(b):
        if not is_known_integer(a) or not is_known_integer(b) or b == 0:
            raise ArgumentError(f"expected integers for cdiv, the second not zero, got "
                                f"{describe(a)} and {describe(b)}")
        return -(-a // b)
    element = get_common_element((a, b))
    if element.kind not in ("int", "index"):
        fail(f"expected integers for cdiv, got {element!r}")
    return _arithmetic("cdiv", (a, b), "", "arith.ceildivsi", "arith.ceildivui")


@to_binary
def power(a: Operand, b: Operand) -> Result:
    """a ** b. For an int of Python up to 64 it multiplies, in the type of a, but f16,
    bf16 and f8 are in f32 until the end; else it computes in floating point. Integers
    are f32, except for an int from zero on."""
    if is_known_integer(b) and not isinstance(b, bool) and abs(int(b)) <= 64:
        return _power_of_int(a, int(b))
    element = get_working_element((a, b))
    if element.kind != "float":
        element = elements.f32
    values, type = align((a, b), element)
    return _round(apply("math.powf", values, type), (a, b))


def _power_of_int(a: Operand, exponent: int) -> Result:
    element = get_common_element((a,))
    is_narrow = element.kind == "float" and element.bits < 32
    if is_narrow or (exponent < 0 and element.kind not in ("float", "complex")):
        a = convert(a, elements.f32)
    found = _multiply_by_itself(a, abs(exponent))
    if exponent < 0:
        found = divide(1.0, found)
    return convert(found, element) if is_narrow else found


def _multiply_by_itself(a: Operand, count: int) -> Result:
    if count == 0:
        values, type = align((a, 1))
        return wrap(to_value(1, type))
    if count == 1:
        return wrap(align((a,))[0][0])
    half = _multiply_by_itself(a, count // 2)
    square = multiply(half, half)
    return multiply(square, a) if count % 2 else square


@to_unary
def negative(a: Operand) -> Result:
    """-a."""
    values, type = align((a,))
    if _is_complex(type):
        return _compute_complex("-", "neg", values, type)
    if get_element(type).kind == "float":
        return apply("arith.negf", values, type)
    return subtract(0, a)


@to_unary
def absolute(a: Operand) -> Result:
    """The absolute value of each number."""
    values, type = align((a,))
    if _is_complex(type):
        from . import complex_numbers
        return complex_numbers.absolute(wrap(values[0]))
    if get_element(type).is_unsigned:
        return wrap(values[0])
    return apply(_choose(type, "math.absf", "math.absi"), values, type)


@to_binary
def maximum(a: Operand, b: Operand) -> Result:
    """The greater of two numbers, NaN if one is."""
    return _choose_extreme("maximum", a, b, "arith.maxsi", "arith.maxui")


@to_binary
def minimum(a: Operand, b: Operand) -> Result:
    """The smaller of two numbers, NaN if one is."""
    return _choose_extreme("minimum", a, b, "arith.minsi", "arith.minui")


def _choose_extreme(name: str, a: Operand, b: Operand, signed: str, unsigned: str
                    ) -> Result:
    """Returns the greater or the smaller one; integers are compared with a number or an
    index by its true value."""
    for one, bound in ((a, b), (b, a)):
        check_operand(bound)
        if not isinstance(one, (Tile, Scalar)):
            continue
        if find_missing(one.dtype, bound) == name:
            return one
        if isinstance(one, Tile) and is_integer(one.dtype) and \
                isinstance(bound, Scalar) and bound.dtype == elements.index:
            return _choose_extreme(name, one, clamp(bound, one.dtype), signed, unsigned)
    if get_common_element((a, b)).kind == "bool":
        values, type = align((a, b))
        return apply(unsigned, values, type)
    return _arithmetic(name, (a, b), f"arith.{name}f", signed, unsigned)


@overload
def clamp(a: Tile, element: Element) -> Tile: ...


@overload
def clamp(a: Scalar, element: Element) -> Scalar: ...


def clamp(a: Result, element: Element) -> Result:
    """Integers as those of another type, the nearest ones that it has."""
    low, high = elements.get_range(element)
    return convert(minimum(maximum(a, low), high), element)


@overload
def clip(a: Tile, low: Optional[Operand] = ..., high: Optional[Operand] = ...
         ) -> Tile: ...


@overload
def clip(a: Operand, low: Tile, high: Optional[Operand] = ...) -> Tile: ...


@overload
def clip(a: Operand, low: Optional[Operand], high: Tile) -> Tile: ...


@overload
def clip(a: ScalarOperand, low: Optional[ScalarOperand] = ...,
         high: Optional[ScalarOperand] = ...) -> Scalar: ...


def clip(a: Operand, low: Optional[Operand] = None, high: Optional[Operand] = None
         ) -> Result:
    """a, but at least `low` and at most `high`, where they are given."""
    check_operand(a)
    if high is None:
        if low is None:
            fail("expected a bound for clip, got none")
        return maximum(a, low)
    return minimum(a if low is None else maximum(a, low), high)


@overload
def fma(a: Tile, b: Operand, c: Operand) -> Tile: ...


@overload
def fma(a: Operand, b: Tile, c: Operand) -> Tile: ...


@overload
def fma(a: Operand, b: Operand, c: Tile) -> Tile: ...


@overload
def fma(a: ScalarOperand, b: ScalarOperand,
        c: ScalarOperand) -> Scalar: ...


def fma(a: Operand, b: Operand, c: Operand) -> Result:
    """a * b + c of numbers of floating point, rounded once."""
    values, type = align((a, b, c), get_working_element((a, b, c)))
    if get_element(type).kind != "float":
        fail(f"expected numbers of floating point for fma, got "
             f"{get_element(type)!r}")
    return _round(apply("math.fma", values, type), (a, b, c))


# ----------------------------------------------------------------------------
# Bits and truth
# ----------------------------------------------------------------------------


def _bits(what: str, a: Operand, b: Operand, name: str,
          unsigned: Optional[str] = None) -> Result:
    values, type = align((a, b), _get_bits_element(what, a, b))
    return apply(_choose(type, "", name, unsigned), values, type)


def _get_bits_element(what: str, a: Operand, b: Operand) -> Element:
    element = get_common_element((a, b))
    if element.kind in ("float", "complex"):
        fail(f"expected integers or bools for {what}, got {element!r}")
    return element


@to_binary
def bitwise_and(a: Operand, b: Operand) -> Result:
    """a & b, of bools "and"."""
    return _bits("&", a, b, "arith.andi")


@to_binary
def bitwise_or(a: Operand, b: Operand) -> Result:
    """a | b, of bools "or"."""
    return _bits("|", a, b, "arith.ori")


@to_binary
def bitwise_xor(a: Operand, b: Operand) -> Result:
    """a ^ b."""
    return _bits("^", a, b, "arith.xori")


@to_binary
def left_shift(a: Operand, b: Operand) -> Result:
    """a << b, zero if b is at least the number of bits. An index b leaves a tile its
    type."""
    return _shift("<<", a, b, "arith.shli")


@to_binary
def right_shift(a: Operand, b: Operand) -> Result:
    """a >> b, of signed integers with the sign. An index b leaves a tile its type."""
    return _shift(">>", a, b, "arith.shrsi", "arith.shrui")


def _shift(what: str, a: Operand, b: Operand, name: str,
           unsigned: Optional[str] = None) -> Result:
    element = _get_bits_element(what, a, b)
    if isinstance(a, Tile) and isinstance(b, Scalar) and b.dtype == elements.index:
        b = clamp(b, a.dtype)
    elif not isinstance(b, Computed):
        b = elements.get_integer(b)
        if b < 0:
            fail(f"expected a shift by zero bits or more, got {describe(b)}")
        if b >= element.bits and (what == "<<" or element.is_unsigned):
            return multiply(a, 0)
        b = min(b, element.bits - 1)
    return _bits(what, a, b, name, unsigned)


@to_unary
def invert(a: Operand) -> Result:
    """~a, of bools "not"."""
    element = get_common_element((a,))
    every = -1
    if element.kind == "bool":
        every = True
    elif element.is_unsigned:
        every = elements.get_range(element)[1]
    return _bits("~", a, every, "arith.xori")


# The numbers of arith.cmpf's ordered predicates and of arith.cmpi's signed and
# unsigned ones; "not equal" is true of NaN.
_PREDICATES = {"equal": (1, 0, 0), "not_equal": (13, 1, 1), "less": (4, 2, 6),
               "less_equal": (5, 3, 7), "greater": (2, 4, 8),
               "greater_equal": (3, 5, 9)}


def compare_aligned(name: str, a: Operand, b: Operand,
                    element: Optional[Element] = None) -> Result:
    """A comparison of values in their common type, or in another one."""
    values, type = align((a, b), element)
    element = get_element(type)
    if element.kind == "complex":
        from . import complex_numbers
        return complex_numbers.compare(name, wrap(values[0]), wrap(values[1]))
    unsigned = element.is_unsigned or element.kind == "bool"
    number = _PREDICATES[name][0 if element.kind == "float" else
                               1 + unsigned]
    result = make_type(get_shape(wrap(values[0])), elements.bool_,
                       isinstance(type, TileType))
    return apply("arith.cmpf" if element.kind == "float" else "arith.cmpi",
                 values, result,
                 {"predicate": Attribute(f"{number} : i64")})


@overload
def where(condition: Tile, a: Operand, b: Operand) -> Tile: ...


@overload
def where(condition: Operand, a: Tile, b: Operand) -> Tile: ...


@overload
def where(condition: Operand, a: Operand, b: Tile) -> Tile: ...


@overload
def where(condition: ScalarOperand, a: ScalarOperand,
          b: ScalarOperand) -> Scalar: ...


def where(condition: Operand, a: Operand, b: Operand) -> Result:
    """a where the condition holds, b elsewhere."""
    chosen = convert(condition, elements.bool_)
    operands = (condition, a, b)
    truth = get_common_type(operands, elements.bool_)
    type = get_common_type(operands, get_common_element((a, b)))
    values = [to_value(chosen, truth), to_value(a, type), to_value(b, type)]
    if not isinstance(type, TileType):
        return apply("arith.select", values, type)
    [value] = builder().tile("select", condition=values[0], true_value=values[1],
                             false_value=values[2], results=[type])
    return Tile(value)


# ----------------------------------------------------------------------------
# Functions
# ----------------------------------------------------------------------------


def _function(name: str, description: str) -> Function:
    """A function of math: of integers as of f32. `fast` allows an approximation
    by the hardware's instruction."""
    def call(a: Operand, *, fast: bool = False) -> Result:
        element = get_common_element((a,))
        if element.kind == "complex":
            return _call_complex(name, a)
        if element.kind != "float":
            element = elements.f32
        values, type = align((a,), element)
        flags = {"fastmath": Attribute("#arith.fastmath<afn>")}
        return apply(f"math.{name}", values, type, flags if fast else None)

    call.__name__ = call.__qualname__ = name.removesuffix("even")
    call.__doc__ = description
    return cast(Function, call)


def _call_complex(name: str, a: Operand) -> Result:
    if name != "exp":
        fail(f"expected real numbers for {name}, got {describe(a)}")
    values, type = align((a,))
    return _compute_complex(name, "exp", values, type)


exp = _function("exp", "e to the power of each number.")
exp2 = _function("exp2", "Two to the power of each number.")
expm1 = _function("expm1", "exp(a) - 1, right where a is small.")
log = _function("log", "The natural logarithm.")
log2 = _function("log2", "The logarithm to base two.")
log10 = _function("log10", "The logarithm to base ten.")
log1p = _function("log1p", "log(1 + a), right where a is small.")
sin = _function("sin", "The sine of an angle in radians.")
cos = _function("cos", "The cosine of an angle in radians.")
tan = _function("tan", "The tangent of an angle in radians.")
asin = _function("asin", "The angle that has such a sine, in radians.")
acos = _function("acos", "The angle that has such a cosine, in radians.")
atan = _function("atan", "The angle that has such a tangent, in radians.")
sinh = _function("sinh", "The hyperbolic sine.")
cosh = _function("cosh", "The hyperbolic cosine.")
tanh = _function("tanh", "The hyperbolic tangent.")
erf = _function("erf", "The error function.")
sqrt = _function("sqrt", "The square root, correctly rounded.")
rsqrt = _function("rsqrt", "One by the square root.")
cbrt = _function("cbrt", "The cube root.")
floor = _function("floor", "The greatest integer that is at most a number.")
ceil = _function("ceil", "The least integer that is at least a number.")
trunc = _function("trunc", "The integer next to a number towards zero.")
round = _function("roundeven", "The nearest integer, the even one of two.")


@to_binary
def atan2(a: Operand, b: Operand) -> Result:
    """The angle of the point (b, a), in radians."""
    return _combine_floats("atan2", a, b)


@to_binary
def copysign(a: Operand, b: Operand) -> Result:
    """The size of a with the sign of b."""
    return _combine_floats("copysign", a, b)


def _combine_floats(name: str, a: Operand, b: Operand) -> Result:
    """A function of math, of integers as of f32."""
    element = get_working_element((a, b))
    if element.kind == "complex":
        fail(f"expected real numbers for {name}, got {element!r}")
    if element.kind != "float":
        element = elements.f32
    values, type = align((a, b), element)
    return _round(apply(f"math.{name}", values, type), (a, b))


@to_unary
def isnan(a: Operand) -> Result:
    """Whether each number is NaN."""
    return compare_aligned("not_equal", a, a)


@to_unary
def isinf(a: Operand) -> Result:
    """Whether each number is infinite; for a complex one whether a part is."""
    if isinstance(a, Computed) and a.dtype.kind == "complex":
        from .complex_numbers import imag, real
        return bitwise_or(isinf(real(a)), isinf(imag(a)))
    return compare_aligned("equal", absolute(_make_float(a)), math.inf)


@to_unary
def isfinite(a: Operand) -> Result:
    """Whether each number is neither infinite nor NaN; for a complex one whether both
    parts are."""
    if isinstance(a, Computed) and a.dtype.kind == "complex":
        from .complex_numbers import imag, real
        return bitwise_and(isfinite(real(a)), isfinite(imag(a)))
    return compare_aligned("less", absolute(_make_float(a)), math.inf)


def _make_float(a: Operand) -> Result:
    """Converts to floating point that has arithmetic and an infinity: integers and f8
    to f32."""
    element = get_common_element((a,))
    has_all = element.kind == "float" and element.bits >= 16
    return convert(a, element if has_all else elements.f32)


@to_unary
def sign(a: Operand) -> Result:
    """-1, 0 or 1 as a number is less than zero, zero or greater; NaN of NaN."""
    least = a if get_common_element((a,)).is_unsigned else \
        where(compare_aligned("less", a, 0), -1, a)
    return where(compare_aligned("greater", a, 0), 1, least)


def square_size(a: Tile) -> Tile:
    """The squares of the absolute values, which are real for complex numbers."""
    if a.dtype.kind == "complex":
        from .complex_numbers import imag, real
        return square_size(real(a)) + square_size(imag(a))
    return a * a


# ----------------------------------------------------------------------------
# Activations
# ----------------------------------------------------------------------------


@to_unary
def relu(a: Operand) -> Result:
    """The greater of a number and zero."""
    return maximum(a, 0)


@to_unary
def sigmoid(a: Operand) -> Result:
    """1 / (1 + exp(-a)), of f16, bf16 and f8 in f32 until the end."""
    return _in_f32("sigmoid", a, _compute_sigmoid)


def _compute_sigmoid(a: Any) -> Any:
    return 1 / (1 + exp(-a))


def _in_f32(name: str, a: Operand, function: Callable[[Any], Result]) -> Result:
    """Computes f16, bf16 and f8 in f32, and rounds once; integers are computed as
    f32."""
    element = get_common_element((a,))
    if element.kind == "complex":
        fail(f"expected real numbers for {name}, got {element!r}")
    if element.kind == "float" and element.bits >= 32:
        return function(a)
    found = function(convert(a, elements.f32))
    return convert(found, element) if element.kind == "float" else found


@to_unary
def silu(a: Operand) -> Result:
    """a * sigmoid(a), of f16, bf16 and f8 in f32 until the end."""
    return _in_f32("silu", a, _compute_silu)


def _compute_silu(a: Any) -> Any:
    return a / (1 + exp(-a))


@to_unary
def softplus(a: Operand) -> Result:
    """log(1 + exp(a)) without overflow, of f16, bf16 and f8 in f32 until the end."""
    return _in_f32("softplus", a, _compute_softplus)


def _compute_softplus(a: Any) -> Any:
    return maximum(a, 0) + log1p(exp(-abs(a)))


@overload
def gelu(a: Tile, *, approximate: bool = ...) -> Tile: ...


@overload
def gelu(a: ScalarOperand, *, approximate: bool = ...) -> Scalar: ...


def gelu(a: Operand, *, approximate: bool = False) -> Result:
    """a times the probability that a normal number is less, by `erf` or by the usual
    approximation with `tanh`; f16, bf16 and f8 are in f32 until the end."""
    return _in_f32("gelu", a, _approximate_gelu if approximate else _compute_gelu)


def _compute_gelu(a: Any) -> Any:
    return 0.5 * a * (1 + erf(math.sqrt(0.5) * a))


def _approximate_gelu(a: Any) -> Any:
    inner = math.sqrt(2 / math.pi) * (a + 0.044715 * a * a * a)
    return 0.5 * a * (1 + tanh(inner))
