// StackToLoops.cpp - tile.push and tile.pop, element by element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values are pushed or popped in row-major order. The number of elements on
// the stack is in memory and updated after each of them.

#include "Patterns.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

namespace {
/// The number of elements on the stack (i32), in memory, so that loops can
/// update it.
class Count {
public:
  Count(ImplicitLocOpBuilder &b, Value count)
      : cell(cpu::createBuffer(b, RankedTensorType::get({}, b.getI32Type()))) {
    set(b, count);
  }

  Value get(ImplicitLocOpBuilder &b) {
    return memref::LoadOp::create(b, cell, ValueRange());
  }
  void set(ImplicitLocOpBuilder &b, Value count) {
    memref::StoreOp::create(b, count, cell, ValueRange());
  }

private:
  Value cell;
};
} // namespace

static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIntOp::create(b, value, 32);
}

/// Builds `move`, with the count and the coordinates, for each element of the
/// tile for which the mask holds and `isMoved` holds for the count.
static void
forEachMoved(ImplicitLocOpBuilder &b, Value mask, Count &count,
             function_ref<Value(ImplicitLocOpBuilder &, Value count)> isMoved,
             function_ref<void(ImplicitLocOpBuilder &, Value count,
                               ValueRange coordinates)>
                 move) {
  auto type = cast<RankedTensorType>(mask.getType());
  cpu::forEachCoordinate(
      b, type.getShape(),
      [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
        Value size = count.get(body);
        Value moved = arith::AndIOp::create(
            body, isMoved(body, size),
            tensor::ExtractOp::create(body, mask, coordinates));
        scf::IfOp::create(body, moved, [&](OpBuilder &then, Location loc) {
          ImplicitLocOpBuilder inner(loc, then);
          move(inner, size, coordinates);
          scf::YieldOp::create(inner);
        });
      });
}

static Value toIndex(ImplicitLocOpBuilder &b, Value value) {
  return arith::IndexCastOp::create(b, b.getIndexType(), value);
}

/// Allocates memory for the positions of the values on the stack, initially -1.
static Value createPositions(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape) {
  Value positions =
      cpu::createBuffer(b, RankedTensorType::get(shape, b.getI32Type()));
  linalg::FillOp::create(b, constant(b, -1), positions);
  return positions;
}

namespace {
struct ConvertPush : OpConversionPattern<PushOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PushOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(adaptor.getStack().getType());
    Value stack = cpu::copyToBuffer(b, adaptor.getStack());
    Value positions = createPositions(b, op.getPlaces().getType().getShape());
    Count count(b, adaptor.getCount());
    // The comparison is unsigned, so that a negative count has no room.
    auto hasRoom = [&](ImplicitLocOpBuilder &body, Value size) -> Value {
      return arith::CmpIOp::create(body, arith::CmpIPredicate::ult, size,
                                   constant(body, type.getDimSize(0)));
    };
    forEachMoved(
        b, adaptor.getMask(), count, hasRoom,
        [&](ImplicitLocOpBuilder &body, Value size, ValueRange coordinates) {
          Value value =
              tensor::ExtractOp::create(body, adaptor.getValues(), coordinates);
          memref::StoreOp::create(body, value, stack, toIndex(body, size));
          memref::StoreOp::create(body, size, positions, coordinates);
          count.set(body, arith::AddIOp::create(body, size, constant(body, 1)));
        });
    rewriter.replaceOp(op, {cpu::readBuffer(b, b.getLoc(), stack), count.get(b),
                            cpu::readBuffer(b, b.getLoc(), positions)});
    return success();
  }
};

struct ConvertPop : OpConversionPattern<PopOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PopOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(
        op.getValues().getType());
    verifyCount(b, adaptor.getCount(), op.getStack().getType().getDimSize(0));
    Value values = cpu::createBuffer(b, type);
    linalg::FillOp::create(
        b, cpu::buildZero(b, b.getLoc(), type.getElementType()), values);
    Value positions = createPositions(b, type.getShape());
    Count count(b, adaptor.getCount());
    auto hasOne = [&](ImplicitLocOpBuilder &body, Value size) -> Value {
      return arith::CmpIOp::create(body, arith::CmpIPredicate::sgt, size,
                                   constant(body, 0));
    };
    forEachMoved(
        b, adaptor.getMask(), count, hasOne,
        [&](ImplicitLocOpBuilder &body, Value size, ValueRange coordinates) {
          Value top = arith::SubIOp::create(body, size, constant(body, 1));
          Value value = tensor::ExtractOp::create(body, adaptor.getStack(),
                                                  toIndex(body, top));
          memref::StoreOp::create(body, value, values, coordinates);
          memref::StoreOp::create(body, top, positions, coordinates);
          count.set(body, top);
        });
    rewriter.replaceOp(op,
                       {cpu::readBuffer(b, b.getLoc(), values), count.get(b),
                        cpu::readBuffer(b, b.getLoc(), positions)});
    return success();
  }

private:
  /// Asserts that a stack has no more elements than its tile; further elements
  /// would be read from outside of it.
  static void verifyCount(ImplicitLocOpBuilder &b, Value count,
                          int64_t capacity) {
    Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, count,
                                       constant(b, capacity));
    AssertOp::create(b, fits,
                     "expected at most " + std::to_string(capacity) +
                         " elements on the stack");
  }
};
} // namespace

void cpu::populateStackPatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<ConvertPush, ConvertPop>(converter, patterns.getContext());
}
