# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel takes as an array: NumPy's on the host, and on a GPU those of
PyTorch, CuPy, JAX and of whatever else has `__cuda_array_interface__`. None is
copied."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import elements
from .elements import DType, Element
from .errors import ArgumentError
from .ir import ArrayType


@dataclass(frozen=True)
class Description:
    """Where an array lies. Strides are in elements; `device` is the number of a
    GPU, None for the host."""

    data: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    element: Element
    device: Optional[int]
    is_writable: bool = True

    @property
    def is_dense(self) -> bool:
        """Whether rows lie in a row."""
        expected = 1
        for extent, stride in zip(reversed(self.shape), reversed(self.strides)):
            if extent != 1 and stride != expected:
                return 0 in self.shape
            expected *= extent
        return True

    def make_type(self) -> ArrayType:
        """With sizes of run time; with strides where rows do not lie in a row."""
        shape = (None,) * len(self.shape)
        if self.is_dense:
            return ArrayType(shape, self.element)
        last = 1 if self.strides[-1] == 1 else None
        return ArrayType(shape, self.element, (*shape[:-1], last))


def is_array(argument: Any) -> bool:
    """Whether an argument is described as an array."""
    return isinstance(argument, np.ndarray) or _is_torch(argument) or \
        hasattr(argument, "__cuda_array_interface__")


def describe(name: str, array: Any) -> Description:
    """An argument, of a kernel's parameter with a name, which errors have."""
    if isinstance(array, np.ndarray):
        found = _describe_numpy(name, array)
    elif _is_torch(array):
        found = _describe_torch(name, array)
    else:
        found = _describe_interface(name, array.__cuda_array_interface__)
    if not 1 <= len(found.shape) <= 8:
        raise ArgumentError(f"expected {name!r} to have one to eight dimensions, "
                            f"got {len(found.shape)}")
    return found


def _get_element(name: str, dtype: Any) -> Element:
    try:
        return elements.element(dtype)
    except ArgumentError as error:
        raise ArgumentError(f"{name!r}: {error}") from None


def _get_strides(name: str, strides: tuple[int, ...], size: int
                 ) -> tuple[int, ...]:
    """Strides of bytes in elements."""
    if any(stride % size for stride in strides):
        raise ArgumentError(f"expected strides of {name!r} in whole elements, got "
                            f"{strides} bytes of {size}")
    return tuple(stride // size for stride in strides)


def _describe_numpy(name: str, array: "np.ndarray[Any, Any]") -> Description:
    if array.dtype.byteorder == ">":
        raise ArgumentError(f"expected {name!r} in the byte order of the machine, "
                            f"got {array.dtype}")
    return Description(
        array.ctypes.data, array.shape,
        _get_strides(name, array.strides, array.itemsize),
        _get_element(name, array.dtype), None, array.flags.writeable)


def _is_torch(array: Any) -> bool:
    """Without an import of PyTorch. Parameters and subclasses are tensors too."""
    return any(kind.__module__ == "torch" and kind.__name__ == "Tensor"
               for kind in type(array).__mro__)


def _describe_torch(name: str, tensor: Any) -> Description:
    kind = tensor.device.type
    if kind not in ("cpu", "cuda"):
        raise ArgumentError(f"expected {name!r} on the host or on a GPU, got it on "
                            f"{tensor.device}")
    return Description(
        tensor.data_ptr(), tuple(tensor.shape), tuple(tensor.stride()),
        _get_element(name, tensor.dtype),
        tensor.device.index if kind == "cuda" else None)


def _describe_interface(name: str, interface: dict[str, Any]) -> Description:
    """CUDA's array interface, version 2 or 3."""
    dtype = np.dtype(interface["typestr"])
    shape = tuple(interface["shape"])
    strides = interface.get("strides")
    if strides is None:
        dense = []
        size = dtype.itemsize
        for extent in reversed(shape):
            dense.append(size)
            size *= extent
        strides = tuple(reversed(dense))
    data, is_readonly = interface["data"]
    from .runtime import find_device
    return Description(data, shape, _get_strides(name, strides, dtype.itemsize),
                       _get_element(name, dtype), find_device(data),
                       not is_readonly)


# ----------------------------------------------------------------------------
# New arrays
# ----------------------------------------------------------------------------


def empty_like(array: Any, shape: Union[int, Sequence[int], None] = None,
               dtype: Optional[DType] = None) -> Any:
    """An array for a kernel to write: of the library of another one, NumPy's,
    PyTorch's or CuPy's, on its device, with its shape and type but where others are
    given, and with rows in a row. What it has in it is not defined."""
    shape = tuple(array.shape) if shape is None else shape
    element = elements.element(array.dtype if dtype is None else dtype)
    if isinstance(array, np.ndarray):
        return np.empty(shape, elements.get_dtype(element))
    if _is_torch(array):
        torch: Any = sys.modules["torch"]
        return torch.empty(shape, dtype=getattr(torch, elements.get_name(element)),
                           device=array.device)
    if type(array).__module__.split(".")[0] == "cupy":
        cupy: Any = sys.modules["cupy"]
        with array.device:
            return cupy.empty(shape, elements.get_dtype(element))
    raise ArgumentError(f"expected an array of NumPy, PyTorch or CuPy, got "
                        f"{type(array).__name__}")
