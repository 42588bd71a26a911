# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types of the reference, by the rules of docs/Python.md: the NumPy type that
holds the values of each, how values are rounded to it, and the common type of two
types. Nothing here comes from the package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

KINDS = ("bool", "index", "int", "float", "complex")


class Refused(Exception):
    """The rules of the language refuse the program: the package must refuse it too."""


class Undecided(Exception):
    """The reference cannot know the result, or does not cover it."""


@dataclass(frozen=True)
class Element:
    """An element type. `dtype` is the type of NumPy that holds its values, which is
    wider for bf16 and f8; `digits` is the precision of a floating-point type and
    `least` the exponent of its smallest subnormal value."""

    name: str
    kind: str
    bits: int
    dtype: Any
    is_unsigned: bool = False
    digits: int = 0
    least: int = 0

    @property
    def is_integer(self) -> bool:
        return self.kind in ("int", "index")

    @property
    def is_native(self) -> bool:
        """Whether NumPy has arrays of this type."""
        return self.name not in ("bf16", "f8e4m3", "f8e5m2")

    @property
    def epsilon(self) -> float:
        """The distance from 1 to the next value."""
        return 2.0 ** (1 - self.digits)

    @property
    def tiny(self) -> float:
        """The smallest positive value."""
        return 2.0 ** self.least

    @property
    def range(self) -> tuple[int, int]:
        """The smallest and the largest integer of an integer type."""
        info = np.iinfo(self.dtype)
        return int(info.min), int(info.max)


def _float(name: str, bits: int, dtype: Any, digits: int, least: int) -> Element:
    return Element(name, "float", bits, dtype, False, digits, least)


bool_ = Element("bool_", "bool", 1, np.bool_)
index = Element("index", "index", 64, np.int64)
INTEGERS = {f"{sign}{bits}": Element(f"{sign}{bits}", "int", bits,
                                     np.dtype(f"{sign}{bits // 8}").type, sign == "u")
            for sign in "iu" for bits in (8, 16, 32, 64)}
i8, i16, i32, i64 = (INTEGERS[f"i{bits}"] for bits in (8, 16, 32, 64))
u8, u16, u32, u64 = (INTEGERS[f"u{bits}"] for bits in (8, 16, 32, 64))
f16 = _float("f16", 16, np.float16, 11, -24)
bf16 = _float("bf16", 16, np.float32, 8, -133)
f32 = _float("f32", 32, np.float32, 24, -149)
f64 = _float("f64", 64, np.float64, 53, -1074)
f8e4m3 = _float("f8e4m3", 8, np.float32, 4, -9)
f8e5m2 = _float("f8e5m2", 8, np.float32, 3, -16)
complex64 = Element("complex64", "complex", 64, np.complex64, False, 24, -149)
complex128 = Element("complex128", "complex", 128, np.complex128, False, 53, -1074)

ELEMENTS = {element.name: element for element in (
    bool_, index, *INTEGERS.values(), f16, bf16, f32, f64, f8e4m3, f8e5m2, complex64,
    complex128)}

_LARGEST = {"bf16": 2.0 ** 128 - 2.0 ** 120, "f8e4m3": 448.0, "f8e5m2": 57344.0}


def find_element(dtype: Any) -> Element:
    """Returns the element type of an array or a scalar of NumPy."""
    name = np.dtype(dtype).name
    if name == "bool":
        return bool_
    short = name.replace("uint", "u").replace("int", "i").replace("float", "f")
    return ELEMENTS[name if name.startswith("complex") else short]


def get_part(element: Element) -> Element:
    """Returns the type of the parts of a complex type; any other type itself."""
    return {"complex64": f32, "complex128": f64}.get(element.name, element)


def round_to(values: Any, element: Element) -> Any:
    """Rounds real values of f32 or f64 once, to nearest even."""
    values = np.asarray(values)
    with np.errstate(all="ignore"):
        if element.is_native:
            return values.astype(element.dtype)
        return _round(values.astype(np.float64), element).astype(np.float32)


def _round(values: Any, element: Element) -> Any:
    """Rounds to a type that NumPy does not have. Values beyond the range of bf16 become
    infinite; values beyond the range of an f8 type become its largest value."""
    _, exponents = np.frexp(values)
    steps = np.ldexp(1.0, np.maximum(exponents - element.digits, element.least))
    rounded = np.where(np.isfinite(values), np.rint(values / steps) * steps, values)
    largest = _LARGEST[element.name]
    end = np.copysign(np.inf if element is bf16 else largest, values)
    return np.where(np.abs(rounded) > largest, end, rounded)


def promote(a: Element, b: Element) -> Element:
    """Returns the result type of an operation on elements of two types. For types of
    one kind it is the wider one; for f16 and bf16, f32; for signed and unsigned
    integers, a signed type with the values of both, which does not exist for u64. For
    types of two kinds it has the later kind in `KINDS`. An index counts as an i64."""
    if a == b:
        return a
    if u64 in (a, b) and any(e.is_integer and not e.is_unsigned for e in (a, b)):
        raise Refused("u64 with signed integers")
    low, high = sorted((a, b), key=lambda element: KINDS.index(element.kind))
    if (low.kind, high.kind) == ("index", "int"):
        return index if high.bits < 64 else high
    if low.kind != high.kind:
        is_wide = high.kind == "complex" and low == f64
        return complex128 if is_wide else high
    if a.kind == "int" and a.is_unsigned != b.is_unsigned:
        signed, unsigned = (b, a) if a.is_unsigned else (a, b)
        if signed.bits > unsigned.bits:
            return signed
        return INTEGERS[f"i{2 * unsigned.bits}"]
    return f32 if a.bits == b.bits else max(a, b, key=lambda element: element.bits)


def get_number_kind(number: Any) -> str:
    """Returns the kind of a Python or NumPy scalar."""
    for kind, classes in (("bool", (bool, np.bool_)), ("int", (int, np.integer)),
                          ("float", (float, np.floating)),
                          ("complex", (complex, np.complexfloating))):
        if isinstance(number, classes):
            return kind
    raise Refused(f"a {type(number).__name__} in place of a number")


def promote_number(element: Element, number: Any) -> Element:
    """Returns the result type of an operation on an element and a Python value. It is
    the element's type, if the kind of that is the value's kind or a later one."""
    kind = get_number_kind(number)
    level = KINDS.index("index" if kind == "int" else kind)
    if level <= KINDS.index(element.kind):
        return element
    if kind == "complex":
        return complex128 if element == f64 else complex64
    return i32 if kind == "int" else f32
