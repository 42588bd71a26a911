# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of a kernel's definition, for the modules that make kernels operators of other
packages."""

from __future__ import annotations

from typing import Any

from ..launching.extension import Launcher
from ..launching.grids import Grid, get_blocks
from ..launching.programs import Definition
from . import calls
from .derived import Request
from .planned import Planned


class PullBack(Launcher):
    """The gradients of a kernel on a grid. A call takes the kernel's arguments, with
    cotangents instead of the outputs, and then the saved outputs, in the order of the
    request. It returns a tuple with the gradients of the inputs, in the order of the
    request, which names them."""

    def __init__(self, definition: Definition, request: Request, grid: Grid):
        super().__init__(self._call)
        self._definition, self._request, self._grid = definition, request, grid

    def _call(self, *arguments: Any, **constants: Any) -> Any:
        """Runs a call that no plan matches."""
        names = self._request.saved
        own, saved = (arguments[:len(arguments) - len(names)],
                      dict(zip(names, arguments[len(arguments) - len(names):])))
        bound = calls.bind(self._definition, self._request, own, constants).match(saved)
        planned = Planned(self, self._definition, self._grid, arguments, constants,
                          len(names))
        given = bound.call.by_name
        made = {name: planned.make(calls.prepare_result(
            bound.derived, name, given[name], self._definition.alignment.get(name)),
            given[name]) for name in bound.derived.inputs}
        if bound.is_fake:
            planned.refuse()
        else:
            bound.call.find_device()
            taken = planned.take_own(given)
            planned.run(*calls.assemble(bound.derived, taken, taken, made,
                                        get_blocks(self._grid, given),
                                        planned.take_more(saved)))
        return planned.finish(tuple(made.values()))
