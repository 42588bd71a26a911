# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inspection of a kernel: its program after each phase, its machine code, and the
report."""

import html
import io
import json
import re
import runpy
import stat
import sys
from collections.abc import Mapping
from html.parser import HTMLParser

import numpy as np
import pytest

import tile_mlir as tile
from tile_mlir import library
from tile_mlir.inspection import specialization


@tile.kernel(grid=lambda c, m: tile.cdiv(c.shape[0], m))
def gemm(a, b, c, *, m=48, flags="<none> & 'more'"):
    first = tile.program_id(0) * m
    acc = tile.zeros((m, 24))
    for p in range(0, a.shape[1], 32):
        acc += tile.load(a, (first, p), (m, 32)) @ tile.load(b, (p, 0), (32, 24))
    acc = tile.where(acc < 0, -acc, acc)
    tile.store(c, (first, 0), acc)  # "<" & "&" are escaped


HALF = tile.ir.ArrayType((None, None), tile.f16)
SINGLE = tile.ir.ArrayType((None, None), tile.f32)


def make_copy():
    """Makes a kernel that was not called."""
    @tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
    def copy(x, y, *, n=1024):
        first = tile.program_id(0) * n
        tile.store(y, first, tile.load(x, first, n))

    return copy


@pytest.fixture(scope="module")
def special():
    return gemm.specialize(HALF, HALF, SINGLE)


@pytest.fixture(scope="module")
def report(special):
    return special.report()


# ----------------------------------------------------------------------------
# The last call
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("look", [
    lambda k: k.ir, lambda k: k.ptx, lambda k: k.cubin, lambda k: k.sass,
    lambda k: k.report()])
def test_before_a_call(look):
    with pytest.raises(tile.TileError) as caught:
        look(make_copy())
    assert str(caught.value) == (
        "expected a call of the kernel 'copy' before, or copy.specialize(...) with "
        "arguments, got neither")


def test_the_last_call_counts():
    copy = make_copy()
    x = np.arange(100, dtype=np.float32)
    copy(x, x.copy())
    assert "f32" in copy.ir["traced"] and "1024x" in copy.ir["traced"]
    assert copy.report().json["architecture"] == "sm_80"
    with tile.emulator("sm_90a"):
        copy[1](x.astype(np.int16), np.zeros(100, np.int16), n=128)
    assert "f32" not in copy.ir["traced"] and "128xi16" in copy.ir["traced"]
    assert copy.report().json["architecture"] == "sm_90a"
    assert ".target sm_90a" in copy.ptx
    with tile.cpu():
        copy(x, x.copy())
    assert ".target sm_80" in copy.ptx


FACTOR = 2


def test_the_last_call_counts_as_it_was(monkeypatch):
    """The IR of the last call stays as it is if variables that the kernel reads change
    after the call."""
    @tile.kernel(grid=1)
    def scale(x):
        tile.store(x, 0, tile.load(x, 0, 64) * FACTOR)

    scale(np.zeros(64, np.float32))
    text = scale.ir["traced"]
    monkeypatch.setattr(sys.modules[__name__], "FACTOR", 3)
    assert scale.ir["traced"] == text
    scale(np.zeros(64, np.float32))
    assert scale.ir["traced"] != text


def test_a_call_that_fails_counts():
    @tile.kernel(grid=2)
    def race(x):
        tile.store(x, 0, tile.load(x, 0, 64))

    with pytest.raises(tile.EmulatorError):
        race(np.zeros(64, np.float32))
    assert ".entry race" in race.ptx


def test_a_call_that_runs_no_block_counts():
    copy = make_copy()
    copy(np.zeros(0, np.float32), np.zeros(0, np.float32))
    assert ".entry copy" in copy.ptx


def test_a_call_that_is_not_of_the_kernel_does_not_count():
    copy = make_copy()
    with pytest.raises(tile.ArgumentError):
        copy(np.zeros(3, np.float32))
    with pytest.raises(tile.TileError, match="expected a call of the kernel"):
        copy.ptx


def test_the_gpu_that_arrays_are_on(monkeypatch):
    """Checks that a kernel is specialized for the GPU that its arrays are on, which the
    driver and the runtime report."""
    class OnGpu:
        __cuda_array_interface__ = {"data": (4096, False), "shape": (64,),
                                    "typestr": "<f4", "version": 3}

    class Device:
        arch = "sm_89"

    monkeypatch.setattr("tile_mlir.launching.runtime.find_device", lambda address: 3)
    monkeypatch.setattr("tile_mlir.launching.runtime.get_device", lambda ordinal: Device())
    assert make_copy().specialize(OnGpu(), OnGpu()).arch == "sm_89"


# ----------------------------------------------------------------------------
# Given arguments
# ----------------------------------------------------------------------------


def test_specialize(special):
    assert repr(special) == (
        "gemm(a: array of ?x? f16, b: array of ?x? f16, c: array of ?x? f32, m=48, "
        "flags=\"<none> & 'more'\") for sm_80")
    a, c = np.zeros((5, 70), np.float16), np.zeros((5, 9), np.float32)
    assert gemm.specialize(a, a, c) is special
    other = gemm.specialize(a, a, c, m=16, arch="sm_90a")
    assert other is not special and ".target sm_90a" in other.ptx
    assert (other.name, other.constants["m"]) == ("gemm", 16)
    assert other.arguments == {"a": HALF, "b": HALF, "c": SINGLE}


def test_specialize_is_no_call():
    copy = make_copy()
    copy.specialize(*[tile.ir.ArrayType((None,), tile.f32)] * 2)
    with pytest.raises(tile.TileError):
        copy.ptx


def test_what_a_call_runs_is_what_is_shown():
    copy = make_copy()
    x = np.arange(100, dtype=np.float32)
    copy(x, x.copy(), n=64)
    assert copy.ptx == copy.specialize(x, x, n=64).ptx
    with tile.emulator("sm_90a"):
        assert copy.specialize(x, x).arch == "sm_90a"


def test_wrong_arguments():
    with pytest.raises(tile.ArgumentError, match="missing a required"):
        gemm.specialize(HALF)
    with pytest.raises(tile.ArgumentError, match="expected an array or a number"):
        gemm.specialize("a", HALF, SINGLE)
    with pytest.raises(tile.ArgumentError) as caught:
        gemm.specialize(HALF, HALF, SINGLE).get("metadata")
    assert str(caught.value) == ("expected an output of ptx, llvm, cubin, report, "
                                 "report.json, got 'metadata'")
    with pytest.raises(tile.TileError, match="sm_1"):
        gemm.specialize(HALF, HALF, SINGLE, arch="sm_1").ptx


# ----------------------------------------------------------------------------
# Phases
# ----------------------------------------------------------------------------


def test_phases(special):
    ir = special.ir
    assert isinstance(ir, Mapping) and len(ir) == len(list(ir)) == len(set(ir))
    assert (list(ir)[0], list(ir)[-1]) == ("traced", "llvm")
    assert ir["traced"] == gemm.trace(HALF, HALF, SINGLE)
    assert ir["after tile-assign-layouts"] == ir["tile-assign-layouts"]
    assert "#tile.register" not in ir["tile-decompose"]
    assert "#tile.register<" in ir["tile-assign-layouts"]
    assert "memref<" in ir["tile-bufferize"] and "#gpu.address_space" not in ir["traced"]
    assert "llvm.func @gemm" in ir["convert-tile-kernel-to-nvvm"]
    assert re.search(r"^define .*@gemm\(", ir["llvm"], re.M)


def test_the_order_of_phases(special):
    """Checks that text which a phase adds to the program is in the program after this
    phase, and not in the programs before it."""
    texts = list(special.ir.values())
    for mark, first in (("#tile.register<", "tile-assign-layouts"),
                        ("#tile.tiling<", "tile-warp-tiling"),
                        ("llvm.func", "convert-tile-kernel-to-nvvm"),
                        ("tile_gpu.copy_async", "tile-expand-pipeline")):
        index = list(special.ir).index(first)
        assert not any(mark in text for text in texts[:index]), mark
        assert mark in texts[index], mark


def test_the_phases_are_the_compilers(special):
    """Checks that `PASSES` are the phases that the compiler's error message lists,
    except cleanups and verifiers."""
    with pytest.raises(tile.ArgumentError) as caught:
        special._compile(outputs=("ir",), stop_after="?")
    [named] = re.findall(r"to be one of (.*), found '\?'", str(caught.value))
    left_out = {"canonicalize", "cse", "tile-verify-level",
                "tile-verify-instructions"}
    assert [name for name in named.split(", ") if name not in left_out] == \
        list(specialization.PASSES)


def test_no_such_phase(special):
    assert "after tile-assign-layouts" in special.ir and "llvm" in special.ir
    assert "canonicalize" not in special.ir and 3 not in special.ir
    assert special.ir.get("tile-assign") is None
    for name in ("tile-assign", "after after llvm", 3):
        with pytest.raises(tile.UnknownPhaseError) as caught:
            special.ir[name]
        assert isinstance(caught.value, KeyError)
        assert isinstance(caught.value, tile.TileError)
        assert str(caught.value) == (f"expected a phase among {', '.join(special.ir)}, "
                                     f"got {name!r}")


# ----------------------------------------------------------------------------
# Code
# ----------------------------------------------------------------------------


def test_code(special):
    assert re.search(r"^\.visible \.entry gemm\(", special.ptx, re.M)
    assert special.cubin[:4] == b"\x7fELF"


def test_lines_of_a_cubin(tmp_path):
    """A cubin has the lines of the kernel's own file, even if two kernels are equal."""
    for name in ("one", "two"):
        path = tmp_path / f"{name}_kernel.py"
        path.write_text("import tile_mlir as tile\n\n\n@tile.kernel\n"
                        "def k(x):\n    tile.store(x, 0, tile.load(x, 0, 64) + 1)\n")
        kernel = runpy.run_path(str(path))["k"]
        cubin = kernel.specialize(tile.ir.ArrayType((None,), tile.f32)).cubin
        names = re.findall(rb"(\w+)_kernel\.py", cubin)
        assert set(names) == {name.encode()}


def test_where_programs_are_looked_for(tmp_path, monkeypatch):
    """Checks PATH, then the toolkit that CUDA_HOME names."""
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    for folder in ("bin", "path"):
        assert library.find_program("nvdisasm-of-a-test") == (
            None if folder == "bin" else str(tmp_path / "bin" / "nvdisasm-of-a-test"))
        (tmp_path / folder).mkdir()
        program = tmp_path / folder / "nvdisasm-of-a-test"
        program.touch(0o755)
    assert library.find_program("nvdisasm-of-a-test") == str(program)


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Returns a function that makes a shell script in place of a program of CUDA; other
    programs are not found."""
    def make(name, text):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    monkeypatch.setattr(library, "find_program", lambda name: str(
        tmp_path / name) if (tmp_path / name).exists() else None)
    return make


def test_machine_code(special, programs):
    programs("cuobjdump", 'echo cuobjdump "$1"; head -c 4 "$2" | tail -c 3')
    assert special.sass == "cuobjdump --dump-sass\nELF"
    programs("nvdisasm", 'echo nvdisasm "$1" "$2"; head -c 4 "$3" | tail -c 3')
    assert special.sass == "nvdisasm --print-code --print-line-info\nELF"


def test_no_disassembler(special, programs):
    with pytest.raises(tile.TileError) as caught:
        special.sass
    assert str(caught.value) == (
        "expected nvdisasm or cuobjdump of CUDA's toolkit, got neither: pip install "
        "nvidia-cuda-nvdisasm, or put one into PATH")


def test_a_disassembler_that_fails(special, programs):
    programs("nvdisasm", "echo 'no such machine' >&2; exit 3")
    with pytest.raises(tile.TileError, match="exit status 3: no such machine"):
        special.sass


def test_a_disassembler_that_does_not_run(special, monkeypatch, tmp_path):
    monkeypatch.setattr(library, "find_program", lambda name: str(tmp_path))
    with pytest.raises(tile.TileError, match="expected .* to run, got"):
        special.sass


# ----------------------------------------------------------------------------
# Reports
# ----------------------------------------------------------------------------


def test_text(special, report):
    text = str(report)
    assert text.startswith(f"{special!r}\narchitecture sm_80\n\nkernel gemm at ")
    for part in ("block: ", "shared memory: ", "registers: ", "occupancy: ",
                 "work of a block: ", "tiles:", "products:", "decisions:", "buffers:",
                 "shared accesses", "global accesses", "instructions by line:"):
        assert f"\n  {part}" in text
    assert repr(report) == f"<report of {special!r}>"


def test_numbers():
    """1024 f32 are 4096 bytes, 128 sectors, read and written once by a block."""
    report = make_copy().specialize(*[tile.ir.ArrayType((None,), tile.f32)] * 2).report()
    kernel = next(k for k in report.json["kernels"] if not k["generalOf"])
    assert [(a["direction"], a["bytes"], a["sectors"], a["executions"])
            for a in kernel["globalAccesses"]] == [
        ("read", 4096, 128, 1), ("write", 4096, 128, 1)]
    assert kernel["work"]["blockReadBytes"] == 4096
    assert kernel["assembly"]["registers"] > 0


def test_without_ptxas(monkeypatch):
    """Checks that the report leaves out registers, and has everything else."""
    library.get_compiler.cache_clear()
    monkeypatch.setattr(library, "find_ptxas", lambda: None)
    try:
        special = make_copy().specialize(*[tile.ir.ArrayType((None,), tile.f32)] * 2)
        report = special.report()
        assert "registers: " not in str(report)
        assert "registers of a thread" not in report._repr_html_()
        assert report.json["kernels"][0]["assembly"] is None
    finally:
        library.get_compiler.cache_clear()


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_colors(report, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    plain, terminal = io.StringIO(), Terminal()
    report.show(plain)
    assert plain.getvalue() == f"{report}\n"
    report.show(terminal)
    assert "\033[1mkernel gemm" in terminal.getvalue()
    assert re.sub("\033\\[\\d+m", "", terminal.getvalue()) == plain.getvalue()
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as changed:
            changed.setenv(name, value)
            file = Terminal()
            report.show(file)
            assert file.getvalue() == plain.getvalue()


def test_colors_of_the_standard_output(report, capsys):
    report.show()
    assert capsys.readouterr().out.startswith(repr(report._specialization))


class Page(HTMLParser):
    """Checks that tags are closed, and collects the tags, links and texts of a page."""

    EMPTY = {"meta", "img", "br"}

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.links, self.texts = [], set(), [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.links += [value for name, value in attributes if name in ("src", "href")]
        assert not any(name.startswith("on") for name, _ in attributes)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_html(special, report):
    text = report._repr_html_()
    page = Page(text)
    assert "script" not in page.tags and {"table", "details", "pre"} <= page.tags
    assert page.links and all(link.startswith("data:image/svg+xml;base64,")
                              for link in page.links)
    assert repr(special) in page.texts and html.escape(repr(special)) in text
    assert 'tile.store(c, (first, 0), acc)  # "<" & "&" are escaped' in page.texts
    kernel = report.json["kernels"][0]
    assert str(kernel["assembly"]["registers"]) in page.texts
    layouts = {t["layout"] for t in kernel["tiles"] if t["layout"]}
    assert layouts <= set(page.texts) and len(page.links) == len(layouts)
    for phase in ("traced", "tile-assign-layouts", "llvm", "PTX"):
        assert phase in page.texts


def test_what_is_too_large_for_a_page(special, monkeypatch):
    """Checks that the page names a text that it leaves out, with its size."""
    monkeypatch.setattr("tile_mlir.inspection.report._MAX_CELLS", 100)
    monkeypatch.setattr("tile_mlir.inspection.report._MAX_CHARACTERS", 10_000)
    page = Page(special.report()._repr_html_())
    assert page.links == []
    text = special.ir["convert-tile-to-nvgpu"]
    assert (f"Too long for this page: .ir['convert-tile-to-nvgpu'] has {len(text)} "
            "characters.") in page.texts and text not in page.texts
    layout = "#tile.shared<(32,24):(24,1)>"
    assert (f"Too large for this page: tile.layout('{layout}', element_bytes=2)"
            ".draw()") in page.texts


def test_page(report, tmp_path):
    report.save(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>") and "Report of gemm" in page.texts
    assert report._repr_html_() in text
    with pytest.raises(OSError):
        report.save(tmp_path / "none" / "report.html")


def test_json(report):
    assert json.loads(json.dumps(report.json)) == report.json
    assert {k["symbol"] for k in report.json["kernels"]} >= {"gemm"}
