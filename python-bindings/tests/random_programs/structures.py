# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that make and change structures, and that call helpers and closures."""

from __future__ import annotations


from .expressions import is_tile, list_paths
from .program import Arm, Compound, Function, Line, Statement, print_body
from .simple import Simple
from .state import Rejected, get_type
from .values import Value


class Structures(Simple):
    """Makes lists, tuples, dictionaries, objects of class State, and functions."""

    helpers: list[Function]

    def _comprehend(self) -> list[Statement]:
        """Makes a list, a dictionary or a sum by a comprehension."""
        text = self._need(self.expressions.make_elementwise(1))
        name = self.make_name("s")
        return [Line(self.rng.choice([
            f"{name} = [{text} + i for i in tile.static_range(2)]",
            f"{name} = {{i: {text} * i for i in (1, 3)}}",
            f"{name} = [a - b for a, b in zip([{text}, 2], (3, {text}))]",
            f"{name} = sum([{text} + i for i in (1, 2)])"]))]

    def _make_structure(self) -> list[Statement]:
        parts = [self._need(self.expressions.make_elementwise(1)),
                 self.rng.choice(["0", "1.5", "True", "7"]) if self.rng.random() < 0.4 else
                 self._need(self.expressions.make_elementwise(0))]
        self.rng.shuffle(parts)
        a, b = parts
        form = self.rng.choice([f"State({a}, {b})", f"State(top={a}, rest=[{b}, {a}])",
                                f"[{a}, {b}]", f"({a}, {b})",
                                f"{{'a': {a}, 'b': {b}}}", f"[({a}, {b}), {{1: {b}}}]"])
        return [Line(f"{self.make_name('s')} = {form}")]

    def _list_objects(self) -> list[str]:
        """Returns the names of objects of class State whose `top` has integers or
        floats."""
        return [name for name, value in self.variables.items()
                if type(value).__name__ == "State" and name not in self.locked and
                isinstance(value.top, Value) and value.top.element.kind in ("int", "float")]

    def _call_method(self) -> list[Statement]:
        """Calls a method that changes its object, or a function that calls one."""
        names = self._list_objects()
        if not names:
            raise Rejected("no object")
        name, target = self.rng.choice(names), self.make_name()
        return self.rng.choice([
            [Line(f"{name}.bump()")], [Line(f"{target} = {name}.bump(by=3)")],
            [Compound((Arm(f"for {target} in tile.static_range(2):",
                           (Line(f"{name}.bump({target})"),)),))],
            [Line(f"(lambda s: s.bump(2))({name})")]])

    def _swap_parts(self) -> list[Statement]:
        """Swaps two parts, of the same type, of structures."""
        parts = [(path, value) for name, whole in self.variables.items()
                 if name not in self.locked and not isinstance(whole, Value)
                 for path, value in list_paths(name, whole)
                 if isinstance(value, Value) and path != name]
        pairs = [(a, b) for a, x in parts for b, y in parts
                 if a < b and get_type(x) == get_type(y)]
        if not pairs:
            raise Rejected("no pair")
        a, b = self.rng.choice(pairs)
        return [Line(f"{a}, {b} = {b}, {a}")]

    def _alias(self) -> list[Statement]:
        """Assigns an object to a second name, and changes it by that name."""
        names = self._list_objects()
        if not names or (self.is_inner and self.rng.random() < 0.8):
            raise Rejected("no object, or one that a loop may not choose")
        old, new = self.rng.choice(names), self.make_name("a")
        element = self.variables[old].top.element.name
        return [Line(f"{new} = {old}"),
                Line(f"{new}.top = ({new}.top + 1).astype(tile.{element})"),
                Line(f"{old}.top = -{old}.top")]

    def _change_structure(self) -> list[Statement]:
        """Assigns to a part of a structure, or appends an element to a list, or removes
        one from it."""
        names = [name for name, value in self.variables.items()
                 if not isinstance(value, (Value, bool, int, float)) and
                 name not in self.locked]
        if not names:
            return self._make_structure()
        name = self.rng.choice(names)
        whole = self.variables[name]
        if isinstance(whole, list) and self.rng.random() < 0.4:
            text = self._need(self.expressions.make_elementwise(1))
            return [Line(self.rng.choice([f"{name}.append({text})", f"{name}.reverse()",
                                          f"{self.make_name()} = {name}.pop()",
                                          f"{name} = [*{name}, {text}]"]))]
        if isinstance(whole, dict) and self.rng.random() < 0.4:
            text = self._need(self.expressions.make_elementwise(1))
            return [Line(f"{name}.update(b={text})")]
        paths = [path for path, value in list_paths(name, whole)
                 if isinstance(value, Value) and path != name]
        if not paths:
            raise Rejected("no parts")
        path = self.rng.choice(paths)
        value = self._evaluate(path)
        text = self.expressions.make_elementwise(1, value.shape) if value.shape else \
            self.expressions.make_literal(value.element)
        return [Line(f"{path} = ({self._need(text)} + {path})"
                     f".astype(tile.{value.element.name})")]

    # ------------------------------------------------------------------------
    # Functions
    # ------------------------------------------------------------------------

    def _call_helper(self) -> list[Statement]:
        """Makes a function outside of the kernel, and a call of it with defaults or
        keywords."""
        base = self.expressions.choose(is_tile)
        if base is None:
            raise Rejected("nothing to call with")
        name = f"helper_{len(self.helpers)}"
        helper = self._make_helper(name)
        exec("\n".join([helper.head, *print_body(  # noqa: S102
            helper.body, helper.is_traced)]), self.runner.globals)
        call = self.rng.choice([f"{name}({base[0]})", f"{name}({base[0]}, by=3)",
                                f"{name}({base[0]}, 2, is_odd=True)",
                                f"{name}(a={base[0]})"])
        line = Line(f"{self.make_name()} = {call}")
        self._evaluate(call)
        self.helpers.append(helper)
        return [line]

    def _make_helper(self, name: str) -> Function:
        """Makes a helper function with a loop of Python or of the program, and branches
        on its arguments."""
        is_traced = self.rng.random() < 0.8
        step = self.rng.choice(["b + a", "b * by", "b - by", "tile.maximum(b, by)",
                                "tile.where(a > by, b, a)"])
        body: list[Statement] = [Line("b = a")]
        again = Line(f"b = ({step}).astype(a.dtype)")
        if is_traced and self.rng.random() < 0.4:
            body.append(self._make_branch(again))
        else:
            loop = self.rng.choice(["for i in @range(by):", "for i in range(2):",
                                    "for i in tile.static_range(by):"])
            body.append(Compound((Arm(loop, (again,)),)))
        body.append(Compound((Arm("if is_odd:", (Line("return b + 1"),)),)))
        body.append(Line(self.rng.choice(["return b", "return b * 2", "return -b + a",
                                          "return sum((b, a))", "return [b, a][by % 2]"])))
        return Function(f"def {name}(a, by=1, *, is_odd=False):", tuple(body), is_traced)

    def _make_branch(self, again: Line) -> Statement:
        """Makes a branch on elements of the tile, at times in a loop."""
        test = self.rng.choice(["(a > by).any()", "a.max() > by", "(a != a).all()"])
        other = Line("b = tile.where(b == a, b, a)")
        branch = Compound((Arm(f"if {test}:", (again,)), Arm("else:", (other,))))
        if self.rng.random() < 0.5:
            return branch
        return Compound((Arm("for i in @range(by):", (branch,)),))

    def _make_closure(self) -> list[Statement]:
        """Makes a function inside of the kernel that reads the kernel's variables."""
        base = self.expressions.choose(is_tile)
        other = self._need(self.expressions.make_elementwise(1))
        if base is None:
            raise Rejected("nothing to call with")
        name, target = self.make_name("f"), self.make_name()
        if self.rng.random() < 0.5:
            return [Line(f"{name} = lambda a, b=2: a * b"),
                    Line(f"{target} = {name}({base[0]})")]
        return [Compound((Arm(f"def {name}(a, scale=1):",
                              (Line(f"return tile.where(a > scale, {other}, a)"),)),)),
                Line(f"{target} = {name}({base[0]}, scale=0)")]

    def _change_outer(self) -> list[Statement]:
        """Makes a function inside of the kernel that changes a variable of the
        kernel."""
        names = [name for name, value in self.variables.items()
                 if isinstance(value, Value) and name not in self.locked and
                 value.element.kind in ("int", "float")]
        if not names:
            raise Rejected("nothing to change")
        name, function = self.rng.choice(names), self.make_name("f")
        return [Compound((Arm(f"def {function}(by):", (
            Line(f"nonlocal {name}"), Line(f"{name} = {name} + by"))),)),
            Line(f"{function}(1)"), Line(f"{function}(by=2)")]
