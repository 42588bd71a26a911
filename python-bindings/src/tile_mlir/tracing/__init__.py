# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The trace of a kernel, and the values that the kernel computes with while it is traced.

`trace` has the program that grows, `locations` finds the user's line of each operation,
and `calls` calls the kernel's function, whose exceptions `misuse` explains. `values`
has arrays, tiles and scalars with their `operators`; their methods call functions that
the modules of `language` register. `deferred` is a tile that is built when it is used,
`undefined` a variable without a value. `objects` finds the changes that a body makes to
Python objects; `holders` read and restore their contents, and `states` compares the
state of objects that cannot be restored. `captured` has the Python values that a kernel
reads."""
