// BoxAccess.h - a tile's box in an array, and a thread's elements of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_BOXACCESS_H
#define TILE_CONVERSION_TILETONVGPU_BOXACCESS_H

#include "Addresses.h"

#include "tile/Analysis/Alignment.h"

#include <map>

namespace tile {

/// A tile's box in an array, and this thread's elements of it.
class BoxAccess {
public:
  /// @p width the elements of an access, as its plan says.
  BoxAccess(IndexBuilder &index, mlir::Value array,
            llvm::ArrayRef<mlir::ValueRange> offsets, TileType tile,
            int64_t width);

  /// Elements of one unguarded access.
  int64_t getVector() const { return vector; }
  /// Elements of one guarded access: neighbours in the array, of any alignment.
  int64_t getRun() const { return run; }
  /// Whether there is a vector of such neighbours, be it of one element.
  bool hasRuns() const;
  int64_t getNumValues() const {
    return coordinates.getLayout().getNumValues();
  }
  ThreadCoordinates &getCoordinates() { return coordinates; }
  llvm::ArrayRef<mlir::Value> getOffsets() const { return offsets; }
  /// Those of the array.
  llvm::ArrayRef<mlir::Value> getSizes() const { return sizes; }

  /// The whole box inside the array, for the block.
  mlir::Value isBoxInside();
  mlir::Value isArrayEmpty();

  /// The array's coordinate of a value.
  llvm::SmallVector<mlir::Value> at(int64_t value) {
    return at(value, coordinates);
  }
  /// Whether a value is inside tile and array.
  mlir::Value isInside(int64_t value, llvm::ArrayRef<mlir::Value> coordinate);

  /// The box inside the array, for isInside of values in rows. What all values
  /// use is 32 bits wide and computed once.
  /// @pre hasRuns(). @p nonNegative of each offset, or empty for none.
  void findLimits(const llvm::SmallBitVector &nonNegative);
  /// Whether a value is inside tile and array: one comparison with what is left
  /// of its row.
  mlir::Value isInside(int64_t value);
  /// The same of the getRun() values from one on, as a vector.
  mlir::Value getMask(int64_t value);

  /// A place in memory: a row of the array's neighbours, and an index in it.
  struct Place {
    mlir::Value row;
    llvm::SmallVector<mlir::Value> at;
  };
  /// Where a value is. Values that differ only along the array's contiguous
  /// dimension share a row, so that one address serves them all, with constants
  /// in the instructions.
  Place place(int64_t value) { return place(value, coordinates); }
  /// Where it is by other coordinates of the layout's values. They live until
  /// forgetRows().
  Place place(int64_t value, ThreadCoordinates &by);
  /// Where the element at a coordinate is, with those beside it in memory.
  Place placeAt(llvm::ArrayRef<mlir::Value> coordinate);
  /// A pointer to the element at a coordinate.
  mlir::Value getPointer(llvm::ArrayRef<mlir::Value> coordinate);

  /// Forgets rows: they were made in a branch that ends.
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
  mlir::Value number(int64_t value);
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

/// What `load` makes of a tile; pad values where the array is empty, and has no
/// valid address.
llvm::SmallVector<mlir::Value> loadUnlessEmpty(IndexBuilder &index,
                                               BoxAccess &box, TileType type,
                                               mlir::Value pad,
                                               IndexBuilder::Emit load);

/// `width` neighbours of memory from a place on, a scalar for one, aligned to
/// their size.
mlir::Value loadChunk(IndexBuilder &index, mlir::Value memory,
                      llvm::ArrayRef<mlir::Value> at, int64_t width);
/// The same, written: `width` is that of the chunk.
void storeChunk(IndexBuilder &index, mlir::Value chunk, mlir::Value memory,
                llvm::ArrayRef<mlir::Value> at);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_BOXACCESS_H
