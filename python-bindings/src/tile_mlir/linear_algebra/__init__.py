# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear algebra on the last two dimensions of tiles: `matmuls`, `factorizations` of
matrices, `diagonals`, and `systems` and `matrix_functions`, which use them."""
