// ExampleOps.cpp - operations on tiles, of a dialect that no phase knows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/AddingAnOperation.md explains mean and butterfly.

#include "tile/IR/ConvertLayout.h"
#include "tile/IR/CooperativeOpInterface.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

#include "ExampleDialect.h.inc"
#define GET_OP_CLASSES
#include "ExampleOps.h.inc"

using namespace mlir;
using namespace tile;
using namespace example;

#include "ExampleDialect.cpp.inc"
#define GET_OP_CLASSES
#include "ExampleOps.cpp.inc"

namespace {
/// Each warp computes rows of 32 elements. At most four warps hold the same
/// row.
struct ButterflyWarps
    : CooperativeOpInterface::ExternalModel<ButterflyWarps, ButterflyOp> {
  WarpDemand getWarpDemand(Operation *op,
                           const DistributionContext &context) const {
    WarpDemand demand;
    demand.wanted = std::min(countRows(op), context.maxWarps);
    return demand;
  }

  FailureOr<SmallVector<WorkDistribution>>
  enumerateDistributions(Operation *op,
                         const DistributionContext &context) const {
    int64_t rows = countRows(op);
    if (context.numWarps > 4 * rows)
      return SmallVector<WorkDistribution>();
    WorkDistribution distribution;
    distribution.holder = Holder::warp;
    distribution.instances = llvm::divideCeil(rows, context.numWarps);
    return SmallVector<WorkDistribution>{distribution};
  }

private:
  static int64_t countRows(Operation *op) {
    return cast<ButterflyOp>(op).getType().getNumElements() / kWarpSize;
  }
};
} // namespace

void ExampleDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ExampleOps.cpp.inc"
      >();
  ButterflyOp::attachInterface<ButterflyWarps>(*getContext());
}

//===----------------------------------------------------------------------===//
// MeanOp
//===----------------------------------------------------------------------===//

LogicalResult MeanOp::verify() {
  Type element = getElementTypeOrSelf(getType());
  if (element.isF32() || element.isF16())
    return success();
  return emitOpError("expected elements of f32 or f16, got ") << element;
}

SmallVector<Value> MeanOp::createElements(OpBuilder &builder,
                                          ValueRange operands) {
  Value sum =
      arith::AddFOp::create(builder, getLoc(), operands[0], operands[1]);
  Value half = arith::ConstantOp::create(
      builder, getLoc(), builder.getFloatAttr(sum.getType(), 0.5));
  return {arith::MulFOp::create(builder, getLoc(), sum, half)};
}

//===----------------------------------------------------------------------===//
// ButterflyOp
//===----------------------------------------------------------------------===//

LogicalResult ButterflyOp::verify() {
  TileType type = getType();
  if (type.getRank() == 0 || type.getShape().back() % kWarpSize != 0)
    return emitOpError("expected rows of a multiple of ")
           << kWarpSize << " elements, got " << type;
  if (!getElementTypeOrSelf(type).isF32() &&
      !getElementTypeOrSelf(type).isInteger(32))
    return emitOpError("expected elements of f32 or i32, got ") << type;
  if (getMask() >= kWarpSize)
    return emitOpError("expected a mask below ")
           << kWarpSize << ", got " << getMask();
  return success();
}

/// Each lane of a warp has one of 32 neighbours.
std::optional<RegisterLayout> ButterflyOp::getRequiredLayout(Value tile,
                                                             int64_t numWarps) {
  return RegisterLayout::blocked(getTileShape(tile.getType()).vec(),
                                 /*vector=*/1, numWarps);
}

SmallVector<SmallVector<Value>>
ButterflyOp::createThreadCode(OpBuilder &builder,
                              ArrayRef<SmallVector<Value>> operands) {
  SmallVector<Value> elements = operands.front();
  for (Value &element : elements)
    element = gpu::ShuffleOp::create(builder, getLoc(), element, getMask(),
                                     kWarpSize, gpu::ShuffleMode::XOR)
                  .getShuffleResult();
  return {elements};
}

namespace tile::test {
void registerExampleOps(DialectRegistry &registry) {
  registry.insert<ExampleDialect>();
}
} // namespace tile::test
