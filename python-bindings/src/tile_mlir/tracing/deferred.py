# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles that are made when they are used."""

from __future__ import annotations

from .values import Tile


class Deferred(Tile):
    """A tile that is made when it is used, and that can become a part of a sum until
    then."""

    __slots__ = ()

    def can_add_to(self, acc: Tile) -> bool:
        """Whether it can be made together with its sum with a tile."""
        raise NotImplementedError

    def add_to(self, acc: Tile) -> Tile:
        """Makes its sum with a tile."""
        raise NotImplementedError

    def can_subtract_from(self, acc: Tile) -> bool:
        """Whether it can be made together with a tile less itself."""
        raise NotImplementedError

    def subtract_from(self, acc: Tile) -> Tile:
        """Makes a tile less itself."""
        raise NotImplementedError
