# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results of compiling a kernel: the program after each phase, PTX, machine code,
and the report of the decisions.

    kernel(x, y)
    print(kernel.report())
    print(kernel.ir["after tile-assign-layouts"])

These attributes of a kernel are for the types and keywords of its last call.
`kernel.specialize(...)` has the same attributes for other types and keywords, and runs
nothing.
"""

from __future__ import annotations

import copy
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any, Optional

from .. import library
from ..errors import ArgumentError, TileError, UnknownPhaseError
from ..ir import Type
from .choice import Choice
from .report import Report

# The passes that a program goes through, in order, without those that clean up or
# verify: docs/Pipeline.md describes each one.
PASSES = (
    "tile-canonical-form", "tile-decompose", "tile-orient-matmuls",
    "tile-specialize-alignment",
    "tile-split-accumulators", "tile-warp-tiling", "tile-reread-tiles", "tile-assign-storage",
    "tile-assign-layouts",
    "tile-advance-copies", "tile-assign-stages", "tile-expand-pipeline",
    "tile-bufferize", "tile-carry-fragments", "tile-issue-matmuls", "tile-group-exchanges",
    "tile-allocate-shared", "tile-order-fills", "tile-verify-channels",
    "tile-insert-barriers", "tile-count-groups", "tile-sink-waits",
    "tile-plan-accesses", "convert-tile-to-nvgpu", "convert-tile-kernel-to-nvvm")
TRACED, LLVM = "traced", "llvm"


# Outputs that one compilation makes together. A cubin is not read from the cache on
# disk: the cached one has the line table of the first program with the same key.
_GROUPS: tuple[tuple[str, ...], ...] = (
    ("ptx", "llvm"), ("cubin",), ("report", "report.json"))


class Inspectable:
    """An object that can be inspected: a `Specialization`, or a kernel, which stands
    for the specialization of its last call. Calls that launch.c launches by a plan do
    not count as the last call."""

    def _get_specialization(self) -> Specialization:
        raise NotImplementedError

    @property
    def ir(self) -> Phases:
        """The program after each phase, by the phase's name."""
        return Phases(self._get_specialization())

    @property
    def ptx(self) -> str:
        return self._get_specialization().get("ptx").decode()

    @property
    def cubin(self) -> bytes:
        """The ELF file that a GPU loads, made by ptxas."""
        return self._get_specialization().get("cubin")

    @property
    def sass(self) -> str:
        """The machine code of the cubin as text with source lines, made by nvdisasm or
        cuobjdump."""
        return disassemble(self.cubin)

    def report(self) -> Report:
        """Returns the compiler's decisions, their reasons, and the costs:
        docs/Report.md. Registers and occupancy are included if ptxas is available."""
        return Report(self._get_specialization())


class Specialization(Inspectable):
    """A kernel for given argument types and keywords, and an architecture. Each output
    is compiled when it is first requested. `choice`, if given, has the keywords that were
    chosen, for the report."""

    choice: Optional[Choice] = None

    def __init__(self, name: str, text: str, arch: str,
                 arguments: dict[str, Type], constants: dict[str, Any],
                 tiling: Optional[str] = None):
        self.name = name
        self.arch = arch
        self.arguments = arguments
        self.constants = constants
        self._text = text
        self._tiling = tiling
        self._outputs: dict[str, bytes] = {}

    def _get_specialization(self) -> Specialization:
        return self

    def with_choice(self, choice: Optional[Choice]) -> Specialization:
        """Returns the specialization with a choice, if there is one. Both have the same
        outputs."""
        if choice is None:
            return self
        made = copy.copy(self)
        made.choice = choice
        return made

    def get(self, output: str) -> bytes:
        """Returns an output: "cubin", "ptx", "llvm", "report" or "report.json"."""
        if output not in self._outputs:
            group = next((group for group in _GROUPS if output in group), None)
            if group is None:
                raise ArgumentError(f"expected an output of "
                                    f"{', '.join(sum(_GROUPS, ()))}, got "
                                    f"{output!r}")
            # Reports are made together with a cubin, so that they include the messages
            # of ptxas.
            more = ("cubin",) if "report" in group else ()
            result = self._compile(outputs=group + more,
                                   cubin_is_optional=bool(more))
            self._outputs.update({one: result.get(one) for one in group})
        return self._outputs[output]

    def get_phase(self, phase: str) -> str:
        """Returns the program after a phase, a name in `Phases`."""
        if phase == TRACED:
            return self._text
        if phase == LLVM:
            return self.get("llvm").decode()
        key = f"ir {phase}"
        if key not in self._outputs:
            self._outputs[key] = self._compile(
                outputs=("ir",), stop_after=phase).get("ir")
        return self._outputs[key].decode()

    def _compile(self, **options: Any) -> library.Result:
        return library.compile_text(self._text, machine=library.CUDA,
                                    arch=self.arch, name=f"<{self.name}>",
                                    tiling=self._tiling, **options)

    def __repr__(self) -> str:
        given = [f"{name}: {type!r}" for name, type in self.arguments.items()]
        fixed = [f"{name}={value!r}" for name, value in self.constants.items()]
        return f"{self.name}({', '.join(given + fixed)}) for {self.arch}"


class Phases(Mapping[str, str]):
    """The program after each phase, as text: "traced" before any, then the names of
    passes, with or without "after " in front of them, and "llvm", the LLVM IR that the
    PTX is made of. Each is compiled when it is requested."""

    def __init__(self, specialization: Specialization):
        self._specialization = specialization

    def __getitem__(self, phase: str) -> str:
        name = phase.removeprefix("after ") if isinstance(phase, str) else phase
        if name not in self._list():
            raise UnknownPhaseError(f"expected a phase among "
                                    f"{', '.join(self._list())}, got {phase!r}")
        return self._specialization.get_phase(name)

    @staticmethod
    def _list() -> tuple[str, ...]:
        return TRACED, *PASSES, LLVM

    def __contains__(self, phase: object) -> bool:
        """Checks the name without compiling."""
        return isinstance(phase, str) and \
            phase.removeprefix("after ") in self._list()

    def __iter__(self) -> Iterator[str]:
        return iter(self._list())

    def __len__(self) -> int:
        return len(self._list())

    def __repr__(self) -> str:
        return f"<phases of {self._specialization!r}: {', '.join(self)}>"


# ----------------------------------------------------------------------------
# Machine code
# ----------------------------------------------------------------------------

# The tools in order of preference, with their options.
_DISASSEMBLERS = {"nvdisasm": ["--print-code", "--print-line-info"],
                  "cuobjdump": ["--dump-sass"]}


def disassemble(cubin: bytes) -> str:
    """Returns the machine code of a cubin as text."""
    for name, options in _DISASSEMBLERS.items():
        program = library.find_program(name)
        if program is not None:
            return _run_on_file([program, *options], cubin)
    raise TileError("expected nvdisasm or cuobjdump of CUDA's toolkit, got neither: "
                    "pip install nvidia-cuda-nvdisasm, or put one into PATH")


def _run_on_file(command: list[str], data: bytes) -> str:
    """Writes the data to a file and returns the output of a command that reads this
    file."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(data)
        file.flush()
        try:
            done = subprocess.run([*command, file.name], capture_output=True,
                                  text=True, errors="replace")
        except OSError as error:
            raise TileError(f"expected {command[0]} to run, got {error}") from None
    if done.returncode != 0:
        raise TileError(f"expected {command[0]} to read a cubin, got exit status "
                        f"{done.returncode}: {done.stderr.strip()}")
    return done.stdout
