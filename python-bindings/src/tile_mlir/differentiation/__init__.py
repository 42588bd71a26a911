# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of kernels.

`derived` has the programs that the compiler makes of a kernel's program, and the roles of
their arguments. `calls` binds and checks the arguments of a call, and `memory` allocates
the arrays that it writes. `derivatives` has `tile.vjp` and its like, and `gradcheck`
compares them with differences of the kernel."""
