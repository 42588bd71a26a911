// WarpScratch.h - rows that lanes of a matrix hand to each other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_WARPSCRATCH_H
#define TILE_CONVERSION_TILETONVGPU_WARPSCRATCH_H

#include "Addresses.h"

namespace tile {

/// The rows of a buffer (matrix, row, column) that belong to the matrix of a
/// thread's lanes, which are of one warp or of several: consecutive lanes have
/// one, consecutive ones the next.
/// Vectors of 16 bytes are written, and read by all lanes at once, which takes
/// a cycle where a shuffle takes one for each element.
///
/// A step of an elimination, which changes the columns from its own on, hands
/// out a row of the triangle in the end. Four steps have their first column in
/// the same place of a lane (RowElimination.h), so each row begins in the
/// buffer with that column: column c of row r is element c - r + r % 4 of the
/// row's part, and in the end of the part before it where that is negative, for
/// which a part has to have four elements more than there are columns.
///
/// Numbers of rows are i32, known when code is generated or not.
class WarpScratch {
public:
  /// @p lanes that have a matrix.
  WarpScratch(IndexBuilder &index, mlir::ConversionPatternRewriter &rewriter,
              mlir::Value buffer, int64_t lanes);

  /// Orders what the lanes of a matrix did before and do behind it.
  void synchronize();

  /// Steps whose rows begin with the same column.
  static constexpr int64_t kSteps = 4;

  /// Writes, or reads, what a row's part begins with.
  void writePart(mlir::Value row, llvm::ArrayRef<mlir::Value> elements);
  llvm::SmallVector<mlir::Value> readPart(mlir::Value row, int64_t count);
  /// The same of columns from one on, a multiple of kSteps.
  void writeColumns(mlir::Value row, int64_t begin,
                    llvm::ArrayRef<mlir::Value> elements);
  llvm::SmallVector<mlir::Value> readColumns(mlir::Value row, int64_t begin,
                                             int64_t end);
  mlir::Value readDiagonal(mlir::Value row);
  /// The column that a row's part begins with, an i32.
  mlir::Value getFirstColumn(mlir::Value row);

  /// One element, of the buffer's type or an i32, so many elements, an i32,
  /// behind the first of a row's part.
  void write(int64_t row, mlir::Value at, mlir::Value element);
  mlir::Value read(int64_t row, mlir::Value at, mlir::Type type,
                   int64_t column = 0);
  /// Up to four words, i32, in the 16 bytes of a row's part of a number, an
  /// i32.
  void writeWords(int64_t row, mlir::Value vector,
                  llvm::ArrayRef<mlir::Value> words);
  llvm::SmallVector<mlir::Value> readWords(int64_t row, mlir::Value vector,
                                           int64_t count);
  /// How far the part of a row is behind the first one's, in elements.
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

#endif // TILE_CONVERSION_TILETONVGPU_WARPSCRATCH_H
