# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python variables that a kernel reads while it is traced: globals and variables of
enclosing functions, of the kernel and of the functions that it calls. The trace is
valid as long as these variables have the values that they had during the trace.

Numbers and texts are compared by value, tuples, lists, dictionaries and sets by their
elements, and anything else, also an array, by identity. Attributes of modules, classes
and objects that the kernel reads, as `config.rows`, are recorded too, as attributes of
the class if the object itself has none of that name. Values that a property computes
are not recorded.
"""

from __future__ import annotations

import dis
import functools
import inspect
import sys
from collections.abc import Iterator, Mapping
from types import (CodeType, FunctionType, MemberDescriptorType, MethodType,
                   ModuleType)
from typing import Any, Optional, Union

from ..errors import PACKAGE_NAME

# A variable and its value during the trace. The variable is a mapping and a name in it,
# or a cell of an enclosing function's variable and None. The value is MISSING if the
# variable had none.
Guard = tuple[Any, Optional[str], Any]

NOT_FOLLOWED = frozenset(sys.stdlib_module_names) | {
    "numpy", "torch", "cupy", "jax", "jaxlib", PACKAGE_NAME}
MISSING = NotImplemented  # also in launch.c
_NO_MEMBERS: Mapping[str, Any] = {}


def capture(*values: Any) -> tuple[Guard, ...]:
    """Returns the variables that functions in `values` read, with their current
    values."""
    finder = _Finder()
    for value in values:
        finder.visit(value)
    return tuple(finder.guards.values())


def is_current(guards: tuple[Guard, ...]) -> bool:
    """Whether all variables of the guards have the recorded values."""
    return all(is_same(_read(container, key), value)
               for container, key, value in guards)


def is_same(a: Any, b: Any) -> bool:
    """Whether two values are the same: 1, 1.0 and True are not."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(is_same, a, b))
    if isinstance(a, dict):
        return len(a) == len(b) and all(
            key in b and is_same(value, b[key]) for key, value in a.items())
    if isinstance(a, (float, complex)):
        return repr(a) == repr(b)  # tells 0.0 from -0.0
    if isinstance(a, (int, str, bytes, set, frozenset)):
        return bool(a == b)
    return False


def _read(container: Any, key: Optional[str]) -> Any:
    if key is not None:
        return container.get(key, MISSING)
    try:
        return container.cell_contents
    except ValueError:  # no value yet
        return MISSING


class _Slot:
    """An attribute in `__slots__` of an object, with the interface of a cell."""

    def __init__(self, owner: object, member: MemberDescriptorType):
        self._owner, self._member = owner, member

    @property
    def cell_contents(self) -> Any:
        try:
            return self._member.__get__(self._owner)
        except AttributeError:
            raise ValueError("no value yet") from None


def _keep(value: Any) -> Any:
    """Returns a copy of a tuple, list, dictionary or set, so that a later change of it
    is noticed. If it contains itself, it is returned uncopied."""
    try:
        return _copy(value)
    except RecursionError:
        return value


def _copy(value: Any) -> Any:
    if type(value) in (tuple, list):
        return type(value)(map(_copy, value))
    if type(value) is dict:
        return {key: _copy(part) for key, part in value.items()}
    if type(value) is set:
        return set(value)
    return value


class _Finder:
    def __init__(self) -> None:
        self.guards: dict[tuple[int, Optional[str]], Guard] = {}
        self._seen: dict[int, Any] = {}  # by id; keeps the ids valid
        self._views: dict[Any, Any] = {}  # of classes, and slots of objects

    def visit(self, value: Any) -> None:
        """Visits the parts of a value, and the variables that it reads when it is
        called."""
        if id(value) in self._seen:
            return
        self._seen[id(value)] = value
        kind = type(value)  # isinstance may call __class__
        if issubclass(kind, (tuple, list)):
            for part in value:
                self.visit(part)
        elif issubclass(kind, dict):
            self.visit(list(value.values()))
        elif kind is functools.partial:
            self.visit([value.func, *value.args, value.keywords])
        elif kind is MethodType:
            self.visit(value.__func__)
        elif "__wrapped__" in _get_members(value):
            self.visit(_get_members(value)["__wrapped__"])
        elif kind is FunctionType and not _is_foreign(value):
            self._visit_function(value)

    def _visit_function(self, function: FunctionType) -> None:
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        self.visit([function.__defaults__, function.__kwdefaults__])
        for is_global, name, attributes in _find_reads(function.__code__):
            if not is_global and name in cells:
                self._guard(cells[name], None, attributes)
            elif is_global and name in function.__globals__:
                self._guard(function.__globals__, name, attributes)

    def _guard(self, container: Any, key: Optional[str],
               attributes: tuple[str, ...]) -> None:
        value = _read(container, key)
        if type(value) is ModuleType and _is_foreign(value):
            return
        self.guards[id(container), key] = container, key, _keep(value)
        self.visit(value)
        if attributes:
            self._follow(value, *attributes)

    def _follow(self, value: Any, name: str, *rest: str) -> None:
        """Records an attribute: its value in the first mapping of members that has it,
        and that the mappings before that one do not have it."""
        for members in self._list_members(value):
            if name in members:
                found = members[name]
                if type(found) is MemberDescriptorType and \
                        not issubclass(type(value), type):
                    self._guard(self._view((id(value), name), _Slot(value, found)),
                                None, rest)
                else:
                    self._guard(members, name, rest)
                return
            self.guards[id(members), name] = members, name, MISSING

    def _list_members(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """Lists the members of a module, a class or an object, then those of its
        classes."""
        kind = type(value)
        is_class = issubclass(kind, type)
        if not is_class and (members := _get_members(value)) is not _NO_MEMBERS:
            yield members
        if kind is ModuleType or _has_own_access(value):
            return
        for kind in (value if is_class else kind).__mro__:
            if _is_foreign(kind):
                return
            yield self._view(id(kind), kind.__dict__)

    def _view(self, key: Any, made: Any) -> Any:
        """Returns the object that was first passed for this key."""
        return self._views.setdefault(key, made)


def _get_members(value: Any) -> Mapping[str, Any]:
    """Returns the value's own members that are read without running code of the
    user."""
    if _has_own_access(value):
        return _NO_MEMBERS
    members = getattr(value, "__dict__", None)
    return members if isinstance(members, Mapping) else _NO_MEMBERS


def _has_own_access(value: Any) -> bool:
    """Whether a read of an attribute of `value` runs a `__getattribute__` that is
    written in Python."""
    return isinstance(inspect.getattr_static(type(value), "__getattribute__"),
                      FunctionType)


def _is_foreign(value: Union[ModuleType, FunctionType, type]) -> bool:
    """Whether `value` belongs to a package that is not the user's: one of
    NOT_FOLLOWED."""
    name = value.__name__ if isinstance(value, ModuleType) else value.__module__
    return isinstance(name, str) and name.split(".")[0] in NOT_FOLLOWED


# A read of a variable: whether it is global, its name, and the chain of attributes that
# are read from it.
_Read = tuple[bool, str, tuple[str, ...]]


@functools.lru_cache(maxsize=4096)
def _find_reads(code: CodeType) -> tuple[_Read, ...]:
    """Lists the variables that a function and the functions nested in it read, except
    globals that these functions assign."""
    found = list(_list_reads(code))
    assigned = {name for name, kind in _list_names(code) if kind == "STORE_GLOBAL"}
    return tuple(dict.fromkeys(read for read in found
                               if not (read[0] and read[1] in assigned)))


def _list_reads(code: CodeType) -> Iterator[_Read]:
    names = [*_list_names(code), ("", "")]
    for at, (name, kind) in enumerate(names):
        if kind not in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"):
            continue
        end = at + 1
        while names[end][1] in ("LOAD_ATTR", "LOAD_METHOD"):
            end += 1
        yield (kind != "LOAD_DEREF", name,
               tuple(attribute for attribute, _ in names[at + 1:end]))


def _list_names(code: CodeType) -> Iterator[tuple[str, str]]:
    """Lists the argument and the opcode name of each instruction, in order."""
    for instruction in dis.get_instructions(code):
        yield str(instruction.argval), instruction.opname
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _list_names(constant)
