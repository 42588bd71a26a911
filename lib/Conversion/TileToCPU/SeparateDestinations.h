// SeparateDestinations.h - separate destinations for operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_TILETOCPU_SEPARATEDESTINATIONS_H
#define TILE_LIB_CONVERSION_TILETOCPU_SEPARATEDESTINATIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace tile::cpu {

/// Clones tensors that cost nothing, empty ones and those of one element, once
/// for each operation that starts with one and writes it. Bufferization would
/// copy a tensor that several operations share, and look for the writes of each
/// among those of all, in time that grows with the cube of their count.
void separateDestinations(mlir::ModuleOp module);

} // namespace tile::cpu

#endif // TILE_LIB_CONVERSION_TILETOCPU_SEPARATEDESTINATIONS_H
