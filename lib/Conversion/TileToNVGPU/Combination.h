// Combination.h - the associative operation of a reduction or a scan
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_COMBINATION_H
#define TILE_CONVERSION_TILETONVGPU_COMBINATION_H

#include "Memory/Addresses.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

/// Tuple with one element of each of the tiles that are combined.
using ElementTuple = llvm::SmallVector<mlir::Value>;

/// Combines tuples of elements by a kind or by a region.
class Combination {
public:
  Combination(CombiningOpInterface op, mlir::OpBuilder &builder);

  /// Creates the identity of the combination.
  ElementTuple createIdentity();
  /// Combines two tuples, of which `second` comes after `first`.
  ElementTuple combine(llvm::ArrayRef<mlir::Value> first,
                       llvm::ArrayRef<mlir::Value> second);
  bool isCommutative() { return op.isCommutative(); }

private:
  CombiningOpInterface op;
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// unpackTuples() converts the packs of the sources to the tuples of a thread,
/// one for each value of their layout. packTuples() converts tuples to the
/// packs of each result.
llvm::SmallVector<ElementTuple>
unpackTuples(mlir::OpBuilder &builder, mlir::Operation *op,
             mlir::OperandRange sources,
             llvm::ArrayRef<mlir::ValueRange> packs);
llvm::SmallVector<llvm::SmallVector<mlir::Value>>
packTuples(mlir::OpBuilder &builder, mlir::Operation *op,
           llvm::ArrayRef<ElementTuple> tuples);

/// Returns the tuple `yes` if the condition holds, and `no` otherwise.
ElementTuple selectTuple(IndexBuilder &index, mlir::Value condition,
                         llvm::ArrayRef<mlir::Value> yes,
                         llvm::ArrayRef<mlir::Value> no);

/// Replaces the tuples of a layout's padding along `axis` of tiles of `type`,
/// if it has any, by the identity.
void replacePadding(IndexBuilder &index, Combination &combination,
                    TileType type, int64_t axis,
                    llvm::MutableArrayRef<ElementTuple> tuples);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_COMBINATION_H
