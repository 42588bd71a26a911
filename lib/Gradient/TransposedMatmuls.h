// TransposedMatmuls.h - transposes of matmuls, as matmuls of transposes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_TRANSPOSEDMATMULS_H
#define TILE_LIB_GRADIENT_TRANSPOSEDMATMULS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Replaces (A B)' by B' A' if A or B is a transpose itself, which is then used
/// without it. Matrices are the last two dimensions of a tile. The gradient of
/// an operand that a kernel transposes is such a matmul, whose accumulator can
/// then add it up.
void transposeMatmuls(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_TRANSPOSEDMATMULS_H
