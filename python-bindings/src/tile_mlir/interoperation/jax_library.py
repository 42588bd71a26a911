# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library of launch/xla.c, which runs kernels within JAX's computations, and its
registration with JAX."""

from __future__ import annotations

import ctypes
import functools
import importlib
from ctypes import c_char_p, c_int32, c_size_t, c_void_p
from pathlib import Path
from typing import Any, Optional

from .. import library
from ..errors import PACKAGE, TileError
from ..launching import cache, runtime

TARGET = "tile_mlir.call"
FILE = Path(PACKAGE, "_xla.so")


class _Libraries(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in (
        "compiler", "compile", "get_output", "destroy_result", "run",
        "get_compiler_error", "open_device", "get_device_info", "load_module",
        "get_kernel", "get_workspaces", "launch", "get_runtime_error", "get_function",
        "create_call", "launch_call", "destroy_call", "synchronize")]


_OF_COMPILER = {
    "compile": "tile_compile", "get_output": "tile_result_get_output",
    "destroy_result": "tile_result_destroy", "run": "tile_run",
    "get_compiler_error": "tile_compiler_last_error"}
_OF_RUNTIME = {
    "open_device": "tile_device_open", "get_device_info": "tile_device_get_info",
    "load_module": "tile_module_load", "get_kernel": "tile_module_get_kernel",
    "get_workspaces": "tile_kernel_get_workspaces", "launch": "tile_launch",
    "get_runtime_error": "tile_runtime_last_error",
    "get_function": "tile_module_get_function", "create_call": "tile_call_create",
    "launch_call": "tile_call_launch", "destroy_call": "tile_call_destroy",
    "synchronize": "tile_device_synchronize"}


@functools.lru_cache(maxsize=None)
def register_with_jax() -> None:
    """Registers with JAX the functions that run kernels, once. `jax_call` does so too;
    a process that only runs an export of another process (`jax.export`) must call
    this."""
    ffi, handlers = import_jax().ffi, get_handlers()
    for platform, handler in (("cpu", handlers.tile_xla_execute_host),
                              ("CUDA", handlers.tile_xla_execute_cuda)):
        ffi.register_ffi_target(TARGET, ffi.pycapsule(handler),
                                platform=platform)


@functools.lru_cache(maxsize=None)
def import_jax() -> Any:
    try:
        jax = importlib.import_module("jax")
        importlib.import_module("jax.ffi")
    except ImportError as error:
        raise TileError(f"expected the package jax, of version 0.5 or later, got "
                        f"none: {error}") from None
    return jax


@functools.lru_cache(maxsize=None)
def get_handlers() -> ctypes.CDLL:
    try:
        handlers = ctypes.CDLL(str(FILE))
    except OSError as error:
        raise TileError(f"expected {FILE.name} beside the package's modules, as "
                        "python-bindings/README.md builds it, got none: "
                        f"{error}") from None
    _declare(handlers)
    handlers.tile_xla_connect(ctypes.byref(_find_functions()))
    return handlers


def _declare(handlers: ctypes.CDLL) -> None:
    library.declare(handlers, {
        "tile_xla_prepare": [c_char_p, c_size_t, c_int32, c_char_p],
        "tile_xla_add_binary": [c_char_p, c_size_t, c_char_p, c_char_p, c_char_p,
                                c_size_t, c_char_p]})
    handlers.tile_xla_connect.restype = None


def _find_functions() -> _Libraries:
    """Returns the functions of the compiler's library, and of the runtime's if that can
    be opened."""
    found = _Libraries(compiler=library.get_compiler())
    _fill(found, library.get_library(), _OF_COMPILER)
    try:
        _fill(found, runtime.get_library(), _OF_RUNTIME)
    except TileError:
        pass  # there may be no GPU
    return found


def _fill(found: _Libraries, given: ctypes.CDLL, names: dict[str, str]) -> None:
    for member, name in names.items():
        setattr(found, member, ctypes.cast(getattr(given, name), c_void_p).value)


@functools.lru_cache(maxsize=None)
def prepare(text: str, name: str, tiling: Optional[str], machine: int,
             arch: Optional[str]) -> None:
    """Compiles the kernel for JAX's default backend, so that a CompileError is raised
    here. For other backends a kernel is compiled when it first runs."""
    jax, program = import_jax(), text.encode()
    if jax.default_backend() == "cpu":
        status = get_handlers().tile_xla_prepare(
            program, len(program), machine, (arch or "").encode())
        if status != library.OK:
            library.compile_text(text, machine=machine, arch=arch, name=name)
            raise TileError(f"expected memory for the program {name}, got none")
    elif jax.local_devices()[0].platform == "gpu":
        for of_device in {runtime.get_device(device.local_hardware_id).arch
                          for device in jax.local_devices()}:
            _add_binary(text, name, tiling, of_device)


def _add_binary(text: str, name: str, tiling: Optional[str], arch: str) -> None:
    """Compiles the kernel, or reads it from the cache on disk, and adds the binary to
    the library of launch/xla.c."""
    program, made = text.encode(), cache.compile_kernel(text, arch, name, tiling)
    status = get_handlers().tile_xla_add_binary(
        program, len(program), (tiling or "").encode(), arch.encode(), made.cubin,
        len(made.cubin), made.metadata)
    if status != library.OK:
        raise TileError(f"expected memory for the cubin of {name}, got none")
