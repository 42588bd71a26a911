# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of kernels: from the arguments to the launch.

`arguments` describes the arguments of a call, `programs` traces and compiles it, and
`launches` runs it, by `runtime` on a GPU or on one of `machines` on the host."""
