# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function's `for`, `while`, `if`, `and`, `or`, `not`, chained comparisons and
`assert` as calls of `control`, which decide when they run.

    for i in range(n):            def __tile_body_1__(__tile_item__, i, acc):
        acc += f(i)                   i = __tile_item__
                                      acc += f(i)
                                      return (i, acc)
                                  (i, acc) = __tile__.for_(
                                      __tile__.range_of(range)(n), __tile_body_1__,
                                      __tile__.Region(("i", "acc"), ...), (i, acc))

A name that a function within the kernel's function reads too, or that is global or of
a function around, is assigned where it is, and carried as parts of objects are. A name
or an attribute that a loop or a branch has left without a value cannot be read:
`value_of(y)`, which stands for `y`, refuses it.

Code that has a `break`, `continue` or `return` within stays Python's, and must be known
while the kernel is traced. All lines and columns stay, so that errors and
tracebacks point at the user's text.
"""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import linecache
import textwrap
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Optional, ParamSpec, TypeVar, Union

from ..errors import ArgumentError, CompileError, Diagnostic
from ..tracing.locations import GENERATED
from ..tracing.trace import describe
from ..tracing.undefined import UNDEFINED, value_of
from . import control
from .carried import Region
from .ranges import Range

Takes = ParamSpec("Takes")
Gives = TypeVar("Gives")
Node = TypeVar("Node", bound=ast.AST)

# Names that end so are no private ones of a class.
_CONTROL = "__tile__"
_ITEM = "__tile_item__"


def range_of(function: Any) -> Any:
    """Returns the callee of a `for` that calls `range`: if it is Python's own, a range
    that makes a loop of the program."""
    return Range if function is builtins.range else function


class _Runtime:
    """The namespace of the rewritten function under the name `__tile`."""

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
    """Refuses a function that is not defined by `def`, or is not run by a call, or
    whose loops and branches cannot be read."""
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
    """Refuses a function without source that has jumps; one without jumps is traced as
    it is."""
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
    closure and defaults; with `gives_nothing` a returned value is refused. Without
    source, as for one made by exec, it returns the function itself."""
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


# Nodes that have a position in the text.
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
    """Returns the definition; None if it is another statement, or a part of one, as
    that of a lambda."""
    try:
        [definition] = ast.parse(textwrap.dedent(text)).body
    except (SyntaxError, ValueError):
        return None
    return definition if isinstance(definition, ast.FunctionDef) else None


def _compile(tree: ast.FunctionDef, function: types.FunctionType
             ) -> types.CodeType:
    """The code of the function, with what the original closes over as such, in the class
    that its private names are of."""
    # One within a function that was rewritten has the first name already.
    names = list(dict.fromkeys([_CONTROL, *function.__code__.co_freevars]))
    # Its own name within it is that of the module, unless it is of a function around.
    own = [ast.Global([tree.name])] if tree.name not in names else []
    outer: ast.stmt = ast.FunctionDef(
        name=f"{GENERATED}outer__", args=_make_arguments(names), body=[*own, tree],
        decorator_list=[], type_params=[])
    outside = [f"{GENERATED}outer__", tree.name]
    if owner := _find_owner(tree, function):
        outer = ast.ClassDef(name=owner, bases=[], keywords=[], body=[outer],
                             decorator_list=[], type_params=[])
        outside.insert(0, owner)
    module = ast.Module([_locate(tree, outer)], [])
    code: types.CodeType = compile(module, function.__code__.co_filename, "exec")
    for name in outside:
        [code] = [c for c in code.co_consts if isinstance(c, types.CodeType) and
                  c.co_name == name]
    return code


def _find_owner(tree: ast.FunctionDef, function: types.FunctionType) -> Optional[str]:
    """The class that has made self.__x of the function's text self._Owner__x."""
    names = {name for node in ast.walk(tree) for name in _list_identifiers(node)
             if _is_private(name)}
    known = set(_list_names(function.__code__)) if names else set()
    for owner in reversed(function.__qualname__.split(".")[:-1]):
        if any(f"_{owner.lstrip('_')}{name}" in known for name in names):
            return owner
    return None


def _is_private(name: str) -> bool:
    """Whether a class has it by another name."""
    return name.startswith("__") and not name.endswith("__")


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
    if name == _CONTROL:
        return types.CellType(_Runtime)
    at = function.__code__.co_freevars.index(name)
    return (function.__closure__ or ())[at]


def _make_arguments(names: list[str]) -> ast.arguments:
    return ast.arguments(posonlyargs=[], args=[ast.arg(name) for name in names],
                         kwonlyargs=[], kw_defaults=[], defaults=[])


# ----------------------------------------------------------------------------
# Assignments of a body, and how it ends
# ----------------------------------------------------------------------------

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_PARTS = (ast.Subscript, ast.Attribute)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


def _walk(nodes: list[Any]) -> Iterator[ast.AST]:
    """The nodes of one scope, in order, without those of functions inside it."""
    for node in nodes:
        yield node
        if not isinstance(node, _SCOPES):
            yield from _walk(list(ast.iter_child_nodes(node)))


def _find_assigned(nodes: list[Any]) -> dict[str, _Located]:
    """The names that statements assign, in order, and where each is last."""
    names: dict[str, Any] = {}
    for node in _walk(nodes):
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


def _find_declared(nodes: list[Any], kind: Any = (ast.Global, ast.Nonlocal)
                   ) -> set[str]:
    """The names that are global, or of a function around."""
    return {name for node in _walk(nodes) if isinstance(node, kind)
            for name in node.names}


def _find_captured(nodes: list[Any]) -> set[str]:
    """The names of a function's variables that functions within it have too."""
    return {name for node in _walk(nodes) if isinstance(node, _SCOPES)
            for name in _find_free(node)}


def _find_free(scope: Any) -> set[str]:
    """The names of other functions that one has, or a class."""
    body = scope.body if isinstance(scope.body, list) else [scope.body]
    own = set(_find_assigned(body)) - _find_declared(body)
    if isinstance(scope, _FUNCTIONS):
        own |= {arg.arg for arg in _list_arguments(scope.args)}
    names = {node.id for node in _walk(body) if isinstance(node, ast.Name)}
    names |= _find_declared(body, ast.Nonlocal)
    return (names | _find_captured(body)) - own


def _find_used(nodes: list[Any]) -> dict[str, _Located]:
    """The names that are used, and where: where a part of one is assigned, else where a
    method of it is called, else where it is read first."""
    found: dict[str, tuple[int, Any]] = {}
    for node in _walk(nodes):
        root, weight = _find_root(node), 0
        if isinstance(node, _PARTS):
            weight = 1 if isinstance(node.ctx, ast.Load) else 3
        elif isinstance(node, ast.Call):
            weight = 2
        if root is not None and weight > found.get(root, (-1, None))[0]:
            found[root] = weight, node
    return {name: node for name, (_, node) in found.items()}


def _find_root(node: Any) -> Optional[str]:
    """The name whose attribute, element or method a node is, or whose call."""
    while isinstance(node, (*_PARTS, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


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


class _Scope(NamedTuple):
    """A function: the names that are assigned where they are, global or in it or around
    it, and those that its loops and branches assign."""

    globals: set[str]
    cells: set[str]
    assigned: dict[str, _Located]

    @staticmethod
    def make(body: list[Any]) -> "_Scope":
        return _Scope(_find_declared(body, ast.Global),
                      _find_declared(body, ast.Nonlocal) | _find_captured(body), {})

    def declare(self, names: Iterable[str]) -> list[ast.stmt]:
        """Statements of a function for a body that assigns these names."""
        found: list[ast.stmt] = []
        if of_module := [name for name in names if name in self.globals]:
            found.append(ast.Global(of_module))
        if of_function := [name for name in names
                           if name in self.cells - self.globals]:
            found.append(ast.Nonlocal(of_function))
        return found


class _Body(NamedTuple):
    """A loop or a branch: the variables that it carries, all names that it assigns, and
    what control.py knows of it."""

    names: list[str]
    assigned: list[str]
    region: ast.expr


class _Rewriter(ast.NodeTransformer):
    def __init__(self, gives_nothing: bool, file: str) -> None:
        self._gives_nothing = gives_nothing
        self._file = file
        self._count = 0
        self._scope = _Scope(set(), set(), {})

    # ------------------------------------------------------------------------
    # Functions
    # ------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Rewrites a function. Variables that loops and branches carry have no value at
        first, which replaces Python's own error."""
        outer, self._scope = self._scope, _Scope.make(node.body)
        if self._gives_nothing:
            _refuse_results(node)
        self._gives_nothing = False  # of the functions in it
        declared = _find_declared(node.body)
        declarations = self._scope.declare(sorted(declared))
        self._visit_without(node, "returns")
        hidden = {arg.arg for arg in _list_arguments(node.args)} | declared
        names = [name for name in self._scope.assigned if name not in hidden]
        self._scope = outer
        first = [ast.Assign(targets=[ast.Name(name, ast.Store()) for name in names],
                            value=_get("UNDEFINED"))] if names else []
        at = 1 if ast.get_docstring(node) is not None else 0
        node.body[at:at] = [_locate(node.body[0], statement)
                            for statement in [*declarations, *first]]
        return node

    def visit_Global(self, node: ast.Global) -> ast.AST:
        """It is at the beginning of the function."""
        return ast.copy_location(ast.Pass(), node)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        return ast.copy_location(ast.Pass(), node)

    # ------------------------------------------------------------------------
    # Statements
    # ------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> Any:
        leaves = "else" if node.orelse else \
            _find_exit(node.body) or _find_raise(node.body)
        body = self._describe("a loop", [node.target, *node.body])
        self._use_range(node)
        self.generic_visit(node)
        if leaves:
            node.iter = _locate(node, _call("check_static", node.iter,
                                            ast.Constant(leaves)))
            return node
        unpack = ast.Assign(targets=[node.target],
                            value=ast.Name(_ITEM, ast.Load()))
        made = self._define("body", body, [unpack, *node.body], node, [_ITEM])
        return [made, self._assign(node, body, _call(
            "for_", node.iter, _load(made.name), body.region, _make_tuple(body.names)))]

    def visit_While(self, node: ast.While) -> Any:
        leaves = "else" if node.orelse else \
            _find_exit(node.body) or _find_raise(node.body)
        body = self._describe("a loop", [node.test, *node.body])
        self.generic_visit(node)
        if leaves:
            node.test = _locate(node, _call("check_static", node.test,
                                            ast.Constant(leaves)))
            return node
        self._refuse_assignment(node.test)
        test = _locate(node, self._make_function("test", body.names,
                                                 [ast.Return(node.test)]))
        made = self._define("body", body, node.body, node)
        return [test, made, self._assign(node, body, _call(
            "while_", _load(test.name), _load(made.name), body.region,
            _make_tuple(body.names)))]

    def visit_If(self, node: ast.If) -> Any:
        leaves = _find_exit(node.body + node.orelse) or \
            _find_raise(node.body + node.orelse)
        body = self._describe("an 'if'", [node.test, *node.body, *node.orelse])
        self.generic_visit(node)
        if leaves:
            node.test = _locate(node, _call("check_static", node.test,
                                            ast.Constant(leaves)))
            return node
        then = self._define("then", body, node.body, node)
        otherwise = self._define("else", body, node.orelse, node)
        return [then, otherwise, self._assign(node, body, _call(
            "if_", node.test, _load(then.name), _load(otherwise.name), body.region,
            _make_tuple(body.names)))]

    def visit_Delete(self, node: ast.Delete) -> Any:
        """A name that a loop or a branch may delete has no value from then on. Names of
        the module and of functions around go by Python's own `del`."""
        self.generic_visit(node)
        found: list[ast.stmt] = []
        for target in _list_targets(node.targets):
            if isinstance(target, ast.Name):
                found.append(ast.Expr(_call("value_of", _load(target.id))))
            found.append(self._delete(target))
        return [_locate(node, statement) for statement in found]

    def _delete(self, target: ast.expr) -> ast.stmt:
        if isinstance(target, ast.Attribute) and not _is_private(target.attr):
            return ast.Expr(_call("delete", target.value, ast.Constant(target.attr)))
        if not isinstance(target, ast.Name) or \
                target.id in self._scope.globals | self._scope.cells:
            return ast.Delete([target])
        return ast.Assign(targets=[ast.Name(target.id, ast.Store())],
                          value=_get("UNDEFINED"))

    def visit_Assert(self, node: ast.Assert) -> Any:
        self.generic_visit(node)
        return _locate(node, ast.Expr(_call(
            "assert_", node.test, _delay(node.msg or ast.Constant(None)))))

    def _use_range(self, node: ast.For) -> None:
        """`range` in a `for` makes a loop of the program, also a reversed one."""
        loop: Any = node.iter
        if _is_call_of(loop, "reversed") and len(loop.args) == 1:
            [loop] = loop.args
        if _is_call_of(loop, "range"):
            loop.func = _locate(loop.func, _call("range_of", loop.func))

    def _describe(self, what: str, nodes: list[Any]) -> _Body:
        hidden = _find_comprehended(nodes)
        assigned = {name: node for name, node in _find_assigned(nodes).items()
                    if name not in hidden}
        self._scope.assigned.update(assigned)
        names = [name for name in assigned
                 if name not in self._scope.globals | self._scope.cells]
        places = [tuple((name, _get_place(node)) for name, node in found.items())
                  for found in (assigned, _find_used(nodes))]
        region = _call("Region", *map(ast.Constant, (what, tuple(names), *places)))
        return _Body(names, list(assigned), region)

    def _define(self, kind: str, body: _Body, statements: list[ast.stmt],
                at: _Located, first: Sequence[str] = ()) -> ast.FunctionDef:
        """A function of the variables of a body, that returns them."""
        statements = [*self._scope.declare(body.assigned), *statements,
                      ast.Return(_make_tuple(body.names))]
        return _locate(at, self._make_function(kind, [*first, *body.names], statements))

    def _make_function(self, kind: str, names: list[str], body: list[Any]
                       ) -> ast.FunctionDef:
        self._count += 1
        return ast.FunctionDef(
            name=f"{GENERATED}{kind}_{self._count}__", args=_make_arguments(names),
            body=body, decorator_list=[], type_params=[])

    def _assign(self, at: _Located, body: _Body, value: ast.expr) -> ast.stmt:
        if not body.names:
            return _locate(at, ast.Expr(value))
        return _locate(at, ast.Assign(
            targets=[_make_tuple(body.names, ast.Store())], value=value))

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
        """Rewrites a < b < c so that the operands are computed once."""
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        second, *rest = node.comparators
        comparisons = [_make_comparison(op) for op in node.ops]
        return _locate(node, _call(
            "compare", ast.Tuple(comparisons, ast.Load()), node.left, second,
            *map(self._delay, rest)))

    def visit_Name(self, node: ast.Name) -> Any:
        """A name that is read must have a value."""
        is_read = isinstance(node.ctx, ast.Load) and node.id != _CONTROL
        return _locate(node, _call("value_of", node)) if is_read else node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        is_read = isinstance(node.ctx, ast.Load)
        return _locate(node, _call("value_of", node)) if is_read else node

    def visit_arg(self, node: ast.arg) -> Any:
        """Annotations stay as they are, for what reads them."""
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        return self._visit_without(node, "annotation")

    def visit_match_case(self, node: ast.match_case) -> Any:
        """Patterns have names, and nothing that is called."""
        return self._visit_without(node, "pattern")

    def _visit_without(self, node: Node, field: str) -> Node:
        """Visits all of a node but one field."""
        kept = getattr(node, field)
        setattr(node, field, None)
        self.generic_visit(node)
        setattr(node, field, kept)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        """Python's own `min`, `max` and `len` take values of the program. The function
        is not checked for a value: one without refuses the call itself."""
        function, node.func = node.func, _load(_CONTROL)
        self.generic_visit(node)
        node.func = self._visit_called(function)
        if any(_is_call_of(node, name) for name in ("min", "max", "len")):
            node.func = _locate(node.func, _call("call_of", node.func))
        return node

    def _visit_called(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Attribute):
            return self.generic_visit(node)
        return node if isinstance(node, ast.Name) else self.visit(node)

    def _delay(self, expression: ast.expr) -> ast.expr:
        self._refuse_assignment(expression)
        return _delay(expression)

    def _refuse_assignment(self, expression: ast.expr) -> None:
        """Refuses an assignment: it would be to a name of the function that the
        expression becomes."""
        for node in _walk([expression]):
            if isinstance(node, ast.NamedExpr):
                raise CompileError([Diagnostic(
                    "error", "expected no ':=' in the condition of a 'while' and in "
                    "what is computed on a condition, got one", self._file,
                    node.lineno, node.col_offset + 1)])


def _is_call_of(node: Any, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and \
        node.func.id == name


def _list_targets(targets: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """Lists the targets of a `del`, without parentheses."""
    for target in targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            yield from _list_targets(target.elts)
        else:
            yield target


def _make_comparison(operator: ast.cmpop) -> ast.expr:
    a, b = f"{GENERATED}a__", f"{GENERATED}b__"
    return ast.Lambda(_make_arguments([a, b]),
                      ast.Compare(_load(a), [operator], [_load(b)]))


def _get_place(node: _Located) -> tuple[int, int]:
    """Line and column, from one on."""
    return node.lineno, node.col_offset + 1


def _refuse_results(function: ast.FunctionDef) -> None:
    for node in _walk(function.body):
        if isinstance(node, ast.Return) and node.value is not None:
            node.value = _locate(node, _call("check_nothing", node.value))


def _list_arguments(arguments: ast.arguments) -> list[ast.arg]:
    rest = [arg for arg in (arguments.vararg, arguments.kwarg) if arg]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *rest]


def _locate(like: _Located, node: Node) -> Node:
    """Sets the position of a new node, and of those in it that have none, to the start
    of another one: Python uses the last line of a call over several lines as its
    position."""
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


def _make_tuple(names: list[str], context: Any = None) -> ast.expr:
    context = context or ast.Load()
    return ast.Tuple([ast.Name(name, context) for name in names], context)
