# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges for loops of the program. A step may be positive or negative, and known only
when the program runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..errors import ArgumentError
from ..ir import Value
from ..language.blocks import is_positive
from ..language.conditions import where
from ..language.coordinates import is_integer, make_index
from ..language.extremes import maximum
from ..tracing.trace import builder, describe, explain_source, fail
from ..tracing.values import Index, Scalar, Traced

_NO_STEP = "expected a step of a range that is not zero, got 0"


class Counting(NamedTuple):
    """An scf.for for a range: the lower bound, the upper bound and the step, which is
    positive, and a function from the induction variable to the element of the range."""

    bounds: tuple[Value, Value, Value]
    get_element: Callable[[Value], Scalar]


class Range:
    """A range that makes a `for` a loop of the program: `tile.range`, or `range` in a
    kernel."""

    def __init__(self, *bounds: Index):
        if not 1 <= len(bounds) <= 3:
            fail(f"expected one to three bounds of a range, got {len(bounds)}")
        for bound in bounds:
            if not is_integer(bound):
                fail(f"expected integers as bounds of a range, got {describe(bound)}")
        # NumPy integers are converted to Python's, whose arithmetic does not wrap.
        bounds = tuple(bound if isinstance(bound, Scalar) else int(bound)
                       for bound in bounds)
        start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else \
            (*bounds, 1)[:3]
        self._set(_as_index(start), _as_index(stop), _as_index(step), _get_sign(step))

    def _set(self, start: Index, stop: Index, step: Index, sign: Index) -> None:
        self._start, self._stop, self._step, self._sign = start, stop, step, sign

    def __iter__(self) -> Iterator[Scalar]:
        fail("expected tile.range in a 'for' of a function with @tile.kernel or "
             "@tile.function whose source can be read, got it elsewhere; "
             "tile.static_range is Python's range" + explain_source())

    def __reversed__(self) -> "Range":
        start, stop, step = self._start, self._stop, self._step
        last = stop - step
        if not (isinstance(step, int) and step in (1, -1)):
            last = start + (self._count() - 1) * step
        result = Range.__new__(Range)
        result._set(last, start - step, -step, -self._sign)
        return result

    def _count(self) -> Any:
        """Returns the count of elements."""
        size = self._step * self._sign
        distance = (self._stop - self._start) * self._sign
        count = (distance + size - 1) // size
        return max(count, 0) if isinstance(count, int) else maximum(count, 0)

    def lower(self) -> Counting:
        """Returns the range as a loop with a positive step. A range that counts down
        becomes a loop over -start, -start + |step|, ... up to -stop."""
        bounds = self._start, self._stop, self._step
        sign = self._sign
        if isinstance(sign, int) and sign == 1:
            return Counting(_make_indices(*bounds), Scalar)
        return Counting(_make_indices(*(bound * sign for bound in bounds)),
                        lambda value: Scalar(value) * sign)


def get_count(counted: Range) -> Any:
    """Returns the count of elements of a range."""
    return counted._count()


def _make_indices(start: Any, stop: Any, step: Any) -> tuple[Value, Value, Value]:
    return make_index(start), make_index(stop), make_index(step)


def _as_index(bound: Index) -> Index:
    return Scalar(make_index(bound)) if isinstance(bound, Scalar) else bound


def _get_sign(step: Index) -> Index:
    """Returns the sign of a step, 1 or -1. A step of zero is an error, during the trace
    or, if the step is known only then, when the program runs."""
    if isinstance(step, int):
        if step == 0:
            fail(_NO_STEP)
        return 1 if step > 0 else -1
    if is_positive(step):
        return 1
    builder().tile("assert", condition=(step != 0).value, message=_NO_STEP)
    return where(step < 0, Scalar(make_index(-1)), Scalar(make_index(1)))


def static_range(*bounds: int) -> range:
    """Returns Python's own range: the body of a `for` over it is traced once for each
    integer."""
    for bound in bounds:
        if isinstance(bound, Traced):
            fail(f"expected bounds of tile.static_range that are known while the "
                 f"kernel is traced, got a {bound!r}")
    try:
        return range(*bounds)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"expected one to three integers as bounds of "
                            f"tile.static_range, the step not zero, got {bounds}"
                            ) from error
