// DecomposeTopK.cpp - tile.top_k as the first elements of a sort
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %v, %i = tile.top_k %t axis 0
//          : !tile.tile<100xf32> to !tile.tile<8xf32>, !tile.tile<8xi32>
//
// becomes
//
//   %n = tile.iota axis 0
//   %s, %p = tile.sort %t, %n axis 0 descending
//   %v = tile.view %s[0] : !tile.tile<100xf32> to !tile.tile<8xf32>
//   %i = tile.view %p[0] : !tile.tile<100xi32> to !tile.tile<8xi32>

#include "../Decompositions/Decompositions.h"

#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

Replacements tile::decompose(TopKOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  TileType type = op.getSource().getType();
  TileBuilder tiles(builder, loc, type.getShape());
  Value indices =
      tiles.iota(op.getIndices().getType().getElementType(), op.getAxis());
  auto sort =
      SortOp::create(builder, loc, TypeRange{type, indices.getType()},
                     ValueRange{op.getSource(), indices}, op.getAxisAttr(),
                     op.getLeast() ? UnitAttr() : builder.getUnitAttr(),
                     op.getUnsignedIntegerAttr());
  SmallVector<Value> begin(type.getRank(),
                           arith::ConstantIndexOp::create(builder, loc, 0));
  SmallVector<Value> results;
  for (auto [type, sorted] :
       llvm::zip_equal(op.getResultTypes(), sort.getResults()))
    results.push_back(ViewOp::create(builder, loc, type, sorted, begin));
  return results;
}
