// PerThreadToLoop.cpp - tile.per_thread as a loop over threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Patterns.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

/// Returns the coordinates of the elements that a thread holds of a tile, in
/// row-major order. The first dimension of the tile is the thread.
static SmallVector<SmallVector<Value>>
getAllCoordinates(ImplicitLocOpBuilder &b, Value thread,
                  ArrayRef<int64_t> shape) {
  SmallVector<SmallVector<Value>> allCoordinates = {{thread}};
  for (int64_t extent : shape.drop_front()) {
    SmallVector<SmallVector<Value>> longer;
    for (ArrayRef<Value> coordinates : allCoordinates)
      for (int64_t index = 0; index < extent; ++index) {
        longer.emplace_back(coordinates);
        longer.back().push_back(arith::ConstantIndexOp::create(b, index));
      }
    allCoordinates = std::move(longer);
  }
  return allCoordinates;
}

/// Returns the part of a tensor that a thread holds: an element or a vector.
static Value extract(ImplicitLocOpBuilder &b, Value tensor, Value thread) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> elements;
  for (ArrayRef<Value> coordinates :
       getAllCoordinates(b, thread, type.getShape()))
    elements.push_back(tensor::ExtractOp::create(b, tensor, coordinates));
  if (type.getRank() == 1)
    return elements.front();
  auto vector =
      VectorType::get(type.getShape().drop_front(), type.getElementType());
  return vector::FromElementsOp::create(b, vector, elements);
}

static void store(ImplicitLocOpBuilder &b, Value held, Value buffer,
                  Value thread) {
  SmallVector<Value> elements = {held};
  if (isa<VectorType>(held.getType()))
    elements = vector::ToElementsOp::create(b, held).getResults();
  auto type = cast<MemRefType>(buffer.getType());
  for (auto [coordinates, element] :
       llvm::zip_equal(getAllCoordinates(b, thread, type.getShape()), elements))
    memref::StoreOp::create(b, element, buffer, coordinates);
}

namespace {
struct ConvertPerThread : OpConversionPattern<PerThreadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PerThreadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> buffers;
    for (Type type : op.getResultTypes())
      buffers.push_back(cpu::createBuffer(
          b, getTypeConverter()->convertType<RankedTensorType>(type)));
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value one = arith::ConstantIndexOp::create(b, 1);
    Value threads = arith::ConstantIndexOp::create(b, getNumThreads(op));
    auto loop = scf::ForOp::create(b, zero, threads, one);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      runThread(b, op, adaptor, loop.getInductionVar(), buffers);
    }
    SmallVector<Value> results;
    for (auto [type, buffer] : llvm::zip_equal(op.getResultTypes(), buffers))
      results.push_back(cpu::readBuffer(b, b.getLoc(), buffer));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  static int64_t getNumThreads(PerThreadOp op) {
    return op->getAttrOfType<IntegerAttr>(kNumThreadsAttr).getInt();
  }

  static void runThread(ImplicitLocOpBuilder &b, PerThreadOp op,
                        OpAdaptor adaptor, Value thread,
                        ArrayRef<Value> buffers) {
    SmallVector<Value> arguments = {thread};
    for (Value input : adaptor.getInputs())
      arguments.push_back(extract(b, input, thread));
    SmallVector<Value> yielded =
        cpu::inlineElementRegion(b, b.getLoc(), op.getBody(), arguments);
    for (auto [held, buffer] : llvm::zip_equal(yielded, buffers))
      store(b, held, buffer, thread);
  }
};
} // namespace

void cpu::populatePerThreadPatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<ConvertPerThread>(converter, patterns.getContext());
}
