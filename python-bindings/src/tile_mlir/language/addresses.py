# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays at addresses that are values of the program."""

from __future__ import annotations

from typing import Optional, Sequence, Union

from .. import elements
from ..elements import DType
from ..ir import ArrayType, Value
from ..tracing.trace import builder, describe, fail, to_element
from ..tracing.values import Array, Index, Operand, Scalar
from .conversions import convert
from .coordinates import is_integer, make_index

_MOST_DIMS = 8


def array_at(address: Operand, shape: Union[Index, Sequence[Index]], dtype: DType, *,
             strides: Optional[Sequence[Index]] = None) -> Array:
    """Returns the array whose first element is at `address`, an integer of 64 bits such as
    one that a table of addresses has. Its extents and strides, in elements, may be values
    of the program; without strides it is contiguous. Elements are accessed one by one,
    since no alignment is known. The memory must not overlap an array of the call if
    either is written. On the emulator it must be that of an array of the call."""
    if not is_integer(address):
        fail(f"expected an integer as address, got {describe(address)}")
    several = shape if isinstance(shape, (tuple, list)) else (shape,)
    # Products of extents are those of indices, which do not overflow.
    given: list[Index] = [extent if isinstance(extent, int) else Scalar(make_index(extent))
                          for extent in several]
    if not 1 <= len(given) <= _MOST_DIMS:
        fail(f"expected 1 to {_MOST_DIMS} extents of an array, got {len(given)}")
    if strides is not None and len(strides) != len(given):
        fail(f"expected a stride for each of {len(given)} extents, got {len(strides)}")
    steps = _list_contiguous(given) if strides is None else list(strides)
    extents, open_extents = _split(given)
    fixed_steps, open_steps = _split(steps)
    type = ArrayType(extents, to_element(dtype), fixed_steps)
    [value] = builder().tile(
        "array_at", address=convert(address, elements.i64).value, sizes=open_extents,
        strides=open_steps, results=[type])
    return Array(value)


def _list_contiguous(shape: Sequence[Index]) -> list[Index]:
    """Lists the strides of a contiguous array."""
    steps: list[Index] = [1]
    for extent in reversed(shape[1:]):
        steps.insert(0, extent * steps[0])
    return steps


def _split(numbers: Sequence[Index]) -> tuple[tuple[Optional[int], ...], list[Value]]:
    """Returns the integers that are known while the kernel is traced, None for others, and
    the values of those."""
    for number in numbers:
        if isinstance(number, int) and number < 0:
            fail(f"expected extents and strides that are not negative, got {number}")
    return (tuple(number if isinstance(number, int) else None for number in numbers),
            [make_index(number) for number in numbers if not isinstance(number, int)])
