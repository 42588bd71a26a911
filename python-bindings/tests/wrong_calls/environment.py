# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The environment of the process: the compiler's library, the cache's folder,
variables, and the package's command."""

import atexit
import contextlib
import io
import os
import shutil
import sys
import tempfile
import warnings
from pathlib import Path
from unittest import mock


import tile_mlir as tile
from tile_mlir import __main__, library
from tile_mlir.launching import cache
from wrong_calls.table import X, as_condition, as_integer, refused

FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)


def make_file(name, data=b""):
    path = Path(FOLDER, name)
    path.write_bytes(data)
    return str(path)


def with_variables(**variables):
    return mock.patch.dict(os.environ, variables)


# ----------------------------------------------------------------------------
# The compiler's library
# ----------------------------------------------------------------------------


def open_library(path):
    """Opens the library as the first compilation does."""
    with with_variables(TILE_COMPILER_LIBRARY=path):
        library.get_library.__wrapped__()


def missing(path, cause):
    return ("expected libTileCompiler.so.0, of the package tile-mlir-compiler or beside "
            f"what TILE_COMPILER_LIBRARY names, got none: {path}: {cause}")


@refused(tile.TileError, missing("/no/library.so", "cannot open shared object file: "
                                 "No such file or directory"))
def library_that_there_is_not():
    open_library("/no/library.so")


@refused(tile.TileError, missing("/usr", "cannot read file data: Is a directory"))
def folder_as_a_library():
    open_library("/usr")


@refused(tile.TileError, missing(f"{FOLDER}/empty.so", "file too short"))
def empty_library():
    open_library(make_file("empty.so"))


@refused(tile.TileError, missing(f"{FOLDER}/text.so", "invalid ELF header"))
def text_as_a_library():
    open_library(make_file("text.so", b"a library" * 99))


@refused(tile.TileError, "expected the compiler's library as libTileCompiler.so.0, got "
                         "another one: libm.so.6")
def another_library():
    open_library("libm.so.6")


class Library:
    """A library of another version."""

    def __init__(self, version):
        self.tile_api_version = mock.Mock(return_value=version)


def open_version(version):
    with mock.patch.object(library, "open_library", lambda name: Library(version)):
        library.get_library.__wrapped__()


@refused(tile.TileError, "expected version 0x2 of the compiler's library, got 0x3")
def library_of_the_next_version():
    open_version(library.API_VERSION + 1)


@refused(tile.TileError, "expected version 0x2 of the compiler's library, got 0x0")
def library_of_no_version():
    open_version(0)


# ----------------------------------------------------------------------------
# The cache
# ----------------------------------------------------------------------------


def find_folder(path):
    """Finds the cache's folder; a warning about it is raised as an exception."""
    cache._warn.cache_clear()
    with with_variables(TILE_CACHE_DIR=str(path)), warnings.catch_warnings():
        warnings.simplefilter("error")
        cache.find_folder()


def not_used(text):
    return f"kernels are compiled without a cache: {text}"


@refused(RuntimeWarning, not_used(
    f"cannot use a folder: [Errno 17] File exists: '{FOLDER}/file'"))
def file_as_the_folder():
    find_folder(make_file("file"))


@refused(RuntimeWarning, not_used(
    f"cannot use a folder: [Errno 20] Not a directory: '{FOLDER}/other/cache'"))
def folder_in_a_file():
    find_folder(make_file("other") + "/cache")


@refused(RuntimeWarning, not_used(
    "cannot use a folder: [Errno 36] File name too long: "
    f"'{FOLDER}/{'a' * 300}'"))
def folder_of_a_long_name():
    find_folder(f"{FOLDER}/{'a' * 300}")


@refused(RuntimeWarning, not_used(
    f"expected {FOLDER}/open to be this user's, and nobody else to write to it"))
def folder_of_all_users():
    folder = Path(FOLDER, "open")
    folder.mkdir(exist_ok=True)
    folder.chmod(0o777)
    find_folder(folder)


@refused(RuntimeWarning, not_used(
    f"expected {FOLDER}/theirs to be this user's, and nobody else to write to it"))
def folder_of_another_user():
    with mock.patch.object(os, "getuid", lambda: 12345):
        find_folder(f"{FOLDER}/theirs")


@refused(RuntimeWarning, "kernels are compiled without a cache: cannot use a folder: "
                         "Could not determine home directory.")
def no_home():
    def fail():
        raise RuntimeError("Could not determine home directory.")

    cache._warn.cache_clear()
    with mock.patch.object(Path, "home", fail), with_variables(XDG_CACHE_HOME=""), \
            warnings.catch_warnings():
        warnings.simplefilter("error")
        os.environ.pop("TILE_CACHE_DIR", None)
        cache.find_folder()


def get_limit(text):
    with with_variables(TILE_CACHE_SIZE=text):
        cache.get_limit()


@refused(tile.ArgumentError, "expected a number of bytes as TILE_CACHE_SIZE, got "
                             "'much'")
def size_of_a_word():
    get_limit("much")


@refused(tile.ArgumentError, "expected a number of bytes as TILE_CACHE_SIZE, got '-1'")
def size_below_zero():
    get_limit("-1")


@refused(tile.ArgumentError, "expected a number of bytes as TILE_CACHE_SIZE, got '1 "
                             "GiB'")
def size_with_a_unit():
    get_limit("1 GiB")


@refused(tile.ArgumentError, "expected a number of bytes as TILE_CACHE_SIZE, got '1e9'")
def size_with_an_exponent():
    get_limit("1e9")


# ----------------------------------------------------------------------------
# The command
# ----------------------------------------------------------------------------


class Ended(Exception):
    """Raised by a run of the command, with its exit code and the last line of its
    output."""


def run(*words, **variables):
    said = io.StringIO()
    with with_variables(TILE_CACHE_DIR=f"{FOLDER}/cache", **variables), \
            mock.patch.object(sys, "argv", ["tile_mlir", *words]), \
            contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        try:
            __main__.main()
        except SystemExit as end:
            last = said.getvalue().splitlines()[-1:]
            raise Ended(f"{end.code}{': ' if last else ''}{''.join(last)}") from None


@refused(Ended, "2: python -m tile_mlir: error: the following arguments are required: "
                "command")
def command_without_words():
    run()


@refused(Ended, "2: python -m tile_mlir: error: argument command: invalid choice: "
                "'cash' (choose from 'cache')")
def unknown_command():
    run("cash")


@refused(Ended, "2: python -m tile_mlir cache: error: argument what: invalid choice: "
                "'purge' (choose from 'list', 'clear', 'trim')")
def unknown_word_of_a_command():
    run("cache", "purge")


@refused(Ended, "2: python -m tile_mlir: error: unrecognized arguments: all")
def too_many_words_of_a_command():
    run("cache", "list", "all")


@refused(Ended, "2: python -m tile_mlir: error: unrecognized arguments: --size=3")
def unknown_option_of_a_command():
    run("cache", "--size=3")


@refused(Ended, "tile_mlir: expected a number of bytes as TILE_CACHE_SIZE, got '0x10'")
def command_with_a_wrong_size():
    run("cache", "list", TILE_CACHE_SIZE="0x10")


@refused(Ended, "no cache is used")
def command_without_a_cache():
    with mock.patch.object(cache, "find_folder", lambda: None):
        run("cache", "clear")


# ----------------------------------------------------------------------------
# Kernels without their source
# ----------------------------------------------------------------------------


def execute(text):
    names = {"tile": tile}
    exec(compile(text, "<none>", "exec"), names)
    return tile.kernel(names["f"])


UNREAD = ("expected a function whose source can be read, since it has loops or branches, "
          "got 'f' of '<none>', which has none; put it in a file or a notebook, or its text "
          "into linecache.cache")


@refused(tile.ArgumentError, UNREAD)
def loop_without_source():
    execute("def f(x, k):\n"
            "    for i in range(k):\n"
            "        tile.store(x, i, 1.0)\n")


@refused(tile.ArgumentError, UNREAD)
def branch_without_source():
    execute("def f(x, k):\n"
            "    if k > 3:\n"
            "        tile.store(x, 0, 1.0)\n")


@refused(tile.ArgumentError, UNREAD)
def function_without_source():
    scope = {}
    exec(compile("def f(t):\n    return t if t else 1\n", "<none>", "exec"), scope)
    tile.function(scope["f"])


@refused(tile.CompileError, "expected a kernel to return nothing, got 3")
def result_without_source():
    execute("def f(x):\n"
            "    return 3\n")[1](X)


@refused(tile.CompileError, "expected positive extents of a tile, got 0")
def wrong_operation_without_source():
    execute("def f(x):\n"
            "    tile.load(x, 0, 0)\n")[1](X)
