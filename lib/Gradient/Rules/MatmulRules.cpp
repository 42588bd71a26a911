// MatmulRules.cpp - the derivative of tile.matmul
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules.h"
#include "TileRules.h"

#include "tile/IR/AttachModels.h"

using namespace mlir;
using namespace tile;

/// Returns the element type in which a cotangent of an accumulator is
/// multiplied: that of the operands, but f16 for f8, which has too few bits.
static Type getFactorType(Type operand) {
  Type element = getElementType(operand);
  bool isSmall =
      isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8;
  return isSmall ? Type(Float16Type::get(operand.getContext())) : element;
}

/// Returns lhs * rhs, in the accumulator's type of `op`, as the cotangent of an
/// operand of type `wanted`: summed over the batch if the operand serves all of
/// it, and rounded to the operand's elements.
static Value multiply(ValueBuilder &b, MatmulOp op, Value lhs, Value rhs,
                      Type wanted) {
  auto lhsType = cast<TileType>(lhs.getType());
  auto rhsType = cast<TileType>(rhs.getType());
  auto accType = cast<TileType>(op.getType());
  SmallVector<int64_t> shape(lhsType.getRank() > rhsType.getRank()
                                 ? lhsType.getShape()
                                 : rhsType.getShape());
  shape[shape.size() - 2] = lhsType.getShape()[lhsType.getRank() - 2];
  shape[shape.size() - 1] = rhsType.getShape().back();
  Type sumType = TileType::get(shape, accType.getElementType());
  Precision precision = op.getPrecision() == Precision::fast_accumulation
                            ? Precision::ieee
                            : op.getPrecision();
  Value product = MatmulOp::create(b, sumType, lhs, rhs, b.zero(sumType),
                                   precision, TilingAttr());
  auto operand = cast<TileType>(wanted);
  if (operand.getRank() < static_cast<int64_t>(shape.size()))
    product =
        ReduceOp::create(b,
                         TypeRange{TileType::get(ArrayRef(shape).drop_front(),
                                                 accType.getElementType())},
                         ReduceKind::add, product, b.getI64IntegerAttr(0))
            .getResult(0);
  return b.cast(product, operand.getElementType());
}

namespace tile {
static Derivatives makeTangents(MatmulOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (isa<IntegerType>(getElementType(op.getType())))
    return op->emitError("expected a matmul of floating-point elements");
  Value sum = tangents[2];
  auto add = [&](Value lhs, Value rhs) {
    sum =
        MatmulOp::create(b, op.getType(), lhs, rhs, b.orZero(sum, op.getType()),
                         op.getPrecision(), TilingAttr());
  };
  if (tangents[0])
    add(tangents[0], op.getRhs());
  if (tangents[1])
    add(op.getLhs(), tangents[1]);
  return values({sum});
}

static Derivatives makeTranspose(MatmulOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Value ofLhs, ofRhs;
  Type factor = getFactorType(op.getLhs().getType());
  Value g = b.cast(cotangents[0], factor);
  auto takeFactor = [&](Value operand) {
    return transposeLast(b, b.conj(b.cast(operand, factor)));
  };
  if (b.isTangent(op.getLhs()))
    ofLhs = multiply(b, op, g, takeFactor(op.getRhs()), op.getLhs().getType());
  if (b.isTangent(op.getRhs()))
    ofRhs = multiply(b, op, takeFactor(op.getLhs()), g, op.getRhs().getType());
  return values({ofLhs, ofRhs, cotangents[0]});
}
} // namespace tile

void tile::addMatmulRules(MLIRContext &context) {
  attachModels<TangentModel, MatmulOp>(context);
  attachModels<TransposeModel, MatmulOp>(context);
}
