# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers and their parts."""

from __future__ import annotations

from typing import Callable, Sequence, TypeVar, overload

from .. import elements
from ..elements import Element
from ..ir import TileType, Value
from ..tracing.trace import describe, fail
from ..tracing.values import Computed, Operand, Scalar, Tile
from . import promotion
from .conversions import align
from .elementwise import apply_complex
from .operands import Result, ScalarOperand

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


def _compute(kind: str, a: Same) -> Same:
    """Computes the conjugates, or the real or imaginary parts."""
    if not isinstance(a, Computed) or a.dtype.kind != "complex":
        fail(f"expected a tile or a scalar of complex numbers, got {describe(a)}")
    element = a.dtype if kind == "conj" else a.dtype.part
    return combine_complex(kind, [a.value], element)  # type: ignore[return-value]


def combine_complex(kind: str, values: Sequence[Value], element: Element) -> Result:
    """Builds an operation of this kind on values of one shape; `element` is the element
    type of the result. Some operations on scalars are computed from their real and
    imaginary parts."""
    if isinstance(values[0].type, TileType) or kind not in _BY_PARTS:
        return apply_complex(kind, values, element)
    a, *rest = map(Scalar, values)
    return _BY_PARTS[kind](a, rest[0] if rest else a)


_BY_PARTS: dict[str, Callable[[Scalar, Scalar], Scalar]] = {
    "add": lambda a, b: make_complex(real(a) + real(b), imag(a) + imag(b)),
    "sub": lambda a, b: make_complex(real(a) - real(b), imag(a) - imag(b)),
    "neg": lambda a, _: make_complex(-real(a), -imag(a)),
    "conj": lambda a, _: make_complex(real(a), -imag(a)),
}


@overload
def make_complex(a: Tile, b: Operand) -> Tile: ...


@overload
def make_complex(a: Operand, b: Tile) -> Tile: ...


@overload
def make_complex(a: ScalarOperand, b: ScalarOperand) -> Scalar: ...


def make_complex(a: Operand, b: Operand) -> Result:
    """Makes a + b i from real operands."""
    element = promotion.get_common_element((a, b))
    if element.kind == "complex":
        fail(f"expected real numbers for make_complex, got {element!r}")
    if element != elements.f64:
        element = elements.f32
    values, _ = align((a, b), element)
    whole = elements.complex128 if element == elements.f64 else elements.complex64
    return combine_complex("create", values, whole)
