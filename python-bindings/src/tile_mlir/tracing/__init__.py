# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The trace of a kernel, and the values that the kernel computes with while it is traced.

`trace` has the program that grows, `locations` the user's line of each operation, and
`calls` the call of the kernel's function, whose exceptions `misuse` explains. `values`
has arrays, tiles and scalars with their `operators`; their methods call functions that
the modules above register. `deferred` is a tile that is made later, `undefined` a
variable without a value. `objects` finds the changes that a body makes to Python's
objects, of which `holders` read the contents and `states` the state; `captured` has the
Python values that a kernel reads."""
