// PointerAccess.h - elements at the pointers of a CUDA Tile operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_POINTERACCESS_H
#define TILE_LIB_IMPORT_CUDATILE_POINTERACCESS_H

#include "KernelTranslator.h"

namespace tile::cudatile {

/// Elements of an array without shape, as operands of tile.gather and
/// tile.scatter: tiles of rank 1.
struct PointerAccess {
  mlir::Value array, zero;
  mlir::Value offset; ///< a tile as that of the pointers, or a scalar
  mlir::Value mask;   ///< null if there is none
  int64_t count;

  mlir::Value getIndices(KernelTranslator &t) const {
    return flatten(t, offset);
  }
  /// Returns the index of the only element.
  mlir::Value getIndex(KernelTranslator &t) const {
    return t.toIndex(t.reshape(offset, {}));
  }

  /// Returns a numeric tile of as many elements as a tile of rank 1.
  mlir::Value flatten(KernelTranslator &t, mlir::Value tile) const {
    return t.reshape(tile, {count});
  }
};

/// Returns the elements at an operand that is a tile of pointers; nothing after
/// an error. `others` are the operands that must be numeric tiles, if they are
/// there.
std::optional<PointerAccess>
getPointerAccess(KernelTranslator &t, const SourceOp &op,
                 llvm::StringRef pointers,
                 llvm::ArrayRef<llvm::StringRef> others);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_POINTERACCESS_H
