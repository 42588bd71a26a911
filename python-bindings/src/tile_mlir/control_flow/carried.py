# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the variables that a loop's body assigns, and the parts of Python objects that
it changes (tracing/objects.py), values that the loop of the program carries. Branches
(merged.py) use the same checks of changed objects.

Such a variable or part may be a tile, a scalar, or a tuple, list, dictionary or
dataclass of these (structures.py). Any other Python value must be the same before the
body and after it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, Optional

from .. import elements
from ..elements import Element
from ..ir import ComputedType, TileType, Value
from ..language.operands import make_tile_type
from ..tracing.holders import Holder
from ..tracing.objects import Change, hold, is_held
from ..tracing.trace import describe, fail_at, get_trace, make_error_at
from ..tracing.undefined import Undefined
from ..tracing.values import Computed, Scalar, Tile, is_operand
from .structures import (Types, bind, collect_leaves, get_leaf_types, get_leaves,
                         get_outline, is_same, is_structure, list_structures,
                         list_types)

Values = tuple[Any, ...]


class Region(NamedTuple):
    """A loop or a branch in the user's source: the variables that it carries, and, for
    each name, the line and column of its last assignment and of one of its uses."""

    what: str  # "a loop", "an 'if'"
    names: tuple[str, ...] = ()
    assigned: tuple[tuple[str, tuple[int, int]], ...] = ()
    used: tuple[tuple[str, tuple[int, int]], ...] = ()

    def fail(self, name: str, text: str) -> NoReturn:
        """Ends the trace with an error at the line that changes a variable or a part of
        an object."""
        fail_at(self.find(name), text)

    def fail_of(self, holder: Holder, text: str) -> NoReturn:
        """Ends the trace with an error at the line that changes an object."""
        fail_at(self.find(holder.root) or self.find(holder.name), text)

    def find(self, name: str) -> Optional[tuple[int, int]]:
        root = re.split(r"[.\[]", name)[0]
        return dict((*self.used, *self.assigned)).get(root)


def watch_chosen(region: Region, name: str, chosen: Any, among: Sequence[Any]) -> None:
    """Checks structures of which a loop or branch of the program chooses one: if the
    user's code can still reach one of them, neither they nor the chosen one may be
    mutated until the end of the trace."""
    structures = [part for value in among for part in list_structures(value)
                  if not isinstance(part, tuple)]
    if not any(is_held(part, name) for part in structures):
        return
    held = [each for part in (*list_structures(chosen), *structures)
            for each in hold(part)]
    error = make_error_at(
        region.find(name), f"expected {name!r} and the objects that it may be to stay as "
        f"they are, since {region.what} of the program chooses among them, got a change "
        f"in place; assign a new one first, as by {name} = copy.copy({name})")

    def check() -> None:
        if not all(holder.is_same(before, holder.read()) for holder, before in held):
            raise error

    get_trace().check_at_end(check)


def tell(value: Any) -> str:
    """Describes a value for messages."""
    if isinstance(value, Undefined):
        return "no value"
    if isinstance(value, Element):
        return f"scalar of {value.spelling}"
    return describe(value)


# ----------------------------------------------------------------------------
# Parts of objects
# ----------------------------------------------------------------------------

_INSTEAD = {
    "list": "a list of the program has one length: make it as long before, and assign its "
    "elements, or change it in a loop over tile.static_range",
    "deque": "change it in a loop over tile.static_range",
    "dictionary": "set all its keys before",
    "set": "use a number or a tile for each element that may be in it",
}


def check_restored(region: Region, changes: Sequence[Change]) -> None:
    """Raises an error if an object has changed that cannot be restored."""
    for change in changes:
        holder = change.holder
        if not holder.can_restore:
            region.fail_of(holder, (
                f"expected the {holder.kind} {holder.name!r} to be the same after "
                f"{region.what} of the program as before it, since the body is traced "
                "whether it runs or not, got a change; change it before or after"))


def check_parts(region: Region, holder: Holder, before: Iterable[Any],
                after: Iterable[Any], when: str) -> None:
    """Raises an error if an object, such as a list that became longer, has other keys
    after than before."""
    if not holder.is_fixed or list(before) == list(after):
        return
    is_counted = isinstance(holder.whole, (list, deque))
    what = "as many elements" if is_counted else f"the same {holder.parts}"
    found = [len(list(parts)) if is_counted else list(parts) for parts in (before, after)]
    region.fail_of(
        holder, f"expected the {holder.kind} {holder.name!r} to have {what} {when} of "
        f"the program, got {found[0]} and {found[1]}; {_INSTEAD[holder.kind]}")


class _Missing(Undefined):
    """The placeholder value of an attribute that does not exist."""

    def __init__(self, name: str):
        super().__init__(f"expected {name!r} to have a value, got none")


def get_part(holder: Holder, contents: dict[Any, Any], key: Any) -> Any:
    return contents[key] if key in contents else _Missing(holder.spell(key))


# ----------------------------------------------------------------------------
# Loops
# ----------------------------------------------------------------------------


class _Part(NamedTuple):
    """A part of an object that a body changes."""

    holder: Holder
    key: Any

    @property
    def identity(self) -> tuple[Any, Any]:
        return self.holder.key, self.key

    def write(self, value: Any) -> None:
        if not isinstance(value, _Missing):
            self.holder.set(self.key, value)

    def restore(self, value: Any) -> None:
        contents = {**self.holder.read(), self.key: value}
        if isinstance(value, _Missing):
            del contents[self.key]
        self.holder.write(contents)


class Carried:
    """The leaves that a loop of the program carries: those leaves of variables and of
    parts of objects that are values of the program, or become so in the body. A
    variable without a value before the loop is local to the body.

    `_types` has an entry for each variable and part: None for a structure that stays
    the same object, else a list that has, for each leaf, its type if the loop carries
    it, and None if not."""

    def __init__(self, region: Region, values: Values):
        self._region, self._count = region, len(values)
        self._names = list(region.names)
        self._values = list(values)
        self._types: list[Optional[Types]] = list(map(get_leaf_types, values))
        self._parts: list[_Part] = []
        self._bound: list[Any] = []
        self._after: Sequence[Any] = ()

    def name(self, variables: Values) -> dict[str, Any]:
        """Returns the variables by their names."""
        return dict(zip(self._names, variables))

    def get_carried_types(self) -> list[ComputedType]:
        return list_types(self._types)

    def make_initial(self) -> list[Value]:
        """Returns the values of the carried leaves before the loop."""
        return self.collect(self._values)

    def collect(self, after: Sequence[Any]) -> list[Value]:
        """Returns the values of the carried leaves at the end of a body."""
        return collect_leaves(after, self._types)

    def enter(self, values: Sequence[Value]) -> Values:
        """Returns the variables for the start of a body, with `values`, the block
        arguments, as their carried leaves, and sets the parts of objects."""
        given = iter(values)
        self._bound = [
            bind(value, types, given) for value, types in zip(self._values, self._types)
        ]
        for part, value in zip(self._parts, self._bound[self._count:]):
            part.write(value)
        return tuple(self._bound[:self._count])

    def leave(self, variables: Values, changes: Sequence[Change]) -> list[Any]:
        """Returns the values of variables and parts at the end of a body, and restores
        the objects to their state before the loop."""
        check_restored(self._region, changes)
        changed = _list_changed(changes)
        after = [*variables, *self._bound[self._count:]]
        for position, part in enumerate(self._parts, self._count):
            if part.identity in changed:
                change, key = changed.pop(part.identity)
                after[position] = get_part(change.holder, change.after, key)
        copies = self._check_copies(after, changes)
        for change, key in changed.values():
            if id(change.holder.whole) not in copies:
                after.append(self._add(change, key))
        for part, value in zip(self._parts, self._values[self._count:]):
            part.restore(value)
        return after

    def _check_copies(self, after: Sequence[Any], changes: Sequence[Change]
                      ) -> dict[int, str]:
        """Returns a map from the id of each structure that `enter` has built, as a copy
        of a variable's value, to the variable's name. Raises an error if the body
        changes such a copy in place although the variable's value before or after the
        body can also be reached in another way."""
        copies = {}
        each = list(zip(self._names, self._values, self._bound, after))
        for name, value, bound, new in each:
            if bound is not value:
                copies.update({id(part): name for part in list_structures(bound)})
        changed = {id(change.holder.whole) for change in changes}
        for name, value, bound, new in each:
            if bound is value or new is bound:  # changed only in place
                continue
            if not changed.isdisjoint(map(id, list_structures(bound))) and \
                    self._is_shared(name, value, new, after, changes, copies):
                self._refuse_both(name)
        return copies

    @staticmethod
    def _is_shared(name: str, value: Any, new: Any, after: Sequence[Any],
                   changes: Sequence[Change], copies: Mapping[int, str]) -> bool:
        """Whether the value of a variable before or after a body, `value` or `new`, can
        be reached in another way too, by which a change of it would be seen."""
        kept = [*(other for other in after if other is not new),
                *(part for change in changes for part in change.after.values())]
        others = {id(part) for other in kept for part in list_structures(other)}
        return any(is_held(part, name) for part in list_structures(value)) or \
            any(id(part) in others or id(part) in copies or is_held(part, name)
                for part in list_structures(new))

    def _refuse_both(self, name: str) -> NoReturn:
        self._region.fail(
            name, f"expected {name!r} to be changed in place or assigned as a whole by a "
            "loop of the program, got both, so that it is one object or another; begin "
            f"the body with a copy, {name} = copy.copy({name})")

    def _add(self, change: Change, key: Any) -> Any:
        """Makes the loop carry a part of an object too. Returns its value at the end of
        the body."""
        holder, before, after = change
        check_parts(self._region, holder, before, after,
                    "before and after the body of a loop")
        value = get_part(holder, before, key)
        self._parts.append(_Part(holder, key))
        self._names.append(holder.spell(key))
        self._values.append(value)
        self._types.append([None] * len(get_leaves(value)))
        self._bound.append(value)
        return get_part(holder, after, key)

    def widen(self, after: Sequence[Any]) -> bool:
        """Widens the types by the values after the body, so that the loop carries the
        leaves that it did not carry so far but the body changes. Returns whether a type
        changed."""
        found = list(map(self._widen, self._names, self._values, self._bound, after,
                         self._types))
        is_wider, self._types, self._after = found != self._types, found, after
        return is_wider

    def _widen(self, name: str, old: Any, bound: Any, new: Any, types: Optional[Types]
               ) -> Optional[Types]:
        if isinstance(old, Undefined):
            return types
        if is_structure(old) and new is bound:
            return None
        if isinstance(new, Undefined):
            self._region.fail(name, f"expected {name!r} to have a value at the end of a "
                              "loop's body, got none")
        if get_outline(old) != get_outline(new):
            self._region.fail(
                name, f"expected {name!r} to have one structure before a loop and after "
                f"its body, got {tell(old)} and {tell(new)}")
        if types is None:
            types = get_leaf_types(old)
        return [self._join(name, *leaf)
                for leaf in zip(get_leaves(old), get_leaves(new), types)]

    def _join(self, name: str, before: Any, after: Any, type: Optional[ComputedType]
              ) -> Optional[ComputedType]:
        """Returns the type that carries a leaf with the value `before` before a body
        and `after` after it; None if the loop need not carry it."""
        if type is None and is_same(before, after):
            return None
        if type is None and not is_python_number(before) and \
                not isinstance(before, Computed):
            self._region.fail(
                name, f"expected {name!r} to be the same before and after the body of a "
                f"loop, since it is no tile, scalar or number, got {tell(before)} and "
                f"{tell(after)}")
        found = _join_types(before if type is None else type, after)
        if found is None:
            self._region.fail(
                name, f"expected {name!r} to have one type before a loop and after its "
                f"body, got {tell(before if type is None else type)} and {tell(after)}")
        return found

    def finish(self, results: Sequence[Value]) -> Values:
        """Returns the variables after the loop, and sets the parts of objects."""
        given = iter(results)
        self._bound = [
            Undefined(f"expected {name!r} to have a value before the loop, which may "
                      "have no iteration, got none")
            if isinstance(value, Undefined) else bind(value, types, given)
            for name, value, types in zip(self._names, self._values, self._types)
        ]
        for part, value in zip(self._parts, self._bound[self._count:]):
            if not part.holder.is_computed(part.key):
                part.holder.set(part.key, value)
        for name, found, *among in zip(self._names, self._bound, self._values,
                                       self._after):
            if found is not among[0]:
                watch_chosen(self._region, name, found, among)
        return tuple(self._bound[:self._count])


def _list_changed(changes: Sequence[Change]) -> dict[Any, tuple[Change, Any]]:
    """Returns the parts that differ, each as its change and its key, by the identity of
    the part."""
    return {
        (change.holder.key, key): (change, key)
        for change in changes
        for key in {**change.before, **change.after}
        if change.before.get(key, changes) is not change.after.get(key, changes)
    }


# ----------------------------------------------------------------------------
# Types of leaves
# ----------------------------------------------------------------------------


def is_python_number(value: Any) -> bool:
    """Whether a value is a number of Python or NumPy."""
    return is_operand(value) and not isinstance(value, Computed)


def _join_types(before: Any, after: Any) -> Optional[ComputedType]:
    """Returns the type that has both the value before a body and the value after it;
    None if there is none. `before` is a `Number`, a value or a type."""
    type = before.type if isinstance(before, Computed) else before
    if is_python_number(type):
        return _join_number(type, after)
    if is_python_number(after):
        return type  # type: ignore[no-any-return]
    if not isinstance(after, Computed):
        return None
    if after.type == type:
        return after.type
    # A scalar may become a tile: it is broadcast to the shape of the tile.
    if isinstance(after, Tile) and not isinstance(type, TileType):
        return after.type if after.dtype == type else None
    if isinstance(after, Tile) and type.shape == after.shape:
        joined = join_integers(type.element, after.dtype)
        return joined and make_tile_type(type.shape, joined)
    if isinstance(type, Element) and isinstance(after, Scalar):
        return join_integers(type, after.dtype)
    return None


def _join_number(before: Any, after: Any) -> Optional[ComputedType]:
    if isinstance(after, Computed):
        element = elements.promote_number(after.dtype, before)
        return after.type if element == after.dtype else None
    if not is_python_number(after):
        return None
    return max(map(_get_element_of_number, (before, after)),
               key=lambda e: elements.KINDS.index(e.kind))


def _get_element_of_number(number: Any) -> Element:
    found = elements.promote_number(elements.bool_, number)
    return elements.index if found == elements.i32 else found


def join_integers(a: Element, b: Element) -> Optional[Element]:
    """Returns the integer type that has all values of both types, one of the two or
    index; None if there is none."""
    if not {a.kind, b.kind} <= {"int", "index"}:
        return None
    narrow, wide = sorted((a, b), key=lambda e: (e.bits, e.kind == "index"))
    if narrow.is_unsigned == wide.is_unsigned or \
            (narrow.bits < wide.bits and narrow.is_unsigned):
        return wide
    return None if 64 in (a.bits * a.is_unsigned, b.bits * b.is_unsigned) \
        else elements.index
