# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Warnings of likely mistakes in a kernel: a result that includes the zeros beyond the
end of an array, a computation in f64 although no array has that type, a store that
drops a fraction, elements that no block writes."""

from __future__ import annotations

from .. import library
from ..errors import Diagnostic
from ..launching.programs import Program
from ..launching.work import Work
from .unwritten import Unwritten


def find_mistakes(work: Work, unwritten: list[Unwritten]) -> tuple[Diagnostic, ...]:
    """Returns the warnings for a call that has run; `unwritten` are the elements that
    it left unwritten."""
    program = work.program
    return (*_warn_of_no_output(program), *program.warnings,
            *library.lint(program.text, f"<{program.name}>", program.name,
                          work.packed),
            *(_warn_of_unwritten(work, found) for found in unwritten))


def _warn_of_no_output(program: Program) -> list[Diagnostic]:
    if program.written or "tile.array_at" in program.text:
        return []
    return [_warn(program, "the kernel writes no array: its results are lost without "
                           "tile.store, tile.scatter or an atomic operation")]


def _warn_of_unwritten(work: Work, found: Unwritten) -> Diagnostic:
    first = ", ".join(map(str, found.first))
    grid = " x ".join(map(str, work.blocks))
    return _warn(work.program,
                 f"{found.count} of {found.size} elements of {found.name!r} were not "
                 f"written, the first at [{first}], by a grid of {grid} blocks: tile.cdiv "
                 "counts a block for the elements that are left over")


def _warn(program: Program, text: str) -> Diagnostic:
    """Makes a warning at the kernel's function."""
    return Diagnostic("warning", text, program.file, program.line, 1)
