# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Access to the compiler's C library through ctypes; include/tile-c/Compiler.h
documents its functions."""

from __future__ import annotations

import ctypes
import functools
import importlib
import os
import re
import shutil
import sys
import urllib.parse
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double,
                    c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p)
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Iterator, Optional, Sequence

from .errors import (ArgumentError, CompileError, Diagnostic, EmulatorError, Finding,
                     TileError)

API_VERSION = 0 << 16 | 2
OK, INVALID_ARGUMENT, INVALID_PROGRAM, KERNEL_FAILED = 0, 8, 10, 11
OUT_OF_RANGE = 7
CUDA, EMULATOR, CPU = 0, 1, 2
SCALAR = -1
OUTPUTS = {"metadata": 1, "ptx": 2, "cubin": 4, "llvm": 8, "report": 16,
           "report.json": 32, "ir": 64}
_ESTIMATE = 128
SEVERITIES = ("note", "remark", "warning", "error")


class Sized(Structure):
    """A C struct whose first member is its size in bytes."""

    def __init__(self, **members: Any):
        super().__init__(struct_size=ctypes.sizeof(type(self)), **members)


class CompilerOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("ptxas", c_char_p),
                ("libdevice", c_char_p), ("ptxas_advice", c_char_p),
                ("libdevice_advice", c_char_p), ("threads", c_int32)]


class CompileOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p),
                ("machine", c_int32), ("arch", c_char_p), ("kernel", c_char_p),
                ("tiling", c_char_p), ("outputs", c_uint32),
                ("stop_after", c_char_p), ("ptx_version", c_int32),
                ("no_line_tables", c_int32), ("check_bounds", c_int32),
                ("cubin_is_optional", c_int32)]


class GradientOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("kernel", c_char_p),
                ("mode", c_int32), ("wrt", POINTER(c_char_p)), ("num_wrt", c_size_t),
                ("outputs", POINTER(c_char_p)), ("num_outputs", c_size_t),
                ("atomics", c_int32), ("derivatives_only", c_int32),
                ("locations", c_int32), ("segments", c_int32), ("accumulate", c_int32),
                ("saved", POINTER(c_char_p)), ("num_saved", c_size_t), ("values", c_int32)]


class DiagnosticRecord(Structure):
    pass


DiagnosticRecord._fields_ = [
    ("struct_size", c_size_t), ("severity", c_int32), ("file", c_char_p),
    ("line", c_uint32), ("column", c_uint32), ("text", c_char_p),
    ("notes", POINTER(POINTER(DiagnosticRecord))), ("num_notes", c_size_t)]


class Argument(Sized):
    _fields_ = [("struct_size", c_size_t), ("data", c_void_p), ("rank", c_int32),
                ("sizes", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("type", c_char_p)]


PROGRESS = CFUNCTYPE(None, c_void_p, c_int64, c_int64)
MUST_STOP = CFUNCTYPE(c_int32, c_void_p)


class RunOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("grid", POINTER(c_int64)),
                ("threads", c_int32), ("entry", c_char_p), ("seed", c_uint64),
                ("schedules", c_int32), ("tolerance", c_double),
                ("profile", c_int32), ("progress", PROGRESS),
                ("progress_context", c_void_p), ("must_stop", MUST_STOP),
                ("must_stop_context", c_void_p), ("outputs", POINTER(c_int32)),
                ("num_outputs", c_size_t)]


class PartyRecord(Structure):
    _fields_ = [("struct_size", c_size_t), ("block", c_uint32 * 3),
                ("thread", c_uint32 * 3), ("warp", c_uint32), ("lane", c_uint32),
                ("operation", c_char_p), ("file", c_char_p), ("line", c_uint32),
                ("column", c_uint32), ("instruction", c_char_p),
                ("reads", c_int32), ("writes", c_int32), ("is_async", c_int32)]


class FindingRecord(Structure):
    _fields_ = [("struct_size", c_size_t), ("kind", c_char_p),
                ("message", c_char_p), ("text", c_char_p), ("seed", c_uint64),
                ("count", c_uint64), ("array", c_char_p), ("offset", c_int64),
                ("bytes", c_uint32), ("party", POINTER(PartyRecord)),
                ("other", POINTER(PartyRecord))]


class DrawingOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("format", c_int32),
                ("element_bytes", c_int32), ("access_bytes", c_int32),
                ("tile", c_char_p)]


# ----------------------------------------------------------------------------
# The library
# ----------------------------------------------------------------------------

_NAME = "libTileCompiler.so.0"


def list_paths(name: str) -> Iterator[str]:
    """Lists the possible paths of a library, in order: next to the file that
    TILE_COMPILER_LIBRARY names, in the Python package of the compiler, and the bare
    name, for which the dynamic loader searches."""
    given = os.environ.get("TILE_COMPILER_LIBRARY")
    if given:
        yield given if name == _NAME else str(Path(given).parent / name)
        return
    try:
        package = importlib.import_module("tile_mlir_compiler")
        yield str(Path(package.__file__ or "").parent / name)
    except ImportError:
        pass
    yield name


def find_library() -> Optional[str]:
    """Returns the file of the compiler's library, without opening it; None if only a
    search by the dynamic loader can find it."""
    for path in list_paths(_NAME):
        if os.path.isfile(path):
            return os.path.realpath(path)
    return None


def open_library(name: str) -> ctypes.CDLL:
    """Opens a library by the first of its possible paths that can be opened."""
    causes = []
    for path in list_paths(name):
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            causes.append(str(error))
    raise TileError(f"expected {name}, of the package tile-mlir-compiler or beside "
                    f"what TILE_COMPILER_LIBRARY names, got none: "
                    f"{'; '.join(causes)}")


def declare(library: ctypes.CDLL, signatures: dict[str, list[Any]]) -> None:
    """Declares the parameter types of C functions, by their names; all of the functions
    return a status."""
    for name, types in signatures.items():
        function = getattr(library, name)
        function.argtypes, function.restype = types, c_int32


@functools.lru_cache(maxsize=None)
def get_library() -> ctypes.CDLL:
    """Returns the compiler's library. It must have the version of the C interface that
    this package is made for."""
    library = open_library(_NAME)
    if not hasattr(library, "tile_api_version"):
        raise TileError(f"expected the compiler's library as {_NAME}, got another one: "
                        f"{library._name}")
    library.tile_api_version.restype = c_uint32
    found = library.tile_api_version()
    if found != API_VERSION:
        raise TileError(f"expected version {API_VERSION:#x} of the compiler's "
                        f"library, got {found:#x}")
    library.tile_version_string.restype = c_char_p
    library.tile_compiler_last_error.restype = c_char_p
    handle = POINTER(c_void_p)
    declare(library, {
        "tile_compiler_create": [c_uint32, POINTER(CompilerOptions), handle],
        "tile_compiler_destroy": [c_void_p],
        "tile_compile": [c_void_p, c_char_p, c_size_t, POINTER(CompileOptions),
                         handle],
        "tile_differentiate": [c_void_p, c_char_p, c_size_t,
                               POINTER(GradientOptions), handle],
        "tile_estimate": [c_void_p, c_char_p, c_size_t, POINTER(CompileOptions),
                          POINTER(Argument), c_size_t, POINTER(c_int64), handle],
        "tile_lint": [c_void_p, c_char_p, c_size_t, c_char_p, c_char_p,
                      POINTER(Argument), c_size_t, handle],
        "tile_read_program": [c_void_p, c_char_p, c_size_t, c_char_p, handle],
        "tile_result_destroy": [c_void_p],
        "tile_result_get_output": [c_void_p, c_uint32, POINTER(c_void_p),
                                   POINTER(c_size_t)],
        "tile_result_get_diagnostics": [
            c_void_p, POINTER(POINTER(POINTER(DiagnosticRecord))),
            POINTER(c_size_t)],
        "tile_run": [c_void_p, c_char_p, POINTER(Argument), c_size_t,
                     POINTER(RunOptions), handle],
        "tile_outcome_destroy": [c_void_p],
        "tile_outcome_get_findings": [
            c_void_p, POINTER(POINTER(POINTER(FindingRecord))),
            POINTER(c_size_t)],
        "tile_outcome_get_profile": [c_void_p, POINTER(c_char_p),
                                     POINTER(c_char_p)],
        "tile_layout_evaluate": [c_char_p, c_char_p, c_void_p, c_size_t,
                                 POINTER(c_size_t)],
        "tile_layout_draw": [c_char_p, POINTER(DrawingOptions), c_void_p,
                             c_size_t, POINTER(c_size_t)],
    })
    return library


def get_version() -> str:
    """Returns the version of the compiler and of its LLVM, as text."""
    version: bytes = get_library().tile_version_string()
    return version.decode()


def get_last_error() -> str:
    text: bytes = get_library().tile_compiler_last_error()
    return text.decode(errors="replace")


def check(status: int) -> None:
    """Raises the error that a status of a C function stands for, if it is one."""
    if status == OK:
        return
    wrong = status in (INVALID_ARGUMENT, OUT_OF_RANGE)
    raise (ArgumentError if wrong else TileError)(get_last_error())


# ----------------------------------------------------------------------------
# Compiling
# ----------------------------------------------------------------------------


def find_ptxas() -> Optional[str]:
    return find_program("ptxas")


def find_program(name: str) -> Optional[str]:
    """Finds a program of CUDA's toolkit in PATH, in CUDA_HOME, or in NVIDIA's wheel."""
    found = shutil.which(name)
    if found:
        return found
    for toolkit in _list_toolkits():
        program = toolkit / "bin" / name
        if program.is_file():
            return str(program)
    return None


def find_libdevice() -> Optional[str]:
    for toolkit in _list_toolkits():
        file = toolkit / "nvvm" / "libdevice" / "libdevice.10.bc"
        if file.is_file():
            return str(file)
    return None


def _list_toolkits() -> Iterator[Path]:
    for name in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(name):
            yield Path(os.environ[name])
    try:
        for folder in importlib.import_module("nvidia").__path__:
            yield from sorted(Path(folder).glob("cu*"))
            yield Path(folder) / "cuda_nvcc"
    except ImportError:
        pass
    program = shutil.which("ptxas")
    if program:
        yield Path(program).resolve().parent.parent
    yield Path("/usr/local/cuda")


@functools.lru_cache(maxsize=None)
def get_compiler() -> c_void_p:
    def encode(path: Optional[str]) -> Optional[bytes]:
        return None if path is None else os.fsencode(path)

    options = CompilerOptions(
        ptxas=encode(find_ptxas()), libdevice=encode(find_libdevice()),
        ptxas_advice=b"pip install 'tile-mlir[cuda]', or put ptxas into PATH",
        libdevice_advice=b"pip install 'tile-mlir[cuda]', or name CUDA's toolkit "
                         b"by CUDA_HOME")
    compiler = c_void_p()
    check(get_library().tile_compiler_create(API_VERSION, byref(options),
                                             byref(compiler)))
    return compiler


class Result:
    """The result of a compilation."""

    def __init__(self, handle: c_void_p):
        self._handle = handle
        self.diagnostics = list(_read_diagnostics(handle))

    def __del__(self) -> None:
        try:
            get_library().tile_result_destroy(self._handle)
        except Exception:  # the interpreter ends
            pass

    @property
    def handle(self) -> c_void_p:
        return self._handle

    def get(self, output: str) -> bytes:
        return self.get_output(_combine_outputs((output,)))

    def get_output(self, output: int) -> bytes:
        """Returns an output, a TILE_OUTPUT of the C library."""
        data, size = c_void_p(), c_size_t()
        check(get_library().tile_result_get_output(
            self._handle, output, byref(data), byref(size)))
        return ctypes.string_at(data, size.value)


def encode(what: str, word: Optional[str]) -> Optional[bytes]:
    """Returns `word` encoded for the library, None for None; `what` describes it in
    error messages."""
    if word is None:
        return None
    if not isinstance(word, str) or not word or "\0" in word:
        raise ArgumentError(f"expected a text for {what}, got {word!r}")
    return word.encode(errors="surrogateescape")


def _combine_outputs(outputs: tuple[str, ...]) -> int:
    if not isinstance(outputs, (tuple, list)) or \
            not all(output in OUTPUTS for output in outputs):
        raise ArgumentError(f"expected a tuple of outputs among "
                            f"{', '.join(OUTPUTS)}, got {outputs!r}")
    return sum(OUTPUTS[output] for output in set(outputs))


def compile_text(text: str, *, machine: int, arch: Optional[str] = None,
                 outputs: tuple[str, ...] = (), name: str = "program",
                 stop_after: Optional[str] = None, kernel: Optional[str] = None,
                 tiling: Optional[str] = None, check_bounds: bool = False,
                 cubin_is_optional: bool = False) -> Result:
    """Compiles a program, given as MLIR text, and returns the result. Raises a
    CompileError with the compiler's messages if the program is invalid."""
    program = text.encode()
    options = CompileOptions(
        name=encode("a name", name), machine=machine,
        arch=encode("an architecture", arch), kernel=encode("a kernel", kernel),
        tiling=encode("a tiling", tiling), outputs=_combine_outputs(outputs),
        stop_after=encode("a phase", stop_after), check_bounds=int(check_bounds),
        cubin_is_optional=int(cubin_is_optional))
    handle = c_void_p()
    status = get_library().tile_compile(
        get_compiler(), program, len(program), byref(options), byref(handle))
    return _take_result(status, handle, name, text)


def _take_result(status: int, handle: c_void_p, name: str, text: str) -> Result:
    """Returns the result that a C function made of a program with this name and text;
    raises the function's error, if it failed."""
    if status not in (OK, INVALID_PROGRAM):
        check(status)
    result = Result(handle)
    if status == INVALID_PROGRAM:
        found = [_locate(d, name, text) for d in result.diagnostics]
        raise CompileError([d for d in found if d.severity == "error"] or found)
    return result


def read_program(program: bytes, name: str = "program") -> Result:
    """Returns a result with a program of any form, such as bytecode of CUDA Tile, as text
    in "ir", and the arguments of its kernels as "metadata". Raises a CompileError for an
    invalid program."""
    handle = c_void_p()
    status = get_library().tile_read_program(
        get_compiler(), program, len(program), encode("a name", name), byref(handle))
    return _take_result(status, handle, name, "")


def differentiate(text: str, *, kernel: str, is_forward: bool = False,
                  wrt: Sequence[str] = (), outputs: Sequence[str] = (),
                  atomics: bool = False, segments: bool = False, accumulates: bool = False,
                  saved: Sequence[str] = (), values: bool = False,
                  name: str = "program") -> Result:
    """Returns a result with the program of a kernel's derivatives as "ir", and their
    arguments as "metadata". Raises a CompileError at an operation that has no
    derivative."""
    program = text.encode()
    options = GradientOptions(
        name=encode("a name", name), kernel=encode("a kernel", kernel),
        mode=int(is_forward), wrt=_make_texts(wrt), num_wrt=len(wrt),
        outputs=_make_texts(outputs), num_outputs=len(outputs),
        atomics=int(atomics), derivatives_only=1, locations=1,
        segments=int(segments), accumulate=int(accumulates),
        saved=_make_texts(saved), num_saved=len(saved), values=int(values))
    handle = c_void_p()
    status = get_library().tile_differentiate(
        get_compiler(), program, len(program), byref(options), byref(handle))
    return _take_result(status, handle, name, text)


def _make_texts(words: Sequence[str]) -> Any:
    return (c_char_p * len(words))(*(word.encode() for word in words))


def estimate(text: str, *, name: str, arch: str, kernel: str, tiling: Optional[str],
             arguments: list[Argument], blocks: tuple[int, ...]) -> bytes:
    """Returns the estimated time of a launch of a kernel on `blocks`, as JSON. Raises a
    CompileError with the compiler's messages if there is none."""
    program, handle = text.encode(), c_void_p()
    options = CompileOptions(
        name=encode("a name", name), machine=CUDA, arch=encode("an architecture", arch),
        kernel=encode("a kernel", kernel), tiling=encode("a tiling", tiling))
    status = get_library().tile_estimate(
        get_compiler(), program, len(program), byref(options),
        (Argument * len(arguments))(*arguments), len(arguments),
        (c_int64 * 3)(*blocks), byref(handle))
    return _take_result(status, handle, name, text).get_output(_ESTIMATE)


def lint(text: str, name: str, kernel: str, arguments: list[Argument]
         ) -> list[Diagnostic]:
    """Returns warnings of likely mistakes in a launch of a kernel with these
    arguments."""
    program, handle = text.encode(), c_void_p()
    check(get_library().tile_lint(
        get_compiler(), program, len(program), encode("a name", name),
        kernel.encode(), (Argument * len(arguments))(*arguments), len(arguments),
        byref(handle)))
    return Result(handle).diagnostics


# Matches the location at the end of an operation's line. A location with callers
# (`callsite`) has several positions, of which this matches the first, the innermost
# one.
_LOCATION = r'loc\([^"]*("(?:[^"\\]|\\..)*"):(\d+):(\d+)'


def _locate(diagnostic: Diagnostic, name: str, text: str) -> Diagnostic:
    """Returns a diagnostic with its position in the MLIR text replaced by the location
    of the operation at that position. A diagnostic in another file is returned as it
    is."""
    if diagnostic.file != name or not diagnostic.line:
        return diagnostic
    lines = text.splitlines()[diagnostic.line - 1:diagnostic.line]
    found = re.search(_LOCATION, lines[0]) if lines else None
    if found is None:
        return diagnostic
    file, line, column = found.groups()
    return replace(diagnostic, file=_unquote(file), line=int(line),
                   column=int(column))


_POSITION = r'("(?:[^"\\]|\\..)*"):(\d+):(\d+)'


def find_calls(text: str, location: tuple[str, int, int]) -> tuple[Diagnostic, ...]:
    """Returns notes for the calls that led to a location, from the `callsite` locations
    in a program's text. Returns no notes if different calls led to it."""
    ways = set()
    for line in text.splitlines():
        chain = [(_unquote(file), int(row), int(column)) for file, row, column
                 in re.findall(_POSITION, line.rpartition(" loc(")[2])]
        if chain and chain[0] == location:
            ways.add(tuple(chain[1:]))
    calls = ways.pop() if len(ways) == 1 else ()
    return tuple(Diagnostic("note", "called from", *call) for call in calls)


def _unquote(text: str) -> str:
    """Reverses `ir.quote`, which makes a string of MLIR."""
    escaped = re.sub(r"\\([0-9A-F]{2})", r"%\1", text[1:-1].replace("%", "%25"))
    return urllib.parse.unquote(escaped, errors="surrogateescape")


def _read_diagnostics(handle: c_void_p) -> Iterator[Diagnostic]:
    records, count = POINTER(POINTER(DiagnosticRecord))(), c_size_t()
    check(get_library().tile_result_get_diagnostics(handle, byref(records),
                                                    byref(count)))
    for index in range(count.value):
        yield _read_diagnostic(records[index].contents)


def _read_diagnostic(record: DiagnosticRecord) -> Diagnostic:
    notes = tuple(_read_diagnostic(record.notes[index].contents)
                  for index in range(record.num_notes))
    return Diagnostic(SEVERITIES[record.severity], _decode(record.text),
                      _decode(record.file), record.line, record.column, notes)


def _decode(text: Optional[bytes]) -> str:
    return (text or b"").decode(errors="surrogateescape")


# ----------------------------------------------------------------------------
# Running
# ----------------------------------------------------------------------------


def run(result: Result, kernel: str, arguments: list[Argument],
        options: RunOptions) -> Optional[bytes]:
    """Runs a kernel on the host, and returns its counters as JSON if the options
    request them. Raises an EmulatorError for an invalid action of the kernel."""
    library, outcome = get_library(), c_void_p()
    if sys.stdout is not None:
        sys.stdout.flush()
    status = library.tile_run(
        result.handle, kernel.encode(), (Argument * len(arguments))(*arguments),
        len(arguments), byref(options), byref(outcome))
    # Kernels print through C's buffers, and Python through its own. Both are flushed,
    # so that the output is in the order of the calls.
    ctypes.CDLL(None).fflush(None)
    try:
        if status == KERNEL_FAILED:
            raise EmulatorError(get_last_error(), list(_read_findings(outcome)))
        check(status)
        return _read_profile(outcome) if options.profile else None
    finally:
        library.tile_outcome_destroy(outcome)


def _read_profile(outcome: c_void_p) -> Optional[bytes]:
    json = c_char_p()
    check(get_library().tile_outcome_get_profile(outcome, None, byref(json)))
    return json.value


def _read_findings(outcome: c_void_p) -> Iterator[Finding]:
    if not outcome:
        return
    records, count = POINTER(POINTER(FindingRecord))(), c_size_t()
    check(get_library().tile_outcome_get_findings(outcome, byref(records),
                                                  byref(count)))
    for index in range(count.value):
        record = records[index].contents
        file, line, column = _read_location(record.party)
        other = "{}:{}:{}".format(*_read_location(record.other)) if record.other else ""
        yield Finding(_decode(record.kind), _decode(record.message),
                      _decode(record.text), file, line, column, other=other)


def _read_location(party: Any) -> tuple[str, int, int]:
    """Reads the location, file, line and column, of one of the two accesses of a
    finding. A location that is not known is ("", 0, 0)."""
    if not party:
        return "", 0, 0
    found = party.contents
    return _decode(found.file), found.line, found.column


# ----------------------------------------------------------------------------
# Layouts
# ----------------------------------------------------------------------------

DRAWINGS = {"text": 0, "colors": 1, "svg": 2}


def evaluate_layout(expression: str, coordinate: Optional[str] = None) -> str:
    """Evaluates an expression of docs/Layout.md, at a coordinate if one is given, and
    returns the result as text."""
    evaluate, at = get_library().tile_layout_evaluate, _encode(coordinate)
    return _read_text(functools.partial(evaluate, _encode(expression), at))


def draw_layout(expression: str, drawing: str, element_bytes: int,
                access_bytes: int, tile: Optional[str]) -> str:
    """Draws the layout that an expression evaluates to, as a table."""
    options = DrawingOptions(format=DRAWINGS[drawing],
                             element_bytes=element_bytes,
                             access_bytes=access_bytes, tile=_encode(tile))
    draw = get_library().tile_layout_draw
    return _read_text(functools.partial(draw, _encode(expression),
                                        byref(options)))


def _encode(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else text.encode(errors="surrogateescape")


def _read_text(write: Callable[..., int]) -> str:
    """Returns the text that the C function `write` writes into a buffer. The function
    is called twice, first for the size of the buffer."""
    size = c_size_t()
    check(write(None, 0, byref(size)))
    buffer = ctypes.create_string_buffer(size.value + 1)
    check(write(buffer, len(buffer), None))
    return buffer.value.decode()
