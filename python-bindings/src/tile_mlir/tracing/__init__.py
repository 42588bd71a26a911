# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The trace of a kernel, and the values that the kernel computes with while it is traced.

`trace` has the program, to which each traced operation is added, `locations` finds the
user's line of each operation, and `calls` calls the kernel's function, whose exceptions
`misuse` explains. `values` has arrays, tiles and scalars with their `operators`; their
methods call functions that the modules of `language` register. `deferred` has tiles
whose operations are built when the tiles are used, and `undefined` has the placeholder
for variables without a value. `objects` finds the changes that the body of a loop or
branch makes to Python objects; `holders` read and restore their contents, and `states`
compares the state of objects that cannot be restored. `captured` has the Python values
that a kernel reads."""
