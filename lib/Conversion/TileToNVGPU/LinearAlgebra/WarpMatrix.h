// WarpMatrix.h - matrices that the lanes of a warp hold together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_WARPMATRIX_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_WARPMATRIX_H

#include "../Memory/Addresses.h"

#include <map>

namespace tile {

/// Returns this thread's index in the block, an i32.
mlir::Value getThreadIndex(IndexBuilder &index);

/// The rows or the columns of a matrix. The position of an element along this
/// side is the sum of the lane's part and the value's part, and each digit of
/// the position belongs to one of the two. If several warps have a matrix,
/// "lanes" means all of their lanes, except in the bits of lane indices.
class MatrixSide {
public:
  MatrixSide(ThreadCoordinates &thread, int64_t dim);

  /// Number of a thread's values along the side, in the order of their
  /// positions.
  int64_t getNumValues() const { return positions.size(); }
  /// First and last position that a value has in any lane.
  int64_t getFirst(int64_t value) const { return positions[value]; }
  int64_t getLast(int64_t value) const { return positions[value] + reach; }
  /// Returns the first value whose position in some lane is at least
  /// `position`.
  int64_t findReaching(int64_t position) const;
  /// Returns the value whose position, in some lane, is `position`.
  int64_t getValue(int64_t position) const;
  /// Returns the index of the lanes at `position`, masked by getMask().
  int64_t getLanes(int64_t position) const;
  /// Returns the index, masked by getMask(), of the lanes whose position along
  /// this side is the lane's part of this thread's position along `of`.
  mlir::Value getLanes(IndexBuilder &index, const MatrixSide &of) const;
  /// Returns the index, masked by getMask(), of the lanes at a position that is
  /// known at run time, an i32.
  mlir::Value getLanes(IndexBuilder &index, mlir::Value position) const;
  /// Mask of the bits of a lane's index that determine its position.
  int64_t getMask() const { return mask; }
  /// Number of warps that have different positions.
  int64_t getNumWarps() const { return numWarps; }
  /// Returns this thread's position of a value.
  mlir::Value getPosition(IndexBuilder &index, int64_t value) const;
  /// Whether this thread's position of a value is `position`, is before it, or
  /// is after it; null for always.
  mlir::Value isAt(IndexBuilder &index, int64_t value, int64_t position);
  mlir::Value isBefore(IndexBuilder &index, int64_t value, int64_t position);
  mlir::Value isBehind(IndexBuilder &index, int64_t value, int64_t position);

private:
  mlir::Value isBaseAtLeast(IndexBuilder &index, int64_t least);

  llvm::SmallVector<RegisterMode> lanes; ///< modes of the lane's index
  llvm::SmallVector<RegisterMode> warps; ///< modes of the warp's index
  llvm::SmallVector<int64_t> prefixes;   ///< of each mode of `lanes`
  llvm::SmallVector<int64_t> positions;
  int64_t reach = 0, mask = 0, numWarps = 1;
  mlir::Value base; ///< this thread's part of positions, null for zero
  llvm::SmallVector<int64_t> bases; ///< the parts of all lanes, ascending
  /// Conditions that `base` is at least, or equals, the key.
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
  /// Number of matrices of which a thread has elements.
  int64_t getNumMatrices() const { return matrices.size(); }
  /// Returns the index of the matrix that lane zero of warp zero holds at
  /// `coordinates` in the batch.
  int64_t getMatrix(const std::vector<int64_t> &coordinates) const {
    return matrices.at(coordinates);
  }

  /// Returns this thread's element of a matrix, at the value `row` of its rows
  /// and the value `column` of its columns.
  mlir::Value &get(int64_t matrix, int64_t row, int64_t column) {
    return elements[values[getLinearIndex(matrix, row, column)]];
  }
  llvm::ArrayRef<mlir::Value> getElements() const { return elements; }

  /// Returns the `value` of the lane that holds this thread's row and `column`.
  /// In the lanes of the column, `value` belongs to their row.
  mlir::Value fromColumn(mlir::Value value, int64_t column);
  /// Returns the `value` of the lane that holds this thread's column and `row`.
  /// In the lanes of the row, `value` belongs to their column.
  mlir::Value fromRow(mlir::Value value, int64_t row);
  /// Returns the `value` of the lane that holds the element at `row` and
  /// `column`.
  mlir::Value fromElement(mlir::Value value, int64_t row, int64_t column);
  /// Returns the `value` of the lane whose index is this lane's with the bits
  /// of `mask` replaced by `bits`, which are known at run time.
  mlir::Value fromLanes(mlir::Value value, int64_t mask, mlir::Value bits);
  /// Returns the value that the lanes of `column` have for the row whose index
  /// equals that of this thread's column `own`.
  /// @p ofRows the values of a lane for its rows.
  mlir::Value fromColumnTransposed(llvm::ArrayRef<mlir::Value> ofRows,
                                   int64_t own, int64_t column);
  /// Returns this value of a column that is known at run time, an i32.
  /// @pre several lanes hold each row
  mlir::Value fromColumnTransposed(llvm::ArrayRef<mlir::Value> ofRows,
                                   int64_t own, mlir::Value column);

  /// Makes all following reads shuffle the values of other lanes anew, even if
  /// an earlier operation has shuffled them. A thread then does not keep
  /// shuffled values, which for a large matrix exceed its registers.
  void shuffleAnew();

  /// Return the sum of the values of the lanes of this thread's column, or row.
  mlir::Value sumRows(mlir::Value value);
  mlir::Value sumColumns(mlir::Value value);

private:
  /// Returns the sum of the values of the lanes that differ in bits of `mask`.
  mlir::Value sumLanes(mlir::Value value, int64_t mask);
  int64_t getLinearIndex(int64_t matrix, int64_t row, int64_t column) const {
    return (matrix * rows.getNumValues() + row) * columns.getNumValues() +
           column;
  }
  /// Returns this lane's index with the bits of `mask` replaced by `bits`.
  mlir::Value getLane(int64_t mask, int64_t bits);

  IndexBuilder &index;
  MatrixSide rows, columns;
  llvm::SmallVector<mlir::Value> elements;
  /// The index in `elements` of each element, by getLinearIndex.
  llvm::SmallVector<int64_t> values;
  /// The index of each matrix, by its coordinates in the batch.
  std::map<std::vector<int64_t>, int64_t> matrices;
  mlir::Value threadIndex;
  mlir::Value unknownZero; ///< a term of each lane index, after shuffleAnew
  std::map<std::pair<int64_t, int64_t>, mlir::Value> lanes;
  mlir::Value ownRows; ///< lanes of the rows with the indices of own columns
  std::map<int64_t, mlir::Value> transposedLanes; ///< by their static bits
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_WARPMATRIX_H
