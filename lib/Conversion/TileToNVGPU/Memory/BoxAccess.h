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
  /// Whether there is a vector of such neighbours, even of one element.
  bool hasRuns() const;
  int64_t getNumValues() const {
    return coordinates.getLayout().getNumValues();
  }
  ThreadCoordinates &getCoordinates() { return coordinates; }
  llvm::ArrayRef<mlir::Value> getOffsets() const { return offsets; }
  /// Sizes of the array.
  llvm::ArrayRef<mlir::Value> getSizes() const { return sizes; }

  /// Whether the whole box is inside the array, for the block.
  mlir::Value isBoxInside();
  mlir::Value isArrayEmpty();

  /// Returns the coordinate of a value in the array.
  llvm::SmallVector<mlir::Value> at(int64_t value) {
    return at(value, coordinates);
  }
  /// Whether a value is inside both the tile and the array.
  mlir::Value isInside(int64_t value, llvm::ArrayRef<mlir::Value> coordinate);

  /// Computes the limits of the box inside the array, for isInside of values in
  /// rows. The terms that all values share are 32 bits wide and computed once.
  /// @pre hasRuns().
  /// @p nonNegative has a bit for each offset, or is empty for none.
  void findLimits(const llvm::SmallBitVector &nonNegative);
  /// Whether a value is inside both the tile and the array: one comparison with
  /// the remaining length of its row.
  mlir::Value isInside(int64_t value);
  /// Returns isInside of the getRun() values from `value` on, as a vector.
  mlir::Value getMask(int64_t value);

  /// A location in memory: a row of the array's neighbours, and an index in it.
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
  /// Returns the location of a value by other coordinates of the layout's
  /// values. They live until forgetRows().
  MemoryLocation getLocation(int64_t value, ThreadCoordinates &by);
  /// Returns the location of the element at a coordinate, with its neighbours
  /// in memory.
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

/// Loads `width` neighbours from the index `at` of `memory` on, a scalar for a
/// width of one. They are aligned to their size.
mlir::Value loadChunk(IndexBuilder &index, mlir::Value memory,
                      llvm::ArrayRef<mlir::Value> at, int64_t width);
/// Stores a chunk, whose width is that of its type, as loadChunk loads one.
void storeChunk(IndexBuilder &index, mlir::Value chunk, mlir::Value memory,
                llvm::ArrayRef<mlir::Value> at);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_MEMORY_BOXACCESS_H
