# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on JAX's arrays, as custom calls of XLA, which launch/xla.c runs.

    @jax.jit
    def double(x):
        return tile.jax_call(kernel, jax.ShapeDtypeStruct(x.shape, x.dtype))(x)

The attributes of a call contain everything that is needed to run it, including the text
of the program, so that a computation that XLA has saved in a file runs in other
processes.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Callable, Optional

import numpy as np

from .. import library
from ..elements import Element
from ..errors import ArgumentError
from ..ir import Type
from ..launching.arrays import Description, get_dense_strides, get_element
from ..launching.grids import Grid, get_blocks
from ..launching.kernel import Kernel
from ..launching.machines import Machine
from ..launching.programs import Definition
from ..tuning.tuned import Tuned
from .jax_library import import_jax, register_with_jax
from .jax_runs import Argument, Run, bind, pack_scalar


def jax_call(kernel: Kernel, out_shape: Any, *, grid: Optional[Grid] = None,
             outputs: Optional[Sequence[str]] = None,
             input_output_aliases: Optional[Mapping[int, int]] = None,
             machine: Optional[Machine] = None, atomics: bool = False
             ) -> Callable[..., Any]:
    """Returns a function of JAX arrays that runs a kernel. It can be used within
    `jax.jit`, and within `jax.vmap`, where the kernel runs once for each element of the
    batch.

    `out_shape` is a `jax.ShapeDtypeStruct` or another object with a shape and a dtype,
    a list or a tuple of such, or a function of the arguments that returns this;
    the results have its structure. `outputs` names the kernel's parameters that
    are the results: the last ones if none are named. Their contents before the kernel
    writes them are undefined.

    `function(*arguments, **constants)` takes the kernel's parameters without the
    outputs. Python's scalars are part of the program that JAX compiles.
    `input_output_aliases` maps indices of arguments to indices of results: the kernel
    writes that argument in place, and the result is its new value and has no parameter
    of its own. The caller's array does not change, since XLA copies it, unless it is
    donated to `jax.jit`.

    `grid` is as in `kernel[grid]`, by default that of the kernel. On the host the
    kernel runs on `machine`: on the CPU if it is None, on the emulator of a GPU for
    `tile.Machine(arch="sm_90a")`.

    The function has derivatives, as `tile.jvp` and `tile.vjp` give them, for `jax.jvp`,
    `jax.grad` and their like, of any order. `atomics` is as for `tile.vjp`.

    Raises an `ArgumentError` or a `LaunchError` if arguments, results or the grid do
    not fit the kernel, and a `CompileError` for a kernel that does not compile. If a
    kernel fails when it runs, XLA raises its own error."""
    if isinstance(kernel, Tuned):
        raise ArgumentError(f"expected a kernel, as `.kernel` of a tuned one, got "
                            f"{kernel!r}")
    if not isinstance(kernel, Kernel):
        raise ArgumentError(f"expected a kernel, got {kernel!r}")
    definition = kernel.definition
    blocks = definition.get_grid(grid, "jax_call(..., grid=...)")
    aliases = dict(input_output_aliases or {})
    where = Machine(library.CPU) if machine is None else machine
    if where.timeout is not None:
        raise ArgumentError(f"expected a machine without a timeout, which XLA's calls "
                            f"have none of, got {where!r}")

    def function(*arguments: Any, **constants: Any) -> Any:
        register_with_jax()
        results = _Results(out_shape, arguments)
        parameters, fixed = _match(definition, outputs, aliases,
                                   results.shapes, arguments, constants)
        definition.check_grid(grid, fixed)
        call = definition.bind([p.described for p in parameters], fixed)
        definition.check_parameters(call, "jax_call")
        program = definition.get_program(call.key)
        _check_written(program.name, parameters, program.written)
        extents = get_blocks(blocks, {**{p.name: p.value for p in parameters},
                                      **program.constants})
        operands = [p.value for p in parameters if p.operand is not None]
        made = Run(program, make_arguments(parameters, call.key.types), len(operands),
                   tuple(results.shapes), extents, where, atomics)
        made.prepare()
        return results.restore(bind(made, operands))

    return function


# ----------------------------------------------------------------------------
# Results and parameters
# ----------------------------------------------------------------------------


class _Results:
    """The shapes and types of a call's results, in the structure that was given."""

    def __init__(self, given: Any, arguments: Sequence[Any]):
        found = given(*arguments) if callable(given) else given
        self._kind = next((kind for kind in (list, tuple)
                           if isinstance(found, kind)), None)
        self.shapes = [_make_shape(index, shape) for index, shape in
                       enumerate([found] if self._kind is None else found)]

    def restore(self, arrays: Sequence[Any]) -> Any:
        """Returns the results in the structure that was given."""
        if self._kind is None:
            return arrays[0]
        return list(arrays) if self._kind is list else tuple(arrays)


def _make_shape(index: int, shape: Any) -> Any:
    if not hasattr(shape, "shape") or not hasattr(shape, "dtype"):
        raise ArgumentError(f"expected a shape and a dtype of result {index}, as "
                            f"of jax.ShapeDtypeStruct, got {shape!r}")
    return import_jax().ShapeDtypeStruct(tuple(shape.shape), shape.dtype)


@dataclass(frozen=True)
class _Parameter:
    """The role of a positional parameter of the kernel: an operand of the call, a
    result, both, or neither if it is a scalar."""

    name: str
    value: Any
    operand: Optional[int] = None
    result: Optional[int] = None

    @property
    def described(self) -> Any:
        if self.operand is None and self.result is None:
            return self.value
        return _describe(self.name, self.value)


def _match(kernel: Definition, outputs: Optional[Sequence[str]],
           aliases: dict[int, int], shapes: Sequence[Any],
           arguments: Sequence[Any], constants: dict[str, Any]
           ) -> tuple[list[_Parameter], dict[str, Any]]:
    """Determines the role of each of the kernel's parameters, and the constants."""
    own = [index for index in range(len(shapes))
           if index not in aliases.values()]
    results = dict(zip(_name_outputs(kernel, outputs, len(own)), own))
    values = _bind_inputs(kernel, results, arguments, constants)
    inputs = {name: _convert(name, values.pop(name)) for name in kernel.names
              if name not in results}
    results |= _match_aliases(aliases, inputs, shapes)
    count = itertools.count()
    parameters = []
    for name in kernel.names:
        value = inputs[name] if name in inputs else shapes[results[name]]
        is_operand = name in inputs and not _is_number(value)
        parameters.append(_Parameter(name, value,
                                     next(count) if is_operand else None,
                                     results.get(name)))
    return parameters, values


def _name_outputs(kernel: Definition, given: Optional[Sequence[str]], count: int
                  ) -> Sequence[str]:
    known = kernel.names
    found = known[max(len(known) - count, 0):] if given is None else given
    if len(found) != count or len(set(found)) != count or \
            not set(found) <= set(known):
        raise ArgumentError(
            f"expected as many outputs of the kernel {kernel.name!r} as "
            f"results without an argument, {count}, of {', '.join(known)}, got "
            f"{', '.join(found) or 'none'}")
    return found


def _bind_inputs(kernel: Definition, outputs: dict[str, int],
                 arguments: Sequence[Any], constants: dict[str, Any]
                 ) -> dict[str, Any]:
    """Binds the arguments of a call to the kernel's parameters, except the outputs;
    returns them by name."""
    takes = kernel.signature.replace(parameters=[
        parameter for name, parameter in kernel.signature.parameters.items()
        if name not in outputs])
    try:
        bound = takes.bind(*arguments, **constants)
    except TypeError as error:
        raise ArgumentError(
            f"{kernel.name}{takes}, without the outputs "
            f"{', '.join(outputs) or 'none'}: {error}") from None
    bound.apply_defaults()
    return dict(bound.arguments)


def _match_aliases(aliases: dict[int, int], inputs: dict[str, Any],
                   shapes: Sequence[Any]) -> dict[str, int]:
    """Returns the indices of the results that alias arguments, by the arguments'
    names."""
    names = list(inputs)
    found: dict[str, int] = {}
    for at, to in aliases.items():
        if not 0 <= at < len(names) or not 0 <= to < len(shapes) or \
                to in found.values():
            raise ArgumentError(
                f"expected input_output_aliases from arguments, 0 to "
                f"{len(names) - 1}, to different results, 0 to "
                f"{len(shapes) - 1}, got {aliases}")
        value, shape = inputs[names[at]], shapes[to]
        if _is_number(value) or _spell(value) != _spell(shape):
            raise ArgumentError(
                f"expected {names[at]!r} to be an array like result {to}, which "
                f"it becomes, {_spell(shape)}, got {_spell(value)}")
        found[names[at]] = to
    return found


def _check_written(kernel: str, parameters: Sequence[_Parameter],
                   written: frozenset[int]) -> None:
    """Checks that the kernel writes its results, all of them and nothing else."""
    for index, parameter in enumerate(parameters):
        if index in written and parameter.result is None:
            raise ArgumentError(
                f"expected {parameter.name!r} to be an output, or to become a "
                f"result by input_output_aliases, since the kernel "
                f"{kernel!r} writes it")
        if index not in written and parameter.result is not None:
            raise ArgumentError(
                f"expected the kernel {kernel!r} to write "
                f"{parameter.name!r}, which is result {parameter.result}, but it "
                "does not")


# ----------------------------------------------------------------------------
# Arrays and scalars
# ----------------------------------------------------------------------------


def _is_number(value: Any) -> bool:
    """Returns whether an argument is part of the program that JAX compiles: a scalar of
    Python or NumPy, or None."""
    return value is None or isinstance(value, (bool, int, float, np.generic))


def _convert(name: str, value: Any) -> Any:
    """Converts an argument that is a NumPy array to a JAX array. Scalars and other
    arrays are returned as they are."""
    if _is_number(value):
        return value
    if isinstance(value, np.ndarray):
        return importlib.import_module("jax.numpy").asarray(value)
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        raise ArgumentError(f"expected an array or a number for {name!r}, got "
                            f"{type(value).__name__}")
    return value


def _spell(value: Any) -> str:
    if _is_number(value):
        return repr(value)
    return f"{value.dtype}[{','.join(map(str, value.shape))}]"


def _describe(name: str, value: Any) -> Description:
    """Describes the dense array that the kernel is traced for."""
    shape = tuple(value.shape)
    if len(shape) > 8:
        raise ArgumentError(f"expected {name!r} to have at most eight dimensions, "
                            f"got {len(shape)}")
    if not all(isinstance(extent, int) for extent in shape):
        raise ArgumentError(f"expected sizes of {name!r} that are known when JAX "
                            f"traces the call, got {_spell(value)}")
    element = get_element(name, value.dtype)
    return Description(0, shape, get_dense_strides(shape), element, None)


def make_arguments(parameters: Sequence[_Parameter], types: Sequence[Optional[Type]]
                   ) -> tuple[Argument, ...]:
    """Returns the arguments of the kernel's program, which has none for a parameter that
    is None."""
    return tuple(
        Argument(p.name, type, p.operand, p.result,
                 pack_scalar(p.value, type) if isinstance(type, Element) else b"")
        for p, type in zip(parameters, types) if type is not None)
