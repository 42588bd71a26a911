# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function's `for`, `while`, `if`, `and`, `or`, `not`, chained comparisons and
`assert` as calls of `control`, which decide when they run.

    for i in range(n):            def __tile_body_1(__tile_item, i, acc):
        acc += f(i)                   i = __tile_item
                                      acc += f(i)
                                      return (i, acc)
                                  (i, acc) = __tile.for_(
                                      __tile.range_of(range)(n), __tile_body_1,
                                      ("i", "acc"), (i, acc))

What has a `break`, `continue` or `return` within stays Python's, and must be known
while the kernel is traced. All lines and columns stay, so that errors and
tracebacks point at the user's text.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
import types
from typing import (Any, Callable, Iterator, Optional, ParamSpec, Sequence, TypeVar,
                    Union)

from . import control
from .errors import ArgumentError, CompileError, Diagnostic
from .trace import describe
from .values import UNDEFINED

Takes = ParamSpec("Takes")
Gives = TypeVar("Gives")
Node = TypeVar("Node", bound=ast.AST)

_CONTROL = "__tile"
_ITEM = "__tile_item"


def range_of(function: Any) -> Any:
    """What a `for` calls by the name `range`: of Python's own one that makes a
    loop of the program."""
    return control.Range if function is builtins.range else function


class _Runtime:
    """What the rewritten function knows by the name `__tile`."""

    for_ = staticmethod(control.for_)
    while_ = staticmethod(control.while_)
    if_ = staticmethod(control.if_)
    choose = staticmethod(control.choose)
    and_ = staticmethod(control.and_)
    or_ = staticmethod(control.or_)
    not_ = staticmethod(control.not_)
    assert_ = staticmethod(control.assert_)
    check_static = staticmethod(control.check_static)
    check_nothing = staticmethod(control.check_nothing)
    range_of = staticmethod(range_of)
    UNDEFINED = UNDEFINED


def check_function(function: object) -> None:
    """Refuses what is no function defined by `def`, or one that is not run by a
    call."""
    if not isinstance(function, types.FunctionType):
        raise ArgumentError(f"expected a function defined by 'def', got "
                            f"{describe(function)}")
    if hasattr(function, "__wrapped__"):
        raise ArgumentError(f"expected a function itself, got what a decorator has made "
                            f"of {function.__name__!r}")
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise ArgumentError(f"expected a function defined by 'def', got "
                            f"{function.__name__!r} by 'async def'")


def rewrite(function: Callable[Takes, Gives], *, gives_nothing: bool = False
            ) -> Callable[Takes, Gives]:
    """The function with its control flow rewritten, with the same globals,
    closure and defaults; with `gives_nothing` what it returns is refused. Without
    source, as of one made by exec, the function itself: then loops are Python's."""
    return _rewrite(function, gives_nothing)


def _rewrite(function: Any, gives_nothing: bool) -> types.FunctionType:
    check_function(function)
    tree = _parse(function)
    if tree is None:
        return function  # type: ignore[no-any-return]
    _Rewriter(gives_nothing, function.__code__.co_filename).visit(tree)
    code = _compile(tree, function)
    closure = tuple(_find_cell(function, name) for name in code.co_freevars)
    made = types.FunctionType(code, function.__globals__, function.__name__,
                              function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__ = function.__qualname__
    made.__module__ = function.__module__
    return made


def _parse(function: types.FunctionType) -> Optional[ast.FunctionDef]:
    """The function's definition, with the lines and columns of its file."""
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
        if isinstance(node, _LOCATED):
            _move(node, first - 1, margin)
    definition.decorator_list = []
    return definition


# What has a place in the text.
_LOCATED = (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.alias,
            ast.excepthandler, ast.pattern)
_Located = Union[ast.stmt, ast.expr, ast.arg, ast.keyword, ast.alias,
                 ast.excepthandler, ast.pattern]


def _move(node: _Located, lines: int, columns: int) -> None:
    node.lineno += lines
    node.col_offset += columns
    if node.end_lineno is not None:
        node.end_lineno += lines
    if node.end_col_offset is not None:
        node.end_col_offset += columns


def _find_definition(text: str) -> Optional[ast.FunctionDef]:
    """None if it is another statement, or a part of one, as that of a lambda."""
    try:
        [definition] = ast.parse(textwrap.dedent(text)).body
    except (SyntaxError, ValueError):
        return None
    return definition if isinstance(definition, ast.FunctionDef) else None


def _compile(tree: ast.FunctionDef, function: types.FunctionType
             ) -> types.CodeType:
    """The code of the function, with what the original closes over as such."""
    names = [_CONTROL, *function.__code__.co_freevars]
    outer = ast.FunctionDef(
        name="__tile_outer", args=_make_arguments(names), body=[tree],
        decorator_list=[], type_params=[])
    module = ast.Module([_locate(tree, outer)], [])
    compiled = compile(module, function.__code__.co_filename, "exec")
    [outside] = [c for c in compiled.co_consts if isinstance(c, types.CodeType)]
    [inside] = [c for c in outside.co_consts if isinstance(c, types.CodeType) and
                c.co_name == tree.name]
    return inside


def _find_cell(function: types.FunctionType, name: str) -> types.CellType:
    if name == _CONTROL:
        return types.CellType(_Runtime)
    at = function.__code__.co_freevars.index(name)
    return (function.__closure__ or ())[at]


def _make_arguments(names: list[str]) -> ast.arguments:
    return ast.arguments(posonlyargs=[], args=[ast.arg(name) for name in names],
                         kwonlyargs=[], kw_defaults=[], defaults=[])


# ----------------------------------------------------------------------------
# What a body assigns, and how it ends
# ----------------------------------------------------------------------------

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_PARTS = (ast.Subscript, ast.Attribute)
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


def _walk(nodes: list[Any]) -> Iterator[ast.AST]:
    """The nodes of one scope, in order, without those of functions inside it."""
    for node in nodes:
        yield node
        if not isinstance(node, _SCOPES):
            yield from _walk(list(ast.iter_child_nodes(node)))


def _find_assigned(nodes: list[Any]) -> list[str]:
    """The names that statements assign, in order."""
    names: dict[str, None] = {}
    for node in _walk(nodes):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.setdefault(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.setdefault(node.name)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            names.setdefault(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names.setdefault(node.rest)
        elif isinstance(node, ast.alias):
            names.setdefault((node.asname or node.name).split(".")[0])
    return [name for name in names if not name.startswith(_CONTROL)]


def _find_changed(nodes: list[Any]) -> list[str]:
    """The names of what statements assign a part of, an element or a member."""
    names: dict[str, None] = {}
    for node in _walk(nodes):
        if not isinstance(node, _PARTS) or not isinstance(node.ctx, ast.Store):
            continue
        whole = node.value
        while isinstance(whole, _PARTS):
            whole = whole.value
        if isinstance(whole, ast.Name):
            names.setdefault(whole.id)
    return list(names)


def _find_declared(nodes: list[Any]) -> set[str]:
    """The names that are global, or of a function around."""
    return {name for node in _walk(nodes)
            if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}


def _find_comprehended(nodes: list[Any]) -> set[str]:
    """The names that comprehensions have for themselves."""
    return {name for node in _walk(nodes)
            for generator in getattr(node, "generators", [])
            for name in _find_assigned([generator.target])}


def _find_exit(nodes: Sequence[ast.AST], is_loop: bool = True
               ) -> Optional[str]:
    """A statement that leaves a body other than by its end."""
    for node in nodes:
        if isinstance(node, ast.Return):
            return "return"
        if isinstance(node, (ast.Break, ast.Continue)) and is_loop:
            return type(node).__name__.lower()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            return type(node).__name__.lower()
        if isinstance(node, _SCOPES):
            continue
        inner = [child for child in ast.iter_child_nodes(node)]
        found = _find_exit(inner, is_loop and not isinstance(node, _LOOPS))
        if found:
            return found
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
            return "yield"
    return None


def _find_raise(statements: list[ast.stmt]) -> Optional[str]:
    """A `raise` that is reached whenever the body is; one in an `if` within it is
    looked for there."""
    return "raise" if any(isinstance(statement, ast.Raise)
                          for statement in statements) else None


class _Rewriter(ast.NodeTransformer):
    def __init__(self, gives_nothing: bool, file: str) -> None:
        self._gives_nothing = gives_nothing
        self._file = file
        self._count = 0
        self._changed: list[str] = []

    # ------------------------------------------------------------------------
    # Functions
    # ------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """What loops and branches carry has no value at first, in place of
        Python's own error."""
        outer, self._changed = self._changed, []
        if self._gives_nothing:
            _refuse_results(node)
        self._gives_nothing = False  # of the functions in it
        self.generic_visit(node)
        hidden = {arg.arg for arg in _list_arguments(node.args)}
        hidden |= _find_declared(node.body)
        names = [name for name in dict.fromkeys(self._changed)
                 if name not in hidden]
        self._changed = outer
        if names:
            at = 1 if ast.get_docstring(node) is not None else 0
            node.body.insert(at, _locate(node.body[0], ast.Assign(
                targets=[ast.Name(name, ast.Store()) for name in names],
                value=_get("UNDEFINED"))))
        return node

    # ------------------------------------------------------------------------
    # Statements
    # ------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> Any:
        leaves = "else" if node.orelse else \
            _find_exit(node.body) or _find_raise(node.body)
        names = self._list_carried([node.target, *node.body])
        changed = _get_changed([node.target, *node.body], names)
        self._use_range(node)
        self.generic_visit(node)
        if leaves:
            node.iter = _locate(node, _call("check_static", node.iter,
                                            ast.Constant(leaves)))
            return node
        unpack = ast.Assign(targets=[node.target],
                            value=ast.Name(_ITEM, ast.Load()))
        body = self._define("body", [_ITEM, *names], [unpack, *node.body], names,
                            node)
        return [body, self._assign(node, names, _call(
            "for_", node.iter, _load(body.name), *_describe(names),
            ast.Constant(ast.unparse(node.target)), changed))]

    def visit_While(self, node: ast.While) -> Any:
        leaves = "else" if node.orelse else \
            _find_exit(node.body) or _find_raise(node.body)
        names = self._list_carried([node.test, *node.body])
        changed = _get_changed(node.body, names)
        self.generic_visit(node)
        if leaves:
            node.test = _locate(node, _call("check_static", node.test,
                                            ast.Constant(leaves)))
            return node
        self._refuse_assignment(node.test)
        test = self._define("test", names, [ast.Return(node.test)], None, node)
        body = self._define("body", names, node.body, names, node)
        return [test, body, self._assign(node, names, _call(
            "while_", _load(test.name), _load(body.name), *_describe(names),
            changed))]

    def visit_If(self, node: ast.If) -> Any:
        leaves = _find_exit(node.body + node.orelse) or \
            _find_raise(node.body + node.orelse)
        names = self._list_carried([node.test, *node.body, *node.orelse])
        changed = _get_changed(node.body + node.orelse, names)
        self.generic_visit(node)
        if leaves:
            node.test = _locate(node, _call("check_static", node.test,
                                            ast.Constant(leaves)))
            return node
        then = self._define("then", names, node.body, names, node)
        otherwise = self._define("else", names, node.orelse, names, node)
        return [then, otherwise, self._assign(node, names, _call(
            "if_", node.test, _load(then.name), _load(otherwise.name),
            *_describe(names), changed))]

    def visit_Delete(self, node: ast.Delete) -> Any:
        """A name that a loop or a branch may delete has no value from then on."""
        self.generic_visit(node)
        if not all(isinstance(target, ast.Name) for target in node.targets):
            return node
        return _locate(node, ast.Assign(
            targets=[ast.Name(target.id, ast.Store()) for target in node.targets
                     if isinstance(target, ast.Name)],
            value=_get("UNDEFINED")))

    def visit_Assert(self, node: ast.Assert) -> Any:
        self.generic_visit(node)
        return _locate(node, ast.Expr(_call(
            "assert_", node.test, _delay(node.msg or ast.Constant(None)))))

    def _use_range(self, node: ast.For) -> None:
        """`range` in a `for` makes a loop of the program."""
        loop = node.iter
        if isinstance(loop, ast.Call) and isinstance(loop.func, ast.Name) and \
                loop.func.id == "range":
            loop.func = _locate(loop.func, _call("range_of", loop.func))

    def _list_carried(self, nodes: list[Any]) -> list[str]:
        hidden = _find_comprehended(nodes)
        names = [name for name in _find_assigned(nodes) if name not in hidden]
        self._changed += names
        return names

    def _define(self, kind: str, names: list[str], body: list[ast.stmt],
                results: Optional[list[str]], at: _Located) -> ast.FunctionDef:
        """A function of names, that returns those of `results` if there are
        any."""
        self._count += 1
        if results is not None:
            body = [*body, _locate(at, ast.Return(_make_tuple(results)))]
        definition = ast.FunctionDef(
            name=f"__tile_{kind}_{self._count}", args=_make_arguments(names),
            body=body, decorator_list=[], type_params=[])
        return _locate(at, definition)

    def _assign(self, at: _Located, names: list[str], value: ast.expr) -> ast.stmt:
        if not names:
            return _locate(at, ast.Expr(value))
        return _locate(at, ast.Assign(
            targets=[_make_tuple(names, ast.Store())], value=value))

    # ------------------------------------------------------------------------
    # Expressions
    # ------------------------------------------------------------------------

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        return _locate(node, _call(name, *map(self._delay, node.values)))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            return node
        return _locate(node, _call("not_", node.operand))

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        return _locate(node, _call("choose", node.test,
                                   self._delay(node.body),
                                   self._delay(node.orelse)))

    def visit_Compare(self, node: ast.Compare) -> Any:
        """a < b < c as a < b and b < c, where b may be read twice."""
        self.generic_visit(node)
        simple = (ast.Name, ast.Constant, ast.Attribute)
        if len(node.ops) == 1 or not all(isinstance(x, simple) for x in
                                         node.comparators[:-1]):
            return node
        operands = [node.left, *node.comparators]
        parts = [_locate(node, ast.Compare(a, [op], [b])) for a, op, b in
                 zip(operands, node.ops, operands[1:])]
        return _locate(node, _call("and_", *map(self._delay, parts)))

    def _delay(self, expression: ast.expr) -> ast.expr:
        self._refuse_assignment(expression)
        return _delay(expression)

    def _refuse_assignment(self, expression: ast.expr) -> None:
        """One would be to a name of the function that the expression becomes."""
        for node in _walk([expression]):
            if isinstance(node, ast.NamedExpr):
                raise CompileError([Diagnostic(
                    "error", "expected no ':=' in the condition of a 'while' and in "
                    "what is computed on a condition, got one", self._file,
                    node.lineno, node.col_offset + 1)])


def _refuse_results(function: ast.FunctionDef) -> None:
    for node in _walk(function.body):
        if isinstance(node, ast.Return) and node.value is not None:
            node.value = _locate(node, _call("check_nothing", node.value))


def _list_arguments(arguments: ast.arguments) -> list[ast.arg]:
    rest = [arg for arg in (arguments.vararg, arguments.kwarg) if arg]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *rest]


def _locate(like: _Located, node: Node) -> Node:
    """A new node, with those in it that have no place, where another one begins:
    of a call over several lines Python takes the last one for its place."""
    for part in ast.walk(node):
        if not hasattr(part, "lineno"):
            part.lineno = part.end_lineno = like.lineno
            part.col_offset = part.end_col_offset = like.col_offset
    return node


def _get(name: str) -> ast.expr:
    return ast.Attribute(ast.Name(_CONTROL, ast.Load()), name, ast.Load())


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(_get(name), list(arguments), [])


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _delay(expression: ast.expr) -> ast.expr:
    return ast.Lambda(_make_arguments([]), expression)


def _get_changed(nodes: list[Any], names: list[str]) -> ast.expr:
    """A function that gives what a body assigns parts of, by its names; of what it
    assigns itself, `names`, it has copies."""
    found = [name for name in _find_changed(nodes) if name not in names]
    return _delay(ast.Dict([ast.Constant(name) for name in found],
                           [_load(name) for name in found]))


def _make_tuple(names: list[str], context: Any = None) -> ast.expr:
    context = context or ast.Load()
    return ast.Tuple([ast.Name(name, context) for name in names], context)


def _describe(names: list[str]) -> tuple[ast.expr, ast.expr]:
    """The names, and their values."""
    return (ast.Tuple([ast.Constant(name) for name in names], ast.Load()),
            _make_tuple(names))
