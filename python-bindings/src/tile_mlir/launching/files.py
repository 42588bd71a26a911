# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that other processes read and write at the same time."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Optional


def write_whole(path: Path, data: bytes, mode: Optional[int] = None) -> None:
    """Writes a file as a whole or not at all; it replaces an existing file. If `mode`
    is None, only the user has access to the file. Raises an OSError if it cannot be
    written."""
    temporary = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            temporary = file.name
            file.write(data)
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, path)
    except OSError:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise
