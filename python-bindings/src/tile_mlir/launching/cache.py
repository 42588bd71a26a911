# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A cache of compiled kernels on disk, so that a process need not compile a kernel that
an earlier process has compiled.

An entry is a file. Its name is a hash of everything that the kernel is compiled from:
the program's text without source locations, the architecture, the requested tiling, and
the files of the compiler, ptxas and libdevice. The folder is `TILE_CACHE_DIR`, else
`tile-mlir` in the user's folder for caches;
only the user has access to it. A damaged entry is ignored. If the folder cannot be
used, there is one warning, and nothing is cached. When the entries exceed
`TILE_CACHE_SIZE` bytes, 1 GiB if that is not set, the least recently used ones are
removed.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import stat
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from .. import library
from ..errors import ArgumentError
from . import files

_MAGIC = b"tile-mlir cubin 1\n"
_SUFFIX = ".tile"
_DEFAULT_SIZE = 1 << 30
# The age in seconds from which a temporary file is taken to be abandoned by the process
# that wrote it.
_ABANDONED_SECONDS = 3600


@dataclass(frozen=True)
class Compiled:
    """The data that a launch needs."""

    cubin: bytes
    metadata: bytes


@dataclass(frozen=True)
class Entry:
    """A file of the cache."""

    path: Path
    bytes: int
    used: float  # seconds since the epoch


def compile_kernel(text: str, arch: str, name: str,
                   tiling: Optional[str] = None) -> Compiled:
    """Returns the cubin of a program's only kernel, from the cache or the compiler."""
    folder = find_folder()
    path = folder and folder / (_make_key(text, arch, tiling) + _SUFFIX)
    found = path and _read(path)
    if found:
        return found
    result = library.compile_text(text, machine=library.CUDA, arch=arch,
                                  outputs=("cubin", "metadata"), name=name,
                                  tiling=tiling)
    made = Compiled(result.get("cubin"), result.get("metadata"))
    if path:
        _write(path, made)
    return made


# ----------------------------------------------------------------------------
# Keys
# ----------------------------------------------------------------------------


def _make_key(text: str, arch: str, tiling: Optional[str] = None) -> str:
    words = [_strip_locations(text), arch, tiling or "", *_describe_tools()]
    digest = hashlib.sha256()
    for word in words:
        digest.update(f"{len(word)} {word}".encode())
    return digest.hexdigest()


_STRING = r'"(?:[^"\\]|\\.)*"'
# Parentheses in a location are nested, as in callsite("a":1:2 at "b":3:4).
_FLAT = rf"\((?:[^()\"]|{_STRING})*\)"
_NESTED = rf"\((?:[^()\"]|{_STRING}|{_FLAT})*\)"
_LOCATION = re.compile(rf"({_STRING})| loc\((?:[^()\"]|{_STRING}|{_NESTED})*\)")


def _strip_locations(text: str) -> str:
    """Removes the locations of operations and arguments, but not text in strings that
    looks like one. If a location remains, because of more nested parentheses, the key
    differs, but no error follows."""
    return _LOCATION.sub(lambda found: found[1] or "", text)


@functools.lru_cache(maxsize=None)
def _describe_tools() -> tuple[str, ...]:
    """Describes the files of the compiler's library, ptxas and libdevice, without
    loading them."""
    tools = [library.find_library(), library.find_ptxas(),
             library.find_libdevice()]
    return tuple(_describe_file(tool) for tool in tools)


def _describe_file(path: Optional[str]) -> str:
    try:
        found = os.stat(path or "")
    except OSError:
        return f"{path}"
    return f"{path} {found.st_size} {found.st_mtime_ns}"


# ----------------------------------------------------------------------------
# Files
# ----------------------------------------------------------------------------


def _read(path: Path) -> Optional[Compiled]:
    """Reads an entry; returns None if there is none, or if it is damaged."""
    try:
        data = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    head, checksum = len(_MAGIC), hashlib.sha256().digest_size
    body = data[head + checksum:]
    if data[:head] != _MAGIC or \
            data[head:head + checksum] != hashlib.sha256(body).digest():
        return None
    sizes, _, rest = body.partition(b"\n")
    cubin, metadata = json.loads(sizes)
    return Compiled(rest[:cubin], rest[cubin:cubin + metadata])


def _write(path: Path, made: Compiled) -> None:
    """Writes an entry, or warns if it cannot be written."""
    sizes = json.dumps([len(made.cubin), len(made.metadata)]).encode()
    body = sizes + b"\n" + made.cubin + made.metadata
    data = _MAGIC + hashlib.sha256(body).digest() + body
    try:
        files.write_whole(path, data)
        trim(path.parent)
    except OSError as error:
        _warn(f"cannot write {path.parent}: {error}")


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:  # another process removed it
        pass


def find_folder() -> Optional[Path]:
    """Returns the folder of the cache, which is created if it does not exist. Returns
    None if `TILE_CACHE_DIR` is empty. Also returns None, with a warning, if the folder
    cannot be used, belongs to another user, or can be written by other users."""
    given = os.environ.get("TILE_CACHE_DIR")
    if given is not None and not given:
        return None  # disabled by the user
    try:
        folder = Path(given) if given else _find_home() / "tile-mlir"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except (OSError, RuntimeError) as error:
        _warn(f"cannot use a folder: {error}")
        return None
    if found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o022:
        _warn(f"expected {folder} to be this user's, and nobody else to write to "
              "it")
        return None
    return folder


def _find_home() -> Path:
    home = os.environ.get("XDG_CACHE_HOME")
    return Path(home) if home else Path.home() / ".cache"


@functools.lru_cache(maxsize=None)
def _warn(text: str) -> None:
    """Warns, once for each text."""
    warnings.warn(f"kernels are compiled without a cache: {text}", RuntimeWarning,
                  stacklevel=2)


# ----------------------------------------------------------------------------
# Size
# ----------------------------------------------------------------------------


def list_entries(folder: Path) -> list[Entry]:
    """Lists the entries of a folder, the most recently used first."""
    return sorted(_find_entries(folder), key=lambda entry: -entry.used)


def _find_entries(folder: Path) -> Iterator[Entry]:
    for path in folder.iterdir():
        try:
            found = path.stat()
        except OSError:
            continue
        if path.suffix == _SUFFIX:
            yield Entry(path, found.st_size, found.st_mtime)
        elif path.name.startswith("tmp") and \
                time.time() - found.st_mtime > _ABANDONED_SECONDS:
            _remove(path)


def get_limit() -> int:
    """Returns the largest total size of all entries, in bytes."""
    text = os.environ.get("TILE_CACHE_SIZE")
    if not text:
        return _DEFAULT_SIZE
    if not text.isdecimal():
        raise ArgumentError(f"expected a number of bytes as TILE_CACHE_SIZE, got "
                            f"{text!r}")
    return int(text)


def trim(folder: Path, limit: Optional[int] = None) -> int:
    """Keeps the most recently used entries that together are within `limit` bytes, and
    removes the others; returns how many were removed."""
    left = get_limit() if limit is None else limit
    removed = 0
    for entry in list_entries(folder):
        left -= entry.bytes
        if left < 0:
            _remove(entry.path)
            removed += 1
    return removed
