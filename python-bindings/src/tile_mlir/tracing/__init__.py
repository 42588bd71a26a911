# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The trace of a kernel, and the values that it has while it is traced.

`trace` has the program that grows and the location of each operation. `values` has the
arrays, tiles and scalars, whose methods and operators call the functions of the modules
above. `objects` finds what a body changes of Python's objects, `captured` what a kernel
reads of them, and `misuse` explains exceptions of Python."""
