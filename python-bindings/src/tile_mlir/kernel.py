# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels: functions that are traced to programs, compiled, and run.

    @tile.kernel(grid=lambda x, n: tile.cdiv(len(x), n))
    def double(x, y, *, n=1024):
        first = tile.program_id(0) * n
        tile.store(y, first, 2 * tile.load(x, first, n))

    double(x, y)

Positional parameters are arrays and numbers that the program has when it runs.
Keyword parameters are Python values while it is traced: of each set of them, and
of the types of the others, there is a program.
"""

from __future__ import annotations

import ctypes
import functools
import inspect
import operator
import types as python_types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import (Any, Callable, Optional, ParamSpec, Sequence, TypeVar, Union,
                    overload)

import numpy as np

from . import arrays, cache, elements, library, runtime
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
    if isinstance(argument, arrays.Description):
        return argument.make_type()
    if isinstance(argument, np.generic):
        return elements.element(argument.dtype)
    if isinstance(argument, bool):
        return elements.bool_
    if isinstance(argument, int):
        return elements.index
    if isinstance(argument, float):
        return elements.f32
    raise ArgumentError(f"expected an array or a number for {name!r}, got "
                        f"{type(argument).__name__}")


# ----------------------------------------------------------------------------
# Programs
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Key:
    """What a program is traced for. Of constants what they are compared by counts:
    1, 1.0 and True are equal, and are not the same."""

    types: tuple[Type, ...]
    constants: tuple[tuple[str, Any], ...] = field(compare=False)
    compared: tuple[Any, ...]


def _compare_by(constant: Any) -> Any:
    """What two constants have in common if and only if they are the same."""
    if isinstance(constant, tuple):
        return type(constant), tuple(map(_compare_by, constant))
    if isinstance(constant, (float, complex)):
        return type(constant), repr(constant)  # of a zero with its sign
    return type(constant), constant


@dataclass(frozen=True)
class Call:
    """The arguments of run time in order, what they are, and what they are traced
    for."""

    values: list[Any]
    described: list[Any]  # arrays as descriptions
    key: Key


@dataclass(frozen=True)
class Program:
    """What a kernel is traced to, and which of its arguments it writes."""

    text: str
    written: frozenset[int]


class _PythonLauncher:
    """What the extension's launcher is where that was not built."""

    def __init__(self, slow: Callable[..., None]):
        self._slow = slow

    def __call__(self, *arguments: Any, **constants: Any) -> None:
        self._slow(*arguments, **constants)

    def add(self, plan: int, arguments: tuple[Any, ...],
            constants: dict[str, Any]) -> bool:
        return False


try:
    from ._launch import Launcher
except ImportError:
    Launcher = _PythonLauncher  # type: ignore


def make_launcher(slow: Callable[..., None]) -> Launcher:
    """One that calls `slow` where it has no plan."""
    return Launcher(slow)


class Kernel(Launcher):
    """A function with @tile.kernel.

    A call runs it: with arrays on a GPU there, without waiting for its end; with
    arrays on the host on the machine of this thread (`tile.emulator()`,
    `tile.cpu()`)."""

    def __init__(self, function: Callable[..., Any], grid: Optional[Grid],
                 block: Optional[int], attributes: dict[str, Any],
                 tiling: Optional[str] = None):
        if not isinstance(function, python_types.FunctionType):
            raise ArgumentError(f"expected a function, got {function!r}")
        super().__init__(self._call)
        functools.update_wrapper(self, function)
        self._function = function
        self._grid = grid
        self._block = block
        self._attributes = attributes
        self._tiling = tiling
        self._signature = inspect.signature(function)
        self._names = [p.name for p in self._signature.parameters.values()
                       if p.kind != p.KEYWORD_ONLY]
        self._rewritten: Optional[Callable[..., Any]] = None
        self._programs: dict[Key, Program] = {}
        self._results: dict[tuple[Key, Any], library.Result] = {}
        self._loaded: dict[tuple[Key, int], runtime.LoadedKernel] = {}
        self._launchers: dict[Union[int, tuple[int, ...]], Launcher] = {}
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

    def _call(self, *arguments: Any, **constants: Any) -> None:
        """A call that no plan is for."""
        if self._grid is None:
            raise LaunchError(f"expected a grid of the kernel {self.__name__!r}, as "
                              f"{self.__name__}[blocks](...) or "
                              "@tile.kernel(grid=...), got none")
        self._launch(self, self._grid, arguments, constants)

    def __getitem__(self, grid: Grid) -> Callable[..., None]:
        """The kernel with a grid: blocks along one to three axes, or a function of
        some of the kernel's arguments, by their names."""
        if isinstance(grid, (int, tuple)) and grid in self._launchers:
            return self._launchers[grid]

        def launch(*arguments: Any, **constants: Any) -> None:
            self._launch(launcher, grid, arguments, constants)

        launcher = Launcher(launch)
        # A function is often made anew for each call.
        if not callable(grid):
            _get_blocks(grid, {})
            if isinstance(grid, (int, tuple)):
                self._launchers[grid] = launcher
        return launcher

    def _launch(self, launcher: Any, grid: Grid, arguments: tuple[Any, ...],
                constants: dict[str, Any], chosen: Mapping[str, Any] = {}
                ) -> None:
        """`chosen` are constants that the call does not give."""
        call = self._bind(arguments, {**constants, **chosen})
        key, fixed = call.key, dict(call.key.constants)
        blocks = _get_blocks(grid, dict(zip(self._names, call.values), **fixed))
        if 0 in blocks:
            return
        self._check_writable(call.described, self._trace(key).written)
        prepared = [_make_argument(value, type)
                    for value, type in zip(call.described, key.types)]
        packed = [argument for argument, _ in prepared]
        device = self._find_device(call.described)
        if device is None:
            self._run(get_machine(), key, packed, blocks)
            return
        first = next(value for value in call.values if arrays.is_array(value))
        kernel = self._load(key, device)
        kernel.launch(packed, blocks, runtime.find_stream(first, device))
        # Words are compared as values, which arrays are not.
        if constants.keys() <= fixed.keys():
            runtime.add_plan(launcher, kernel, packed, blocks, arguments,
                             constants)

    def _check_writable(self, described: Sequence[Any],
                        written: frozenset[int]) -> None:
        for number in written:
            if not described[number].is_writable:
                raise ArgumentError(
                    f"expected {self._names[number]!r} to be writable, since "
                    "the kernel writes it, got a read-only array")

    def _find_device(self, described: Sequence[Any]) -> Optional[int]:
        """The GPU that all arrays are on, None for the host."""
        found = {name: value.device for name, value in
                 zip(self._names, described)
                 if isinstance(value, arrays.Description)}
        if len(set(found.values())) > 1:
            places = ", ".join(
                f"{name!r} " + ("on the host" if device is None else
                                f"on GPU {device}")
                for name, device in found.items())
            raise ArgumentError(f"expected arrays of one device, got {places}")
        return next(iter(found.values()), None)

    def _run(self, machine: Machine, key: Key, arguments: list[library.Argument],
             blocks: tuple[int, ...]) -> None:
        """On the host."""
        options = library.RunOptions(
            grid=(ctypes.c_int64 * 3)(*blocks), threads=machine.threads)
        if machine.kind == library.EMULATOR:
            options.seed, options.schedules = machine.seed, machine.schedules
            options.tolerance = machine.tolerance
        library.run(self._compile(key, machine), self.__name__, arguments,
                    options)

    def _load(self, key: Key, ordinal: int) -> runtime.LoadedKernel:
        """The kernel on a GPU."""
        found = self._loaded.get((key, ordinal))
        if found is None:
            device = runtime.get_device(ordinal)
            made = cache.compile_kernel(self._trace(key).text, device.arch,
                                        f"<{self.__name__}>", self._tiling)
            found = self._loaded[key, ordinal] = device.load(
                made.cubin, made.metadata, self.__name__)
        return found

    def _bind(self, arguments: Sequence[Any], constants: dict[str, Any]) -> Call:
        try:
            bound = self._signature.bind(*arguments, **constants)
        except TypeError as error:
            raise ArgumentError(f"{self.__name__}{self._signature}: {error}"
                                ) from None
        bound.apply_defaults()
        values = [bound.arguments[name] for name in self._names]
        described = list(map(_describe, self._names, values))
        types = tuple(map(get_type, self._names, described))
        fixed = [(name, value) for name, value in bound.arguments.items()
                 if name not in self._names]
        key = Key(types, tuple(fixed),
                  tuple(_compare_by(value) for _, value in fixed))
        try:
            hash(key)
        except TypeError as error:
            raise ArgumentError(f"expected constants that can be hashed, got "
                                f"{dict(fixed)}: {error}") from None
        return Call(values, described, key)

    # ------------------------------------------------------------------------
    # Programs
    # ------------------------------------------------------------------------

    def trace(self, *arguments: Any, **constants: Any) -> str:
        """The program for arguments, arrays or types of them (`ir.ArrayType`), as
        text of MLIR."""
        return self._trace(self._bind(arguments, constants).key).text

    def compile(self, *arguments: Any, arch: str = "sm_90a",
                outputs: tuple[str, ...] = ("ptx", "cubin", "metadata",
                                            "report"),
                tiling: Optional[str] = None, **constants: Any
                ) -> dict[str, bytes]:
        """What a GPU's launcher needs, and the report of what was decided.
        `tiling`, if given, takes the place of the decorator's."""
        result = self._compile_text(self._bind(arguments, constants).key,
                                    machine=library.CUDA, arch=arch,
                                    outputs=outputs,
                                    tiling=self._get_tiling(tiling))
        return {output: result.get(output) for output in outputs}

    def get_ir(self, after: Optional[str], *arguments: Any,
               arch: str = "sm_90a", tiling: Optional[str] = None,
               **constants: Any) -> str:
        """The program as a pass leaves it, "tile-assign-layouts", or in the LLVM
        dialect if it is None."""
        result = self._compile_text(self._bind(arguments, constants).key,
                                    machine=library.CUDA, arch=arch,
                                    outputs=("ir",), stop_after=after,
                                    tiling=self._get_tiling(tiling))
        return result.get("ir").decode()

    def _with_options(self, **options: Any) -> "Kernel":
        """A kernel of the same function, with others of the decorator's options
        `block`, `blocks_per_processor` and `tiling`."""
        block = options.pop("block", self._block)
        tiling = options.pop("tiling", self._tiling)
        return Kernel(self._function, self._grid, block,
                      {**self._attributes, **options}, tiling)

    def _get_tiling(self, tiling: Optional[str]) -> Optional[str]:
        return self._tiling if tiling is None else tiling

    def _get_file(self) -> str:
        return self._function.__code__.co_filename

    def _trace(self, key: Key) -> Program:
        program = self._programs.get(key)
        if program is None:
            program = self._programs[key] = self._trace_program(key)
        return program

    def _trace_program(self, key: Key) -> Program:
        if self._rewritten is None:
            self._rewritten = rewrite(self._function)
        with Trace(self._get_place(), self._block) as trace:
            with trace.builder.kernel(
                    self.__name__, key.types, names=self._names,
                    block=self._block,
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
            written = frozenset(number for number, value in enumerate(values)
                                if value.name in trace.written)
            return Program(trace.builder.text(), written)

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
            found = self._results[key, machine.key] = self._compile_text(
                key, machine=machine.kind, arch=machine.arch)
        return found

    def _compile_text(self, key: Key, **options: Any) -> library.Result:
        return library.compile_text(self._trace(key).text,
                                    name=f"<{self.__name__}>", **options)

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}{self._signature}>"


# ----------------------------------------------------------------------------
# Arguments and grids
# ----------------------------------------------------------------------------


def _describe(name: str, value: Any) -> Any:
    return arrays.describe(name, value) if arrays.is_array(value) else value


def _make_argument(value: Any, type: Type) -> tuple[library.Argument, Any]:
    """The C library's argument, and what it points to, which is to live on."""
    if isinstance(type, Element):
        dtype = np.dtype(np.int64) if type == elements.index else \
            elements.get_dtype(type)
        kept = np.array(value, dtype)
        return library.Argument(data=kept.ctypes.data, rank=library.SCALAR,
                                type=type.mlir.encode()), kept
    rank = len(value.shape)
    sizes = (ctypes.c_int64 * rank)(*value.shape)
    strides = (ctypes.c_int64 * rank)(*value.strides)
    return library.Argument(data=value.data, rank=rank, sizes=sizes,
                            strides=strides, type=type.element.mlir.encode()
                            ), (sizes, strides)


def _get_blocks(grid: Grid, arguments: dict[str, Any]) -> tuple[int, ...]:
    """Blocks along three axes."""
    found = grid
    if callable(grid):
        found = call_by_names("a grid's function", grid, arguments)
    blocks: Any = (found,) if isinstance(found, (int, np.integer)) else found
    try:
        extents = tuple(map(operator.index, blocks))
    except (TypeError, ValueError):
        raise LaunchError(f"expected a grid of one to three integers, got "
                          f"{found!r}") from None
    if not 1 <= len(extents) <= 3 or any(n < 0 for n in extents):
        raise LaunchError(f"expected a grid of one to three numbers that are not "
                          f"negative, got {found!r}")
    return extents + (1,) * (3 - len(extents))


def call_by_names(what: str, function: Callable[..., Any],
                  arguments: dict[str, Any]) -> Any:
    """With those of the arguments that it has parameters for, by their names."""
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind == p.VAR_KEYWORD for p in parameters):
        return function(**arguments)
    for parameter in parameters:
        if parameter.name not in arguments and \
                parameter.default is parameter.empty:
            raise LaunchError(
                f"expected {what} of parameters that the kernel has, "
                f"{', '.join(arguments)}, got {parameter.name!r}")
    return function(**{p.name: arguments[p.name] for p in parameters
                       if p.name in arguments})


# ----------------------------------------------------------------------------
# Decorators
# ----------------------------------------------------------------------------


@overload
def kernel(function: Callable[..., Any]) -> Kernel: ...


@overload
def kernel(*, grid: Optional[Grid] = None, block: Optional[int] = None,
           blocks_per_processor: Optional[int] = None,
           tiling: Optional[str] = None
           ) -> Callable[[Callable[..., Any]], Kernel]: ...


def kernel(function: Optional[Callable[..., Any]] = None, *,
           grid: Optional[Grid] = None, block: Optional[int] = None,
           blocks_per_processor: Optional[int] = None,
           tiling: Optional[str] = None) -> Any:
    """Makes a kernel of a function. `grid` is how many blocks run, or a function of
    some of the kernel's arguments, by their names; `block` how many threads a
    block has, as many as the compiler chooses if none are given;
    `blocks_per_processor` for how many blocks a multiprocessor is to have room;
    `tiling` options of -tile-warp-tiling, "warps=2,4 stages=3", for what is compiled
    for a GPU."""
    def make(function: Callable[..., Any]) -> Kernel:
        return Kernel(function, grid, block,
                      {"blocks_per_processor": blocks_per_processor}, tiling)

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
