// SeparateDestinations.h - separate destinations for operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_TILETOCPU_SEPARATEDESTINATIONS_H
#define TILE_LIB_CONVERSION_TILETOCPU_SEPARATEDESTINATIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace tile::cpu {

/// Clones tensors that are cheap to create (empty ones, and fills or other
/// operations that read no tensor), so that each operation that overwrites such
/// a tensor has its own one. Bufferization would copy a shared tensor, and take
/// time that grows with the cube of the number of operations that share it.
void separateDestinations(mlir::ModuleOp module);

} // namespace tile::cpu

#endif // TILE_LIB_CONVERSION_TILETOCPU_SEPARATEDESTINATIONS_H
