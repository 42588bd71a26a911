# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a wrong program: it must be refused with a helpful error, or give right
results."""

from __future__ import annotations

import re
import signal
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import tile_mlir as tile

from . import reference
from .element_types import find_element
from .merging import depends_on_ways
from .mutations import DEFINITIONS, Wrong
from .program import print_module
from .running import MACHINES, Outcome, compare, describe, load_module, shorten
from .element_types import Refused, Undecided
from .ways import REFERENCE

_PACKAGE = str(Path(tile.__file__).parent)
# Messages that only an internal error of the package has.
_INTERNAL = re.compile(r"\binternal\b|(Attribute|Assertion|Index|Key|Recursion|Unbound\w+)"
                       r"Error: |Traceback|LLVM ERROR|object at 0x")
# Messages about functions that the reference lacks, and about Python values that are
# scalars of the program in the package, because a mutated loop or branch changes them.
_NOT_KNOWN = re.compile(r"random_programs\.reference|'(int|float|bool)' object has no")
_SECONDS = 2
# The file name of code that exec compiles.
_WITHOUT_SOURCE = "<string>"


def print_wrong(wrong: Wrong, is_reference: bool = False) -> str:
    """Prints the module, with a function that returns the arguments, the grid and the
    options of the call."""
    text = print_module(wrong.program, is_reference)
    if wrong.definition and not is_reference:
        text = DEFINITIONS[wrong.definition](text)
    lines = ["", "def make_call():", "    arguments, grid, options = make_arguments(), GRID, {}",
             *(f"    {line}" for line in wrong.call),
             "    return arguments, grid, options", ""]
    return text + "\n".join(lines)


# ----------------------------------------------------------------------------
# The reference
# ----------------------------------------------------------------------------


def compute_expected(wrong: Wrong, seconds: int = _SECONDS
                     ) -> dict[str, reference.Array]:
    """Returns the outputs of the reference by their names. Raises an exception if the
    program is wrong."""
    names: dict[str, Any] = {}
    with _limit_time(seconds):
        exec(compile(print_wrong(wrong, True), REFERENCE, "exec"), names)  # noqa: S102
        arguments, grid, options = names["make_call"]()
        blocks = _check_grid(grid)
        arrays = _check_arguments(wrong, arguments, options)
        reference.run_blocks(names["kernel"], blocks, arrays, options)
    return {name: array for name, array in zip(wrong.program.parameters, arrays)
            if name in wrong.program.outputs}


@contextmanager
def _limit_time(seconds: int) -> Iterator[None]:
    """Raises `Undecided` if the reference takes longer than `seconds`."""
    def stop(*_: object) -> None:
        raise Undecided("a long run")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _check_grid(grid: Any) -> tuple[int, ...]:
    if callable(grid):
        raise Undecided("a grid that is a function")
    extents = grid if isinstance(grid, (tuple, list, np.ndarray, range)) else (grid,)
    if not 1 <= len(extents) <= 3 or not all(
            isinstance(n, (int, np.integer)) and 0 <= n < 2 ** 31 for n in extents):
        raise Refused("a grid")
    if isinstance(grid, (bool, range)):
        raise Undecided("a grid that may be one")
    return tuple(map(int, extents))


def _check_arguments(wrong: Wrong, arguments: Sequence[Any], options: dict[str, Any]
                     ) -> list[Any]:
    parameters = wrong.program.parameters
    if len(arguments) != len(parameters) or set(options) - {
            name for name, _ in wrong.program.constants}:
        raise Refused("other parameters")
    written = [each for name, each in zip(parameters, arguments)
               if name in wrong.program.outputs and isinstance(each, np.ndarray)]
    for array in written:
        if sum(np.may_share_memory(array, other) for other in arguments
               if isinstance(other, np.ndarray)) > 1:
            raise Undecided("arrays that may share memory")
    return [_make_argument(name, each) for name, each in zip(parameters, arguments)]


def _make_argument(name: str, value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        if isinstance(value, int) and not -2 ** 63 <= value < 2 ** 63:
            raise Refused("a wide number")
        if not isinstance(value, (bool, int, float, complex, np.number, np.bool_)):
            raise Refused("no number")
        return reference.make_argument(value)
    if isinstance(value, np.ma.MaskedArray) or not value.dtype.isnative or \
            value.dtype.kind not in "biufc" or value.dtype.itemsize > 16:
        raise Refused("an array of another kind")
    find_element(value.dtype)
    is_written = name.startswith("out_")
    if is_written and not value.flags.writeable:
        raise Refused("a read-only array")
    if is_written and not value.flags.c_contiguous:
        raise Undecided("strides of an output")
    return reference.Array(np.asarray(value), is_written)


# ----------------------------------------------------------------------------
# The package
# ----------------------------------------------------------------------------


def run_wrong(wrong: Wrong, path: Path, machine: str) -> Outcome:
    """Runs a wrong program from a file on a machine."""
    expected = _try_reference(wrong)
    if isinstance(expected, Undecided) and str(expected) == "a long run":
        return Outcome("unknown", str(expected))
    path.write_text(print_wrong(wrong))
    try:
        module = load_module(path)
        arguments, grid, options = module.make_call()
        with MACHINES[machine]():
            module.kernel[grid](*arguments, **options)
    except BaseException as error:
        return judge(error, path, expected)
    return _compare(wrong, arguments, expected)


def _try_reference(wrong: Wrong) -> Any:
    """Returns the outputs of the reference, or the exception that it raises."""
    try:
        return compute_expected(wrong)
    except BaseException as error:
        return error


def _compare(wrong: Wrong, arguments: Sequence[Any], expected: Any) -> Outcome:
    if isinstance(expected, Undecided) or _NOT_KNOWN.search(str(expected)):
        return Outcome("unknown", str(expected))
    found = _compare_known(wrong, arguments, expected)
    if found.kind == "wrong" and depends_on_ways(
            print_wrong(wrong, True), lambda: compute_expected(wrong, 1)):
        return Outcome("unknown", "a type that depends on a condition")
    return found


def _compare_known(wrong: Wrong, arguments: Sequence[Any], expected: Any) -> Outcome:
    if isinstance(expected, BaseException):
        return Outcome("wrong", f"accepted, where the reference has "
                                f"{type(expected).__name__}: {expected}")
    return compare(dict(zip(wrong.program.parameters, arguments)), expected)


def judge(error: BaseException, path: Path, expected: Any) -> Outcome:
    """Returns the outcome of an exception. An error of the package must have one of the
    package's own classes, and an error about a kernel must have a line of the program.
    An exception of another class must be raised by the program, by a function that it
    calls, or in Python as well."""
    if isinstance(error, tile.CompileError):
        first = error.diagnostics[0]
        if not first.line or first.file not in (str(path), _WITHOUT_SOURCE):
            return Outcome("wrong", f"CompileError without a line of the program: {error}")
        if first.file == _WITHOUT_SOURCE and "source" not in first.text:
            return Outcome("wrong", f"an error that does not name the lack of source: {error}")
        if _INTERNAL.search(first.text):
            return Outcome("wrong", f"an error of the package's own: {first.text}")
        return Outcome("refused", shorten(first.text))
    if isinstance(error, tile.TileError):
        if _INTERNAL.search(str(error)):
            return Outcome("wrong", f"an error of the package's own: {error}")
        return Outcome("refused", shorten(str(error).split("\n")[0]))
    if isinstance(error, SyntaxError) or type(error) is type(expected) or \
            _is_raised_outside(error):
        return Outcome("refused", f"{type(error).__name__} of the program")
    return Outcome("wrong", describe(error))


def _is_raised_outside(error: BaseException) -> bool:
    frames = traceback.extract_tb(error.__traceback__)
    return not frames[-1].filename.startswith(_PACKAGE)
