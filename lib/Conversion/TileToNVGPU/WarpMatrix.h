// WarpMatrix.h - matrices of which the lanes of a warp hold one together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_WARPMATRIX_H
#define TILE_CONVERSION_TILETONVGPU_WARPMATRIX_H

#include "Addresses.h"

#include <map>

namespace tile {

/// This thread's number in the block, an i32.
mlir::Value getThreadNumber(IndexBuilder &index);

/// The places of a matrix along one of its sides: a place is that of the lane
/// plus that of the value, and each digit of its number is one of the lane's or
/// of the value's. Of a matrix that several warps have, what is said of lanes
/// is said of all of their lanes, but for the bits of numbers of lanes.
class MatrixSide {
public:
  MatrixSide(ThreadCoordinates &thread, int64_t dim);

  /// A thread's values along the side, in the order of their places.
  int64_t getNumValues() const { return places.size(); }
  /// The first and the last place that lanes have of those of a value.
  int64_t getFirst(int64_t value) const { return places[value]; }
  int64_t getLast(int64_t value) const { return places[value] + reach; }
  /// The first value of which a lane has a place from this one on.
  int64_t findReaching(int64_t place) const;
  /// Which of the values has a place, in the lanes that have it.
  int64_t getValue(int64_t place) const;
  /// The bits of the numbers of the lanes that have a place, and all bits that
  /// say which place a lane has.
  int64_t getLanes(int64_t place) const;
  /// The same of the lanes' part of a place, in this thread.
  mlir::Value getLanes(IndexBuilder &index, const MatrixSide &of) const;
  /// The same of a place that is known at run time, an i32.
  mlir::Value getLanes(IndexBuilder &index, mlir::Value place) const;
  int64_t getMask() const { return mask; }
  /// Warps that have different places.
  int64_t getNumWarps() const { return numWarps; }
  /// This thread's place of a value.
  mlir::Value getPlace(IndexBuilder &index, int64_t value) const;
  /// Whether that is a place, one before it, or one behind it; null for always.
  mlir::Value isPlace(IndexBuilder &index, int64_t value, int64_t place);
  mlir::Value isBefore(IndexBuilder &index, int64_t value, int64_t place);
  mlir::Value isBehind(IndexBuilder &index, int64_t value, int64_t place);

private:
  mlir::Value isBaseAtLeast(IndexBuilder &index, int64_t least);

  llvm::SmallVector<RegisterMode> lanes; ///< `extent` of the lane's number
  llvm::SmallVector<RegisterMode> warps; ///< of the warp's
  llvm::SmallVector<int64_t> prefixes;   ///< of each of these
  llvm::SmallVector<int64_t> places;
  int64_t reach = 0, mask = 0, numWarps = 1;
  mlir::Value base; ///< this thread's part of its places, null for zero
  llvm::SmallVector<int64_t> bases; ///< those of all lanes, ascending
  /// Whether the part is at least, or is, one of these.
  std::map<int64_t, mlir::Value> atLeast, equal;
};

/// A batch of matrices over the last two dimensions of a tile: the elements of
/// this thread, and those of other lanes.
class WarpMatrix {
public:
  /// @pre getFactorLayout gave the tile's layout.
  WarpMatrix(IndexBuilder &index, ThreadCoordinates &thread,
             llvm::ArrayRef<mlir::Value> elements);

  MatrixSide &getRows() { return rows; }
  MatrixSide &getColumns() { return columns; }
  /// Matrices of which a thread has elements.
  int64_t getNumMatrices() const { return matrices.size(); }
  /// The number of that at a place in the batch, of those of lane and warp
  /// zero.
  int64_t getMatrix(const std::vector<int64_t> &place) const {
    return matrices.at(place);
  }

  /// This thread's element of the matrix: of the value `row` of its rows, and
  /// `column` of its columns.
  mlir::Value &get(int64_t matrix, int64_t row, int64_t column) {
    return elements[values[getNumber(matrix, row, column)]];
  }
  llvm::ArrayRef<mlir::Value> getElements() const { return elements; }

  /// Of a value that the lanes of a column have, one a row: that of this
  /// thread's row.
  mlir::Value fromColumn(mlir::Value value, int64_t column);
  /// Of a value that the lanes of a row have, one a column: that of this
  /// thread's column.
  mlir::Value fromRow(mlir::Value value, int64_t row);
  /// Of a value that the lane of one element has.
  mlir::Value fromElement(mlir::Value value, int64_t row, int64_t column);
  /// Of a value: that of the lane whose number has other bits, known at run
  /// time, in place of those of a mask.
  mlir::Value fromLanes(mlir::Value value, int64_t mask, mlir::Value bits);
  /// Of values that the lanes of a column have, one a row: that of the row
  /// whose number is that of the value `own` of this thread's columns.
  /// @p ofRows of each value along the rows.
  mlir::Value fromColumnTransposed(llvm::ArrayRef<mlir::Value> ofRows,
                                   int64_t own, int64_t column);

  /// From here on what other lanes have is shuffled anew, also where an
  /// operation before has shuffled it: a thread does not keep what was
  /// shuffled, which of a large matrix is more than it has registers for.
  void shuffleAnew();

  /// The sum of the values of the lanes of this thread's column.
  mlir::Value sumRows(mlir::Value value);

private:
  int64_t getNumber(int64_t matrix, int64_t row, int64_t column) const {
    return (matrix * rows.getNumValues() + row) * columns.getNumValues() +
           column;
  }
  /// The number of this lane with other bits in place of those of a mask.
  mlir::Value getLane(int64_t mask, int64_t bits);

  IndexBuilder &index;
  MatrixSide rows, columns;
  llvm::SmallVector<mlir::Value> elements;
  llvm::SmallVector<int64_t> values; ///< of (matrix, row, column)
  std::map<std::vector<int64_t>, int64_t> matrices; ///< by place in the batch
  mlir::Value threadNumber;
  mlir::Value unknownZero; ///< a part of each lane's number, if any
  std::map<std::pair<int64_t, int64_t>, mlir::Value> lanes;
  mlir::Value ownRows; ///< lanes of the rows whose places are of own columns
  std::map<int64_t, mlir::Value> transposedLanes; ///< by their static bits
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_WARPMATRIX_H
