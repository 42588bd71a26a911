# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA stream that a launch is enqueued on."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Optional

from ..errors import ArgumentError
from . import extension


class _State(threading.local):
    stream: Optional[int] = None


_state = _State()


@contextmanager
def stream(handle: int) -> Iterator[None]:
    """Launches the kernels within a `with` block on the CUDA stream with this handle.
    Outside of such a block, a kernel is launched on the current stream of the library
    that its first array belongs to."""
    if not isinstance(handle, int) or isinstance(handle, bool) or \
            not 0 <= handle < 2 ** 64:
        raise ArgumentError(f"expected the handle of a stream as an integer, got "
                            f"{handle!r}")
    outer = _state.stream
    _set_stream(handle)
    try:
        yield
    finally:
        _set_stream(outer)


def _set_stream(handle: Optional[int]) -> None:
    """Sets the stream for this thread, and for its launches by the extension."""
    _state.stream = handle
    extension.set_stream(handle)


def on_stream(array: Any) -> contextlib.AbstractContextManager[Any]:
    """Returns a context in which the library of `array` works on the stream that
    `tile.stream` gives, if it does."""
    package = type(array).__module__.split(".")[0]
    module = sys.modules.get(package)
    if _state.stream is None or module is None:
        return contextlib.nullcontext()
    if package == "torch" and array.device.type == "cuda":
        cuda: Any = module.cuda
        return cuda.stream(  # type: ignore[no-any-return]
            cuda.ExternalStream(_state.stream, array.device))
    if package == "cupy":
        return module.cuda.ExternalStream(_state.stream)  # type: ignore
    return contextlib.nullcontext()


def call_on_stream(function: Callable[[], Any], array: Any) -> Any:
    """Returns the result of a function that uses the library of `array`, on the stream
    that `tile.stream` gives, if it does."""
    with on_stream(array):
        return function()


def find_stream(array: Any, device: int) -> int:
    """Returns the handle of the stream for a launch whose first array is `array`."""
    if _state.stream is not None:
        return _state.stream
    package = type(array).__module__.split(".")[0]
    module = sys.modules.get(package)
    if package == "torch":
        return int(module.cuda.current_stream(device).cuda_stream)  # type: ignore
    if package == "cupy":
        return int(module.cuda.get_current_stream().ptr)  # type: ignore
    if package in ("jax", "jaxlib"):
        array.block_until_ready()  # JAX does not tell the stream that it uses
        return 0
    interface = array.__cuda_array_interface__
    return int(interface.get("stream") or 0)
