# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of run_random.py, each given by its seed: running one in a separate process,
and writing one that fails to a file."""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
import warnings
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Callable

import numpy as np

from . import generator, running, running_wrong, shrinking
from .mutations import Wrong, mutate
from .program import Program

_SECONDS = 20.0


def run(kind: str, seed: int, machine: str, folder: Path) -> dict[str, Any]:
    """Runs a case and returns its outcome."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    path = folder / f"{kind}_{seed}.py"
    program = generator.make_program(seed)
    if kind == "wrong":
        return asdict(running_wrong.run_wrong(_mutate(program), path, machine))
    return asdict(running.run_program(program, path, machine))


def _mutate(program: Program) -> Wrong:
    return mutate(program, random.Random(-program.seed - 1))


def keep(kind: str, seed: int, machine: str, detail: str, path: Path) -> None:
    """Reduces the program of a case as long as it still fails in the same way, and
    writes it to a file."""
    program = generator.make_program(seed)
    if kind == "wrong":
        _keep_wrong(_mutate(program), machine, detail, path)
        return
    small = shrinking.shrink(program, lambda each: _fails_alike(
        lambda file: running.run_program(each, file, machine), detail))
    shrinking.keep(small, machine, path)


def _keep_wrong(wrong: Wrong, machine: str, detail: str, path: Path) -> None:
    small = shrinking.shrink(wrong.program, lambda each: _fails_alike(
        lambda file: running_wrong.run_wrong(replace(wrong, program=each), file, machine),
        detail), is_whole=bool(wrong.call))
    path.write_text(running_wrong.print_wrong(replace(wrong, program=small)) + f"""
arguments, grid, options = make_call()
with {shrinking.MACHINES[machine]}:
    kernel[grid](*arguments, **options)
""")


def _fails_alike(run: Callable[[Path], running.Outcome], detail: str) -> bool:
    """Returns whether a run, in a process of its own, fails in the same way."""
    return run_alone(lambda: _run_quietly(run)) == _get_kind(detail)


def _run_quietly(run: Callable[[Path], running.Outcome]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder) / "program.py")
    return _get_kind(found.detail) if found.kind == "wrong" else found.kind


def _get_kind(detail: str) -> str:
    """Returns the kind of a failure: "element" for a wrong element, "ends" for a
    process that ended or hung, else the name of the exception."""
    if detail.startswith("out_"):
        return "element"
    if detail.startswith(("ends", "hangs")):
        return "ends"
    return detail.split(":")[0].split(" (")[0].split(", where")[0]


def run_alone(function: Callable[[], str]) -> str:
    """Runs a function in a separate process, and returns its result, or "ends" if the
    process ends or hangs."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _answer(function, writer)
    os.close(writer)
    text = _wait(child, reader)
    os.close(reader)
    return text


def _answer(function: Callable[[], str], writer: int) -> None:
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 2)
    try:
        os.write(writer, function().encode())
    except BaseException as error:
        os.write(writer, type(error).__name__.encode())
    os._exit(0)


def _wait(child: int, reader: int) -> str:
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            return os.read(reader, 4096).decode() or "ends"
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "ends"
