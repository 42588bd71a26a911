# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C libraries that tile_mlir loads: the compiler and the runtime."""
