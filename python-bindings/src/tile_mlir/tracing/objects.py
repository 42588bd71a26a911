# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The objects of Python that a body of the program can change while it is traced:
lists, dictionaries, sets, attributes, globals and variables of functions around.

A body is traced once, and runs any number of times or never. So its changes are found
by comparing the contents of all objects that its functions can reach, before the body
and after it (`Objects`), and are put back. Then control.py makes a value of the program
of each part that differs, as it does of variables, or refuses the body.

A `Holder` is an object that holds values by keys. An object that cannot be put back, as
an iterator, holds one value, its state, and is refused when that changes.
"""

from __future__ import annotations

import array
import enum
import functools
import gc
import operator
import random
import sys
import warnings
import weakref
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import (
    BuiltinMethodType,
    CellType,
    CodeType,
    FunctionType,
    GeneratorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any, NamedTuple, Optional

import numpy as np

from ..errors import PACKAGE, PACKAGE_NAME
from .captured import NOT_FOLLOWED
from .locations import GENERATED, list_variables
from .trace import fail

Contents = dict[Any, Any]


# ----------------------------------------------------------------------------
# Holders
# ----------------------------------------------------------------------------


class Holder:
    """An object, by its name for messages. `kind` describes it in words, `parts` its
    contents: if it is fixed, it must have the same ones after a body as before it.
    `root` is the name by which the body reaches it."""

    kind = "object"
    parts = ""
    is_fixed = True
    can_restore = True

    root = ""

    def __init__(self, whole: Any, name: str):
        self.whole, self.name = whole, name

    @property
    def key(self) -> tuple[type, int]:
        """A key that is the same for two holders of one object, as long as that
        exists."""
        return type(self), id(self.whole)

    def read(self) -> Contents:
        raise NotImplementedError

    def write(self, contents: Contents) -> None:
        raise NotImplementedError

    def set(self, key: Any, value: Any) -> None:
        self.write({**self.read(), key: value})

    def spell(self, key: Any) -> str:
        """A part of it, for messages."""
        return f"{self.name}[{key!r}]"

    def is_computed(self, key: Any) -> bool:
        """Whether the part is made anew where it is missing."""
        return False

    def is_same(self, a: Contents, b: Contents) -> bool:
        """Whether it holds the same objects."""
        return (
            len(a) == len(b)
            and list(a) == list(b)
            and all(map(operator.is_, a.values(), b.values()))
        )


class _List(Holder):
    kind, parts = "list", "elements"

    def read(self) -> Contents:
        return dict(enumerate(list.__iter__(self.whole)))

    def write(self, contents: Contents) -> None:
        list.__setitem__(self.whole, slice(None), list(contents.values()))


class _Deque(Holder):
    kind, parts = "deque", "elements"

    def read(self) -> Contents:
        return dict(enumerate(deque.__iter__(self.whole)))

    def write(self, contents: Contents) -> None:
        deque.clear(self.whole)
        deque.extend(self.whole, contents.values())


class _Dict(Holder):
    kind, parts = "dictionary", "keys"

    def read(self) -> Contents:
        return dict(dict.items(self.whole))

    def write(self, contents: Contents) -> None:
        dict.clear(self.whole)
        dict.update(self.whole, contents)


class _Set(Holder):
    kind, parts = "set", "elements"

    def read(self) -> Contents:
        return dict.fromkeys(set.__iter__(self.whole))

    def write(self, contents: Contents) -> None:
        set.clear(self.whole)
        set.update(self.whole, contents)


class _Open(Holder):
    """An object that may or may not have a part, as names and attributes."""

    is_fixed = False

    def spell(self, key: Any) -> str:
        return f"{self.name}.{key}"


class _Attributes(_Open):
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


class _Slots(_Open):
    """Attributes of an object without a dictionary."""

    def read(self) -> Contents:
        found = {}
        for name, member in _list_slots(type(self.whole)).items():
            try:
                found[name] = member.__get__(self.whole)
            except AttributeError:
                pass
        return found

    def write(self, contents: Contents) -> None:
        has = self.read()
        for name, member in _list_slots(type(self.whole)).items():
            if name in contents:
                member.__set__(self.whole, contents[name])
            elif name in has:
                member.__delete__(self.whole)


class _ClassAttributes(_Open):
    def read(self) -> Contents:
        return dict(vars(self.whole))

    def write(self, contents: Contents) -> None:
        has = self.read()
        for name in has.keys() - contents.keys():
            type.__delattr__(self.whole, name)
        for name, value in contents.items():
            if name not in has or has[name] is not value:
                type.__setattr__(self.whole, name, value)


class _Module(_Open):
    def read(self) -> Contents:
        return dict(vars(self.whole))

    def write(self, contents: Contents) -> None:
        _change(vars(self.whole), self.read(), contents)


class _Globals(_Open):
    """The globals with some names."""

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
    """Changes the contents of a namespace; other names stay."""
    for name in has.keys() - contents.keys():
        del whole[name]
    whole.update(contents)


class _Cell(_Open):
    """A variable of a function around."""

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


class _Opaque(Holder):
    """An object that cannot be put back, with a function that gets its state."""

    can_restore = False

    def __init__(self, whole: Any, name: str, kind: str, get: Callable[[Any], Any]):
        super().__init__(whole, name)
        self.kind, self._get = kind, get

    def read(self) -> Contents:
        return {None: self._get(self.whole)}

    def is_same(self, a: Contents, b: Contents) -> bool:
        return bool(a == b)


# ----------------------------------------------------------------------------
# States
# ----------------------------------------------------------------------------


class _Same:
    """Objects that are compared by their identities."""

    def __init__(self, objects: list[Any]):
        self._objects = objects

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Same)
            and len(self._objects) == len(other._objects)
            and all(map(operator.is_, self._objects, other._objects))
        )


def _get_state(iterator: Any) -> Any:
    """Returns the progress of an iterator; those that it takes from are followed as
    well."""
    if isinstance(iterator, GeneratorType):
        frame = iterator.gi_frame
        return frame and (frame.f_lasti, _Same(gc.get_referents(iterator)))
    if type(iterator).__module__ == "itertools":
        return _get_state_of_itertools(iterator)
    return operator.length_hint(iterator, -1)


def _get_state_of_itertools(iterator: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return list(_list_numbers(iterator.__reduce__()))
        except TypeError:  # as of Python 3.14
            return repr(iterator)


def _list_numbers(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from _list_numbers(part)
    elif isinstance(value, int):
        yield value
    elif _is_iterator(type(value)):
        yield operator.length_hint(value, -1)


# Arrays of more bytes are compared by a checksum.
_MOST_BYTES = 1 << 20


def _get_elements(values: np.ndarray[Any, Any]) -> Any:
    if values.dtype.hasobject:
        return _Same(list(values.flat))
    if not values.flags.writeable:
        return None
    if values.nbytes > _MOST_BYTES:
        return zlib.crc32(np.ascontiguousarray(values).view(np.uint8).data)
    return values.tobytes()


def _get_bytes(values: Any) -> bytes:
    return memoryview(values).tobytes()


def _get_generator_state(generator: Any) -> str:
    return repr(generator.bit_generator.state)


def _get_version(tensor: Any) -> Any:
    return None if tensor.is_inference() else tensor._version


def _find_opaque(kind: type) -> Optional[tuple[str, Callable[[Any], Any]]]:
    """Returns the description of a type in words, and a function that gets the state of
    its objects."""
    torch = sys.modules.get("torch")
    if issubclass(kind, np.ndarray):
        return "array of NumPy", _get_elements
    if issubclass(kind, (bytearray, memoryview, array.array)):
        return "array of bytes", _get_bytes
    if _is_iterator(kind):
        return "iterator", _get_state
    if issubclass(kind, random.Random):
        return "random generator", random.Random.getstate
    if issubclass(kind, np.random.Generator):
        return "random generator", _get_generator_state
    if torch is not None and issubclass(kind, torch.Tensor):
        return "tensor", _get_version
    return None


def _is_iterator(kind: type) -> bool:
    """Whether it is one of Python's own."""
    return kind.__module__ in ("builtins", "itertools") and (
        kind is GeneratorType or issubclass(kind, Iterator)
    )


# ----------------------------------------------------------------------------
# Objects that a body reaches
# ----------------------------------------------------------------------------


class Change(NamedTuple):
    holder: Holder
    before: Contents
    after: Contents


class Objects:
    """The objects that functions and values can reach, and their contents now."""

    def __init__(self, functions: Iterable[Any], variables: Mapping[str, Any] = {}):
        finder = _Finder()
        for name, value in variables.items():
            finder.begin(value, name)
        for function in functions:
            finder.begin_body(function)
        self._found = [(holder, holder.read()) for holder in finder.list_holders()]

    def take(self) -> list[Change]:
        """Returns the changes since then, and puts them back if possible."""
        changes = [
            Change(holder, before, after)
            for holder, before in self._found
            if not holder.is_same(before, after := holder.read())
        ]
        for holder, before, _ in changes:
            if holder.can_restore:
                holder.write(before)
        return changes


def call_unchanged(what: str, call: Callable[[], Any], functions: Sequence[Any],
                   variables: Mapping[str, Any] = {}) -> Any:
    """Returns the result of a call of functions that are traced once, and run any
    number of times or never: the call may change no object."""
    objects = Objects(functions, variables)
    result = call()
    for change in objects.take():
        fail(f"expected {what} of the program to change no object of Python, got a change "
             f"of {change.holder.name or change.holder.kind!r}; the body of a loop or of "
             "an 'if' may")
    return result


def is_held(value: Any, name: str) -> bool:
    """Whether the user's functions that run reach a value otherwise than by a variable
    of this name."""
    finder = _Finder()
    for variables in list_variables():
        for variable, held in variables.items():
            if variable != name or held is not value:
                finder.visit(held, variable)
    finder.list_holders()
    return finder.has(value)


def hold(value: Any) -> list[tuple[Holder, Contents]]:
    """Returns the contents of a list, a dictionary or an object itself, now."""
    finder = _Finder()
    finder.visit(value, "")
    return [(holder, holder.read()) for holder in finder.list_holders()
            if holder.whole is value]


class _Finder:
    def __init__(self) -> None:
        self._holders: dict[int, list[Holder]] = {}
        self._root = ""
        self._kept: list[Any] = []  # so that identities last
        self._names: set[str] = set()
        self._globals: dict[int, tuple[dict[str, Any], set[str]]] = {}
        self._modules: dict[int, tuple[ModuleType, str, set[str]]] = {}

    def list_holders(self) -> list[Holder]:
        while self._visit_modules():
            pass
        found = [holder for holders in self._holders.values() for holder in holders]
        return found + [_Globals(*one) for one in self._globals.values()]

    def begin(self, value: Any, root: str) -> None:
        self._root = root
        self.visit(value, root)

    def begin_body(self, body: Any) -> None:
        """Starts the visit of a function by each of the names that it reads."""
        if type(body) is FunctionType and not _is_foreign_function(body):
            for name, cell in zip(body.__code__.co_freevars, body.__closure__ or ()):
                self.begin(cell, name)
            for name in _list_names(body.__code__):
                if name in body.__globals__:
                    self.begin(body.__globals__[name], name)
        self.begin(body, "")

    def has(self, value: Any) -> bool:
        return id(value) in self._holders

    def visit(self, value: Any, name: str) -> None:
        visit = _find_visit(type(value))
        if visit is None or id(value) in self._holders:
            return
        self._holders[id(value)] = []
        self._kept.append(value)
        visit(self, value, name)

    def _add(self, holder: Holder) -> Contents:
        holder.root = self._root
        self._holders[id(holder.whole)].append(holder)
        return holder.read()

    def _visit_parts(self, holder: Holder) -> None:
        for key, value in self._add(holder).items():
            if _find_visit(type(value)) is not None:
                self.visit(value, holder.spell(key))

    # ------------------------------------------------------------------------
    # By types
    # ------------------------------------------------------------------------

    def visit_tuple(self, value: Iterable[Any], name: str) -> None:
        for number, part in enumerate(value):
            self.visit(part, f"{name}[{number}]")

    def visit_list(self, value: list[Any], name: str) -> None:
        self._visit_parts(_List(value, name))

    def visit_deque(self, value: deque[Any], name: str) -> None:
        self._visit_parts(_Deque(value, name))

    def visit_dict(self, value: dict[Any, Any], name: str) -> None:
        self._visit_parts(_Dict(value, name))

    def visit_set(self, value: set[Any], name: str) -> None:
        self._add(_Set(value, name))
        self.visit_tuple(value, name)

    def visit_cell(self, value: CellType, name: str) -> None:
        self._visit_parts(_Cell(value, name))

    def visit_opaque(self, value: Any, name: str) -> None:
        kind, get = _find_opaque(type(value)) or ("object", id)
        self._add(_Opaque(value, name, kind, get))
        if _is_iterator(type(value)):
            self._visit_iterator(value, name)

    def _visit_iterator(self, value: Any, name: str) -> None:
        for part in gc.get_referents(value):
            if type(part) is not CodeType and part is not type(value):
                self.visit(part, name)

    def visit_object(self, value: Any, name: str) -> None:
        kind = type(value)
        if _has_dictionary(value):
            self._visit_parts(_Attributes(value, name))
        if _list_slots(kind):
            self._visit_parts(_Slots(value, name))
        self.visit(kind, kind.__name__)

    def visit_class(self, value: type, name: str) -> None:
        for member, part in self._add(_ClassAttributes(value, name)).items():
            for function in _list_functions(part):
                self.visit(function, f"{name}.{member}")
            if not member.startswith("__"):
                self.visit(part, f"{name}.{member}")
        for base in value.__mro__[1:]:
            self.visit(base, base.__name__)

    def visit_module(self, value: ModuleType, name: str) -> None:
        self._modules[id(value)] = value, name, set()
        self._add(_Module(value, name))

    def _visit_modules(self) -> bool:
        """Visits the names of the modules that code has; returns whether there are new
        ones."""
        is_new = False
        for module, name, seen in list(self._modules.values()):
            for member in (self._names & vars(module).keys()) - seen:
                seen.add(member)
                is_new = True
                self.visit(vars(module)[member], f"{name}.{member}")
        return is_new

    def visit_method(self, value: Any, name: str) -> None:
        self.visit(value.__self__, name)
        self.visit(getattr(value, "__func__", None), name)

    def visit_reference(self, value: Any, name: str) -> None:
        self.visit(value(), name)

    def visit_partial(self, value: functools.partial[Any], name: str) -> None:
        self.visit((value.func, *value.args, *value.keywords.values()), name)

    def visit_function(self, function: FunctionType, name: str) -> None:
        """Visits the variables that a function reads, its defaults and attributes. For
        this package's own functions it visits the function that they wrap."""
        code = function.__code__
        if _is_foreign_function(function):
            self.visit(function.__dict__.get("__wrapped__"), name)
            return
        for variable, cell in zip(code.co_freevars, function.__closure__ or ()):
            self.visit(cell, variable)
        self._visit_globals(function)
        self.visit(function.__defaults__, name)
        self.visit(function.__kwdefaults__, name)
        if not code.co_name.startswith((GENERATED, "<lambda>")):
            self._visit_parts(_Attributes(function, name))

    def _visit_globals(self, function: FunctionType) -> None:
        whole, names = function.__globals__, _list_names(function.__code__)
        self._names |= names
        _, seen = self._globals.setdefault(id(whole), (whole, set()))
        new = (names & whole.keys()) - seen
        seen |= names
        for name in new:
            self.visit(whole[name], name)


_Visit = Callable[[_Finder, Any, str], None]

# Types and how their objects are visited; a class of a user's may be under one.
_VISITS: tuple[tuple[type, _Visit], ...] = (
    (list, _Finder.visit_list),
    (dict, _Finder.visit_dict),
    (set, _Finder.visit_set),
    (tuple, _Finder.visit_tuple),
    (frozenset, _Finder.visit_tuple),
    (deque, _Finder.visit_deque),
    (FunctionType, _Finder.visit_function),
    (CellType, _Finder.visit_cell),
    (MethodType, _Finder.visit_method),
    (BuiltinMethodType, _Finder.visit_method),
    (functools.partial, _Finder.visit_partial),
    (weakref.ReferenceType, _Finder.visit_reference),
)


_visits: dict[type, Optional[_Visit]] = {}


def _find_visit(kind: type) -> Optional[_Visit]:
    if kind not in _visits:
        _visits[kind] = _choose_visit(kind)
    return _visits[kind]


def _choose_visit(kind: type) -> Optional[_Visit]:
    """Returns how objects of a type are visited; None for those that never change, or
    that are not followed."""
    if _is_own(kind) or issubclass(kind, enum.Enum):
        return None
    visits = [visit for base, visit in _VISITS if issubclass(kind, base)]
    if not visits and _find_opaque(kind):
        visits.append(_Finder.visit_opaque)
    if issubclass(kind, ModuleType):
        visits.append(_visit_own_module)
    elif issubclass(kind, type):
        visits.append(_visit_own_class)
    elif not _is_foreign_name(kind.__module__):
        visits.append(_Finder.visit_object)
    if not visits:
        return None
    return visits[0] if len(visits) == 1 else functools.partial(_visit_all, visits)


def _is_own(kind: type) -> bool:
    """Whether a type is of this package, as tiles are."""
    return str(kind.__module__).split(".")[0] == PACKAGE_NAME


def _visit_all(visits: list[_Visit], finder: _Finder, value: Any, name: str) -> None:
    for visit in visits:
        visit(finder, value, name)


def _visit_own_module(finder: _Finder, value: ModuleType, name: str) -> None:
    if not _is_foreign_name(value.__name__):
        finder.visit_module(value, name)


def _visit_own_class(finder: _Finder, value: type, name: str) -> None:
    if not _is_foreign_name(value.__module__) and not issubclass(value, enum.Enum):
        finder.visit_class(value, name)


# Modules of Python's own whose objects hold what others put into them.
_HOLDING = ("argparse", "collections", "queue", "types")


@functools.lru_cache(maxsize=4096)
def _is_foreign_name(name: object) -> bool:
    """Whether a module is of a package that is not a user's."""
    first = name.split(".")[0] if isinstance(name, str) else ""
    return first in NOT_FOLLOWED and first not in _HOLDING


def _is_foreign_function(function: FunctionType) -> bool:
    return function.__code__.co_filename.startswith(PACKAGE) or \
        _is_foreign_name(function.__globals__.get("__name__"))


def _list_functions(member: Any) -> list[Any]:
    """Lists the functions that an attribute of a class calls."""
    if isinstance(member, (staticmethod, classmethod)):
        return [member.__func__]
    if isinstance(member, property):
        return [member.fget, member.fset, member.fdel]
    if isinstance(member, functools.cached_property):
        return [member.func]
    return [member] if isinstance(member, FunctionType) else []


def _has_dictionary(value: Any) -> bool:
    try:
        return type(object.__getattribute__(value, "__dict__")) is dict
    except AttributeError:
        return False


def _list_slots(kind: type) -> dict[str, Any]:
    return {
        name: member
        for base in kind.__mro__
        if not _is_foreign_name(base.__module__)
        for name, member in vars(base).items()
        if isinstance(member, MemberDescriptorType)
    }


@functools.lru_cache(maxsize=4096)
def _list_names(code: CodeType) -> frozenset[str]:
    """Lists the globals and attributes that a function and those in it read or
    assign."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _list_names(constant)
    return frozenset(names)
