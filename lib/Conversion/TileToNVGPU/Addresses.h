// Addresses.h - coordinates of a thread's elements, and where they are
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A coordinate is a part that depends on the thread, computed once a layout,
// and a static part, one a value. Addresses keep the two apart as long as they
// can, so that the static part ends up in the instruction.

#ifndef TILE_CONVERSION_TILETONVGPU_ADDRESSES_H
#define TILE_CONVERSION_TILETONVGPU_ADDRESSES_H

#include "tile/Analysis/Buffers.h"
#include "tile/IR/Tile.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/SmallBitVector.h"

namespace tile {

/// Symbol of the global that is a kernel's dynamic shared memory. Each buffer
/// is a range of its bytes (docs/Pipeline.md, phase 7).
constexpr llvm::StringLiteral kSharedSymbol = "tile_shared";

/// Index arithmetic with constants, folded where it can be.
class IndexBuilder {
public:
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  mlir::Value constant(int64_t value);
  /// An i32.
  mlir::Value number(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, int64_t b);
  mlir::Value mul(mlir::Value a, int64_t b);
  /// Of values that are not negative.
  mlir::Value div(mlir::Value a, int64_t b);
  mlir::Value rem(mlir::Value a, int64_t b);
  mlir::Value bitXor(mlir::Value a, int64_t b);
  /// a < b, signed; a null value is "true".
  mlir::Value less(mlir::Value a, mlir::Value b);
  /// a <= b, signed.
  mlir::Value atMost(mlir::Value a, mlir::Value b);
  /// 0 <= a < b, of signed numbers, the latter not negative.
  mlir::Value isBelow(mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  /// Moves the builder into a branch on the condition; null is always.
  void enterIf(mlir::Value condition);
  using Emit = llvm::function_ref<llvm::SmallVector<mlir::Value>()>;
  /// What `yes` makes, values of `types`, where the condition holds, and what
  /// `no` makes elsewhere.
  llvm::SmallVector<mlir::Value>
  emitIfElse(mlir::Value condition, mlir::TypeRange types, Emit yes, Emit no);
  /// What `emit` makes where the condition holds, null for always; zeros
  /// elsewhere.
  llvm::SmallVector<mlir::Value> emitIf(mlir::Value condition,
                                        mlir::TypeRange types, Emit emit);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The part of a box inside an array along one dimension, as 32-bit numbers:
/// [low, high) from the box's first place on; no low for zero. Both are the
/// same for the block. Where the box begins behind the array, high is that
/// distance below zero, down to `least`.
struct BoxLimits {
  mlir::Value low, high;
};
BoxLimits getBoxLimits(IndexBuilder &index, mlir::Value offset,
                       mlir::Value size, int64_t extent, bool isNonNegative,
                       int64_t least = 0);

/// Whether a box of `extents` at `offsets` lies inside an array of `sizes`. The
/// offsets that `nonNegative` marks, if any, are not compared with zero.
mlir::Value isBoxInside(IndexBuilder &index,
                        llvm::ArrayRef<mlir::Value> offsets,
                        llvm::ArrayRef<mlir::Value> sizes,
                        llvm::ArrayRef<int64_t> extents,
                        const llvm::SmallBitVector &nonNegative = {});

/// The coordinates of a layout's elements in this thread.
class ThreadCoordinates {
public:
  /// @p isUniform for a layout whose lanes all have the same elements: what is
  /// computed of its coordinates is computed once a warp.
  ThreadCoordinates(IndexBuilder &index, const RegisterLayout &layout,
                    bool isUniform = false);

  const RegisterLayout &getLayout() const { return layout; }
  /// The thread's part along a dimension, null for zero.
  mlir::Value getBase(int64_t dim) const { return bases[dim]; }
  /// Bits that the thread's part may have set; all above the lowest where the
  /// layout is not one of powers of two.
  uint64_t getBaseBits(int64_t dim) const { return bits[dim]; }
  /// The coordinate of a value along a dimension.
  mlir::Value get(int64_t value, int64_t dim);
  /// Adds a run-time amount, a multiple of `unit` below `extent`, to the
  /// thread's part along `dim`.
  void shift(int64_t dim, mlir::Value amount, int64_t unit, int64_t extent);
  /// Makes the thread's part along `dim` zero unless a condition holds.
  void clearUnless(int64_t dim, mlir::Value condition);
  /// Whether this thread is the owner of its elements; null for always.
  mlir::Value isOwner();
  /// Whether a value lies inside `shape`; null for always.
  mlir::Value isInside(int64_t value, llvm::ArrayRef<int64_t> shape);

private:
  IndexBuilder &index;
  RegisterLayout layout;
  llvm::SmallVector<mlir::Value> bases;
  llvm::SmallVector<uint64_t> bits;
  llvm::SmallVector<int64_t> most; ///< that the thread's part may be
};

/// The number of the thread's lane, or warp, among those along a dimension;
/// null where there is one. @pre they are one mode of the layout.
mlir::Value getNumberAlong(IndexBuilder &index, const RegisterLayout &layout,
                           RegisterLayout::Level level, int64_t dim);

/// A pointer to a memref's first element, in that space.
mlir::Value getPointer(IndexBuilder &index, mlir::Value memory,
                       mlir::NVVM::NVVMMemorySpace space);

/// The number of an element in an array's memory: of that at `place`, where a
/// coordinate is null for zero.
mlir::Value getElementNumber(IndexBuilder &index, mlir::Value arrayOffset,
                             llvm::ArrayRef<mlir::Value> place,
                             llvm::ArrayRef<mlir::Value> strides);

/// To an element, `at` elements of so many bytes behind that of a pointer.
mlir::Value getElementPointer(IndexBuilder &index, mlir::Value pointer,
                              int64_t elementBytes, mlir::Value at);
mlir::Value getElementPointer(IndexBuilder &index, mlir::Value pointer,
                              int64_t elementBytes, int64_t at);

/// A buffer in shared memory as one row of elements, and where a coordinate of
/// a view of it is.
class SharedAddress {
public:
  /// @pre getAllocation(view) has an offset (-tile-allocate-shared).
  SharedAddress(IndexBuilder &index, mlir::ConversionPatternRewriter &rewriter,
                mlir::Value view);

  /// The row: a memref of rank 1 in workgroup memory.
  mlir::Value getMemory() const { return memory; }
  /// To the row's first element.
  mlir::Value getPointer();
  /// The dimension of the view whose neighbours are one element apart.
  int64_t getContiguousDimension() const { return contiguous; }
  /// Extents of the box along the view's dimensions; those of the view where
  /// it is a part of the box.
  llvm::ArrayRef<int64_t> getBox() const { return box; }
  /// How many elements one of a thread's values lies behind another one, where
  /// that is the same for all threads; none where it is not.
  std::optional<int64_t> getDistance(const RegisterLayout &layout, int64_t from,
                                     int64_t to) const;
  /// The same of a thread's values at these coordinates, where more is known of
  /// the bits that the thread's part may have set.
  std::optional<int64_t> getDistance(ThreadCoordinates &coordinates,
                                     int64_t from, int64_t to) const;
  /// The index in the row of a thread's value, in the view's coordinates.
  mlir::Value getElement(ThreadCoordinates &coordinates, int64_t value);
  /// Drops what was kept for a coordinates object: it ends, or the branch does
  /// that elements were computed in.
  void forget(ThreadCoordinates &coordinates) { parts.erase(&coordinates); }
  /// The 16 bytes from an element on, as eight 16-bit numbers: what one lane of
  /// ldmatrix points at, whatever the element type.
  mlir::Value getMatrixRow(mlir::Value element);
  /// The same for a coordinate of any values. What comes from `lastDim`, if it
  /// is one, is added last: of many elements that differ along it, the rest is
  /// computed once.
  mlir::Value getElement(llvm::ArrayRef<mlir::Value> coordinate,
                         int64_t lastDim = -1);

private:
  mlir::Value swizzle(mlir::Value element);
  int64_t swizzle(int64_t element) const;
  int64_t getSwizzleSpan() const;
  /// The static part of a value's place, under the swizzle and added after it,
  /// and the bits that the thread's part under it may have set, which are
  /// others; none where the two cannot be told apart.
  struct Split {
    int64_t under = 0, after = 0;
    uint64_t threadBits = 0;
  };
  std::optional<Split> split(ThreadCoordinates &coordinates,
                             int64_t value) const;
  /// The bits that a swizzle may set of such bits.
  uint64_t getSwizzledBits(uint64_t bits) const;
  /// The thread's part, swizzled, and what is added after it.
  std::pair<mlir::Value, mlir::Value>
  getThreadParts(ThreadCoordinates &coordinates);

  IndexBuilder &index;
  SharedAttr shared;
  int64_t elementBytes;
  mlir::Value bytes; // all of the kernel's shared memory
  int64_t firstByte; // of the buffer in it
  mlir::Value memory;
  mlir::Value slotBase;               // elements before the slot, null for none
  llvm::SmallVector<int64_t> viewDim; // of each dimension of the box
  // Where the view begins: a run-time part, null for none, and a static one.
  llvm::SmallVector<mlir::Value> viewOffset;
  llvm::SmallVector<int64_t> viewStart;
  llvm::SmallVector<int64_t> box;
  int64_t contiguous;
  // The thread's part of a linear index, what is under the swizzle and what is
  // added after it, by coordinates object.
  llvm::DenseMap<ThreadCoordinates *, std::pair<mlir::Value, mlir::Value>>
      parts;
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_ADDRESSES_H
