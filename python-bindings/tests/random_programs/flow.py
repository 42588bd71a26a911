# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches and loops: those of the program, those that Python runs during the trace,
and the Python ints and floats that they change."""

from __future__ import annotations

from typing import Any, Optional

from . import reference
from .element_types import ELEMENTS
from .expressions import has_like_parts, is_scalar, list_paths
from .program import Arm, Compound, Line, Statement
from .state import Rejected, copy_variables, list_structures, same
from .structures import Structures
from .values import Value


class Flow(Structures):
    """Compound statements, each with a body of further statements."""

    def try_statement(self, depth: int, is_inner: bool = False) -> list[Statement]:
        """Returns statements that were accepted, or none after some tries."""
        raise NotImplementedError

    def _make_body(self, depth: int, variables: dict[str, Any], least: int = 1
                   ) -> tuple[list[Statement], dict[str, Any]]:
        """Makes statements on a copy of the variables; returns both."""
        outer, self.variables = self.variables, copy_variables(variables)
        try:
            body: list[Statement] = []
            for _ in range(self.rng.choice([1, 1, 2, 3])):
                body += self.try_statement(depth - 1, True)
            if len(body) < least:
                raise Rejected("an empty body")
            return body, {name: self.variables[name] for name in variables}
        finally:
            self.variables = outer

    def _branch(self, depth: int) -> list[Statement]:
        heads = [f"if {self._need(self._make_test())}:"]
        if self.rng.random() < 0.3:
            heads.append(f"elif {self._need(self._make_test())}:")
        if self.rng.random() < 0.6:
            heads.append("else:")
        arms, ends = [], []
        for head in heads:
            body, end = self._make_body(depth, self.variables)
            arms.append(Arm(head, tuple(body)))
            ends.append(end)
        if heads[-1] != "else:":
            ends.append(self.variables)
        is_static = all(self._is_static(head) for head in heads)
        merged = {} if is_static else self._find_changed(ends)
        return [Compound(tuple(arms), merged)]

    def _make_test(self) -> Optional[str]:
        """Returns a condition of the program, or of a Python int or float."""
        numbers = [name for name, value in self.variables.items()
                   if type(value) in (int, float)]
        if numbers and self.rng.random() < 0.15:
            return f"{self.rng.choice(numbers)} > 1"
        return self.expressions.make_conditions()

    def _is_static(self, head: str) -> bool:
        if head == "else:":
            return True
        text = head.split(" ", 1)[1].rstrip(":")
        return not isinstance(self._evaluate(text), Value) and " > 1" in text and \
            not text.startswith("not")

    def _find_changed(self, ends: list[dict[str, Any]]) -> dict[str, None]:
        """Finds the Python ints and floats whose values at the ends of branches
        differ."""
        found: dict[str, None] = {}
        for name, whole in self.variables.items():
            leaves = [list(list_paths(name, end[name])) for end in ends]
            for path, _ in list_paths(name, whole):
                values = [dict(each)[path] for each in leaves]
                if isinstance(values[0], Value) or all(same(values[0], v) for v in values):
                    continue
                if isinstance(whole, tuple):
                    raise Rejected("a number in a tuple")
                found[path] = None
        return found

    def _choose_carried(self) -> dict[str, Any]:
        """Chooses Python ints and floats that the body of a loop may change. They
        become scalars of the program."""
        names = [name for name, value in self.variables.items()
                 if type(value) in (int, float) and name not in self.locked]
        return {name: None for name in names if self.rng.random() < 0.5}

    def _loop(self, depth: int) -> list[Statement]:
        """Makes a loop of the program, which also changes some Python ints and
        floats."""
        carried = self._choose_carried()
        variable = self.make_name("i")
        loop = f"{self.rng.choice(['@range', '@range', 'tile.range'])}({self._make_bounds()})"
        if self.rng.random() < 0.1:
            loop = f"reversed({loop})"
        inside = copy_variables(self.variables)
        inside.update({name: reference.become(inside[name]) for name in carried})
        inside[variable] = Value(ELEMENTS["index"], self.rng.randrange(3))
        widened = self._widen(variable, inside)
        carried.update({name: type for name, (type, _) in widened.items()})
        rest = tuple(line for _, line in widened.values())
        return self._finish_loop(f"for {variable} in {loop}:", depth, inside, carried,
                                 [variable], rest)

    def _widen(self, variable: str, inside: dict[str, Any]
               ) -> dict[str, tuple[tuple[str, tuple[int, ...]], Line]]:
        """May make a statement that assigns the counter of a loop, or a sum with it, to
        an integer variable, so that the variable has a wider type already before the
        loop. Returns, by the variable, this type and the statement."""
        names = [name for name, value in inside.items() if isinstance(value, Value) and
                 value.element.kind == "int" and value.element.name != "u64" and
                 name not in self.locked and name in self.variables]
        if not names or self.rng.random() < 0.75:
            return {}
        name = self.rng.choice(names)
        value = inside[name]
        line = Line(f"{name} = {name} + {variable}" if value.shape else
                    self.rng.choice([f"{name} = {variable}", f"{name} += {variable}"]))
        element = "i64" if value.shape or value.element.bits == 64 else "index"
        inside[name] = reference.become(value, element, value.shape)
        return {name: ((element, value.shape), line)}

    def _finish_loop(self, head: str, depth: int, inside: dict[str, Any],
                     carried: dict[str, Any], hidden: list[str],
                     rest: tuple[Statement, ...] = ()) -> list[Statement]:
        locked, self.locked = self.locked, self.locked | set(hidden) | set(carried)
        if "@range" in head or "tile.range" in head or carried:
            self.locked |= {name for name, value in inside.items()
                            if not isinstance(value, Value)} - list_structures(inside)
        try:
            body, _ = self._make_body(depth, inside, 0 if rest or carried else 1)
        finally:
            self.locked = locked
        changes = [Line(self._change(name, inside[name])) for name, type in carried.items()
                   if type is None]
        loop = Compound((Arm(head, (*body, *changes, *rest)),), carried)
        return [loop]

    def _change(self, name: str, value: Value) -> str:
        if value.element.kind == "float":
            return f"{name} = {name} * 0.5 + 1.0"
        if value.element.kind == "bool":
            return f"{name} = ({name} == False)"
        return self.rng.choice([f"{name} += 1", f"{name} += 3", f"{name} = 1 - {name}"])

    def _make_bounds(self) -> str:
        """Returns bounds of a loop of a few iterations. Some are known only at run
        time."""
        counts = self.expressions.list_atoms(
            lambda v: is_scalar(v) and v.element.is_integer and v.error is None and
            0 <= v.data.item() <= 4)
        stop = str(self.rng.randrange(4))
        if counts and self.rng.random() < 0.6:
            stop = f"tile.clip({self.rng.choice(counts)[0]}, 0, 4)"
        chance = self.rng.random()
        if chance < 0.5:
            return stop
        if chance < 0.75:
            return f"{self.rng.choice([-2, -1, 1])}, {stop}"
        if chance < 0.9:
            return f"{self.rng.choice([-3, 0, 1])}, {stop}, {self.rng.choice([1, 2, 3])}"
        return f"{stop}, {self.rng.choice([-3, -1, 1])}, {self.rng.choice([-1, -2])}"

    def _repeat(self, depth: int) -> list[Statement]:
        """Makes a `while` loop that counts, as a loop of the program or of Python."""
        counter = self.make_name("c")
        carried = self._choose_carried()
        condition = self.expressions.make_condition()
        stop = self.expressions.choose(
            lambda v: is_scalar(v) and v.element.kind in ("int", "index") and
            v.error is None and 0 <= v.data.item() <= 4)
        is_static = stop is None or self.rng.random() < 0.2
        limit = "2" if is_static else f"tile.clip({stop[0]}, 0, 4)"
        head = f"while {counter} < {limit}:"
        if not is_static and condition and self.rng.random() < 0.3:
            head = f"while {counter} < {limit} and ({condition}):"
        inside = copy_variables(self.variables)
        if is_static:
            carried = {}
            inside[counter] = 0
        else:
            carried[counter] = None
            inside.update({name: reference.become(inside[name])
                           for name in carried if name in inside})
            inside[counter] = Value(ELEMENTS["index"], 0)
        rest = (Line(f"{counter} += 1"),) if is_static else ()
        loop = self._finish_loop(head, depth, inside, carried, [counter], rest)
        return [Line(f"{counter} = 0"), *self._count_by_one(loop, counter)]

    def _count_by_one(self, loop: list[Statement], counter: str) -> list[Statement]:
        """Makes the counter of a `while` increase by one in each iteration."""
        [whole] = [each for each in loop if isinstance(each, Compound)]
        [arm] = whole.arms
        body = tuple(Line(f"{counter} += 1") if isinstance(each, Line) and
                     each.text.startswith(f"{counter} ") else each for each in arm.body)
        return [Compound((Arm(arm.head, body),), whole.merged)]

    def _unroll(self, depth: int) -> list[Statement]:
        """Makes a loop that Python runs, over ints or the parts of a structure."""
        variable = self.make_name("i")
        structures = [name for name, value in self.variables.items()
                      if isinstance(value, (list, tuple)) and has_like_parts(value)]
        inside = copy_variables(self.variables)
        if structures and self.rng.random() < 0.8:
            name = self.rng.choice(structures)
            head = f"for {variable} in {name}:"
            inside[variable] = self.variables[name][0]
        else:
            bounds = self.rng.choice(["3", "2", "3, 0, -1"])
            head = f"for {variable} in tile.static_range({bounds}):"
            inside[variable] = 1
        return self._finish_loop(head, depth, inside, {}, [variable])

    def _accumulate(self, depth: int) -> list[Statement]:
        """Makes `acc = 0.0`, or another literal, and a loop that adds tiles to it."""
        base = self._need(self.expressions.make_elementwise(1))
        value = self._evaluate(base)
        if not isinstance(value, Value) or value.element.name not in (
                "f32", "f64", "i32", "i64", "i16", "f16"):
            raise Rejected("no sum")
        name, variable = self.make_name(), self.make_name("i")
        start = self.rng.choice(["0.0", "1.5", "0"]) if value.element.kind == "float" else \
            self.rng.choice(["0", "3"])
        type = (value.element.name, value.shape)
        body = (Line(f"{name} = {name} + {base}"),)
        return [Line(f"{name} = {start}"),
                Compound((Arm(f"for {variable} in @range({self._make_bounds()}):", body),),
                         {name: type})]
