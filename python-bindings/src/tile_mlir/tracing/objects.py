# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python objects that the body of a loop or branch can change while it is traced:
lists, dictionaries, sets, attributes, globals and variables of enclosing functions.

A body is traced once, but runs any number of times or never. So the contents of all
objects that its functions can reach are compared before and after the trace of the body
(`Objects`), and changes are undone. Then carried.py or merged.py makes each part that
differs a value of the program, as it does with variables, or refuses the body.

An object is a `Holder` of values by keys (holders.py). A change of the state of an
object that cannot be restored is an error (states.py)."""

from __future__ import annotations

import enum
import functools
import gc
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import (
    BuiltinMethodType,
    CellType,
    CodeType,
    FunctionType,
    MethodType,
    ModuleType,
)
from typing import Any, NamedTuple, Optional

from ..errors import PACKAGE, PACKAGE_NAME
from .holders import (Attributes, Cell, ClassAttributes, Contents, DequeHolder,
                      DictHolder, Globals, Holder, ListHolder, ModuleHolder, Opaque,
                      SetHolder, Slots, is_foreign_name, list_slots)
from .locations import GENERATED, list_variables
from .states import find_opaque, is_iterator
from .trace import fail


# ----------------------------------------------------------------------------
# Objects that a body reaches
# ----------------------------------------------------------------------------


class Change(NamedTuple):
    holder: Holder
    before: Contents
    after: Contents


class Objects:
    """The objects that functions and variables can reach, with the contents that they
    have when the `Objects` is created."""

    def __init__(self, functions: Iterable[Any], variables: Mapping[str, Any] = {}):
        finder = _Finder()
        for name, value in variables.items():
            finder.begin(value, name)
        for function in functions:
            finder.begin_body(function)
        self._found = [(holder, holder.read()) for holder in finder.list_holders()]

    def take(self) -> list[Change]:
        """Returns the changes since this `Objects` was created, and undoes them if
        possible."""
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
    """Returns the result of `call`, which calls `functions`. A change of an object is
    an error, since the functions are traced once but run any number of times or
    never."""
    objects = Objects(functions, variables)
    result = call()
    for change in objects.take():
        fail(f"expected {what} of the program to change no object of Python, got a change "
             f"of {change.holder.name or change.holder.kind!r}; the body of a loop or of "
             "an 'if' may")
    return result


def is_held(value: Any, name: str) -> bool:
    """Whether the user's functions on the call stack can reach `value` in another way
    than by a variable called `name`."""
    finder = _Finder()
    for variables in list_variables():
        for variable, held in variables.items():
            if variable != name or held is not value:
                finder.visit(held, variable)
    finder.list_holders()
    return finder.has(value)


def hold(value: Any) -> list[tuple[Holder, Contents]]:
    """Returns the current contents of a list, a dictionary or another object, but not
    the contents of the objects in it."""
    finder = _Finder()
    finder.visit(value, "")
    return [(holder, holder.read()) for holder in finder.list_holders()
            if holder.whole is value]


class _Finder:
    def __init__(self) -> None:
        self._holders: dict[int, list[Holder]] = {}
        self._root = ""
        self._kept: list[Any] = []  # so that ids stay valid
        self._names: set[str] = set()
        self._globals: dict[int, tuple[dict[str, Any], set[str]]] = {}
        self._modules: dict[int, tuple[ModuleType, str, set[str]]] = {}

    def list_holders(self) -> list[Holder]:
        while self._visit_modules():
            pass
        found = [holder for holders in self._holders.values() for holder in holders]
        return found + [Globals(*one) for one in self._globals.values()]

    def begin(self, value: Any, root: str) -> None:
        self._root = root
        self.visit(value, root)

    def begin_body(self, body: Any) -> None:
        """Visits all objects that a function reaches. The root of each is the variable
        by which the function reaches it."""
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
        for index, part in enumerate(value):
            self.visit(part, f"{name}[{index}]")

    def visit_list(self, value: list[Any], name: str) -> None:
        self._visit_parts(ListHolder(value, name))

    def visit_deque(self, value: deque[Any], name: str) -> None:
        self._visit_parts(DequeHolder(value, name))

    def visit_dict(self, value: dict[Any, Any], name: str) -> None:
        self._visit_parts(DictHolder(value, name))

    def visit_set(self, value: set[Any], name: str) -> None:
        self._add(SetHolder(value, name))
        self.visit_tuple(value, name)

    def visit_cell(self, value: CellType, name: str) -> None:
        self._visit_parts(Cell(value, name))

    def visit_opaque(self, value: Any, name: str) -> None:
        kind, get = find_opaque(type(value)) or ("object", id)
        self._add(Opaque(value, name, kind, get))
        if is_iterator(type(value)):
            self._visit_iterator(value, name)

    def _visit_iterator(self, value: Any, name: str) -> None:
        for part in gc.get_referents(value):
            if type(part) is not CodeType and part is not type(value):
                self.visit(part, name)

    def visit_object(self, value: Any, name: str) -> None:
        kind = type(value)
        if _has_dictionary(value):
            self._visit_parts(Attributes(value, name))
        if list_slots(kind):
            self._visit_parts(Slots(value, name))
        self.visit(kind, kind.__name__)

    def visit_class(self, value: type, name: str) -> None:
        for member, part in self._add(ClassAttributes(value, name)).items():
            for function in _list_functions(part):
                self.visit(function, f"{name}.{member}")
            if not member.startswith("__"):
                self.visit(part, f"{name}.{member}")
        for base in value.__mro__[1:]:
            self.visit(base, base.__name__)

    def visit_module(self, value: ModuleType, name: str) -> None:
        self._modules[id(value)] = value, name, set()
        self._add(ModuleHolder(value, name))

    def _visit_modules(self) -> bool:
        """Visits the members of modules whose names occur in visited code; returns
        whether there were new ones."""
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
            self._visit_parts(Attributes(function, name))

    def _visit_globals(self, function: FunctionType) -> None:
        whole, names = function.__globals__, _list_names(function.__code__)
        self._names |= names
        _, seen = self._globals.setdefault(id(whole), (whole, set()))
        new = (names & whole.keys()) - seen
        seen |= names
        for name in new:
            self.visit(whole[name], name)


_Visit = Callable[[_Finder, Any, str], None]

# Types, and the functions that visit their objects and those of the user's subclasses.
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
    """Returns the function that visits objects of a type; None if they never change or
    are not followed."""
    if _is_own(kind) or issubclass(kind, enum.Enum):
        return None
    visits = [visit for base, visit in _VISITS if issubclass(kind, base)]
    if not visits and find_opaque(kind):
        visits.append(_Finder.visit_opaque)
    if issubclass(kind, ModuleType):
        visits.append(_visit_own_module)
    elif issubclass(kind, type):
        visits.append(_visit_own_class)
    elif not is_foreign_name(kind.__module__):
        visits.append(_Finder.visit_object)
    if not visits:
        return None
    return visits[0] if len(visits) == 1 else functools.partial(_visit_all, visits)


def _is_own(kind: type) -> bool:
    """Whether a type is defined by this package, as `Tile` is."""
    return str(kind.__module__).split(".")[0] == PACKAGE_NAME


def _visit_all(visits: list[_Visit], finder: _Finder, value: Any, name: str) -> None:
    for visit in visits:
        visit(finder, value, name)


def _visit_own_module(finder: _Finder, value: ModuleType, name: str) -> None:
    if not is_foreign_name(value.__name__):
        finder.visit_module(value, name)


def _visit_own_class(finder: _Finder, value: type, name: str) -> None:
    if not is_foreign_name(value.__module__) and not issubclass(value, enum.Enum):
        finder.visit_class(value, name)


def _is_foreign_function(function: FunctionType) -> bool:
    return function.__code__.co_filename.startswith(PACKAGE) or \
        is_foreign_name(function.__globals__.get("__name__"))


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


@functools.lru_cache(maxsize=4096)
def _list_names(code: CodeType) -> frozenset[str]:
    """Lists the globals and attributes that a function and those nested in it use."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _list_names(constant)
    return frozenset(names)
