# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of kernels.

`kernel` has the decorator. `arrays` and `arguments` describe the arguments of a call,
`grids` its blocks, `programs` traces and compiles it, with a `cache` on disk, and `work`
is a call that was checked. `launches` runs it, on the host by `machines`, with
`interruption` of long runs, and on a GPU by `runtime`, on one of `streams`; `plans` and
the compiled `extension` launch it again. `fakes` are calls without arrays."""
