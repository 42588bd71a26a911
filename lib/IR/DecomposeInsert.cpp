// DecomposeInsert.cpp - tile.insert of a scalar
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

bool InsertOp::isComposite() { return !isa<TileType>(getPart().getType()); }

FailureOr<SmallVector<Value>> InsertOp::decompose(OpBuilder &builder) {
  Value part =
      FillOp::create(builder, getLoc(),
                     TileType::get(getBox(), getPart().getType()), getPart());
  return SmallVector<Value>{InsertOp::create(builder, getLoc(), getType(), part,
                                             getDest(), getOffsets())};
}
