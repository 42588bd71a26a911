# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of choices, which docs/Tuning.md describes. Each line is a JSON object; the
first line names the format and its version."""

from __future__ import annotations

import contextlib
import fcntl
import json
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn, Optional

from ..errors import TuningError
from ..launching import files
from .timing import Target

_FORMAT, _VERSION = "tile-tuning", 1


@dataclass(frozen=True)
class Problem:
    """The problem that a choice is for: everything except the target, as text or
    JSON."""

    kernel: str
    types: list[str]
    constants: dict[str, Any]
    key: list[Any]


@dataclass(frozen=True)
class Entry:
    """A line of the file. The members are in the order in which the line has them."""

    kernel: str
    arch: str
    gpu: str
    types: list[str]
    constants: dict[str, Any]
    key: list[Any]
    choice: dict[str, Any]
    microseconds: float

    @property
    def problem(self) -> Problem:
        return Problem(self.kernel, self.types, self.constants, self.key)

    @property
    def target(self) -> Target:
        return Target(self.arch, self.gpu)

    @property
    def order(self) -> Any:
        """A key by which entries are sorted. It is equal for two entries only if they
        have the same target and problem."""
        return _make_order(self.problem, self.target)


def _make_order(problem: Problem, target: Target) -> Any:
    return (problem.kernel, target.arch, target.gpu, problem.types,
            _order(problem.constants), _order(problem.key))


def _order(value: Any) -> Any:
    """Returns a key by which values of JSON can be sorted, also values of different
    types; ints and floats are sorted by their value."""
    if isinstance(value, dict):
        return 5, [(key, _order(value[key])) for key in sorted(value)]
    if isinstance(value, list):
        return 4, [_order(part) for part in value]
    if isinstance(value, str):
        return 3, value
    if isinstance(value, bool) or value is None:
        return 1, str(value)
    return 2, value


# ----------------------------------------------------------------------------
# Reading
# ----------------------------------------------------------------------------


def read(path: Path) -> list[Entry]:
    """Returns the entries of a file; an empty list if there is no file. Raises a
    TuningError with the line that cannot be parsed."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise TuningError(f"expected to read {path}, got: {error}") from None
    locations = [_Location(path, line) for line, _ in enumerate(lines, 1)]
    _check_head(locations[0] if locations else _Location(path, 1),
                lines[0] if lines else "")
    entries = [_read_entry(location, line)
               for location, line in zip(locations[1:], lines[1:]) if line.strip()]
    _check_unique(path, entries, [location.line for location, line in
                                  zip(locations[1:], lines[1:]) if line.strip()])
    return entries


@dataclass(frozen=True)
class _Location:
    path: Path
    line: int

    def fail(self, text: str) -> NoReturn:
        raise TuningError(f"{self.path}:{self.line}: {text}")


def _parse(location: _Location, line: str) -> dict[str, Any]:
    def refuse(word: str) -> NoReturn:
        raise ValueError(f"{word} is no finite number")

    def read_float(text: str) -> float:
        return value if math.isfinite(value := float(text)) else refuse(text)

    try:
        found = json.loads(line, parse_constant=refuse, parse_float=read_float)
    except (ValueError, RecursionError) as error:
        location.fail(f"expected an object of JSON, got what is none: {error}")
    if not isinstance(found, dict):
        location.fail(f"expected an object of JSON, got {_shorten(found)}")
    return found


def _check_head(location: _Location, line: str) -> None:
    head = _parse(location, line)
    if head.get("format") != _FORMAT:
        location.fail(f"expected a file of the format {_FORMAT!r}, got "
                      f"{_shorten(head.get('format'))}")
    if head.get("version") != _VERSION or isinstance(head["version"], bool):
        location.fail(f"expected version {_VERSION}, got "
                      f"{_shorten(head.get('version'))}, of another version of this "
                      "package")


# The expected description and type of each member of an entry.
_MEMBERS: dict[str, tuple[str, type]] = {
    "kernel": ("a text", str), "arch": ("a text", str), "gpu": ("a text", str),
    "types": ("a list of texts", list), "constants": ("an object", dict),
    "key": ("a list", list), "choice": ("an object", dict),
    "microseconds": ("a number", float)}


def _read_entry(location: _Location, line: str) -> Entry:
    found = _parse(location, line)
    for name, (what, kind) in _MEMBERS.items():
        if name not in found:
            location.fail(f"expected a member {name!r}, got none")
        value = found[name]
        if kind is float and isinstance(value, int) and \
                not isinstance(value, bool):
            found[name] = value = float(value)
        if not isinstance(value, kind):
            location.fail(f"expected {what} as {name!r}, got {_shorten(value)}")
    for name in found:
        if name not in _MEMBERS:
            location.fail(f"expected members {', '.join(_MEMBERS)}, got {name!r}")
    if not all(isinstance(type, str) for type in found["types"]):
        location.fail(f"expected a list of texts as 'types', got "
                      f"{_shorten(found['types'])}")
    return Entry(**found)


def _check_unique(path: Path, entries: Sequence[Entry],
                  lines: Sequence[int]) -> None:
    first: dict[str, int] = {}
    for entry, line in zip(entries, lines):
        text = json.dumps(entry.order)
        if text in first:
            _Location(path, line).fail(
                "expected one entry of a kernel, GPU, types, constants and key, got "
                f"another one in line {first[text]}")
        first[text] = line


def _shorten(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."


# ----------------------------------------------------------------------------
# Writing
# ----------------------------------------------------------------------------


def add(path: Path, entry: Entry) -> None:
    """Adds an entry to a file; it replaces an entry with the same target and problem.
    Entries that other processes add at the same time are kept. Raises an OSError if the
    file cannot be written, and a TuningError if its contents cannot be parsed."""
    path = Path(os.path.realpath(path))
    with _locked(path.parent):
        kept = [old for old in read(path) if old.order != entry.order]
        _write(path, _format([*kept, entry]))


def _format(entries: Iterable[Entry]) -> str:
    head = {"format": _FORMAT, "version": _VERSION}
    rows = sorted((entry.order, asdict(entry)) for entry in entries)
    lines = [head, *(row for _, row in rows)]
    return "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n"
                   for line in lines)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Admits one process at a time, if the file system can lock folders. If it cannot,
    entries that two processes add at the same time may be lost, but not damaged."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _write(path: Path, text: str) -> None:
    """Writes a file. It keeps the mode of an existing file; a new one has the default
    mode."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_get_umask()
    files.write_whole(path, text.encode(), mode)


def _get_umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


# ----------------------------------------------------------------------------
# Finding
# ----------------------------------------------------------------------------


def find(entries: Iterable[Entry], problem: Problem, target: Target
         ) -> Optional[Entry]:
    """Returns the entry of a problem on a GPU; None if there is none."""
    order = _make_order(problem, target)
    return next((entry for entry in entries if entry.order == order), None)


def is_same(a: Any, b: Any) -> bool:
    """Whether two values of JSON are the same; True, 1 and 1.0 differ."""
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def find_nearest(entries: Iterable[Entry], problem: Problem, arch: Optional[str],
                 gpu: Optional[str] = None) -> Optional[Entry]:
    """Returns the nearest entry with the kernel, types and constants of `problem`, and
    with the architecture, if one is given; None if there is none. An entry of `gpu` is
    preferred to one of another GPU, then the key whose values differ from those of
    `problem` by the least factors. Keys that cannot be compared are left out."""
    found = [
        (entry.gpu != gpu, distance, entry.order, entry) for entry in entries
        if entry.kernel == problem.kernel and entry.types == problem.types and
        is_same(entry.constants, problem.constants) and arch in (None, entry.arch) and
        math.isfinite(distance := measure_distance(entry.key, problem.key))]
    return min(found, key=lambda row: row[:3])[3] if found else None


def measure_distance(a: Any, b: Any) -> float:
    """Returns the distance between two keys: the sum of |log2((x + 1) / (y + 1))| over
    their values x and y. None matches any value. Values other than non-negative ints
    and floats must be equal; else the distance is infinite."""
    if a is None or b is None:
        return 0.0
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return math.fsum(map(measure_distance, a, b))
    if _is_number(a) and _is_number(b) and a >= 0 and b >= 0:
        return abs(math.log2((a + 1) / (b + 1)))
    return 0.0 if a == b and type(a) is type(b) else math.inf


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
