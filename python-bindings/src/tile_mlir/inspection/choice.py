# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The values that were chosen for keyword parameters with `tile.auto`, and the values
that were considered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from . import pages

# The number of rivals in the text of a report.
_MOST_LISTED = 5


@dataclass(frozen=True)
class Rival:
    """Values that were considered, and the estimated time of the call, or the error
    because of which there is none."""

    values: Mapping[str, int]
    microseconds: Optional[float]
    error: Optional[Exception]

    @property
    def outcome(self) -> str:
        if self.microseconds is None:
            return str(self.error).partition("\n")[0]
        return f"{self.microseconds:.1f} us"


@dataclass(frozen=True)
class Choice:
    """The values that were chosen for keyword parameters, the estimated time of the
    call with them, the architecture that it is for, and all values that were
    considered, those with the least times first."""

    values: Mapping[str, int]
    microseconds: float
    arch: str
    rivals: Sequence[Rival]

    def __str__(self) -> str:
        others = [f"  {format_values(rival.values)}: {rival.outcome}"
                  for rival in self.rivals if rival.values != self.values]
        more = len(others) - _MOST_LISTED
        return "\n".join([
            f"chosen by the estimated time: {format_values(self.values)}, "
            f"{self.microseconds:.1f} us; considered",
            *others[:_MOST_LISTED], *([f"  and {more} more"] if more > 0 else [])])

    def to_json(self) -> dict[str, Any]:
        """Returns the choice as dictionaries and lists."""
        return {"values": dict(self.values), "microseconds": self.microseconds,
                "rivals": [{"values": dict(rival.values),
                            "microseconds": rival.microseconds,
                            "error": None if rival.error is None else str(rival.error)}
                           for rival in self.rivals]}

    def to_html(self) -> str:
        """Returns the values that were considered as a table."""
        return pages.heading("Values by their estimated times", 3) + pages.table(
            [*self.values, "estimated time"],
            [[*rival.values.values(), rival.outcome] for rival in self.rivals])


def format_values(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())
