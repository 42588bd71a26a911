# phases.py - runs programs through the phases and checks the postconditions
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 phases.py TILE_OPT FILE...
#
# After each phase -test-tile-verify-phase checks the invariants of docs/Pipeline.md,
# and the final result must equal that of -tile-to-nvvm. For each phase there must be a
# file that breaks the phase's invariant before the phase has run: otherwise the check
# would detect nothing.

import collections
import subprocess
import sys

CLEANUP = ",canonicalize,cse)"
PHASES = [
    "tile-canonical-form,tile.kernel(tile-decompose" + CLEANUP +
    ",tile.kernel(tile-orient-matmuls),tile-specialize-alignment",
    "tile.kernel(tile-split-accumulators,tile-warp-tiling,tile-reread-tiles)",
    "tile.kernel(tile-assign-storage)",
    "tile.kernel(tile-assign-layouts,canonicalize,cse,"
    "tile-verify-level{level=distributed})",
    "tile.kernel(tile-advance-copies,tile-assign-stages,tile-expand-pipeline" + CLEANUP,
    "tile.kernel(tile-bufferize,canonicalize,cse,tile-carry-fragments,"
    "tile-issue-matmuls,tile-group-exchanges)",
    "tile.kernel(tile-allocate-shared)",
    "tile.kernel(tile-order-fills,tile-verify-channels,tile-insert-barriers,tile-count-groups,tile-sink-waits,"
    "tile-plan-accesses,tile-verify-level{level=buffered})",
    "tile-lowering",
]
FOUND_BEFORE = [
    "expected no call in a kernel",
    "expected a block size",
    "expected a list of the tiles' storage",
    "expected a tile with a layout",
    "expected no mark of a loop with stages",
    "expected a buffer for a shared tile",
    "expected the bytes of shared memory",
    "expected a barrier between",
    "expected an operation of the LLVM or NVVM dialect",
]


def run(opt, path, passes):
    return subprocess.run(
        [opt, path, "-pass-pipeline=builtin.module(%s)" % ",".join(passes)],
        capture_output=True, text=True)


def verify(phase):
    return "test-tile-verify-phase{phase=%d}" % phase


def check(opt, path, found):
    """Returns the number of errors in one program."""
    passes = [step for phase, text in enumerate(PHASES, 1)
              for step in (text, verify(phase))]
    through = run(opt, path, passes)
    whole = run(opt, path, ["tile-to-nvvm"])
    if through.returncode or whole.returncode or through.stdout != whole.stdout:
        print(path, "phase by phase is not -tile-to-nvvm:",
              through.stderr, whole.stderr)
        return 1
    for phase, message in enumerate(FOUND_BEFORE, 1):
        # Phase 5 consists of two passes: one sets marks, the other expands the marked loops.
        before = PHASES[:phase - 1]
        if phase == 5:
            before = before + ["tile.kernel(tile-assign-stages)"]
        done = run(opt, path, before + [verify(phase)])
        found[phase] += done.returncode != 0 and message in done.stderr
    return 0


def main():
    opt, *paths = sys.argv[1:]
    found = collections.Counter()
    wrong = sum(check(opt, path, found) for path in paths)
    blind = [phase for phase in range(1, len(PHASES) + 1) if not found[phase]]
    print("%d programs, %d wrong, phases without a program that needs them: %s"
          % (len(paths), wrong, blind or "none"))
    return 1 if wrong or blind or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
