# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers and their parts."""

from __future__ import annotations

from typing import Callable, Sequence, TypeVar, overload

from .. import elements
from ..elements import Element
from ..ir import TileType, Value
from ..tracing.trace import builder, describe, fail
from ..tracing.values import Computed, Operand, Scalar, Tile
from . import compute, promotion
from .compute import Result, ScalarOperand

Same = TypeVar("Same", bound=Result)


def real(a: Same) -> Same:
    """The real parts."""
    return _compute("re", a)


def imag(a: Same) -> Same:
    """The imaginary parts."""
    return _compute("im", a)


def conj(a: Same) -> Same:
    """The complex conjugates."""
    return _compute("conj", a)


def absolute(a: Same) -> Same:
    """The sizes of complex numbers."""
    return _compute("abs", a)


def _compute(kind: str, a: Same) -> Same:
    """Computes the conjugates, or their parts."""
    if not isinstance(a, Computed) or a.dtype.kind != "complex":
        fail(f"expected a tile or a scalar of complex numbers, got {describe(a)}")
    element = a.dtype if kind == "conj" else a.dtype.part
    return apply(kind, [a.value], element)  # type: ignore[return-value]


def apply(kind: str, values: Sequence[Value], element: Element) -> Result:
    """The operation of a kind on values of one shape, which gives elements of a
    type."""
    of = values[0].type
    if not isinstance(of, TileType):
        return _apply_to_scalars(kind, values, element)
    [value] = builder().tile("complex", kind=kind, inputs=values,
                             results=[TileType(of.shape, element)])
    return Tile(value)


def _apply_to_scalars(kind: str, values: Sequence[Value], element: Element) -> Scalar:
    if kind in ("re", "im", "create", "mul", "div", "abs"):
        return compute.apply(f"complex.{kind}", values, element)
    x, *rest = map(Scalar, values)
    by_parts: dict[str, Callable[[Scalar, Scalar], Scalar]] = {
        "add": lambda a, b: make_complex(real(a) + real(b), imag(a) + imag(b)),
        "sub": lambda a, b: make_complex(real(a) - real(b), imag(a) - imag(b)),
        "neg": lambda a, _: make_complex(-real(a), -imag(a)),
        "conj": lambda a, _: make_complex(real(a), -imag(a)),
        "exp": lambda a, _: make_complex(compute.cos(imag(a)), compute.sin(imag(a))) *
        compute.exp(real(a)),
    }
    return by_parts[kind](x, rest[0] if rest else x)


@overload
def make_complex(a: Tile, b: Operand) -> Tile: ...


@overload
def make_complex(a: Operand, b: Tile) -> Tile: ...


@overload
def make_complex(a: ScalarOperand, b: ScalarOperand) -> Scalar: ...


def make_complex(a: Operand, b: Operand) -> Result:
    """Makes a + b i of real operands."""
    element = promotion.get_common_element((a, b))
    if element.kind == "complex":
        fail(f"expected real numbers for make_complex, got {element!r}")
    if element != elements.f64:
        element = elements.f32
    values, _ = compute.align((a, b), element)
    return apply("create", values, elements.complex128 if element == elements.f64 else
                 elements.complex64)


def compare(name: str, a: Result, b: Result) -> Result:
    """Compares complex numbers for equality, or inequality."""
    if name not in ("equal", "not_equal"):
        fail("expected real numbers for an order, got complex ones")
    same = compute.bitwise_and(compute.compare_aligned("equal", real(a), real(b)),
                               compute.compare_aligned("equal", imag(a), imag(b)))
    return same if name == "equal" else compute.invert(same)
