// CopyBox.h - a box of an array on its way to a buffer in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_COPYBOX_H
#define TILE_CONVERSION_TILETONVGPU_COPYBOX_H

#include "Addresses.h"
#include "Patterns.h"

#include "tile/Analysis/CopyPlan.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

/// What a copy_async copies, in values of the conversion.
class CopyBox {
public:
  /// By how much a loop has moved a thread along a dimension of the tile, null
  /// for not at all.
  struct Move {
    int64_t dim = 0;
    mlir::Value amount;
  };

  CopyBox(CopyAsyncOp op,
          CopyAsyncOp::GenericAdaptor<llvm::ArrayRef<mlir::ValueRange>> adaptor,
          const LoweringContext &lowering,
          mlir::ConversionPatternRewriter &rewriter);
  CopyBox(const CopyBox &) = delete;

  /// Whether the buffer's box is the tile and no more.
  bool isWhole() { return address.getBox() == getTileShape(); }

  int64_t getRank() { return getTileShape().size(); }
  llvm::ArrayRef<int64_t> getTileShape();
  mlir::Type getElementType();
  /// Whether the box lies inside the array.
  mlir::Value isBoxInside();

  /// Computes what addresses are made of, before any branch. Places are
  /// pointers: copies are many, and what descriptors of memrefs lower to would
  /// be most of the module.
  void prepareAddresses();
  /// The coordinate in the array of one in the box, both null for zero.
  llvm::SmallVector<mlir::Value> getPlace(llvm::ArrayRef<mlir::Value> own);
  /// The number of a place's element in the array's memory.
  mlir::Value getLinear(llvm::ArrayRef<mlir::Value> place);
  /// To an element, `at` elements behind that of a pointer.
  mlir::Value getElement(mlir::Value pointer, mlir::Value at);
  mlir::Value getElement(mlir::Value pointer, int64_t at);
  /// From that to where a thread's first value comes from those to all of
  /// `values`, or to the beginnings of their rows. Each is made of one a few
  /// before: as sums of their own they would cost more.
  llvm::SmallVector<mlir::Value> getPointers(mlir::Value first,
                                             llvm::ArrayRef<int64_t> values,
                                             bool ofRows = false);

  /// Makes accesses of the plan, those of its first `numClasses` classes: at
  /// most `limit` in a row, and more as a loop over the last digit that is no
  /// class, which moves the thread along the digit's dimension.
  void forValues(ThreadCoordinates &coordinates, int64_t numClasses,
                 int64_t limit,
                 llvm::function_ref<void(ThreadCoordinates &,
                                         llvm::ArrayRef<int64_t>, const Move &)>
                     emit);
  /// A loop over a digit of the values, `steps` of it at a time.
  void
  forDigit(ThreadCoordinates &coordinates, const RegisterMode &digit,
           int64_t steps,
           llvm::function_ref<void(ThreadCoordinates &, const Move &)> emit);

  CopyAsyncOp op;
  IndexBuilder index;
  SharedAddress address;
  mlir::Value array;
  mlir::Value condition; ///< null for always
  /// After prepareAddresses: to the first elements of the array's memory and of
  /// the buffer's, the array's own offset in its memory, and its strides.
  mlir::Value arrayPointer, bufferPointer, arrayOffset;
  llvm::SmallVector<mlir::Value> strides;
  llvm::SmallVector<mlir::Value> offsets, sizes;
  /// Of the box along the array's dimensions: one along leading ones.
  llvm::SmallVector<int64_t> extents;
  /// Of each offset: it is never below zero.
  llvm::SmallBitVector nonNegative;
  /// Dimensions of the array before those of the tile.
  int64_t leading;
  CopyPlan plan;
};

/// Copies by cp.async; what lies outside an array is filled with zeros by the
/// instruction's src-size.
/// @pre the method of all is kVectors, and they have one condition
void copyAsync(llvm::ArrayRef<std::unique_ptr<CopyBox>> boxes);

/// Copies word by word, by cp.async where a class of rows is aligned, else at
/// once through registers.
/// @pre the method is kWords
void copyWords(CopyBox &box);

/// Copies at once, element by element through registers.
/// @pre the method is kElements
void copyElements(CopyBox &box);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_COPYBOX_H
