# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kinds of updates, which combine an element in memory with a value."""

from __future__ import annotations

from typing import Optional

from ..elements import Element

UPDATES = ("add", "min", "max", "umin", "umax", "and", "or", "xor", "exchange")


def get_update_kind(kind: Optional[str], element: Element) -> Optional[str]:
    if kind in ("min", "max") and element.is_unsigned:
        return f"u{kind}"
    return kind
