// FactorLayout.h - lanes that hold a matrix that is factored
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_FACTORLAYOUT_H
#define TILE_LIB_ALGORITHMS_FACTORLAYOUT_H

#include "tile/Layout/RegisterLayout.h"

#include "llvm/ADT/ArrayRef.h"

namespace tile {

/// Rows of the largest square matrix that the registers of a warp hold.
int64_t getMaxOrder(int64_t elementBytes);

/// Rows of the largest symmetric matrix of whose factor the registers of a warp
/// hold the triangle.
int64_t getMaxSymmetricOrder(int64_t elementBytes);

/// Elements of a matrix that a lane has at most: those of that one.
int64_t getMaxShare(int64_t elementBytes);

/// Lanes that hold a matrix of so many rows together.
int64_t getFactorLanes(int64_t order);

/// The layout of a batch of matrices, over the last two dimensions of a shape,
/// each of which some lanes of a warp hold: one for each row up to 8 rows, four
/// by four up to 16, else eight along the rows and four along the columns.
/// Matrices of as many rows, of one batch, have them in the same lanes,
/// whatever their columns. The part of the index that comes from the value, not
/// from the lane, is common to a lane's columns and its rows: the element at a
/// lane's column and some row is one value in whatever lane has it.
RegisterLayout getFactorLayout(llvm::ArrayRef<int64_t> shape,
                               int64_t elementBytes, int64_t numWarps);

/// Lanes that hold a matrix of so many columns together, two columns each.
int64_t getColumnPairLanes(int64_t order);

/// The layout of a batch of square matrices of which each lane has two
/// neighbouring columns.
RegisterLayout getColumnPairLayout(llvm::ArrayRef<int64_t> shape,
                                   int64_t numWarps);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_FACTORLAYOUT_H
