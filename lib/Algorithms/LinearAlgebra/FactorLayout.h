// FactorLayout.h - lanes that hold a matrix that is factored
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_FACTORLAYOUT_H
#define TILE_LIB_ALGORITHMS_FACTORLAYOUT_H

#include "tile/Layout/RegisterLayout.h"

#include "llvm/ADT/ArrayRef.h"

namespace tile {

/// Returns the number of rows of the largest square matrix that the registers
/// of a warp hold.
int64_t getMaxOrder(int64_t elementBytes);

/// Returns the number of rows of the largest symmetric matrix for which the
/// registers of a warp hold the triangle of its factor.
int64_t getMaxSymmetricOrder(int64_t elementBytes);

/// Returns the maximum number of elements of a matrix that a lane holds: as
/// many as of a square matrix with getMaxOrder rows.
int64_t getMaxShare(int64_t elementBytes);

/// Returns the number of lanes that together hold a matrix of `order` rows.
int64_t getFactorLanes(int64_t order);

/// Returns the layout of a batch of matrices, which are the last two dimensions
/// of `shape`. Lanes of one warp hold each matrix together: with up to 8 rows
/// one lane for each row, with up to 16 rows four lanes along the rows by four
/// along the columns, otherwise eight by four. Batches of matrices with equally
/// many rows have these rows in the same lanes, whatever their number of
/// columns.
///
/// An index along a side is the sum of a part that the lane determines and a
/// part that the register determines. The lanes along the columns are among
/// those along the rows, so that the row with the index of a lane's column is
/// in the same register in whichever lane holds it: a lane reads an element of
/// that row by a shuffle of one register.
RegisterLayout getFactorLayout(llvm::ArrayRef<int64_t> shape,
                               int64_t elementBytes, int64_t numWarps);

/// Returns the number of lanes that together hold a matrix of `order` columns,
/// two columns each.
int64_t getColumnPairLanes(int64_t order);

/// Returns the layout of a batch of square matrices in which each lane holds
/// two adjacent columns.
RegisterLayout getColumnPairLayout(llvm::ArrayRef<int64_t> shape,
                                   int64_t numWarps);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_FACTORLAYOUT_H
