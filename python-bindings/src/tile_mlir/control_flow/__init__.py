# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversion of Python's loops and branches to those of the program.

`rewrite` changes the source of a function into calls of `control`, which decides while
the kernel is traced: `rewriter` changes the syntax tree, by the `names` that a body
assigns, and new `nodes`. `carried` has the variables that a loop changes, `merged` those
that a branch changes, and `structures` the leaves of both; `ranges` has the ranges of
loops, and `function` the functions that kernels call."""
