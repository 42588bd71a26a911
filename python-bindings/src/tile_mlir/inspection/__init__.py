# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can be seen of a kernel, without running it on a GPU.

`specialization` has what it is compiled to, `report` what the compiler decided,
`profiling` counts what it does on the emulator, `checks` runs it there under several
schedules, and `layouts` evaluates and draws layouts. `pages` and `terminal` format
all of it."""
