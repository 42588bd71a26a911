// ArgReduceToLoops.cpp - tile.arg_reduce, element by element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of a row, or of the tile, are visited one after the other. An
// element that is better than the best so far replaces it, so the first of
// equal elements stays.

#include "Element.h"
#include "Patterns.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

/// Whether an element, in its storage type, is better than the best so far. A
/// NaN is better than any other value, but not better than another NaN.
static Value isBetter(ImplicitLocOpBuilder &b, ReduceKind kind, Type element,
                      Value value, Value best) {
  bool isLeast = kind == ReduceKind::min || kind == ReduceKind::umin;
  bool isUnsigned = kind == ReduceKind::umin || kind == ReduceKind::umax;
  if (!isa<FloatType>(element)) {
    using arith::CmpIPredicate;
    CmpIPredicate less = isUnsigned ? CmpIPredicate::ult : CmpIPredicate::slt;
    return isLeast ? arith::CmpIOp::create(b, less, value, best)
                   : arith::CmpIOp::create(b, less, best, value);
  }
  using arith::CmpFPredicate;
  value = cpu::widen(b, b.getLoc(), value, element);
  best = cpu::widen(b, b.getLoc(), best, element);
  Value wins = arith::CmpFOp::create(
      b, isLeast ? CmpFPredicate::OLT : CmpFPredicate::OGT, value, best);
  Value isNaN = arith::CmpFOp::create(b, CmpFPredicate::UNO, value, value);
  Value isBestOrdered =
      arith::CmpFOp::create(b, CmpFPredicate::ORD, best, best);
  return arith::OrIOp::create(b, wins,
                              arith::AndIOp::create(b, isNaN, isBestOrdered));
}

namespace {
/// The elements from which one element of the result is chosen.
class Row {
public:
  /// Creates the row for the element of the result at `coordinates`.
  Row(ArgReduceOp op, ValueRange coordinates)
      : axis(op.getAxis()), shape(op.getSource().getType().getShape()),
        kept(coordinates) {
    // If the axis is kept, `coordinates` already has an entry for it, which
    // getCoordinates replaces; otherwise one is inserted.
    if (axis && !op.getKeep())
      kept.insert(kept.begin() + *axis, Value());
  }

  int64_t getLength() const {
    return axis ? shape[*axis] : ShapedType::getNumElements(shape);
  }

  /// Returns the coordinates, in the tile, of element `index` of the row.
  SmallVector<Value> getCoordinates(ImplicitLocOpBuilder &b,
                                    Value index) const {
    if (!axis)
      return cpu::buildCoordinates(b, shape, index);
    SmallVector<Value> coordinates(kept);
    coordinates[*axis] = index;
    return coordinates;
  }

private:
  std::optional<uint64_t> axis;
  ArrayRef<int64_t> shape;
  SmallVector<Value> kept;
};

struct ConvertArgReduce : OpConversionPattern<ArgReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ArgReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> buffers;
    for (Type type : op.getResultTypes())
      buffers.push_back(cpu::createBuffer(
          b, getTypeConverter()->convertType<RankedTensorType>(type)));
    Type indexType = op.getIndex().getType().getElementType();
    cpu::forEachCoordinate(
        b, op.getValue().getType().getShape(),
        [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
          auto [value, index] =
              choose(body, op, adaptor.getSource(), Row(op, coordinates));
          memref::StoreOp::create(body, value, buffers[0], coordinates);
          memref::StoreOp::create(body,
                                  cpu::convert(body, body.getLoc(), index,
                                               body.getIndexType(), indexType,
                                               {}),
                                  buffers[1], coordinates);
        });
    SmallVector<Value> results;
    for (Value buffer : buffers)
      results.push_back(cpu::readBuffer(b, b.getLoc(), buffer));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// Returns the best element of a row and its index.
  static std::pair<Value, Value> choose(ImplicitLocOpBuilder &b, ArgReduceOp op,
                                        Value source, const Row &row) {
    Type element = op.getSource().getType().getElementType();
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value one = arith::ConstantIndexOp::create(b, 1);
    Value length = arith::ConstantIndexOp::create(b, row.getLength());
    Value first =
        tensor::ExtractOp::create(b, source, row.getCoordinates(b, zero));
    auto loop = scf::ForOp::create(
        b, one, length, one, ValueRange{first, zero},
        [&](OpBuilder &builder, Location loc, Value index, ValueRange best) {
          ImplicitLocOpBuilder nested(loc, builder);
          Value value = tensor::ExtractOp::create(
              nested, source, row.getCoordinates(nested, index));
          Value wins = isBetter(nested, op.getKind(), element, value, best[0]);
          Value better = arith::SelectOp::create(nested, wins, value, best[0]);
          Value where = arith::SelectOp::create(nested, wins, index, best[1]);
          scf::YieldOp::create(nested, ValueRange{better, where});
        });
    return {loop.getResult(0), loop.getResult(1)};
  }
};
} // namespace

void cpu::populateArgReducePatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<ConvertArgReduce>(converter, patterns.getContext());
}
