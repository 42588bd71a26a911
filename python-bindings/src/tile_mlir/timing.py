# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The timers of tuning, under the module name that docs/Tuning.md uses."""

from .tuning.timing import CudaTimer, Launch, Target, Timer, find_target

__all__ = ["CudaTimer", "Launch", "Target", "Timer", "find_target"]
