# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of the arguments of derivatives: that of the parameter that an array of
derivatives belongs to, followed by a suffix."""

from __future__ import annotations

from collections.abc import Collection

COTANGENT, GRADIENT, TANGENT = "__cotangent", "__gradient", "__tangent"
SUFFIXES = COTANGENT, GRADIENT, TANGENT


def split_name(name: str, known: Collection[str] = ()) -> tuple[str, str]:
    """Returns the name of the parameter, and the suffix, "" if there is none. A `known`
    name is that of a parameter, which may have a suffix itself."""
    for suffix in SUFFIXES:
        if name.endswith(suffix) and name not in known:
            return name.removesuffix(suffix), suffix
    return name, ""
