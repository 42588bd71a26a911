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
    cotangents instead of the outputs, and returns a tuple with the gradients of the
    inputs, in the order of the request, which names them."""

    def __init__(self, definition: Definition, request: Request, grid: Grid):
        super().__init__(self._call)
        self._definition, self._request, self._grid = definition, request, grid

    def _call(self, *arguments: Any, **constants: Any) -> Any:
        """Runs a call that no plan matches."""
        bound = calls.bind(self._definition, self._request, arguments, constants)
        planned = Planned(self, self._definition, self._grid, arguments, constants)
        given = bound.call.by_name
        made = {name: planned.make(calls.prepare_result(
            bound.derived, name, given[name], self._definition.alignment.get(name)),
            given[name]) for name in bound.derived.inputs}
        if bound.is_fake:
            planned.refuse()
        else:
            bound.call.find_device()
            own = planned.take_own(given)
            planned.run(*calls.assemble(bound.derived, own, own, made,
                                        get_blocks(self._grid, given)))
        return planned.finish(tuple(made.values()))
