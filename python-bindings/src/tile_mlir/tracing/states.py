# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The state of objects whose changes cannot be undone: iterators, arrays, tensors and
random generators."""

from __future__ import annotations

import array
import gc
import operator
import random
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from types import GeneratorType
from typing import Any, Optional

import numpy as np

class _Same:
    """Objects that are compared by their identities."""

    def __init__(self, objects: list[Any]):
        self._objects = objects

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Same)
            and len(self._objects) == len(other._objects)
            and all(map(operator.is_, self._objects, other._objects))
        )


def _get_state(iterator: Any) -> Any:
    """Returns a value that changes when an iterator, or an iterator that it reads from,
    advances."""
    if isinstance(iterator, GeneratorType):
        frame = iterator.gi_frame
        return frame and (frame.f_lasti, _Same(gc.get_referents(iterator)))
    if type(iterator).__module__ == "itertools":
        return _get_state_of_itertools(iterator)
    return operator.length_hint(iterator, -1)


def _get_state_of_itertools(iterator: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return list(_list_integers(iterator.__reduce__()))
        except TypeError:  # since Python 3.14
            return repr(iterator)


def _list_integers(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from _list_integers(part)
    elif isinstance(value, int):
        yield value
    elif is_iterator(type(value)):
        yield operator.length_hint(value, -1)


# Arrays of more bytes are compared by a checksum.
_MOST_BYTES = 1 << 20


def _get_elements(values: np.ndarray[Any, Any]) -> Any:
    if values.dtype.hasobject:
        return _Same(list(values.flat))
    if not values.flags.writeable:
        return None
    if values.nbytes > _MOST_BYTES:
        return zlib.crc32(np.ascontiguousarray(values).view(np.uint8).data)
    return values.tobytes()


def _get_bytes(values: Any) -> bytes:
    return memoryview(values).tobytes()


def _get_generator_state(generator: Any) -> str:
    return repr(generator.bit_generator.state)


def _get_version(tensor: Any) -> Any:
    return None if tensor.is_inference() else tensor._version


def find_opaque(kind: type) -> Optional[tuple[str, Callable[[Any], Any]]]:
    """Returns a description of a type in words, and a function that returns the state
    of an object of the type; None for types that are not listed here."""
    torch = sys.modules.get("torch")
    if issubclass(kind, np.ndarray):
        return "array of NumPy", _get_elements
    if issubclass(kind, (bytearray, memoryview, array.array)):
        return "array of bytes", _get_bytes
    if is_iterator(kind):
        return "iterator", _get_state
    if issubclass(kind, random.Random):
        return "random generator", random.Random.getstate
    if issubclass(kind, np.random.Generator):
        return "random generator", _get_generator_state
    if torch is not None and issubclass(kind, torch.Tensor):
        return "tensor", _get_version
    return None


def is_iterator(kind: type) -> bool:
    """Whether a type is one of Python's own iterators."""
    return kind.__module__ in ("builtins", "itertools") and (
        kind is GeneratorType or issubclass(kind, Iterator)
    )
