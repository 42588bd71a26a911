# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of derivatives, which the compiler makes of the program of a kernel."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True, eq=False)
class Derived:
    """The program of a derivative. `names` are those of its arguments; `inputs` and
    `outputs` are the kernel's parameters that it differentiates by, and that it
    differentiates, in the order of the request or of the kernel."""

    program: Program
    names: tuple[str, ...]
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
    names = tuple(argument["name"] for argument in described)
    types = {own: _find_type(own, base.arguments) for own in names}
    written = frozenset(index for index, argument in enumerate(described)
                        if argument["access"] != "read")
    program = Program(name, made.get("ir").decode(), request.tiling, types,
                      base.constants, written, base.guards, base.file, base.line, (),
                      is_function)
    of_input, of_output = (TANGENT, TANGENT) if request.is_forward else \
        (GRADIENT, COTANGENT)
    is_written = {names[index] for index in written}
    owners = [own for own in base.arguments
              if own + of_input in names and
              (own + of_input in is_written) != request.is_forward]
    results = [own for own in base.arguments
               if own + of_output in names and own not in owners]
    return Derived(program, names, request.wrt or tuple(owners),
                   request.outputs or tuple(results))


def _find(metadata: dict[str, Any], name: str) -> tuple[list[dict[str, Any]], bool]:
    """Returns the arguments of a function or a kernel, and whether it is a function."""
    for kind in ("functions", "kernels"):
        for described in metadata.get(kind, ()):
            if described["name"] == name:
                return described["arguments"], kind == "functions"
    raise AssertionError(f"expected metadata of {name!r}")


def _find_type(name: str, types: Mapping[str, Type]) -> Type:
    """Returns the type of an argument of a derivative, which is that of the kernel's
    argument that it belongs to."""
    return elements.index if name in GRID else types[find_owner(name, types)]


def find_owner(name: str, parameters: Sequence[str] | Mapping[str, Any]) -> str:
    """Returns the kernel's parameter that an argument of a derivative belongs to."""
    if name in parameters:
        return name
    suffix = next(suffix for suffix in SUFFIXES if name.endswith(suffix))
    return name.removesuffix(suffix)
