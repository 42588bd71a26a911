// Rules.cpp - parts that the rules of several kinds of operations share
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tile;

Derivatives tile::applyToTangents(Operation *op, TangentBuilder &builder,
                                  ArrayRef<Value> tangents) {
  IRMapping mapping;
  for (auto [operand, tangent] : llvm::zip_equal(op->getOperands(), tangents))
    if (isDifferentiable(operand.getType()) && !mapping.contains(operand) &&
        !isa<MemRefType>(operand.getType()))
      mapping.map(operand, builder.orZero(tangent, operand.getType()));
  return llvm::SmallVector<Value>(builder.clone(*op, mapping)->getResults());
}

LogicalResult tile::verifyRounding(Operation *cast) {
  Type element = getElementType(cast->getResult(0).getType());
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() > 8)
    return success();
  return cast->emitError("expected a cast with a derivative, got one that "
                         "saturates, to ")
         << element;
}
