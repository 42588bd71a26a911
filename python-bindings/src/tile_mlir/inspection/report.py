# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler's report of a kernel: as text, as JSON, as HTML for notebooks, and as a
page. docs/Report.md describes its contents."""

from __future__ import annotations

import json
import linecache
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Callable, Optional, Protocol, TextIO, Union

from ..errors import ArgumentError
from . import layouts, pages, terminal
from .choice import Choice

# Limits of what a notebook shows, since larger tables make it slow; `tile.layout` and
# `kernel.ir` show all.
_MAX_CELLS = 2048
_MAX_CHARACTERS = 250_000

_MARKS = {
    r"^(architecture|kernel) .*": terminal.BOLD,
    r"^  [a-z].*:$": terminal.BOLD,
    r"[1-9]\d* (by bank conflicts|more than filled)": terminal.WARNING,
    r"[1-9]\d* (bytes of spill stores|of spill loads|of stack)": terminal.WARNING,
    r"^ +\? \(not counted\).*": terminal.QUIET,
}


class Compiled(Protocol):
    """The results of a compilation that a report shows, as a `Specialization` has
    them."""

    name: str
    choice: Optional[Choice]

    @property
    def ir(self) -> Mapping[str, str]: ...

    @property
    def ptx(self) -> str: ...

    def get(self, output: str) -> bytes: ...


class Report:
    """The compiler's decisions about a kernel, their reasons, and its costs.

    `str(report)` is its text, `report.show()` prints it, with colours in a terminal,
    and a notebook shows it as HTML. `json` has the same information as dictionaries and
    lists."""

    def __init__(self, specialization: Compiled):
        self._specialization = specialization
        self._choice = specialization.choice
        self.json: dict[str, Any] = json.loads(specialization.get("report.json"))
        if self._choice is not None:
            self.json["choice"] = self._choice.to_json()

    def __str__(self) -> str:
        text = self._specialization.get("report").decode()
        choice = [] if self._choice is None else [str(self._choice)]
        return "\n".join([repr(self._specialization), *choice, text.rstrip()])

    def show(self, file: Optional[TextIO] = None) -> None:
        """Prints the text, to the standard output if no file is given."""
        terminal.show(str(self), _MARKS, file)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the report as one page of HTML, which needs no scripts and no other
        files."""
        name = self._specialization.name
        Path(path).write_text(pages.page(f"Report of {name}", self._repr_html_()))

    def _repr_html_(self) -> str:
        """Shows the report in a notebook."""
        return pages.fragment(
            pages.heading(repr(self._specialization), 2),
            "" if self._choice is None else self._choice.to_html(),
            *(_format_kernel(kernel) for kernel in self.json["kernels"]),
            pages.heading("Layouts", 3),
            *_format_layouts(self.json["kernels"]),
            pages.heading("Programs", 3),
            *_format_phases(self._specialization),
            _format_program("PTX", self._specialization.ptx, "ptx"))

    def __repr__(self) -> str:
        return f"<report of {self._specialization!r}>"


def _format_kernel(kernel: dict[str, Any]) -> str:
    """Formats one entry point as HTML."""
    generic = kernel["generalOf"]
    return "".join([
        pages.heading(f"Kernel {kernel['symbol']}", 3),
        pages.paragraph(f"The generic variant of {generic}.") if generic else "",
        pages.table(["launch", ""], _list_facts(kernel)),
        pages.table(["work and roofline", ""], _list_work(kernel["work"])),
        _format_lines(kernel),
        *(_format_section(kernel, *section) for section in _SECTIONS)])


def _format_phases(specialization: Compiled) -> Iterator[str]:
    """Formats the program after each phase that changed it."""
    last = None
    for phase, text in specialization.ir.items():
        if text != last:
            yield _format_program(phase, text, f"ir[{phase!r}]")
        last = text


def _format_program(title: str, text: str, member: str) -> str:
    """Formats a text that is shown when its title is clicked."""
    if len(text) > _MAX_CHARACTERS:
        return pages.details(title, pages.paragraph(
            f"Too long for this page: .{member} has {len(text)} characters."))
    return pages.details(title, pages.program(text))


# ----------------------------------------------------------------------------
# Facts
# ----------------------------------------------------------------------------


def _list_facts(kernel: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "threads of a block", kernel["block"]
    if kernel.get("threads") is not None:
        yield "threads that the program asks for", kernel["threads"]
    yield "bytes of shared memory", kernel["sharedBytes"]
    if kernel["blocksPerProcessor"] is not None:
        yield "blocks a multiprocessor, at least", kernel["blocksPerProcessor"]
    assembly, occupancy = kernel["assembly"], kernel["occupancy"]
    if assembly is not None:
        yield "registers of a thread", assembly["registers"]
        yield "bytes of spill stores", assembly["spillStoreBytes"]
        yield "bytes of spill loads", assembly["spillLoadBytes"]
        yield "bytes of stack", assembly["stackBytes"]
    if occupancy is not None:
        yield "blocks a multiprocessor has room for", occupancy["blocks"]
        yield "warps a multiprocessor has room for", occupancy["warps"]
        yield "limited by", occupancy["limiter"]


def _list_work(work: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Lists the names and values of the facts that are known."""
    facts = [("bytes that a block reads", work["blockReadBytes"]),
             ("bytes that a block writes", work["blockWrittenBytes"]),
             *((f"operations of a block by {unit}", count)
               for unit, count in (work["blockFlops"] or {}).items()),
             ("blocks", work["blocks"]),
             ("operations of all blocks", work["flops"]),
             ("bytes of memory, at least", work["memoryBytes"]),
             *((f"microseconds by {unit} of {work['part']}, at least",
                f"{time:.3f}") for unit, time in work["microseconds"].items())]
    return ((name, value) for name, value in facts if value is not None)


# ----------------------------------------------------------------------------
# Lines of the program
# ----------------------------------------------------------------------------


def _format_lines(kernel: dict[str, Any]) -> str:
    """Formats the lines that have a cost, with their costs; operations in a loop are
    counted once."""
    costs: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for item in _list_costs(kernel):
        if item["file"] is not None:
            of_line = costs[item["file"], item["line"]]
            of_line.update({key: item.get(key) or 0 for key in _COSTS})
            of_line.update(item.get("instructions", {}))
    rows = [[_format_location(file, line),
             pages.Code(linecache.getline(file, line).strip()),
             *(found.pop(key) for key in _COSTS), _join_counts(found)]
            for (file, line), found in sorted(costs.items())]
    columns = ["line", "program", *_COSTS.values(), "instructions in the PTX"]
    return pages.table(columns, rows) if rows else ""


# Keys of accesses in the report, with the names of their columns.
_COSTS = {"wavefronts": "wavefronts", "conflicts": "by conflicts",
          "sectors": "sectors", "minimalSectors": "at least"}


def _list_costs(kernel: dict[str, Any]) -> list[dict[str, Any]]:
    """Lists the items that have a location and a cost."""
    return [*kernel["lineInstructions"], *kernel["accesses"],
            *kernel["globalAccesses"]]


def _join_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _format_location(file: Optional[str], line: Optional[int]) -> str:
    return "" if file is None else f"{Path(file).name}:{line}"


# ----------------------------------------------------------------------------
# Tables
# ----------------------------------------------------------------------------


def _get_location(item: dict[str, Any]) -> str:
    return _format_location(item["file"], item["line"])


def _join(key: str) -> Callable[[dict[str, Any]], str]:
    """Returns a function that formats the list `item[key]`, such as extents."""
    return lambda item: " x ".join(map(str, item[key]))


def _get_code(key: str) -> Callable[[dict[str, Any]], Optional[str]]:
    return lambda item: None if item[key] is None else pages.Code(item[key])


# The lists in the report: the key of the list, a title, and the columns. Each column
# has a name, and the key of a value in an item or a function of the item.
_Column = tuple[str, Union[str, Callable[[dict[str, Any]], Any]]]
_SECTIONS: list[tuple[str, str, list[_Column]]] = [
    ("products", "Products", [
        ("line", _get_location), ("instruction", "instruction"),
        ("warps", _join("warps")), ("tile of a warp", _join("warpTile")),
        ("M x N x K", _join("extents")), ("stages", "stages"),
        ("why this instruction", "reason")]),
    ("tiles", "Tiles and their storage", [
        ("line", _get_location), ("operation", "operation"),
        ("type", _get_code("type")), ("storage", "storage"), ("why", "reason"),
        ("layout", _get_code("layout"))]),
    ("decisions", "Decisions", [
        ("line", _get_location), ("operation", "operation"), ("about", "about"),
        ("chosen", "chosen"), ("why", "reason")]),
    ("buffers", "Buffers in shared memory", [
        ("line", _get_location), ("type", _get_code("type")), ("offset", "offset"),
        ("bytes", "bytes"), ("first operation", "first"),
        ("last operation", "last")]),
    ("accesses", "Accesses to shared memory", [
        ("line", _get_location), ("operation", "operation"), ("buffer", "buffer"),
        ("wavefronts", "wavefronts"), ("at least", "minimalWavefronts"),
        ("by bank conflicts", "conflicts"), ("assumes", "assumes")]),
    ("globalAccesses", "Accesses to arrays", [
        ("line", _get_location), ("operation", "operation"),
        ("argument", "argument"), ("direction", "direction"), ("bytes", "bytes"),
        ("sectors", "sectors"), ("at least", "minimalSectors"),
        ("times", "executions"), ("assumes", "assumes")]),
]


def _format_section(kernel: dict[str, Any], key: str, title: str,
                    columns: list[_Column]) -> str:
    """Formats a list of the report as a table; returns nothing for an empty list."""
    if not kernel[key]:
        return ""
    rows = [[get(item) if callable(get) else item[get] for _, get in columns]
            for item in kernel[key]]
    names = [name for name, _ in columns]
    return pages.heading(title, 4) + pages.table(names, rows)


# ----------------------------------------------------------------------------
# Layouts
# ----------------------------------------------------------------------------


def _format_layouts(kernels: list[dict[str, Any]]) -> Iterator[str]:
    """Formats each layout once, as a picture that a click shows."""
    tiles = [tile for kernel in kernels for tile in kernel["tiles"]]
    different = {tile["layout"]: tile for tile in tiles
                 if tile["layout"] is not None}
    for text, tile in different.items():
        yield pages.details(text, _draw(tile))


def _draw(tile: dict[str, Any]) -> str:
    is_shared = tile["storage"] == "shared"
    text = tile["layout"]
    element_bytes = tile["elementBytes"] if is_shared else None
    shown = repr(text) + (f", element_bytes={element_bytes}" if is_shared else "")
    try:
        svg = layouts.layout(text, element_bytes=element_bytes).svg()
    except ArgumentError as error:
        return pages.paragraph(str(error))
    if svg.count("<rect") > _MAX_CELLS + 1:
        return pages.paragraph(f"Too large for this page: tile.layout({shown})"
                               ".draw()")
    return pages.picture(svg, text)
