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

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Union

from .. import library
from ..errors import ArgumentError, TileError, hides_own_lines
from ..inspection.specialization import Inspectable, Specialization
from ..launching.grids import Grid, check_grid
from ..launching.kernel import Kernel
from ..launching.programs import Program
from ..launching.work import Work
from ..tracing.trace import describe
from ..tuning.tuned import Tuned
from . import calls
from .calls import Bound
from .derived import Request
from .memory import add, fill, make_filled
from .names import SUFFIXES

# The parameters to differentiate by, or to differentiate.
Names = Union[str, Sequence[str], None]


class Derivative(Inspectable):
    """A derivative of a kernel. It is called with the kernel's own arguments, and with
    a grid, `derivative[blocks](...)`, if the kernel does not declare one."""

    # The keywords of a call that are not the kernel's.
    _own_keywords: tuple[str, ...] = ()
    _is_forward = False
    _word = ""

    def __init__(self, kernel: Kernel, wrt: Names = None, outputs: Names = None,
                 atomics: bool = False, tiling: Optional[str] = None,
                 segments: bool = False):
        self._given = kernel, wrt, outputs, atomics, tiling, segments
        _check_kernel(kernel, self._own_keywords)
        names = kernel.definition.names
        self.kernel = kernel
        self._request = Request(
            self._is_forward, _read_names("wrt", wrt, names, kernel),
            _read_names("outputs", outputs, names, kernel), bool(atomics), tiling,
            bool(segments))
        self._last: Optional[tuple[Program, str]] = None

    # ------------------------------------------------------------------------
    # Calls
    # ------------------------------------------------------------------------

    @hides_own_lines
    def __call__(self, *arguments: Any, **constants: Any) -> Any:
        return self._call(None, arguments, constants)

    def __getitem__(self, grid: Grid) -> Callable[..., Any]:
        """Returns the derivative with the grid of the kernel."""
        check_grid(grid)

        @hides_own_lines
        def call(*arguments: Any, **constants: Any) -> Any:
            return self._call(grid, arguments, constants)

        return call

    def _call(self, grid: Optional[Grid], arguments: tuple[Any, ...],
              constants: dict[str, Any]) -> Any:
        raise NotImplementedError

    def bind(self, arguments: Sequence[Any], constants: Mapping[str, Any]) -> Bound:
        """Binds a call; for other modules of this package."""
        return calls.bind(self.kernel.definition, self._request, arguments, constants)

    def _bind_values(self, arguments: tuple[Any, ...], constants: dict[str, Any]
                     ) -> Bound:
        """Binds a call that runs, which must have no types as arguments."""
        bound = self.bind(arguments, constants)
        bound.call.check_values()
        return bound

    def _make_work(self, bound: Bound, grid: Optional[Grid], seeds: dict[str, Any],
                   results: dict[str, Any]) -> Optional[Work]:
        found = self.kernel.definition.get_grid(grid, f"{self!r}[blocks](...)")
        if not bound.is_fake:
            self._last = bound.derived.program, calls.find_call_arch(bound.call)
        return calls.make_work(bound, found, seeds, results)

    def _make_results(self, bound: Bound, names: Sequence[str]) -> dict[str, Any]:
        """Returns new arrays for the results that belong to parameters."""
        alignment = self.kernel.definition.alignment
        return {name: calls.make_result(bound.derived, name, bound.call.by_name[name],
                                        alignment.get(name)) for name in names}

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


class _Reverse(Derivative):
    """A derivative that gives gradients."""

    _own_keywords = "gradients", "accumulate"

    def _call(self, grid: Optional[Grid], arguments: tuple[Any, ...],
              constants: dict[str, Any]) -> Any:
        given = constants.pop("gradients", None)
        accumulates = bool(constants.pop("accumulate", False))
        bound = self._bind_values(arguments, constants)
        if given is None:
            if accumulates:
                raise ArgumentError("expected gradients=... to accumulate, got none")
            made = self._make_results(bound, bound.derived.inputs)
            calls.run(self._make_work(bound, grid, self._get_cotangents(bound), made))
        else:
            made = calls.take_arrays("gradients", bound.derived.inputs, given,
                                     bound.call)
            self._write(bound, grid, made, accumulates)
        return _join(made, self._request.wrt, self._given[1])

    def _write(self, bound: Bound, grid: Optional[Grid], given: dict[str, Any],
               accumulates: bool) -> None:
        """Writes the gradients to the given arrays, or adds them."""
        if accumulates:
            calls.check_writable("gradients", given)
            new = self._make_results(bound, list(given))
            calls.run(self._make_work(bound, grid, self._get_cotangents(bound), new))
            for name, array in given.items():
                add(array, new[name])
            return
        bound = bound.match(given)
        work = self._make_work(bound, grid, self._get_cotangents(bound), given)
        for name, array in given.items():
            if not bound.derived.overwrites(name):
                fill(array, 0)
        calls.run(work)

    def _get_cotangents(self, bound: Bound) -> dict[str, Any]:
        """Returns the cotangents that are not among the arguments of the call."""
        return {}


class Vjp(_Reverse):
    """The transposed Jacobian of a kernel, applied to cotangents."""

    _word = "vjp"


class Grad(_Reverse):
    """The gradient of the sum of a kernel's outputs."""

    _word = "grad"

    def _get_cotangents(self, bound: Bound) -> dict[str, Any]:
        alignment = self.kernel.definition.alignment
        return {name: make_filled(bound.call.by_name[name], 1, alignment.get(name))
                for name in bound.derived.outputs}


class ValueAndGrad(Grad):
    """A run of a kernel, followed by the gradient of the sum of its outputs."""

    _word = "value_and_grad"

    def _call(self, grid: Optional[Grid], arguments: tuple[Any, ...],
              constants: dict[str, Any]) -> Any:
        own = {name: value for name, value in constants.items()
               if name not in self._own_keywords}
        bound = self._bind_values(arguments, own)
        self.kernel.definition.get_grid(grid, f"{self!r}[blocks](...)")
        if grid is None:
            self.kernel(*arguments, **own)
        else:
            self.kernel[grid](*arguments, **own)
        values = {name: bound.call.by_name[name] for name in bound.derived.outputs}
        gradients = super()._call(grid, arguments, constants)
        return _join(values, self._request.outputs, self._given[2]), gradients


class Jvp(Derivative):
    """The Jacobian of a kernel, applied to tangents."""

    _own_keywords = "tangents",
    _is_forward = True
    _word = "jvp"

    def _call(self, grid: Optional[Grid], arguments: tuple[Any, ...],
              constants: dict[str, Any]) -> Any:
        if "tangents" not in constants:
            raise ArgumentError(f"expected tangents=... of a call of {self!r}, got none")
        given = constants.pop("tangents")
        bound = self._bind_values(arguments, constants)
        tangents = calls.take_arrays("tangents", bound.derived.inputs, given,
                                     bound.call)
        made = self._make_results(bound, bound.derived.outputs)
        calls.run(self._make_work(bound.match(tangents), grid, tangents, made))
        return _join(made, self._request.outputs, self._given[2])


def _join(arrays: dict[str, Any], requested: Optional[tuple[str, ...]], given: Names
          ) -> Any:
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
        atomics: bool = False, tiling: Optional[str] = None, segments: bool = False
        ) -> Vjp:
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

    Raises an `ArgumentError` for a wrong call, and a `CompileError` at the operation
    without a derivative."""
    return Vjp(kernel, wrt, outputs, atomics, tiling, segments)


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
    """Returns the function that runs a kernel, and returns its outputs and the
    gradients of their sum, as `grad` gives them."""
    return ValueAndGrad(kernel, wrt, outputs, atomics, tiling, segments)
