# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels: functions that are traced to programs, compiled, and run.

    @tile.kernel(grid=lambda x, y, *, n: tile.cdiv(len(x), n))
    def double(x, y, *, n=1024):
        first = tile.program_id(0) * n
        tile.store(y, first, 2 * tile.load(x, first, n))

    double(x, y)

Positional parameters are arrays and numbers that the program has when it runs.
Keyword parameters are Python values while it is traced: of each set of them, and
of the types of the others, there is a program.
"""

from __future__ import annotations

import functools
import inspect
import types as python_types
from dataclasses import dataclass
from typing import (Any, Callable, Optional, ParamSpec, Sequence, TypeVar, Union,
                    overload)

import numpy as np

from . import elements, library
from .elements import Element
from .errors import ArgumentError, CompileError, Diagnostic, LaunchError
from .ir import ArrayType, Attribute, Type, quote
from .machines import Machine, get_machine
from .rewrite import rewrite
from .trace import Trace, call_traced
from .values import Array, Scalar

Takes = ParamSpec("Takes")
Gives = TypeVar("Gives")
Grid = Union[int, Sequence[int], Callable[..., Any]]


# ----------------------------------------------------------------------------
# The types of arguments
# ----------------------------------------------------------------------------


def get_type(name: str, argument: Any) -> Type:
    """The type that a program has for an argument."""
    if isinstance(argument, (ArrayType, Element)):
        return argument
    if isinstance(argument, np.generic):
        return elements.element(argument.dtype)
    if isinstance(argument, np.ndarray):
        return _get_array_type(name, argument)
    if isinstance(argument, bool):
        return elements.bool_
    if isinstance(argument, int):
        return elements.index
    if isinstance(argument, float):
        return elements.f32
    raise ArgumentError(f"expected an array or a number for {name!r}, got "
                        f"{type(argument).__name__}")


def _get_array_type(name: str, array: "np.ndarray[Any, Any]") -> ArrayType:
    """With sizes of run time; with strides where rows do not lie in a row."""
    try:
        element = elements.element(array.dtype)
    except ArgumentError as error:
        raise ArgumentError(f"{name!r}: {error}") from None
    if not 1 <= array.ndim <= 8:
        raise ArgumentError(f"expected {name!r} to have one to eight dimensions, "
                            f"got {array.ndim}")
    if array.dtype.byteorder == ">":
        raise ArgumentError(f"expected {name!r} in the byte order of the machine, "
                            f"got {array.dtype}")
    shape = (None,) * array.ndim
    if array.flags.c_contiguous:
        return ArrayType(shape, element)
    if any(stride % array.itemsize for stride in array.strides):
        raise ArgumentError(f"expected strides of {name!r} in whole elements, got "
                            f"{array.strides} bytes of {array.itemsize}")
    is_row = array.strides[-1] == array.itemsize
    strides = (None,) * (array.ndim - 1) + ((1,) if is_row else (None,))
    return ArrayType(shape, element, strides)


# ----------------------------------------------------------------------------
# Programs
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Key:
    """What a program is traced for."""

    types: tuple[Type, ...]
    constants: tuple[tuple[str, Any], ...]


class Kernel:
    """A function with @tile.kernel."""

    def __init__(self, function: Callable[..., Any], grid: Optional[Grid],
                 block: Optional[int], attributes: dict[str, Any]):
        if not isinstance(function, python_types.FunctionType):
            raise ArgumentError(f"expected a function, got {function!r}")
        functools.update_wrapper(self, function)
        self._function = function
        self._grid = grid
        self._block = block
        self._attributes = attributes
        self._signature = inspect.signature(function)
        self._rewritten: Optional[Callable[..., Any]] = None
        self._texts: dict[Key, str] = {}
        self._results: dict[tuple[Key, Any], library.Result] = {}
        for parameter in self._signature.parameters.values():
            if parameter.kind in (parameter.VAR_POSITIONAL,
                                  parameter.VAR_KEYWORD):
                raise ArgumentError(
                    f"expected parameters with names of the kernel "
                    f"{self.__name__!r}, got {parameter}")

    __name__: str

    # ------------------------------------------------------------------------
    # Calls
    # ------------------------------------------------------------------------

    def __call__(self, *arguments: Any, **constants: Any) -> None:
        """Runs the kernel on NumPy's arrays, on the machine of this thread
        (`tile.emulator()`, `tile.cpu()`)."""
        if self._grid is None:
            raise LaunchError(f"expected a grid of the kernel {self.__name__!r}, as "
                              f"{self.__name__}[blocks](...) or "
                              "@tile.kernel(grid=...), got none")
        self._launch(self._grid, arguments, constants)

    def __getitem__(self, grid: Grid) -> Callable[..., None]:
        """The kernel with a grid: blocks along one to three axes, or a function of
        the kernel's arguments."""
        def launch(*arguments: Any, **constants: Any) -> None:
            self._launch(grid, arguments, constants)

        return launch

    def _launch(self, grid: Grid, arguments: tuple[Any, ...],
                constants: dict[str, Any]) -> None:
        values, key = self._bind(arguments, constants)
        blocks = _get_blocks(grid, values, dict(key.constants))
        if 0 in blocks:
            return
        self._run(get_machine(), key, values, blocks)

    def _run(self, machine: Machine, key: Key, values: Sequence[Any],
             blocks: tuple[int, ...]) -> None:
        import ctypes
        result = self._compile(key, machine)
        options = library.RunOptions(
            grid=(ctypes.c_int64 * 3)(*blocks), threads=machine.threads)
        if machine.kind == library.EMULATOR:
            options.seed, options.schedules = machine.seed, machine.schedules
            options.tolerance = machine.tolerance
        prepared = [_make_argument(name, value, type) for name, value, type in
                    zip(self._get_names(), values, key.types)]
        library.run(result, self.__name__, [x for x, _ in prepared], options)

    def _get_names(self) -> list[str]:
        return [p.name for p in self._signature.parameters.values()
                if p.kind != p.KEYWORD_ONLY]

    def _bind(self, arguments: Sequence[Any], constants: dict[str, Any]
              ) -> tuple[list[Any], Key]:
        """The arguments of run time in order, and what they are traced for."""
        try:
            bound = self._signature.bind(*arguments, **constants)
        except TypeError as error:
            raise ArgumentError(f"{self.__name__}{self._signature}: {error}"
                                ) from None
        bound.apply_defaults()
        values, fixed = [], []
        for name, parameter in self._signature.parameters.items():
            value = bound.arguments[name]
            if parameter.kind == parameter.KEYWORD_ONLY:
                fixed.append((name, value))
            else:
                values.append(value)
        types = tuple(get_type(name, value) for name, value in
                      zip(self._get_names(), values))
        key = Key(types, tuple(fixed))
        try:
            hash(key)
        except TypeError as error:
            raise ArgumentError(f"expected constants that can be hashed, got "
                                f"{dict(fixed)}: {error}") from None
        return values, key

    # ------------------------------------------------------------------------
    # Programs
    # ------------------------------------------------------------------------

    def trace(self, *arguments: Any, **constants: Any) -> str:
        """The program for arguments, arrays or types of them (`ir.ArrayType`), as
        text of MLIR."""
        return self._trace(self._bind(arguments, constants)[1])

    def compile(self, *arguments: Any, arch: str = "sm_90a",
                outputs: tuple[str, ...] = ("ptx", "cubin", "metadata",
                                            "report"),
                **constants: Any) -> dict[str, bytes]:
        """What a GPU's launcher needs, and the report of what was decided."""
        key = self._bind(arguments, constants)[1]
        result = library.compile_text(
            self._trace(key), machine=library.CUDA, arch=arch, outputs=outputs,
            name=f"<{self.__name__}>")
        return {output: result.get(output) for output in outputs}

    def get_ir(self, after: Optional[str], *arguments: Any,
               arch: str = "sm_90a", **constants: Any) -> str:
        """The program as a pass leaves it, "tile-assign-layouts", or in the LLVM
        dialect if it is None."""
        key = self._bind(arguments, constants)[1]
        result = library.compile_text(
            self._trace(key), machine=library.CUDA, arch=arch, outputs=("ir",),
            stop_after=after, name=f"<{self.__name__}>")
        return result.get("ir").decode()

    def _get_file(self) -> str:
        return self._function.__code__.co_filename

    def _trace(self, key: Key) -> str:
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = self._trace_program(key)
        return text

    def _trace_program(self, key: Key) -> str:
        if self._rewritten is None:
            self._rewritten = rewrite(self._function)
        with Trace(self._get_place(), self._block) as trace:
            with trace.builder.kernel(
                    self.__name__, key.types, block=self._block,
                    attributes=self._make_attributes()) as values:
                given = [Array(value) if isinstance(value.type, ArrayType) else
                         Scalar(value) for value in values]
                found = call_traced(self._rewritten, *given,
                                    **dict(key.constants))
            if found is not None:
                raise CompileError([Diagnostic(
                    "error", f"expected a kernel to return nothing, got {found!r}",
                    self._get_file(), self._function.__code__.co_firstlineno,
                    1)])
            return trace.builder.text()

    def _get_place(self) -> str:
        """That of the definition, as MLIR writes it."""
        line = self._function.__code__.co_firstlineno
        return f"{quote(self._get_file())}:{line}:1"

    def _make_attributes(self) -> dict[str, Attribute]:
        return {f"tile.{name}": Attribute(f"{value} : i64")
                for name, value in self._attributes.items() if value is not None}

    def _compile(self, key: Key, machine: Machine) -> library.Result:
        found = self._results.get((key, machine.key))
        if found is None:
            found = self._results[key, machine.key] = library.compile_text(
                self._trace(key), machine=machine.kind, arch=machine.arch,
                name=f"<{self.__name__}>")
        return found

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}{self._signature}>"


# ----------------------------------------------------------------------------
# Arguments and grids
# ----------------------------------------------------------------------------


def _make_argument(name: str, value: Any, type: Type
                   ) -> tuple[library.Argument, Any]:
    """The C library's argument, and what it points to, which is to live on."""
    import ctypes
    if isinstance(type, Element):
        dtype = np.dtype(np.int64) if type == elements.index else \
            elements.get_dtype(type)
        kept = np.array(value, dtype)
        return library.Argument(data=kept.ctypes.data, rank=library.SCALAR,
                                type=type.mlir.encode()), kept
    if not value.flags.writeable:
        raise ArgumentError(f"expected {name!r} to be writable, got a read-only "
                            "array")
    rank = value.ndim
    sizes = (ctypes.c_int64 * rank)(*value.shape)
    strides = (ctypes.c_int64 * rank)(*(n // value.itemsize
                                        for n in value.strides))
    return library.Argument(data=value.ctypes.data, rank=rank, sizes=sizes,
                            strides=strides, type=type.element.mlir.encode()
                            ), (value, sizes, strides)


def _get_blocks(grid: Grid, values: Sequence[Any], constants: dict[str, Any]
                ) -> tuple[int, ...]:
    """Blocks along three axes."""
    found = grid
    if callable(grid):
        found = _call_grid(grid, values, constants)
    blocks: Any = (found,) if isinstance(found, (int, np.integer)) else found
    try:
        extents = tuple(int(n) for n in blocks)
    except (TypeError, ValueError):
        raise LaunchError(f"expected a grid of one to three integers, got "
                          f"{found!r}") from None
    if not 1 <= len(extents) <= 3 or any(n < 0 for n in extents):
        raise LaunchError(f"expected a grid of one to three numbers that are not "
                          f"negative, got {found!r}")
    return extents + (1,) * (3 - len(extents))


def _call_grid(grid: Callable[..., Any], values: Sequence[Any],
               constants: dict[str, Any]) -> Any:
    """With those of the constants that it has parameters for."""
    parameters = inspect.signature(grid).parameters.values()
    takes_all = any(p.kind == p.VAR_KEYWORD for p in parameters)
    names = {p.name for p in parameters}
    return grid(*values, **{name: value for name, value in constants.items()
                            if takes_all or name in names})


# ----------------------------------------------------------------------------
# Decorators
# ----------------------------------------------------------------------------


@overload
def kernel(function: Callable[..., Any]) -> Kernel: ...


@overload
def kernel(*, grid: Optional[Grid] = None, block: Optional[int] = None,
           blocks_per_processor: Optional[int] = None
           ) -> Callable[[Callable[..., Any]], Kernel]: ...


def kernel(function: Optional[Callable[..., Any]] = None, *,
           grid: Optional[Grid] = None, block: Optional[int] = None,
           blocks_per_processor: Optional[int] = None) -> Any:
    """Makes a kernel of a function. `grid` is how many blocks run, or a function of
    the kernel's arguments; `block` how many threads a block has, as many as the
    compiler chooses if none are given; `blocks_per_processor` for how many blocks a
    multiprocessor is to have room."""
    def make(function: Callable[..., Any]) -> Kernel:
        return Kernel(function, grid, block,
                      {"blocks_per_processor": blocks_per_processor})

    return make if function is None else make(function)


def function(helper: Callable[Takes, Gives]) -> Callable[Takes, Gives]:
    """A function that kernels call, with `for`, `while`, `if` on values of the
    program. One without takes Python's ways."""
    made: list[Callable[Takes, Gives]] = []

    @functools.wraps(helper)
    def call(*arguments: Takes.args, **rest: Takes.kwargs) -> Gives:
        if not made:
            made.append(rewrite(helper))
        return made[0](*arguments, **rest)

    return call
