// CombiningOps.cpp - making reductions like other ones
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CombiningOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tile;

void tile::copyCombiner(CombiningOpInterface from, CombiningOpInterface to) {
  if (!from.getCombiner())
    return;
  IRMapping mapping;
  from.getCombiner()->cloneInto(to.getCombiner(), mapping);
}

ReduceOp tile::createReduce(OpBuilder &builder, CombiningOpInterface like,
                            TypeRange types, ValueRange sources,
                            std::optional<int64_t> axis) {
  auto reduce = ReduceOp::create(
      builder, like.getLoc(), types, like.getKindAttr(), sources,
      like.getIdentitiesAttr(),
      axis ? builder.getI64IntegerAttr(*axis) : IntegerAttr(),
      /*keep=*/UnitAttr(),
      like.isCommutative() && !like.getKindAttr() ? builder.getUnitAttr()
                                                  : UnitAttr(),
      like->getNumRegions());
  copyCombiner(like, reduce);
  return reduce;
}
