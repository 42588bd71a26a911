# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package's command."""

import argparse
import sys
import time
from pathlib import Path

from .errors import TileError
from .launching import cache


def main() -> None:
    try:
        run()
    except (TileError, OSError) as error:
        sys.exit(f"tile_mlir: {error}")


def run() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tile_mlir", description="Looks after compiled kernels.")
    commands = parser.add_subparsers(dest="command", required=True)
    of_cache = commands.add_parser("cache", help="the cache of compiled kernels")
    of_cache.add_argument("what", nargs="?", default="list",
                          choices=["list", "clear", "trim"])
    options = parser.parse_args()
    folder = cache.find_folder()
    if folder is None:
        sys.exit("no cache is used")
    if options.what == "list":
        show(folder)
    else:
        count = cache.trim(folder, 0 if options.what == "clear" else None)
        print(f"{folder}: {count} entries removed")


def show(folder: Path) -> None:
    entries = cache.list_entries(folder)
    for entry in entries:
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
        print(f"{used} {entry.bytes:9} {entry.path.stem[:16]}")
    size = sum(entry.bytes for entry in entries)
    print(f"{folder}: {len(entries)} entries, {size} of {cache.get_limit()} bytes")


if __name__ == "__main__":
    main()
