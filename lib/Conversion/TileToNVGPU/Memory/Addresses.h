// Addresses.h - coordinates and addresses of a thread's elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A coordinate is the sum of the thread's part, which is computed once per
// layout, and a static part for each value. Addresses keep the two apart as
// long as they can, so that the static part ends up in the instruction.

#ifndef TILE_CONVERSION_TILETONVGPU_MEMORY_ADDRESSES_H
#define TILE_CONVERSION_TILETONVGPU_MEMORY_ADDRESSES_H

#include "tile/Analysis/Buffers.h"
#include "tile/IR/Tile.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/SmallBitVector.h"

namespace tile {

/// Symbol of the global that holds a kernel's dynamic shared memory. Each
/// buffer is a range of its bytes (docs/Pipeline.md, phase 7).
constexpr llvm::StringLiteral kSharedSymbol = "tile_shared";

/// Index arithmetic, folded where possible. A null operand of add() or mul() is
/// zero, and a null condition of both(), select(), enterIf() or emitIf() holds.
class IndexBuilder {
public:
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  /// Returns the index of the thread among the participants of an operation
  /// (Participants.h).
  mlir::Value thread();
  mlir::Value constant(int64_t value);
  /// Creates a constant of type i32.
  mlir::Value constantI32(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, int64_t b);
  mlir::Value mul(mlir::Value a, int64_t b);
  /// Divide `a`, which is not negative, by `b`, and return the quotient (div)
  /// or the remainder (rem).
  mlir::Value div(mlir::Value a, int64_t b);
  mlir::Value rem(mlir::Value a, int64_t b);
  mlir::Value bitXor(mlir::Value a, int64_t b);
  /// a < b, signed.
  mlir::Value less(mlir::Value a, mlir::Value b);
  /// a <= b, signed.
  mlir::Value atMost(mlir::Value a, mlir::Value b);
  /// 0 <= a < b for signed integers; `b` is not negative.
  mlir::Value isBelow(mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  /// Moves the builder into a branch that runs if `condition` holds.
  void enterIf(mlir::Value condition);
  using Emit = llvm::function_ref<llvm::SmallVector<mlir::Value>()>;
  /// Returns values of `types`: the results of `yes` if the condition holds,
  /// and the results of `no` otherwise.
  llvm::SmallVector<mlir::Value>
  emitIfElse(mlir::Value condition, mlir::TypeRange types, Emit yes, Emit no);
  /// Returns the results of `emit` if `condition` holds, and zeros otherwise.
  llvm::SmallVector<mlir::Value> emitIf(mlir::Value condition,
                                        mlir::TypeRange types, Emit emit);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The part of a box that is inside an array along one dimension: the interval
/// [low, high) relative to the first index of the box, as 32-bit integers that
/// are the same in all threads. A null `low` is zero. If the box starts after
/// the end of the array, `high` is minus the distance between the two, but at
/// least `least` of getBoxLimits.
struct BoxLimits {
  mlir::Value low, high;
};
BoxLimits getBoxLimits(IndexBuilder &index, mlir::Value offset,
                       mlir::Value size, int64_t extent, bool isNonNegative,
                       int64_t least = 0);
/// Whether limits are multiples of `step`, a power of two: a condition that is
/// the same for all threads of the block.
mlir::Value areMultiples(IndexBuilder &index, const BoxLimits &limits,
                         int64_t step);

/// Whether a box of `extents` at `offsets` lies inside an array of `sizes`. The
/// offsets that `nonNegative` marks, if any, are not compared with zero.
mlir::Value isBoxInside(IndexBuilder &index,
                        llvm::ArrayRef<mlir::Value> offsets,
                        llvm::ArrayRef<mlir::Value> sizes,
                        llvm::ArrayRef<int64_t> extents,
                        const llvm::SmallBitVector &nonNegative = {});

/// The coordinates of this thread's elements in a layout: along each dimension,
/// the sum of the thread's base and of a constant offset for each value.
class ThreadCoordinates {
public:
  /// @p isUniform is for a layout in which all lanes have the same elements:
  /// values that depend on its coordinates are then computed once per warp.
  ThreadCoordinates(IndexBuilder &index, const RegisterLayout &layout,
                    bool isUniform = false);

  const RegisterLayout &getLayout() const { return layout; }
  /// Returns the thread's base along a dimension, null for zero.
  mlir::Value getBase(int64_t dim) const { return bases[dim]; }
  /// Returns the bits that the base may have set; all bits from the lowest one
  /// up if extents or steps of the layout are not powers of two.
  uint64_t getBaseBits(int64_t dim) const { return bits[dim]; }
  /// Returns the coordinate of a value along a dimension.
  mlir::Value get(int64_t value, int64_t dim);
  /// Adds `amount`, a run-time multiple of `unit` less than `extent`, to the
  /// base along `dim`.
  void shift(int64_t dim, mlir::Value amount, int64_t unit, int64_t extent);
  /// Makes the base along `dim` zero unless `condition` holds.
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
  llvm::SmallVector<int64_t> most; ///< maximum of each base
};

/// Returns the index of the thread's lane, or warp, among those along `dim`;
/// null if there is only one.
/// @pre they are one mode of the layout.
mlir::Value getIndexAlong(IndexBuilder &index, const RegisterLayout &layout,
                          RegisterLayout::Level level, int64_t dim);

/// Returns a pointer to a memref's first element, in `space`.
mlir::Value getPointer(IndexBuilder &index, mlir::Value memory,
                       mlir::NVVM::NVVMMemorySpace space);

/// Returns the linear index in an array's memory of the element at
/// `coordinates`; a coordinate is null for zero.
mlir::Value getElementIndex(IndexBuilder &index, mlir::Value arrayOffset,
                            llvm::ArrayRef<mlir::Value> coordinates,
                            llvm::ArrayRef<mlir::Value> strides);

/// Returns a pointer `at` elements of `elementBytes` bytes after `pointer`.
mlir::Value getElementPointer(IndexBuilder &index, mlir::Value pointer,
                              int64_t elementBytes, mlir::Value at);
mlir::Value getElementPointer(IndexBuilder &index, mlir::Value pointer,
                              int64_t elementBytes, int64_t at);

/// A buffer in shared memory as one row of elements. Maps the coordinates of a
/// view of the buffer to indices in the row.
class SharedAddress {
public:
  /// @pre getAllocation(view) has an offset (-tile-allocate-shared).
  SharedAddress(IndexBuilder &index, mlir::ConversionPatternRewriter &rewriter,
                mlir::Value view);

  /// The row: a memref of rank 1 in workgroup memory.
  mlir::Value getMemory() const { return memory; }
  /// Returns a pointer to the row's first element.
  mlir::Value getPointer();
  /// The dimension of the view along which adjacent elements are contiguous.
  int64_t getContiguousDimension() const { return contiguous; }
  /// Extents of the buffer's box along the view's dimensions. If the view is a
  /// part of the box, its own extents.
  llvm::ArrayRef<int64_t> getBox() const { return box; }
  /// Distance in elements from the thread's value `from` to its value `to`, if
  /// it is the same for all threads; none otherwise.
  std::optional<int64_t> getDistance(const RegisterLayout &layout, int64_t from,
                                     int64_t to) const;
  /// Returns this distance for values at `coordinates`. It is known in more
  /// cases, since the bits that may be set in the thread's part are known.
  std::optional<int64_t> getDistance(ThreadCoordinates &coordinates,
                                     int64_t from, int64_t to) const;
  /// Returns the index in the row of a thread's value, in the view's
  /// coordinates.
  mlir::Value getElement(ThreadCoordinates &coordinates, int64_t value);
  /// Drops the values that were kept for a coordinates object. Called when the
  /// object's life or the branch in which elements were computed ends.
  void forget(ThreadCoordinates &coordinates) { parts.erase(&coordinates); }
  /// Returns the 16 bytes from an element on, as eight 16-bit integers: the row
  /// that one lane of ldmatrix points at, whatever the element type.
  mlir::Value getMatrixRow(mlir::Value element);
  /// Returns the index in the row of any coordinate. The part that comes from
  /// `lastDim`, if given, is added last: for many elements that differ along
  /// it, the rest is computed once.
  mlir::Value getElement(llvm::ArrayRef<mlir::Value> coordinate,
                         int64_t lastDim = -1);

private:
  mlir::Value swizzle(mlir::Value element);
  int64_t swizzle(int64_t element) const;
  int64_t getSwizzleSpan() const;
  /// The static part of a value's index, split into the term `under`, to which
  /// the swizzle is applied, and the term `after`, which is added after the
  /// swizzle. `threadBits` are the bits that may be set in the thread's part to
  /// which the swizzle is applied; they are disjoint from those of `under`. No
  /// split exists if the static part cannot be separated from the thread's
  /// part.
  struct Split {
    int64_t under = 0, after = 0;
    uint64_t threadBits = 0;
  };
  std::optional<Split> split(ThreadCoordinates &coordinates,
                             int64_t value) const;
  /// Returns the bits that the swizzle may set for `bits`.
  uint64_t getSwizzledBits(uint64_t bits) const;
  /// Returns the thread's part, swizzled, and the term that is added after it.
  std::pair<mlir::Value, mlir::Value>
  getThreadParts(ThreadCoordinates &coordinates);

  IndexBuilder &index;
  SharedAttr shared;
  int64_t elementBytes;
  mlir::Value bytes; // all of the kernel's shared memory
  int64_t firstByte; // the buffer's offset in `bytes`
  mlir::Value memory;
  mlir::Value stageBase; // elements before the stage, null for none
  llvm::SmallVector<int64_t> viewDim; // of each dimension of the box
  // Start of the view: a run-time part, null for none, and a static one.
  llvm::SmallVector<mlir::Value> viewOffset;
  llvm::SmallVector<int64_t> viewStart;
  llvm::SmallVector<int64_t> box;
  int64_t contiguous;
  // The thread's part of a linear index, by coordinates object: the term to
  // which the swizzle is applied, and the term that is added after it.
  llvm::DenseMap<ThreadCoordinates *, std::pair<mlir::Value, mlir::Value>>
      parts;
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_MEMORY_ADDRESSES_H
