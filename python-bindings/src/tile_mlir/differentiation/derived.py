# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of derivatives, which the compiler makes of the program of a kernel."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional

from .. import elements, library
from ..errors import ArgumentError
from ..ir import Type
from ..launching.grids import Grid, get_blocks
from ..launching.programs import Definition, Program
from .custom import get_custom_program
from .names import split_name

GRID = "grid_x", "grid_y", "grid_z"


@dataclass(frozen=True)
class Request:
    """A derivative of a kernel: its direction, the parameters to differentiate by and
    those to differentiate, None for the default, whether gradients may be added by
    atomic operations, options of -tile-warp-tiling for a GPU, whether loops keep values
    for segments only, whether gradients are added to those that their arrays have, the
    outputs that the derivative may read, and whether it stores the kernel's outputs."""

    is_forward: bool
    wrt: Optional[tuple[str, ...]] = None
    outputs: Optional[tuple[str, ...]] = None
    atomics: bool = False
    tiling: Optional[str] = None
    segments: bool = False
    accumulates: bool = False
    saved: tuple[str, ...] = ()
    values: bool = False


class Role(enum.Enum):
    """The role of an argument of a derivative."""

    OWN = "an argument of the kernel"
    SAVED = "an output, with what the kernel has stored"
    SEED = "a cotangent of an output, or the tangent of an input"
    RESULT = "the gradient of an input, or the tangent of an output"
    GRID = "an extent of the kernel's grid"


@dataclass(frozen=True)
class Part:
    """An argument of a derivative. `owner` is the parameter of the kernel that it belongs
    to; for an extent of the grid it is the name. `access` is "read", "write" or
    "readwrite"."""

    name: str
    role: Role
    owner: str
    type: Type
    access: str


@dataclass(frozen=True, eq=False)
class Derived:
    """The program of a derivative, and its arguments. `inputs` and `outputs` are the
    kernel's parameters that it differentiates by, and that it differentiates, in the
    order of the request or of the kernel. `custom` is the kernel that its author gives
    as this derivative, if there is one."""

    program: Program
    parts: tuple[Part, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    request: Request
    custom: Optional[Definition] = None

    def find_blocks(self, blocks: tuple[int, ...], arguments: Mapping[str, Any]
                    ) -> tuple[int, ...]:
        """Returns the grid of the derivative, for `blocks` of the kernel and the
        derivative's own `arguments` by their names."""
        if self.custom is None or self.custom.grid is None:
            return blocks
        return get_blocks(self.custom.grid, {**arguments, **self.program.constants})

    def overwrites(self, owner: str) -> bool:
        """Whether each element of the result that belongs to a parameter is written. Any
        other result must be zero before. Gradients that are only written are written
        whole, unless they are added up by atomic operations; tangents are written where
        the kernel writes. Nothing is known of a custom derivative."""
        is_whole = not self.request.is_forward and not self.request.atomics and \
            self.custom is None
        return is_whole and any(
            part.role is Role.RESULT and part.owner == owner and part.access == "write"
            for part in self.parts)


def derive(base: Program, request: Request) -> Derived:
    """Returns the derivative of a program; it is made once for each request, and for
    each program of a custom derivative, which stores no outputs."""
    custom = get_custom_program(base, request.is_forward)
    if custom is not None:
        request = replace(request, values=False)
    found = base.derived.get((request, custom))
    if found is None:
        found = base.derived.setdefault((request, custom), _derive(base, request, custom))
    return found  # type: ignore[no-any-return]


def _derive(base: Program, request: Request, custom: Optional[Program]) -> Derived:
    if not base.kernel:
        raise ArgumentError(f"expected one kernel that computes {base.name!r}, to be "
                            "differentiated again, got several")
    text = base.text if custom is None else base.text + custom.text
    made = library.differentiate(
        text, kernel=base.kernel, is_forward=request.is_forward,
        wrt=request.wrt or (), outputs=request.outputs or (),
        atomics=request.atomics, segments=request.segments,
        accumulates=request.accumulates, saved=request.saved,
        values=request.values, name=f"<{base.name}>")
    name = base.kernel + ("__tangent" if request.is_forward else "__adjoint")
    metadata = json.loads(made.get("metadata"))
    described, is_function = _find(metadata, name)
    kernel = _find_kernel(described) if is_function else name
    arguments = described["arguments"]
    parts = _make_parts(base, request, [one["name"] for one in arguments],
                        [one["access"] for one in arguments])
    source = base if custom is None else custom
    tiling = request.tiling if custom is None else request.tiling or custom.tiling
    program = Program(
        name, made.get("ir").decode(), tiling,
        {part.name: part.type for part in parts}, source.constants,
        frozenset(index for index, part in enumerate(parts) if part.access != "read"),
        source.guards, source.file, source.line, (), kernel,
        frozenset(argument["name"] for one in metadata["kernels"]
                  if one["name"] == kernel for argument in one["arguments"]),
        is_function, custom.custom if custom else {})
    seeds, results = ([part.owner for part in parts if part.role is role]
                      for role in (Role.SEED, Role.RESULT))
    inputs, outputs = (seeds, results) if request.is_forward else (results, seeds)
    return Derived(program, parts, request.wrt or tuple(inputs),
                   request.outputs or tuple(outputs), request,
                   base.custom.get(request.is_forward))


def _find(metadata: dict[str, Any], name: str) -> tuple[dict[str, Any], bool]:
    """Returns the metadata of a function or a kernel, and whether it is a function."""
    for kind in ("functions", "kernels"):
        for described in metadata.get(kind, ()):
            if described["name"] == name:
                return described, kind == "functions"
    raise AssertionError(f"expected metadata of {name!r}")


def _find_kernel(function: dict[str, Any]) -> str:
    """Returns the name of the kernel that computes all results of a function, which
    apart from it only fills arrays with zeros; "" if there are several, or if kernels
    share temporary arrays."""
    found = [launch["kernel"] for launch in function["launches"]
             if not launch["kernel"].startswith(function["name"] + "__zero")]
    is_simple = len(found) == 1 and not function["temporaries"]
    return str(found[0]) if is_simple else ""


def _make_parts(base: Program, request: Request, names: Sequence[str],
                accesses: Sequence[str]) -> tuple[Part, ...]:
    """Returns the arguments: those of the kernel, then the seeds and the results, then
    the grid. The derivative of a derivative may have two arguments of one name."""
    end = len(names) - (len(GRID) if tuple(names[-len(GRID):]) == GRID else 0)
    if request.wrt and request.outputs:
        first_new = end - len(request.wrt) - len(request.outputs)
    else:
        first_new = next(index for index, name in enumerate(names)
                         if name not in base.arguments)
    parts = []
    for index, (name, access) in enumerate(zip(names, accesses)):
        if index < first_new:
            role = Role.SAVED if name in request.saved else Role.OWN
            part = Part(name, role, name, base.arguments[name], access)
        elif index >= end:
            part = Part(name, Role.GRID, name, elements.index, access)
        else:
            owner, _ = split_name(name)
            role = Role.SEED if access == "read" else Role.RESULT
            part = Part(name, role, owner, base.arguments[owner], access)
        parts.append(part)
    return tuple(parts)
