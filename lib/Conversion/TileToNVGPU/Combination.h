// Combination.h - the associative operation of a reduction or a scan
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_COMBINATION_H
#define TILE_CONVERSION_TILETONVGPU_COMBINATION_H

#include "Addresses.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

/// One element of each of the tiles that are combined.
using ElementTuple = llvm::SmallVector<mlir::Value>;

/// Combines tuples of elements by a kind or by a region.
class Combination {
public:
  Combination(CombiningOpInterface op, mlir::OpBuilder &builder);

  /// What changes nothing.
  ElementTuple createIdentity();
  /// What two tuples combine to, of which the second comes after the first.
  ElementTuple combine(llvm::ArrayRef<mlir::Value> first,
                       llvm::ArrayRef<mlir::Value> second);
  bool isCommutative() { return op.isCommutative(); }

private:
  CombiningOpInterface op;
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The tuples of a thread, one for each value of the sources' layout, from what
/// the sources became; and what results of that layout become.
llvm::SmallVector<ElementTuple>
unpackTuples(mlir::OpBuilder &builder, mlir::Operation *op,
             mlir::OperandRange sources,
             llvm::ArrayRef<mlir::ValueRange> packs);
llvm::SmallVector<llvm::SmallVector<mlir::Value>>
packTuples(mlir::OpBuilder &builder, mlir::Operation *op,
           llvm::ArrayRef<ElementTuple> tuples);

/// One tuple where the condition holds, and another one elsewhere.
ElementTuple selectTuple(IndexBuilder &index, mlir::Value condition,
                         llvm::ArrayRef<mlir::Value> yes,
                         llvm::ArrayRef<mlir::Value> no);

/// Makes the tuples of a layout's padding along `axis` of tiles of `type`, if
/// it has any, the identity.
void replacePadding(IndexBuilder &index, Combination &combination,
                    TileType type, int64_t axis,
                    llvm::MutableArrayRef<ElementTuple> tuples);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_COMBINATION_H
