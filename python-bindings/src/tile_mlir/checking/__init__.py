# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of a kernel on the emulator: `tile.check`.

`checks` runs a kernel under several schedules, `unwritten` finds elements that it does
not write, and `mistakes` warns of likely mistakes."""
