# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explanations of exceptions that Python and NumPy raise for a wrong use of the
program's values while a kernel is traced, such as a call of one of the package's
functions with wrong parameters, or an operator or attribute that a value does not have.
These exceptions become errors of the kernel (calls.py). Exceptions that the user's code
raises itself, or that are about something else, stay as they are."""

from __future__ import annotations

import difflib
import dis
import inspect
import re
import sys
from types import FunctionType, ModuleType, TracebackType
from typing import Any, Optional

from ..elements import find_element
from ..errors import PACKAGE, PACKAGE_NAME, ArgumentError, TileError
from .values import Tile, Traced

_CLASSES = "Tile|Scalar|Array|Product|Range|Undefined|Element|Computed|Operators|Traced"
_OF_A_VALUE = rf"\b(?:{_CLASSES})\b"
_OF_A_CALL = rf"(?:(?:{_CLASSES})\.)?(\w+)\(\) (?:missing|takes|got|expected)"
# Exceptions that are never explained: limits of the machine, and failed `assert`s.
_OF_THE_USER = (RecursionError, MemoryError, AssertionError)


def explain(error: Exception) -> Optional[str]:
    """Returns the explanation of an error that was raised while a kernel was traced;
    None for the user's own error."""
    traceback = _get_last(error.__traceback__)
    if traceback is None or isinstance(error, _OF_THE_USER) or \
            _is_raised(traceback):
        return None
    if isinstance(error, TileError):  # all but ArgumentError have a location
        return str(error) if isinstance(error, ArgumentError) else None
    text = None
    if isinstance(error, AttributeError):
        text = _explain_attribute(error)
    elif isinstance(error, TypeError):
        text = _explain_type(str(error))
    if text is None and _is_in(traceback):
        text = (f"expected what the function takes, got something else: "
                f"{type(error).__name__}: {error}")
    return text and re.sub(r"(\w+\.)?__tile_outer__\.<locals>\.", "", text)


def _get_package() -> ModuleType:
    """Returns this package, whose public names are used in messages."""
    return sys.modules[PACKAGE_NAME]


def _get_last(traceback: Optional[TracebackType]) -> Optional[TracebackType]:
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback


def _is_raised(traceback: TracebackType) -> bool:
    """Whether the exception was raised by a `raise` in the user's code, not by
    Python."""
    code = traceback.tb_frame.f_code
    return not code.co_filename.startswith(PACKAGE) and \
        dis.opname[code.co_code[traceback.tb_lasti]] == "RAISE_VARARGS"


def _is_in(traceback: TracebackType) -> bool:
    """Whether `traceback` is in this package, but not in control.py, whose functions
    run the user's `for` and `if` statements."""
    file = traceback.tb_frame.f_code.co_filename
    return file.startswith(PACKAGE) and not file.endswith("control.py")


def _explain_attribute(error: AttributeError) -> Optional[str]:
    if error.obj is _get_package():
        return (f"expected a name that tile_mlir has, got {error.name!r}" +
                _suggest(error.name))
    if isinstance(error.obj, Traced):
        known = ", ".join(name for name in dir(type(error.obj))
                          if not name.startswith("_"))
        return (f"expected an attribute of {_name(error.obj)} to read ({known}), "
                f"got {error.name!r}" + (
                    _suggest_function(error.name) if isinstance(error.obj, Tile) else ""))
    if isinstance(error.obj, FunctionType) and \
            error.obj.__module__.startswith(PACKAGE_NAME):
        return (f"expected a call of tile.{error.obj.__name__}, got its attribute "
                f"{error.name!r}")
    return _explain_type(str(error)) if error.obj is None else None


def _explain_type(text: str) -> Optional[str]:
    call = re.match(_OF_A_CALL, text)
    if call and (re.match(_OF_A_VALUE, text) or call[1] in _get_package().__all__):
        has = _list_parameters(text.partition("(")[0])
        return (f"expected the parameters that the function has{has}, got others: "
                f"{text}")
    if "does not support ufuncs" in text:
        return (f"expected a function of tile_mlir for values of the program, got "
                f"one of NumPy: {text}")
    if re.search(_OF_A_VALUE, text):
        return f"expected an operation that values of the program have, got: {text}"
    return None


def _list_parameters(name: str) -> str:
    """Lists the parameters of a public function or of a method, as " (a, b, *, c)"."""
    function: Any = _get_package()
    for part in name.split("."):
        function = getattr(function, part, None)
    if not inspect.isfunction(function):
        return ""
    parameters = inspect.signature(function).parameters.values()
    bare = [p.replace(annotation=p.empty, default=p.empty) for p in parameters
            if p.name != "self"]
    return f" {inspect.Signature(bare)}"


def _name(value: object) -> str:
    return {"Tile": "a tile", "Product": "a tile", "Array": "an array",
            "Scalar": "a scalar"}.get(type(value).__name__, "a value")


# ----------------------------------------------------------------------------
# Names of other libraries
# ----------------------------------------------------------------------------

# Names of NumPy, PyTorch and Triton, and the equivalents in this package.
_HERE = {
    "amax": "tile.max", "amin": "tile.min", "arccos": "tile.acos",
    "arcsin": "tile.asin", "arctan": "tile.atan", "arctan2": "tile.atan2",
    "associative_scan": "tile.scan", "atomic_and": "tile.atomic",
    "atomic_cas": "tile.atomic", "atomic_max": "tile.atomic",
    "atomic_min": "tile.atomic", "atomic_or": "tile.atomic",
    "atomic_xchg": "tile.atomic", "atomic_xor": "tile.atomic",
    "cat": "tile.concatenate", "cho_solve": "tile.cholesky_solve",
    "concat": "tile.concatenate",
    "constexpr": "a keyword parameter of the kernel", "copy": "the tile, which never "
    "changes", "det": "tile.determinant", "device_assert": "assert",
    "device_print": "tile.print_", "dot": "@", "einsum": "@",
    "flatten": "tile.reshape", "inf": "math.inf", "inv": "tile.inverse",
    "linalg": "tile.inverse, tile.solve and others", "logical_and": "&",
    "logical_not": "~", "logical_or": "|", "logical_xor": "^",
    "lstsq": "tile.least_squares", "matrix_exp": "tile.expm",
    "make_block_ptr": "tile.load", "make_tensor_descriptor": "tile.load",
    "median": "tile.sort", "mod": "tile.remainder", "nan": "math.nan", "newaxis": "None",
    "permute": "tile.transpose", "pi": "math.pi", "pow": "tile.power",
    "print": "tile.print_", "rand": "tile.random", "randint": "tile.random",
    "randn": "tile.random", "ravel": "tile.reshape", "rint": "tile.round",
    "square": "**", "static_assert": "assert", "static_print": "print",
    "swapaxes": "tile.swap_axes", "to": "astype", "topk": "tile.top_k",
    "trans": "tile.transpose"}


def _suggest(name: str) -> str:
    """Suggests a name of this package for the name `name`, which it does not have."""
    found = find_element(name)
    known = _HERE.get(name) or (found and repr(found))
    if known is not None:
        return f"; here it is {known}"
    close = difflib.get_close_matches(name, _get_package().__all__, cutoff=0.82)
    return f"; there is {', '.join(f'tile.{one}' for one in close)}" if close else ""


def _suggest_function(name: str) -> str:
    """Suggests this package's equivalent of a method of another library."""
    if name in _HERE:
        return f"; here it is {_HERE[name]}"
    is_function = inspect.isfunction(getattr(_get_package(), name, None))
    return f"; tile.{name} is a function" if is_function else ""
