# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of derivatives: their arguments, which belong to those of the kernel, are
checked and passed on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Optional

from ..elements import Element
from ..errors import ArgumentError
from ..ir import ArrayType, Type
from ..launching import arrays, fakes, launches
from ..launching.arguments import describe, pack_all
from ..launching.arrays import Description
from ..launching.programs import Call, Definition, Key, find_arch
from ..launching.streams import call_on_stream
from ..launching.work import Work, check_not_tracing
from ..tracing.trace import describe as describe_value
from .derived import GRID, Derived, Request, Role, derive
from .memory import prepare_new
from .planned import Slotted


@dataclass(frozen=True)
class Bound:
    """A call of a derivative: the kernel's arguments, with cotangents instead of outputs
    that are differentiated in reverse mode. Nothing runs for calls with fake
    tensors of PyTorch."""

    definition: Definition
    request: Request
    call: Call
    key: Key
    derived: Derived
    is_fake: bool

    def match(self, other: Mapping[str, Any]) -> "Bound":
        """Returns the call for further arrays, which are like the arguments of the same
        names but may have other strides."""
        described = {name: describe(name, array) for name, array in other.items()}
        types = tuple(
            _widen(type, described[name]) if name in described else type
            for name, type in zip(self.call.names, self.key.types))
        if types == self.key.types:
            return self
        key = replace(self.key, types=types)
        return replace(self, key=key, derived=_find(self.definition, self.request, key))


def bind(definition: Definition, request: Request, given: Sequence[Any],
         constants: Mapping[str, Any]) -> Bound:
    """Binds the arguments of a call, which may be types if the call is not run."""
    check_not_tracing(definition)
    call = definition.bind(given, constants)
    definition.check_parameters(call, "a derivative")
    for role, names in (("differentiate by", request.wrt),
                        ("differentiate", request.outputs)):
        for name in names or ():
            index = list(call.names).index(name)
            _check_type(role, name, call.values[index], call.key.types[index])
    is_fake = fakes.has_fakes(given, constants)
    return Bound(definition, request, call, call.key,
                 _find(definition, request, call.key), is_fake)


def _find(definition: Definition, request: Request, key: Key) -> Derived:
    return derive(definition.get_program(key), request)


def _check_type(role: str, name: str, value: Any, type: Optional[Type]) -> None:
    if isinstance(type, ArrayType) and type.element.kind in ("float", "complex"):
        return
    advice = "; an array with one element can take its place" \
        if isinstance(type, Element) else ""
    given = repr(type) if isinstance(type, ArrayType) else describe_value(value)
    raise ArgumentError(f"expected an array of floating-point or complex elements for "
                        f"{name!r}, to {role}, got {given}{advice}")


def _widen(type: Optional[Type], array: Description) -> Optional[Type]:
    """Returns a type of arrays that also has the strides of `array`."""
    if not isinstance(type, ArrayType) or \
            array.is_dense and type.strides is None or not type.shape:
        return type
    return replace(type, strides=(None,) * len(type.shape))


# ----------------------------------------------------------------------------
# Arrays that belong to arguments
# ----------------------------------------------------------------------------


def take_arrays(what: str, names: Sequence[str], given: Any, call: Call
                ) -> dict[str, Any]:
    """Returns the arrays that a call gives for some parameters, by their names. `given`
    is one array, a sequence in the order of `names`, or a mapping from names to arrays.
    Each must have the shape, the type and the device of the parameter's argument;
    `what` names them in errors."""
    arguments = dict(zip(call.names, call.described))
    found = _list_arrays(what, names, given)
    for name, array in found.items():
        if not arrays.is_array(array):
            raise ArgumentError(f"expected {what} that are arrays, got "
                                f"{describe_value(array)} for {name!r}")
        _check_like(f"{what} of {name!r}", describe(name, array), arguments[name])
    return found


def check_writable(what: str, given: Mapping[str, Any]) -> None:
    for name, array in given.items():
        if not describe(name, array).is_writable:
            raise ArgumentError(f"expected {what} that are writable, got a read-only "
                                f"array for {name!r}")


def _list_arrays(what: str, names: Sequence[str], given: Any) -> dict[str, Any]:
    expected = f"expected {what} for {', '.join(map(repr, names))}"
    if isinstance(given, Mapping):
        if set(given) != set(names):
            raise ArgumentError(f"{expected}, got them for "
                                f"{', '.join(map(repr, given)) or 'none'}")
        return {name: given[name] for name in names}
    several = given if isinstance(given, (tuple, list)) else (given,)
    if len(several) != len(names):
        raise ArgumentError(f"{expected}, got {len(several)}")
    return dict(zip(names, several))


def _check_like(what: str, array: Description, like: Description) -> None:
    for part, found, expected in (
            ("shape", array.shape, like.shape), ("type", array.element, like.element),
            ("device", _spell_device(array), _spell_device(like))):
        if found != expected:
            raise ArgumentError(f"expected the {part} of the {what} to be {expected}, as "
                                f"that of the argument, got {found}")


def _spell_device(array: Description) -> str:
    return "the host" if array.device is None else f"GPU {array.device}"


# ----------------------------------------------------------------------------
# Runs
# ----------------------------------------------------------------------------


def prepare_result(derived: Derived, owner: str, like: Any, alignment: int = 1
                   ) -> Callable[[], Any]:
    """Returns a function that makes arrays for the result that belongs to a parameter,
    like the array `like`. They are zero unless each element is overwritten."""
    return prepare_new(like, None if derived.overwrites(owner) else 0, alignment)


def assemble(derived: Derived, own: Mapping[str, Slotted], seeds: Mapping[str, Slotted],
             results: Mapping[str, Slotted], blocks: tuple[int, ...],
             saved: Mapping[str, Slotted] = MappingProxyType({})
             ) -> tuple[Work, list[Optional[int]]]:
    """Returns a run of a derivative of a program, whose arguments are checked, and the
    slots of these. It takes arguments of the program, seeds, results and saved outputs,
    by the names of the program's parameters to which they belong."""
    given = {Role.OWN: own, Role.SEED: seeds, Role.RESULT: results, Role.SAVED: saved}
    blocks = derived.find_blocks(blocks, {
        part.name: given[part.role][part.owner].array
        for part in derived.parts if part.role is not Role.GRID})
    given[Role.GRID] = {name: Slotted(extent, None) for name, extent in zip(GRID, blocks)}
    names = [part.name for part in derived.parts]
    taken = [given[part.role][part.owner] for part in derived.parts]
    values = [one.array for one in taken]
    described = list(map(describe, names, values))
    types = tuple(part.type for part in derived.parts)
    call = Call(names, values, described, Key(types, (), ()))
    call.check_written(derived.program.written)
    work = Work(call, derived.program, blocks, call.find_device(),
                pack_all(described, types))
    slots = [one.slot if isinstance(part.type, ArrayType) else None
             for part, one in zip(derived.parts, taken)]
    return work, slots


def run_alone(derived: Derived, own: Mapping[str, Any], seeds: Mapping[str, Any],
              results: Mapping[str, Any], blocks: tuple[int, ...]) -> None:
    """Runs a derivative of a program on such arrays."""
    given = [{name: Slotted(array, None) for name, array in arrays.items()}
             for arrays in (own, seeds, results)]
    work, _ = assemble(derived, given[0], given[1], given[2], blocks)
    launches.run(work)


def make_result(derived: Derived, owner: str, like: Any, alignment: int = 1) -> Any:
    """Returns an array that `prepare_result` makes, on the stream of the launches that
    follow."""
    return call_on_stream(prepare_result(derived, owner, like, alignment), like)


def find_call_arch(call: Call) -> str:
    """Returns the architecture that a call runs on, or would run on."""
    return find_arch(call.find_device())
