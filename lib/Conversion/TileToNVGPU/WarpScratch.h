// WarpScratch.h - rows that lanes of a warp hand to each other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_WARPSCRATCH_H
#define TILE_CONVERSION_TILETONVGPU_WARPSCRATCH_H

#include "Addresses.h"

namespace tile {

/// The rows of a buffer (matrix, row, column) that belong to the matrix of a
/// thread's lanes: consecutive lanes have one, consecutive ones the next.
/// Vectors of 16 bytes are written, and read by all lanes at once, which takes
/// a cycle where a shuffle takes one for each element.
class WarpScratch {
public:
  /// @p lanes that have a matrix.
  WarpScratch(IndexBuilder &index, mlir::ConversionPatternRewriter &rewriter,
              mlir::Value buffer, int64_t lanes);

  /// Orders what the warp's lanes did before and do behind it.
  void synchronize();

  /// The column that begins the vector which another one is in.
  int64_t alignDown(int64_t column) const;
  /// Writes the elements of a row from that of a column on, which begins a
  /// vector.
  void writeRow(int64_t row, int64_t begin,
                llvm::ArrayRef<mlir::Value> elements);
  /// Makes elements [begin, end) of a row, an i32, zero.
  void clearRow(mlir::Value row, int64_t begin, int64_t end);
  /// Reads elements [begin, end) of a row, of which the first begins a vector.
  llvm::SmallVector<mlir::Value> readRow(int64_t row, int64_t begin,
                                         int64_t end);
  /// The same of a row that is known at run time, an i32.
  llvm::SmallVector<mlir::Value> readRow(mlir::Value row, int64_t begin,
                                         int64_t end);

  /// One element, of the buffer's type or an i32, so many elements, an i32,
  /// behind that of a row and a column.
  void write(int64_t row, mlir::Value at, mlir::Value element);
  mlir::Value read(int64_t row, mlir::Value at, mlir::Type type,
                   int64_t column = 0);
  /// That on the diagonal in a row, an i32.
  mlir::Value readDiagonal(mlir::Value row);

  /// How far a row, an i32, is behind the first one, in elements.
  mlir::Value getBegin(mlir::Value row);

private:
  mlir::Value getPointer(int64_t row, mlir::Value at, int64_t column = 0);
  llvm::SmallVector<mlir::Value> readVectors(mlir::Value row, int64_t begin,
                                             int64_t end);

  IndexBuilder &index;
  mlir::Type type;
  int64_t elementBytes, pitch;
  mlir::Value pointer; ///< to the first row of this thread's matrix
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_WARPSCRATCH_H
