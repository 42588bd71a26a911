# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on each element of values of one type and shape: operations of arith and
math, also on f8, operations on complex numbers, and comparisons."""

from __future__ import annotations

from typing import Optional, Sequence, overload

from .. import elements
from ..elements import Element
from ..ir import Attribute, ComputedType, TileType, Value
from ..tracing.trace import builder, fail
from ..tracing.values import Scalar, Tile
from .casts import convert_real
from .operands import Result, get_element, get_shape, is_f8, make_type, operate, wrap


@overload
def apply(name: str, values: Sequence[Value], type: TileType,
          properties: Optional[dict[str, Attribute]] = ...) -> Tile: ...


@overload
def apply(name: str, values: Sequence[Value], type: Element,
          properties: Optional[dict[str, Attribute]] = ...) -> Scalar: ...


def apply(name: str, values: Sequence[Value], type: ComputedType,
          properties: Optional[dict[str, Attribute]] = None) -> Result:
    """Builds an operation of arith or math with one result. f8 is computed in f32, and
    the result is rounded to f8."""
    if is_f8(get_element(values[0].type)):  # type: ignore[arg-type]
        return _apply_to_f8(name, values, type, properties)
    return operate(name, values, type, properties)


def _apply_to_f8(name: str, values: Sequence[Value], type: ComputedType,
                 properties: Optional[dict[str, Attribute]]) -> Result:
    wide = [convert_real(wrap(value), elements.f32).value for value in values]
    element = get_element(type)
    shape = get_shape(wrap(values[0]))
    of = elements.f32 if is_f8(element) else element
    found = operate(name, wide, make_type(shape, of, isinstance(type, TileType)),
                    properties)
    return convert_real(found, element)


def apply_complex(kind: str, values: Sequence[Value], element: Element) -> Result:
    """Builds an operation on complex numbers of one shape, whose result has elements of
    type `element`. For scalars the kinds are "re", "im", "create", "mul", "div" and
    "abs"."""
    of = values[0].type
    if not isinstance(of, TileType):
        return operate(f"complex.{kind}", values, element)
    [value] = builder().tile("complex", kind=kind, inputs=values,
                             results=[TileType(of.shape, element)])
    return Tile(value)


# The predicate codes of arith.cmpf (ordered, except that "not equal" is true for NaN),
# and of signed and unsigned arith.cmpi.
_PREDICATES = {"equal": (1, 0, 0), "not_equal": (13, 1, 1), "less": (4, 2, 6),
               "less_equal": (5, 3, 7), "greater": (2, 4, 8),
               "greater_equal": (3, 5, 9)}


def compare_values(name: str, a: Value, b: Value) -> Result:
    """Compares values of one type by the comparison `name`: "less", "equal", ..."""
    element, result = wrap(a).dtype, _get_truth_type(a)
    if element.kind == "complex":
        return _compare_complex(name, a, b)
    unsigned = element.is_unsigned or element.kind == "bool"
    code = _PREDICATES[name][0 if element.kind == "float" else
                             1 + unsigned]
    return apply("arith.cmpf" if element.kind == "float" else "arith.cmpi",
                 [a, b], result,
                 {"predicate": Attribute(f"{code} : i64")})


def _get_truth_type(value: Value) -> ComputedType:
    whole = wrap(value)
    return make_type(whole.shape, elements.bool_, isinstance(whole, Tile))


def _compare_complex(name: str, a: Value, b: Value) -> Result:
    """Compares complex numbers for equality, or inequality."""
    if name not in ("equal", "not_equal"):
        fail("expected real numbers for an order, got complex ones")
    part, type = wrap(a).dtype.part, _get_truth_type(a)
    equal = [compare_values("equal", apply_complex(kind, [a], part).value,
                            apply_complex(kind, [b], part).value).value
             for kind in ("re", "im")]
    same = operate("arith.andi", equal, type)
    if name == "equal":
        return same
    return operate("arith.xori", [same.value, builder().constant(True, type)], type)
