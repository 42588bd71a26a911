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
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import (Any, Callable, Optional, ParamSpec, Sequence, TypeVar, Union,
                    overload)

import numpy as np

from . import arguments, arrays, cache, captured, library, runtime, torch_ops
from .arguments import Alignment, Fixed, FixedExtents, get_type, pack
from .elements import Element
from .errors import (ArgumentError, CompileError, Diagnostic, EmulatorError,
                     LaunchError, TileError)
from .inspection import profiling
from .inspection.specialization import Inspectable, Specialization
from .ir import ArrayType, Attribute, Type, quote
from .machines import DEFAULT_ARCH, Machine, get_machine
from .rewrite import check_function, rewrite
from .trace import Trace, call_traced, describe, fail, is_tracing
from .values import Array, Scalar

Takes = ParamSpec("Takes")
Gives = TypeVar("Gives")
# Along each axis, of any GPU.
_MOST_BLOCKS = (2 ** 31 - 1, 2 ** 16 - 1, 2 ** 16 - 1)
Grid = Union[int, Sequence[int], Callable[..., Any]]


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


@dataclass(frozen=True, eq=False)
class Program:
    """What a kernel is traced to, which of its arguments it writes, what it read of
    the Python around it, and what has come of it so far."""

    text: str
    written: frozenset[int]
    guards: tuple[captured.Guard, ...]
    results: dict[Any, library.Result] = field(default_factory=dict)
    loaded: dict[int, runtime.LoadedKernel] = field(default_factory=dict)
    specializations: dict[str, Specialization] = field(default_factory=dict)


@dataclass(frozen=True)
class Work:
    """A call that was checked, ready to be run on a GPU, or the host if `device`
    is None. `kept` has the arguments of the C library, and what they point to."""

    call: Call
    program: Program
    blocks: tuple[int, ...]
    device: Optional[int]
    kept: list[tuple[library.Argument, Any]]

    @property
    def packed(self) -> list[library.Argument]:
        return [argument for argument, _ in self.kept]

    @property
    def first_array(self) -> Any:
        return next(filter(arrays.is_array, self.call.values))


class _PythonLauncher:
    """What the extension's launcher is where that was not built."""

    def __init__(self, slow: Callable[..., None]):
        self._slow = slow

    def __call__(self, *arguments: Any, **constants: Any) -> None:
        self._slow(*arguments, **constants)

    def add(self, plan: int, arguments: tuple[Any, ...],
            constants: dict[str, Any], guards: tuple[captured.Guard, ...],
            written: int) -> bool:
        return False


try:
    from ._launch import Launcher
except ImportError:
    Launcher = _PythonLauncher  # type: ignore


def make_launcher(slow: Callable[..., None]) -> Launcher:
    """One that calls `slow` where it has no plan."""
    return Launcher(slow)


@dataclass(frozen=True)
class Options:
    """What @tile.kernel says of a kernel, but for its grid."""

    block: Optional[int] = None
    blocks_per_processor: Optional[int] = None
    tiling: Optional[str] = None
    fixed: FixedExtents = ()
    alignment: Union[int, Mapping[str, int]] = 1


class Kernel(Launcher, Inspectable):
    """A function with @tile.kernel.

    A call runs it: with arrays on a GPU there, without waiting for its end; with
    arrays on the host on the machine of this thread (`tile.emulator()`,
    `tile.cpu()`)."""

    def __init__(self, function: Callable[..., Any], grid: Optional[Grid],
                 options: Options):
        check_function(function)
        if inspect.isgeneratorfunction(function):
            raise ArgumentError(f"expected a kernel without 'yield', got "
                                f"{function.__name__!r} with it")
        _check_counts(block=options.block,
                      blocks_per_processor=options.blocks_per_processor)
        if grid is not None and not callable(grid):
            _get_blocks(grid, {})
        super().__init__(self._call)
        functools.update_wrapper(self, function)
        self._function = function
        self._grid = grid
        self._options = options
        self._signature = inspect.signature(function)
        self._names = [p.name for p in self._signature.parameters.values()
                       if p.kind != p.KEYWORD_ONLY]
        self._fixed = Fixed(options.fixed, self._names)
        self._alignment = Alignment(options.alignment, self._names)
        self._rewritten: Optional[Callable[..., Any]] = None
        self._programs: dict[Key, Program] = {}
        self._launchers: dict[Union[int, tuple[int, ...]], Launcher] = {}
        self._last: Optional[tuple[Key, str]] = None  # of the last call
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
        self._launch(self, None, arguments, constants)

    def _get_grid(self, given: Optional[Grid]) -> Grid:
        grid = self._grid if given is None else given
        if grid is None:
            raise LaunchError(f"expected a grid of the kernel {self.__name__!r}, as "
                              f"{self.__name__}[blocks](...) or "
                              "@tile.kernel(grid=...), got none")
        return grid

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

    def prepare(self, *given: Any, grid: Optional[Grid] = None,
                **constants: Any) -> Callable[[], None]:
        """A launch with these arguments, to be called as often as is wanted: on a GPU
        it takes the least time of the host, since it looks at nothing again but
        the stream. It holds the arrays, which must keep their memory and sizes; a
        grid is needed where the kernel has none."""
        work = self._bind_work(grid, given, constants)
        if work.device is None or 0 in work.blocks:
            return functools.partial(self._run, work)
        kernel = self._load(work.program, work.device)
        return runtime.prepare(kernel, work, given)

    def _launch(self, launcher: Any, grid: Optional[Grid], given: tuple[Any, ...],
                constants: dict[str, Any], chosen: Mapping[str, Any] = {}
                ) -> tuple[int, ...]:
        """The blocks along three axes that were launched. `chosen` are constants that
        the call does not give."""
        if torch_ops.skips(self, given, constants):
            return 0, 0, 0
        work = self._bind_work(grid, given, {**constants, **chosen})
        if work.device is None or 0 in work.blocks:
            self._run(work)
            return work.blocks
        kernel = self._load(work.program, work.device)
        kernel.launch(work.packed, work.blocks,
                      runtime.find_stream(work.first_array, work.device))
        # Words are compared as values, which arrays are not.
        if constants.keys() <= dict(work.call.key.constants).keys():
            runtime.add_plan(launcher, kernel, work, given, constants,
                             captured.capture(grid or self._grid))
        return work.blocks

    def _bind_work(self, grid: Optional[Grid], given: Sequence[Any],
                   constants: dict[str, Any]) -> Work:
        """What a call asks for, checked; on the kernel's own grid if none is
        given."""
        if is_tracing():
            fail(f"expected a function with @tile.function to be called by a kernel, "
                 f"got the kernel {self.__name__!r}")
        grid = self._get_grid(grid)
        call = self._bind(given, constants)
        self._refuse_types(call.values)
        device = self._find_device(call.described)
        self._last = call.key, _find_arch(device)
        blocks = _get_blocks(grid, dict(zip(self._names, call.values),
                                        **dict(call.key.constants)))
        program = self._trace(call.key)
        self._check_written(call.described, program.written)
        kept = list(map(pack, call.described, call.key.types))
        return Work(call, program, blocks, device, kept)

    def _refuse_types(self, values: Sequence[Any]) -> None:
        for name, value in zip(self._names, values):
            if isinstance(value, (ArrayType, Element)):
                raise ArgumentError(f"expected an array or a number for {name!r} of a "
                                    f"call, got the type {value!r}")

    def _check_written(self, described: Sequence[Any],
                       written: frozenset[int]) -> None:
        """Refuses what may not be written. The compiler takes it that what one
        array is written with is not read or written by another."""
        for number in written:
            name, array = self._names[number], described[number]
            if not array.is_writable:
                raise ArgumentError(
                    f"expected {name!r} to be writable, since the kernel writes "
                    "it, got a read-only array")
            for other, value in enumerate(described):
                if other != number and isinstance(value, arrays.Description) and \
                        arrays.share_memory(array, value):
                    raise ArgumentError(
                        f"expected {name!r}, which the kernel writes, to share no "
                        f"memory with {self._names[other]!r}, got arrays that do; "
                        "what is updated in place is one argument, read and "
                        "written")

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

    def _run(self, work: Work) -> None:
        """On the host's machine of this thread."""
        if 0 in work.blocks:
            return
        machine = get_machine()
        options = library.RunOptions(
            grid=(ctypes.c_int64 * 3)(*work.blocks), threads=machine.threads)
        if machine.kind == library.EMULATOR:
            options.seed, options.schedules = machine.seed, machine.schedules
            options.tolerance = machine.tolerance
            options.profile = profiling.is_active()
        result = self._compile(work.program, machine)
        try:
            counted = library.run(result, self.__name__, work.packed, options)
        except EmulatorError as error:
            error.findings = [
                replace(found, calls=library.find_calls(
                    work.program.text, (found.file, found.line, found.column)))
                for found in error.findings]
            raise
        if counted is not None:
            profiling.note(self.__name__, _find_arch(None), work.blocks, counted)

    def _load(self, program: Program, ordinal: int) -> runtime.LoadedKernel:
        """The kernel on a GPU."""
        if ordinal not in program.loaded:
            device = runtime.get_device(ordinal)
            made = cache.compile_kernel(program.text, device.arch,
                                        f"<{self.__name__}>",
                                        self._options.tiling)
            program.loaded[ordinal] = device.load(made.cubin, made.metadata,
                                                  self.__name__)
        return program.loaded[ordinal]

    def _bind(self, given: Sequence[Any], constants: dict[str, Any]) -> Call:
        try:
            bound = self._signature.bind(*given, **constants)
        except TypeError as error:
            raise ArgumentError(f"{self.__name__}{self._signature}: {error}"
                                ) from None
        bound.apply_defaults()
        values = [bound.arguments[name] for name in self._names]
        described = list(map(arguments.describe, self._names, values))
        types = tuple(self._fixed.apply(name, value, get_type(name, value))
                      for name, value in zip(self._names, described))
        fixed = [(name, value) for name, value in bound.arguments.items()
                 if name not in self._names]
        key = Key(types, tuple(fixed),
                  tuple(_compare_by(value) for _, value in fixed))
        try:
            hash(key)
        except TypeError as error:
            raise ArgumentError(f"expected constants that can be hashed, got "
                                f"{describe(dict(fixed))}: {error}") from None
        return Call(values, described, key)

    # ------------------------------------------------------------------------
    # Programs
    # ------------------------------------------------------------------------

    def trace(self, *arguments: Any, **constants: Any) -> str:
        """The program for arguments, arrays or types of them (`ir.ArrayType`), as
        text of MLIR, before any phase. Needs no compiler."""
        return self._trace(self._bind(arguments, constants).key).text

    def compile(self, *arguments: Any, arch: str = "sm_90a",
                outputs: tuple[str, ...] = ("ptx", "cubin", "metadata",
                                            "report"),
                tiling: Optional[str] = None, **constants: Any
                ) -> dict[str, bytes]:
        """What a GPU's launcher needs, and the report of what was decided.
        `tiling`, if given, takes the place of the decorator's."""
        program = self._trace(self._bind(arguments, constants).key)
        result = self._compile_text(
            program, machine=library.CUDA, arch=arch, outputs=outputs,
            tiling=self._options.tiling if tiling is None else tiling)
        return {output: result.get(output) for output in outputs}

    def specialize(self, *arguments: Any, arch: Optional[str] = None,
                   **constants: Any) -> Specialization:
        """What a call with arguments, arrays or types of them (`ir.ArrayType`),
        is compiled to, for an architecture, "sm_90a": without one for the GPU
        that the arrays are on, or for that of this thread's emulator, which is
        sm_80 unless another one is given. Nothing is run."""
        call = self._bind(arguments, constants)
        if arch is None:
            arch = _find_arch(self._find_device(call.described))
        return self._specialize(call.key, arch)

    def _get_specialization(self) -> Specialization:
        if self._last is None:
            raise TileError(f"expected a call of the kernel {self.__name__!r} "
                            f"before, or {self.__name__}.specialize(...) with "
                            "arguments, got neither")
        return self._specialize(*self._last)

    def _specialize(self, key: Key, arch: str) -> Specialization:
        program = self._trace(key)
        if arch not in program.specializations:
            program.specializations[arch] = Specialization(
                self.__name__, program.text, arch,
                dict(zip(self._names, key.types)), dict(key.constants),
                self._options.tiling)
        return program.specializations[arch]

    def _with_options(self, **options: Any) -> "Kernel":
        """A kernel of the same function, with other options of the decorator."""
        return Kernel(self._function, self._grid,
                      replace(self._options, **options))

    def _get_file(self) -> str:
        return self._function.__code__.co_filename

    def _trace(self, key: Key) -> Program:
        """Again where Python around the kernel has changed."""
        program = self._programs.get(key)
        if program is None or not captured.is_current(program.guards):
            program = self._programs[key] = self._trace_program(key)
        return program

    def _trace_program(self, key: Key) -> Program:
        if self._rewritten is None:
            self._rewritten = rewrite(self._function, gives_nothing=True)
        with Trace(self._get_place(), self._options.block) as trace:
            with trace.builder.kernel(
                    self.__name__, key.types, names=self._names,
                    block=self._options.block, attributes=self._make_attributes(),
                    argument_attributes=list(map(
                        self._alignment.make_attributes, self._names, key.types))
                    ) as values:
                given = [Array(value) if isinstance(value.type, ArrayType) else
                         Scalar(value) for value in values]
                found = call_traced(self._rewritten, *given,
                                    **dict(key.constants))
            if found is not None:
                raise CompileError([Diagnostic(
                    "error",
                    f"expected a kernel to return nothing, got {describe(found)}",
                    self._get_file(), self._function.__code__.co_firstlineno,
                    1)])
            written = frozenset(number for number, value in enumerate(values)
                                if value.name in trace.written)
            return Program(trace.builder.text(), written, captured.capture(
                self._function, dict(key.constants)))

    def _get_place(self) -> str:
        """That of the definition, as MLIR writes it."""
        line = self._function.__code__.co_firstlineno
        return f"{quote(self._get_file())}:{line}:1"

    def _make_attributes(self) -> dict[str, Attribute]:
        room = self._options.blocks_per_processor
        return {} if room is None else {
            "tile.blocks_per_processor": Attribute(f"{room} : i64")}

    def _compile(self, program: Program, machine: Machine) -> library.Result:
        if machine.key not in program.results:
            program.results[machine.key] = self._compile_text(
                program, machine=machine.kind, arch=machine.arch)
        return program.results[machine.key]

    def _compile_text(self, program: Program, **options: Any) -> library.Result:
        return library.compile_text(program.text, name=f"<{self.__name__}>",
                                    **options)

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}{self._signature}>"


# ----------------------------------------------------------------------------
# Grids
# ----------------------------------------------------------------------------


def _find_arch(device: Optional[int]) -> str:
    """That of a GPU; on the host that of this thread's emulator."""
    if device is None:
        return get_machine().arch or DEFAULT_ARCH
    found: str = runtime.get_device(device).arch
    return found


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
                          f"{describe(found)}") from None
    if not 1 <= len(extents) <= 3 or any(n < 0 for n in extents):
        raise LaunchError(f"expected a grid of one to three numbers that are not "
                          f"negative, got {describe(found)}")
    if any(n > most for n, most in zip(extents, _MOST_BLOCKS)):
        raise LaunchError(f"expected a grid of at most {_MOST_BLOCKS} blocks, got "
                          f"{describe(found)}")
    return extents + (1,) * (3 - len(extents))


def call_by_names(what: str, function: Callable[..., Any],
                  arguments: dict[str, Any]) -> Any:
    """With those of the arguments that it has parameters for, by their names."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise LaunchError(f"expected {what} with named parameters, got "
                          f"{describe(function)}") from None
    if any(p.kind == p.VAR_KEYWORD for p in parameters):
        return function(**arguments)
    for parameter in parameters:
        if parameter.kind == parameter.POSITIONAL_ONLY or (
                parameter.name not in arguments and
                parameter.default is parameter.empty):
            raise LaunchError(
                f"expected {what} of parameters that the kernel has, by "
                f"their names {', '.join(arguments)}, got {str(parameter)!r}")
    return function(**{p.name: arguments[p.name] for p in parameters
                       if p.name in arguments})


def _check_counts(**counts: Any) -> None:
    for name, count in counts.items():
        if count is not None and (isinstance(count, bool) or
                                  not isinstance(count, int) or count < 1):
            raise ArgumentError(f"expected a positive integer for {name!r}, got "
                                f"{describe(count)}")


# ----------------------------------------------------------------------------
# Decorators
# ----------------------------------------------------------------------------


@overload
def kernel(function: Callable[..., Any]) -> Kernel: ...


@overload
def kernel(*, grid: Optional[Grid] = None, block: Optional[int] = None,
           blocks_per_processor: Optional[int] = None,
           tiling: Optional[str] = None, fixed: FixedExtents = (),
           alignment: Union[int, Mapping[str, int]] = 1
           ) -> Callable[[Callable[..., Any]], Kernel]: ...


def kernel(function: Optional[Callable[..., Any]] = None, *,
           grid: Optional[Grid] = None, block: Optional[int] = None,
           blocks_per_processor: Optional[int] = None,
           tiling: Optional[str] = None, fixed: FixedExtents = (),
           alignment: Union[int, Mapping[str, int]] = 1) -> Any:
    """Makes a kernel of a function. `grid` is how many blocks run, or a function of
    some of the kernel's arguments, by their names; `block` how many threads a
    block has, as many as the compiler chooses if none are given;
    `blocks_per_processor` for how many blocks a multiprocessor is to have room;
    `tiling` options of -tile-warp-tiling, "warps=2,4 stages=3", for what is compiled
    for a GPU.

    `fixed` names arrays whose extents the program has as numbers, or for each of
    them the dimensions, as in {"x": 1}: `x.shape[1]` is an int then, and of each
    extent there is a program. `alignment` is how many bytes the addresses of all
    arrays, or of each by its name, are promised to be a multiple of; a call with
    others is refused."""
    options = Options(block, blocks_per_processor, tiling, fixed, alignment)

    def make(function: Callable[..., Any]) -> Kernel:
        return Kernel(function, grid, options)

    return make if function is None else make(function)


def function(helper: Callable[Takes, Gives]) -> Callable[Takes, Gives]:
    """A function that kernels call, with `for`, `while`, `if` on values of the
    program. One without takes Python's ways."""
    check_function(helper)
    made: list[Callable[Takes, Gives]] = []

    @functools.wraps(helper)
    def call(*arguments: Takes.args, **rest: Takes.kwargs) -> Gives:
        if not made:
            made.append(rewrite(helper))
        return made[0](*arguments, **rest)

    return call
