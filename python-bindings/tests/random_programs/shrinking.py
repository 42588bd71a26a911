# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program smaller as long as it still fails, and writes it to a file
that reproduces the failure by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from .program import (Arm, Body, Compound, Line, Program, Statement, print_body,
                      print_module)
from .running import compute_expected

_ALONE = '''
# What the outputs must have, and by how much each element may differ.
nan, inf = math.nan, math.inf
EXPECTED = {expected}


def main():
    arguments = make_arguments()
    with {machine}:
        kernel[GRID](*arguments)
    for name, (values, bounds) in EXPECTED.items():
        found = arguments[{parameters}.index(name)]
        exact = np.array(values, found.dtype)
        same = (found == exact) | (found != found) & (exact != exact)
        with np.errstate(all="ignore"):
            wide = np.complex128 if found.dtype.kind == "c" else np.float64
            near = abs(found.astype(wide) - exact.astype(wide)) <= np.array(bounds)
        for at in np.argwhere(~(same | near | np.isinf(bounds))):
            at = tuple(at)
            print(f"{{name}}{{list(at)}}: expected {{exact[at]!r}}, got {{found[at]!r}}")


if __name__ == "__main__":
    main()
'''

MACHINES = {"cpu": "tile.cpu()", "sm_80": "tile.emulator('sm_80')",
             "sm_90a": "tile.emulator('sm_90a')"}


def print_alone(program: Program, machine: str) -> str:
    """Returns the text of a file that runs the program, and compares its outputs with
    those of the reference."""
    outputs = compute_expected(program).outputs
    expected = {name: (array.data.tolist(), array.error.tolist())
                for name, array in outputs.items()}
    return print_module(program) + _ALONE.format(
        expected=expected, machine=MACHINES[machine], parameters=program.parameters)


def keep(program: Program, machine: str, path: Path) -> None:
    try:
        path.write_text(print_alone(program, machine))
    except Exception:  # the reference does not run this program
        path.write_text(print_module(program))


def shrink(program: Program, fails: Callable[[Program], bool], *, is_whole: bool = False,
           most: int = 150) -> Program:
    """Returns a program of fewer statements that still fails, after at most `most` tries;
    with `is_whole` it keeps the parameters."""
    drop = (lambda each: each) if is_whole else _drop_unused
    program, tries = _try(drop(program), program, fails), 0
    while True:
        for body in _list_smaller(program.body):
            tries += 1
            if tries > most:
                return program
            candidate = drop(replace(program, body=body))
            if fails(candidate):
                program = candidate
                break
        else:
            return program


def _try(candidate: Program, program: Program, fails: Callable[[Program], bool]) -> Program:
    return candidate if fails(candidate) else program


def _drop_unused(program: Program) -> Program:
    """Removes the parameters and helpers that no statement names."""
    text = "\n".join(print_body(program.body, True))
    names = [name for name in program.parameters if re.search(rf"\b{name}\b", text)]
    lines = [line for name, line in zip(program.parameters, program.arguments)
             if name in names]
    return replace(
        program, parameters=tuple(names), arguments=tuple(lines),
        constants=tuple(pair for pair in program.constants if pair[0] in text),
        outputs=tuple(name for name in program.outputs if name in names),
        helpers=tuple(each for each in program.helpers
                      if each.head.split("(")[0].split()[-1] in text))


def _list_smaller(body: Body) -> Iterator[Body]:
    """Yields bodies without one of the statements, or with a smaller one instead,
    starting at the last statement."""
    for at in reversed(range(len(body))):
        before, behind = body[:at], body[at + 1:]
        yield before + behind
        for rest in _list_replacements(body[at]):
            yield before + rest + behind


def _list_replacements(statement: Statement) -> Iterator[Body]:
    if isinstance(statement, Line):
        return
    for arm in statement.arms:
        if not statement.arms[0].head.startswith("def "):
            yield arm.body
    for index, arm in enumerate(statement.arms):
        for body in _list_smaller(arm.body):
            arms = list(statement.arms)
            arms[index] = Arm(arm.head, body)
            yield (Compound(tuple(arms), statement.merged),)
