# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of kernels.

`kernel` has the decorator. `arrays` and `arguments` describe the arguments of a call,
`grids` its blocks, and `extents` chooses keywords that are `tile.auto`. `programs` traces
and compiles the kernel, with a `cache` on disk. `work` is a call that was checked, which
`launches` runs: on the host on one of `machines`, with `interruption` of long runs, or on
a GPU by `runtime`, on one of `streams`. `plans` and the compiled `extension` launch the
call again. `fakes` has calls with tensors that have no memory."""
