# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program as a tree of statements, and its text in two forms: as a kernel for the
package, and as its own reference, whose loops and branches Python runs.

The two forms differ in three ways. `@range` becomes `range` in the kernel and
`tile.range` in the reference. `@min` and `@max` become `min` and `max` in the kernel,
and `tile.minimum` and `tile.maximum` in the reference. Where a loop or a branch of the
program makes scalars of Python ints and floats, and where a statement has `@become`,
the reference calls `tile.become`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Iterator, Optional, Union

# Maps variables, or parts of variables such as `s.top`, to the type that `tile.become`
# gives them: None for a scalar, else the element type and the shape of a tile.
Merged = dict[str, Optional[tuple[str, tuple[int, ...]]]]


@dataclass(frozen=True)
class Line:
    """A simple statement."""

    text: str


@dataclass(frozen=True)
class Arm:
    """The head of a compound statement, `for i in @range(3):`, and its body."""

    head: str
    body: tuple["Statement", ...]


@dataclass(frozen=True)
class Compound:
    """An `if` with its `elif` and `else`, or a loop. `merged` has the Python ints and
    floats that its arms change."""

    arms: tuple[Arm, ...]
    merged: Merged = field(default_factory=dict)

    @property
    def is_loop(self) -> bool:
        return self.arms[0].head.startswith(("for ", "while "))


Statement = Union[Line, Compound]
Body = tuple[Statement, ...]


@dataclass(frozen=True)
class Function:
    """A helper function, with @tile.function if `is_traced`."""

    head: str
    body: Body
    is_traced: bool = True


@dataclass(frozen=True)
class Program:
    """A kernel with its arguments. `parameters` are the names of its positional
    parameters, `arguments` the lines that make them, in the same order, and `outputs`
    the names of those that it writes."""

    seed: int
    definitions: tuple[str, ...]
    helpers: tuple[Function, ...]
    parameters: tuple[str, ...]
    arguments: tuple[str, ...]
    constants: tuple[tuple[str, str], ...]
    grid: tuple[int, ...]
    body: Body
    outputs: tuple[str, ...] = ()
    is_refused: bool = False

    def with_body(self, body: Body) -> "Program":
        return replace(self, body=body)


INDENT = "    "


def print_body(body: Body, is_reference: bool, depth: int = 1) -> Iterator[str]:
    """Prints the lines of statements."""
    for statement in body:
        yield from _print_statement(statement, is_reference, depth)
    if not body:
        yield INDENT * depth + "pass"


def _print_statement(statement: Statement, is_reference: bool, depth: int
                     ) -> Iterator[str]:
    margin = INDENT * depth
    if isinstance(statement, Line):
        for line in statement.text.split("\n"):
            yield margin + _print_words(line, is_reference)
        return
    merged = list(_print_merged(statement.merged, depth)) if is_reference else []
    if statement.is_loop:
        yield from merged
    for arm in statement.arms:
        yield margin + _print_words(arm.head, is_reference)
        yield from print_body(arm.body, is_reference, depth + 1)
        if statement.is_loop:
            yield from (INDENT + line for line in merged)
    if not statement.is_loop:
        yield from merged


def _print_merged(merged: Merged, depth: int) -> Iterator[str]:
    for name, type in merged.items():
        rest = "" if type is None else f", {type[0]!r}, {type[1]}"
        yield f"{INDENT * depth}{name} = tile.become({name}{rest})"


# Words of statements, each with its form in the kernel and its form in the reference.
_WORDS = {"@range": ("range", "tile.range"), "@become": ("", "tile.become"),
          "@min": ("min", "tile.minimum"), "@max": ("max", "tile.maximum")}


def _print_words(text: str, is_reference: bool) -> str:
    for word, (in_kernel, in_reference) in _WORDS.items():
        text = text.replace(word, in_reference if is_reference else in_kernel)
    return text


def print_kernel(program: Program, is_reference: bool) -> list[str]:
    """Prints the kernel with its helpers."""
    lines = list(program.definitions)
    for helper in program.helpers:
        decorator = ["@tile.function"] if helper.is_traced else []
        as_reference = is_reference or not helper.is_traced
        lines += ["", "", *decorator, helper.head]
        lines += print_body(helper.body, as_reference and helper.is_traced)
    constants = ", ".join(f"{name}={value}" for name, value in program.constants)
    rest = f", *, {constants}" if constants else ""
    lines += ["", "", "@tile.kernel",
              f"def kernel({', '.join(program.parameters)}{rest}):"]
    return [*lines, *print_body(program.body, is_reference)]


def print_module(program: Program, is_reference: bool = False) -> str:
    """Prints the whole text: the kernel, and a function that makes arguments."""
    module = "random_programs.reference" if is_reference else "tile_mlir"
    imported = "from random_programs import reference as tile" if is_reference else \
        f"import {module} as tile"
    lines = [f"# Random program of seed {program.seed}.", "import math",
             "from dataclasses import dataclass", "", "import numpy as np", "", imported,
             "", *print_kernel(program, is_reference), "", "", "def make_arguments():",
             f"    rng = lambda argument: np.random.default_rng([{program.seed}, argument])"]
    lines += [INDENT + line for line in program.arguments]
    lines += [f"    return [{', '.join(program.parameters)}]", "",
              f"GRID = {program.grid}", ""]
    return "\n".join(lines)


def count_lines(program: Program) -> int:
    return len(list(print_body(program.body, False)))
