// PermutedAccess.cpp - accesses whose tile has any of the array's dimensions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %t = tile.load %a[%i, %h, %j] dims [0, 2]
//        : memref<?x?x?xf16> -> !tile.tile<64x64xf16>
//
// becomes
//
//   %b = memref.transpose %a (d0, d1, d2) -> (d1, d0, d2)
//        : memref<?x?x?xf16> to memref<?x?x?xf16, strided<[?, ?, 1]>>
//   %t = tile.load %b[%h, %i, %j] : ... -> !tile.tile<64x64xf16>
//
// The array is permuted where it is defined, outside of all loops.

#include "tile/IR/PermutedAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

/// Returns the dimensions that the tile lacks, followed by those that it has.
static SmallVector<int64_t> getOrder(int64_t rank, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      order.push_back(dim);
  llvm::append_range(order, dims);
  return order;
}

static Value permute(OpBuilder &builder, Location loc, Value array,
                     ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order))
    return array;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(array);
  auto map = AffineMap::getPermutationMap(order, builder.getContext());
  return memref::TransposeOp::create(builder, loc, array,
                                     AffineMapAttr::get(map));
}

SmallVector<Value> tile::accessPermuted(OpBuilder &builder,
                                        ArrayAccessOpInterface access) {
  auto dims = access->getAttrOfType<DenseI64ArrayAttr>("dims");
  Value array = access.getArray();
  SmallVector<int64_t> order =
      getOrder(cast<MemRefType>(array.getType()).getRank(), dims);
  auto permuted = cast<ArrayAccessOpInterface>(builder.clone(*access));
  permuted->removeAttr("dims");
  permuted->replaceUsesOfWith(array,
                              permute(builder, access.getLoc(), array, order));
  unsigned first = permuted.getOffsets().getBeginOperandIndex();
  for (auto [position, dim] : llvm::enumerate(order))
    permuted->setOperand(first + position, access.getOffsets()[dim]);
  if (auto axes = access->getAttrOfType<DenseI64ArrayAttr>("axes"))
    permuted->setAttr(
        "axes", builder.getDenseI64ArrayAttr(
                    llvm::map_to_vector(axes.asArrayRef(), [&](int64_t axis) {
                      return int64_t(llvm::find(order, axis) - order.begin());
                    })));
  return SmallVector<Value>(permuted->getResults());
}
