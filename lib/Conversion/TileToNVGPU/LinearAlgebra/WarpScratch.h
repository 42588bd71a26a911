// WarpScratch.h - rows that the lanes of a matrix exchange
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_WARPSCRATCH_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_WARPSCRATCH_H

#include "../Memory/Addresses.h"

namespace tile {

/// The rows of a buffer (matrix, row, column) that belong to the matrix of a
/// thread's lanes. These are consecutive lanes of one warp or of several; the
/// lanes after them have the next matrix.
///
/// Rows are written by vectors of 16 bytes, which all lanes read at once. A
/// read of a vector takes a cycle, whereas shuffles take a cycle for each
/// element.
///
/// A step of an elimination changes the columns from its own on, and
/// distributes a row of the final triangle. Four consecutive steps start at the
/// same column of a lane's elements (RowElimination.h), so the rows of these
/// steps start in the buffer with this column: column c of row r is element
/// c - r + r % 4 of the row's part. If this index is negative, the column is at
/// the end of the part before; a part must therefore have four elements more
/// than there are columns.
///
/// Row indices are i32 values, constant or not.
class WarpScratch {
public:
  /// @p lanes the number of lanes that hold a matrix.
  WarpScratch(IndexBuilder &index, mlir::ConversionPatternRewriter &rewriter,
              mlir::Value buffer, int64_t lanes);

  /// Synchronizes the lanes of a matrix: their accesses before the call precede
  /// those after it.
  void synchronize();

  /// Number of steps whose rows start with the same column.
  static constexpr int64_t kSteps = 4;

  /// Writes, or reads, the first elements of a row's part.
  void writePart(mlir::Value row, llvm::ArrayRef<mlir::Value> elements);
  llvm::SmallVector<mlir::Value> readPart(mlir::Value row, int64_t count);
  /// Writes, or reads, columns from `begin` on, a multiple of kSteps.
  void writeColumns(mlir::Value row, int64_t begin,
                    llvm::ArrayRef<mlir::Value> elements);
  llvm::SmallVector<mlir::Value> readColumns(mlir::Value row, int64_t begin,
                                             int64_t end);
  mlir::Value readDiagonal(mlir::Value row);
  /// Writes elements at an index of the first row's part that is the sum of
  /// `at`, an i32, and `offset`; their bytes must divide the address.
  void writeAt(mlir::Value at, int64_t offset,
               llvm::ArrayRef<mlir::Value> elements);
  /// Reads the elements from `begin` to `end` of a row's part.
  llvm::SmallVector<mlir::Value> readRange(int64_t row, int64_t begin,
                                           int64_t end);
  /// Returns the column that a row's part starts with, an i32.
  mlir::Value getFirstColumn(mlir::Value row);

  /// Writes, or reads, one element of the buffer's type or an i32. `at`, an
  /// i32, is its distance in elements from the first element of a row's part.
  void write(int64_t row, mlir::Value at, mlir::Value element);
  mlir::Value read(int64_t row, mlir::Value at, mlir::Type type,
                   int64_t column = 0);
  /// Writes, or reads, up to four i32 words in the 16 bytes with the index
  /// `vector`, an i32, of a row's part.
  void writeWords(int64_t row, mlir::Value vector,
                  llvm::ArrayRef<mlir::Value> words);
  llvm::SmallVector<mlir::Value> readWords(int64_t row, mlir::Value vector,
                                           int64_t count);
  /// Returns the distance of a row's part from the first row's, in elements.
  mlir::Value getBegin(mlir::Value row);

private:
  template <typename Op>
  mlir::Value create(mlir::Value a, mlir::Value b);
  mlir::Value getPointer(mlir::Value at, int64_t elements = 0);
  mlir::Value getColumns(mlir::Value row);
  mlir::Value getVector(int64_t row, mlir::Value vector);
  void writeVectors(mlir::Value begin, llvm::ArrayRef<mlir::Value> elements);
  llvm::SmallVector<mlir::Value> readVectors(mlir::Value begin, mlir::Type type,
                                             int64_t count);

  IndexBuilder &index;
  mlir::Type type;
  int64_t lanes, elementBytes, pitch;
  mlir::Value pointer; ///< to the first row of this thread's matrix
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_WARPSCRATCH_H
