// RegisterOperand.h - an operand of a matmul in registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_TILETONVGPU_MATRIX_REGISTEROPERAND_H
#define TILE_LIB_CONVERSION_TILETONVGPU_MATRIX_REGISTEROPERAND_H

#include "../Memory/Addresses.h"

#include "tile/IR/Tile.h"

namespace tile {

/// An operand of a matmul in registers, in the layout of its fragments
/// (getFragmentLayout).
class RegisterOperand {
public:
  RegisterOperand(IndexBuilder &index, MatmulOpInterface op, int operand,
                  mlir::ValueRange registers);

  /// Returns the register with the index `registerIndex`, in which padding
  /// along K is zero.
  mlir::Value get(int64_t registerIndex);

private:
  /// Whether the value with the index `value` lies beyond K in some lane.
  bool canBeBeyond(int64_t value) const;

  IndexBuilder &index;
  TileType type;
  int64_t inner; ///< the dimension of K
  ThreadCoordinates coordinates;
  llvm::SmallVector<mlir::Value> registers;
  llvm::SmallVector<int64_t> bounds;
  int64_t reach = 0; ///< maximum of the lanes' part of a coordinate along K
};

} // namespace tile

#endif // TILE_LIB_CONVERSION_TILETONVGPU_MATRIX_REGISTEROPERAND_H
