# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels: functions that are traced to programs, compiled, and run.

    @tile.kernel(grid=lambda x, n: tile.cdiv(len(x), n))
    def double(x, y, *, n=1024):
        first = tile.program_id(0) * n
        tile.store(y, first, 2 * tile.load(x, first, n))

    double(x, y)

Positional parameters are arrays and scalars that the program takes when it runs.
Keyword parameters are Python values that are known while the function is traced. It is
traced to one program for each combination of keyword values and types of the positional
arguments.
"""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional, Union, overload

from .. import library
from ..errors import hides_own_lines
from ..inspection.choice import Choice
from ..inspection.estimate import Estimate
from ..inspection.specialization import Inspectable, Specialization
from . import launches
from .arguments import FixedExtents
from .entries import check_function
from .extension import Launcher
from .grids import Grid, check_grid
from .launches import MOST_GRIDS
from .programs import Definition, Options, find_arch
from .work import bind_unchecked


class Kernel(Launcher, Inspectable):
    """A function with @tile.kernel.

    A call runs the kernel. If the arrays are on a GPU, the kernel runs there, and the
    call does not wait for its end. If they are on the host, it runs on the machine of
    this thread (`tile.emulator()`, `tile.cpu()`). `definition` is for the other modules
    of this package."""

    def __init__(self, definition: Definition):
        super().__init__(self._call)
        # The kernel has the function's own attributes.
        functools.update_wrapper(self, definition.function)
        self.definition = definition
        self._launchers: dict[Union[int, tuple[int, ...]], Launcher] = {}

    __name__: str
    __qualname__: str

    # ------------------------------------------------------------------------
    # Calls
    # ------------------------------------------------------------------------

    @hides_own_lines
    def _call(self, *arguments: Any, **constants: Any) -> None:
        """Runs a call that no plan matches."""
        launches.launch(self.definition, self, None, arguments, constants)

    def __getitem__(self, grid: Grid) -> Callable[..., None]:
        """Returns the kernel with a grid: the number of blocks along one to three axes,
        or a function that takes some of the kernel's arguments by their names."""
        # A grid that is a function is not cached, since it is often a new object for
        # each call.
        if not isinstance(grid, (int, tuple)):
            return self._make_launcher(grid)
        found = self._launchers.get(grid)
        if found is None:
            found = self._make_launcher(grid)
            if len(self._launchers) >= MOST_GRIDS:
                self._launchers.clear()
            self._launchers[grid] = found
        return found

    def _make_launcher(self, grid: Grid) -> Launcher:
        check_grid(grid)
        return _OnGrid(self, grid)

    @hides_own_lines
    def prepare(self, *given: Any, grid: Optional[Grid] = None,
                **constants: Any) -> Callable[[], None]:
        """Returns a launch with these arguments: a function that can be called any
        number of times. On a GPU such a call takes the least host time, since it only
        looks up the stream. The launch holds references to the arrays, which must keep
        their memory and sizes. `grid` is needed if the kernel does not declare one."""
        return launches.prepare(self.definition, grid, given, constants)

    # ------------------------------------------------------------------------
    # Programs
    # ------------------------------------------------------------------------

    @hides_own_lines
    def trace(self, *arguments: Any, samples: Optional[Sequence[Sequence[Any]]] = None,
              **constants: Any) -> str:
        """Returns the traced program as MLIR text, before any phase. The arguments are
        arrays or types of arrays (`ir.ArrayType`); `samples` are as for `compile`. Needs
        no compiler, unless keywords are `tile.auto`."""
        return self.definition.find_program(arguments, constants, samples=samples)[0].text

    @hides_own_lines
    def compile(self, *arguments: Any, arch: str = "sm_90a",
                outputs: tuple[str, ...] = ("ptx", "cubin", "metadata",
                                            "report"),
                tiling: Optional[str] = None,
                samples: Optional[Sequence[Sequence[Any]]] = None, **constants: Any
                ) -> dict[str, bytes]:
        """Compiles the kernel for a GPU, and returns the `outputs` by their names: the
        data that a launcher needs, and the report of the compiler's decisions.
        `tiling`, if given, replaces the decorator's.

        If keywords are `tile.auto` and arguments are types, the result has up to four
        kernels, and a function with the kernel's name that launches one of them, by the
        number of blocks that a call would have. They are chosen for calls in which all
        sizes are equal, or for those with the positional arguments `samples`."""
        program, _ = self.definition.find_program(arguments, constants, arch, samples)
        result = program.compile(
            machine=library.CUDA, arch=arch, outputs=outputs,
            tiling=program.tiling if tiling is None else tiling)
        made = {output: result.get(output) for output in outputs}
        if program.is_function and "metadata" in made:
            check_function(self.definition, made["metadata"])
        return made

    @hides_own_lines
    def specialize(self, *arguments: Any, arch: Optional[str] = None,
                   samples: Optional[Sequence[Sequence[Any]]] = None,
                   **constants: Any) -> Specialization:
        """Returns the result of compiling the kernel for arguments, which are arrays or
        types of arrays (`ir.ArrayType`), and for an architecture such as "sm_90a".
        Without `arch` it is compiled for the GPU that the arrays are on, or, with
        arrays on the host, for the architecture of this thread's emulator, which is
        sm_80 by default. `samples` are as for `compile`. Nothing is run."""
        return self.definition.specialize(arguments, constants, arch, samples)

    @hides_own_lines
    def estimate(self, *arguments: Any, arch: Optional[str] = None,
                 grid: Optional[Grid] = None, **constants: Any) -> Estimate:
        """Estimates the time of a call on a GPU, from the plan that the compiler makes
        of the kernel. No code is generated, and nothing is run. The estimate compares
        tiles and options of one kernel. Without `arch` the architecture is that of the
        GPU that the arrays are on, or, with arrays on the host, that of this thread's
        emulator; `grid` is needed if the kernel does not declare one."""
        work = bind_unchecked(self.definition, grid, arguments, constants, arch)
        return work.program.estimate(find_arch(work.device) if arch is None else arch,
                                     work.packed, work.blocks)

    @hides_own_lines
    def choose(self, *arguments: Any, arch: Optional[str] = None, **constants: Any
               ) -> Optional[Choice]:
        """Returns the choice of a call for its keywords that are `tile.auto`: the
        values, the estimated time, and the values that were considered. Returns None
        if no keyword is `tile.auto`. `arch` is as for `estimate`."""
        return self.definition.find_choice(arguments, constants, arch)

    def _get_specialization(self) -> Specialization:
        return self.definition.get_last()

    def __reduce__(self) -> Union[str, tuple[Any, ...]]:
        """Pickles the kernel by its name in its module, as functions are pickled. The
        process that unpickles it imports the kernel by that name."""
        found = _find_global(self.__module__, self.__qualname__)
        if getattr(found, "kernel", None) is self:  # of a tuned kernel
            return getattr, (found, "kernel")
        return self.__qualname__

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}{self.definition.signature}>"


class _OnGrid(Launcher):
    """A kernel with a grid."""

    def __init__(self, kernel: Kernel, grid: Grid):
        super().__init__(self._call)
        self._kernel, self._grid = kernel, grid

    @hides_own_lines
    def _call(self, *arguments: Any, **constants: Any) -> None:
        """Runs a call that no plan matches."""
        launches.launch(self._kernel.definition, self, self._grid, arguments,
                        constants)

    def __reduce__(self) -> tuple[Any, ...]:
        return operator.getitem, (self._kernel, self._grid)


def _find_global(module: str, name: str) -> Any:
    """Returns the member of a module with a qualified name; None if there is none."""
    try:
        return operator.attrgetter(name)(sys.modules[module])
    except (AttributeError, KeyError):
        return None


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
    """Makes a kernel of a function. `grid` is the number of blocks along one to three
    axes, or a function that takes some of the kernel's arguments by their names.
    `block` is the number of threads of a block, which the compiler chooses by default.
    `blocks_per_processor` is the number of blocks that a multiprocessor must have room
    for. `tiling` has options of -tile-warp-tiling, such as "warps=2,4 stages=3", for
    compilation for a GPU.

    `fixed` names arrays whose extents are constants of the program, or maps names to
    the dimensions with constant extents, as in {"x": 1}. Then `x.shape[1]` is an int,
    and there is a program for each of its values. `alignment` is a number of bytes, or
    maps names of arrays to it: the addresses of all arrays, or of the named ones, are
    assumed to be multiples of it, and a call with another address is refused."""
    options = Options(block, blocks_per_processor, tiling, fixed, alignment)

    def make(function: Callable[..., Any]) -> Kernel:
        return Kernel(Definition(function, grid, options))

    return make if function is None else make(function)
