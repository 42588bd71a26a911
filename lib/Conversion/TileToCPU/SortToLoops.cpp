// SortToLoops.cpp - tile.sort and tile.top_k, by counting preceding elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The position of an element in the sorted row is the number of elements that
// come before it: those with a lesser key, and those with an equal key at lower
// positions.

#include "Element.h"
#include "Patterns.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

namespace {
/// The axis of the sorted rows, and the order of their keys.
struct KeyOrder {
  TileType type;
  int64_t axis;
  bool isDescending, isUnsigned;
};
} // namespace

/// Whether the first key comes before the second, both in the storage type,
/// regardless of their positions.
static Value isBefore(ImplicitLocOpBuilder &b, const KeyOrder &order,
                      Value first, Value second) {
  Type element = order.type.getElementType();
  if (order.isDescending)
    std::swap(first, second);
  if (!isa<FloatType>(element))
    return arith::CmpIOp::create(b,
                                 order.isUnsigned ? arith::CmpIPredicate::ult
                                                  : arith::CmpIPredicate::slt,
                                 first, second);
  // Numbers come before NaNs: the first comparison holds if either value is
  // NaN, the second one only if `first` is not NaN.
  first = cpu::widen(b, b.getLoc(), first, element);
  second = cpu::widen(b, b.getLoc(), second, element);
  Value isLess =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ULT, first, second);
  Value isOrdered =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, first, first);
  return arith::AndIOp::create(b, isLess, isOrdered);
}

/// Returns the number of elements of the row that come before the one at
/// `coordinates`.
static Value countBefore(ImplicitLocOpBuilder &b, const KeyOrder &order,
                         Value keys, ArrayRef<Value> coordinates) {
  int64_t axis = order.axis;
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value extent = arith::ConstantIndexOp::create(b, order.type.getDimSize(axis));
  Value own = tensor::ExtractOp::create(b, keys, coordinates);
  auto loop = scf::ForOp::create(
      b, zero, extent, one, zero,
      [&](OpBuilder &builder, Location loc, Value at, ValueRange count) {
        ImplicitLocOpBuilder nested(loc, builder);
        SmallVector<Value> otherCoordinates(coordinates);
        otherCoordinates[axis] = at;
        Value other = tensor::ExtractOp::create(nested, keys, otherCoordinates);
        // An element at a lower position comes before this one, unless its key
        // comes after this one's.
        Value isLower = arith::CmpIOp::create(nested, arith::CmpIPredicate::ult,
                                              at, coordinates[axis]);
        Value isBehind = isBefore(nested, order, own, other);
        Value isFirst = arith::SelectOp::create(
            nested, isLower,
            arith::XOrIOp::create(nested, isBehind,
                                  arith::ConstantIntOp::create(nested, 1, 1)),
            isBefore(nested, order, other, own));
        Value next = arith::AddIOp::create(nested, count.front(), one);
        scf::YieldOp::create(nested, arith::SelectOp::create(
                                         nested, isFirst, next, count.front())
                                         .getResult());
      });
  return loop.getResult(0);
}

namespace {
struct ConvertSort : OpConversionPattern<SortOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SortOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> buffers;
    for (Value source : adaptor.getSources())
      buffers.push_back(
          cpu::createBuffer(b, cast<RankedTensorType>(source.getType())));
    KeyOrder order = {cast<TileType>(op.getSources().front().getType()),
                      static_cast<int64_t>(op.getAxis()), op.getDescending(),
                      op.getUnsignedInteger()};
    cpu::forEachCoordinate(
        b, order.type.getShape(),
        [&](ImplicitLocOpBuilder &nested, ValueRange from) {
          SmallVector<Value> to(from);
          to[op.getAxis()] =
              countBefore(nested, order, adaptor.getSources().front(), to);
          for (auto [source, buffer] :
               llvm::zip_equal(adaptor.getSources(), buffers)) {
            Value element = tensor::ExtractOp::create(nested, source, from);
            memref::StoreOp::create(nested, element, buffer, to);
          }
        });
    SmallVector<Value> results;
    for (Value buffer : buffers)
      results.push_back(cpu::readBuffer(b, b.getLoc(), buffer));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// Converts tile.top_k: selects the elements before which fewer than k others
/// come.
struct ConvertTopK : OpConversionPattern<TopKOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TopKOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto convert = [&](TileType type) {
      return getTypeConverter()->convertType<RankedTensorType>(type);
    };
    Value values = cpu::createBuffer(b, convert(op.getValues().getType()));
    Value indices = cpu::createBuffer(b, convert(op.getIndices().getType()));
    int64_t axis = op.getAxis();
    KeyOrder order = {op.getSource().getType(), axis, !op.getLeast(),
                      op.getUnsignedInteger()};
    Type indexType = op.getIndices().getType().getElementType();
    cpu::forEachCoordinate(
        b, order.type.getShape(),
        [&](ImplicitLocOpBuilder &body, ValueRange from) {
          SmallVector<Value> to(from);
          to[axis] = countBefore(body, order, adaptor.getSource(), to);
          Value isChosen = arith::CmpIOp::create(
              body, arith::CmpIPredicate::ult, to[axis],
              arith::ConstantIndexOp::create(
                  body, op.getValues().getType().getDimSize(axis)));
          scf::IfOp::create(body, isChosen, [&](OpBuilder &then, Location loc) {
            ImplicitLocOpBuilder inner(loc, then);
            Value element =
                tensor::ExtractOp::create(inner, adaptor.getSource(), from);
            Value index = cpu::convert(inner, loc, from[axis],
                                       inner.getIndexType(), indexType, {});
            memref::StoreOp::create(inner, element, values, to);
            memref::StoreOp::create(inner, index, indices, to);
            scf::YieldOp::create(inner);
          });
        });
    rewriter.replaceOp(op, {cpu::readBuffer(b, b.getLoc(), values),
                            cpu::readBuffer(b, b.getLoc(), indices)});
    return success();
  }
};
} // namespace

void cpu::populateSortPatterns(const TypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<ConvertSort, ConvertTopK>(converter, patterns.getContext());
}
