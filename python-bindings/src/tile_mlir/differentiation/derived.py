# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of derivatives, which the compiler makes of the program of a kernel."""

from __future__ import annotations

import enum
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

from .. import elements, library
from ..ir import Type
from ..launching.programs import Program

COTANGENT, GRADIENT, TANGENT = "__cotangent", "__gradient", "__tangent"
SUFFIXES = COTANGENT, GRADIENT, TANGENT
GRID = "grid_x", "grid_y", "grid_z"


@dataclass(frozen=True)
class Request:
    """A derivative of a kernel: its direction, the parameters to differentiate by and
    those to differentiate, None for the default, whether gradients may be added by
    atomic operations, and options of -tile-warp-tiling for a GPU."""

    is_forward: bool
    wrt: Optional[tuple[str, ...]] = None
    outputs: Optional[tuple[str, ...]] = None
    atomics: bool = False
    tiling: Optional[str] = None


class Role(enum.Enum):
    """The role of an argument of a derivative."""

    OWN = "an argument of the kernel"
    SEED = "a cotangent of an output, or the tangent of an input"
    RESULT = "the gradient of an input, or the tangent of an output"
    GRID = "an extent of the kernel's grid"


@dataclass(frozen=True)
class Part:
    """An argument of a derivative. `owner` is the parameter of the kernel that it belongs
    to; for an extent of the grid it is the name."""

    name: str
    role: Role
    owner: str
    type: Type


@dataclass(frozen=True, eq=False)
class Derived:
    """The program of a derivative, and its arguments. `inputs` and `outputs` are the
    kernel's parameters that it differentiates by, and that it differentiates, in the
    order of the request or of the kernel."""

    program: Program
    parts: tuple[Part, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def derive(base: Program, request: Request) -> Derived:
    """Returns the derivative of a program; it is made once for each request."""
    found = base.derived.get(request)
    if found is None:
        found = base.derived.setdefault(request, _derive(base, request))
    return found  # type: ignore[no-any-return]


def _derive(base: Program, request: Request) -> Derived:
    made = library.differentiate(
        base.text, kernel=base.name, is_forward=request.is_forward,
        wrt=request.wrt or (), outputs=request.outputs or (),
        atomics=request.atomics, name=f"<{base.name}>")
    name = base.name + ("__tangent" if request.is_forward else "__adjoint")
    described, is_function = _find(json.loads(made.get("metadata")), name)
    parts = _make_parts(base, request, [one["name"] for one in described],
                        [one["access"] != "read" for one in described])
    program = Program(
        name, made.get("ir").decode(), request.tiling,
        {part.name: part.type for part in parts}, base.constants,
        frozenset(index for index, part in enumerate(parts) if part.role is Role.RESULT),
        base.guards, base.file, base.line, (), is_function)
    seeds, results = ([part.owner for part in parts if part.role is role]
                      for role in (Role.SEED, Role.RESULT))
    inputs, outputs = (seeds, results) if request.is_forward else (results, seeds)
    return Derived(program, parts, request.wrt or tuple(inputs),
                   request.outputs or tuple(outputs))


def _find(metadata: dict[str, Any], name: str) -> tuple[list[dict[str, Any]], bool]:
    """Returns the arguments of a function or a kernel, and whether it is a function."""
    for kind in ("functions", "kernels"):
        for described in metadata.get(kind, ()):
            if described["name"] == name:
                return described["arguments"], kind == "functions"
    raise AssertionError(f"expected metadata of {name!r}")


def _make_parts(base: Program, request: Request, names: Sequence[str],
                written: Sequence[bool]) -> tuple[Part, ...]:
    """Returns the arguments: those of the kernel, then the seeds and the results, then
    the grid. The derivative of a derivative may have two arguments of one name."""
    end = len(names) - (len(GRID) if tuple(names[-len(GRID):]) == GRID else 0)
    if request.wrt and request.outputs:
        first_new = end - len(request.wrt) - len(request.outputs)
    else:
        first_new = next(index for index, name in enumerate(names)
                         if name not in base.arguments)
    parts = []
    for index, name in enumerate(names):
        if index < first_new:
            parts.append(Part(name, Role.OWN, name, base.arguments[name]))
        elif index >= end:
            parts.append(Part(name, Role.GRID, name, elements.index))
        else:
            suffix = next(suffix for suffix in SUFFIXES if name.endswith(suffix))
            owner = name.removesuffix(suffix)
            role = Role.RESULT if written[index] else Role.SEED
            parts.append(Part(name, role, owner, base.arguments[owner]))
    return tuple(parts)
