# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of functions whose author states their derivatives. Such a call becomes one of
the program, of a function that names the functions of its derivatives; all others are
traced in place. The program's functions take the tiles and scalars of the program among
the arguments; other arguments are Python values, which are the same in each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Union

from ..elements import Element
from ..ir import Attribute, Builder, TileType, Type, Value
from ..language.creation import zeros
from ..tracing.trace import builder, describe, fail
from ..tracing.values import Computed, Scalar, Tile

Customs = dict[bool, Callable[..., Any]]
"""The functions of a derivative in reverse mode, False, and in forward mode, True."""

CUSTOM_WORDS = {False: "tile.custom_adjoint", True: "tile.custom_tangent"}
"""The attribute, and the decorator, of each."""


def call_custom(function: Callable[..., Any], customs: Customs,
                arguments: Sequence[Any], constants: dict[str, Any]) -> Any:
    """Calls a function with custom derivatives while a kernel is traced."""
    return _Call(function, customs, arguments, constants).build()


class _Call:
    def __init__(self, function: Callable[..., Any], customs: Customs,
                 arguments: Sequence[Any], constants: dict[str, Any]):
        self._function, self._customs = function, customs
        self._arguments, self._constants = arguments, constants
        self._builder: Builder = builder()
        self._inputs = [one.value for one in arguments if isinstance(one, Computed)]
        self._takes = [value.type for value in self._inputs]

    def build(self) -> Any:
        if not self._inputs:
            return self._function(*self._arguments, **self._constants)
        name = self._builder.make_symbol(self._function.__name__)
        names = {is_forward: f"{name}__{'tangent' if is_forward else 'adjoint'}"
                 for is_forward in self._customs}
        with self._builder.function(name, self._takes, {
                CUSTOM_WORDS[is_forward]: Attribute(f"@{custom}")
                for is_forward, custom in names.items()}
                ) as body:
            found = self._function(*self._replace(body.values), **self._constants)
            body.results = [one.value for one in _list_results(
                self._function.__name__, found)]
        gives = [value.type for value in body.results]
        for is_forward, custom in names.items():
            self._build_custom(custom, self._customs[is_forward], *(
                (self._takes, gives) if is_forward else (gives, self._takes)))
        results = [_wrap(value) for value in self._builder.operation(
            "func.call", self._inputs, gives, {"callee": Attribute(f"@{name}")})]
        return type(found)(results) if isinstance(found, (tuple, list)) else results[0]

    def _replace(self, values: Sequence[Value]) -> list[Any]:
        """Returns the arguments with other values for those of the program."""
        left = list(values)
        return [_wrap(left.pop(0)) if isinstance(one, Computed) else one
                for one in self._arguments]

    def _build_custom(self, name: str, custom: Callable[..., Any],
                      given: Sequence[Type], wanted: Sequence[Type]) -> None:
        """Builds the function of a derivative, which maps the tangents or cotangents of
        values of types `given` to those of `wanted`."""
        seeds = list(filter(_has_tangent, given))
        with self._builder.function(name, [*self._takes, *seeds], {}) as body:
            count = len(self._takes)
            found = custom(*self._replace(body.values[:count]),
                           *map(_wrap, body.values[count:]), **self._constants)
            body.results = _check_derivatives(
                custom.__name__, found, list(filter(_has_tangent, wanted)))


def _has_tangent(type: Type) -> bool:
    element = type.element if isinstance(type, TileType) else type
    return isinstance(element, Element) and element.kind in ("float", "complex")


def _wrap(value: Value) -> Union[Tile, Scalar]:
    return Tile(value) if isinstance(value.type, TileType) else Scalar(value)


def _list_results(name: str, found: Any) -> list[Any]:
    several: list[Any] = list(found) if isinstance(found, (tuple, list)) else [found]
    for one in several:
        if not isinstance(one, Computed):
            fail(f"expected {name!r}, which has a custom derivative, to return a tile or "
                 f"a scalar of the program, or a tuple of these, got {describe(one)}")
    return several


def _check_derivatives(name: str, found: Any, wanted: Sequence[Type]) -> list[Value]:
    """Returns the values of derivatives, zeros for those that are None."""
    several = list(found) if isinstance(found, (tuple, list)) else [found]
    if len(several) != len(wanted):
        fail(f"expected {name!r} to return {len(wanted)} derivatives, one for each value "
             f"with floating-point or complex elements, got {len(several)}")
    values = []
    for index, (one, type) in enumerate(zip(several, wanted)):
        if one is None:
            one = _make_zero(type)
        if not isinstance(one, Computed) or one.type != type:
            fail(f"expected {name!r} to return {_spell(type)} as derivative {index}, got "
                 f"{_spell(one.type) if isinstance(one, Computed) else describe(one)}")
        values.append(one.value)
    return values


def _make_zero(type: Type) -> Any:
    if isinstance(type, TileType):
        return zeros(type.shape, type.element)
    assert isinstance(type, Element)
    return Scalar(builder().constant(0, type))


def _spell(type: Type) -> str:
    if isinstance(type, TileType):
        return f"a tile of shape {type.shape} and type {type.element}"
    return f"a scalar of type {type}"
