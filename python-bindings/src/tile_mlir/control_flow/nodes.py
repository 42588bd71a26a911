# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes of Python's syntax tree: their positions in the source, and new nodes that call
`control`."""

from __future__ import annotations

import ast
from typing import Any, TypeVar, Union

Node = TypeVar("Node", bound=ast.AST)
# The name of `control` in a rewritten function. It ends with two underscores, so that a
# class does not mangle it as a private name.
CONTROL = "__tile__"
# Nodes that have a position in the text.
LOCATED = (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.alias,
           ast.excepthandler, ast.pattern)
Located = Union[ast.stmt, ast.expr, ast.arg, ast.keyword, ast.alias,
                ast.excepthandler, ast.pattern]


def get_position(node: Located) -> tuple[int, int]:
    """Returns line and column of a node, which count from 1."""
    return node.lineno, node.col_offset + 1


def locate(like: Located, node: Node) -> Node:
    """Sets the position of a new node, and of the new nodes in it, to the start of
    `like`. Nodes in it that have a position are left as they are, with all that they
    contain. The end is set to the start too, since Python uses the last line of a call
    over several lines as its position."""
    new: list[Any] = [node]
    while new:
        part = new.pop()
        if not hasattr(part, "lineno"):
            part.lineno = part.end_lineno = like.lineno
            part.col_offset = part.end_col_offset = like.col_offset
            new += list_children(part)
    return node


def list_children(node: ast.AST) -> list[ast.AST]:
    """Returns the nodes that are parts of a node, in order, as `ast.iter_child_nodes`
    yields them, in less time."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [part for part in value if isinstance(part, ast.AST)]
    return found


def get_control(name: str) -> ast.expr:
    return ast.Attribute(ast.Name(CONTROL, ast.Load()), name, ast.Load())


def call_control(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(get_control(name), list(arguments), [])


def load_name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def delay(expression: ast.expr) -> ast.expr:
    return ast.Lambda(make_arguments([]), expression)


def make_tuple(names: list[str], context: Any = None) -> ast.expr:
    context = context or ast.Load()
    return ast.Tuple([ast.Name(name, context) for name in names], context)


def make_arguments(names: list[str]) -> ast.arguments:
    return ast.arguments(posonlyargs=[], args=[ast.arg(name) for name in names],
                         kwonlyargs=[], kw_defaults=[], defaults=[])


def list_arguments(arguments: ast.arguments) -> list[ast.arg]:
    rest = [arg for arg in (arguments.vararg, arguments.kwarg) if arg]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *rest]


def is_private(name: str) -> bool:
    """Whether a class mangles the name, as it does with `__x`."""
    return name.startswith("__") and not name.endswith("__")
