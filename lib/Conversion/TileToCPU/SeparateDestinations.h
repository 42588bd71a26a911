// SeparateDestinations.h - what operations write is theirs alone
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_TILETOCPU_SEPARATEDESTINATIONS_H
#define TILE_LIB_CONVERSION_TILETOCPU_SEPARATEDESTINATIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace tile::cpu {

/// Makes tensors that cost nothing, empty ones and those of one number, once
/// for each operation that begins with one and writes it. Bufferization would
/// copy what several share, and look for the writes of each among those of
/// all: a time that grows with the cube of their number.
void separateDestinations(mlir::ModuleOp module);

} // namespace tile::cpu

#endif // TILE_LIB_CONVERSION_TILETOCPU_SEPARATEDESTINATIONS_H
