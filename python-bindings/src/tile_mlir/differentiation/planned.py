# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of derivatives that are run, and that then get a plan, by which the extension
launches later equal calls without Python code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from ..launching import launches, plans
from ..launching.grids import Grid
from ..launching.programs import Definition
from ..launching.streams import call_on_stream
from ..launching.work import Work
from ..tracing import captured


@dataclass(frozen=True)
class Slotted:
    """An array of a call, with its slot (plans.Step)."""

    array: Any
    slot: Optional[int]


class Planned:
    """A call of a derivative of a kernel, with its arguments without and with keywords.
    It runs the launches of the call, and notes for the plan which arrays they take. The
    last `num_more` arguments without keywords are no arguments of the kernel."""

    def __init__(self, launcher: Any, definition: Definition, grid: Grid,
                 given: tuple[Any, ...], constants: Mapping[str, Any], num_more: int = 0):
        self._launcher, self._definition, self._grid = launcher, definition, grid
        self._given, self._constants = given, dict(constants)
        self._num_own = len(given) - num_more
        self._own = {name: slot for slot, name in
                     enumerate(definition.names[:self._num_own])}
        self._arrays_of: Optional[str] = None
        self._num_arrays = 0
        self._made: list[plans.Made] = []
        self._steps: list[plans.Step] = []
        self._written = 0
        # A parameter of the kernel that is given by its name has no slot.
        self._is_possible = len(self._own) == self._num_own and \
            not set(definition.names) & constants.keys()

    def refuse(self) -> None:
        """Makes no plan, since the call does more than to launch kernels."""
        self._is_possible = False

    # ------------------------------------------------------------------------
    # Arrays
    # ------------------------------------------------------------------------

    def take_own(self, arrays: Mapping[str, Any]) -> dict[str, Slotted]:
        """Returns the call's arguments, by their names."""
        return {name: Slotted(array, self._own.get(name))
                for name, array in arrays.items()}

    def take_more(self, arrays: Mapping[str, Any]) -> dict[str, Slotted]:
        """Returns the arguments without keywords that are no arguments of the kernel, in
        their order."""
        return {name: Slotted(array, self._num_own + index)
                for index, (name, array) in enumerate(arrays.items())}

    def take_arrays(self, keyword: str, arrays: Mapping[str, Any]
                    ) -> dict[str, Slotted]:
        """Returns the arrays that a keyword gives, in their order. No other arrays have
        been taken or made."""
        if isinstance(self._constants[keyword], Mapping):
            self.refuse()
        first = len(self._given)
        self._arrays_of, self._num_arrays = keyword, len(arrays)
        return {name: Slotted(array, first + index)
                for index, (name, array) in enumerate(arrays.items())}

    def make(self, make: Callable[[], Any], like: Any) -> Slotted:
        """Returns a new array, which `make` makes by the library of the array `like`."""
        array = call_on_stream(make, like)
        slot = len(self._given) + self._num_arrays + len(self._made)
        self._made.append(plans.Made(make, type(array)))
        return Slotted(array, slot)

    # ------------------------------------------------------------------------
    # Launches
    # ------------------------------------------------------------------------

    def run(self, work: Work, slots: Sequence[Optional[int]]) -> None:
        """Runs a call that was checked. `slots` has one for each argument of its
        program."""
        kernel = launches.run(work)
        if kernel is None:
            self.refuse()
            return
        self._steps.append(plans.Step(kernel, work, slots))
        for index in work.program.written:
            slot = slots[index]
            if slot is not None and slot < len(self._given) + self._num_arrays:
                self._written |= 1 << slot

    def finish(self, results: Any) -> Any:
        """Returns the arrays of `results`, which is one or a tuple of such, and adds the
        plan."""
        if self._is_possible and self._steps:
            guards = [step.work.program.guards for step in self._steps]
            plans.add_call(
                self._launcher, self._steps, self._given, self._constants,
                self._arrays_of, sum(guards, captured.capture(self._grid)), self._made,
                len(self._given) + self._num_arrays + len(self._made), self._written,
                _map(lambda result: result.slot, results))
        return _map(lambda result: result.array, results)


def _map(function: Callable[[Slotted], Any], results: Any) -> Any:
    if isinstance(results, tuple):
        return tuple(_map(function, result) for result in results)
    return function(results)
