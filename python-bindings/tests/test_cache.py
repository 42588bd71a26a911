# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache of compiled kernels: hits and misses, damaged entries, folders that cannot
be used, and several processes at once."""

import os
import resource
import signal
import subprocess
import sys

import pytest

import tile_mlir as tile
from tile_mlir import __main__, library
from tile_mlir.launching import cache

X = tile.ir.ArrayType((None,), tile.f32)


@tile.kernel
def double(x, y, *, n=64):
    tile.store(y, 0, tile.load(x, 0, n) * 2)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TILE_CACHE_DIR", str(tmp_path / "cache"))
    cache._warn.cache_clear()
    cache._describe_tools.cache_clear()
    return tmp_path / "cache"


@pytest.fixture
def compilations(monkeypatch):
    """Records the programs that the compiler compiles."""
    asked = []
    compile_text = library.compile_text

    def note(text, **options):
        asked.append(text)
        return compile_text(text, **options)

    monkeypatch.setattr(library, "compile_text", note)
    return asked


def compile_double(arch="sm_90a", **constants):
    return cache.compile_kernel(double.trace(X, X, **constants), arch, "<double>")


def test_found_again(folder, compilations):
    first = compile_double()
    assert first.cubin[:4] == b"\x7fELF" and b'"double"' in first.metadata
    assert compile_double() == first
    assert len(compilations) == 1
    assert folder.stat().st_mode & 0o777 == 0o700


def test_what_makes_another_entry(folder, compilations, monkeypatch):
    compile_double()
    compile_double(n=65)
    compile_double(arch="sm_80")
    assert len(compilations) == 3
    key = cache._make_key("a", "sm_80")
    monkeypatch.setattr(library, "find_ptxas", lambda: "/another/ptxas")
    cache._describe_tools.cache_clear()
    assert cache._make_key("a", "sm_80") != key


def test_lines_do_not_count():
    text = double.trace(X, X)
    moved = text.replace(":20:", ":120:").replace(__file__, "/other file.py")
    assert cache._strip_locations(text) == cache._strip_locations(moved)
    assert " loc(" not in cache._strip_locations(text)
    # Text in a string that only looks like a location is kept.
    a, b = ('"tile.assert"() <{message = "x loc(1)"}> loc("f":1:2)',
            '"tile.assert"() <{message = "x loc(2)"}> loc("f":1:2)')
    assert cache._strip_locations(a) != cache._strip_locations(b)


def test_text_behind_the_location_of_an_argument_counts():
    head = 'tile.kernel @k(%a: memref<?xf32> loc("f":1:2)) attributes {block = 256 : i64} {'
    assert cache._strip_locations(head) == head.replace(' loc("f":1:2)', "")
    called = '%1 = arith.addf %0, %0 : f32 loc(callsite("g (a)":1:2 at fused["f":3:4]))'
    assert cache._strip_locations(called) == "%1 = arith.addf %0, %0 : f32"


def test_derivatives_that_differ_in_the_block_have_entries_of_their_own():
    texts = []
    for block in 256, 512:
        kernel = tile.kernel(block=block)(double.definition.function)
        texts.append(tile.vjp(kernel).trace(X, X))
    assert cache._make_key(texts[0], "sm_90a") != cache._make_key(texts[1], "sm_90a")


def damage(path, how):
    data = bytearray(path.read_bytes())
    if how == "empty":
        data = b""
    elif how == "cut":
        data = data[:-7]
    elif how == "a bit":
        data[-20] ^= 4
    elif how == "its head":
        data[0] ^= 1
    elif how == "its sum":
        data[len(cache._MAGIC)] ^= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("how", ["empty", "cut", "a bit", "its head", "its sum"])
def test_damaged_entries_are_made_again(folder, compilations, how):
    first = compile_double()
    [path] = folder.iterdir()
    damage(path, how)
    assert compile_double() == first
    assert compile_double() == first
    assert len(compilations) == 2


def test_folders_of_others(folder, compilations):
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="nobody else to write"):
        compile_double()
    assert not list(folder.iterdir())


def test_a_file_in_place_of_the_folder(folder):
    folder.write_text("")
    with pytest.warns(RuntimeWarning, match="without a cache"):
        assert compile_double().cubin


def test_no_cache(monkeypatch, compilations):
    monkeypatch.setenv("TILE_CACHE_DIR", "")
    compile_double()
    compile_double()
    assert len(compilations) == 2


def test_full_disk(folder, recwarn):
    """Checks that a limit on the size of files leaves no partial file."""
    made = compile_double()
    [path] = folder.iterdir()
    path.unlink()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.warns(RuntimeWarning, match="cannot write"):
            cache._write(path, made)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert not list(folder.iterdir())


def test_size(folder, monkeypatch):
    compile_double(n=64)
    [first] = folder.iterdir()
    os.utime(first, (1, 1))
    compile_double(n=65)
    second = next(p for p in folder.iterdir() if p != first)
    os.utime(second, (2, 2))
    limit = first.stat().st_size + int(2.5 * second.stat().st_size)
    monkeypatch.setenv("TILE_CACHE_SIZE", str(limit))
    compile_double(n=64)  # used again, so that it is kept
    compile_double(n=63)
    compile_double(n=67)
    left = set(folder.iterdir())
    assert first in left and second not in left
    assert sum(p.stat().st_size for p in left) <= limit


def test_abandoned_files_go(folder):
    compile_double()
    old, new = folder / "tmpold", folder / "tmpnew"
    old.write_text("x")
    new.write_text("x")
    os.utime(old, (1, 1))
    cache.list_entries(folder)
    assert not old.exists() and new.exists()


PROCESS = """
import sys
sys.path.insert(0, {tests!r})
import test_cache
for n in range(60, 66):
    made = test_cache.compile_double(n=n)
    assert made.cubin[:4] == b"\\x7fELF"
print(test_cache.library.get_library.cache_info().currsize)
"""


def start():
    script = PROCESS.format(tests=os.path.dirname(__file__))
    return subprocess.Popen([sys.executable, "-c", script],
                            stdout=subprocess.PIPE, text=True)


def test_processes(folder):
    """Runs several processes at once, then one that finds all kernels in the cache."""
    together = [start() for _ in range(4)]
    for process in together:
        process.communicate()
        assert process.returncode == 0
    assert len(list(folder.iterdir())) == 6
    process = start()
    output, _ = process.communicate()
    assert process.returncode == 0
    assert output.strip() == "0"


def test_command(folder, monkeypatch, capsys):
    compile_double()

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["tile_mlir", *words])
        __main__.main()
        return capsys.readouterr().out

    assert "1 entries, " in run("cache")
    assert "0 entries removed" in run("cache", "trim")
    assert "1 entries removed" in run("cache", "clear")
    assert run("cache", "list").endswith(f"0 entries, 0 of {1 << 30} bytes\n")
