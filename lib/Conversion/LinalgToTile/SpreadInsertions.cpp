// SpreadInsertions.cpp - insertions with strides
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpreadInsertions.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

namespace {
/// Where an element of the result is in the source.
struct Places {
  /// Along the source's dimensions.
  SmallVector<Value> indices;
  /// Whether it is there.
  Value isInside;
};

/// The body of the generic, element by element.
class BodyWriter {
public:
  BodyWriter(OpBuilder &builder, tensor::InsertSliceOp op)
      : builder(builder), loc(op.getLoc()), op(op) {}

  void write(Value rest) {
    Places places = findPlaces();
    Value zero = toIndex(builder.getIndexAttr(0));
    for (Value &index : places.indices)
      index = choose(places.isInside, index, zero);
    Value element =
        tensor::ExtractOp::create(builder, loc, op.getSource(), places.indices);
    linalg::YieldOp::create(builder, loc,
                            choose(places.isInside, element, rest));
  }

private:
  Value toIndex(OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  }

  Value choose(Value test, Value inside, Value outside) {
    return arith::SelectOp::create(builder, loc, test, inside, outside);
  }

  void require(Places &places, arith::CmpIPredicate predicate, Value lhs,
               Value rhs) {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
    places.isInside =
        places.isInside
            ? arith::AndIOp::create(builder, loc, places.isInside, holds)
            : holds;
  }

  /// Below the first place a quotient is negative, which is a large number
  /// without sign, or has a remainder.
  Places findPlaces() {
    llvm::SmallBitVector dropped = op.getDroppedDims();
    Places places;
    for (unsigned dim = 0; dim < op.getMixedOffsets().size(); ++dim) {
      Value index = arith::SubIOp::create(
          builder, loc, linalg::IndexOp::create(builder, loc, dim),
          toIndex(op.getMixedOffsets()[dim]));
      OpFoldResult stride = op.getMixedStrides()[dim];
      if (!isOneInteger(stride)) {
        Value step = toIndex(stride);
        Value rest = arith::RemSIOp::create(builder, loc, index, step);
        require(places, arith::CmpIPredicate::eq, rest,
                toIndex(builder.getIndexAttr(0)));
        index = arith::DivSIOp::create(builder, loc, index, step);
      }
      require(places, arith::CmpIPredicate::ult, index,
              toIndex(op.getMixedSizes()[dim]));
      if (!dropped.test(dim))
        places.indices.push_back(index);
    }
    return places;
  }

  OpBuilder &builder;
  Location loc;
  tensor::InsertSliceOp op;
};

struct SpreadInsertion : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (llvm::all_of(op.getMixedStrides(), isOneInteger) ||
        llvm::any_of(op.getMixedStrides(), isZeroInteger))
      return failure();
    int64_t rank = op.getDestType().getRank();
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, op.getDestType(), ValueRange(), op.getDest(),
        rewriter.getMultiDimIdentityMap(rank),
        SmallVector(rank, utils::IteratorType::parallel),
        [&](OpBuilder &builder, Location, ValueRange arguments) {
          BodyWriter(builder, op).write(arguments[0]);
        });
    return success();
  }
};
} // namespace

void fromlinalg::populateSpreadInsertionPatterns(RewritePatternSet &patterns) {
  patterns.add<SpreadInsertion>(patterns.getContext());
}
