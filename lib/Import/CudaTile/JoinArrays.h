// JoinArrays.h - one argument for each array that a CUDA Tile entry writes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_JOINARRAYS_H
#define TILE_LIB_IMPORT_CUDATILE_JOINARRAYS_H

#include "tile/IR/Tile.h"

namespace tile::cudatile {

/// Replaces arguments for the same parameter of the entry `name` by one, if the
/// kernel writes one of them: the compiler assumes that arguments do not
/// overlap. Arguments of one type become one. Others become arrays at the
/// address of the first one with strides, or of the first one; nothing uses
/// them then. `parameters` has the parameter of each argument. Emits an error
/// for arrays of several ranks.
mlir::LogicalResult joinArrays(KernelOp kernel, llvm::StringRef name,
                               llvm::ArrayRef<unsigned> parameters);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_JOINARRAYS_H
