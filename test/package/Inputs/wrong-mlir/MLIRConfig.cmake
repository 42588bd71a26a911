# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A package of another version of MLIR.
