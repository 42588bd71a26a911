# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Estimated times of launches on a GPU, which need no GPU."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Optional

from .. import library


@dataclass(frozen=True)
class Section:
    """A part of a kernel that a block runs several times: the kernel without its loops,
    or the body of a loop. A block runs it `executions` times on average, and `most` times
    at most. All other members are of one execution, for all warps of the block together:

    - `mma_cycles` of the tensor cores, and `wavefronts` of shared memory, 128 bytes each,
      that matmuls read;
    - `slots`, the instructions that warps issue;
    - bytes that are copied from arrays to shared memory asynchronously, loaded to
      registers, stored, and spilled;
    - how often threads wait for loads, for lanes of their warp, and for other warps.

    `stages` are those of the loop's circular buffers, 0 without such."""

    executions: float
    most: float
    stages: int
    mma_cycles: float
    wavefronts: float
    slots: float
    copied_bytes: float
    loaded_bytes: float
    stored_bytes: float
    spilled_bytes: float
    loads: float
    shuffles: float
    barriers: float


@dataclass(frozen=True)
class Estimate:
    """The estimated time of a launch, if launches are queued, and the facts that it
    follows from. It is for the comparison of tiles and options of one kernel."""

    microseconds: float
    part: str
    entry: str
    blocks: int
    blocks_per_processor: int
    memory_bytes: float
    threads: int
    registers: int
    shared_bytes: int
    sections: tuple[Section, ...]


def estimate(text: str, *, name: str, arch: str, tiling: Optional[str],
             arguments: list[library.Argument], blocks: tuple[int, ...]) -> Estimate:
    """Estimates the time of a launch of the kernel `name` of a program, MLIR text, on a
    GPU of an architecture."""
    found = _rename(json.loads(library.estimate(
        text, name=f"<{name}>", arch=arch, kernel=name, tiling=tiling,
        arguments=arguments, blocks=blocks)))
    sections = tuple(Section(**_rename(section)) for section in found.pop("sections"))
    return Estimate(sections=sections, **found)


def _rename(members: dict[str, Any]) -> dict[str, Any]:
    """Returns the members of an object of JSON with the names that Python uses."""
    return {"".join("_" + c.lower() if c.isupper() else c for c in name): value
            for name, value in members.items()}
