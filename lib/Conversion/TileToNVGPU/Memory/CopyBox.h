// CopyBox.h - a box of an array on its way to a buffer in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_MEMORY_COPYBOX_H
#define TILE_CONVERSION_TILETONVGPU_MEMORY_COPYBOX_H

#include "../Patterns.h"
#include "Addresses.h"

#include "tile/Analysis/AccessPlans.h"
#include "tile/Analysis/SharedAccess.h"
#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

/// A box of an array and its buffer, as values of the conversion.
class ArrayBox {
public:
  /// Creates the box of a copy_async or an align_rows.
  template <typename Op, typename Adaptor>
  ArrayBox(Op op, Adaptor adaptor, mlir::ConversionPatternRewriter &rewriter)
      : ArrayBox(op, op.getDest(), adaptor.getSource().front(), rewriter) {
    for (mlir::ValueRange offset : adaptor.getOffsets())
      offsets.push_back(offset.front());
    if (op.getCondition())
      condition = adaptor.getCondition().front();
    leading = static_cast<int64_t>(offsets.size()) - getRank();
  }
  ArrayBox(const ArrayBox &) = delete;

  int64_t getRank() const { return tileShape.size(); }
  llvm::ArrayRef<int64_t> getTileShape() const { return tileShape; }
  mlir::Type getElementType() const { return elementType; }
  int64_t getElementBytes() const;

  /// Computes the terms of addresses. Must be called before a branch is
  /// entered. Addresses are pointers, not memrefs: there are many copies, and
  /// their lowered memref descriptors would be most of the module.
  void prepareAddresses();
  /// Converts the coordinates `own` in the box to coordinates in the array; a
  /// null coordinate is zero.
  llvm::SmallVector<mlir::Value>
  getCoordinates(llvm::ArrayRef<mlir::Value> own);
  /// Returns the linear index in the array's memory of the element at
  /// `coordinates`; a coordinate is null for zero.
  mlir::Value getLinear(llvm::ArrayRef<mlir::Value> coordinates);
  /// Returns a pointer `at` elements after `pointer`.
  mlir::Value getElement(mlir::Value pointer, mlir::Value at);
  mlir::Value getElement(mlir::Value pointer, int64_t at);

  IndexBuilder index;
  SharedAddress address;
  mlir::Value array;
  mlir::Value condition; ///< null for always
  llvm::SmallVector<mlir::Value> offsets;
  /// Number of dimensions of the array before those of the tile.
  int64_t leading;
  /// Set by prepareAddresses: a pointer to the first element of the array's
  /// memory, the array's own offset in it, and its strides.
  mlir::Value arrayPointer, arrayOffset;
  llvm::SmallVector<mlir::Value> strides;

private:
  ArrayBox(mlir::Operation *op, mlir::Value dest, mlir::Value array,
           mlir::ConversionPatternRewriter &rewriter);

  llvm::SmallVector<int64_t> tileShape;
  mlir::Type elementType;
};

/// The box that a copy_async copies, and its access plan.
class CopyBox : public ArrayBox {
public:
  /// The distance by which a loop has moved a thread along a dimension of the
  /// tile; `amount` is null for none.
  struct Move {
    int64_t dim = 0;
    mlir::Value amount;
  };

  CopyBox(
      tile_gpu::CopyAsyncOp op,
      tile_gpu::CopyAsyncOp::GenericAdaptor<llvm::ArrayRef<mlir::ValueRange>>
          adaptor,
      const LoweringContext &lowering,
      mlir::ConversionPatternRewriter &rewriter);

  /// Whether the box lies inside the array.
  mlir::Value isBoxInside();
  /// Whether the box is copied by cp.async.
  bool isAsync() { return access.getKind() == AccessInstruction::copy_async; }

  /// Returns pointers to the sources of all `values`; `first` is the pointer
  /// for the first of them. Each other pointer is computed from one a few
  /// values before: independent sums would cost more.
  llvm::SmallVector<mlir::Value> getPointers(const RegisterLayout &layout,
                                             mlir::Value first,
                                             llvm::ArrayRef<int64_t> values);

  /// Emits the accesses of a plan by `emit`: up to `limit` of them as
  /// straight-line code, more in a loop over the last mode of the values. The
  /// loop moves the thread along the dimension of this mode.
  void forValues(const AccessPlan &plan, SharedAddress &address,
                 ThreadCoordinates &coordinates, int64_t limit,
                 llvm::function_ref<void(ThreadCoordinates &,
                                         llvm::ArrayRef<int64_t>, const Move &)>
                     emit);

  tile_gpu::CopyAsyncOp op;
  /// Buffer of the chunks that rows end in, if the rows are covered.
  std::optional<SharedAddress> endsAddress;
  llvm::SmallVector<mlir::Value> sizes;
  /// Extents of the box along the array's dimensions: one along leading ones.
  llvm::SmallVector<int64_t> extents;
  /// Whether each offset is never below zero.
  llvm::SmallBitVector nonNegative;
  bool coversRows;
  AccessAttr access;
  AccessPlan plan; ///< which thread copies which chunks
};

/// Copies by cp.async. Elements outside an array are filled with zeros by the
/// instruction's src-size.
/// @pre all boxes are copied by cp.async, and have one condition
void copyAsync(llvm::ArrayRef<std::unique_ptr<CopyBox>> boxes);

/// Copies synchronously, element by element, through registers.
/// @pre the box is not copied by cp.async
void copyElements(CopyBox &box);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_MEMORY_COPYBOX_H
