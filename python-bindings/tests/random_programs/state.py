# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The variables of a program that is being generated, and the execution of statements
on them by the reference."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import numpy as np

from .element_types import Refused, Undecided
from .program import Body, print_body
from .values import Value

_WRONG = (Refused, Undecided, TypeError, AttributeError, KeyError, IndexError,
          ValueError, ZeroDivisionError, OverflowError, AssertionError, RecursionError)


class Rejected(Exception):
    """Raised for a statement that is not added to the program."""


class Runner:
    """Runs statements on variables of the program."""

    def __init__(self, names: dict[str, Any]):
        self.globals = names

    def run(self, body: Body, variables: dict[str, Any]) -> dict[str, Any]:
        """Runs statements by the reference, and returns the variables after them."""
        lines = [f"def step({', '.join(variables)}):", *print_body(body, True),
                 "    return locals()"]
        try:
            exec("\n".join(lines), self.globals)  # noqa: S102
            found = self.globals["step"](**copy_variables(variables))
        except _WRONG as error:
            raise Rejected(repr(error)) from error
        return {name: value for name, value in found.items() if not callable(value)}


def copy_variables(variables: dict[str, Any]) -> dict[str, Any]:
    return {name: copy_structure(value) for name, value in variables.items()}


def copy_structure(value: Any) -> Any:
    """Copies lists, dictionaries and objects, but not their leaves."""
    if isinstance(value, list):
        return [copy_structure(part) for part in value]
    if isinstance(value, tuple):
        return tuple(copy_structure(part) for part in value)
    if isinstance(value, dict):
        return {key: copy_structure(part) for key, part in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        found = copy.copy(value)
        for field in dataclasses.fields(value):
            setattr(found, field.name, copy_structure(getattr(value, field.name)))
        return found
    return value


def get_type(value: Any) -> Any:
    """Returns the type of a value, which a loop or a branch must not change."""
    if isinstance(value, Value):
        return value.element.name, value.shape
    return type(value)


def list_structures(variables: dict[str, Any]) -> set[str]:
    return {name for name, value in variables.items()
            if not isinstance(value, (Value, bool, int, float))}


def share_of_known(value: Value) -> float:
    is_known = np.isfinite(value.bound)
    if value.element.kind in ("float", "complex"):
        is_known = is_known & np.isfinite(value.data)
    return float(np.mean(is_known))


def same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and bool(a == b)
