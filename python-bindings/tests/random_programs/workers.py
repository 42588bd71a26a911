# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs cases one after the other in a separate process, which may end or hang. Then the
current case has failed, and a new process continues with the next one."""

from __future__ import annotations

import json
import os
import resource
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Optional

# Maximum size of the address space of a process, in bytes.
_MEMORY = 8 * 2 ** 30
# Factor by which elapsed time may exceed the limit of processor time on a busy machine.
_PATIENCE = 40


def run_cases(command: Sequence[str], cases: Sequence[int], limit: float
              ) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields, for each case, the case and the answer of the process that `command`
    starts. A case that takes more than `limit` seconds, or ends the process, has the
    kind "wrong"."""
    left = list(cases)
    while left:
        with _Process(command, left) as process:
            while left:
                answer = process.read(limit)
                yield left.pop(0), answer
                if process.has_ended:
                    break


class _Process:
    def __init__(self, command: Sequence[str], cases: Sequence[int]):
        reader, writer = os.pipe()
        self._child = subprocess.Popen(
            [*command, "--serve", str(writer), *map(str, cases)], pass_fds=(writer,),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        os.close(writer)
        self._answers = os.fdopen(reader, "rb", buffering=0)
        self._rest = b""
        self.has_ended = False

    def __enter__(self) -> "_Process":
        return self

    def __exit__(self, *_: object) -> None:
        self._child.kill()
        self._child.wait()
        self._answers.close()
        if self._child.stderr is not None:
            self._child.stderr.close()

    def read(self, limit: float) -> dict[str, Any]:
        """Returns the next answer. If the process ends, or takes more than `limit` s of
        processor time or `_PATIENCE * limit` s of elapsed time, returns an outcome with
        the reason."""
        begin, used = time.monotonic(), self._get_seconds()
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self._answers], [], [], 0.2)
            if not ready:
                if self._get_seconds() - used > limit:
                    return self._end(f"hangs for more than {limit:g} s of processor time")
                if time.monotonic() - begin > _PATIENCE * limit:
                    return self._end(f"hangs for more than {_PATIENCE * limit:g} s")
                continue
            found = os.read(self._answers.fileno(), 65536)
            if not found:
                return self._end(None)
            self._rest += found
        line, _, self._rest = self._rest.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _get_seconds(self) -> float:
        """Returns the processor time that the process has used, in seconds."""
        try:
            with open(f"/proc/{self._child.pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _end(self, reason: Optional[str]) -> dict[str, Any]:
        self.has_ended = True
        if reason is None:
            errors = self._child.stderr.read() if self._child.stderr is not None else b""
            code = self._child.wait()
            last = errors.decode(errors="replace").strip()[-400:]
            reason = f"ends the process with {code}: {last}"
        return {"kind": "wrong", "detail": reason}


def serve(descriptor: int, cases: Sequence[int],
          run: Callable[[int], dict[str, Any]]) -> None:
    """Runs in the separate process: runs each case, and answers it with a line of
    JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with os.fdopen(descriptor, "w") as answers:
        for case in cases:
            answers.write(json.dumps(run(case)) + "\n")
            answers.flush()
    sys.stdout.flush()
    os._exit(0)
