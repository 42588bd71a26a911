// ThreadOps.cpp - tile.per_thread, tile.push, tile.pop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

Type tile::getThreadType(TileType tile) {
  if (tile.getRank() == 1)
    return tile.getElementType();
  return VectorType::get(tile.getShape().drop_front(), tile.getElementType());
}

//===----------------------------------------------------------------------===//
// PerThreadOp
//===----------------------------------------------------------------------===//

/// Verifies (C2) of an input or result, except the number of threads.
static LogicalResult verifyHeld(Operation *op, TileType tile) {
  if (tile.getRank() == 0)
    return op->emitOpError()
           << "expected a tile of at least one dimension, got " << tile;
  if (tile.getRank() == 1 ||
      VectorType::isValidElementType(tile.getElementType()))
    return success();
  return op->emitOpError()
         << "expected elements of which a vector can be made, got " << tile;
}

LogicalResult PerThreadOp::verify() {
  SmallVector<Type> types(getInputs().getTypes());
  llvm::append_range(types, getResultTypes());
  for (Type type : types)
    if (failed(verifyHeld(*this, cast<TileType>(type))))
      return failure();
  // C1
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel) // a function, which is inlined
    return success();
  if (!kernel.getBlock())
    return emitOpError("expected a kernel with a 'block' (the number of "
                       "threads is part of what it computes)");
  // C2
  auto threads = static_cast<int64_t>(*kernel.getBlock());
  for (Type type : types)
    if (cast<TileType>(type).getDimSize(0) != threads)
      return emitOpError() << "expected a tile of " << threads
                           << " elements along its first dimension (one a "
                              "thread of the block), got "
                           << type;
  return success();
}

/// Whether an operation belongs to a dialect of GPUs and is not inline PTX.
/// Such operations are refused, since only the compiler inserts barriers and
/// shuffles.
static bool isOfGpu(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return llvm::is_contained({"gpu", "nvgpu", "nvvm"}, dialect) &&
         op->getName().getStringRef() != "nvvm.inline_ptx";
}

/// Verifies that a thread may execute an operation by itself.
static LogicalResult verifyThreadOperation(Operation *op) {
  if (isa<YieldOp>(op))
    return success();
  auto isTile = [](Type type) { return isa<TileType>(type); };
  bool isOfTiles = isTileOperation(op) ||
                   llvm::any_of(op->getOperandTypes(), isTile) ||
                   llvm::any_of(op->getResultTypes(), isTile);
  if (isOfTiles || isOfGpu(op) || isa<CallOpInterface>(op) ||
      hasEffect<MemoryEffects::Allocate>(op))
    return op->emitError("expected an operation on scalars, vectors or arrays, "
                         "neither a call nor an allocation, in the region of "
                         "'tile.per_thread', got '")
           << op->getName() << "'";
  return success();
}

LogicalResult PerThreadOp::verifyRegions() {
  // C3
  auto getThreadTypes = [](ValueRange tiles) {
    return llvm::map_to_vector(tiles.getTypes(), [](Type type) {
      return getThreadType(cast<TileType>(type));
    });
  };
  SmallVector<Type> arguments = getThreadTypes(getInputs());
  arguments.insert(arguments.begin(), IndexType::get(getContext()));
  Region &body = getBody();
  if (body.getArgumentTypes() != TypeRange(arguments))
    return emitOpError() << "expected a region with arguments of (" << arguments
                         << "), got (" << body.getArgumentTypes() << ")";
  auto yield = dyn_cast<YieldOp>(body.front().getTerminator());
  if (!yield)
    return emitOpError("expected a region that ends with 'tile.yield'");
  SmallVector<Type> yielded = getThreadTypes(getResults());
  if (yield.getOperandTypes() != TypeRange(yielded))
    return yield.emitOpError() << "expected values of (" << yielded
                               << "), got (" << yield.getOperandTypes() << ")";
  // C4
  WalkResult result = body.walk(
      [](Operation *op) { return WalkResult(verifyThreadOperation(op)); });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// PushOp, PopOp
//===----------------------------------------------------------------------===//

/// Verifies (C1) and (C2).
static LogicalResult verifyStack(Operation *op, TileType stack,
                                 TileType values) {
  // C1
  if (stack.getRank() != 1)
    return op->emitOpError()
           << "expected a stack of one dimension, got " << stack;
  // C2
  if (values.getRank() > 0 && values.getElementType() == stack.getElementType())
    return success();
  return op->emitOpError() << "expected values of at least one dimension and "
                              "element type "
                           << stack.getElementType() << " (the stack's), got "
                           << values;
}

LogicalResult PushOp::verify() {
  return verifyStack(*this, getStack().getType(), getValues().getType());
}

LogicalResult PopOp::verify() {
  return verifyStack(*this, getStack().getType(), getValues().getType());
}
