# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random right programs. The reference runs each statement as soon as it is made, so
that the generator knows the types, shapes and values of variables. A statement is
dropped if the language refuses it, or if too little is known about its result."""

from __future__ import annotations

import random
from typing import Any, Callable

import numpy as np

from . import reference
from .arguments import Arguments
from .element_types import Refused, Undecided
from .expressions import Expressions, is_tile, list_paths
from .flow import Flow
from .program import Arm, Body, Compound, Function, Line, Program, Statement
from .state import Rejected, Runner, get_type, share_of_known
from .values import Value

# Maximum number of elements of a tile, and range of the number of statements without loads.
_MOST_ELEMENTS = 96
_STATEMENTS = (4, 9)

STATE = """@dataclass
class State:
    top: object
    rest: object

    def bump(self, by=1):
        self.top = (self.top + by).astype(self.top.dtype)
        return self.top"""


class Generator(Flow):
    """Makes the program of one seed."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.seed = seed
        self.count = 0
        self.runner = Runner({"tile": reference, "np": np})
        exec("from dataclasses import dataclass\nimport math\n" + STATE,  # noqa: S102
             self.runner.globals)
        self.variables: dict[str, Any] = {}
        self.locked: set[str] = set()
        self.expressions = Expressions(self.rng, lambda: self.variables)
        self.helpers: list[Function] = []
        self.is_refused = False
        self.is_inner = False

    # ------------------------------------------------------------------------
    # Programs
    # ------------------------------------------------------------------------

    def make_program(self) -> Program:
        arguments = Arguments(self.rng, self.seed)
        self.runner.globals.update(arguments.run())
        self.runner.globals.update(arguments.get_constants())
        reference.Grid.ids = (0,) * len(arguments.grid)
        reference.Grid.extents = arguments.grid
        body = self._make_loads(arguments)
        body += self._make_object() if self.rng.random() < 0.4 else []
        wanted, begin = self.rng.randrange(*_STATEMENTS), len(body)
        for _ in range(4 * wanted):
            if len(body) >= wanted + begin or self.is_refused:
                break
            body += self.try_statement(2)
        body += self._make_stores(arguments)
        return Program(
            self.seed, (STATE,), tuple(self.helpers), tuple(arguments.parameters),
            tuple(arguments.lines), tuple(arguments.constants), arguments.grid,
            tuple(body), tuple(arguments.outputs), self.is_refused)

    def _make_loads(self, arguments: Arguments) -> list[Statement]:
        body: list[Statement] = []
        for text in arguments.loads:
            line = Line(text)
            self.variables = self.runner.run((line,), self.variables)
            body.append(line)
        self.locked.add("block")
        return body

    def _make_object(self) -> list[Statement]:
        """Makes an object that further statements may change."""
        top = self.expressions.choose(lambda v: isinstance(v, Value) and
                                      v.element.kind in ("int", "float"))
        rest = self.rng.choice(["0", "[{0}, {0} + 1]", "{0} * 2", "{{'a': {0}}}"])
        if top is None or top[0] == "block":
            return []
        line = Line(f"{self.make_name('s')} = State({top[0]}, {rest.format(top[0])})")
        try:
            return self._take([line], False)
        except Rejected:
            return []

    def _make_stores(self, arguments: Arguments) -> list[Statement]:
        """Stores each of the last variables in the output of its type, at its own
        elements, and some variables in a box that may start or end outside of its
        array."""
        body: list[Statement] = []
        atoms = [(path, value) for name, whole in self.variables.items()
                 for path, value in list_paths(name, whole)
                 if isinstance(value, (Value, bool, int, float)) and name not in self.locked]
        for path, value in atoms[-10:]:
            line = arguments.make_store(path, value)
            if line is not None:
                body.append(Line(line))
        found = self.expressions.choose(lambda v: is_tile(v) and v.ndim <= 2)
        if found and self.rng.random() < 0.3:
            body.append(Line(arguments.make_box_store(*found)))
        arguments.finish()
        return body

    # ------------------------------------------------------------------------

    # Statements
    # ------------------------------------------------------------------------

    def try_statement(self, depth: int, is_inner: bool = False) -> list[Statement]:
        """Returns statements that were accepted, or none after some tries."""
        for _ in range(6):
            self.is_inner = is_inner
            try:
                return self._take(self._choose_statement(depth, is_inner), is_inner)
            except (Rejected, Undecided, Refused):
                continue
        return []

    def _choose_statement(self, depth: int, is_inner: bool) -> list[Statement]:
        simple: list[tuple[int, Callable[[], list[Statement]]]] = [
            (10, self._assign), (13, self._arrange), (3, self._augment), (2, self._swap),
            (3, self._change_number), (2, self._choose_value), (2, self._make_flag),
            (3, self._make_structure), (4, self._change_structure), (1, self._assert),
            (2, self._call_helper), (1, self._make_closure), (2, self._mask),
            (1, self._comprehend), (1, self._change_outer), (2, self._define),
            (3, self._alias), (12 if is_inner else 4, self._call_method),
            (3, self._swap_parts), (1, self._choose_number)]
        nested = [(3, lambda: self._branch(depth)), (3, lambda: self._loop(depth)),
                  (2, lambda: self._repeat(depth)), (2, lambda: self._unroll(depth)),
                  (1, lambda: self._accumulate(depth))]
        choices = simple + (nested if depth > 0 else [])
        weights = [weight for weight, _ in choices]
        [(_, make)] = self.rng.choices(choices, weights)
        return make()

    def _take(self, body: list[Statement], is_inner: bool) -> list[Statement]:
        """Runs statements by the reference, and updates the variables to their values
        after them."""
        try:
            found = self.runner.run(tuple(body), self.variables)
        except Rejected as error:
            self._keep_refusal(error, is_inner)
            if self.is_refused and not is_inner:
                return body
            raise
        self._check(found, is_inner)
        hidden = _list_hidden(body)
        self.variables = {name: value for name, value in found.items()
                          if name in self.variables or name not in hidden}
        return body

    def _keep_refusal(self, error: Rejected, is_inner: bool) -> None:
        """Lets a few programs end with a statement that must be refused."""
        if isinstance(error.__cause__, Refused) and not is_inner and \
                self.rng.random() < 0.1:
            self.is_refused = True

    def _check(self, found: dict[str, Any], is_inner: bool) -> None:
        for name, whole in found.items():
            for path, value in list_paths(name, whole):
                if isinstance(value, Value):
                    self._check_value(value)
                elif isinstance(value, (int, float)) and abs(value) > 1e6:
                    raise Rejected("a large number")
        if is_inner:
            self._check_types(found)

    def _check_value(self, value: Value) -> None:
        if value.size > _MOST_ELEMENTS or value.ndim > 4:
            raise Rejected("a large tile")
        is_whole = value.element.kind not in ("float", "complex")
        if share_of_known(value) < (1.0 if is_whole else 0.5):
            raise Rejected("too little is known")

    def _check_types(self, found: dict[str, Any]) -> None:
        """Raises `Rejected` if statements of a loop or a branch change the type of a
        variable."""
        for name, whole in self.variables.items():
            before = [(path, get_type(value)) for path, value in list_paths(name, whole)]
            after = [(path, get_type(value))
                     for path, value in list_paths(name, found[name])]
            if before != after:
                raise Rejected("another type")


def _list_hidden(body: list[Statement]) -> set[str]:
    """Returns the names that may have no value after the statements, because only a
    loop or some arms of a branch assign them."""
    hidden: set[str] = set()
    for statement in body:
        if isinstance(statement, Compound):
            arms = [_list_assigned(arm.body) for arm in statement.arms]
            hidden |= set().union(*arms)
            if statement.arms[-1].head == "else:":
                hidden -= set.intersection(*arms)
            hidden |= {word for arm in statement.arms for word in arm.head.split()[1:2]
                       if statement.is_loop}
    return hidden


def _list_assigned(body: Body) -> set[str]:
    """Returns the names that a body and nested bodies assign, and loop variables."""
    return {name.strip() for statement in body if isinstance(statement, Line)
            for name in statement.text.split(" = ")[0].split(",")
            if " = " in statement.text} | {
        name for statement in body if isinstance(statement, Compound)
        for arm in statement.arms for name in _list_assigned(arm.body) | _get_target(arm)}


def _get_target(arm: Arm) -> set[str]:
    return {arm.head.split()[1]} if arm.head.startswith("for ") else set()


def make_program(seed: int) -> Program:
    return Generator(seed).make_program()
