# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The variables that a body of a loop or branch assigns, and the parts of Python's
objects that it changes (objects.py), as values that the loop or branch of the program
carries.

Their values may be tiles, scalars, and tuples, lists, dictionaries and dataclasses of
them; any other Python value must be the same before and after.
"""

from __future__ import annotations

import dataclasses
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, Optional

from .. import elements
from ..elements import Element
from ..ir import ComputedType, TileType, Value
from ..language import promotion
from ..language.conversions import to_value
from ..language.extents import can_broadcast
from ..language.operands import get_common_type, get_shape, make_tile_type, wrap
from ..tracing.holders import Holder
from ..tracing.objects import Change, hold, is_held
from ..tracing.trace import describe, fail_at, get_trace, make_error_at
from ..tracing.undefined import Undefined
from ..tracing.values import Computed, Scalar, Tile, Traced, is_operand

Values = tuple[Any, ...]
Types = list[Optional[ComputedType]]


class Region(NamedTuple):
    """A loop or a branch in the user's source: the variables that it carries, and the
    line and column of the last assignment of each name, and of a use of each name."""

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


# ----------------------------------------------------------------------------
# Structures
# ----------------------------------------------------------------------------


def get_leaves(value: Any) -> list[Any]:
    """Returns the leaves of a structure in order; an empty list for `Undefined`."""
    if isinstance(value, Undefined):
        return []
    if not _is_structure(value):
        return [value]
    return [leaf for part in _list_parts(value) for leaf in get_leaves(part)]


def _is_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _is_structure(value: Any) -> bool:
    return isinstance(value, (tuple, list, dict)) or _is_record(value)


def _list_parts(structure: Any) -> list[Any]:
    """Returns the parts of a structure in order, not those of structures in it."""
    if isinstance(structure, (tuple, list)):
        return list(structure)
    if isinstance(structure, dict):
        return list(structure.values())
    return [getattr(structure, field.name) for field in dataclasses.fields(structure)]


def bind(like: Any, types: Optional[Types], given: Iterator[Value]) -> Any:
    """Builds a structure like another one, in which the leaves that have a type in
    `types` are replaced by the values `given`. If `types` is None it returns `like`
    itself."""
    if types is None:
        return like
    leaves = [
        leaf if type is None else wrap(next(given))
        for leaf, type in zip(get_leaves(like), types)
    ]
    return _rebuild(like, leaves)


def _rebuild(like: Any, leaves: list[Any]) -> Any:
    """Builds a structure like another one from leaves, which it removes from the front
    of the list."""
    if isinstance(like, Undefined):
        return like
    if isinstance(like, tuple) and hasattr(like, "_fields"):
        return type(like)(*(_rebuild(part, leaves) for part in like))
    if isinstance(like, (tuple, list)):
        return type(like)(_rebuild(part, leaves) for part in like)
    if isinstance(like, dict):
        return {key: _rebuild(part, leaves) for key, part in like.items()}
    if _is_record(like):
        return dataclasses.replace(
            like,
            **{
                field.name: _rebuild(getattr(like, field.name), leaves)
                for field in dataclasses.fields(like)
            },
        )
    return leaves.pop(0)


def _list_structures(value: Any) -> Iterator[Any]:
    """Lists a structure and the structures in it."""
    if _is_structure(value):
        yield value
        for part in _list_parts(value):
            yield from _list_structures(part)


def _list_types(each: Iterable[Optional[Types]]) -> list[ComputedType]:
    """Returns the types of the leaves that have one."""
    return [type for types in each for type in types or () if type is not None]


def _collect(values: Iterable[Any], each: Iterable[Optional[Types]]) -> list[Value]:
    """Returns the leaves that have a type, converted to values of this type."""
    return [
        to_value(leaf, type)
        for value, types in zip(values, each)
        for leaf, type in zip(get_leaves(value), types or ())
        if type is not None
    ]


def _watch_chosen(region: Region, name: str, chosen: Any, among: Sequence[Any]) -> None:
    """Checks at the end of the trace that a structure that a loop or branch of the
    program chooses, and the structures that it chooses among, have not been mutated, if
    the user's code can still reach one of the latter."""
    structures = [part for value in among for part in _list_structures(value)
                  if not isinstance(part, tuple)]
    if not any(is_held(part, name) for part in structures):
        return
    held = [each for part in (*_list_structures(chosen), *structures)
            for each in hold(part)]
    error = make_error_at(
        region.find(name), f"expected {name!r} and the objects that it may be to stay as "
        f"they are, since {region.what} of the program chooses among them, got a change "
        f"in place; assign a new one first, as by {name} = copy.copy({name})")

    def check() -> None:
        if not all(holder.is_same(before, holder.read()) for holder, before in held):
            raise error

    get_trace().check_at_end(check)


def _get_outline(value: Any) -> Any:
    """Returns the types and keys of a structure without its leaves; values that a loop
    or branch merges must agree in it."""
    if isinstance(value, dict):
        return dict, tuple((key, _get_outline(part)) for key, part in value.items())
    if _is_structure(value):
        return type(value), tuple(map(_get_outline, _list_parts(value)))
    return None


def _is_same(a: Any, b: Any) -> bool:
    """Whether two Python values are the same, as far as it can be determined."""
    if a is b:
        return True
    if isinstance(a, Traced) or isinstance(b, Traced):
        return isinstance(a, Computed) and isinstance(b, Computed) and a.value is b.value
    try:
        if isinstance(a, (float, complex)) and repr(a) != repr(b):
            return False  # 0.0 and -0.0
        return type(a) is type(b) and bool(a == b)
    except Exception:  # from a user's __eq__
        return False


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
    """Raises an error if an object has other keys after than before, as a list that has
    become longer."""
    if not holder.is_fixed or list(before) == list(after):
        return
    is_counted = isinstance(holder.whole, (list, deque))
    what = "as many elements" if is_counted else f"the same {holder.parts}"
    found = [len(list(parts)) if is_counted else list(parts) for parts in (before, after)]
    region.fail_of(
        holder, f"expected the {holder.kind} {holder.name!r} to have {what} {when} of "
        f"the program, got {found[0]} and {found[1]}; {_INSTEAD[holder.kind]}")


# ----------------------------------------------------------------------------
# Loops
# ----------------------------------------------------------------------------


class _Missing(Undefined):
    """The placeholder value of an attribute that does not exist."""

    def __init__(self, name: str):
        super().__init__(f"expected {name!r} to have a value, got none")


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
    the same object, else a list with, for each leaf, its type if the loop carries it,
    and None if not."""

    def __init__(self, region: Region, values: Values):
        self._region, self._count = region, len(values)
        self._names = list(region.names)
        self._values = list(values)
        self._types: list[Optional[Types]] = list(map(_get_types, values))
        self._parts: list[_Part] = []
        self._bound: list[Any] = []
        self._after: Sequence[Any] = ()

    def name(self, variables: Values) -> dict[str, Any]:
        """Returns the variables by their names."""
        return dict(zip(self._names, variables))

    def get_carried_types(self) -> list[ComputedType]:
        return _list_types(self._types)

    def make_initial(self) -> list[Value]:
        """Returns the values of the carried leaves before the loop."""
        return self.collect(self._values)

    def collect(self, after: Sequence[Any]) -> list[Value]:
        """Returns the values of the carried leaves at the end of a body."""
        return _collect(after, self._types)

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
                after[position] = _get_part(change.holder, change.after, key)
        copies = self._check_copies(after, changes)
        for change, key in changed.values():
            if id(change.holder.whole) not in copies:
                after.append(self._add(change, key))
        for part, value in zip(self._parts, self._values[self._count:]):
            part.restore(value)
        return after

    def _check_copies(self, after: Sequence[Any], changes: Sequence[Change]
                      ) -> dict[int, str]:
        """Returns, by their ids, the structures that were built to stand for a variable
        in the body, with the variable's name. Raises an error if the body changes such
        a copy in place although the structure before or after the body can also be
        reached elsewhere."""
        copies = {}
        each = list(zip(self._names, self._values, self._bound, after))
        for name, value, bound, new in each:
            if bound is not value:
                copies.update({id(part): name for part in _list_structures(bound)})
        changed = {id(change.holder.whole) for change in changes}
        for name, value, bound, new in each:
            if bound is value or new is bound:  # changed only in place
                continue
            if not changed.isdisjoint(map(id, _list_structures(bound))) and \
                    self._is_shared(name, value, new, after, changes, copies):
                self._refuse_both(name)
        return copies

    @staticmethod
    def _is_shared(name: str, value: Any, new: Any, after: Sequence[Any],
                   changes: Sequence[Change], copies: Mapping[int, str]) -> bool:
        """Whether the value of a variable before or after a body is also held
        elsewhere, so that a change of it is seen there."""
        kept = [*(other for other in after if other is not new),
                *(part for change in changes for part in change.after.values())]
        others = {id(part) for other in kept for part in _list_structures(other)}
        return any(is_held(part, name) for part in _list_structures(value)) or \
            any(id(part) in others or id(part) in copies or is_held(part, name)
                for part in _list_structures(new))

    def _refuse_both(self, name: str) -> NoReturn:
        self._region.fail(
            name, f"expected {name!r} to be changed in place or assigned as a whole by a "
            "loop of the program, got both, so that it is one object or another; begin "
            f"the body with a copy, {name} = copy.copy({name})")

    def _add(self, change: Change, key: Any) -> Any:
        """Adds a part of an object to those that the loop carries; returns its value at
        the end of the body."""
        holder, before, after = change
        check_parts(self._region, holder, before, after,
                    "before and after the body of a loop")
        value = _get_part(holder, before, key)
        self._parts.append(_Part(holder, key))
        self._names.append(holder.spell(key))
        self._values.append(value)
        self._types.append([None] * len(get_leaves(value)))
        self._bound.append(value)
        return _get_part(holder, after, key)

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
        if _is_structure(old) and new is bound:
            return None
        if isinstance(new, Undefined):
            self._region.fail(name, f"expected {name!r} to have a value at the end of a "
                              "loop's body, got none")
        if _get_outline(old) != _get_outline(new):
            self._region.fail(
                name, f"expected {name!r} to have one structure before a loop and after "
                f"its body, got {tell(old)} and {tell(new)}")
        if types is None:
            types = _get_types(old)
        return [self._join(name, *leaf)
                for leaf in zip(get_leaves(old), get_leaves(new), types)]

    def _join(self, name: str, before: Any, after: Any, type: Optional[ComputedType]
              ) -> Optional[ComputedType]:
        """Returns the type that carries a leaf with the value `before` before a body
        and `after` after it; None if the loop need not carry it."""
        if type is None and _is_same(before, after):
            return None
        if type is None and not _is_number(before) and \
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
                _watch_chosen(self._region, name, found, among)
        return tuple(self._bound[:self._count])


def _is_number(value: Any) -> bool:
    """Whether a value is a number of Python or NumPy."""
    return is_operand(value) and not isinstance(value, Computed)


def _get_types(value: Any) -> Types:
    return [leaf.type if isinstance(leaf, Computed) else None
            for leaf in get_leaves(value)]


def _list_changed(changes: Sequence[Change]) -> dict[Any, tuple[Change, Any]]:
    """Returns the parts that differ, each as its change and its key, by the identity of
    the part."""
    return {
        (change.holder.key, key): (change, key)
        for change in changes
        for key in {**change.before, **change.after}
        if change.before.get(key, changes) is not change.after.get(key, changes)
    }


def _get_part(holder: Holder, contents: dict[Any, Any], key: Any) -> Any:
    return contents[key] if key in contents else _Missing(holder.spell(key))


def _join_types(before: Any, after: Any) -> Optional[ComputedType]:
    """Returns the type that has both the value before a body, which is a `Number`, a
    value or a type, and the value after it; None if there is none."""
    type = before.type if isinstance(before, Computed) else before
    if _is_number(type):
        return _join_number(type, after)
    if _is_number(after):
        return type  # type: ignore[no-any-return]
    if not isinstance(after, Computed):
        return None
    if after.type == type:
        return after.type
    # A scalar may become a tile: it is broadcast to the shape of the tile.
    if isinstance(after, Tile) and not isinstance(type, TileType):
        return after.type if after.dtype == type else None
    if isinstance(after, Tile) and type.shape == after.shape:
        joined = _join_integers(type.element, after.dtype)
        return joined and make_tile_type(type.shape, joined)
    if isinstance(type, Element) and isinstance(after, Scalar):
        return _join_integers(type, after.dtype)
    return None


def _join_number(before: Any, after: Any) -> Optional[ComputedType]:
    if isinstance(after, Computed):
        element = elements.promote_number(after.dtype, before)
        return after.type if element == after.dtype else None
    if not _is_number(after):
        return None
    return max(map(_get_element_of_number, (before, after)),
               key=lambda e: elements.KINDS.index(e.kind))


def _get_element_of_number(number: Any) -> Element:
    found = elements.promote_number(elements.bool_, number)
    return elements.index if found == elements.i32 else found


def _join_integers(a: Element, b: Element) -> Optional[Element]:
    """Returns the integer type that has the values of both types, index where 64 bits
    are needed; None if there is none."""
    if not {a.kind, b.kind} <= {"int", "index"}:
        return None
    narrow, wide = sorted((a, b), key=lambda e: (e.bits, e.kind == "index"))
    if narrow.is_unsigned == wide.is_unsigned or \
            (narrow.bits < wide.bits and narrow.is_unsigned):
        return wide
    return None if 64 in (a.bits * a.is_unsigned, b.bits * b.is_unsigned) \
        else elements.index


# ----------------------------------------------------------------------------
# Branches
# ----------------------------------------------------------------------------


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
        """Writes the values of the parts after both branches."""
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
            key: Part(holder.spell(key), _get_part(holder, first, key),
                      _get_part(holder, second, key))
            for key in {**before, **first, **second} if key in first or key in second}))
    return found


def _find_contents(changes: Sequence[Change], like: Change) -> dict[Any, Any]:
    """Returns the contents that a branch leaves in an object."""
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
        return _list_types(types for _, types in self._merged)

    def collect(self, branch: int) -> list[Value]:
        """Returns the leaves at the end of one branch, of those that depend on the
        branch."""
        return _collect(self._ends[branch], (types for _, types in self._merged))

    def finish(self, results: Sequence[Value]) -> Values:
        """Returns the variables after both branches, and sets the parts of objects."""
        given = iter(results)
        found = [bind(value, types, given) for value, types in self._merged]
        for name, value, (_, types), *among in zip(self._names, found, self._merged,
                                                   *self._ends):
            if types is not None:
                _watch_chosen(self._region, name, value, among)
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
    if _get_outline(a) != _get_outline(b):
        region.fail(name, f"expected {name!r} to have one structure in both branches of "
                    f"an 'if', got {tell(a)} and {tell(b)}")
    return a, [_merge_leaves(region, name, *pair)
               for pair in zip(get_leaves(a), get_leaves(b))]


def _merge_leaves(region: Region, name: str, a: Any, b: Any) -> Optional[ComputedType]:
    if _is_same(a, b):
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
        found = _join_integers(a.dtype, b.dtype)
        if found is not None:
            return found
    element = promotion.get_common_element((a, b))
    is_number = _is_number(a) and _is_number(b)
    return elements.index if is_number and element == elements.i32 else element
