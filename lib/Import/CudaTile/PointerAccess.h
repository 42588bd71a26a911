// PointerAccess.h - elements at the pointers of a CUDA Tile operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_POINTERACCESS_H
#define TILE_LIB_IMPORT_CUDATILE_POINTERACCESS_H

#include "KernelTranslator.h"

namespace tile::cudatile {

/// Elements of an array without shape. Tiles of their values have rank 1.
struct PointerAccess {
  mlir::Value array, zero;
  /// The offsets of the pointers, or one of all of them.
  mlir::Value offset;
  /// The mask, null if there is none.
  mlir::Value mask;
  int64_t count;

  /// Returns the type of a tile of the elements.
  TileType getTileType() const {
    return TileType::get(
        {count},
        llvm::cast<mlir::MemRefType>(array.getType()).getElementType());
  }
  /// Returns the index of the only element.
  mlir::Value getIndex(KernelTranslator &t) const {
    return t.toIndex(t.reshape(offset, {}));
  }

  /// Loads a value for each element: `pad`, or zero without `pad`, where the
  /// mask is false.
  mlir::Value gather(KernelTranslator &t, mlir::Value pad) const;
  /// Stores a value for each element, or updates it atomically if there is a
  /// kind. The result then has the values before.
  ScatterOp scatter(KernelTranslator &t, mlir::Value value,
                    AtomicKindAttr kind) const;
  /// Accesses one element, given the elements of tiles as tiles of one element.
  /// Returns a tile of one element, or null.
  using Access = llvm::function_ref<mlir::Value(const PointerAccess &,
                                                llvm::ArrayRef<mlir::Value>)>;
  /// Accesses each element in turn, in a loop, where the mask is true. Returns
  /// `results`, with the accesses' results there; null without `results`.
  mlir::Value forEach(KernelTranslator &t, llvm::ArrayRef<mlir::Value> tiles,
                      mlir::Value results, Access access) const;
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
