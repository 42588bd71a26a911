// ElementRegion.cpp - regions that compute elements of tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/ElementRegion.h"
#include "tile/IR/Tile.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tile;

SmallVector<Value> tile::inlineElementRegion(OpBuilder &builder, Region &region,
                                             ValueRange arguments) {
  IRMapping mapping;
  mapping.map(region.getArguments(), arguments);
  Block &body = region.front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

SmallVector<Type> tile::getElementTypes(ValueRange tiles) {
  return llvm::map_to_vector(tiles.getTypes(), [](Type type) {
    return cast<TileType>(type).getElementType();
  });
}

/// Whether an operation works on scalars and has no side effects.
static bool isScalarAndPure(Operation *op) {
  auto isTile = [](Type type) {
    return isa<TileType>(type) || isSharedBuffer(type);
  };
  if (llvm::any_of(op->getOperandTypes(), isTile) ||
      llvm::any_of(op->getResultTypes(), isTile))
    return false;
  return isa<CallOpInterface>(op) || isMemoryEffectFree(op);
}

LogicalResult tile::verifyElementRegion(Operation *op, Region &region,
                                        TypeRange arguments,
                                        TypeRange yielded) {
  if (TypeRange(region.getArgumentTypes()) != arguments)
    return op->emitOpError()
           << "expected a region with arguments of " << arguments << ", got "
           << region.getArgumentTypes();
  auto yield = dyn_cast<YieldOp>(region.front().getTerminator());
  if (!yield)
    return op->emitOpError("expected a region that ends with 'tile.yield'");
  if (TypeRange(yield.getOperandTypes()) != yielded)
    return yield.emitOpError() << "expected elements of " << yielded << ", got "
                               << yield.getOperandTypes();
  WalkResult result = region.walk([&](Operation *inner) -> WalkResult {
    if (isScalarAndPure(inner))
      return WalkResult::advance();
    return inner->emitError("expected an operation on scalars without side "
                            "effects in the region of '")
           << op->getName() << "', got '" << inner->getName() << "'";
  });
  return failure(result.wasInterrupted());
}
