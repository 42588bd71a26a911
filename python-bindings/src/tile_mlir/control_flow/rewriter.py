# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites the syntax tree of a function: its loops, branches and reads of names become
calls of `control`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Optional

from ..errors import CompileError, Diagnostic
from ..tracing.locations import GENERATED
from .exits import Exits, get_flag
from .names import (Scope, find_assigned_here, find_declared, find_exit, find_raise,
                    find_used, walk)
from .nodes import (CONTROL, Located, Node, call_control, delay, get_control,
                    get_position, is_private, list_arguments, load_name, locate,
                    make_arguments, make_tuple)

# The parameter of a loop body's function that receives the element.
_ITEM = "__tile_item__"


class _Body(NamedTuple):
    """A loop or a branch: the variables that it carries, all names that it assigns, and
    the call that makes its `Region`."""

    names: list[str]
    assigned: list[str]
    region: ast.expr


class Rewriter(ast.NodeTransformer):
    def __init__(self, gives_nothing: bool, file: str) -> None:
        self._gives_nothing = gives_nothing
        self._file = file
        self._count = 0
        self._exits = Exits()
        self._scope = Scope(set(), set(), {})

    # ------------------------------------------------------------------------
    # Functions
    # ------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Rewrites a function. It first sets the variables that loops and branches
        assign to UNDEFINED, so that reading them gives this package's error instead of
        Python's."""
        if self._gives_nothing:
            _refuse_results(node)
        node.body = self._exits.lower(node, self._gives_nothing)
        outer, self._scope = self._scope, Scope.make(node.body)
        self._gives_nothing = False  # not for nested functions
        declared = find_declared(node.body)
        declarations = self._scope.declare(sorted(declared))
        self._visit_without(node, "returns")
        hidden = {arg.arg for arg in list_arguments(node.args)} | declared
        names = [name for name in self._scope.assigned if name not in hidden]
        self._scope = outer
        first = [ast.Assign(targets=[ast.Name(name, ast.Store()) for name in names],
                            value=get_control("UNDEFINED"))] if names else []
        at = 1 if ast.get_docstring(node) is not None else 0
        node.body[at:at] = [locate(node.body[0], statement)
                            for statement in [*declarations, *first]]
        return node

    def visit_Global(self, node: ast.Global) -> ast.AST:
        """Removes the declaration, which is repeated at the start of the function."""
        return ast.copy_location(ast.Pass(), node)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        return ast.copy_location(ast.Pass(), node)

    # ------------------------------------------------------------------------
    # Statements
    # ------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> Any:
        leaves = _find_obstacle(node)
        body = self._describe("a loop", [node.target, *node.body])
        self._use_range(node)
        self.generic_visit(node)
        if leaves:
            node.iter = locate(node, call_control("check_static", node.iter,
                                                  ast.Constant(leaves)))
            return node
        unpack = ast.Assign(targets=[node.target],
                            value=ast.Name(_ITEM, ast.Load()))
        made = self._define("body", body, [unpack, *node.body], node, [_ITEM])
        return [made, self._assign(node, body, call_control(
            "for_", node.iter, load_name(made.name), body.region,
            make_tuple(body.names), *_find_flag(body, node)))]

    def visit_While(self, node: ast.While) -> Any:
        leaves = _find_obstacle(node)
        body = self._describe("a loop", [node.test, *node.body])
        self.generic_visit(node)
        if leaves:
            node.test = locate(node, call_control("check_static", node.test,
                                                  ast.Constant(leaves)))
            return node
        self._refuse_assignment(node.test)
        test = locate(node, self._make_function("test", body.names,
                                                [ast.Return(node.test)]))
        made = self._define("body", body, node.body, node)
        return [test, made, self._assign(node, body, call_control(
            "while_", load_name(test.name), load_name(made.name), body.region,
            make_tuple(body.names), *_find_flag(body, node)))]

    def visit_If(self, node: ast.If) -> Any:
        leaves = find_exit(node.body + node.orelse) or \
            find_raise(node.body + node.orelse)
        body = self._describe("an 'if'", [node.test, *node.body, *node.orelse])
        self.generic_visit(node)
        if leaves:
            node.test = locate(node, call_control("check_static", node.test,
                                                  ast.Constant(leaves)))
            return node
        then = self._define("then", body, node.body, node)
        otherwise = self._define("else", body, node.orelse, node)
        return [then, otherwise, self._assign(node, body, call_control(
            "if_", node.test, load_name(then.name), load_name(otherwise.name),
            body.region, make_tuple(body.names)))]

    def visit_Delete(self, node: ast.Delete) -> Any:
        """Rewrites `del` of a local variable to an assignment of UNDEFINED, since a
        loop or a branch may or may not delete it. Globals and variables that are shared
        with other functions are deleted by Python's `del`."""
        self.generic_visit(node)
        found: list[ast.stmt] = []
        for target in _list_targets(node.targets):
            if isinstance(target, ast.Name):
                found.append(ast.Expr(call_control("value_of", load_name(target.id))))
            found.append(self._delete(target))
        return [locate(node, statement) for statement in found]

    def _delete(self, target: ast.expr) -> ast.stmt:
        if isinstance(target, ast.Attribute) and not is_private(target.attr):
            return ast.Expr(call_control("delete", target.value,
                                         ast.Constant(target.attr)))
        if not isinstance(target, ast.Name) or \
                target.id in self._scope.globals | self._scope.cells:
            return ast.Delete([target])
        return ast.Assign(targets=[ast.Name(target.id, ast.Store())],
                          value=get_control("UNDEFINED"))

    def visit_Assert(self, node: ast.Assert) -> Any:
        self.generic_visit(node)
        return locate(node, ast.Expr(call_control(
            "assert_", node.test, delay(node.msg or ast.Constant(None)))))

    def _use_range(self, node: ast.For) -> None:
        """Makes a `for` over `range(...)` or `reversed(range(...))` a loop of the
        program."""
        loop: Any = node.iter
        if _is_call_of(loop, "reversed") and len(loop.args) == 1:
            [loop] = loop.args
        if _is_call_of(loop, "range"):
            loop.func = locate(loop.func, call_control("range_of", loop.func))

    def _describe(self, what: str, nodes: list[Any]) -> _Body:
        assigned = find_assigned_here(nodes)
        self._scope.assigned.update(assigned)
        names = [name for name in assigned
                 if name not in self._scope.globals | self._scope.cells]
        positions = [tuple((name, get_position(node)) for name, node in found.items())
                     for found in (assigned, find_used(nodes))]
        region = call_control("Region", *map(ast.Constant,
                                             (what, tuple(names), *positions)))
        return _Body(names, list(assigned), region)

    def _define(self, kind: str, body: _Body, statements: list[ast.stmt],
                at: Located, first: Sequence[str] = ()) -> ast.FunctionDef:
        """Makes a function for a body, which takes and returns the variables that it
        carries."""
        statements = [*self._scope.declare(body.assigned), *statements,
                      ast.Return(make_tuple(body.names))]
        return locate(at, self._make_function(kind, [*first, *body.names], statements))

    def _make_function(self, kind: str, names: list[str], body: list[Any]
                       ) -> ast.FunctionDef:
        self._count += 1
        return ast.FunctionDef(
            name=f"{GENERATED}{kind}_{self._count}__", args=make_arguments(names),
            body=body, decorator_list=[], type_params=[])

    def _assign(self, at: Located, body: _Body, value: ast.expr) -> ast.stmt:
        if not body.names:
            return locate(at, ast.Expr(value))
        return locate(at, ast.Assign(
            targets=[make_tuple(body.names, ast.Store())], value=value))

    # ------------------------------------------------------------------------
    # Expressions
    # ------------------------------------------------------------------------

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        return locate(node, call_control(name, *map(self._delay, node.values)))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            return node
        return locate(node, call_control("not_", node.operand))

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        return locate(node, call_control("choose", node.test,
                                         self._delay(node.body),
                                         self._delay(node.orelse)))

    def visit_Compare(self, node: ast.Compare) -> Any:
        """Rewrites a < b < c so that the operands are computed once."""
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        second, *rest = node.comparators
        comparisons = [_make_comparison(op) for op in node.ops]
        return locate(node, call_control(
            "compare", ast.Tuple(comparisons, ast.Load()), node.left, second,
            *map(self._delay, rest)))

    def visit_Name(self, node: ast.Name) -> Any:
        """Rewrites a read of a name to a check that it has a value."""
        is_read = isinstance(node.ctx, ast.Load) and node.id != CONTROL
        return locate(node, call_control("value_of", node)) if is_read else node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        is_read = isinstance(node.ctx, ast.Load)
        return locate(node, call_control("value_of", node)) if is_read else node

    def visit_arg(self, node: ast.arg) -> Any:
        """Leaves annotations as they are, for code that reads them."""
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        return self._visit_without(node, "annotation")

    def visit_match_case(self, node: ast.match_case) -> Any:
        """Leaves patterns as they are: names in them are not reads to be checked."""
        return self._visit_without(node, "pattern")

    def _visit_without(self, node: Node, field: str) -> Node:
        """Visits all of a node but one field."""
        kept = getattr(node, field)
        setattr(node, field, None)
        self.generic_visit(node)
        setattr(node, field, kept)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        """Rewrites calls of `min`, `max` and `len`, so that Python's own ones also take
        values of the program. The called name is not checked for a value, since
        `Undefined` raises the error when it is called."""
        function, node.func = node.func, load_name(CONTROL)
        self.generic_visit(node)
        node.func = self._visit_called(function)
        if any(_is_call_of(node, name) for name in ("min", "max", "len")):
            node.func = locate(node.func, call_control("call_of", node.func))
        return node

    def _visit_called(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Attribute):
            return self.generic_visit(node)
        return node if isinstance(node, ast.Name) else self.visit(node)

    def _delay(self, expression: ast.expr) -> ast.expr:
        self._refuse_assignment(expression)
        return delay(expression)

    def _refuse_assignment(self, expression: ast.expr) -> None:
        """Raises an error for `:=` in an expression that becomes a function, since it
        would assign a variable of that function."""
        for node in walk([expression]):
            if isinstance(node, ast.NamedExpr):
                raise CompileError([Diagnostic(
                    "error", "expected no ':=' in the condition of a 'while' and in "
                    "what is computed on a condition, got one", self._file,
                    node.lineno, node.col_offset + 1)])


def _find_obstacle(loop: Any) -> Optional[str]:
    """Returns the part of a loop that prevents rewriting it; None if there is none."""
    return "else" if loop.orelse else find_exit(loop.body) or find_raise(loop.body)


def _find_flag(body: _Body, loop: Any) -> list[ast.expr]:
    """Returns the index, among the variables that a loop carries, of the flag of its
    `break`."""
    flag = get_flag(loop)
    return [ast.Constant(body.names.index(flag))] if flag else []


def _is_call_of(node: Any, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and \
        node.func.id == name


def _list_targets(targets: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """Lists the targets of a `del`, also those in tuples and lists."""
    for target in targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            yield from _list_targets(target.elts)
        else:
            yield target


def _make_comparison(operator: ast.cmpop) -> ast.expr:
    a, b = f"{GENERATED}a__", f"{GENERATED}b__"
    return ast.Lambda(make_arguments([a, b]),
                      ast.Compare(load_name(a), [operator], [load_name(b)]))


def _refuse_results(function: ast.FunctionDef) -> None:
    for node in walk(function.body):
        if isinstance(node, ast.Return) and node.value is not None:
            node.value = locate(node, call_control("check_nothing", node.value))
