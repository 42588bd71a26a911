# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a random program by the package and by the reference, and compares the
results."""

from __future__ import annotations

import importlib.util
import re
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np

import tile_mlir as tile

from . import reference
from .arguments import make_argument
from .program import Program, print_module
from .element_types import Refused, Undecided

# The machines that run programs, by name.
MACHINES: dict[str, Callable[[], Any]] = {
    "cpu": tile.cpu,
    "sm_80": lambda: tile.emulator("sm_80"),
    "sm_90a": lambda: tile.emulator("sm_90a"),
}


@dataclass(frozen=True)
class Outcome:
    """The outcome of a program. `kind` is "right", "refused" by the package at a line
    of the program, "unknown" to the reference, or "wrong". `detail` has the reason,
    `compared` the count of compared elements."""

    kind: str
    detail: str = ""
    compared: int = 0


# ----------------------------------------------------------------------------
# The reference
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Expected:
    """The expected outputs by their names; none if the package must refuse the
    program."""

    outputs: dict[str, reference.Array]
    is_refused: bool = False


def compute_expected(program: Program) -> Expected:
    """Runs the program as its own reference. Raises `Undecided`, and any exception of an
    invalid program."""
    names: dict[str, Any] = {}
    exec(compile(print_module(program, True), "<reference>", "exec"), names)  # noqa: S102
    given = names["make_arguments"]()
    arguments = [make_argument(*pair) for pair in zip(program.parameters, given)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reference.run_blocks(names["kernel"], program.grid, arguments, {})
    except Refused:
        return Expected({}, True)
    except AssertionError as error:  # in another block than the generator's
        raise Undecided(str(error)) from None
    return Expected({name: array for name, array in zip(program.parameters, arguments)
                     if name in program.outputs})


# ----------------------------------------------------------------------------
# The package
# ----------------------------------------------------------------------------


def load_module(path: Path) -> Any:
    """Imports a file as a module, so that the package can read its source."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_program(program: Program, path: Path, machine: str) -> Outcome:
    """Writes the program to a file, and runs it from there on a machine."""
    try:
        expected = compute_expected(program)
    except Undecided as error:
        return Outcome("unknown", str(error))
    path.write_text(print_module(program))
    try:
        module = load_module(path)
        arguments = module.make_arguments()
        with MACHINES[machine]():
            module.kernel[program.grid](*arguments)
    except tile.CompileError as error:
        return _judge_refusal(error, path, expected)
    except Exception as error:
        return Outcome("wrong", describe(error))
    if expected.is_refused:
        return Outcome("wrong", "expected an error, got none")
    return compare(dict(zip(program.parameters, arguments)), expected.outputs)


def describe(error: BaseException) -> str:
    [*_, last] = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})"


def _judge_refusal(error: tile.CompileError, path: Path, expected: Expected) -> Outcome:
    """Returns the outcome of a refusal: "wrong" if its error has no line of the
    program, "right" if it was expected, else "refused"."""
    first = error.diagnostics[0]
    if first.file != str(path) or not first.line:
        return Outcome("wrong", f"an error without a line of the program: {error}")
    if expected.is_refused:
        return Outcome("right")
    return Outcome("refused", shorten(first.text))


def shorten(text: str) -> str:
    """Returns a message without names and literals, so that messages of one kind can be
    counted."""
    return re.sub(r"'[^']*'|\d+", "*", text)[:120]


# ----------------------------------------------------------------------------
# Results
# ----------------------------------------------------------------------------


def compare(arguments: dict[str, Any], expected: dict[str, reference.Array]) -> Outcome:
    """Compares each element of the outputs."""
    compared = 0
    for name, array in expected.items():
        problem = find_problem(arguments[name], array)
        if problem:
            return Outcome("wrong", f"{name}{problem}")
        compared += int(np.isfinite(array.error[array.is_written]).sum())
    return Outcome("right", "", compared)


def find_problem(found: Any, array: reference.Array) -> str:
    """Describes the first element that is not as expected."""
    same = _is_same(found, array.data)
    with np.errstate(all="ignore"):
        difference = np.abs(_widen(found) - _widen(array.data))
        near = (array.error > 0) & ~(difference > array.error) & \
            (np.isfinite(difference) | np.isinf(array.error))
    bad = ~np.where(array.is_written, same & (array.error == 0) | near |
                    np.isinf(array.error), same)
    if not bad.any():
        return ""
    at = tuple(int(n) for n in np.argwhere(bad)[0])
    if not array.is_written[at]:
        return f"{list(at)}: expected no store, got {found[at]!r}"
    return (f"{list(at)}: expected {array.data[at]!r} within {array.error[at]:.3g}, got "
            f"{found[at]!r}")


def _widen(data: Any) -> Any:
    if data.dtype.kind == "c":
        return data.astype(np.complex128)
    return data.astype(np.float64)


def _is_same(a: Any, b: Any) -> Any:
    """Returns whether values are equal, with equal signs of zero; all NaNs are equal."""
    if a.dtype.kind == "c":
        return _is_same(a.real, b.real) & _is_same(a.imag, b.imag)
    if a.dtype.kind != "f":
        return a == b
    return np.where(np.isnan(b), np.isnan(a), (a == b) & (np.signbit(a) == np.signbit(b)))
