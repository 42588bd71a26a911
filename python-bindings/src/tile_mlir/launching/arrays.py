# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arrays that a kernel takes: on the host arrays of NumPy and PyTorch, on a GPU
arrays of PyTorch, CuPy, JAX and of any other library with `__cuda_array_interface__`.
No array is copied."""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np

from .. import elements
from ..elements import DType, Element
from ..errors import ArgumentError
from ..ir import ArrayType
from . import runtime

# The largest alignment that may be assumed for addresses of arrays. If the address of a
# copy equals that of the original array modulo this alignment, a kernel runs in the
# same way on both: the same variant runs, and accesses the same sectors.
MAX_ALIGNMENT = 65536


@dataclass(frozen=True)
class Span:
    """A range of bytes in memory, from `begin` up to but not including `end`."""

    begin: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.begin


@dataclass(frozen=True)
class Description:
    """The memory of an array. Strides are in elements; `device` is the ordinal of a
    GPU, None for the host."""

    data: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    element: Element
    device: Optional[int]
    is_writable: bool = True

    @property
    def is_dense(self) -> bool:
        """Whether rows are contiguous."""
        expected = 1
        for extent, stride in zip(reversed(self.shape), reversed(self.strides)):
            if extent != 1 and stride != expected:
                return 0 in self.shape
            expected *= extent
        return True

    @property
    def item_bytes(self) -> int:
        """The bytes of an element in memory."""
        return max(self.element.bits // 8, 1)

    @functools.cached_property
    def span(self) -> Span:
        """The bytes from the first element to the last one; empty for an array without
        elements."""
        if 0 in self.shape:
            return Span(self.data, self.data)
        begin = end = self.data
        for extent, stride in zip(self.shape, self.strides):
            last = (extent - 1) * stride * self.item_bytes
            begin, end = begin + min(last, 0), end + max(last, 0)
        return Span(begin, end + self.item_bytes)

    def make_type(self) -> ArrayType:
        """Returns the array's type in the program. Its extents are known only at run
        time; it has strides if rows are not contiguous."""
        shape = (None,) * len(self.shape)
        if self.is_dense:
            return ArrayType(shape, self.element)
        last = 1 if self.strides[-1] == 1 else None
        return ArrayType(shape, self.element, (*shape[:-1], last))


class _Interface:
    """The bytes of an array, for NumPy."""

    def __init__(self, array: Description):
        size = array.item_bytes
        self.__array_interface__ = {
            "version": 3, "data": (array.data, False), "typestr": "|u1",
            "shape": (*array.shape, size),
            "strides": (*(stride * size for stride in array.strides), 1)}


def view_bytes(array: Description) -> "np.ndarray[Any, np.dtype[np.uint8]]":
    """Returns a view of an array's memory as bytes. It has an additional last axis,
    along the bytes of an element. A write to the view changes the array, even if that
    is read-only. The view of an array on a GPU must be neither read nor written."""
    return np.asarray(_Interface(array))


# The limit on the work of `numpy.shares_memory`, which searches for an element that two
# arrays share. If it reaches the limit, the arrays are assumed to share memory.
_MAX_WORK = 100_000


def share_memory(a: Description, b: Description) -> bool:
    """Whether two arrays have bytes in common."""
    if a.device != b.device or a.span.end <= b.span.begin or \
            b.span.end <= a.span.begin:
        return False
    try:
        return np.shares_memory(view_bytes(a), view_bytes(b),
                                max_work=_MAX_WORK)
    except np.TooHardError:
        return True


def is_array(argument: Any) -> bool:
    """Whether an argument is an array, for which `describe` returns a `Description`."""
    return isinstance(argument, np.ndarray) or _is_torch(argument) or \
        _get_interface(argument) is not None


def _get_interface(argument: Any) -> Any:
    """Returns CUDA's array interface; None if the argument has none."""
    try:
        return argument.__cuda_array_interface__
    except AttributeError:
        return None
    except Exception as error:
        raise ArgumentError(f"expected an array that has its memory, got one that "
                            f"says: {error}") from error


def describe(name: str, array: Any) -> Description:
    """Describes an array. `name` is the kernel's parameter, for error messages."""
    if isinstance(array, np.ndarray):
        found = _describe_numpy(name, array)
    elif _is_torch(array):
        found = _describe_torch(name, array)
    else:
        found = _describe_interface(name, _get_interface(array))
    if not found.data and 0 not in found.shape and not is_fake(array):
        raise ArgumentError(f"expected {name!r} to have memory, got an array without")
    if len(found.shape) > 8:
        raise ArgumentError(f"expected {name!r} to have at most eight dimensions, "
                            f"got {len(found.shape)}")
    return found


def get_element(name: str, dtype: Any) -> Element:
    try:
        return elements.element(dtype)
    except ArgumentError as error:
        raise ArgumentError(f"{name!r}: {error}") from None


def _get_strides(name: str, strides: tuple[int, ...], size: int
                 ) -> tuple[int, ...]:
    """Converts strides in bytes to strides in elements."""
    if any(stride % size for stride in strides):
        raise ArgumentError(f"expected strides of {name!r} in whole elements, got "
                            f"{strides} bytes of {size}")
    return tuple(stride // size for stride in strides)


def _describe_numpy(name: str, array: "np.ndarray[Any, Any]") -> Description:
    if isinstance(array, np.ma.MaskedArray):
        raise ArgumentError(f"expected {name!r} without a mask, got an array with one")
    _check_byte_order(name, array.dtype)
    element = get_element(name, array.dtype)
    strides = _get_strides(name, array.strides, array.itemsize)
    if not array.flags.aligned:
        raise ArgumentError(f"expected elements of {name!r} at multiples of "
                            f"{array.dtype.alignment} bytes, got others")
    return Description(array.ctypes.data, array.shape, strides, element, None,
                       array.flags.writeable)


def _check_byte_order(name: str, dtype: "np.dtype[Any]") -> None:
    if not dtype.isnative:
        raise ArgumentError(f"expected {name!r} in the byte order of the machine, "
                            f"got {dtype}")


def _is_torch(array: Any) -> bool:
    """Whether an array is a tensor of PyTorch, including parameters and other
    subclasses; PyTorch is not imported for this."""
    return any(kind.__module__ == "torch" and kind.__name__ == "Tensor"
               for kind in type(array).__mro__)


def is_fake(array: Any) -> bool:
    """Whether an argument is a fake tensor of PyTorch, which has a type and sizes but
    no memory."""
    return any(kind.__name__ == "FakeTensor" and
               kind.__module__.startswith("torch.")
               for kind in type(array).__mro__)


def _describe_torch(name: str, tensor: Any) -> Description:
    kind = tensor.device.type
    if kind not in ("cpu", "cuda"):
        raise ArgumentError(f"expected {name!r} on the host or on a GPU, got it on "
                            f"{tensor.device}")
    return Description(
        0 if is_fake(tensor) else tensor.data_ptr(), tuple(tensor.shape),
        tuple(tensor.stride()), get_element(name, tensor.dtype),
        tensor.device.index if kind == "cuda" else None)


def _describe_interface(name: str, interface: dict[str, Any]) -> Description:
    """Describes an array by CUDA's array interface, version 2 or 3."""
    try:
        dtype = np.dtype(interface["typestr"])
        shape = tuple(map(operator.index, interface["shape"]))
        strides = interface.get("strides")
        if strides is None:
            strides = get_dense_strides(shape, dtype.itemsize)
        strides = tuple(map(operator.index, strides))
        data, is_readonly = interface["data"]
        has_mask = interface.get("mask") is not None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ArgumentError(
            f"expected '__cuda_array_interface__' of {name!r} with 'typestr', 'shape' "
            f"and 'data', got another: {type(error).__name__}: {error}") from None
    if len(strides) != len(shape):
        raise ArgumentError(f"expected {len(shape)} strides of {name!r}, got "
                            f"{len(strides)}")
    if has_mask:
        raise ArgumentError(f"expected {name!r} without a mask, got an array with one")
    _check_byte_order(name, dtype)
    return Description(data, shape, _get_strides(name, strides, dtype.itemsize),
                       get_element(name, dtype), runtime.find_device(data),
                       not is_readonly)


def get_dense_strides(shape: tuple[int, ...], size: int = 1) -> tuple[int, ...]:
    """Returns the strides of a contiguous array: in bytes if `size` is the bytes of an
    element, in elements if it is one."""
    dense = []
    for extent in reversed(shape):
        dense.append(size)
        size *= extent
    return tuple(reversed(dense))


# ----------------------------------------------------------------------------
# New arrays
# ----------------------------------------------------------------------------


def empty_like(array: Any, shape: Union[int, Sequence[int], None] = None,
               dtype: Optional[DType] = None) -> Any:
    """Returns a new array for a kernel to write, made by the library of `array`: NumPy,
    PyTorch or CuPy. It is on the same device as `array` and has its shape and element
    type, unless `shape` or `dtype` is given. It is contiguous in row-major order, and
    its contents are undefined."""
    return prepare_empty(array, shape, dtype)()


def prepare_empty(array: Any, shape: Union[int, Sequence[int], None] = None,
                  dtype: Optional[DType] = None) -> Callable[[], Any]:
    """Returns a function that makes arrays as `empty_like` does. It does not keep
    `array`."""
    shape = tuple(array.shape) if shape is None else shape
    element = elements.element(array.dtype if dtype is None else dtype)
    if isinstance(array, np.ndarray):
        return functools.partial(np.empty, shape, elements.get_dtype(element))
    if _is_torch(array):
        torch: Any = sys.modules["torch"]
        return functools.partial(
            torch.empty, shape, dtype=getattr(torch, elements.get_name(element)),
            device=array.device)
    if _is_cupy(array):
        return functools.partial(_make_of_cupy, array.device, shape,
                                 elements.get_dtype(element))
    raise ArgumentError(f"expected an array of NumPy, PyTorch or CuPy, got "
                        f"{type(array).__name__}")


def prepare_memory(array: Any, bytes: int) -> Optional[Callable[[], Any]]:
    """Returns a function that makes arrays of `bytes` bytes on the device of `array`, at
    addresses that are multiples of 256. Their library gives memory that was released
    only to later work of the same stream. Returns None for other libraries than PyTorch
    and CuPy."""
    if not _is_torch(array) and not _is_cupy(array):
        return None
    return prepare_empty(array, (bytes,), elements.u8)


def _is_cupy(array: Any) -> bool:
    return type(array).__module__.split(".")[0] == "cupy"


def _make_of_cupy(device: Any, shape: Any, dtype: Any) -> Any:
    with device:
        return sys.modules["cupy"].empty(shape, dtype)
