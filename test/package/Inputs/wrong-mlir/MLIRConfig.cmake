# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Another version of MLIR.
