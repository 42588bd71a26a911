# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversion of Python's loops and branches to those of the program.

`rewrite` changes the source of a function into calls of `control`, which decides while
the kernel is traced. `rewriter` changes the syntax tree; `names` finds the names that a
body assigns, and `nodes` makes new nodes of the tree. `carried` handles the variables
that a loop changes, `merged` those that a branch changes; both use `structures`, which
finds the values in tuples, lists, dictionaries and dataclasses. `ranges` has the ranges
of loops, and `function` the decorator of functions that kernels call."""
