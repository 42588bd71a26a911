# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Access to the contents of Python objects, as mappings from keys to values, which can
be read and restored. An object whose contents cannot be restored, such as an iterator,
has one value, its state."""

from __future__ import annotations

import functools
import operator
from collections import deque
from collections.abc import Callable
from types import MemberDescriptorType
from typing import Any

from .captured import NOT_FOLLOWED

Contents = dict[Any, Any]


class Holder:
    """An object, with its name for messages. In messages, `kind` is a word for the
    object and `parts` a word for its contents. If `is_fixed` is set, the object must
    have the same keys before and after the body of a loop or branch. `root` is the
    variable through which the body reaches the object."""

    kind = "object"
    parts = ""
    is_fixed = True
    can_restore = True

    root = ""

    def __init__(self, whole: Any, name: str):
        self.whole, self.name = whole, name

    @property
    def key(self) -> tuple[type, int]:
        """Returns a key that is equal for two holders of one object as long as the
        object exists."""
        return type(self), id(self.whole)

    def read(self) -> Contents:
        raise NotImplementedError

    def write(self, contents: Contents) -> None:
        raise NotImplementedError

    def set(self, key: Any, value: Any) -> None:
        self.write({**self.read(), key: value})

    def spell(self, key: Any) -> str:
        """Returns the text of a part of the object, for messages."""
        return f"{self.name}[{key!r}]"

    def is_computed(self, key: Any) -> bool:
        """Whether the object computes the part if it is read while it has no value."""
        return False

    def is_same(self, a: Contents, b: Contents) -> bool:
        """Whether two contents have the same keys in the same order, and for each key
        the same object."""
        return (
            len(a) == len(b)
            and list(a) == list(b)
            and all(map(operator.is_, a.values(), b.values()))
        )


class ListHolder(Holder):
    kind, parts = "list", "elements"

    def read(self) -> Contents:
        return dict(enumerate(list.__iter__(self.whole)))

    def write(self, contents: Contents) -> None:
        list.__setitem__(self.whole, slice(None), list(contents.values()))


class DequeHolder(Holder):
    kind, parts = "deque", "elements"

    def read(self) -> Contents:
        return dict(enumerate(deque.__iter__(self.whole)))

    def write(self, contents: Contents) -> None:
        deque.clear(self.whole)
        deque.extend(self.whole, contents.values())


class DictHolder(Holder):
    kind, parts = "dictionary", "keys"

    def read(self) -> Contents:
        return dict(dict.items(self.whole))

    def write(self, contents: Contents) -> None:
        dict.clear(self.whole)
        dict.update(self.whole, contents)


class SetHolder(Holder):
    kind, parts = "set", "elements"

    def read(self) -> Contents:
        return dict.fromkeys(set.__iter__(self.whole))

    def write(self, contents: Contents) -> None:
        set.clear(self.whole)
        set.update(self.whole, contents)


class _Open(Holder):
    """An object to which a body may add, and from which it may remove, parts, which are
    names or attributes."""

    is_fixed = False

    def spell(self, key: Any) -> str:
        return f"{self.name}.{key}"


class Attributes(_Open):
    """The attributes in an object's dictionary."""

    def _get(self) -> dict[str, Any]:
        found: dict[str, Any] = object.__getattribute__(self.whole, "__dict__")
        return found

    def read(self) -> Contents:
        return self._get().copy()

    def write(self, contents: Contents) -> None:
        members = self._get()
        members.clear()
        members.update(contents)

    def is_computed(self, key: Any) -> bool:
        return any(
            isinstance(vars(kind).get(key), functools.cached_property)
            for kind in type(self.whole).__mro__
        )


class Slots(_Open):
    """The attributes in an object's `__slots__`."""

    def read(self) -> Contents:
        found = {}
        for name, member in list_slots(type(self.whole)).items():
            try:
                found[name] = member.__get__(self.whole)
            except AttributeError:
                pass
        return found

    def write(self, contents: Contents) -> None:
        has = self.read()
        for name, member in list_slots(type(self.whole)).items():
            if name in contents:
                member.__set__(self.whole, contents[name])
            elif name in has:
                member.__delete__(self.whole)


def list_slots(kind: type) -> dict[str, Any]:
    return {
        name: member
        for base in kind.__mro__
        if not is_foreign_name(base.__module__)
        for name, member in vars(base).items()
        if isinstance(member, MemberDescriptorType)
    }


# Modules of Python's standard library whose objects are followed too, since they hold
# the user's values.
_HOLDING = ("argparse", "collections", "queue", "types")


@functools.lru_cache(maxsize=4096)
def is_foreign_name(name: object) -> bool:
    """Whether a module belongs to a package that is not the user's."""
    first = name.split(".")[0] if isinstance(name, str) else ""
    return first in NOT_FOLLOWED and first not in _HOLDING


class ClassAttributes(_Open):
    def read(self) -> Contents:
        return dict(vars(self.whole))

    def write(self, contents: Contents) -> None:
        has = self.read()
        for name in has.keys() - contents.keys():
            type.__delattr__(self.whole, name)
        for name, value in contents.items():
            if name not in has or has[name] is not value:
                type.__setattr__(self.whole, name, value)


class ModuleHolder(_Open):
    def read(self) -> Contents:
        return dict(vars(self.whole))

    def write(self, contents: Contents) -> None:
        _change(vars(self.whole), self.read(), contents)


class Globals(_Open):
    """Some of the globals of a module: those with the given names."""

    def __init__(self, whole: dict[str, Any], names: set[str]):
        super().__init__(whole, "")
        self._names = names

    def read(self) -> Contents:
        return {name: self.whole[name] for name in self._names & self.whole.keys()}

    def write(self, contents: Contents) -> None:
        _change(self.whole, self.read(), contents)

    def spell(self, key: Any) -> str:
        return str(key)

    def is_same(self, a: Contents, b: Contents) -> bool:
        return a.keys() == b.keys() and all(a[name] is b[name] for name in a)


def _change(whole: dict[str, Any], has: Contents, contents: Contents) -> None:
    """Replaces the names in `has` of the namespace `whole` by `contents`. Other names
    stay as they are."""
    for name in has.keys() - contents.keys():
        del whole[name]
    whole.update(contents)


class Cell(_Open):
    """A variable of an enclosing function."""

    def read(self) -> Contents:
        try:
            return {None: self.whole.cell_contents}
        except ValueError:
            return {}

    def write(self, contents: Contents) -> None:
        if contents:
            [self.whole.cell_contents] = contents.values()
        else:
            del self.whole.cell_contents

    def spell(self, key: Any) -> str:
        return self.name


class Opaque(Holder):
    """An object that cannot be restored, with a function that returns its state."""

    can_restore = False

    def __init__(self, whole: Any, name: str, kind: str, get: Callable[[Any], Any]):
        super().__init__(whole, name)
        self.kind, self._get = kind, get

    def read(self) -> Contents:
        return {None: self._get(self.whole)}

    def is_same(self, a: Contents, b: Contents) -> bool:
        return bool(a == b)
