// CopyBox.h - a box of an array on its way to a buffer in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_COPYBOX_H
#define TILE_CONVERSION_TILETONVGPU_COPYBOX_H

#include "Addresses.h"
#include "Patterns.h"

#include "tile/Analysis/SharedAccess.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

/// What a copy_async copies, in values of the conversion.
class CopyBox {
public:
  CopyBox(CopyAsyncOp op,
          CopyAsyncOp::GenericAdaptor<llvm::ArrayRef<mlir::ValueRange>> adaptor,
          const LoweringContext &lowering,
          mlir::ConversionPatternRewriter &rewriter);
  CopyBox(const CopyBox &) = delete;

  /// Whether cp.async can copy the plan's vectors: 4 bytes and more (PTX ISA,
  /// "cp.async": cp-size) of numbers of whole bytes.
  bool isAsync() { return canBeAsync(plan); }
  /// Whether the buffer's box is the tile and no more.
  bool isWhole() { return address.getBox() == getTileShape(); }

  int64_t getRank() { return getTileShape().size(); }
  llvm::ArrayRef<int64_t> getTileShape();
  mlir::Type getElementType();
  /// The extent of the box along a dimension of the array: one for leading
  /// ones.
  int64_t getExtent(int64_t dim);

  CopyAsyncOp op;
  IndexBuilder index;
  SharedAddress address;
  mlir::Value array;
  mlir::Value condition; ///< null for always
  llvm::SmallVector<mlir::Value> offsets, sizes;
  /// Of each offset: it is never below zero.
  llvm::SmallBitVector nonNegative;
  /// Dimensions of the array before those of the tile.
  int64_t leading;
  /// The thread's chunks, vectors along the buffer's fastest dimension where it
  /// is the array's too.
  AccessPlan plan;

private:
  AccessPlan makePlan(int64_t width);
  bool canBeAsync(const AccessPlan &copy);
};

/// Copies by cp.async, without a branch: what lies outside the array is filled
/// with zeros by the instruction's src-size.
/// @pre box.isAsync()
void copyAsync(CopyBox &box);

/// Copies at once, element by element through registers.
void copyElements(CopyBox &box);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_COPYBOX_H
