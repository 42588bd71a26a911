# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of launches on a GPU: calls that are checked once, and then launched repeatedly
with little or no Python code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from ..errors import LaunchError, TileError
from ..tracing.captured import Guard
from . import extension, runtime
from .arrays import prepare_memory
from .runtime import Loaded, LoadedFunction
from .streams import call_on_stream, find_stream
from .work import Work


def add_plan(launcher: Any, kernel: Loaded, work: Work,
             arguments: tuple[Any, ...], constants: dict[str, Any],
             guards: tuple[Guard, ...]) -> None:
    """Adds a plan to a launcher. With it, the extension launches later calls without
    running Python code if their arrays have the same types, shapes and strides, all
    other arguments are the same, and the program's guards and `guards` hold."""
    if extension.connect() is None:
        return
    try:
        plan = kernel.prepare(work.packed, work.blocks)
    except TileError:  # it needs workspaces
        return
    written = sum(1 << index for index in work.program.written)
    if not launcher.add(plan, arguments, constants, work.program.guards + guards,
                        written):
        runtime.get_library().tile_plan_destroy(plan)


@dataclass(frozen=True)
class Step:
    """A launch of a call that has several, and the slot of each argument of the program;
    None for an argument that is not an array. Slots are the indices of the arguments of
    the call, followed by the arrays that one of its keywords gives, and by the arrays
    that the call makes."""

    kernel: Loaded
    work: Work
    slots: Sequence[Optional[int]]


@dataclass(frozen=True)
class Made:
    """An array that a call makes: the function that makes it, and its type."""

    make: Callable[[], Any]
    type: type


def add_call(launcher: Any, steps: Sequence[Step], arguments: tuple[Any, ...],
             constants: dict[str, Any], arrays_of: Optional[str],
             guards: tuple[Guard, ...], made: Sequence[Made], num_slots: int,
             written: int, result: Any) -> None:
    """Adds a plan of several launches to a launcher, as `add_plan` does. `arrays_of` is
    the keyword that gives arrays, `num_slots` the number of slots without that of memory,
    `written` has a bit for each argument of the call that a kernel writes, and `result`
    is the slot that the call returns, or a tuple of such."""
    connected = extension.connect()
    if connected is None:
        return
    memory: list[Made] = []
    plans: list[tuple[int, tuple[tuple[int, int], ...]]] = []
    is_added = False
    try:
        for step in steps:
            uses = [(slot, place) for place, slot in enumerate(step.slots)
                    if slot is not None]
            needed = _prepare_memory(step)
            if needed is not None:
                uses.append((num_slots + len(memory), len(step.slots)))
                memory.append(needed)
            plans.append((step.kernel.prepare(step.work.packed, step.work.blocks),
                          tuple(uses)))
        is_added = launcher.add_call(
            tuple(plans), arguments, constants, arrays_of, guards, written,
            tuple((one.make, one.type) for one in (*made, *memory)), result,
            call_on_stream)
    except TileError:  # a kernel needs workspaces
        pass
    finally:
        if not is_added:
            for plan, _ in plans:
                runtime.get_library().tile_plan_destroy(plan)


def add_plan_of_parts(launcher: Any, kernel: Loaded, work: Work,
                      arguments: tuple[Any, ...], constants: dict[str, Any],
                      guards: tuple[Guard, ...]) -> None:
    """Adds a plan of a call whose program takes parts of its arguments, as `add_plan`
    does."""
    slots = work.call.find_slots(arguments)
    if slots is None:
        return
    written = {slots[index] for index in work.program.written}
    add_call(launcher, [Step(kernel, work, slots)], arguments, constants, None,
             work.program.guards + guards, (), len(arguments),
             sum(1 << slot for slot in written if slot is not None), None)


def _prepare_memory(step: Step) -> Optional[Made]:
    """Returns the memory that a launch needs besides its arguments; None if there is
    none."""
    if not isinstance(step.kernel, LoadedFunction):
        return None
    bytes = step.kernel.count_memory(step.work.packed)
    if bytes == 0:
        return None
    make = prepare_memory(step.work.call.first_array, bytes)
    if make is None:
        raise LaunchError("expected a library that makes memory")
    return Made(make, type(make()))


def prepare(kernel: Loaded, work: Work) -> Callable[[], None]:
    """Returns a function that launches the call; it holds references to the
    arguments."""
    plan = kernel.prepare(work.packed, work.blocks)
    connected = extension.connect()
    if connected is not None and not work.call.kept:
        try:
            launch: Callable[[], None] = connected.Prepared(
                plan, tuple(work.call.values), runtime.check)
            return launch
        except TypeError:  # no DLPack exchange
            pass
    return _PreparedLaunch(plan, work)


class _PreparedLaunch:
    """A prepared launch for arrays that the extension's `Prepared` does not take."""

    def __init__(self, plan: int, work: Work):
        self._plan, self._work = plan, work

    def __call__(self) -> None:
        stream = find_stream(self._work.call.first_array, self._work.device or 0)
        runtime.check(runtime.get_library().tile_plan_launch(self._plan, stream or None))

    def __del__(self) -> None:
        try:
            runtime.get_library().tile_plan_destroy(self._plan)
        except Exception:  # the interpreter ends
            pass
