# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The variables and the parts of Python objects that a branch of the program merges:
those whose values after its two sides differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Optional

from .. import elements
from ..elements import Element
from ..ir import ComputedType, Value
from ..language import promotion
from ..language.extents import can_broadcast
from ..language.operands import get_common_type, get_shape
from ..tracing.holders import Holder
from ..tracing.objects import Change
from ..tracing.undefined import Undefined
from ..tracing.values import Scalar, is_operand
from .carried import (Region, Values, check_parts, check_restored, get_part,
                      is_python_number, join_integers, tell, watch_chosen)
from .structures import (Types, bind, collect_leaves, get_leaves, get_outline, is_same,
                         list_types)


class Part(NamedTuple):
    """A part of an object after two branches: its name, and its value after each."""

    name: str
    first: Any
    second: Any


class ChangedObject(NamedTuple):
    """An object that a branch changes, with all its parts."""

    holder: Holder
    parts: dict[Any, Part]

    def write(self, values: Sequence[Any]) -> None:
        """Sets the parts of the object to `values`, their values after both
        branches."""
        self.holder.write({
            key: value for key, value in zip(self.parts, values)
            if not (isinstance(value, Undefined) and self.holder.is_computed(key))})


def pair_changes(region: Region, a: Sequence[Change], b: Sequence[Change]
                 ) -> list[ChangedObject]:
    """Lists the objects that one of two branches, or both, change."""
    check_restored(region, [*a, *b])
    found = []
    for change in {change.holder.key: change for change in [*a, *b]}.values():
        holder, before = change.holder, change.before
        first, second = (_find_contents(changes, change) for changes in (a, b))
        check_parts(region, holder, first, second, "after both branches of an 'if'")
        found.append(ChangedObject(holder, {
            key: Part(holder.spell(key), get_part(holder, first, key),
                      get_part(holder, second, key))
            for key in {**before, **first, **second} if key in first or key in second}))
    return found


def _find_contents(changes: Sequence[Change], like: Change) -> dict[Any, Any]:
    """Returns the contents of the object of `like` after the branch that has made
    `changes`."""
    return next((change.after for change in changes
                 if change.holder.key == like.holder.key), like.before)


class Merged:
    """The variables and the changed parts of objects after two branches."""

    def __init__(self, region: Region, ends: Sequence[Values],
                 changed: Sequence[ChangedObject]):
        first, second = ends
        self._region, self._count, self._changed = region, len(first), changed
        parts = [part for one in changed for part in one.parts.values()]
        self._ends = ([*first, *(part.first for part in parts)],
                      [*second, *(part.second for part in parts)])
        self._names = [*region.names, *(part.name for part in parts)]
        self._merged = [_merge(region, *each) for each in zip(self._names, *self._ends)]

    def get_types(self) -> list[ComputedType]:
        return list_types(types for _, types in self._merged)

    def collect(self, branch: int) -> list[Value]:
        """Returns, as they are at the end of one branch, the leaves that depend on
        which branch runs, converted to their types."""
        return collect_leaves(self._ends[branch], (types for _, types in self._merged))

    def finish(self, results: Sequence[Value]) -> Values:
        """Returns the variables after both branches, and sets the parts of objects."""
        given = iter(results)
        found = [bind(value, types, given) for value, types in self._merged]
        for name, value, (_, types), *among in zip(self._names, found, self._merged,
                                                   *self._ends):
            if types is not None:
                watch_chosen(self._region, name, value, among)
        rest = iter(found[self._count:])
        for one in self._changed:
            one.write([next(rest) for _ in one.parts])
        return tuple(found[:self._count])


def _merge(region: Region, name: str, a: Any, b: Any) -> tuple[Any, Optional[Types]]:
    """Returns the value of a variable after two branches, and the types of its leaves,
    None for those that do not depend on the branch. The types are None if both branches
    have the same object."""
    if a is b:
        return a, None
    if isinstance(a, Undefined) or isinstance(b, Undefined):
        return Undefined(f"expected {name!r} to have a value in both branches of an "
                         "'if', got one in one of them"), None
    if get_outline(a) != get_outline(b):
        region.fail(name, f"expected {name!r} to have one structure in both branches of "
                    f"an 'if', got {tell(a)} and {tell(b)}")
    return a, [_merge_leaves(region, name, *pair)
               for pair in zip(get_leaves(a), get_leaves(b))]


def _merge_leaves(region: Region, name: str, a: Any, b: Any) -> Optional[ComputedType]:
    if is_same(a, b):
        return None
    for value in (a, b):
        if not is_operand(value):
            region.fail(name, f"expected {name!r} to be the same behind both branches of "
                        f"an 'if', since it is no tile, scalar or number, got {tell(a)} "
                        f"and {tell(b)}")
    shapes = get_shape(a), get_shape(b)
    if not can_broadcast(*shapes):
        region.fail(name, f"expected shapes of {name!r} that can be broadcast together "
                    f"behind both branches of an 'if', got {tell(a)} and {tell(b)}")
    return get_common_type((a, b), _get_merged_element(a, b))


def _get_merged_element(a: Any, b: Any) -> Element:
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        found = join_integers(a.dtype, b.dtype)
        if found is not None:
            return found
    element = promotion.get_common_element((a, b))
    is_number = is_python_number(a) and is_python_number(b)
    return elements.index if is_number and element == elements.i32 else element
