#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts results into the marked sections of docs/Emulator.md.

  python3 update_page.py counters=FILE

Those of docs/Performance.md are made by performance_page.py. A section NAME is
what stands between <!-- NAME --> and <!-- /NAME -->; the file's text replaces it.
"""

import argparse
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "Emulator.md"


def replace_section(text, name, content):
    """`text` with the content of one section replaced."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        raise ValueError(f"expected one section '{begin}' ... '{end}'")
    before, rest = text.split(begin)
    if end not in rest:
        raise ValueError(f"'{end}' stands before '{begin}'")
    after = rest.split(end)[1]
    return f"{before}{begin}\n\n{content.strip()}\n\n{end}{after}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("sections", nargs="+", metavar="NAME=FILE")
    options = parser.parse_args()
    try:
        text = options.page.read_text()
        for section in options.sections:
            name, separator, path = section.partition("=")
            if not separator:
                raise ValueError(f"expected NAME=FILE, found '{section}'")
            text = replace_section(text, name, Path(path).read_text())
        options.page.write_text(text)
    except (OSError, ValueError) as error:
        sys.exit(f"update_page.py: error: {error}")


if __name__ == "__main__":
    main()
