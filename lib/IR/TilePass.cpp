// TilePass.cpp - the pass that makes an operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

std::optional<TilePass> tile::getMaker(Operation *op) {
  if (op->hasTrait<MadeBy<TilePass::kAssignStorage>::Impl>())
    return TilePass::kAssignStorage;
  if (op->hasTrait<MadeBy<TilePass::kAssignLayouts>::Impl>())
    return TilePass::kAssignLayouts;
  if (op->hasTrait<MadeBy<TilePass::kExpandPipeline>::Impl>())
    return TilePass::kExpandPipeline;
  if (op->hasTrait<MadeBy<TilePass::kBufferize>::Impl>())
    return TilePass::kBufferize;
  bool readsBuffer = isTileOperation(op) &&
                     llvm::any_of(op->getOperandTypes(), isSharedBuffer);
  if (!readsBuffer)
    return std::nullopt;
  auto matmul = dyn_cast<MatmulOpInterface>(op);
  return matmul && !matmul.isAsync() ? TilePass::kExpandPipeline
                                     : TilePass::kBufferize;
}
