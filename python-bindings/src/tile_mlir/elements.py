# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types, their values, and the result type of an operation on two types.

Two types of one kind promote to the wider one; f16 and bf16 promote to f32, as do the
two f8 types. An integer and a floating-point type promote to the floating-point type, a
real and a complex type to the complex type with the wider parts. These rules are
PyTorch's; NumPy promotes i32 and f32 to f64. A Python value takes the type of the other
operand if the kind of that type is the value's own or a later one in `KINDS`. Otherwise
it is an i32, an f32 or a complex64, or a complex128 next to f64. An index, the type of
sizes, coordinates and loop counters, is a signed integer of 64 bits: i64 in a tile.
u64 and a signed type are refused, since no type has all their values. `promotion` has
the other rules for Python's scalars.
"""

from __future__ import annotations

import functools
import importlib
import math
import sys
from dataclasses import dataclass
from typing import Any, Optional, Protocol, TypeGuard, Union

import numpy as np

from .errors import ArgumentError

# The kinds of element types. Two types of different kinds promote to the later kind.
KINDS = ("bool", "index", "int", "float", "complex")


@dataclass(frozen=True)
class Element:
    """A type of elements or of scalars. `name` is MLIR's name, except for unsigned
    integers, which have names such as u32: MLIR's integer types have no signedness,
    only its operations do."""

    name: str
    kind: str
    bits: int
    is_unsigned: bool = False

    @property
    def mlir(self) -> str:
        """The type as MLIR writes it."""
        if self.kind == "int":
            return f"i{self.bits}"
        return self.name

    @property
    def part(self) -> "Element":
        """The type of the real and imaginary parts of a complex type; any other type
        itself."""
        return {"complex64": f32, "complex128": f64}.get(self.spelling, self)

    @property
    def spelling(self) -> str:
        """The name in Python."""
        return _SPELLINGS.get(self.name, self.name)

    def __eq__(self, other: object) -> bool:
        """Compares also with the types of NumPy and PyTorch, as in `x.dtype ==
        np.float32`."""
        found = other if isinstance(other, Element) else find_element(other)
        if found is None:
            return NotImplemented
        return self.name == found.name

    def __repr__(self) -> str:
        return f"tile.{self.spelling}"


_SPELLINGS = {"i1": "bool_", "f8E4M3FN": "f8e4m3", "f8E5M2": "f8e5m2",
              "complex<f32>": "complex64", "complex<f64>": "complex128"}

bool_ = Element("i1", "bool", 1)
index = Element("index", "index", 64)
i8, i16, i32, i64 = (Element(f"i{n}", "int", n) for n in (8, 16, 32, 64))
u8, u16, u32, u64 = (Element(f"u{n}", "int", n, True) for n in (8, 16, 32, 64))
f16, f32, f64 = (Element(f"f{n}", "float", n) for n in (16, 32, 64))
bf16 = Element("bf16", "float", 16)
f8e4m3 = Element("f8E4M3FN", "float", 8)
f8e5m2 = Element("f8E5M2", "float", 8)
complex64 = Element("complex<f32>", "complex", 64)
complex128 = Element("complex<f64>", "complex", 128)

ELEMENTS = (bool_, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64,
            f8e4m3, f8e5m2, complex64, complex128)

# The types by the names of NumPy, ml_dtypes and PyTorch.
_NAMES = {
    "bool": bool_, "int8": i8, "int16": i16, "int32": i32, "int64": i64,
    "uint8": u8, "uint16": u16, "uint32": u32, "uint64": u64,
    "float16": f16, "bfloat16": bf16, "float32": f32, "float64": f64,
    "float8_e4m3fn": f8e4m3, "float8_e5m2": f8e5m2,
    "complex64": complex64, "complex128": complex128,
}

Number = Union[bool, int, float, complex, "np.number[Any]", np.bool_]


class TorchType(Protocol):
    """The type of PyTorch's dtypes for static checks, without an import of PyTorch."""

    @property
    def is_floating_point(self) -> bool: ...


DType = Union[Element, type, str, "np.dtype[Any]", TorchType]


def element(dtype: DType) -> Element:
    """Returns the element type for `dtype`: an `Element`, a type or a type name of
    NumPy, ml_dtypes or PyTorch, or Python's bool, int (i32), float (f32) or complex
    (complex64)."""
    found = dtype if isinstance(dtype, Element) else find_element(dtype)
    if found is None:
        known = ", ".join(repr(e) for e in ELEMENTS)
        raise ArgumentError(f"expected an element type ({known}, or NumPy's or "
                            f"PyTorch's name of one), got {dtype!r}")
    return found


_PYTHON = {bool: bool_, int: i32, float: f32, complex: complex64}


def find_element(dtype: object) -> Optional[Element]:
    """Returns the element type for a type or a type name of another library; None if
    there is none."""
    if isinstance(dtype, type) and dtype in _PYTHON:
        return _PYTHON[dtype]
    return _NAMES.get(_get_name(dtype))


def _get_name(dtype: object) -> str:
    if isinstance(dtype, str):
        return dtype
    if type(dtype).__module__ == "torch":
        return str(dtype).removeprefix("torch.")
    if not isinstance(dtype, (type, np.dtype)):
        return ""
    try:
        return np.dtype(dtype).name
    except TypeError:
        return ""


def get_dtype(which: Element) -> np.dtype[Any]:
    """Returns NumPy's type for arrays of these elements."""
    name = get_name(which)
    try:
        return np.dtype(name)
    except TypeError:
        return _get_extended_dtype(name)


def get_name(which: Element) -> str:
    """Returns the name by which NumPy, ml_dtypes and PyTorch know an element type."""
    for name, found in _NAMES.items():
        if found == which:
            return name
    raise ArgumentError(f"expected a type that arrays have, got {which!r}")


def _get_extended_dtype(name: str) -> np.dtype[Any]:
    try:
        types = importlib.import_module("ml_dtypes")
    except ImportError:
        raise ArgumentError(f"expected the package ml_dtypes for arrays of "
                            f"{name}, found none") from None
    return np.dtype(getattr(types, name))


@functools.lru_cache(maxsize=None)
def promote(a: Element, b: Element) -> Element:
    """Returns the result type of an operation on elements of two types."""
    if a == b:
        return a
    low, high = sorted((a, b), key=lambda e: KINDS.index(e.kind))
    if {a.kind, b.kind} <= {"int", "index"} and _has_no_common_type(a, b):
        raise ArgumentError(f"expected integers that one type has, got {a!r} and "
                            f"{b!r}; '.astype' converts one of them")
    if (low.kind, high.kind) == ("index", "int"):
        return low if high.bits < 64 else high
    if low.kind != high.kind:
        if high.kind == "complex" and low.bits == 64 and low.kind == "float":
            return complex128
        return high
    if a.kind == "int" and a.is_unsigned != b.is_unsigned:
        return _promote_signs(a, b)
    if a.bits == b.bits:  # f16 and bf16, or two of a byte
        return f32
    return max(a, b, key=lambda e: e.bits)


def _has_no_common_type(a: Element, b: Element) -> bool:
    """Whether one type is u64 and the other one is a signed integer type."""
    return u64 in (a, b) and not (a.is_unsigned and b.is_unsigned)


def _promote_signs(a: Element, b: Element) -> Element:
    """Returns the signed integer type that has all values of both types."""
    signed, unsigned = (b, a) if a.is_unsigned else (a, b)
    if signed.bits > unsigned.bits:
        return signed
    return {8: i16, 16: i32, 32: i64}[unsigned.bits]


def promote_number(which: Element, number: Number) -> Element:
    """Returns the result type of an operation on an element of type `which` and
    `number`."""
    kind = get_kind(number)
    # An int counts as an index, so that any integer keeps its type.
    level = KINDS.index("index" if kind == "int" else kind)
    if level <= KINDS.index(which.kind):
        return which
    if kind == "complex":
        return complex128 if which.part == f64 else complex64
    return {"int": i32, "float": f32}[kind]


def get_range(which: Element) -> tuple[int, int]:
    """Returns the least and the greatest value of an integer type."""
    if which.is_unsigned:
        return 0, 2 ** which.bits - 1
    return -2 ** (which.bits - 1), 2 ** (which.bits - 1) - 1


# For each floating-point type, its greatest value, and the least value that is rounded
# to infinity or, for f8e4m3, to NaN.
_LIMITS = {f8e4m3: (448.0, 464.0), f8e5m2: (57344.0, 61440.0),
           f16: (65504.0, 65520.0),
           bf16: ((2 - 2.0 ** -7) * 2.0 ** 127, (2 - 2.0 ** -8) * 2.0 ** 127),
           f32: ((2 - 2.0 ** -23) * 2.0 ** 127, (2 - 2.0 ** -24) * 2.0 ** 127),
           f64: (sys.float_info.max, math.inf)}


def get_limit(which: Element) -> float:
    """Returns the greatest finite value of a floating-point type."""
    return _LIMITS[which][0]


def has_number(which: Element, number: Number) -> bool:
    """Whether the real value `number` is in the range of a type. For an integer type,
    the fraction of `number` is ignored. A floating-point type has the values that stay
    finite when they are rounded, infinities and NaN. bool has all values: zero is
    False, any other value is True."""
    real = get_real(number)
    if which.kind == "bool" or not math.isfinite(real):
        return which.kind in ("bool", "float", "complex")
    if which.kind in ("float", "complex"):
        return abs(real) < _LIMITS[which.part][1]
    low, high = get_range(which)
    return low <= int(real) <= high


def is_known_number(value: object) -> TypeGuard[Number]:
    """Whether `value` is a scalar of Python, or one of NumPy of a type that has an
    `Element`, unlike longdouble and timedelta64."""
    if isinstance(value, (np.number, np.bool_)):
        return find_element(type(value)) is not None
    return isinstance(value, (bool, int, float, complex))


def is_known_integer(value: object) -> TypeGuard[int]:
    """Whether `value` is a Python int or bool, or a NumPy integer."""
    return isinstance(value, (int, np.integer)) and is_known_number(value)


def get_kind(number: Number) -> str:
    """Returns the kind of a scalar of Python or NumPy. Raises an ArgumentError for
    other values."""
    if not is_known_number(number):
        raise ArgumentError(f"expected a number, got {number!r}")
    for kind, types in (("bool", (bool, np.bool_)), ("int", (int, np.integer)),
                        ("float", (float, np.floating)),
                        ("complex", (complex, np.complexfloating))):
        if isinstance(number, types):
            return kind
    raise ArgumentError(f"expected a number, got {number!r}")


def get_real(number: Number) -> float:
    """Returns a real scalar of Python or NumPy as a Python value: integers as an int.
    Raises an ArgumentError for a complex scalar."""
    if isinstance(number, (complex, np.complexfloating)):
        raise ArgumentError(f"expected a real number, got {number!r}")
    if isinstance(number, (np.number, np.bool_)):
        real: float = number.item()
        return real
    return number


def get_integer(number: Number) -> int:
    """Returns `number` truncated towards zero. Raises an ArgumentError if it is not
    finite."""
    real = get_real(number)
    if not math.isfinite(real):
        raise ArgumentError(f"expected a number that integers have, got {number!r}")
    return int(real)
