// ChannelOps.cpp - channels, their counters and their stages
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static constexpr int64_t kMostStages = 1024;

static LogicalResult
verifyNumStages(function_ref<InFlightDiagnostic()> emitError,
                int64_t numStages) {
  if (numStages >= 1 && numStages <= kMostStages)
    return success();
  return emitError() << "expected 1 to " << kMostStages << " stages, got "
                     << numStages;
}

LogicalResult ChannelType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t numStages) {
  return verifyNumStages(emitError, numStages);
}

LogicalResult CounterType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t numStages) {
  return verifyNumStages(emitError, numStages);
}

/// Returns the first extent of a buffer; 1 if it has none that is known.
static int64_t getFirstExtent(MemRefType buffer) {
  bool isKnown = buffer.getRank() != 0 && !buffer.isDynamicDim(0);
  return isKnown ? buffer.getDimSize(0) : 1;
}

CounterType tile_gpu::getCounterType(Type type) {
  int64_t numStages = 1;
  if (auto channel = dyn_cast<ChannelType>(type))
    numStages = channel.getNumStages();
  else if (auto buffer = dyn_cast<MemRefType>(type))
    numStages = std::clamp<int64_t>(getFirstExtent(buffer), 1, kMostStages);
  return CounterType::get(type.getContext(), numStages);
}

/// Whether a buffer has a dimension for stages, and is no view.
static bool isCircularBuffer(Type type) {
  if (!isSharedBuffer(type))
    return false;
  auto buffer = cast<MemRefType>(type);
  int64_t rank = cast<SharedAttr>(buffer.getMemorySpace()).getBox().size();
  return buffer.getRank() == rank + 1 && buffer.getLayout().isIdentity();
}

Type tile_gpu::getStageType(Type type) {
  if (!isCircularBuffer(type))
    return type;
  auto buffer = cast<MemRefType>(type);
  ArrayRef<int64_t> shape = buffer.getShape();
  SmallVector<int64_t> offsets(shape.size(), 0), sizes(shape),
      strides(shape.size(), 1);
  offsets[0] = ShapedType::kDynamic;
  sizes[0] = 1;
  return memref::SubViewOp::inferRankReducedResultType(
      shape.drop_front(), buffer, offsets, sizes, strides);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult ChannelOp::verify() {
  // C1
  if (getBuffers().empty())
    return emitOpError() << "expected at least one buffer";
  // C2
  int64_t numStages = getChannel().getType().getNumStages();
  for (Type type : getBuffers().getTypes())
    if (isCircularBuffer(type)
            ? getFirstExtent(cast<MemRefType>(type)) != numStages
            : numStages != 1)
      return emitOpError() << "expected circular buffers of " << numStages
                           << " stages, got " << type;
  return success();
}

LogicalResult ReleaseOp::verify() {
  // C1
  auto behind = static_cast<int64_t>(getBehind());
  int64_t numStages = getChannel().getType().getNumStages();
  if (behind < 0 || behind >= numStages)
    return emitOpError() << "expected 'behind' from 0 to " << numStages - 1
                         << ", got " << behind;
  return success();
}

OpFoldResult CounterOp::fold(FoldAdaptor) { return getValueAttr(); }

OpFoldResult NextOp::fold(FoldAdaptor adaptor) {
  auto known = dyn_cast_or_null<IntegerAttr>(adaptor.getSource());
  if (!known || known.getInt() == std::numeric_limits<int32_t>::max())
    return {};
  return IntegerAttr::get(known.getType(), known.getInt() + 1);
}

Value StageOp::getViewSource() { return getSource(); }

LogicalResult StageOp::verify() {
  // C1
  MemRefType type = getSource().getType();
  if (!isCircularBuffer(type) ||
      getFirstExtent(type) != getCounter().getType().getNumStages())
    return emitOpError() << "expected a circular buffer, whose first dimension "
                            "is that of its stages, got "
                         << type;
  return success();
}

Operation *TileGpuDialect::materializeConstant(OpBuilder &builder,
                                               Attribute value, Type type,
                                               Location loc) {
  auto number = dyn_cast<IntegerAttr>(value);
  auto counter = dyn_cast<CounterType>(type);
  if (!number || !counter)
    return nullptr;
  return CounterOp::create(builder, loc, counter, number);
}
