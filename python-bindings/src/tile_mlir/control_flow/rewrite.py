# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites a function's `for`, `while`, `if`, `and`, `or`, `not`, chained comparisons
and `assert` to calls of `control`, which decide during the trace whether they are
Python's or the program's.

    for i in range(n):            def __tile_body_1__(__tile_item__, i, acc):
        acc += f(i)                   i = __tile_item__
                                      acc += f(i)
                                      return (i, acc)
                                  (i, acc) = __tile__.for_(
                                      __tile__.range_of(range)(n), __tile_body_1__,
                                      __tile__.Region(("i", "acc"), ...), (i, acc))

A name that is global, or belongs to an enclosing function, or is also read by a nested
function, is neither a parameter nor a result of the body's function, which declares it
`global` or `nonlocal`. If the body changes it, it is carried, as a changed attribute or
element of an object is. It is an error to read a name or an attribute that a loop or a
branch has left without a value: each read `y` is rewritten to `value_of(y)`, which
checks this.

Before, `break`, `continue` and `return` are rewritten (exits.py). A loop or branch in
which one is left is not rewritten: its condition must be known while the kernel is
traced. Nodes keep their lines and columns,
so that errors and tracebacks point at the user's text.
"""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import linecache
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any, Optional, ParamSpec, TypeVar

from ..errors import ArgumentError, CompileError, Diagnostic
from ..tracing.locations import GENERATED
from ..tracing.trace import describe
from ..tracing.undefined import UNDEFINED, value_of
from . import control
from .carried import Region
from .nodes import CONTROL, LOCATED, Located, is_private, locate, make_arguments
from .ranges import Range
from .rewriter import Rewriter

Takes = ParamSpec("Takes")
Gives = TypeVar("Gives")


def range_of(function: Any) -> Any:
    """Returns what a `for` over `range(...)` calls: if `function`, the value of the
    name `range`, is Python's own, a class whose ranges make a loop of the program."""
    return Range if function is builtins.range else function


class _Runtime:
    """The namespace of functions that a rewritten function refers to as `__tile__`."""

    for_ = staticmethod(control.for_)
    while_ = staticmethod(control.while_)
    if_ = staticmethod(control.if_)
    choose = staticmethod(control.choose)
    and_ = staticmethod(control.and_)
    or_ = staticmethod(control.or_)
    not_ = staticmethod(control.not_)
    compare = staticmethod(control.compare)
    call_of = staticmethod(control.call_of)
    Region = Region
    assert_ = staticmethod(control.assert_)
    delete = staticmethod(control.delete)
    check_static = staticmethod(control.check_static)
    check_nothing = staticmethod(control.check_nothing)
    range_of = staticmethod(range_of)
    value_of = staticmethod(value_of)
    UNDEFINED = UNDEFINED


def check_function(function: object) -> None:
    """Raises an error for a function that is not defined by `def`, is asynchronous or a
    decorator's wrapper, or has loops and branches whose source cannot be read."""
    if not isinstance(function, types.FunctionType):
        raise ArgumentError(f"expected a function defined by 'def', got "
                            f"{describe(function)}")
    if hasattr(function, "__wrapped__"):
        raise ArgumentError(f"expected a function itself, got what a decorator has made "
                            f"of {function.__name__!r}")
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise ArgumentError(f"expected a function defined by 'def', got "
                            f"{function.__name__!r} by 'async def'")
    _check_source(function)


def _check_source(function: types.FunctionType) -> None:
    """Raises an error for a function without source that has jumps; one without jumps
    is traced as it is."""
    code = function.__code__
    if linecache.getlines(code.co_filename, function.__globals__):
        return
    if any(instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs
           for instruction in dis.get_instructions(code)):
        raise ArgumentError(
            f"expected a function whose source can be read, since it has loops or "
            f"branches, got {function.__name__!r} of {code.co_filename!r}, which has "
            "none; put it in a file or a notebook, or its text into linecache.cache")


def rewrite(function: Callable[Takes, Gives], *, gives_nothing: bool = False
            ) -> Callable[Takes, Gives]:
    """Returns the function with its control flow rewritten, with the same globals,
    closure and defaults; with `gives_nothing` it is an error to return a value. Without
    source, as for one made by exec, it returns the function itself."""
    return _rewrite(function, gives_nothing)


def replace_calls(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function, which may be a lambda, whose calls of Python's `min`, `max` and
    `len` take values of the program; the rest is not rewritten."""
    if not isinstance(function, types.FunctionType):
        return function
    called = {known.__name__: control.call_of(known) for known in (min, max, len)}
    made = types.FunctionType(
        function.__code__, {**called, **function.__globals__}, function.__name__,
        function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _rewrite(function: Any, gives_nothing: bool) -> types.FunctionType:
    check_function(function)
    tree = _parse(function)
    if tree is None:
        return function  # type: ignore[no-any-return]
    Rewriter(gives_nothing, function.__code__.co_filename).visit(tree)
    code = _compile(tree, function)
    closure = tuple(_find_cell(function, name) for name in code.co_freevars)
    made = types.FunctionType(code, function.__globals__, function.__name__,
                              function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__ = function.__qualname__
    made.__module__ = function.__module__
    return made


def _parse(function: types.FunctionType) -> Optional[ast.FunctionDef]:
    """Parses the function's definition; its nodes have the lines and columns of the
    file."""
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return None
    definition = _find_definition("".join(lines))
    if definition is None:
        raise CompileError([Diagnostic(
            "error", "expected a function defined by 'def'",
            function.__code__.co_filename, first, 1)])
    margin = len(lines[0]) - len(lines[0].lstrip())
    for node in ast.walk(definition):
        if isinstance(node, LOCATED):
            _move(node, first - 1, margin)
    definition.decorator_list = []
    return definition


def _move(node: Located, lines: int, columns: int) -> None:
    node.lineno += lines
    node.col_offset += columns
    if node.end_lineno is not None:
        node.end_lineno += lines
    if node.end_col_offset is not None:
        node.end_col_offset += columns


def _find_definition(text: str) -> Optional[ast.FunctionDef]:
    """Parses a text as a function definition. Returns None if it is another statement,
    or a part of a statement, such as the text of a lambda."""
    try:
        [definition] = ast.parse(textwrap.dedent(text)).body
    except (SyntaxError, ValueError):
        return None
    return definition if isinstance(definition, ast.FunctionDef) else None


def _compile(tree: ast.FunctionDef, function: types.FunctionType
             ) -> types.CodeType:
    """Compiles the function. It is nested in a function whose variables are the closure
    of the original, and in a class of the same name as the original's if its text has
    private names."""
    # A function that is defined in a rewritten function already closes over CONTROL.
    names = list(dict.fromkeys([CONTROL, *function.__code__.co_freevars]))
    # Within the function its own name is a global, unless it closes over this name.
    own = [ast.Global([tree.name])] if tree.name not in names else []
    outer: ast.stmt = ast.FunctionDef(
        name=f"{GENERATED}outer__", args=make_arguments(names), body=[*own, tree],
        decorator_list=[], type_params=[])
    outside = [f"{GENERATED}outer__", tree.name]
    if owner := _find_owner(tree, function):
        outer = ast.ClassDef(name=owner, bases=[], keywords=[], body=[outer],
                             decorator_list=[], type_params=[])
        outside.insert(0, owner)
    module = ast.Module([locate(tree, outer)], [])
    code: types.CodeType = compile(module, function.__code__.co_filename, "exec")
    for name in outside:
        [code] = [c for c in code.co_consts if isinstance(c, types.CodeType) and
                  c.co_name == name]
    return code


def _find_owner(tree: ast.FunctionDef, function: types.FunctionType) -> Optional[str]:
    """Returns the name of the class that mangles private names of the function,
    self.__x to self._Owner__x; None if there are none."""
    owners = function.__qualname__.split(".")[:-1]
    if not owners:
        return None
    names = {name for node in ast.walk(tree) for name in _list_identifiers(node)
             if is_private(name)}
    known = set(_list_names(function.__code__)) if names else set()
    for owner in reversed(owners):
        if any(f"_{owner.lstrip('_')}{name}" in known for name in names):
            return owner
    return None


def _list_identifiers(node: ast.AST) -> Iterator[str]:
    for _, value in ast.iter_fields(node):
        if isinstance(value, str):
            yield value


def _list_names(code: types.CodeType) -> Iterator[str]:
    yield from (*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _list_names(constant)


def _find_cell(function: types.FunctionType, name: str) -> types.CellType:
    if name == CONTROL:
        return types.CellType(_Runtime)
    at = function.__code__.co_freevars.index(name)
    return (function.__closure__ or ())[at]
