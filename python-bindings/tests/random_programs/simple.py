# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simple statements: assignments of expressions, of literals, and of values that a
condition selects."""

from __future__ import annotations

import random
from typing import Any

from .expressions import Expressions, is_scalar, is_tile
from .program import Arm, Compound, Line, Statement
from .state import Rejected, Runner, get_type
from .values import Value


class Simple:
    """Makes simple statements with one random generator, on the variables so far. Locked
    variables are not assigned; `is_inner` is true in loops and branches."""

    rng: random.Random
    runner: Runner
    expressions: Expressions
    variables: dict[str, Any]
    locked: set[str]
    is_inner: bool
    count: int

    def make_name(self, kind: str = "v") -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def _need(self, text: Any) -> Any:
        if text is None:
            raise Rejected("nothing to compute with")
        return text

    def _evaluate(self, text: str) -> Any:
        found = self.runner.run((Line(f"t0 = {text}"),), self.variables)
        return found["t0"]

    def _choose_target(self) -> str:
        """Returns a new name, or the name of a variable."""
        names = [name for name, value in self.variables.items()
                 if isinstance(value, Value) and name not in self.locked]
        if names and self.rng.random() < 0.35:
            return self.rng.choice(names)
        return self.make_name()

    def _assign(self) -> list[Statement]:
        text = self._need(self.expressions.make_elementwise(self.rng.choice([1, 2, 2, 3])))
        if self.is_inner and self.rng.random() < 0.8:
            return [Line(self._assign_again(text))]
        return [Line(f"{self._choose_target()} = {text}")]

    def _assign_again(self, text: str) -> str:
        """Assigns an expression to an existing variable, and keeps the variable's
        type."""
        value = self._evaluate(text)
        names = [(name, each) for name, each in self.variables.items()
                 if isinstance(each, Value) and each.shape == value.shape and
                 name not in self.locked]
        if not names:
            raise Rejected("no variable of the shape")
        name, old = self.rng.choice(names)
        if old.element == value.element:
            return f"{name} = {text}"
        dtype = self.rng.choice([f"tile.{old.element.name}", f"{name}.dtype"])
        return f"{name} = ({text}).astype({dtype})"

    def _arrange(self) -> list[Statement]:
        text = self._need(self.expressions.make_arrangement())
        return [Line(f"{self.make_name()} = {text}")]

    def _augment(self) -> list[Statement]:
        names = [name for name, value in self.variables.items()
                 if isinstance(value, Value) and name not in self.locked]
        if not names:
            raise Rejected("nothing to change")
        name = self.rng.choice(names)
        value = self.variables[name]
        if value.element.kind in ("bool", "complex"):
            raise Rejected("no arithmetic")
        operand = self.expressions.make_elementwise(1, value.shape) if value.shape and \
            self.rng.random() < 0.5 else self.expressions.make_literal(value.element)
        operators = ["+=", "-=", "*="] + (["|=", "^=", "&="] if value.element.is_integer
                                          else ["/="])
        return [Line(f"{name} {self.rng.choice(operators)} {self._need(operand)}")]

    def _swap(self) -> list[Statement]:
        """Swaps two variables of one type, or assigns two new names."""
        names = [name for name, value in self.variables.items()
                 if isinstance(value, Value) and name not in self.locked]
        pairs = [(a, b) for a in names for b in names if a < b and
                 get_type(self.variables[a]) == get_type(self.variables[b])]
        if pairs and self.rng.random() < 0.7:
            a, b = self.rng.choice(pairs)
            return [Line(f"{a}, {b} = {b}, {a}")]
        texts = [self._need(self.expressions.make_elementwise(1)) for _ in range(2)]
        return [Line(f"{self.make_name()}, {self.make_name()} = {', '.join(texts)}")]

    def _change_number(self) -> list[Statement]:
        """Assigns a Python int or float to a new name, or changes a variable that is
        one by Python arithmetic."""
        names = [name for name, value in self.variables.items()
                 if type(value) in (int, float) and name not in self.locked]
        if not names or self.rng.random() < 0.4:
            value = self.rng.choice(["0", "1", "3", "-2", "0.5", "2.0", "True", "127", "255"])
            return [Line(f"{self.make_name('c')} = {value}")]
        name = self.rng.choice(names)
        if type(self.variables[name]) is float:
            return [Line(f"{name} {self.rng.choice(['+= 0.5', '*= 0.5', '-= 2.0'])}")]
        return [Line(f"{name} {self.rng.choice(['+= 1', '-= 3', '*= 2', '//= 2', '^= 1'])}")]

    def _choose_value(self) -> list[Statement]:
        """Assigns `a if c else b`, of two operands of one type."""
        condition = self._need(self.expressions.make_conditions())
        first = self._need(self.expressions.make_elementwise(1))
        value = self._evaluate(first)
        second = self.expressions.choose(
            lambda v: isinstance(v, Value) and get_type(v) == get_type(value))
        other = second[0] if second else f"({first}).astype(tile.{value.element.name})"
        return [Line(f"{self.make_name()} = {first} if {condition} else {other}")]

    def _choose_number(self) -> list[Statement]:
        """Assigns one of two Python values by a condition of the program; the result is
        a scalar."""
        condition = self._need(self.expressions.make_conditions())
        pair = self.rng.choice(["1 if {} else 2", "0.5 if {} else -1.5", "True if {} else False",
                                "(3 if {} else 4) * 2", "-(1.0 if {} else 2.0)"])
        if "True" in pair and "not" in condition:
            raise Rejected("a bool of Python")
        return [Line(f"{self.make_name()} = @become({pair.format(condition)})")]

    def _define(self) -> list[Statement]:
        """Defines a variable in both arms of a branch."""
        condition = self._need(self.expressions.make_conditions())
        name = self.make_name()
        first = self._need(self.expressions.make_elementwise(2))
        value = self._evaluate(first)
        if not isinstance(value, Value):
            raise Rejected("a number")
        second = self._need(self.expressions.make_elementwise(1, value.shape or None))
        other = self._evaluate(second)
        if not isinstance(other, Value) or other.shape != value.shape:
            raise Rejected("another shape")
        return [Compound((
            Arm(f"if {condition}:", (Line(f"{name} = {first}"),)),
            Arm("else:", (Line(f"{name} = ({second}).astype(tile.{value.element.name})"),))))]

    def _make_flag(self) -> list[Statement]:
        """Assigns a bool scalar, or an integer scalar."""
        condition = self._need(self.expressions.make_condition())
        if self.rng.random() < 0.6 or not condition:
            return [Line(f"{self.make_name()} = {condition}")]
        found = self.expressions.choose(lambda v: is_scalar(v) and v.element.is_integer)
        text = self._need(found and found[0])
        form = self.rng.choice(["{} + 1", "{} * 2 - 1", "{} % 5", "{} // 2",
                                "abs({})", "-{}", "tile.minimum({}, 100)", "@min({}, 3)",
                                "@max(block, {}, 1)"])
        if "@max" in form:
            form = "@max({}, 1)"
        return [Line(f"{self.make_name()} = {form.format(text)}")]

    def _assert(self) -> list[Statement]:
        """Makes an assertion that holds."""
        condition = self._need(self.expressions.make_condition())
        holds = bool(self._evaluate(condition))
        text = condition if holds else f"not ({condition})"
        return [Line(f"assert {text}, 'an assertion that holds'")]

    def _mask(self) -> list[Statement]:
        """Makes a statement that selects elements of a tile by a comparison of their
        indices."""
        base = self._need(self.expressions.choose(lambda v: is_tile(v) and v.ndim == 1))
        size = self.expressions.choose(
            lambda v: is_scalar(v) and v.element.kind in ("int", "index"))
        extent = base[1].shape[0]
        indices = self.rng.choice([
            f"tile.arange({extent})", f"block + tile.arange({extent})",
            f"tile.iota({extent}, 0, tile.i64)",
            f"tile.arange(1, {extent + 1}, dtype=tile.i16)"])
        limit = size[0] if size and self.rng.random() < 0.8 else "2"
        order = self.rng.choice(["<", "<=", ">", "=="])
        name = self.make_name()
        mask = f"({indices} {order} {limit})"
        return [Line(f"{name} = tile.where({mask}, {base[0]}, 0)"
                     if self.rng.random() < 0.7 and base[1].element.kind != "complex"
                     else f"{name} = {mask}")]
