# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The positional arguments of a kernel: their types in a program, and their form for
the C libraries."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Optional, Union

import numpy as np

from .. import elements, library
from ..elements import Element, is_known_integer
from ..errors import ArgumentError
from ..ir import ArrayType, Attribute, Type
from . import arrays

# The names of arrays whose extents are all fixed, or a mapping from the names of arrays
# to the dimensions whose extents are fixed.
FixedExtents = Union[str, Sequence[str], Mapping[str, Union[int, Sequence[int]]]]


def describe(name: str, value: Any) -> Any:
    """Returns the `Description` of an array, and anything else as it is."""
    return arrays.describe(name, value) if arrays.is_array(value) else value


def get_type(name: str, argument: Any) -> Optional[Type]:
    """Returns the type of an argument in the program. Returns None if `argument` is
    None: the program then has no such argument."""
    if argument is None:
        return None
    if isinstance(argument, (ArrayType, Element)):
        return argument
    if isinstance(argument, arrays.Description):
        return argument.make_type()
    if isinstance(argument, np.number) or _is_extended(argument):
        return arrays.get_element(name, argument.dtype)
    if isinstance(argument, (bool, np.bool_)):
        return elements.bool_
    if isinstance(argument, int):
        if not -2 ** 63 <= argument < 2 ** 63:
            raise ArgumentError(f"expected a number of 64 bits for {name!r}, got "
                                f"{argument}")
        return elements.index
    if isinstance(argument, float):
        return elements.f32
    if isinstance(argument, complex):
        return elements.complex64
    raise ArgumentError(f"expected an array or a number for {name!r}, got "
                        f"{type(argument).__name__}{_suggest(argument)}")


def _is_extended(argument: Any) -> bool:
    """Whether `argument` is a scalar of a type that ml_dtypes adds to NumPy."""
    return isinstance(argument, np.generic) and not isinstance(argument, np.bool_) and \
        elements.find_element(argument.dtype) is not None


def _suggest(argument: Any) -> str:
    """Suggests an alternative for an argument of a type that kernels do not take."""
    if type(argument).__module__.split(".")[0] in ("jax", "jaxlib"):
        return ("; tile.jax_call makes a function of JAX's arrays of a kernel, and "
                "np.asarray an array of NumPy")
    if isinstance(argument, (list, tuple)):
        return "; np.array makes an array of it"
    return ""


def pack_all(values: Sequence[Any], types: Sequence[Optional[Type]]
             ) -> list[tuple[library.Argument, Any]]:
    """Packs, for the C library, the arguments that a program has. An argument that is
    None is left out."""
    return [_pack(value, type) for value, type in zip(values, types)
            if type is not None]


def _pack(value: Any, type: Type) -> tuple[library.Argument, Any]:
    """Returns an argument for the C library, and the data that it points to, which must
    be kept as long as the argument is used."""
    if isinstance(type, Element):
        dtype = np.dtype(np.int64) if type == elements.index else \
            elements.get_dtype(type)
        kept = np.array(value, dtype)
        return library.Argument(data=kept.ctypes.data, rank=library.SCALAR,
                                type=type.mlir.encode()), kept
    shape, strides_of_shape = (value.shape, value.strides) if value.shape else \
        ((1,), (1,))
    rank = len(shape)
    sizes = (ctypes.c_int64 * rank)(*shape)
    strides = (ctypes.c_int64 * rank)(*strides_of_shape)
    return library.Argument(data=value.data, rank=rank, sizes=sizes,
                            strides=strides, type=type.element.mlir.encode()
                            ), (sizes, strides)


# ----------------------------------------------------------------------------
# Fixed extents
# ----------------------------------------------------------------------------


class Fixed:
    """The array extents that are constants of the traced program (`fixed` of
    @tile.kernel)."""

    def __init__(self, given: FixedExtents, names: Sequence[str]):
        """`names` are those of the kernel's positional parameters."""
        if isinstance(given, str):
            given = given.replace(",", " ").split()
        self._dims: dict[str, Union[None, int, tuple[int, ...]]] = {}
        for name in given:
            if name not in names:
                raise ArgumentError(
                    f"expected names of positional parameters as fixed, "
                    f"{', '.join(map(repr, names))}, got {name!r}")
            self._dims[name] = _check_dims(name, given[name]) \
                if isinstance(given, Mapping) else None

    def apply(self, name: str, argument: Any, type: Optional[Type]
              ) -> Optional[Type]:
        """Returns the type of an argument with its fixed extents as constants."""
        if name not in self._dims or type is None:
            return type
        if not isinstance(type, ArrayType):
            raise ArgumentError(f"expected an array for {name!r}, whose extents are "
                                f"fixed, got {argument!r}")
        dims = self._list_dims(name, len(type.shape))
        extents = argument.shape
        for dim in dims:
            if extents[dim] is None:
                raise ArgumentError(f"expected extent {dim} of {name!r}, which is "
                                    f"fixed, got an {type!r}")
        return replace(type, shape=tuple(
            extents[dim] if dim in dims else extent
            for dim, extent in enumerate(type.shape)))

    def _list_dims(self, name: str, rank: int) -> list[int]:
        given = self._dims[name]
        if given is None:
            return list(range(rank))
        dims = (given,) if isinstance(given, int) else given
        for dim in dims:
            if not -rank <= dim < rank:
                raise ArgumentError(
                    f"expected dimensions of {name!r} from {-rank} to {rank - 1} as "
                    f"fixed, got {dim}")
        return [dim % rank for dim in dims]


def _check_dims(name: str, dims: Any) -> Union[int, tuple[int, ...]]:
    several = (dims,) if is_known_integer(dims) else dims
    if not isinstance(several, Sequence) or isinstance(several, str) or \
            not all(is_known_integer(dim) and not isinstance(dim, bool)
                    for dim in several):
        raise ArgumentError(f"expected a dimension of {name!r} or several as fixed, "
                            f"got {dims!r}")
    return tuple(map(int, several))


# ----------------------------------------------------------------------------
# Alignment
# ----------------------------------------------------------------------------


class Alignment:
    """The alignment that is assumed for the addresses of a kernel's arrays."""

    def __init__(self, given: Union[int, Mapping[str, int]], names: Sequence[str]):
        """`names` are those of the kernel's positional parameters."""
        self._each = given if isinstance(given, Mapping) else \
            dict.fromkeys(names, given)
        for name, bytes in self._each.items():
            if name not in names:
                raise ArgumentError(
                    f"expected names of positional parameters with an alignment, "
                    f"{', '.join(map(repr, names))}, got {name!r}")
            if type(bytes) is not int or not 1 <= bytes <= arrays.MAX_ALIGNMENT or \
                    bytes & (bytes - 1):
                raise ArgumentError(f"expected a power of two up to "
                                    f"{arrays.MAX_ALIGNMENT} as the "
                                    f"alignment of {name!r}, got {bytes!r}")

    def get(self, name: str) -> int:
        """Returns the alignment of an array in bytes."""
        return self._each.get(name, 1)

    def make_attributes(self, name: str, type: Type) -> dict[str, Attribute]:
        bytes = self.get(name)
        if bytes == 1 or not isinstance(type, ArrayType):
            return {}
        return {"tile.alignment": Attribute(f"{bytes} : i64")}
