# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The paths that the reference takes at conditions and loops. `take_others` makes it
take other paths, so that the variables of a program on those paths can be examined."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, Optional

# The file name of the reference's text.
REFERENCE = "<reference>"


class _Others:
    """A run on other paths: the function that chooses them, the lines whose conditions
    are not changed, and the conditions (line, instruction) that it has decided."""

    def __init__(self, choose: Callable[[], bool], kept: Collection[int]):
        self.choose, self.kept = choose, kept
        self.done: set[tuple[int, int]] = set()

    def decide(self, frame: Any, holds: bool) -> bool:
        position = frame.f_lineno, frame.f_lasti
        if frame.f_lineno in self.kept or position in self.done:
            return holds
        self.done.add(position)
        return self.choose()


class _State:
    others: Optional[_Others] = None


@contextmanager
def take_others(choose: Callable[[], bool], kept: Collection[int] = ()
                ) -> Iterator[None]:
    """Within this context, `choose` decides each condition when it is first reached;
    after that, the value of the condition decides. Conditions at the lines `kept` are
    not changed. A loop for which False is chosen does not run; one for which True is
    chosen runs at least once."""
    _State.others = _Others(choose, kept)
    try:
        yield
    finally:
        _State.others = None


def decide(holds: bool) -> bool:
    """Returns the path to take at a condition of the program whose value is `holds`."""
    frame: Any = None if _State.others is None else sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != REFERENCE:
        frame = frame.f_back
    if _State.others is None or frame is None:
        return holds
    return _State.others.decide(frame, holds)
