# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites `break`, `continue` and `return` in branches, so that no statement leaves a
loop or a function before its end.

    for i in range(n):                 goes_on = True
        if x[i] < 0:                   for i in range(n):    # while goes_on
            break                          if x[i] < 0:
        total += x[i]                          goes_on = False
                                           else:
                                               total += x[i]

The statements after a branch that leaves move to its other branch. If a branch may leave
or not, a flag records whether it has left, and they run if it has not; in a function
with a result, where each way ends with its own, both branches have them. `return` in a
loop of a kernel is a `break` that sets a flag, and a `return` after the loop if the flag
is set; the value of a `return` elsewhere is assigned to a variable, which the function
returns at its end.

A statement in `with`, `try` or `match` is left as it is, and so are `return` of a value in
a loop, all statements of a generator, and `return` in a function that calls `super` or
`locals`.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from typing import Any, Optional

from .names import find_exit, walk
from .nodes import locate

# The most nodes of the syntax tree that both branches of a function's `if` get.
_MOST_COPIED = 4000
_LOOPS = (ast.For, ast.While)
Statements = list[ast.stmt]


class _TooLong(Exception):
    """Both branches would get too many statements."""


def get_flag(loop: Any) -> Optional[str]:
    """Returns the name of the variable that is true until the `break` of a loop; None
    if the loop has none."""
    return getattr(loop, "goes_on", None)


class Exits(ast.NodeTransformer):
    """Rewrites the body of a function, without those of nested functions and classes,
    and names the flags."""

    def __init__(self) -> None:
        self._count = 0

    def lower(self, function: ast.FunctionDef, gives_nothing: bool) -> Statements:
        """Returns the body of a function, or of a kernel, which `gives_nothing`."""
        nodes = list(walk(function.body))
        if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in nodes):
            return function.body
        body = function.body
        if not any(_is_call_of_frame(node) for node in nodes):
            result = None if gives_nothing else _make_unused(
                f"result_of_{function.name}", function)
            body = self._lower_function(body, result)
        module = ast.Module(body, [])
        self.generic_visit(module)
        return module.body

    def visit_FunctionDef(self, node: Any) -> Any:
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef

    def visit_For(self, node: Any) -> Any:
        """Lowers the `break` and `continue` of a loop, after those of loops in it."""
        self.generic_visit(node)
        if node.orelse or (isinstance(node, ast.While) and _assigns_inside(node.test)):
            return node
        goes_on = self.make_name("goes_on")
        lowered = _Lowering(self, goes_on, None).lower(node.body)
        if find_exit(lowered):
            return node
        node.body = lowered
        if not _assigns(lowered, goes_on):
            return node
        node.goes_on = goes_on
        return [_make_flag(node, goes_on, True), node]

    visit_While = visit_For

    def _lower_function(self, body: Statements, result: Optional[str]) -> Statements:
        """Returns a function's body without `return` in branches, and in a kernel,
        which has no variable `result`, without it in loops."""
        if not _returns_early(body):
            return body
        flag = self.make_name("returned")
        returning = body if result else self._lower_returns(body, flag)
        try:
            lowered = _Lowering(self, None, result).lower(returning)
        except _TooLong:
            return body
        if find_exit(lowered):
            return body
        first, last = body[0], body[-1]
        at = 1 if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) \
            else 0
        if _assigns(lowered, flag):
            lowered.insert(at, _make_flag(first, flag, False))
        if result:
            lowered.insert(at, _assign(first, result, ast.Constant(None)))
            lowered.append(locate(last, ast.Return(ast.Name(result, ast.Load()))))
        return lowered

    def _lower_returns(self, statements: Statements, flag: str, in_loop: bool = False
                       ) -> Statements:
        """Returns statements in which loops set a flag and end where they returned, and
        are followed by a `return`, or, in an outer loop, by a `break`."""
        lowered: Statements = []
        for statement in statements:
            if isinstance(statement, ast.Return) and in_loop:
                if statement.value:
                    lowered.append(ast.copy_location(ast.Expr(statement.value), statement))
                lowered += [_make_flag(statement, flag, True),
                            ast.copy_location(ast.Break(), statement)]
                continue
            is_loop = isinstance(statement, _LOOPS)
            if not isinstance(statement, (*_LOOPS, ast.If)) or not _returns(statement):
                lowered.append(statement)
                continue
            made = _copy_with(statement, [
                self._lower_returns(statement.body, flag, in_loop or is_loop),
                self._lower_returns(statement.orelse, flag, in_loop)])
            lowered.append(made)
            if is_loop:
                leave = ast.Break() if in_loop else ast.Return(None)
                lowered.append(locate(statement, ast.If(ast.Name(flag, ast.Load()),
                                                        [leave], [])))
        return lowered

    def make_name(self, what: str) -> str:
        self._count += 1
        return f"tile_{what}_{self._count}_"


class _Lowering:
    """Moves the statements after those that leave. `goes_on` is the flag of the loop,
    `result` the variable of a function's result."""

    def __init__(self, exits: Exits, goes_on: Optional[str], result: Optional[str]):
        self._exits, self._goes_on, self._result = exits, goes_on, result
        self._copied = 0

    def lower(self, statements: Sequence[ast.stmt], left: Optional[str] = None
              ) -> Statements:
        """Returns statements of which none leaves. If `left` is given, they set this
        flag where they would have left."""
        lowered: Statements = []
        for index, statement in enumerate(statements):
            rest = statements[index + 1:]
            if self._leaves(statement):
                return lowered + self._leave(statement, left)
            if not isinstance(statement, ast.If) or not self._may_leave(statement):
                lowered.append(statement)
                continue
            return lowered + self._lower_branch(statement, rest, left)
        return lowered

    def _lower_branch(self, branch: ast.If, rest: Sequence[ast.stmt],
                      left: Optional[str]) -> Statements:
        parts = [branch.body, branch.orelse]
        leaving = [self._always_leaves(part) for part in parts]
        if any(leaving) or not rest or self._result:
            if not any(leaving):
                self._copied += sum(1 for statement in rest for _ in ast.walk(statement))
                if self._copied > _MOST_COPIED:
                    raise _TooLong
            parts = [self.lower(part if leaves else [*part, *copy.deepcopy(rest)], left)
                     for part, leaves in zip(parts, leaving)]
            return [_copy_with(branch, parts)]
        flag = self._exits.make_name("left")
        made = _copy_with(branch, [self.lower(part, flag) for part in parts])
        otherwise = [_make_flag(branch, left, True)] if left else []
        going_on = ast.If(ast.UnaryOp(ast.Not(), ast.Name(flag, ast.Load())),
                          self.lower(rest, left), otherwise)
        return [_make_flag(branch, flag, False), made, locate(branch, going_on)]

    def _leave(self, statement: Any, left: Optional[str]) -> Statements:
        lowered: Statements = []
        if isinstance(statement, ast.Break) and self._goes_on:
            lowered.append(_make_flag(statement, self._goes_on, False))
        elif isinstance(statement, ast.Return) and self._result:
            lowered.append(_assign(statement, self._result,
                                   statement.value or ast.Constant(None)))
        elif isinstance(statement, ast.Return) and statement.value:
            lowered.append(ast.copy_location(ast.Expr(statement.value), statement))
        if left:
            lowered.append(_make_flag(statement, left, True))
        return lowered or [ast.copy_location(ast.Pass(), statement)]

    def _leaves(self, statement: ast.stmt) -> bool:
        if self._goes_on:
            return isinstance(statement, (ast.Break, ast.Continue))
        return isinstance(statement, ast.Return)

    def _may_leave(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.If):
            return any(map(self._may_leave, [*statement.body, *statement.orelse]))
        return self._leaves(statement)

    def _always_leaves(self, statements: Sequence[ast.stmt]) -> bool:
        return any(self._leaves(statement) or (
            isinstance(statement, ast.If) and self._always_leaves(statement.body) and
            self._always_leaves(statement.orelse)) for statement in statements)


def _make_flag(at: ast.stmt, name: str, value: bool) -> ast.stmt:
    return _assign(at, name, ast.Constant(value))


def _assign(at: ast.stmt, name: str, value: ast.expr) -> ast.stmt:
    return locate(at, ast.Assign(targets=[ast.Name(name, ast.Store())], value=value))


def _copy_with(statement: Any, parts: Sequence[Statements]) -> Any:
    """Returns a copy of a branch or a loop with other statements in it."""
    body, otherwise = parts
    fields = {name: getattr(statement, name) for name in statement._fields}
    made = type(statement)(**{**fields, "body": body or [ast.Pass()],
                              "orelse": otherwise})
    for part in [ast.copy_location(made, statement), *made.body]:
        if isinstance(part, ast.Pass) and not hasattr(part, "lineno"):
            ast.copy_location(part, statement)
    return made


def _returns(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Return) for node in walk([statement]))


def _is_call_of_frame(node: ast.AST) -> bool:
    """Whether a node is a call of a function that depends on the function around it."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and \
        node.func.id in ("super", "locals")


def _assigns_inside(expression: ast.expr) -> bool:
    return any(isinstance(node, ast.NamedExpr) for node in walk([expression]))


def _make_unused(name: str, function: ast.FunctionDef) -> str:
    """Returns a name that a function does not use."""
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    used |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    while name in used:
        name += "_"
    return name


def _returns_early(body: Statements) -> bool:
    """Whether a statement of a function other than its last one returns."""
    last = body[-1] if body else None
    return any(find_exit([statement], is_loop=False) == "return"
               for statement in body if not (statement is last and
                                             isinstance(last, ast.Return)))


def _assigns(statements: Statements, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name and
               isinstance(node.ctx, ast.Store)
               for statement in statements for node in ast.walk(statement))
