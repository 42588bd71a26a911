# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of launch/xla.c that XLA calls, without XLA: they are called with call
frames as XLA makes them, and with functions in place of those of the C libraries, which
record their calls."""

import ctypes
import itertools
import struct
from ctypes import (CFUNCTYPE, POINTER, c_char_p, c_int32, c_int64, c_size_t, c_uint32,
                    c_void_p)

import numpy as np
import pytest

from tile_mlir import library
from tile_mlir.interoperation import jax_library
from tile_mlir.launching import cache, runtime
from xla_frames import Api, Extension, Frame, Metadata, Version, Xla

if not jax_library.FILE.exists():
    pytest.skip("launch/xla.c is not built", allow_module_level=True)

OK, WRONG, FAILED = 0, 8, 11


# ----------------------------------------------------------------------------
# The C libraries
# ----------------------------------------------------------------------------


class CArguments:
    """Converts the arguments of a function to Python values."""

    def __new__(cls, arguments, count):
        found = []
        for argument in arguments[:count]:
            type = argument.type.decode()
            if argument.rank == library.SCALAR:
                found.append((type, ctypes.string_at(argument.data, 16)))
            else:
                assert not argument.strides
                found.append((type, argument.data,
                              tuple(argument.sizes[:argument.rank])))
        return found


class Libraries:
    """Replaces the functions of the C libraries that a handler calls, by their names in
    jax_library.py."""

    def __init__(self):
        self.log, self.fails, self.workspaces = [], set(), []
        self.handles = itertools.count(0x1000, 16)
        status, text, out = c_int32, c_char_p, POINTER(c_void_p)
        arguments = POINTER(library.Argument)
        self.functions = {
            "compile": self.declare(status, c_void_p, c_void_p, c_size_t,
                                    POINTER(library.CompileOptions), out)(
                                        self.compile),
            "get_output": self.declare(status, c_void_p, c_uint32, POINTER(text),
                                       POINTER(c_size_t))(self.get_output),
            "destroy_result": self.declare(status, c_void_p)(
                lambda result: self.note("destroy_result", result)),
            "run": self.declare(status, c_void_p, text, arguments, c_size_t,
                                POINTER(library.RunOptions), c_void_p)(self.run),
            "get_compiler_error": self.declare(c_void_p)(
                lambda: self.text(b"the compiler's words")),
            "open_device": self.declare(status, c_uint32, c_int32, out)(
                lambda version, ordinal, out: self.make(
                    out, "open_device", version, ordinal)),
            "get_device_info": self.declare(
                status, c_void_p, POINTER(runtime.DeviceInfo))(self.get_info),
            "load_module": self.declare(status, c_void_p, c_void_p, c_size_t, text,
                                        out)(self.load_module),
            "get_kernel": self.declare(status, c_void_p, text, out)(
                lambda module, name, out: self.make(out, "get_kernel", name)),
            "get_workspaces": self.declare(
                status, c_void_p, arguments, c_size_t, POINTER(c_int64), c_size_t,
                POINTER(c_size_t))(self.get_workspaces),
            "launch": self.declare(status, c_void_p, arguments, c_size_t,
                                   POINTER(runtime.LaunchOptions))(self.launch),
            "get_runtime_error": self.declare(c_void_p)(
                lambda: self.text(b"the runtime's words")),
            "get_function": self.declare(status, c_void_p, text, out)(
                lambda module, name, out: self.make(out, "get_function", name)),
            "create_call": self.declare(status, c_void_p, arguments, c_size_t, out)(
                lambda function, arguments, count, out: self.make(
                    out, "create_call", CArguments(arguments, count))),
            "launch_call": self.declare(status, c_void_p, c_void_p)(
                lambda call, stream: self.note("launch_call", stream)),
            "destroy_call": self.declare(status, c_void_p)(
                lambda call: self.note("destroy_call")),
            "synchronize": self.declare(status, c_void_p)(
                lambda device: self.note("synchronize"))}
        self.struct = jax_library._Libraries(
            compiler=0xcc, **{name: ctypes.cast(function, c_void_p).value
                              for name, function in self.functions.items()})
        self._text = None

    declare = staticmethod(CFUNCTYPE)

    def text(self, value):
        self._text = ctypes.create_string_buffer(value)
        return ctypes.addressof(self._text)

    def note(self, name, *words):
        self.log.append((name, *words))
        return WRONG if name in self.fails else OK

    def make(self, out, name, *words):
        out[0] = next(self.handles)
        return self.note(name, *words)

    def take(self):
        log, self.log[:] = list(self.log), []
        return log

    def compile(self, compiler, program, size, options, out):
        assert compiler == 0xcc
        options = options[0]
        return self.make(out, "compile", ctypes.string_at(program, size).decode(),
                         options.machine, options.arch, options.outputs,
                         options.tiling)

    def get_output(self, result, output, data, size):
        data[0] = b"{}" if output == library.OUTPUTS["metadata"] else b"compiled"
        if size:
            size[0] = 8
        return self.note("get_output", output)

    def run(self, result, kernel, arguments, count, options, outcome):
        assert outcome is None
        options = options[0]
        status = self.note("run", kernel, CArguments(arguments, count),
                           tuple(options.grid[:3]), options.threads,
                           (options.schedules, options.seed, options.tolerance))
        return FAILED if status else OK

    def get_info(self, device, info):
        info[0].arch = b"sm_90a"
        return self.note("get_device_info")

    def load_module(self, device, binary, size, metadata, out):
        return self.make(out, "load_module", ctypes.string_at(binary, size),
                         metadata)

    def get_workspaces(self, kernel, arguments, count, bytes, capacity, needed):
        for at, size in enumerate(self.workspaces[:capacity]):
            bytes[at] = size
        needed[0] = len(self.workspaces)
        return self.note("get_workspaces")

    def launch(self, kernel, arguments, count, options):
        options = options[0]
        return self.note("launch", CArguments(arguments, count),
                         tuple(options.grid[:3]), options.stream,
                         options.workspaces[:options.num_workspaces])


@pytest.fixture(scope="module")
def handlers():
    """Loads a copy of the library, separate from the one that JAX has in this process."""
    import shutil
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        found = ctypes.CDLL(shutil.copy(jax_library.FILE, folder))
    for handler in (found.tile_xla_execute_host, found.tile_xla_execute_cuda):
        handler.restype = c_void_p
    jax_library._declare(found)
    return found


@pytest.fixture
def libraries(handlers):
    made = Libraries()
    handlers.tile_xla_connect(ctypes.byref(made.struct))
    return made


_indices = itertools.count()


def make_call(**changes):
    """Returns the attributes of a call with an array, a scalar and a result. The
    program is another one in each call of this function."""
    values = struct.pack("16xd8x16x", 2.5)
    return {"program": f"module {next(_indices)}", "kernel": "scale", "arch": "",
            "tiling": "",
            "types": "f32 f64 f16 ", "buffers": np.array([0, -1, 1]),
            "numbers": np.frombuffer(values, np.int64),
            "aliases": np.array([], np.int64), "grid": np.array([4, 2, 1]),
            "machine": np.array([2, 3, 1, 1, 0]), **changes}


def make_arrays(rng):
    return rng.standard_normal((5, 3)), rng.standard_normal(7)


def expect_arguments(x, y):
    return [("f32", x.ctypes.data, (5, 3)), ("f64", struct.pack("d8x", 2.5)),
            ("f16", y.ctypes.data, (7,))]


# ----------------------------------------------------------------------------
# The host and CUDA
# ----------------------------------------------------------------------------


@pytest.fixture(params=["tile_xla_execute_host", "tile_xla_execute_cuda"])
def handler(handlers, request):
    return getattr(handlers, request.param)


@pytest.mark.parametrize("version, answer", [
    ((0, 1), (0, 1)), ((0, 7), (0, 7)), ((1, 2), (0, 1)), (None, (0, 1))])
def test_version(handler, version, answer):
    xla = Xla()
    if version:
        xla.api.version.major, xla.api.version.minor = version
    metadata = Metadata(version=Version(major=-1, minor=-1), traits=77)
    extension = Extension(type=1, metadata=ctypes.pointer(metadata))
    other = Extension(type=5, next=ctypes.addressof(extension))
    frame = Frame(extensions=ctypes.addressof(other),
                  api=ctypes.addressof(xla.api) if version else None)
    assert not handler(ctypes.byref(frame))
    assert (metadata.version.major, metadata.version.minor) == answer
    assert metadata.traits == 0


@pytest.mark.parametrize("changes", [
    {"kernel": np.array([1])}, {"kernel": "k" * 256}, {"arch": "a" * 256}, {"tiling": "a" * 256},
    {"program": np.array([1.0])}, {"types": "f32 f64 f16"}, {"types": "f32 "},
    {"types": "f32 " * 65}, {"types": "f" * 16 + " f64 f16 "},
    {"buffers": np.array([0, -1, 2])}, {"buffers": np.array([0, -1, 5e-324])},
    {"buffers": np.array([0, -1])}, {"numbers": np.array([1, 2])},
    {"grid": np.array([1, 1])}, {"machine": np.array([2])}])
def test_other_attributes(handler, libraries, rng, changes):
    x, y = make_arrays(rng)
    with pytest.raises(RuntimeError, match="expected the attributes of a call") \
            as error:
        Xla().call(handler, [x], [y], **make_call(**changes))
    assert error.value.args[0] == 3
    assert libraries.take() == []


@pytest.mark.parametrize("name", list(make_call()))
def test_missing_attributes(handler, libraries, rng, name):
    x, y = make_arrays(rng)
    call = make_call()
    del call[name]
    with pytest.raises(RuntimeError, match="expected"):
        Xla().call(handler, [x], [y], **call)
    assert libraries.take() == []


@pytest.mark.parametrize("grid", [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
def test_no_blocks(handler, libraries, rng, grid):
    x, y = make_arrays(rng)
    Xla().call(handler, [x], [y], **make_call(grid=np.array(grid)))
    assert libraries.take() == []


def test_aliases(handler, libraries, rng):
    x, y = make_arrays(rng)
    call = make_call(aliases=np.array([0, 1]))
    Xla().call(handler, [x], [y, x], **call)
    assert libraries.take()
    for results in ([y, x.copy()], [y]):
        with pytest.raises(RuntimeError, match="in one buffer, got several"):
            Xla().call(handler, [x], results, **call)
    assert libraries.take() == []


# ----------------------------------------------------------------------------
# The host
# ----------------------------------------------------------------------------


def test_host(handlers, libraries, rng):
    x, y = make_arrays(rng)
    call = make_call()
    for _ in range(2):
        Xla().call(handlers.tile_xla_execute_host, [x], [y], **call)
    run = ("run", b"scale", expect_arguments(x, y), (4, 2, 1), 3, (0, 0, 0.0))
    assert libraries.take() == [("compile", call["program"], 2, None, 0, None), run,
                                run]


def test_emulator(handlers, libraries, rng):
    x, y = make_arrays(rng)
    tolerance = np.float64(0.125).view(np.int64)
    call = make_call(arch="sm_90a", machine=np.array([1, 0, 8, 5, tolerance]))
    Xla().call(handlers.tile_xla_execute_host, [x], [y], **call)
    assert libraries.take() == [
        ("compile", call["program"], 1, b"sm_90a", 0, None),
        ("run", b"scale", expect_arguments(x, y), (4, 2, 1), 0, (8, 5, 0.125))]


def test_programs_are_told_apart(handlers, libraries, rng):
    x, y = make_arrays(rng)
    call = make_call()
    text = call["program"]
    for changes in ({}, {"program": text + " "}, {"arch": "sm_80"},
                    {"machine": np.array([1, 0, 1, 1, 0])}, {"kernel": "other"},
                    {"grid": np.array([9, 9, 9])}):
        Xla().call(handlers.tile_xla_execute_host, [x], [y], **{**call, **changes})
    assert [words[1:4] for words in libraries.take() if words[0] == "compile"] == [
        (text, 2, None), (text + " ", 2, None), (text, 2, b"sm_80"),
        (text, 1, None)]


def test_prepared(handlers, libraries, rng):
    x, y = make_arrays(rng)
    call = make_call()
    program = call["program"].encode()
    assert handlers.tile_xla_prepare(program, len(program), 2, b"") == OK
    assert len(libraries.take()) == 1
    Xla().call(handlers.tile_xla_execute_host, [x], [y], **call)
    assert [words[0] for words in libraries.take()] == ["run"]


def test_rounding(handlers, libraries, rng):
    """A kernel rounds to nearest; the thread's rounding mode is restored."""
    x, y = make_arrays(rng)
    math, seen, upward = ctypes.CDLL("libm.so.6"), [], 0x800
    note = libraries.note

    def look(name, *words):
        seen.append((name, math.fegetround()))
        return note(name, *words)

    libraries.note = look
    math.fesetround(upward)
    try:
        Xla().call(handlers.tile_xla_execute_host, [x], [y], **make_call())
        assert math.fegetround() == upward
    finally:
        math.fesetround(0)
    assert seen[-1] == ("run", 0)


def test_failures_of_the_host(handlers, libraries, rng):
    x, y = make_arrays(rng)
    call = make_call()
    for name, code in (("compile", 3), ("run", 9)):
        libraries.fails = {name}
        with pytest.raises(RuntimeError, match="the compiler's words") as error:
            Xla().call(handlers.tile_xla_execute_host, [x], [y], **call)
        assert error.value.args[0] == code
        assert [words[0] for words in libraries.take()] == {
            "compile": ["compile", "destroy_result"],
            "run": ["compile", "run"]}[name]
        program = call["program"].encode()
        assert handlers.tile_xla_prepare(program, len(program), 2, b"") == \
            (WRONG if name == "compile" else OK)
        libraries.take()
    libraries.fails.clear()
    Xla().call(handlers.tile_xla_execute_host, [x], [y], **call)
    assert [words[0] for words in libraries.take()] == ["run"]


# ----------------------------------------------------------------------------
# CUDA
# ----------------------------------------------------------------------------

LOAD = ["open_device", "get_device_info"]
COMPILE = ["compile", "get_output", "get_output", "destroy_result"]
KERNEL = ["load_module", "get_kernel"]
LAUNCH = ["get_workspaces", "launch"]


def get_names(log):
    return [words[0] for words in log]


def test_cuda(handlers, libraries, rng):
    x, y = make_arrays(rng)
    call = make_call()
    xla = Xla(ordinal=1)
    xla.call(handlers.tile_xla_execute_cuda, [x], [y], **call)
    log = libraries.take()
    assert get_names(log) == LOAD + COMPILE + KERNEL + LAUNCH
    assert log[0][2] == 1
    outputs = library.OUTPUTS["cubin"] | library.OUTPUTS["metadata"]
    assert log[2] == ("compile", call["program"], 0, b"sm_90a", outputs, None)
    assert log[6] == ("load_module", b"compiled", b"{}")
    assert log[7] == ("get_kernel", b"scale")
    assert log[9] == ("launch", expect_arguments(x, y), (4, 2, 1), Xla.STREAM, [])
    xla.call(handlers.tile_xla_execute_cuda, [x], [y], **call)
    assert get_names(libraries.take()) == LAUNCH
    # Another tiling needs another cubin.
    xla.call(handlers.tile_xla_execute_cuda, [x], [y], **{**call, "tiling": "warps=2,4"})
    log = libraries.take()
    assert log[2] == ("compile", call["program"], 0, b"sm_90a", outputs, b"warps=2,4")
    # Another GPU of the same architecture uses the same cubin.
    Xla(ordinal=0).call(handlers.tile_xla_execute_cuda, [x], [y], **call)
    assert get_names(libraries.take()) == LOAD + KERNEL + LAUNCH


@pytest.mark.parametrize("arch, is_used", [(b"sm_90a", True), (b"sm_80", False)])
def test_cubin_of_the_cache(handlers, libraries, rng, arch, is_used):
    x, y = make_arrays(rng)
    call = make_call()
    program = call["program"].encode()
    for cubin in (b"of\0cache", b"another"):  # the first one is kept
        assert handlers.tile_xla_add_binary(
            program, len(program), b"", arch, cubin, len(cubin), b"[]") == OK
    assert handlers.tile_xla_add_binary(
        program, len(program), b"warps=2,4", arch, b"tiled", 5, b"[]") == OK
    Xla().call(handlers.tile_xla_execute_cuda, [x], [y], **call)
    log = libraries.take()
    assert ("compile" in get_names(log)) != is_used
    load = next(words for words in log if words[0] == "load_module")
    assert load[1:] == ((b"of\0cache", b"[]") if is_used else (b"compiled", b"{}"))


def test_what_python_prepares(handlers, libraries, rng, monkeypatch):
    """Checks the cubins that are compiled ahead if JAX has two GPUs of one architecture
    and one of another."""
    import types
    devices = [types.SimpleNamespace(platform="gpu", local_hardware_id=ordinal)
               for ordinal in range(3)]
    monkeypatch.setattr(jax_library, "import_jax", lambda: types.SimpleNamespace(
        default_backend=lambda: "gpu", local_devices=lambda: devices))
    monkeypatch.setattr(jax_library, "get_handlers", lambda: handlers)
    monkeypatch.setattr(runtime, "get_device", lambda ordinal: types.SimpleNamespace(
        arch="sm_80" if ordinal == 1 else "sm_90a"))
    asked = []

    def compile_kernel(text, arch, name, tiling):
        assert tiling == "warps=2,4"
        asked.append((text, arch, name))
        return cache.Compiled(f"for\0{arch}".encode(), b"{}")

    monkeypatch.setattr(cache, "compile_kernel", compile_kernel)
    x, y = make_arrays(rng)
    call = make_call()
    for _ in range(2):
        jax_library.prepare(call["program"], "<scale>", "warps=2,4", library.CPU, None)
    assert {arch for _, arch, _ in asked} == {"sm_80", "sm_90a"}
    assert {(text, name) for text, _, name in asked} == {
        (call["program"], "<scale>")}
    assert len(asked) == 2
    Xla(ordinal=2).call(handlers.tile_xla_execute_cuda, [x], [y],
                        **{**call, "tiling": "warps=2,4"})
    log = libraries.take()
    assert "compile" not in get_names(log)
    assert ("load_module", b"for\0sm_90a", b"{}") in log


def test_workspaces(handlers, libraries, rng):
    x, y = make_arrays(rng)
    libraries.workspaces = [1000, 24]
    xla = Xla()
    xla.call(handlers.tile_xla_execute_cuda, [x], [y], **make_call())
    memory = [Xla.MEMORY + 0x10000 * (size + 256) for size in (1000, 24)]
    *_, launch = libraries.take()
    assert launch[-1] == [address + 0xe0 for address in memory]
    assert all(address % 256 == 0 for address in launch[-1])
    log = xla.take()
    assert [words for words in log if words[0] == "release"] == [
        ("release", 280, memory[1]), ("release", 1256, memory[0])]


def test_too_many_workspaces(handlers, libraries, rng):
    x, y = make_arrays(rng)
    libraries.workspaces = [1] * 17
    with pytest.raises(RuntimeError, match="at most 16 workspaces of 'scale'"):
        Xla().call(handlers.tile_xla_execute_cuda, [x], [y], **make_call())


@pytest.mark.parametrize("name, text", [
    ("open_device", "runtime"), ("get_device_info", "runtime"),
    ("compile", "compiler"), ("get_output", "compiler"),
    ("load_module", "runtime"), ("get_kernel", "runtime"),
    ("get_workspaces", "runtime"), ("launch", "runtime")])
def test_failures_of_libraries(handlers, libraries, rng, name, text):
    x, y = make_arrays(rng)
    call = make_call()
    libraries.fails, libraries.workspaces = {name}, [64]
    xla = Xla()
    with pytest.raises(RuntimeError, match=f"the {text}'s words"):
        xla.call(handlers.tile_xla_execute_cuda, [x], [y], **call)
    log = get_names(xla.take())
    assert log.count("allocate") == log.count("release")
    # A failed call is tried again.
    libraries.fails.clear()
    xla.call(handlers.tile_xla_execute_cuda, [x], [y], **call)
    assert libraries.take()[-1][0] == "launch"


@pytest.mark.parametrize("name", ["ordinal", "stream", "allocate", "release"])
def test_failures_of_xla(handlers, libraries, rng, name):
    x, y = make_arrays(rng)
    libraries.workspaces = [64]
    xla = Xla()
    xla.fails = {name}
    with pytest.raises(RuntimeError, match=f"no {name}"):
        xla.call(handlers.tile_xla_execute_cuda, [x], [y], **make_call())


def test_one_of_two_errors(handlers, libraries, rng):
    x, y = make_arrays(rng)
    libraries.fails, libraries.workspaces = {"launch"}, [64]
    xla = Xla()
    xla.fails = {"release"}
    with pytest.raises(RuntimeError, match="the runtime's words"):
        xla.call(handlers.tile_xla_execute_cuda, [x], [y], **make_call())
    assert xla.take()[-1] == ("destroy", 99)


def test_without_what_is_newer(handlers, libraries, rng):
    x, y = make_arrays(rng)
    xla = Xla()
    xla.api.struct_size = Api.get_ordinal.offset
    with pytest.raises(RuntimeError, match="expected a version of JAX"):
        xla.call(handlers.tile_xla_execute_cuda, [x], [y], **make_call())


def test_without_the_runtime(handlers, libraries, rng):
    x, y = make_arrays(rng)
    libraries.struct.launch = None
    handlers.tile_xla_connect(ctypes.byref(libraries.struct))
    with pytest.raises(RuntimeError, match="expected libTileRuntime.so.0"):
        Xla().call(handlers.tile_xla_execute_cuda, [x], [y], **make_call())
    Xla().call(handlers.tile_xla_execute_host, [x], [y], **make_call())


# ----------------------------------------------------------------------------
# Functions that launch several kernels
# ----------------------------------------------------------------------------

OF_FUNCTION = np.array([-1, -1, -1])


def test_function_on_the_host(handlers, libraries, rng):
    """A function has no grid: it takes it as arguments."""
    x, y = make_arrays(rng)
    options = []
    libraries.functions["run"] = run = libraries.declare(
        c_int32, c_void_p, c_char_p, POINTER(library.Argument), c_size_t,
        POINTER(library.RunOptions), c_void_p)(
            lambda *given: options.append(bool(given[4][0].grid)) or OK)
    libraries.struct.run = ctypes.cast(run, c_void_p).value
    handlers.tile_xla_connect(ctypes.byref(libraries.struct))
    for grid, has_grid in ((OF_FUNCTION, False), (np.array([4, 2, 1]), True)):
        Xla().call(handlers.tile_xla_execute_host, [x], [y], **make_call(grid=grid))
        assert options.pop() == has_grid


def test_function_on_a_gpu(handlers, libraries, rng):
    x, y = make_arrays(rng)
    call = make_call(grid=OF_FUNCTION)
    for is_first in (True, False):
        Xla(stream=0x77).call(handlers.tile_xla_execute_cuda, [x], [y], **call)
        log = libraries.take()
        assert ("get_function" in get_names(log)) == is_first
        created, *rest = log[-4:]
        assert created == ("create_call", expect_arguments(x, y))
        assert rest == [("launch_call", 0x77), ("synchronize",), ("destroy_call",)]


@pytest.mark.parametrize("name", ["get_function", "create_call", "launch_call",
                                  "synchronize"])
def test_errors_of_a_function(handlers, libraries, rng, name):
    x, y = make_arrays(rng)
    libraries.fails = {name}
    with pytest.raises(RuntimeError, match="the runtime's words"):
        Xla().call(handlers.tile_xla_execute_cuda, [x], [y],
                   **make_call(grid=OF_FUNCTION))
    names = get_names(libraries.take())
    assert ("destroy_call" in names) == (name in ("launch_call", "synchronize"))
