# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic operations on a box of an array, and fences."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from ..ir import TileType
from ..tracing.trace import builder, check_word, fail
from ..tracing.values import Array, Operand
from .boxes import (get_element, make_dims, make_mask, make_offsets, make_tile,
                    note_write)
from .conversions import to_value
from .coordinates import Coordinates
from .extents import Shape, check_shape
from .operands import get_shape, unpack_element
from .updates import UPDATES, get_update_kind


def atomic(kind: str, array: Array, offsets: Coordinates, value: Operand, *,
           expected: Optional[Operand] = None, mask: Optional[Operand] = None,
           dims: Optional[Sequence[int]] = None, order: Optional[str] = None,
           scope: Optional[str] = None, ordered: bool = False,
           in_bounds: bool = False) -> Any:
    """Updates each element of the box atomically, or one element if `value` is a
    scalar, and returns the old value. The box has the shape that `value`, `expected`
    and `mask` are broadcast to together. Kinds are "add", "min", "max", "and", "or",
    "xor", "exchange" and "compare_exchange" (stores `value` where the element is
    `expected`); for an unsigned array "min" and "max" are unsigned. `order` is
    "relaxed", "acquire", "release" or "acq_rel", `scope` "block", "gpu" or "system";
    with `ordered` the blocks update in a fixed order, one after the other."""
    if kind is None:
        fail("expected a kind of atomic operation, got none")
    check_word("a kind", kind, (*UPDATES, "compare_exchange"))
    _check_order(order, ("relaxed", "acquire", "release", "acq_rel"), scope)
    if (kind == "compare_exchange") != (expected is not None):
        given = "none" if expected is None else f"one for {kind!r}"
        fail(f"expected 'expected' for compare_exchange, and for it alone, got {given}")
    tile = make_tile(value, get_element(array), mask,
                     () if expected is None else get_shape(expected))
    note_write(array, value)
    [old] = builder().tile(
        "atomic_rmw", kind=get_update_kind(kind, tile.dtype), value=tile.value,
        dest=array.value, offsets=make_offsets(array, offsets),
        expected=None if expected is None else to_value(expected, tile.type),
        mask=make_mask(mask, tile.type),
        dims=make_dims(array, tile.shape, dims), order=order, scope=scope,
        ordered=ordered, in_bounds=in_bounds, results=[tile.type])
    return unpack_element(old)


def atomic_add(array: Array, offsets: Coordinates, value: Operand, **rest: Any) -> Any:
    """Calls `atomic("add", ...)`."""
    return atomic("add", array, offsets, value, **rest)


def atomic_load(array: Array, offsets: Coordinates, shape: Shape, *,
                order: Optional[str] = None, scope: Optional[str] = None,
                in_bounds: bool = False) -> Any:
    """Loads elements as `load` does, even if other blocks may be writing them by atomic
    operations. `order` is "relaxed", the default, or "acquire"; `scope` is as in
    `atomic`."""
    type = TileType(check_shape(shape), get_element(array))
    _check_order(order, ("relaxed", "acquire"), scope)
    make_dims(array, type.shape, None)
    [value] = builder().tile(
        "atomic_load", source=array.value, offsets=make_offsets(array, offsets),
        order=order, scope=scope, in_bounds=in_bounds, results=[type])
    return unpack_element(value)


def atomic_store(array: Array, offsets: Coordinates, value: Operand, *,
                 order: Optional[str] = None, scope: Optional[str] = None,
                 in_bounds: bool = False) -> None:
    """Stores elements as `store` does, even if other blocks may be reading them by
    atomic operations. `order` is "relaxed", the default, or "release"; `scope` is as in
    `atomic`."""
    tile = make_tile(value, get_element(array), None)
    _check_order(order, ("relaxed", "release"), scope)
    make_dims(array, tile.shape, None)
    note_write(array, value)
    builder().tile(
        "atomic_store", value=tile.value, dest=array.value,
        offsets=make_offsets(array, offsets), order=order, scope=scope,
        in_bounds=in_bounds)


def fence(order: Optional[str] = None, scope: Optional[str] = None) -> None:
    """Orders the block's writes before the fence ("release"), its reads after the fence
    ("acquire") or both ("acq_rel", the default), as seen by the threads of `scope`:
    "gpu", the default, "block" or "system"."""
    _check_order(order, ("acquire", "release", "acq_rel"), scope)
    builder().tile("fence", order=order, scope=scope)


def _check_order(order: Optional[str], orders: Sequence[str],
                 scope: Optional[str]) -> None:
    check_word("an order", order, orders)
    check_word("a scope", scope, ("block", "gpu", "system"))
