# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The definition of a kernel: the function with its options, the binding of its
arguments, and the programs that it is traced to, with their compilation and loading.

There is one program for each combination of types of the positional arguments and
values of the keywords. Callers of kernels (kernel.py, jax_calls.py, tuning) use a
`Definition`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Optional, Union

from .. import library
from ..control_flow.rewrite import check_function, rewrite
from ..elements import Element, f64
from ..errors import ArgumentError, CompileError, Diagnostic, LaunchError, TileError
from ..inspection.choice import Choice
from ..inspection.estimate import Estimate, estimate
from ..inspection.specialization import Specialization
from ..ir import ArrayType, Attribute, Type, Value, quote
from ..tracing import captured
from ..tracing.calls import call_traced
from ..tracing.trace import Trace, describe
from ..tracing.values import Array, Scalar
from . import arguments, arrays, cache, entries, extents, runtime
from .arguments import Alignment, Fixed, FixedExtents, get_type
from .grids import Grid, check_grid
from .machines import Machine, get_emulator_arch
from .samples import check_sample

# The maximum number of programs that one kernel keeps. If there are more, the oldest
# ones are dropped, for example if a keyword is a new function in each call.
_MOST_PROGRAMS = 1024
# Loaded kernels that are never unloaded, since a CUDA graph may have been captured with
# them.
_kept: list[runtime.Loaded] = []


@dataclass(frozen=True)
class Options:
    """The options that @tile.kernel specifies for a kernel, except its grid."""

    block: Optional[int] = None
    blocks_per_processor: Optional[int] = None
    tiling: Optional[str] = None
    fixed: FixedExtents = ()
    alignment: Union[int, Mapping[str, int]] = 1


# ----------------------------------------------------------------------------
# Calls
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Key:
    """The types and constants that a program is traced for. The type of an argument
    that is None is None. A comparison of keys uses `compared` instead of the constants,
    since 1, 1.0 and True are equal in Python but give different programs."""

    types: tuple[Optional[Type], ...]
    constants: tuple[tuple[str, Any], ...] = field(compare=False)
    compared: tuple[Any, ...]


def _compare_by(constant: Any) -> Any:
    """Returns a value that is equal for two constants if and only if they have the same
    type and value."""
    if isinstance(constant, tuple):
        return type(constant), tuple(map(_compare_by, constant))
    if isinstance(constant, (float, complex)):
        return type(constant), repr(constant)  # distinguishes 0.0 and -0.0
    return type(constant), constant


@dataclass(frozen=True)
class Call:
    """The positional arguments of a call in order, with the names of their parameters.
    `described` has the arguments with a `Description` in place of each array. `choice` has
    the values that were chosen for keywords, if there are any."""

    names: Sequence[str]
    values: list[Any]
    described: list[Any]
    key: Key
    choice: Optional[Choice] = field(default=None, kw_only=True)

    # Whether the program's arguments are those of the call that are not None.
    is_own = True
    @property
    def kept(self) -> Sequence[Any]:
        """Objects other than the arguments that a prepared launch must keep."""
        return ()

    def find_slots(self, given: Sequence[Any]) -> Optional[Sequence[Optional[int]]]:
        """Returns, for each argument of a program with other arguments than the call, the
        index of the array in `given`, the call's positional arguments, that has its
        memory; None for one that is no array. Returns None if other memory is used."""
        raise NotImplementedError

    @property
    def by_name(self) -> dict[str, Any]:
        """Returns arguments and constants by the names of their parameters."""
        return dict(zip(self.names, self.values), **dict(self.key.constants))

    @property
    def passed(self) -> dict[str, Any]:
        """The arguments of the compiled kernel, in order, by the names of their
        parameters: `described` without arguments that are None."""
        return {name: value for name, value in zip(self.names, self.described)
                if value is not None}

    @property
    def first_array(self) -> Any:
        return next(filter(arrays.is_array, self.values), None)

    def check_values(self) -> None:
        """Raises an error if an argument is a type: a program can be traced for types,
        but not run on them."""
        for name, value in zip(self.names, self.values):
            if isinstance(value, (ArrayType, Element)):
                raise ArgumentError(f"expected an array or a number for {name!r} of a "
                                    f"call, got the type {value!r}")

    def find_device(self) -> Optional[int]:
        """Returns the ordinal of the GPU that all arrays are on, None for the host."""
        return find_device(self.names, self.described)

    def check_written(self, written: frozenset[int]) -> None:
        """Raises an error if a written array is read-only or overlaps another one: the
        compiler assumes that memory that is written through one array is not accessed
        through another array."""
        for index in written:
            name, array = self.names[index], self.described[index]
            if not array.is_writable:
                raise ArgumentError(
                    f"expected {name!r} to be writable, since the kernel writes "
                    "it, got a read-only array")
            for other, value in enumerate(self.described):
                if other != index and isinstance(value, arrays.Description) and \
                        arrays.share_memory(array, value):
                    raise ArgumentError(
                        f"expected {name!r}, which the kernel writes, to share no "
                        f"memory with {self.names[other]!r}, got arrays that do; "
                        "what is updated in place is one argument, read and "
                        "written")


def find_device(names: Sequence[str], described: Sequence[Any]) -> Optional[int]:
    """Returns the ordinal of the GPU that all arrays among some arguments are on, None
    for the host."""
    found = {name: value.device for name, value in zip(names, described)
             if isinstance(value, arrays.Description)}
    if len(set(found.values())) > 1:
        listed = ", ".join(
            f"{name!r} " + ("on the host" if device is None else f"on GPU {device}")
            for name, device in found.items())
        raise ArgumentError(f"expected arrays of one device, got {listed}")
    return next(iter(found.values()), None)


def find_arch(device: Optional[int]) -> str:
    """Returns the architecture of the GPU `device`, or, if it is None, the architecture
    of this thread's emulator."""
    if device is None:
        return get_emulator_arch()
    found: str = runtime.get_device(device).arch
    return found


# ----------------------------------------------------------------------------
# Programs
# ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Program:
    """A traced program of a kernel, the indices of the arguments that it writes, and
    the results of compilation so far. `guards` has the Python variables that the trace
    read, with their values; `file` and `line` are the location of the kernel's
    function, and `warnings` are shown by `tile.check`. If `is_function`, `name` is a
    function of the host that launches the kernels of the program. `kernel` is the kernel
    whose derivatives are those of the program, "" if there are several, and `parameters`
    are the names of its arguments. `custom` has the kernels that its author gives as its
    derivatives, by whether they are in forward mode. `derived` has the derivatives, by
    their requests."""

    name: str
    text: str
    tiling: Optional[str]
    arguments: dict[str, Type]
    constants: dict[str, Any]
    written: frozenset[int]
    guards: tuple[captured.Guard, ...]
    file: str
    line: int
    warnings: tuple[Diagnostic, ...]
    kernel: str
    parameters: frozenset[str]
    is_function: bool = False
    custom: Mapping[bool, "Definition"] = field(default_factory=dict)
    derived: dict[Any, Any] = field(default_factory=dict)
    _results: dict[Any, library.Result] = field(default_factory=dict)
    _loaded: dict[int, runtime.Loaded] = field(default_factory=dict)
    _specializations: dict[str, Specialization] = field(default_factory=dict)

    # If two threads make the same object at the same time, the first one is kept.

    def compile_for(self, machine: Machine) -> library.Result:
        """Returns the program compiled for a machine of the host."""
        if machine.key not in self._results:
            self._results.setdefault(machine.key, self.compile(
                machine=machine.kind, arch=machine.arch))
        return self._results[machine.key]

    def load(self, ordinal: int) -> runtime.Loaded:
        """Returns the program loaded into the memory of the GPU with this ordinal."""
        if ordinal not in self._loaded:
            device = runtime.get_device(ordinal)
            made = self.compile_binary(device.arch)
            loaded: runtime.Loaded = (
                device.load_function(made.cubin, made.metadata, self.name)
                if self.is_function else
                device.load(made.cubin, made.metadata, self.name))
            _kept.append(self._loaded.setdefault(ordinal, loaded))
        return self._loaded[ordinal]

    def specialize(self, arch: str) -> Specialization:
        """Returns a specialization to be inspected."""
        if arch not in self._specializations:
            self._specializations.setdefault(arch, Specialization(
                self.name, self.text, arch, self.arguments, self.constants,
                self.tiling))
        return self._specializations[arch]

    def compile_binary(self, arch: str) -> cache.Compiled:
        """Returns the program compiled for a GPU, from the cache on disk if it has
        it."""
        return cache.compile_kernel(self.text, arch, f"<{self.name}>", self.tiling)

    def estimate(self, arch: str, packed: list[library.Argument],
                 blocks: tuple[int, ...]) -> Estimate:
        """Estimates the time of a launch on a GPU of an architecture."""
        return estimate(self.text, name=self.name, arch=arch, tiling=self.tiling,
                        arguments=packed, blocks=blocks)

    def compile(self, **options: Any) -> library.Result:
        """Compiles by `library.compile_text`, with its options."""
        return library.compile_text(self.text, name=f"<{self.name}>", **options)


# ----------------------------------------------------------------------------
# Definitions
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Matched:
    """The arguments of a call in the order of the parameters, the same with a
    `Description` in place of each array, their types, and the values of the keywords."""

    values: list[Any]
    described: list[Any]
    types: tuple[Optional[Type], ...]
    constants: dict[str, Any]


class Definition:
    """A kernel's function, the grid and the options of its decorator, and the programs
    that it was traced to. `names` are the names of the positional parameters,
    `keywords` those of the keyword parameters. `custom` is as in `Program`."""

    # The declaration of a kernel's grid, for messages.
    declaration = "@tile.kernel(grid=...)"

    def __init__(self, function: Callable[..., Any], grid: Optional[Grid],
                 options: Options):
        check_function(function)
        self.name: str = function.__name__
        self.function, self.grid, self.options = function, grid, options
        self.signature = inspect.signature(function)
        self.names, self.keywords = self._sort_parameters()
        self._check()
        self._fixed = Fixed(options.fixed, self.names)
        self.alignment = Alignment(options.alignment, self.names)
        self._rewritten: Optional[Callable[..., Any]] = None
        self._programs: dict[Key, Program] = {}
        self._choices: dict[Any, tuple[Choice, tuple[captured.Guard, ...]]] = {}
        self.custom: Mapping[bool, Definition] = {}
        # The program of the last call, the architecture for which it ran, and the choice
        # of its keywords.
        self.last: Optional[tuple[Program, str, Optional[Choice]]] = None

    def _sort_parameters(self) -> tuple[list[str], list[str]]:
        """Returns the names of arguments and those of constants."""
        parameters = self.signature.parameters.values()
        return ([p.name for p in parameters if p.kind != p.KEYWORD_ONLY],
                [p.name for p in parameters if p.kind == p.KEYWORD_ONLY])

    def _check(self) -> None:
        if inspect.isgeneratorfunction(self.function):
            raise ArgumentError(f"expected a kernel without 'yield', got "
                                f"{self.name!r} with it")
        _check_counts(block=self.options.block,
                      blocks_per_processor=self.options.blocks_per_processor)
        if self.grid is not None:
            check_grid(self.grid)
        for parameter in self.signature.parameters.values():
            if parameter.kind in (parameter.VAR_POSITIONAL,
                                  parameter.VAR_KEYWORD):
                raise ArgumentError(f"expected parameters with names of the kernel "
                                    f"{self.name!r}, got {parameter}")

    @property
    def file(self) -> str:
        return self.function.__code__.co_filename

    # ------------------------------------------------------------------------
    # Calls
    # ------------------------------------------------------------------------

    def bind(self, given: Sequence[Any], constants: Mapping[str, Any],
             arch: Optional[str] = None) -> Call:
        """Binds arguments, which are arrays, scalars or types, to the parameters.
        Values for keywords that are `tile.auto` are chosen for an architecture, by
        default the one that the call would run on."""
        matched = self._match(given, constants)
        choice = self._choose(matched, arch)
        fixed = {**matched.constants, **(choice.values if choice else {})}
        return Call(self.names, matched.values, matched.described,
                    self.make_key(matched.types, fixed), choice=choice)

    def _match(self, given: Sequence[Any], constants: Mapping[str, Any]) -> _Matched:
        try:
            bound = self.signature.bind(*given, **constants)
        except TypeError as error:
            is_grid = "grid" in constants and "grid" not in self.signature.parameters
            advice = f"; {self.name}[blocks](...) takes a grid" if is_grid else ""
            raise ArgumentError(f"{self.name}{self.signature}: {error}{advice}"
                                ) from None
        bound.apply_defaults()
        values = [bound.arguments[name] for name in self.names]
        described = list(map(arguments.describe, self.names, values))
        types = tuple(self._fixed.apply(name, value, get_type(name, value))
                      for name, value in zip(self.names, described))
        return _Matched(values, described, types,
                        {name: bound.arguments[name] for name in self.keywords})

    def find_choice(self, given: Sequence[Any], constants: Mapping[str, Any],
                    arch: Optional[str]) -> Optional[Choice]:
        """Returns the choice of a call for the keywords that are `tile.auto`; None if
        none is."""
        return self._choose(self._match(given, constants), arch)

    def _choose(self, matched: _Matched, arch: Optional[str]) -> Optional[Choice]:
        problem = self._make_problem(matched, arch)
        if problem is None:
            return None
        key = problem.key
        found = self._choices.get(key)
        if found is None or not captured.is_current(found[1]):
            choice = extents.choose(problem)
            found = self._choices[key] = (
                choice, problem.get_program(choice.values).guards +
                captured.capture(self.grid))
            for old in list(self._choices)[:-_MOST_PROGRAMS]:
                self._choices.pop(old, None)
        return found[0]

    def _make_problem(self, matched: _Matched, arch: Optional[str]
                      ) -> Optional[extents.Problem]:
        """Returns the choice that is to be made; None if no keyword is `tile.auto`."""
        if not any(value is extents.auto for value in matched.constants.values()):
            return None
        return extents.Problem(
            self, matched.values, matched.described, matched.types, matched.constants,
            arch or find_arch(find_device(self.names, matched.described)))

    def check_grid(self, given: Optional[Grid], constants: Mapping[str, Any]) -> None:
        """Raises an error for a grid that a call gives, if keywords are `tile.auto`: it
        would not follow from the values that are chosen."""
        parameters = self.signature.parameters
        for name in self.keywords if given is not None else ():
            if constants.get(name, parameters[name].default) is extents.auto:
                raise LaunchError(
                    f"expected a call of {self.name!r} without a grid, since the kernel's "
                    f"own follows from {name}=tile.auto, got {describe(given)}")

    def make_key(self, types: tuple[Optional[Type], ...], constants: Mapping[str, Any]
                 ) -> Key:
        """Returns the key of a program for types of the arguments and values of the
        keywords, by default those of the kernel."""
        parameters = self.signature.parameters
        fixed = {name: constants.get(name, parameters[name].default)
                 for name in self.keywords}
        key = Key(types, tuple(fixed.items()), tuple(map(_compare_by, fixed.values())))
        try:
            hash(key)
        except TypeError as error:
            raise ArgumentError(f"expected constants that can be hashed, got "
                                f"{describe(fixed)}: {error}") from None
        return key

    def check_parameters(self, call: Call, what: str) -> None:
        """Raises an error if the program's arguments are not those of the call, which
        `what` needs. A traced program takes them."""

    def get_grid(self, given: Optional[Grid], ways: str = "") -> Grid:
        """Returns the grid `given`, or else the kernel's own. `ways` describes in the
        error message how a grid can be given."""
        grid = self.grid if given is None else given
        if grid is None:
            raise LaunchError(f"expected a grid of the kernel {self.name!r}, as "
                              f"{ways or self.name + '[blocks](...)'} or "
                              f"{self.declaration}, got none")
        return grid

    def get_last(self) -> Specialization:
        """Returns the specialization that the last call ran, or would have run on a
        GPU."""
        if self.last is None:
            raise TileError(f"expected a call of the kernel {self.name!r} "
                            f"before, or {self.name}.specialize(...) with "
                            "arguments, got neither")
        program, arch, choice = self.last
        return program.specialize(arch).with_choice(choice)

    def set_custom(self, is_forward: bool, derivative: "Definition") -> None:
        """Gives the kernel a custom derivative. Programs that were traced before do not
        have it."""
        self.custom = {**self.custom, is_forward: derivative}
        self._choices.clear()
        self._programs.clear()

    def with_options(self, **options: Any) -> "Definition":
        """Returns the same function, with other options of the decorator."""
        return Definition(self.function, self.grid, replace(self.options, **options))

    # ------------------------------------------------------------------------
    # Programs
    # ------------------------------------------------------------------------

    def find_program(self, given: Sequence[Any], constants: Mapping[str, Any],
                     arch: Optional[str] = None,
                     samples: Optional[Sequence[Sequence[Any]]] = None
                     ) -> tuple[Program, Optional[Choice]]:
        """Returns the program of arguments, which may be types, and the choice for
        keywords that are `tile.auto`. With such a keyword and a type the program has
        entries (entries.py), chosen for calls with the arguments `samples` if they are
        given."""
        problem = self._make_problem(self._match(given, constants), arch)
        if problem is not None and problem.has_types:
            calls = None if samples is None else [
                self._match_sample(problem, index, sample, constants)
                for index, sample in enumerate(samples)]
            return entries.get_program(problem, calls), None
        if samples is not None:
            raise ArgumentError("expected 'samples' only if a keyword is tile.auto and an "
                                "argument is a type")
        call = self.bind(given, constants, arch)
        return self.get_program(call.key), call.choice

    def _match_sample(self, problem: extents.Problem, index: int, sample: Sequence[Any],
                      constants: Mapping[str, Any]) -> extents.Problem:
        if not isinstance(sample, (tuple, list)):
            raise ArgumentError(f"expected a tuple of positional arguments as sample {index}, "
                                f"got {describe(sample)}")
        matched = self._match(sample, constants)
        call = replace(problem, given=matched.values, described=matched.described,
                       types=matched.types)
        check_sample(problem, call, index)
        return replace(call, types=problem.types)

    def specialize(self, given: Sequence[Any], constants: Mapping[str, Any],
                   arch: Optional[str], samples: Optional[Sequence[Sequence[Any]]]
                   ) -> Specialization:
        """Returns the specialization for arguments, which may be types. The default of
        `arch` is the architecture that a call would run on."""
        if arch is None:
            described = self._match(given, constants).described
            arch = find_arch(find_device(self.names, described))
        program, choice = self.find_program(given, constants, arch, samples)
        return program.specialize(arch).with_choice(choice)

    def get_program(self, key: Key) -> Program:
        """Returns the program of a key. The function is traced if there is no program,
        or if a Python variable that the trace read has changed since."""
        program = self._programs.get(key)
        if program is None or not captured.is_current(program.guards):
            program = self._programs[key] = self._trace(key)
            for old in list(self._programs)[:-_MOST_PROGRAMS]:
                self._programs.pop(old, None)
        return program

    def _trace(self, key: Key) -> Program:
        with self.make_trace() as trace:
            written = self.trace_kernel(trace, self.name, key)
            trace.end()
        return self.make_program(trace, key, written, kernel=self.name)

    def make_trace(self) -> Trace:
        """Returns a trace for `trace_kernel`. Operations that belong to no line of the
        function have the location of its definition."""
        line = self.function.__code__.co_firstlineno
        return Trace(f"{quote(self.file)}:{line}:1", self.options.block)

    def trace_kernel(self, trace: Trace, name: str, key: Key) -> set[str]:
        """Traces the function as a kernel with this name, and returns the names of the
        parameters that it writes."""
        if self._rewritten is None:
            self._rewritten = rewrite(self.function, gives_nothing=True)
        types = _list_types(self.names, key)
        with trace.builder.kernel(
                name, list(types.values()), names=list(types),
                block=self.options.block, attributes=self._make_attributes(),
                argument_attributes=list(map(
                    self.alignment.make_attributes, types, types.values()))
                ) as values:
            of_program = dict(zip(types, values))
            found = call_traced(self._rewritten,
                                *(_wrap(of_program.get(name)) for name in self.names),
                                **dict(key.constants))
        self._check_result(found)
        return {name for name, value in of_program.items() if value.name in trace.written}

    def make_program(self, trace: Trace, key: Key, written: set[str], *, kernel: str
                     ) -> Program:
        """Makes the program of a trace that has ended. `kernel` is the kernel whose
        derivatives are the program's; "" if the program is a function of the host that
        launches several."""
        types = _list_types(self.names, key)
        constants = dict(key.constants)
        return Program(
            self.name, trace.builder.text(), self.options.tiling, types, constants,
            frozenset(index for index, name in enumerate(self.names) if name in written),
            captured.capture(self.function, constants),
            self.file, self.function.__code__.co_firstlineno,
            _list_warnings(trace, list(types.values())), kernel, frozenset(types),
            is_function=not kernel, custom=self.custom)

    def _check_result(self, found: Any) -> None:
        if found is not None:
            raise CompileError([Diagnostic(
                "error",
                f"expected a kernel to return nothing, got {describe(found)}",
                self.file, self.function.__code__.co_firstlineno, 1)])

    def _make_attributes(self) -> dict[str, Attribute]:
        room = self.options.blocks_per_processor
        attributes = {} if room is None else {
            "tile.blocks_per_processor": Attribute(f"{room} : i64")}
        for is_forward, derivative in self.custom.items():
            word = "tangent" if is_forward else "adjoint"
            attributes[f"tile.custom_{word}"] = Attribute(f"@{quote(derivative.name)}")
        return attributes


def _list_types(names: Sequence[str], key: Key) -> dict[str, Type]:
    """Returns the types of the arguments that a program of a key has, by their names."""
    return {name: type for name, type in zip(names, key.types) if type is not None}


def _wrap(value: Optional[Value]) -> Union[Array, Scalar, None]:
    """Returns an argument of the program as the kernel's function takes it: as an
    `Array` or a `Scalar`, or None for an argument that is None."""
    if value is None:
        return None
    return Array(value) if isinstance(value.type, ArrayType) else Scalar(value)


def _list_warnings(trace: Trace, types: Sequence[Type]) -> tuple[Diagnostic, ...]:
    """Returns the warnings of a trace of a kernel with arguments of these types."""
    has_f64 = any(isinstance(type, ArrayType) and type.element.part == f64
                  for type in types)
    first = trace.builder.first_f64
    return (*trace.warnings, *([first] if first and not has_f64 else []))


def _check_counts(**counts: Any) -> None:
    for name, count in counts.items():
        if count is not None and (isinstance(count, bool) or
                                  not isinstance(count, int) or count < 1):
            raise ArgumentError(f"expected a positive integer for {name!r}, got "
                                f"{describe(count)}")
