# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inspection of a kernel, without running it on a GPU.

`specialization` has the results of its compilation, `report` the compiler's decisions,
`profiling` counts its actions on the emulator, and `layouts` evaluates and draws
layouts. `pages` and `terminal` format these results."""
