# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Output and checks of a kernel while it runs. Checks are Python's `assert`
statements."""

from __future__ import annotations

from typing import Optional

from ..tracing.trace import builder, describe, fail
from ..tracing.values import Operand
from .conversions import align


def print_(text: str, value: Optional[Operand] = None) -> None:
    """Prints a text, the block's coordinates in the grid, and a tile, a scalar or a
    Python value if one is given. For a tile it prints the shape and type, and one row
    on each line. Each block prints its lines together; the order of blocks is
    unspecified. It is an error if the text has a character 0, or the scalar is
    complex."""
    if not isinstance(text, str) or "\0" in text:
        fail(f"expected a text first, without a character 0, got {describe(text)}")
    printed = None if value is None else align((value,))[0][0]
    builder().tile("print", text=text, value=printed)
