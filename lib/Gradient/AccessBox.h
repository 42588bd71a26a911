// AccessBox.h - boxes of arrays that programs access
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_ACCESSBOX_H
#define TILE_LIB_GRADIENT_ACCESSBOX_H

#include "tile/Gradient/ValueBuilder.h"
#include "tile/IR/PermutedAccess.h"

#include <map>

namespace tile {

/// The index of a program along an axis, or of an iteration of a loop, as a
/// variable that an offset depends on.
using Mover = std::pair<std::optional<Axis>, mlir::Operation *>;

/// An offset as a sum: a constant, and movers and other values, times their
/// coefficients. Each other value is the same in all iterations of a program.
struct Offset {
  /// False for an offset that is no such sum.
  bool isKnown = true;
  int64_t constant = 0;
  std::map<Mover, int64_t> movers;
  std::map<void *, int64_t> others;

  /// Whether the other values are the same in all programs, too.
  bool isSameInPrograms() const;
};

/// The box of an access: its offset and extent along each dimension.
struct Box {
  llvm::SmallVector<Offset> offsets;
  llvm::SmallVector<int64_t> extents;
};

/// Returns an offset as a sum; nothing if it is none.
std::optional<Offset> readOffset(mlir::Value value);

/// Whether a value is the same in all programs and iterations, as far as its
/// operations show.
bool isUniform(mlir::Value value);

/// Whether an integer does not decrease if the indices of programs increase, as
/// far as its operations show.
bool isGrowing(mlir::Value value);

/// Reads the box of a load, a store or an update; nothing if no offset is
/// known.
template <typename Access>
std::optional<Box> readBox(Access access) {
  Box box;
  Offset unknown;
  unknown.isKnown = false;
  for (mlir::Value value : access.getOffsets())
    box.offsets.push_back(readOffset(value).value_or(unknown));
  auto isKnown = [](const Offset &offset) { return offset.isKnown; };
  if (!box.offsets.empty() && llvm::none_of(box.offsets, isKnown))
    return std::nullopt;
  box.extents.assign(box.offsets.size(), 1);
  auto type = mlir::cast<TileType>(access.getAccessedTile().getType());
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    box.extents[getArrayDimension(access, dim)] = extent;
  return box;
}

/// Creates the load of an access' box from another array; elements outside of
/// the array, and those that the mask leaves out, are zero.
template <typename Access>
mlir::Value loadBox(ValueBuilder &b, Access access, mlir::Value array) {
  return LoadOp::create(b, access.getAccessedTile().getType(), array,
                        access.getOffsets(), /*pad=*/mlir::Value(),
                        access.getMask(), access.getInBounds(),
                        access.getDimsAttr());
}

/// Creates the store of a tile to an access' box of another array.
template <typename Access>
void storeBox(ValueBuilder &b, Access access, mlir::Value tile,
              mlir::Value array) {
  StoreOp::create(b, tile, array, access.getOffsets(), access.getMask(),
                  access.getInBounds(), access.getDimsAttr());
}

} // namespace tile

#endif // TILE_LIB_GRADIENT_ACCESSBOX_H
