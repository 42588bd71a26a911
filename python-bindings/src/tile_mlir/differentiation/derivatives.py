# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of kernels, which are called as the kernel is.

    @tile.kernel(grid=lambda x, n: tile.cdiv(x.size, n))
    def square(x, y, *, n=1024):
        first = tile.program_id(0) * n
        t = tile.load(x, first, n)
        tile.store(y, first, t * t)

    dx = tile.vjp(square)(x, dy)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Optional, Union

from .. import library
from ..errors import ArgumentError, TileError, hides_own_lines
from ..inspection.specialization import Inspectable, Specialization
from ..ir import ArrayType
from ..launching import fakes
from ..launching.extension import Launcher
from ..launching.grids import Grid, check_grid, get_blocks
from ..launching.kernel import Kernel
from ..launching.launches import MOST_GRIDS
from ..launching.programs import Program
from ..launching.work import bind_work
from ..tracing.trace import describe
from ..tuning.tuned import Tuned
from . import calls
from .calls import Bound
from .derived import Request
from .memory import fill, prepare_new
from .names import SUFFIXES
from .planned import Planned, Slotted

# The parameters to differentiate by, or to differentiate.
Names = Union[str, Sequence[str], None]


class Derivative(Launcher, Inspectable):
    """A derivative of a kernel. It is called with the kernel's own arguments, and with
    a grid, `derivative[blocks](...)`, if the kernel does not declare one."""

    # The keywords of a call that are not the kernel's.
    _own_keywords: tuple[str, ...] = ()
    _is_forward = False
    # Whether the derivative stores the outputs of the kernel.
    _stores_outputs = False
    _word = ""

    def __init__(self, kernel: Kernel, wrt: Names = None, outputs: Names = None,
                 atomics: bool = False, tiling: Optional[str] = None,
                 segments: bool = False, saved: Names = None):
        self._given = kernel, wrt, outputs, atomics, tiling, segments, saved
        _check_kernel(kernel, self._own_keywords)
        super().__init__(self._call)
        names = kernel.definition.names
        self.kernel = kernel
        self._request = Request(
            self._is_forward, _read_names("wrt", wrt, names, kernel),
            _read_names("outputs", outputs, names, kernel), bool(atomics), tiling,
            bool(segments), saved=_read_names("saved", saved, names, kernel) or (),
            values=self._stores_outputs)
        self._last: Optional[tuple[Program, str]] = None
        self._launchers: dict[Any, Launcher] = {}

    # ------------------------------------------------------------------------
    # Calls
    # ------------------------------------------------------------------------

    @hides_own_lines
    def _call(self, *arguments: Any, **constants: Any) -> Any:
        """Runs a call that no plan matches."""
        return self.run(self, None, arguments, constants)

    def __getitem__(self, grid: Grid) -> Callable[..., Any]:
        """Returns the derivative with the grid of the kernel."""
        if not isinstance(grid, (int, tuple)):
            check_grid(grid)
            return _OnGrid(self, grid)
        found = self._launchers.get(grid)
        if found is None:
            check_grid(grid)
            found = _OnGrid(self, grid)
            if len(self._launchers) >= MOST_GRIDS:
                self._launchers.clear()
            self._launchers[grid] = found
        return found

    def run(self, launcher: Any, grid: Optional[Grid], arguments: tuple[Any, ...],
            constants: dict[str, Any]) -> Any:
        """Runs a call, and adds a plan for later equal calls to `launcher`."""
        raise NotImplementedError

    def _plan(self, launcher: Any, grid: Optional[Grid], arguments: tuple[Any, ...],
              constants: dict[str, Any]) -> Planned:
        found = self.kernel.definition.get_grid(grid, f"{self!r}[blocks](...)")
        return Planned(launcher, self.kernel.definition, found, arguments, constants)

    def bind(self, arguments: Sequence[Any], constants: Mapping[str, Any],
             accumulates: bool = False) -> Bound:
        """Binds a call; for other modules of this package."""
        request = replace(self._request, accumulates=accumulates)
        return calls.bind(self.kernel.definition, request, arguments, constants)

    def _bind_values(self, arguments: tuple[Any, ...], constants: dict[str, Any],
                     accumulates: bool = False) -> Bound:
        """Binds a call that runs, which must have no types as arguments."""
        bound = self.bind(arguments, constants, accumulates)
        bound.call.check_values()
        return bound

    def _launch(self, planned: Planned, bound: Bound, grid: Optional[Grid],
                seeds: dict[str, Slotted], results: dict[str, Slotted],
                saved: Mapping[str, Slotted] = MappingProxyType({})) -> None:
        """Launches the derivative, unless the call has fake tensors. `seeds` are the
        tangents or cotangents that are not arguments of the call, `results` the arrays
        to write, and `saved` outputs, by the names of the kernel's parameters."""
        if bound.is_fake:
            planned.refuse()
            return
        self._last = bound.derived.program, calls.find_call_arch(bound.call)
        arguments = bound.call.by_name
        own = planned.take_own(arguments)
        blocks = get_blocks(self.kernel.definition.get_grid(grid), arguments)
        planned.run(*calls.assemble(bound.derived, own, {**own, **seeds}, results,
                                    blocks, saved))

    def _make_results(self, planned: Planned, bound: Bound, names: Sequence[str]
                      ) -> dict[str, Slotted]:
        """Returns new arrays for the results that belong to parameters."""
        alignment = self.kernel.definition.alignment
        likes = {name: bound.call.by_name[name] for name in names}
        return {name: planned.make(calls.prepare_result(
            bound.derived, name, like, alignment.get(name)), like)
            for name, like in likes.items()}

    # ------------------------------------------------------------------------
    # Programs
    # ------------------------------------------------------------------------

    @hides_own_lines
    def trace(self, *arguments: Any, **constants: Any) -> str:
        """Returns the program of the derivative as MLIR text, before any phase. The
        arguments are those of the kernel: arrays, or types of arrays
        (`ir.ArrayType`)."""
        return self.bind(arguments, constants).derived.program.text

    @hides_own_lines
    def compile(self, *arguments: Any, arch: str = "sm_90a",
                outputs: tuple[str, ...] = ("ptx", "cubin", "metadata", "report"),
                **constants: Any) -> dict[str, bytes]:
        """Compiles the derivative for a GPU, and returns the `outputs` by their names.
        The metadata names the arguments that the derivative needs."""
        program = self.bind(arguments, constants).derived.program
        result = program.compile(machine=library.CUDA, arch=arch, outputs=outputs,
                                 tiling=program.tiling)
        return {output: result.get(output) for output in outputs}

    @hides_own_lines
    def specialize(self, *arguments: Any, arch: Optional[str] = None,
                   **constants: Any) -> Specialization:
        """Returns the result of compiling the derivative for arguments of the kernel,
        as `kernel.specialize` does."""
        bound = self.bind(arguments, constants)
        return bound.derived.program.specialize(
            calls.find_call_arch(bound.call) if arch is None else arch)

    def _get_specialization(self) -> Specialization:
        if self._last is None:
            raise TileError(f"expected a call of {self!r} before, or its "
                            ".specialize(...) with arguments, got neither")
        program, arch = self._last
        return program.specialize(arch)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._given

    def __repr__(self) -> str:
        return f"tile.{self._word}({self.kernel.__name__})"


class _OnGrid(Launcher):
    """A derivative with a grid of the kernel."""

    def __init__(self, derivative: Derivative, grid: Grid):
        super().__init__(self._call)
        self._derivative, self._grid = derivative, grid

    @hides_own_lines
    def _call(self, *arguments: Any, **constants: Any) -> Any:
        """Runs a call that no plan matches."""
        return self._derivative.run(self, self._grid, arguments, constants)

    def __reduce__(self) -> tuple[Any, ...]:
        return operator.getitem, (self._derivative, self._grid)


class _Reverse(Derivative):
    """A derivative that gives gradients."""

    _own_keywords = "gradients", "accumulate", "saved"

    def run(self, launcher: Any, grid: Optional[Grid], arguments: tuple[Any, ...],
            constants: dict[str, Any]) -> Any:
        own = {name: value for name, value in constants.items()
               if name not in self._own_keywords}
        given = constants.get("gradients")
        accumulates = bool(constants.get("accumulate", False))
        bound = self._bind_values(arguments, own, accumulates)
        planned = self._plan(launcher, grid, arguments, constants)
        bound, saved = self._take_saved(planned, bound, constants.get("saved"))
        if given is None:
            if accumulates:
                raise ArgumentError("expected gradients=... to accumulate, got none")
            made = self._make_results(planned, bound, bound.derived.inputs)
            self._run_kernel(planned, bound, grid, arguments, own)
            self._launch(planned, bound, grid, self._make_seeds(planned, bound), made,
                         saved)
        else:
            made = planned.take_arrays("gradients", calls.take_arrays(
                "gradients", bound.derived.inputs, given, bound.call))
            self._run_kernel(planned, bound, grid, arguments, own)
            self._write(planned, bound, grid, made, saved)
        return planned.finish(self._join(bound, planned, _join(
            made, self._request.wrt, self._given[1])))

    def _take_saved(self, planned: Planned, bound: Bound, given: Any
                    ) -> tuple[Bound, dict[str, Slotted]]:
        """Returns the call with the types of the saved outputs, and these."""
        names = self._request.saved
        if given is None and not names:
            return bound, {}
        if given is None:
            raise ArgumentError(f"expected saved=... of a call of {self!r}, the outputs "
                                f"{', '.join(map(repr, names))}, got none")
        if not names:
            raise ArgumentError(f"expected no saved=... of a call of {self!r}, which "
                                "names no saved outputs, got one")
        arrays = calls.take_arrays("saved outputs", names, given, bound.call)
        planned.refuse()  # A plan has the arrays of one keyword.
        return bound.match(arrays), {name: Slotted(array, None)
                                     for name, array in arrays.items()}

    def _write(self, planned: Planned, bound: Bound, grid: Optional[Grid],
               given: dict[str, Slotted], saved: dict[str, Slotted]) -> None:
        """Writes the gradients to the given arrays, or adds them."""
        arrays = {name: one.array for name, one in given.items()}
        bound = bound.match(arrays)
        if bound.request.accumulates:
            calls.check_writable("gradients", arrays)
            self._launch(planned, bound, grid, self._make_seeds(planned, bound), given,
                         saved)
            return
        for name, array in arrays.items():
            if not bound.derived.overwrites(name):
                planned.refuse()
                fill(array, 0)
        self._launch(planned, bound, grid, self._make_seeds(planned, bound), given, saved)

    def _make_seeds(self, planned: Planned, bound: Bound) -> dict[str, Slotted]:
        """Returns the cotangents that are not among the arguments of the call."""
        return {}

    def _run_kernel(self, planned: Planned, bound: Bound, grid: Optional[Grid],
                    arguments: tuple[Any, ...], constants: dict[str, Any]) -> None:
        """Runs the kernel, if the call has its outputs as results."""

    def _join(self, bound: Bound, planned: Planned, gradients: Any) -> Any:
        """Returns the result of a call."""
        return gradients


class Vjp(_Reverse):
    """The transposed Jacobian of a kernel, applied to cotangents."""

    _word = "vjp"


class Grad(_Reverse):
    """The gradient of the sum of a kernel's outputs."""

    _word = "grad"

    def _make_seeds(self, planned: Planned, bound: Bound) -> dict[str, Slotted]:
        alignment = self.kernel.definition.alignment
        likes = {name: bound.call.by_name[name] for name in bound.derived.outputs}
        return {name: planned.make(prepare_new(like, 1, alignment.get(name)), like)
                for name, like in likes.items()}


class ValueAndGrad(Grad):
    """The outputs of a kernel, and the gradient of their sum."""

    _word = "value_and_grad"
    _stores_outputs = True

    def _run_kernel(self, planned: Planned, bound: Bound, grid: Optional[Grid],
                    arguments: tuple[Any, ...], constants: dict[str, Any]) -> None:
        definition = self.kernel.definition
        if fakes.skips(definition, grid, arguments, constants) or \
                bound.derived.request.values:
            return
        work = bind_work(definition, grid, arguments, constants)
        own = planned.take_own(bound.call.by_name)
        planned.run(work, [own[name].slot if isinstance(type, ArrayType) else None
                           for name, type in zip(bound.call.names, bound.call.key.types)
                           if type is not None])

    def _join(self, bound: Bound, planned: Planned, gradients: Any) -> Any:
        own = planned.take_own(bound.call.by_name)
        values = {name: own[name] for name in bound.derived.outputs}
        return _join(values, self._request.outputs, self._given[2]), gradients


class Jvp(Derivative):
    """The Jacobian of a kernel, applied to tangents."""

    _own_keywords = "tangents",
    _is_forward = True
    _word = "jvp"

    def run(self, launcher: Any, grid: Optional[Grid], arguments: tuple[Any, ...],
            constants: dict[str, Any]) -> Any:
        if "tangents" not in constants:
            raise ArgumentError(f"expected tangents=... of a call of {self!r}, got none")
        own = {name: value for name, value in constants.items() if name != "tangents"}
        bound = self._bind_values(arguments, own)
        planned = self._plan(launcher, grid, arguments, constants)
        given = calls.take_arrays("tangents", bound.derived.inputs,
                                  constants["tangents"], bound.call)
        tangents = planned.take_arrays("tangents", given)
        made = self._make_results(planned, bound, bound.derived.outputs)
        self._launch(planned, bound.match(given), grid, tangents, made)
        return planned.finish(_join(made, self._request.outputs, self._given[2]))


def _join(arrays: dict[str, Slotted], requested: Optional[tuple[str, ...]],
          given: Names) -> Any:
    """Returns one array if one name was given, or if one was found by default, and else
    a tuple in the order of the request."""
    names = list(arrays) if requested is None else requested
    if isinstance(given, str) or given is None and len(names) == 1:
        return arrays[names[0]]
    return tuple(arrays[name] for name in names)


# ----------------------------------------------------------------------------
# Checks
# ----------------------------------------------------------------------------


def _check_kernel(kernel: Any, own_keywords: Sequence[str]) -> None:
    if isinstance(kernel, Tuned):
        raise ArgumentError(f"expected a kernel, as `.kernel` of a tuned one, got "
                            f"{kernel!r}")
    if not isinstance(kernel, Kernel):
        raise ArgumentError(f"expected a kernel, got {describe(kernel)}")
    for name in kernel.definition.signature.parameters:
        if name in own_keywords:
            raise ArgumentError(f"expected parameters of {kernel.__name__!r} of other "
                                f"names than the derivative's keyword {name!r}")
        if name.endswith(SUFFIXES):
            raise ArgumentError(f"expected parameters of {kernel.__name__!r} that do "
                                f"not end in {', '.join(SUFFIXES)}, got {name!r}")


def _read_names(what: str, given: Any, known: Sequence[str], kernel: Kernel
                ) -> Optional[tuple[str, ...]]:
    if given is None:
        return None
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, (tuple, list)) or not names:
        raise ArgumentError(f"expected names of parameters of {kernel.__name__!r} as "
                            f"{what}, got {describe(given)}")
    for index, name in enumerate(names):
        if name not in known:
            raise ArgumentError(
                f"expected names of parameters of {kernel.__name__!r} as {what}, of "
                f"{', '.join(map(repr, known))}, got {describe(name)}")
        if name in names[:index]:
            raise ArgumentError(f"expected different names as {what}, got {name!r} "
                                "twice")
    return tuple(names)


# ----------------------------------------------------------------------------
# Functions
# ----------------------------------------------------------------------------


@hides_own_lines
def vjp(kernel: Kernel, wrt: Names = None, outputs: Names = None, *,
        atomics: bool = False, tiling: Optional[str] = None, segments: bool = False,
        saved: Names = None) -> Vjp:
    """Returns the function that gives the gradients of a kernel: of the sum of its
    outputs, each multiplied by its cotangent.

    It is called with the kernel's own arguments, but takes the cotangent of each
    differentiated output instead of the output. It allocates the gradients, with the
    library of the kernel's arguments, and returns them. No argument is written.
    `function(..., gradients=arrays)` writes them to arrays, and with `accumulate=True`
    adds them; the arrays are given as they would be returned, or by their names.

    `wrt` and `outputs` name the parameters to differentiate by, and to differentiate: a
    name, for which one array is returned, or a sequence, for which it is a tuple in the
    same order. By default these are all arrays of floating-point or complex elements
    that the kernel only reads and that an output depends on, and all that it only
    writes; then one array is returned if there is one, and else a tuple. With `atomics`
    gradients of elements that several programs load are added by atomic operations, so
    that their last bits differ from run to run. With `segments` a loop of N iterations
    whose values are needed keeps those of about sqrt(N) of them, and computes the
    others again. `tiling` has options of -tile-warp-tiling for a GPU.

    `saved` names outputs that the function gets as the kernel has written them,
    `function(..., saved=arrays)`, so that it loads results of matmuls, reductions or
    factorisations instead of computing them again. The arrays are given like gradients.
    Their elements count as rounded, as they are. With other elements than those that
    the kernel writes for the arguments of the call the gradients are wrong.

    Raises an `ArgumentError` for a wrong call, and a `CompileError` at the operation
    without a derivative."""
    return Vjp(kernel, wrt, outputs, atomics, tiling, segments, saved)


@hides_own_lines
def jvp(kernel: Kernel, wrt: Names = None, outputs: Names = None, *,
        tiling: Optional[str] = None) -> Jvp:
    """Returns the function that gives the tangents of a kernel's outputs, the
    derivatives in the direction of the tangents of its inputs.

    It is called with the kernel's own arguments and with `tangents=`, an array for
    each input: one array, a sequence in the order of `wrt`, or a mapping from names to
    arrays. It allocates the tangents of the outputs and returns them. No argument is
    written; the outputs are given for their sizes and types. `wrt` and `outputs` are as
    for `vjp`."""
    return Jvp(kernel, wrt, outputs, False, tiling)


@hides_own_lines
def grad(kernel: Kernel, wrt: Names = None, outputs: Names = None, *,
         atomics: bool = False, tiling: Optional[str] = None, segments: bool = False
         ) -> Grad:
    """Returns the function that gives the gradients of the sum of a kernel's outputs.
    It is called as the kernel, and does as `vjp` with cotangents of ones. The outputs
    are given for their sizes and types, and are not written."""
    return Grad(kernel, wrt, outputs, atomics, tiling, segments)


@hides_own_lines
def value_and_grad(kernel: Kernel, wrt: Names = None, outputs: Names = None, *,
                   atomics: bool = False, tiling: Optional[str] = None,
                   segments: bool = False) -> ValueAndGrad:
    """Returns the function that gives a kernel's outputs and the gradients of their
    sum, as `grad` gives them. The outputs are written to the arguments of the call. One
    program computes both, so that outputs may differ from those of the kernel by
    rounding; if the kernel has a custom derivative, it runs before this."""
    return ValueAndGrad(kernel, wrt, outputs, atomics, tiling, segments)
