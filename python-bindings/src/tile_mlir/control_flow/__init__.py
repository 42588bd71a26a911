# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python's loops and branches as those of the program.

`rewrite` changes a function's source into calls of `control`, which decides while the
kernel is traced. `carried` has what a body changes, and `ranges` what a loop counts."""
