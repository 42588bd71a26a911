// MatrixThreads.h - threads that together hold a matrix, and their buffer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_MATRIXTHREADS_H
#define TILE_LIB_ALGORITHMS_MATRIXTHREADS_H

#include "tile/IR/Bufferizer.h"
#include "tile/IR/Tile.h"
#include "tile/Layout/RegisterLayoutBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tile {

/// Returns the number of lanes that together hold a matrix in a block of
/// `numWarps` warps: `lanes` or, if these are of several warps, as many of them
/// as divide the block evenly.
int64_t getLanesOfBlock(int64_t lanes, int64_t numWarps);

/// Returns the number of warps to which `lanes` lanes belong; one if they are a
/// part of a warp.
int64_t getWarpsOfLanes(int64_t lanes);

/// Distributes the matrices of a batch, whose dimensions are all before the
/// last two of `shape`, over the remaining lanes of a warp, then over the
/// warps.
void spreadBatch(RegisterLayoutBuilder &builder, llvm::ArrayRef<int64_t> shape,
                 int64_t lanes, int64_t numWarps);

/// Returns the layout of a tile with one element for each matrix, in all lanes
/// that hold a part of the matrix; `matrices` is the layout of the matrices.
RegisterLayout getLayoutOfScalars(const RegisterLayout &matrices);

/// Returns the type of a buffer (matrix, row, column) through which the lanes
/// of each matrix exchange rows, for the matrices that a block holds at a time.
/// The distance of consecutive rows, and that of consecutive matrices, is an
/// odd multiple of 16 bytes. Lanes that read the same columns of several rows,
/// or of the same row of several matrices, therefore read from different banks.
mlir::MemRefType getMatrixBuffer(mlir::Type element, int64_t numMatrices,
                                 int64_t numRows, int64_t numColumns);

/// Gives an operation a buffer of `type` as its `scratch`, unless it has one; a
/// null type means no buffer.
template <typename Op>
void addScratch(Bufferizer &bufferizer, Op op, mlir::MemRefType type) {
  if (type && !op.getScratch())
    op.getScratchMutable().assign(
        mlir::memref::AllocOp::create(bufferizer.builder, op.getLoc(), type)
            .getResult());
}

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_MATRIXTHREADS_H
