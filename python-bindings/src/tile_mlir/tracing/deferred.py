# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles whose operations are built when the tiles are used."""

from __future__ import annotations

from .values import Tile


class Deferred(Tile):
    """A tile whose operation is built when the tile is used. Until then it can be fused
    with an addition to another tile."""

    __slots__ = ()

    def can_add_to(self, acc: Tile) -> bool:
        """Returns whether the addition to `acc` can be fused."""
        raise NotImplementedError

    def add_to(self, acc: Tile) -> Tile:
        """Builds the sum of `acc` and this tile."""
        raise NotImplementedError

    def can_subtract_from(self, acc: Tile) -> bool:
        """Returns whether the subtraction from `acc` can be fused."""
        raise NotImplementedError

    def subtract_from(self, acc: Tile) -> Tile:
        """Builds the difference of `acc` and this tile."""
        raise NotImplementedError
