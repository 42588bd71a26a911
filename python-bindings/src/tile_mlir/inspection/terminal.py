# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text with colours where it goes to a terminal, and without elsewhere."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import Optional, TextIO

BOLD, WARNING, QUIET = "1", "33", "2"  # of ECMA-48's "select graphic rendition"


def show(text: str, marks: Mapping[str, str], file: Optional[TextIO] = None
         ) -> None:
    """Prints a text to a file, the standard output if none is given. The matches of
    each regular expression of `marks` have its rendition in a terminal, unless
    `NO_COLOR` is set (https://no-color.org)."""
    if has_colors(file):
        for pattern, rendition in marks.items():
            text = re.sub(pattern, f"\033[{rendition}m\\g<0>\033[0m", text,
                          flags=re.MULTILINE)
    print(text, file=file)


def has_colors(file: Optional[TextIO]) -> bool:
    """Whether a file, the standard output if it is None, is a terminal that is to
    have colours."""
    return (file or sys.stdout).isatty() and \
        not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
