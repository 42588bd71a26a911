# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of wrong calls. The other modules of this folder add rows to it. A row has
the whole text of the expected exception. For a wrong kernel it also has the location.

The location is in the line of the kernel with a comment "# here". It is the first word
of that line, or, with a comment "# here: t[0]", the text t[0]."""

import inspect
from dataclasses import dataclass
from types import FunctionType
from typing import Callable, Optional

import numpy as np

import tile_mlir as tile

X = np.zeros(64, np.float32)
M = np.zeros((8, 8), np.float32)
INTS = np.zeros(64, np.int32)



# ----------------------------------------------------------------------------
# Messages of many rows
# ----------------------------------------------------------------------------


def of_type(given):
    """Returns the message for a value that is not an element type."""
    known = ", ".join(map(repr, tile.elements.ELEMENTS))
    return (f"expected an element type ({known}, or NumPy's or PyTorch's name of one), "
            f"got {given}")


def as_condition(given):
    """Returns the message for a value of the program that is used as a Python
    condition."""
    return (f"expected a Python value as a condition, got {given}, which has no number "
            "while the kernel is traced; 'if', 'while', 'and', 'or', 'not' and 'assert' "
            "take it in a function with @tile.kernel or @tile.function whose source "
            "can be read; of tiles there are 'tile.where', '&', '|' and '~', for 'max' "
            "and 'min' 'tile.maximum' and 'tile.minimum'")


def as_integer(given):
    """Returns the message for a value of the program that is used as a Python int."""
    return (f"expected a Python value as an integer, got {given}, which has no number "
            "while the kernel is traced; 'tile.range' counts by it, "
            "'tile.static_range' by Python's numbers; what fixes a shape is a keyword "
            "argument of the kernel")


# ----------------------------------------------------------------------------
# Rows
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """A wrong call and its expected error: the class of the exception, its text, and
    the function with the marked line, if there is one."""

    name: str
    call: Callable[[], object]
    kind: type[BaseException]
    text: str
    marked: Optional[FunctionType] = None


ROWS: list[Row] = []


def at_line(text, *arguments, grid=1, marked=None, name=None, **constants):
    """Decorates a function: adds a row for a call of the function, as a kernel, with
    the arguments. The error must have this text, at the marked line of the function, or
    of the function `marked`."""
    def add(function):
        kernel = function if isinstance(function, tile.Kernel) else \
            tile.kernel(function)
        ROWS.append(Row(make_name(function, name),
                        lambda: kernel[grid](*arguments, **constants),
                        tile.CompileError, text,
                        marked or inspect.unwrap(function)))
        return function

    return add


def refused(kind, text):
    """Decorates a function without parameters: adds a row for its call, which must
    raise an exception of the class `kind` with this text."""
    def add(function):
        ROWS.append(Row(make_name(function), function, kind, text))
        return function

    return add


def make_name(function, name=None):
    """Returns the name of a row: the module's name and the function's, or `name`."""
    return f"{function.__module__.split('.')[-1]}.{name or function.__name__}"


def find_mark(function):
    """Returns the line and the column of the marked text, counted from one."""
    lines, first = inspect.getsourcelines(function)
    [offset] = [n for n, line in enumerate(lines) if "# here" in line]
    code, _, mark = lines[offset].partition("# here")
    text = mark.strip().removeprefix(":").strip() or code.strip()
    return first + offset, code.index(text) + 1


def check(row):
    """Raises an AssertionError for a row that is not refused as it states."""
    try:
        row.call()
    except BaseException as error:
        assert type(error) is row.kind, f"{type(error).__name__}: {error}"
        check_text(row, error)
    else:
        raise AssertionError("expected an exception, got none")


def check_text(row, error):
    if not isinstance(error, tile.CompileError):
        assert is_as_expected(str(error), row.text), str(error)
        return
    diagnostic = error.diagnostics[0]
    assert is_as_expected(diagnostic.text, row.text), diagnostic.text
    if row.marked is None:
        return
    position = (diagnostic.line, diagnostic.column)
    assert diagnostic.file == row.marked.__code__.co_filename
    assert position == find_mark(row.marked), f"at {position}"
    assert "# here" in str(error)


def is_as_expected(text, expected):
    """Compares texts; an expected text that ends with "..." is only the start."""
    if expected.endswith("..."):
        return text.startswith(expected[:-3])
    return text == expected
