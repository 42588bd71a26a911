# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names that the statements of a body assign and use, and the statements that leave
it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Optional

from ..tracing.locations import GENERATED
from .nodes import Located, list_arguments, list_children

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_PARTS = (ast.Subscript, ast.Attribute)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


def walk(nodes: list[Any]) -> Iterator[ast.AST]:
    """Yields the nodes of one scope in order, without those in nested functions and
    classes."""
    rest = nodes[::-1]
    while rest:
        node = rest.pop()
        yield node
        if not isinstance(node, _SCOPES):
            rest += list_children(node)[::-1]


def find_assigned(nodes: list[Any]) -> dict[str, Located]:
    """Returns the names that statements assign, in order, with the node of the last
    assignment of each."""
    names: dict[str, Any] = {}
    for node in walk(nodes):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names[node.id] = node
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names[node.name] = node
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            names[node.name] = node
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names[node.rest] = node
        elif isinstance(node, ast.alias):
            names[(node.asname or node.name).split(".")[0]] = node
    return {name: node for name, node in names.items()
            if not name.startswith(GENERATED)}


def find_assigned_here(nodes: list[Any]) -> dict[str, Located]:
    """Returns the names that statements assign, without variables of comprehensions that
    nothing else assigns."""
    variables = [part for node in walk(nodes)
                 for generator in getattr(node, "generators", [])
                 for part in ast.walk(generator.target)
                 if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)]
    own = set(map(id, variables))
    others = {node.id for node in walk(nodes) if isinstance(node, ast.Name) and
              not isinstance(node.ctx, ast.Load) and id(node) not in own}
    hidden = {variable.id for variable in variables} - others
    return {name: node for name, node in find_assigned(nodes).items()
            if name not in hidden}


def find_declared(nodes: list[Any], kind: Any = (ast.Global, ast.Nonlocal)
                  ) -> set[str]:
    """Returns the names that are declared global or nonlocal."""
    return {name for node in walk(nodes) if isinstance(node, kind)
            for name in node.names}


def find_captured(nodes: list[Any]) -> set[str]:
    """Returns the names of a function's variables that nested functions use too."""
    return {name for node in walk(nodes) if isinstance(node, _SCOPES)
            for name in _find_free(node)}


def _find_free(scope: Any) -> set[str]:
    """Returns the names that a function or class uses and that belong to a scope around
    it."""
    body = scope.body if isinstance(scope.body, list) else [scope.body]
    own = set(find_assigned(body)) - find_declared(body)
    if isinstance(scope, _FUNCTIONS):
        own |= {arg.arg for arg in list_arguments(scope.args)}
    names = {node.id for node in walk(body) if isinstance(node, ast.Name)}
    names |= find_declared(body, ast.Nonlocal)
    return (names | find_captured(body)) - own


def find_used(nodes: list[Any]) -> dict[str, Located]:
    """Returns the names that are used, with one node for each. It is the first node
    that assigns a part of the named object, else the first that calls it or a method of
    it, else the first that reads a part of it, else the first with the name itself."""
    found: dict[str, tuple[int, Any]] = {}
    for node in walk(nodes):
        root, weight = _find_root(node), 0
        if isinstance(node, _PARTS):
            weight = 1 if isinstance(node.ctx, ast.Load) else 3
        elif isinstance(node, ast.Call):
            weight = 2
        if root is not None and weight > found.get(root, (-1, None))[0]:
            found[root] = weight, node
    return {name: node for name, (_, node) in found.items()}


def _find_root(node: Any) -> Optional[str]:
    """Returns the name at the root of a chain of attributes, elements and calls."""
    while isinstance(node, (*_PARTS, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


class Scope(NamedTuple):
    """The names of a function: `globals`; `cells`, the variables that it shares with
    nested or enclosing functions, which bodies assign in place; and `assigned`, the
    names that its loops and branches assign."""

    globals: set[str]
    cells: set[str]
    assigned: dict[str, Located]

    @staticmethod
    def make(body: list[Any]) -> "Scope":
        return Scope(find_declared(body, ast.Global),
                     find_declared(body, ast.Nonlocal) | find_captured(body), {})

    def declare(self, names: Iterable[str]) -> list[ast.stmt]:
        """Returns the `global` and `nonlocal` statements for the function of a body
        that assigns these names."""
        found: list[ast.stmt] = []
        if of_module := [name for name in names if name in self.globals]:
            found.append(ast.Global(of_module))
        if of_function := [name for name in names
                           if name in self.cells - self.globals]:
            found.append(ast.Nonlocal(of_function))
        return found


# ----------------------------------------------------------------------------
# Exits
# ----------------------------------------------------------------------------


def find_exit(nodes: Sequence[ast.AST], is_loop: bool = True
              ) -> Optional[str]:
    """Returns the kind of a statement that leaves a body before its end; None if there
    is none."""
    for node in nodes:
        if isinstance(node, ast.Return):
            return "return"
        if isinstance(node, (ast.Break, ast.Continue)) and is_loop:
            return type(node).__name__.lower()
        if isinstance(node, _SCOPES):
            continue
        found = find_exit(list_children(node), is_loop and not isinstance(node, _LOOPS))
        if found:
            return found
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
            return "yield"
    return None


def find_raise(statements: list[ast.stmt]) -> Optional[str]:
    """Returns "raise" if a statement of the body itself is a `raise`, which then runs
    whenever the body does. A `raise` in a nested `if` is found when that `if` is
    rewritten."""
    return "raise" if any(isinstance(statement, ast.Raise)
                          for statement in statements) else None
