// SpreadInsertions.cpp - insertions with strides
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpreadInsertions.h"
#include "Structure.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace tile;

namespace {
/// The index in the source of an element of the result, along one dimension.
struct SourceIndex {
  Value index;
  /// Whether the element is in the source; null if it always is.
  Value isInside;
};

/// Writes the body of the generic, element by element.
class BodyWriter {
public:
  BodyWriter(OpBuilder &builder, tensor::InsertSliceOp op)
      : builder(builder), loc(op.getLoc()), op(op) {}

  /// Writes the body. Outside the source it yields `rest`; the element of the
  /// source that it reads nevertheless is not used.
  void write(Value rest) {
    llvm::SmallBitVector dropped = op.getDroppedDims();
    Value zero = toIndex(builder.getIndexAttr(0)), isInside;
    SmallVector<Value> indices;
    for (unsigned dim = 0; dim < dropped.size(); ++dim) {
      SourceIndex source = findSourceIndex(dim);
      isInside = bothHold(isInside, source.isInside);
      if (!dropped.test(dim))
        indices.push_back(choose(source.isInside, source.index, zero));
    }
    Value element =
        tensor::ExtractOp::create(builder, loc, op.getSource(), indices);
    linalg::YieldOp::create(builder, loc, choose(isInside, element, rest));
  }

private:
  Value toIndex(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(builder, loc, value);
  }

  Value choose(Value test, Value inside, Value outside) {
    return test ? arith::SelectOp::create(builder, loc, test, inside, outside)
                : inside;
  }

  Value bothHold(Value first, Value second) {
    if (!first || !second)
      return first ? first : second;
    return arith::AndIOp::create(builder, loc, first, second);
  }

  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  }

  /// Returns the index in the source along dimension `dim`. Before the first
  /// element, the quotient is negative, that is, a large unsigned value, or
  /// there is a remainder.
  SourceIndex findSourceIndex(unsigned dim) {
    Value index = linalg::IndexOp::create(builder, loc, dim);
    if (fromlinalg::hasAll(op, dim)) // with a stride of one then
      return {index, Value()};
    index = arith::SubIOp::create(builder, loc, index,
                                  toIndex(op.getMixedOffsets()[dim]));
    Value isElement;
    if (OpFoldResult stride = op.getMixedStrides()[dim];
        !isOneInteger(stride)) {
      Value step = toIndex(stride);
      Value rest = arith::RemSIOp::create(builder, loc, index, step);
      isElement = compare(arith::CmpIPredicate::eq, rest,
                          toIndex(builder.getIndexAttr(0)));
      index = arith::DivSIOp::create(builder, loc, index, step);
    }
    Value isBelow = compare(arith::CmpIPredicate::ult, index,
                            toIndex(op.getMixedSizes()[dim]));
    return {index, bothHold(isElement, isBelow)};
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
