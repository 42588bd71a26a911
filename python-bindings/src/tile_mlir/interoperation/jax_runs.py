# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of programs as an operation of JAX, with the rules by which JAX differentiates
it: the tangents of a run are the results of another run, that of the program of the
tangents, and the transpose of this one is a run of the program of the gradients. Since
these are runs, too, derivatives of any order follow.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional

import numpy as np

from .. import elements, library
from ..differentiation.custom import has_tangents, list_tangents
from ..differentiation.derived import Derived, Request, Role, derive
from ..elements import Element
from ..errors import ArgumentError, TileError
from ..ir import Type
from ..launching.machines import Machine
from ..launching.programs import Program
from .jax_library import TARGET, import_jax, prepare


@dataclass(frozen=True)
class Argument:
    """An argument of a program: an operand of the run, a result, both, which then are
    one buffer, or the bytes of a scalar."""

    name: str
    type: Type
    operand: Optional[int] = None
    result: Optional[int] = None
    number: bytes = b""


@dataclass(frozen=True)
class Run:
    """A run of a program, with its number of operands and the shapes of its results. A
    run that computes tangents has its `origin`. If its kernel has a custom adjoint and no
    custom tangent, it has no arguments, and can only be transposed."""

    program: Program
    arguments: tuple[Argument, ...]
    operands: int
    results: tuple[Any, ...]
    grid: tuple[int, ...]
    machine: Machine
    atomics: bool
    origin: Optional[Origin] = None

    def prepare(self) -> None:
        """Compiles the program, so that a CompileError is raised here."""
        prepare(self.program.text, f"<{self.program.name}>", self.program.tiling,
                self.machine.kind, self.machine.arch)

    def find_operand(self, operand: int) -> str:
        """Returns the name of the argument that an operand is; "" if it is none."""
        return next((a.name for a in self.arguments if a.operand == operand), "")


@dataclass(frozen=True)
class Origin:
    """The run that a run computes the tangents of, with the names of the inputs and
    outputs of the tangents. `kept` are the indices of the operands of that run that the
    tangents or the gradients need: they are the first operands of the run of the tangents.
    `shapes` are the shapes of all its operands."""

    run: Run
    wrt: tuple[str, ...]
    outputs: tuple[str, ...]
    kept: tuple[int, ...]
    shapes: tuple[Any, ...]


def bind(run: Run, operands: Sequence[Any]) -> Any:
    """Returns the results of a run, as a list."""
    return _get_primitive().bind(*operands, run=run)


def _compute(*operands: Any, run: Run) -> Any:
    """Returns the results of a run by a custom call of XLA."""
    if not run.arguments:
        raise ArgumentError(
            f"expected tile.custom_tangent of {run.program.name!r}, which has a "
            "tile.custom_adjoint, for its tangents, as in jax.jvp, got none; gradients, "
            "as in jax.grad, need none")
    aliases = {a.operand: a.result for a in run.arguments
               if a.operand is not None and a.result is not None}
    call = import_jax().ffi.ffi_call(
        TARGET, list(run.results), vmap_method="sequential",
        input_output_aliases=aliases)
    found = call(
        *operands, program=run.program.text, kernel=run.program.name,
        tiling=run.program.tiling or "",
        grid=_pack((-1, -1, -1) if run.program.is_function else run.grid),
        **describe_arguments(run.arguments, len(operands)),
        **describe_machine(run.machine))
    return list(found)


# ----------------------------------------------------------------------------
# Attributes: see launch/xla.c
# ----------------------------------------------------------------------------


def _pack(values: Sequence[int]) -> "np.ndarray[Any, Any]":
    return np.array(values, np.int64)


def describe_arguments(arguments: Sequence[Argument], operands: int) -> dict[str, Any]:
    """Returns the attributes of arguments, for a run with `operands` operands."""
    names, buffers, numbers, aliases = "", [], b"", []
    for argument in arguments:
        type = argument.type
        names += (type if isinstance(type, Element) else type.element).mlir + " "
        numbers += argument.number.ljust(16, b"\0")
        if argument.operand is not None:
            buffers.append(argument.operand)
            if argument.result is not None:
                aliases += [argument.operand, argument.result]
        elif argument.result is not None:
            buffers.append(operands + argument.result)
        else:
            buffers.append(-1)
    return {"types": names, "buffers": _pack(buffers), "aliases": _pack(aliases),
            "numbers": np.frombuffer(numbers, np.int64)}


def pack_scalar(value: Any, element: Element) -> bytes:
    """Returns the bytes of a scalar."""
    dtype = np.dtype(np.int64) if element == elements.index else \
        elements.get_dtype(element)
    return np.array(value, dtype).tobytes()


def unpack_scalar(number: bytes, element: Any) -> Any:
    """Returns the scalar of these bytes; None for an argument that has none."""
    if not number:
        return None
    dtype = np.dtype(np.int64) if element == elements.index else \
        elements.get_dtype(element)
    return np.frombuffer(number, dtype)[0]


def describe_machine(machine: Machine) -> dict[str, Any]:
    tolerance = int(np.float64(machine.tolerance).view(np.int64))
    return {"arch": machine.arch or "",
            "machine": _pack([machine.kind, machine.threads, machine.schedules,
                              ctypes.c_int64(machine.seed).value, tolerance])}


# ----------------------------------------------------------------------------
# Derivatives
# ----------------------------------------------------------------------------


def _find_needed(run: Run, derived: Derived) -> set[int]:
    """Returns the indices of the operands of a run that a derivative needs."""
    own = {argument.name: argument.operand for argument in run.arguments}
    needed = {own[part.name] for part in derived.parts if part.role is Role.OWN}
    return {operand for operand in needed if operand is not None}


def _find_kept(run: Run, wrt: tuple[str, ...], outputs: tuple[str, ...]
               ) -> tuple[int, ...]:
    """Returns the indices of the operands of a run that its tangents and, if it has them,
    its gradients need."""
    kept = set()
    if has_tangents(run.program):
        kept |= _find_needed(run, derive(run.program,
                                         Request(True, wrt, outputs, run.atomics)))
    try:
        kept |= _find_needed(run, derive(run.program,
                                         Request(False, wrt, outputs, run.atomics)))
    except TileError:  # raised again if the tangents are transposed
        pass
    return tuple(sorted(kept))


def _derive(origin: Origin, is_forward: bool, wrt: tuple[str, ...],
            operands: Sequence[Any], seeds: Sequence[Any]) -> tuple[Run, list[Any]]:
    """Returns a run of a derivative, and its operands. `operands` are those of the original
    run that are kept, and `seeds` the cotangents of the outputs or the tangents of the
    inputs. The operands are the kept ones, the seeds, and an array of zeros for each result
    that is not overwritten whole, which becomes the result, and for each output that is an
    argument of the derivative."""
    run, outputs = origin.run, origin.outputs
    derived = derive(run.program, Request(is_forward, wrt, outputs, run.atomics))
    own = {argument.name: argument for argument in run.arguments}
    given = dict(zip(wrt if is_forward else outputs, seeds))
    results = outputs if is_forward else wrt
    shapes = tuple(_find_shape(origin, own[name]) for name in results)
    taken = [*operands, *given.values()]
    numpy: Any = importlib.import_module("jax.numpy")
    arguments = []
    for part in derived.parts:
        if part.role is Role.OWN:
            argument = own[part.name]
            operand = None if argument.operand is None else \
                origin.kept.index(argument.operand)
            if argument.operand is None and argument.result is not None:
                # An output, of which a derivative reads only the sizes.
                operand = len(taken)
                shape = run.results[argument.result]
                taken.append(numpy.zeros(shape.shape, shape.dtype))
            argument = replace(argument, operand=operand, result=None)
        elif part.role is Role.SEED:
            argument = Argument(part.name, part.type,
                                len(operands) + list(given).index(part.owner))
        elif part.role is Role.RESULT:
            index, operand = results.index(part.owner), None
            if not derived.overwrites(part.owner):
                operand = len(taken)
                taken.append(numpy.zeros(shapes[index].shape, shapes[index].dtype))
            argument = Argument(part.name, part.type, operand, index)
        else:
            extent = run.grid["xyz".index(part.name[-1])]
            argument = Argument(part.name, part.type,
                                number=pack_scalar(extent, elements.index))
        arguments.append(argument)
    grid = derived.find_blocks(run.grid, {
        argument.name: _find_value(argument, taken, shapes) for argument in arguments})
    made = Run(derived.program, tuple(arguments), len(taken), shapes, grid,
               run.machine, run.atomics, origin if is_forward else None)
    made.prepare()
    return made, taken


def _defer(origin: Origin, operands: Sequence[Any], tangents: Sequence[Any]
           ) -> tuple[Run, list[Any]]:
    """Returns a run that stands for the tangents until it is transposed, and its
    operands."""
    own = {argument.name: argument for argument in origin.run.arguments}
    taken = [*operands, *tangents]
    shapes = tuple(_find_shape(origin, own[name]) for name in origin.outputs)
    return replace(origin.run, arguments=(), operands=len(taken), results=shapes,
                   origin=origin), taken


def _find_value(argument: Argument, operands: Sequence[Any], results: Sequence[Any]
                ) -> Any:
    """Returns an argument as a grid's function takes it: a scalar, or an object with the
    shape of the array."""
    if argument.operand is not None:
        return operands[argument.operand]
    if argument.result is not None:
        return results[argument.result]
    return unpack_scalar(argument.number, argument.type)


def _find_shape(origin: Origin, argument: Argument) -> Any:
    """Returns the shape and the type of an argument of the original run."""
    if argument.result is not None:
        return origin.run.results[argument.result]
    return origin.shapes[argument.operand or 0]


def _compute_tangents(primals: Sequence[Any], tangents: Sequence[Any], *, run: Run
                      ) -> tuple[Any, list[Any]]:
    """Returns the results of a run and their tangents."""
    ad = _import("jax.interpreters.ad")
    numpy: Any = importlib.import_module("jax.numpy")
    results = bind(run, primals)
    given = {run.find_operand(index): tangent for index, tangent in enumerate(tangents)
             if type(tangent) is not ad.Zero}
    if given:  # a custom tangent takes those of all its inputs
        taken = list_tangents(run.program)
        given |= {name: numpy.zeros_like(primal) for index, primal in enumerate(primals)
                  if (name := run.find_operand(index)) in taken and name not in given}
    # Some arguments of a derivative only have sizes that it needs.
    given = {name: tangent for name, tangent in given.items()
             if name in run.program.parameters}
    outputs = {argument.name: argument.result for argument in run.arguments
               if argument.result is not None and
               numpy.issubdtype(run.results[argument.result].dtype, numpy.inexact)}
    zeros = [ad.Zero(_make_type(shape).to_tangent_aval()) for shape in run.results]
    if not given or not outputs:
        return results, zeros
    made, operands = _make_tangents(run, given, tuple(outputs), primals)
    found = dict(zip(outputs.values(), bind(made, operands)))
    return results, [found.get(index, zero) for index, zero in enumerate(zeros)]


def _make_tangents(run: Run, tangents: Mapping[str, Any], outputs: tuple[str, ...],
                   primals: Sequence[Any]) -> tuple[Run, list[Any]]:
    """Returns the run that computes the tangents of outputs, and its operands."""
    wrt, given = tuple(tangents), list(tangents.values())
    struct = import_jax().ShapeDtypeStruct
    origin = Origin(run, wrt, outputs, _find_kept(run, wrt, outputs),
                    tuple(struct(primal.shape, primal.dtype) for primal in primals))
    kept = [primals[index] for index in origin.kept]
    if has_tangents(run.program):
        return _derive(origin, True, wrt, kept, given)
    return _defer(origin, kept, given)


def _transpose(cotangents: Sequence[Any], *operands: Any, run: Run) -> list[Any]:
    """Returns the cotangents of the tangents that a run takes."""
    ad = _import("jax.interpreters.ad")
    numpy: Any = importlib.import_module("jax.numpy")
    origin = run.origin
    if origin is None:
        raise TileError(f"expected a run that is linear in its operands, got one of "
                        f"{run.program.name!r}")
    count = len(origin.kept)
    is_wanted = [ad.is_undefined_primal(operand) for operand in operands]
    wrt = tuple(name for name, wanted in zip(origin.wrt, is_wanted[count:]) if wanted)
    seeds = [numpy.zeros(shape.shape, shape.dtype) if type(given) is ad.Zero else given
             for given, shape in zip(cotangents, run.results)]
    made, taken = _derive(origin, False, wrt, operands[:count], seeds)
    gradients = iter(bind(made, taken))
    return [next(gradients) if wanted else None for wanted in is_wanted]


def _compute_batch(operands: Sequence[Any], axes: Sequence[Any], *, run: Run
                   ) -> tuple[Any, list[int]]:
    """Runs a program for each element of a batch, one run after another."""
    jax = import_jax()
    is_batched = [axis is not None for axis in axes]
    numpy: Any = importlib.import_module("jax.numpy")
    moved = [numpy.moveaxis(operand, axis, 0) for operand, axis, batched
             in zip(operands, axes, is_batched) if batched]

    def compute(each: Sequence[Any]) -> Any:
        rest = iter(each)
        return bind(run, [next(rest) if batched else operand
                          for operand, batched in zip(operands, is_batched)])

    found = jax.lax.map(compute, moved)
    return found, [0] * len(found)


# ----------------------------------------------------------------------------
# The operation
# ----------------------------------------------------------------------------


def _make_type(shape: Any) -> Any:
    """Returns JAX's type of arrays with a shape."""
    return _import("jax.core").ShapedArray(shape.shape, shape.dtype)


def _import(name: str) -> Any:
    return importlib.import_module(name)


@functools.lru_cache(maxsize=None)
def _get_primitive() -> Any:
    """Returns the operation, with its rules."""
    made = _import("jax.extend.core").Primitive("tile_mlir_call")
    made.multiple_results = True
    made.def_impl(lambda *operands, run: _compile(run)(*operands))
    made.def_abstract_eval(lambda *operands, run: [
        _make_type(shape) for shape in run.results])
    _import("jax.interpreters.ad").primitive_jvps[made] = _compute_tangents
    _import("jax.interpreters.ad").primitive_transposes[made] = _transpose
    _import("jax.interpreters.batching").primitive_batchers[made] = _compute_batch
    mlir = _import("jax.interpreters.mlir")
    mlir.register_lowering(made, mlir.lower_fun(_compute, multiple_results=True))
    return made


@functools.lru_cache(maxsize=1024)
def _compile(run: Run) -> Any:
    """Returns a run as a function that JAX compiles."""
    return import_jax().jit(functools.partial(_compute, run=run))
