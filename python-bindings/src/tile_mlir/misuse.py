# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions of Python and of NumPy that speak of the program's values while a
kernel is traced: of a call of the package's functions with other parameters than
they have, an operator or an attribute that a value has not. They become errors of
the kernel (trace.py). Exceptions that the user's code raises itself, or that speak of
something else, are not touched."""

from __future__ import annotations

import dis
import re
import sys
from types import TracebackType
from typing import Optional

from .errors import ArgumentError, TileError

_CLASSES = "Tile|Scalar|Array|Product|Range|Undefined|Element|Computed|Traced"
_OF_A_VALUE = re.compile(rf"\b({_CLASSES})\b")
_OF_A_CALL = re.compile(rf"(?:(?:{_CLASSES})\.)?(\w+)\(\) "
                        "(?:missing|takes|got|expected)")
# What the limits of the machine are, and what `assert` says.
_OF_THE_USER = (RecursionError, MemoryError, AssertionError)


def explain(error: Exception, package: str) -> Optional[str]:
    """What is said of an error that was raised while a kernel was traced; None for
    one that is the user's own. `package` is the folder of this package."""
    if isinstance(error, ArgumentError):
        return str(error)
    place = _get_last(error.__traceback__)
    if isinstance(error, (TileError, *_OF_THE_USER)) or place is None or \
            _is_raised(place, package):
        return None
    text = None
    if isinstance(error, AttributeError):
        text = _explain_attribute(error)
    elif isinstance(error, TypeError):
        text = _explain_type(str(error))
    if text is None and _is_in(place, package):
        text = (f"expected what the function takes, got something else: "
                f"{type(error).__name__}: {error}")
    return text and text.replace("__tile_outer.<locals>.", "")


def _get_last(traceback: Optional[TracebackType]) -> Optional[TracebackType]:
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback


def _is_raised(place: TracebackType, package: str) -> bool:
    """Whether by a statement of the user's, and not by Python itself."""
    code = place.tb_frame.f_code
    return not _is_in(place, package) and \
        dis.opname[code.co_code[place.tb_lasti]] == "RAISE_VARARGS"


def _is_in(place: TracebackType, package: str) -> bool:
    """Whether the package has made it of what it was given. Its `for` and `if` do
    what those of the user do."""
    file = place.tb_frame.f_code.co_filename
    return file.startswith(package) and not file.endswith("control.py")


def _explain_attribute(error: AttributeError) -> Optional[str]:
    from .values import Traced
    package = sys.modules[__name__.rpartition(".")[0]]
    if error.obj is package:
        return f"expected a name that tile_mlir has, got {error.name!r}"
    if isinstance(error.obj, Traced):
        known = ", ".join(name for name in dir(type(error.obj))
                          if not name.startswith("_"))
        return (f"expected an attribute of {_name(error.obj)} to read ({known}), "
                f"got {error.name!r}")
    return _explain_type(str(error)) if error.obj is None else None


def _explain_type(text: str) -> Optional[str]:
    import tile_mlir
    call = _OF_A_CALL.match(text)
    if call and (_OF_A_VALUE.match(text) or call[1] in tile_mlir.__all__):
        return f"expected the parameters that the function has, got others: {text}"
    if "does not support ufuncs" in text:
        return (f"expected a function of tile_mlir for values of the program, got "
                f"one of NumPy: {text}")
    if _OF_A_VALUE.search(text):
        return f"expected an operation that values of the program have, got: {text}"
    return None


def _name(value: object) -> str:
    return {"Tile": "a tile", "Product": "a tile", "Array": "an array",
            "Scalar": "a scalar"}.get(type(value).__name__, "a value")
