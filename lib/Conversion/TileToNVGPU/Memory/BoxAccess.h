// BoxAccess.h - a tile's box in an array, and a thread's elements of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_MEMORY_BOXACCESS_H
#define TILE_CONVERSION_TILETONVGPU_MEMORY_BOXACCESS_H

#include "Addresses.h"

#include "tile/Analysis/Alignment.h"

#include <map>

namespace tile {

/// A tile's box in an array, and this thread's elements of it.
class BoxAccess {
public:
  /// @p width is the number of elements of one access, as its plan specifies.
  BoxAccess(IndexBuilder &index, mlir::Value array,
            llvm::ArrayRef<mlir::ValueRange> offsets, TileType tile,
            int64_t width);

  /// Number of elements of one unguarded access.
  int64_t getVector() const { return vector; }
  /// Number of elements of one guarded access: contiguous elements of the
  /// array, of any alignment.
  int64_t getRun() const { return run; }
  /// Whether guarded accesses are runs of contiguous elements, possibly of one
  /// element each.
  bool hasRuns() const;
  int64_t getNumValues() const {
    return coordinates.getLayout().getNumValues();
  }
  ThreadCoordinates &getCoordinates() { return coordinates; }
  llvm::ArrayRef<mlir::Value> getOffsets() const { return offsets; }
  /// Sizes of the array.
  llvm::ArrayRef<mlir::Value> getSizes() const { return sizes; }

  /// Whether the whole box is inside the array: a condition that is the same
  /// for all threads of the block.
  mlir::Value isBoxInside();
  mlir::Value isArrayEmpty();

  /// Returns the coordinates in the array of a value.
  llvm::SmallVector<mlir::Value> at(int64_t value) {
    return at(value, coordinates);
  }
  /// Whether a value, whose coordinates in the array are `coordinate`, is
  /// inside both the tile and the array.
  mlir::Value isInside(int64_t value, llvm::ArrayRef<mlir::Value> coordinate);

  /// Computes the limits of the box inside the array, which isInside(value) and
  /// getMask use, if they are not known yet. Terms that all values share are
  /// computed once, in 32 bits.
  /// @pre hasRuns().
  /// @p nonNegative has a bit for each offset, or is empty for none.
  void findLimits(const llvm::SmallBitVector &nonNegative);
  /// Whether a value is inside both the tile and the array, by one comparison
  /// with the remaining length of its row. Requires findLimits.
  mlir::Value isInside(int64_t value);
  /// Whether the part of the box inside the array consists of whole accesses
  /// of getVector() elements: a condition that is the same for all threads of
  /// the block, null if the tile does not consist of whole accesses. Requires
  /// findLimits.
  mlir::Value hasWholeVectors();
  /// Returns isInside of the getRun() values from `value` on, as a vector.
  mlir::Value getMask(int64_t value);

  /// A location in memory: `row`, a memref, and coordinates in it. If the tile
  /// has the array's contiguous dimension, elements that are next to each other
  /// in memory are next to each other along the last dimension of `row`.
  struct MemoryLocation {
    mlir::Value row;
    llvm::SmallVector<mlir::Value> at;
  };
  /// Returns the location of a value. Values that differ only along the array's
  /// contiguous dimension share a row, so that one address serves them all,
  /// with constants in the instructions.
  MemoryLocation getLocation(int64_t value) {
    return getLocation(value, coordinates);
  }
  /// Returns the location of a value with the coordinates `by` in place of
  /// getCoordinates(); `by` must live until forgetRows().
  MemoryLocation getLocation(int64_t value, ThreadCoordinates &by);
  /// Returns the location of the element at a coordinate.
  MemoryLocation getLocationAt(llvm::ArrayRef<mlir::Value> coordinate);
  /// Returns a pointer to the element at a coordinate.
  mlir::Value getPointer(llvm::ArrayRef<mlir::Value> coordinate);

  /// Forgets values that were created in a branch, when the branch ends.
  void forgetRows() {
    rows.clear();
    lefts.clear();
    firstRows.clear();
  }

  mlir::Value clamp(mlir::Value condition, mlir::Value coordinate) {
    return index.select(condition, coordinate, index.constant(0));
  }

private:
  llvm::SmallVector<mlir::Value> at(int64_t value, ThreadCoordinates &by);
  mlir::Value constantI32(int64_t value);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b);
  mlir::Value getOwn(int64_t dim, int64_t offset);
  mlir::Value getLeft(const std::vector<int64_t> &offset);
  mlir::Value getFirstRow(ThreadCoordinates &by);
  mlir::Value makeRow(const std::vector<int64_t> &offset,
                      ThreadCoordinates &by);
  mlir::Value castToRow(mlir::Value linear);

  IndexBuilder &index;
  mlir::Value array;
  llvm::SmallVector<mlir::Value> offsets;
  TileType tile;
  ThreadCoordinates coordinates;
  int64_t leading;
  int64_t contiguous; // the array's contiguous dimension, -1 for none
  llvm::SmallVector<mlir::Value> sizes, strides;
  mlir::Value base, arrayOffset;
  llvm::DenseMap<ThreadCoordinates *, mlir::Value> firstRows;
  std::map<std::pair<ThreadCoordinates *, std::vector<int64_t>>, mlir::Value>
      rows;
  std::map<std::vector<int64_t>, mlir::Value> lefts;
  llvm::SmallVector<BoxLimits> limits; // of the array's dimensions
  int64_t vector, run;
};

/// Returns the values of a tile that `load` creates, or pad values if the array
/// is empty and has no valid address.
llvm::SmallVector<mlir::Value> loadUnlessEmpty(IndexBuilder &index,
                                               BoxAccess &box, TileType type,
                                               mlir::Value pad,
                                               IndexBuilder::Emit load);

/// Loads `width` contiguous elements from the coordinate `at` of `memory` on,
/// as a scalar if the width is one. Their address must be a multiple of their
/// size.
mlir::Value loadChunk(IndexBuilder &index, mlir::Value memory,
                      llvm::ArrayRef<mlir::Value> at, int64_t width);
/// Stores a chunk, whose width is that of its type, as loadChunk loads one.
void storeChunk(IndexBuilder &index, mlir::Value chunk, mlir::Value memory,
                llvm::ArrayRef<mlir::Value> at);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_MEMORY_BOXACCESS_H
