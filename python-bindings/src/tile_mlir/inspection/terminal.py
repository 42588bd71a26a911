# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Printing of text, with colours if it goes to a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import Optional, TextIO

BOLD, WARNING, QUIET = "1", "33", "2"  # codes of ECMA-48's "select graphic rendition"


def show(text: str, marks: Mapping[str, str], file: Optional[TextIO] = None
         ) -> None:
    """Prints a text to a file, the standard output if none is given. `marks` maps
    regular expressions to renditions, with which their matches are shown in a terminal,
    unless `NO_COLOR` is set (https://no-color.org)."""
    if has_colors(file):
        for pattern, rendition in marks.items():
            text = re.sub(pattern, f"\033[{rendition}m\\g<0>\033[0m", text,
                          flags=re.MULTILINE)
    print(text, file=file)


def has_colors(file: Optional[TextIO]) -> bool:
    """Whether output to a file, the standard output if it is None, has colours: it is a
    terminal that supports them, and `NO_COLOR` is not set."""
    return (file or sys.stdout).isatty() and \
        not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
