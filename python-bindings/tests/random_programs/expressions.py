# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions of the variables that a program has so far."""

from __future__ import annotations

import dataclasses
import random
from typing import Any, Callable, Iterator, Optional, Union

import numpy as np

from .element_types import Element
from .values import Value

NUMBERS = (bool, int, float, complex)
# Element types, as a program spells them.
COMPUTED = ("bool_", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16",
            "f32", "f64") * 2 + ("f8e4m3", "f8e5m2")


def list_paths(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yields the values in a structure, each with an expression that reads it."""
    if isinstance(value, (list, tuple)):
        for at, part in enumerate(value):
            yield from list_paths(f"{name}[{at}]", part)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from list_paths(f"{name}[{key!r}]", part)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from list_paths(f"{name}.{field.name}", getattr(value, field.name))
    else:
        yield name, value


def has_like_parts(whole: Union[list[Any], tuple[Any, ...]]) -> bool:
    """Whether all parts of a structure have values that the same expressions read."""
    paths = [[path for path, _ in list_paths("part", part)] for part in whole]
    return all(each == paths[0] for each in paths)


def is_tile(value: Any) -> bool:
    return isinstance(value, Value) and bool(value.shape)


def is_scalar(value: Any) -> bool:
    return isinstance(value, Value) and not value.shape


def can_broadcast(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    try:
        return np.broadcast_shapes(shape, to) == to
    except ValueError:
        return False


class Expressions:
    """Makes expressions with one random generator. `get_variables` returns the
    variables that they may use, by their names."""

    def __init__(self, rng: random.Random, get_variables: Callable[[], dict[str, Any]]):
        self.rng = rng
        self._get_variables = get_variables

    # ------------------------------------------------------------------------
    # Atoms
    # ------------------------------------------------------------------------

    def list_atoms(self, holds: Callable[[Any], bool], with_counters: bool = False
                   ) -> list[tuple[str, Any]]:
        """Lists variables and their parts for which `holds` is true. Counters, whose
        names start with c, are Python ints until a loop changes them, and have no
        methods by themselves; scalars of such a name are left out by default."""
        return [(path, value) for name, whole in self._get_variables().items()
                if with_counters or not (name[0] == "c" and isinstance(whole, Value))
                for path, value in list_paths(name, whole) if holds(value)]

    def choose(self, holds: Callable[[Any], bool], with_counters: bool = False
               ) -> Optional[tuple[str, Any]]:
        """Chooses a variable or a part of one for which `holds` is true, later ones
        more often."""
        atoms = self.list_atoms(holds, with_counters)
        if not atoms:
            return None
        at = max(self.rng.randrange(len(atoms)), self.rng.randrange(len(atoms)))
        return atoms[at]

    def make_literal(self, element: Element, is_compared: bool = False) -> str:
        """Returns a literal to combine with elements of a type. A literal that is
        compared may be beyond the range of the type."""
        if element.is_integer:
            return self._make_integer(element, is_compared)
        if element.kind == "bool":
            return self.rng.choice(["True", "False"])
        if element.kind == "complex":
            return self.rng.choice(["2.0", "0.5j", "(1.5-2j)", "3"])
        return self.rng.choice(["0.5", "2.0", "-1.5", "0.0", "1", "-3", "0.1", "1e-3", "7.25",
                                "100.0", "-0.0", "2", "16"])

    def _make_integer(self, element: Element, is_compared: bool) -> str:
        low, high = element.range
        small = [0, 1, 2, 3, 5, 7, 16, 100, -1, -2, -7]
        ends = [low, high, low + 1, high - 1]
        beyond = [low - 1, high + 1, -1, 128, 200, 255, 256, 300, 2 ** 31, 2 ** 32,
                  2 ** 40, -2 ** 31 - 1, 2 ** 63 - 1, -2 ** 63]
        chance = self.rng.random()
        if is_compared and chance < 0.4:
            value = self.rng.choice(beyond)
        elif chance < 0.25:
            value = self.rng.choice(ends)
        else:
            value = self.rng.choice(small)
        if not is_compared and not low <= value <= high and self.rng.random() < 0.98:
            value = abs(value) & 127
        if abs(value) >= 2 ** 63:
            value = 2 ** 63 - 1
        return str(value) if value >= 0 else f"({value})"

    def make_condition(self, with_counters: bool = False) -> Optional[str]:
        """Returns an expression whose value is a bool scalar."""
        kind = self.rng.randrange(8)
        if kind == 0:
            found = self.choose(lambda v: is_scalar(v) and v.element.kind == "bool")
            return found and found[0]
        if kind == 1:
            found = self.choose(lambda v: is_tile(v) and v.element.kind == "bool")
            return found and f"{found[0]}.{self.rng.choice(['any', 'all'])}()"
        if kind == 2:
            found = self.choose(lambda v: is_tile(v) and v.element.kind in ("int", "float"))
            if not found:
                return None
            text, value = found
            method = self.rng.choice(["max", "min"])
            return (f"{text}.{method}() {self._make_order()} "
                    f"{self.make_literal(value.element, True)}")
        scalar = self._choose_ordered(with_counters)
        if scalar is None:
            return None
        text, value = scalar
        if kind == 3:
            low, high = (self.make_literal(value.element, True) for _ in range(2))
            return f"{low} {self._make_order()} {text} {self._make_order()} {high}"
        other = self._choose_ordered(with_counters) if kind == 4 else None
        right = other[0] if other else self.make_literal(value.element, True)
        return f"{text} {self._make_order()} {right}"

    def make_conditions(self) -> Optional[str]:
        """Returns a condition, or two with `and`, `or` or `not`."""
        first = self.make_condition(with_counters=True)
        kind = self.rng.randrange(6)
        if first is None or kind > 2:
            return first
        if kind == 0:
            return f"not ({first})"
        second = self.make_condition(with_counters=True)
        word = self.rng.choice(["and", "or"])
        return first if second is None else f"{first} {word} {second}"

    def _choose_ordered(self, with_counters: bool) -> Optional[tuple[str, Any]]:
        return self.choose(lambda v: is_scalar(v) and
                           v.element.kind in ("int", "index", "float"), with_counters)

    def _make_order(self) -> str:
        return self.rng.choice(["<", "<=", ">", ">=", "==", "!="])

    # ------------------------------------------------------------------------
    # Tiles
    # ------------------------------------------------------------------------

    def make_elementwise(self, depth: int, shape: Optional[tuple[int, ...]] = None
                         ) -> Optional[str]:
        """Returns an expression of elementwise operations, whose operands can be
        broadcast to `shape`, if given."""
        is_scalar_wanted = shape is None and self.rng.random() < 0.15
        base = self.choose(is_scalar) if is_scalar_wanted else self.choose(
            lambda v: is_tile(v) and (shape is None or can_broadcast(v.shape, shape)))
        if base is None:
            return None
        return self._extend(*base, depth)

    def _extend(self, text: str, value: Value, depth: int) -> str:
        kind = value.element.kind
        if depth <= 0:
            return text
        inner = self._extend(text, value, depth - 1 if self.rng.random() < 0.4 else 0)
        if kind == "bool":
            return self._extend_bool(inner, value)
        if kind == "complex":
            return self._extend_complex(inner, value)
        chance = self.rng.random()
        if chance < 0.5:
            return self._make_binary(inner, value)
        if chance < 0.7:
            return self._make_unary(inner, value)
        if chance < 0.8:
            return f"{inner}.astype(tile.{self.rng.choice(COMPUTED)})" \
                if depth == 1 else self._make_binary(inner, value)
        return self._make_choice(inner, value)

    def _make_operand(self, value: Value, is_compared: bool = False) -> str:
        """Returns another operand: a literal, a scalar, or a tile whose shape fits."""
        chance = self.rng.random()
        if chance < 0.35:
            return self.make_literal(value.element, is_compared)
        if chance < 0.55:
            found = self.choose(lambda v: is_scalar(v) or isinstance(v, NUMBERS[:3]),
                                with_counters=True)
        else:
            found = self.choose(lambda v: is_tile(v) and v.element.kind != "complex" and
                                can_broadcast(v.shape, value.shape))
        return found[0] if found else self.make_literal(value.element, is_compared)

    def _make_binary(self, inner: str, value: Value) -> str:
        chance = self.rng.random()
        if chance < 0.25:
            operand = self._make_operand(value, True)
            operator = self._make_order()
            return f"({operand} {operator} {inner})" if self.rng.random() < 0.3 else \
                f"({inner} {operator} {operand})"
        operand = self._make_operand(value)
        if chance < 0.35:
            name = self.rng.choice(["maximum", "minimum"])
            return f"tile.{name}({inner}, {operand})"
        if value.element.kind == "int":
            return self._make_integer_operation(inner, operand, value)
        return self._make_float_operation(inner, operand)

    def _make_integer_operation(self, inner: str, operand: str, value: Value) -> str:
        kind = self.rng.randrange(14)
        if kind < 6:
            operator = self.rng.choice(["+", "-", "*"])
            if self.rng.random() < 0.3:
                inner, operand = operand, inner
            return f"({inner} {operator} {operand})"
        if kind < 8:
            return f"({inner} {self.rng.choice('&|^')} {operand})"
        if kind < 10:
            count = self.rng.choice(["0", "1", "3", str(value.element.bits - 1),
                                     f"({operand} & 7)", str(value.element.bits)])
            return f"({inner} {self.rng.choice(['<<', '>>'])} {count})"
        if kind < 12:
            operator = self.rng.choice(["//", "%"])
            divisor = self.rng.choice(["3", "7", "1", "(-5)"[2 * value.element.is_unsigned:
                                                             4 - value.element.is_unsigned],
                                       f"({operand} | 1)"])
            return f"({inner} {operator} {divisor})"
        if kind == 12:
            operator = self.rng.choice(["//", "%", "/"])
            return (f"tile.where({operand} != 0, {inner} {operator} "
                    f"tile.where({operand} != 0, {operand}, 1), 0)")
        return f"({inner} ** {self.rng.choice([0, 1, 2, 3])})"

    def _make_float_operation(self, inner: str, operand: str) -> str:
        kind = self.rng.randrange(12)
        if kind < 7:
            operator = self.rng.choice(["+", "-", "*", "+", "-", "*", "/"])
            if self.rng.random() < 0.3:
                inner, operand = operand, inner
            return f"({inner} {operator} {operand})"
        if kind < 9:
            return f"({inner} {self.rng.choice(['//', '%'])} {operand})"
        if kind == 9:
            return f"tile.fma({inner}, {operand}, {inner})"
        return f"({inner} ** {self.rng.choice([0, 1, 2, 3, 4, -1, -2])})"

    def _make_unary(self, inner: str, value: Value) -> str:
        if value.element.kind == "int":
            return self.rng.choice(["(-{})", "abs({})", "(~{})", "tile.sign({})",
                                    "(+{})"]).format(inner)
        return self.rng.choice([
            "(-{})", "abs({})", "tile.floor({})", "tile.ceil({})", "tile.trunc({})",
            "tile.round({})", "tile.sqrt(abs({}))", "tile.exp(tile.clip({}, -4, 4))",
            "tile.sin({})", "tile.tanh({})", "tile.log(abs({}) + 1)", "tile.sign({})",
            "tile.relu({})", "tile.rsqrt(abs({}) + 1)", "tile.isnan({})",
            "tile.isfinite({})", "{}.astype(tile.f8e4m3).astype(tile.f32)",
            "{}.astype(tile.f8e5m2).astype(tile.f16)"]).format(inner)

    def _make_choice(self, inner: str, value: Value) -> str:
        if self.rng.random() < 0.4:
            low, high = (self.make_literal(value.element) for _ in range(2))
            return self.rng.choice([f"tile.clip({inner}, {low}, {high})",
                                    f"tile.clip({inner}, {low})",
                                    f"tile.clip({inner}, high={high})"])
        mask = self.choose(lambda v: isinstance(v, Value) and v.element.kind == "bool" and
                           can_broadcast(v.shape, value.shape))
        condition = mask[0] if mask else \
            f"{inner} {self._make_order()} {self._make_operand(value, True)}"
        pair = [inner, self._make_operand(value)]
        self.rng.shuffle(pair)
        return f"tile.where({condition}, {', '.join(pair)})"

    def _extend_bool(self, inner: str, value: Value) -> str:
        kind = self.rng.randrange(6)
        other = self.choose(lambda v: isinstance(v, Value) and v.element.kind == "bool" and
                            can_broadcast(v.shape, value.shape))
        if kind < 3 and other:
            return f"({inner} {self.rng.choice(['&', '|', '^', '==', '!='])} {other[0]})"
        if kind == 3:
            return f"(~{inner})"
        pair = (self._make_operand(value), self._make_operand(value))
        return f"tile.where({inner}, {pair[0]}, {pair[1]})"

    def _extend_complex(self, inner: str, value: Value) -> str:
        return self.rng.choice([
            "({} + {})", "({} - {})", "({} * {})", "tile.real({})", "tile.imag({})",
            "tile.conj({})", "(-{})", "abs({})", "({} == {})"
        ]).format(inner, self.make_literal(value.element))

    # ------------------------------------------------------------------------
    # Other shapes
    # ------------------------------------------------------------------------

    def make_arrangement(self) -> Optional[str]:
        """Returns a tile in another shape, a part of a tile, a reduction, a scan, or a
        matmul."""
        base = self.choose(is_tile)
        if base is None:
            return None
        text, value = base
        make = self.rng.choice([
            self._make_reduction, self._make_reduction, self._make_scan, self._make_shape,
            self._make_shape, self._make_part, self._make_part, self._make_joined,
            self._make_matmul, self._make_element, self._make_taken, self._make_taken])
        return make(text, value)

    def _make_axis(self, value: Value) -> int:
        return self.rng.randrange(-value.ndim, value.ndim)

    def _make_reduction(self, text: str, value: Value) -> str:
        kinds = {"bool": ["any", "all", "sum", "max", "min", "argmax"],
                 "complex": ["sum", "mean"]}
        methods = kinds.get(value.element.kind, [
            "sum", "max", "min", "sum", "mean", "argmax", "argmin", "prod", "any"])
        method = self.rng.choice(methods)
        options = []
        if self.rng.random() < 0.7:
            axis: Any = self._make_axis(value)
            if value.ndim > 1 and self.rng.random() < 0.3 and \
                    not method.startswith("arg"):
                axis = tuple(sorted(self.rng.sample(range(value.ndim), 2)))
            options.append(f"axis={axis}")
        if self.rng.random() < 0.4:
            options.append("keepdims=True")
        rest = ", ".join(options)
        if self.rng.random() < 0.3:
            return f"tile.{method}({text}{', ' * bool(rest)}{rest})"
        return f"{text}.{method}({rest})"

    def _make_scan(self, text: str, value: Value) -> str:
        axis = self._make_axis(value)
        name = self.rng.choice(["cumsum", "cumsum", "cummax", "cummin", "sort", "sort",
                                "argsort"])
        rest = ""
        if name == "cumsum":
            rest = self.rng.choice(["", ", exclusive=True", ", reverse=True"])
        elif "sort" in name:
            rest = self.rng.choice(["", ", descending=True"])
        return f"tile.{name}({text}, {axis}{rest})"

    def _make_shape(self, text: str, value: Value) -> str:
        shape, rank = value.shape, value.ndim
        order = list(range(rank))
        self.rng.shuffle(order)
        choices = [f"{text}.T", f"{text}.transpose({', '.join(map(str, order))})",
                   f"{text}.reshape(-1)", f"tile.expand_dims({text}, 0)",
                   f"tile.flip({text}, {self._make_axis(value)})",
                   f"{text}[..., None]", f"{text}.reshape({value.size}, 1)",
                   f"{text}.reshape(({', '.join(map(str, reversed(shape)))},))",
                   f"tile.roll({text}, {self.rng.randrange(-3, 4)}, "
                   f"{self._make_axis(value)})"]
        if rank > 1:
            choices += [f"tile.swap_axes({text}, 0, -1)", f"{text}.mT",
                        f"tile.tril({text}, {self.rng.randrange(-1, 2)})"]
        if 1 in shape:
            wide = tuple(self.rng.randrange(2, 4) if n == 1 else n for n in shape)
            choices += [f"tile.broadcast_to({text}, {wide})"] * 3
        return self.rng.choice(choices)

    def _make_part(self, text: str, value: Value) -> str:
        items = []
        for extent in value.shape:
            begin = self.rng.randrange(extent)
            items.append(self.rng.choice([
                ":", ":", f"{begin}:", f":{begin + 1}", f"{begin - extent}:", "::-1",
                f"{begin}:{extent}:2", f"{begin}:{begin + 1}"]))
        if value.ndim > 1 and self.rng.random() < 0.3:
            at = self.rng.randrange(value.ndim)
            items[at] = str(self.rng.randrange(-value.shape[at], value.shape[at]))
        return f"{text}[{', '.join(items)}]"

    def _make_element(self, text: str, value: Value) -> str:
        """Returns an element as a scalar; one index may be known only at run time."""
        items = [str(self.rng.randrange(-n, n)) for n in value.shape]
        found = self.choose(lambda v: is_scalar(v) and v.element.is_integer)
        if found and self.rng.random() < 0.5:
            at = self.rng.randrange(value.ndim)
            items[at] = f"tile.clip({found[0]}, 0, {value.shape[at] - 1})" \
                if self.rng.random() < 0.5 else f"({found[0]} % {value.shape[at]})"
        return f"{text}[{', '.join(items)}]"

    def _make_taken(self, text: str, value: Value) -> str:
        """Returns the elements of a tile at indices, a tile with a part replaced, or
        another function of a tile."""
        axis = self.rng.randrange(value.ndim)
        extent = value.shape[axis]
        chosen = self.choose(lambda v: is_tile(v) and v.ndim == 1 and
                             v.element.name in ("i32", "i64", "u8", "i16"))
        indices = f"{chosen[0]} % {extent}" if chosen else \
            f"(tile.arange({extent + 1}) * 5) % {extent}"
        begins = ", ".join(str(self.rng.randrange(n)) for n in value.shape)
        literal = self.make_literal(value.element)
        choices = [f"tile.take({text}, {indices}, {axis})",
                   f"tile.insert({text}, ({begins},), {literal})",
                   f"{text}.astype(tile.f64).mean({axis})"]
        if value.element.kind in ("int", "float"):
            choices += [f"tile.map(lambda a: a * a + {literal}, {text})",
                        f"tile.map(lambda a: abs(a) if a < {literal} else a, {text})",
                        f"tile.softmax({text}, {axis})", f"tile.var({text}, {axis})"]
        return self.rng.choice(choices)

    def _make_joined(self, text: str, value: Value) -> str:
        other = self.choose(lambda v: is_tile(v) and v.shape == value.shape and
                            v.element.kind != "complex")
        second = other[0] if other else text
        name = self.rng.choice(["concatenate", "stack"])
        if value.size > 40:
            return f"tile.pad({text}, ((0, 1),{' (0, 0),' * (value.ndim - 1)}), 1)"
        return f"tile.{name}([{text}, {second}], axis={self._make_axis(value)})"

    def _make_matmul(self, text: str, value: Value) -> str:
        if value.ndim > 3:
            return f"{text}.reshape(-1)"
        if value.element.name not in ("f16", "bf16", "f32", "f64", "i8"):
            text = f"{text}.astype(tile.{self.rng.choice(['f16', 'f32', 'i8', 'bf16'])})"
            return f"({text} @ {text})" if value.ndim == 1 else f"({text} @ {text}.mT)"
        other = self.choose(lambda v: is_tile(v) and v.element == value.element and
                            0 < v.ndim <= 3 and v.shape[max(v.ndim - 2, 0)] ==
                            value.shape[-1])
        right = other[0] if other else text if value.ndim == 1 else f"{text}.mT"
        return f"({text} @ {right})"
