# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the work of kernels on the emulator, for each line of their Python code.

    with tile.profile() as counted:
        kernel(x, y)
    print(counted)

docs/Emulator.md describes the counters, and compares them with those of a GPU.
"""

from __future__ import annotations

import contextlib
import json
import linecache
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional, TextIO, Union

from . import pages, terminal

_SECTOR_BYTES = 32


# ----------------------------------------------------------------------------
# Counters
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Counters:
    """Counters, added up over all blocks and launches. Accesses to memory, matmuls,
    barriers, and exchanges between lanes are counted; arithmetic is not."""

    instructions: int = 0  # executed, counted once for each warp
    threads: int = 0  # executed, counted for each thread
    wavefronts: int = 0  # passes over the banks of shared memory
    minimal_wavefronts: int = 0  # passes that are needed without bank conflicts
    sectors: int = 0  # of 32 bytes of arrays, counted once for each request
    requests: int = 0  # accesses of warps to arrays

    @property
    def conflicts(self) -> int:
        """The additional wavefronts due to bank conflicts."""
        return self.wavefronts - self.minimal_wavefronts

    @property
    def bytes(self) -> int:
        """The bytes of arrays, in whole sectors."""
        return self.sectors * _SECTOR_BYTES

    @property
    def cost(self) -> float:
        """The key that lines are sorted by: the cycles that a multiprocessor would take
        to issue the instructions, four in each cycle, and then to transfer the
        wavefronts and sectors, one in each cycle. It does not predict the time, since
        these overlap."""
        return self.instructions / 4 + self.wavefronts + self.sectors


def _add(counters: Iterable[Counters]) -> Counters:
    """Returns the sums of counters."""
    rows = [(c.instructions, c.threads, c.wavefronts, c.minimal_wavefronts,
             c.sectors, c.requests) for c in counters]
    return Counters(*map(sum, zip(*rows)))


@dataclass(frozen=True)
class Instruction(Counters):
    """The counts of an instruction of a line. `name` is like the name in PTX, as
    "ld.global.b128"; `column` is its position in the line, counted from one."""

    name: str = ""
    file: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Line(Counters):
    """The counts of a line of Python. Instructions without a location are counted for
    line 0 of a file with an empty name."""

    file: str = ""
    line: int = 0
    by_instruction: tuple[Instruction, ...] = ()  # the most expensive ones first

    @property
    def source(self) -> str:
        """The line itself, "" if its file cannot be read."""
        return linecache.getline(self.file, self.line).strip()


@dataclass(frozen=True)
class Launch(Counters):
    """The counts of a call of a kernel. `arch` is the emulated architecture, `blocks`
    the extent of the grid along each axis, and `barriers` the count of completed
    barriers, summed over all blocks."""

    kernel: str = ""
    arch: str = ""
    blocks: tuple[int, ...] = ()
    barriers: int = 0
    by_instruction: tuple[Instruction, ...] = ()


# ----------------------------------------------------------------------------
# Profiles
# ----------------------------------------------------------------------------


@dataclass(eq=False)
class Profile:
    """The counts of kernels: `launches` in their order, and `lines`. `str` is a table,
    `show()` prints it, and a notebook shows it as HTML."""

    launches: list[Launch] = field(default_factory=list)

    @property
    def lines(self) -> list[Line]:
        """The lines of Python in all launches, the most expensive ones first."""
        found: dict[tuple[str, int], list[Instruction]] = defaultdict(list)
        for launch in self.launches:
            for instruction in launch.by_instruction:
                found[instruction.file, instruction.line].append(instruction)
        lines = [_make_line(*location, of_line) for location, of_line in found.items()]
        return sorted(lines, key=lambda line: (-line.cost, line.file, line.line))

    @property
    def total(self) -> Counters:
        """The sum over all lines."""
        return _add(self.launches)

    def __str__(self) -> str:
        if not self.launches:
            return _NOTHING
        return "\n".join([*_describe(self.launches), *_format_table(self)])

    def show(self, file: Optional[TextIO] = None) -> None:
        """Prints the table, to the standard output if no file is given; in a
        terminal with colours."""
        terminal.show(str(self), {r"\A.*": terminal.BOLD}, file)

    def _repr_html_(self) -> str:
        """Shows the profile in a notebook."""
        if not self.launches:
            return pages.fragment(pages.paragraph(_NOTHING))
        rows: list[list[Any]] = [
            [*_list_values(line), _format_location(line), pages.Code(line.source)]
            for line in self.lines]
        rows.append([*_list_values(self.total), "all", None])
        return pages.fragment(
            *map(pages.paragraph, _describe(self.launches)),
            pages.table([*_COLUMNS, "line", "program"], rows),
            *(pages.details(_format_location(line), _format_instructions(line))
              for line in self.lines))


def _make_line(file: str, line: int, instructions: list[Instruction]) -> Line:
    """Makes a `Line` of instructions; those with the same name and column become
    one."""
    found: dict[tuple[str, int], list[Instruction]] = defaultdict(list)
    for i in instructions:
        found[i.name, i.column].append(i)
    joined = [Instruction(**vars(_add(same)), name=name, file=file, line=line,
                          column=column)
              for (name, column), same in found.items()]
    joined.sort(key=lambda i: (-i.cost, i.column, i.name))
    return Line(**vars(_add(joined)), file=file, line=line,
                by_instruction=tuple(joined))


# ----------------------------------------------------------------------------
# Tables
# ----------------------------------------------------------------------------

_NOTHING = ("no kernel has run on the emulator: on a GPU and within tile.cpu() "
            "nothing is counted")
_COLUMNS = ("instructions", "wavefronts", "conflicts", "sectors",
            "sectors a request", "bytes")


def _list_values(counters: Counters) -> list[Union[int, float, None]]:
    """Lists the values of the columns."""
    per_request = counters.sectors / counters.requests if counters.requests \
        else None
    return [counters.instructions, counters.wavefronts, counters.conflicts,
            counters.sectors, per_request, counters.bytes]


def _format_value(value: Union[int, float, None]) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return "" if value is None else str(value)


def _describe(launches: list[Launch]) -> Iterator[str]:
    """Describes the launches. Launches with the same kernel, architecture and grid are
    described together."""
    kinds: dict[tuple[str, str, tuple[int, ...]], list[Launch]] = defaultdict(list)
    for launch in launches:
        kinds[launch.kernel, launch.arch, launch.blocks].append(launch)
    for (kernel, arch, blocks), of_kind in kinds.items():
        grid = " x ".join(map(str, blocks))
        barriers = sum(launch.barriers for launch in of_kind)
        yield (f"{kernel} on the emulator of {arch}, launches: {len(of_kind)}, "
               f"grid: {grid}, barriers: {barriers}")


def _format_table(profile: Profile) -> list[str]:
    """Formats the lines next to their counters, which are aligned to the right."""
    rows = [[*map(_format_value, _list_values(line)), _format_location(line),
             line.source] for line in profile.lines]
    rows.append([*map(_format_value, _list_values(profile.total)), "all", ""])
    rows.insert(0, [*_COLUMNS, "line", ""])
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    count = len(_COLUMNS)
    return ["  ".join([*(cell.rjust(width) for cell, width in
                         zip(row[:count], widths)),
                       row[count].ljust(widths[count]), row[-1]]).rstrip()
            for row in rows]


def _format_location(line: Line) -> str:
    return f"{Path(line.file).name}:{line.line}" if line.file else "elsewhere"


def _format_instructions(line: Line) -> str:
    """Formats the instructions of a line as an HTML table."""
    return pages.table(
        [*_COLUMNS, "instruction", "column"],
        [[*_list_values(i), pages.Code(i.name), i.column]
         for i in line.by_instruction])


# ----------------------------------------------------------------------------
# Counting
# ----------------------------------------------------------------------------


@dataclass
class _State(threading.local):
    active: list[Profile] = field(default_factory=list)


_state = _State()


@contextlib.contextmanager
def profile() -> Iterator[Profile]:
    """Counts the work of the kernels that this thread runs on the emulator within the
    `with` block, by lines of Python; if there are several schedules, only the last one
    is counted. Calls on a GPU and within `tile.cpu()` run without being counted.

    Sectors depend on the addresses of the arrays: NumPy aligns arrays to 16 bytes, CUDA
    to 256, so a row may need one sector less on a GPU."""
    made = Profile()
    _state.active.append(made)
    try:
        yield made
    finally:
        _state.active.remove(made)


def is_active() -> bool:
    """Whether a profile is active on this thread."""
    return bool(_state.active)


def note(kernel: str, arch: str, blocks: tuple[int, ...], counted: bytes) -> None:
    """Adds a launch to the active profiles of this thread. `counted` are the library's
    counters as JSON: of a function, a list with those of each kernel that it
    launches."""
    found = json.loads(counted)
    if isinstance(found, list):
        for part in found:
            _note(part["kernel"], arch, blocks, part["profile"])
    else:
        _note(kernel, arch, blocks, found)


def _note(kernel: str, arch: str, blocks: tuple[int, ...], found: dict[str, Any]
          ) -> None:
    instructions = tuple(map(_read_instruction, found["instructions"]))
    launch = Launch(**vars(_add(instructions)), kernel=kernel, arch=arch,
                    blocks=blocks, barriers=found["barriers"],
                    by_instruction=instructions)
    for active in _state.active:
        active.launches.append(launch)


def _read_instruction(row: dict[str, Any]) -> Instruction:
    file, line, column = _split_location(row["location"])
    return Instruction(
        row["warps"], row["threads"], row["wavefronts"], row["minimalWavefronts"],
        row["sectors"], row["warps"] if row["sectors"] else 0, row["instruction"],
        file, line, column)


def _split_location(location: str) -> tuple[str, int, int]:
    """Splits a location such as "matmul.py:12:5"; other texts have no position."""
    file, *position = location.rsplit(":", 2)
    if len(position) != 2 or not all(part.isdecimal() for part in position):
        return "", 0, 0
    return file, int(position[0]), int(position[1])
