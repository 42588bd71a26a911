// TranslateMatmuls.cpp - matmuls of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matmul of unsigned integers of 8 bits is one of signed integers. With
// A = A' + 128 and B = B' + 128, where A' and B' are signed,
//
//   A B = A' B' + 128 (sums of the columns of B' + sums of the rows of A')
//         + 128 * 128 * K.

#include "KernelTranslator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

static LogicalResult multiply(KernelTranslator &t, const SourceOp &op,
                              Value lhs, Value rhs, Value acc,
                              Precision precision) {
  t.setResult(op,
              MatmulOp::create(t.b, lhs, rhs, acc,
                               PrecisionAttr::get(t.b.getContext(), precision),
                               TilingAttr()));
  return success();
}

static LogicalResult verifyAccumulator(KernelTranslator &t,
                                       const SourceOp &op) {
  if (isa<TileType>(t.getValue(op, "acc").getType()))
    return success();
  return t.refuse(op, "expected an accumulator of two or three dimensions");
}

static LogicalResult multiplyFloats(KernelTranslator &t, const SourceOp &op) {
  if (failed(verifyAccumulator(t, op)))
    return failure();
  Precision precision = Precision::ieee;
  if (op.getOperand("lhs")->type->element->tag == TypeTag::tf32)
    precision = Precision::tf32;
  else if (op.hasFlag("fast_acc"))
    precision = Precision::fast_accumulation;
  return multiply(t, op, t.getValue(op, "lhs"), t.getValue(op, "rhs"),
                  t.getValue(op, "acc"), precision);
}

static Value makeConstant(KernelTranslator &t, Type tile, int64_t value) {
  return t.constant(tile, IntegerAttr::get(getElementTypeOrSelf(tile), value));
}

/// Returns 128 times the sums of a signed operand along K, for each element of
/// the accumulator.
static Value sumAlongK(KernelTranslator &t, Value operand, int64_t axis,
                       TileType acc) {
  auto type = cast<TileType>(operand.getType());
  SmallVector<int64_t> rest(type.getShape()), kept = rest;
  rest.erase(rest.begin() + axis);
  kept[axis] = 1;
  Value wide = t.castElements(operand, acc.getElementType());
  Value sums = ReduceOp::create(
                   t.b, TypeRange(TileType::get(rest, acc.getElementType())),
                   ReduceKind::add, wide, t.b.getI64IntegerAttr(axis))
                   .getResult(0);
  Value scaled =
      arith::MulIOp::create(t.b, sums, makeConstant(t, sums.getType(), 128));
  return t.broadcast(t.reshape(scaled, kept), acc.getShape());
}

/// Whether a value is a tile of i8 of this rank.
static bool isTileOfBytes(Value value, int64_t rank) {
  auto type = dyn_cast<TileType>(value.getType());
  return type && type.getElementType().isInteger(8) && type.getRank() == rank;
}

static LogicalResult multiplyIntegers(KernelTranslator &t, const SourceOp &op) {
  Value lhs = t.getValue(op, "lhs"), rhs = t.getValue(op, "rhs"),
        acc = t.getValue(op, "acc");
  auto type = dyn_cast<TileType>(acc.getType());
  bool isMatmul = type && (type.getRank() == 2 || type.getRank() == 3) &&
                  type.getElementType().isInteger(32) &&
                  isTileOfBytes(lhs, type.getRank()) &&
                  isTileOfBytes(rhs, type.getRank());
  if (!isMatmul)
    return t.refuse(op, "expected tiles of two or three dimensions, of i8 and, "
                        "as accumulator, of i32");
  int64_t rank = type.getRank(),
          k = cast<TileType>(lhs.getType()).getShape().back();
  bool isLhsSigned = op.isSigned("signedness_lhs"),
       isRhsSigned = op.isSigned("signedness_rhs");
  auto shift = [&](Value operand) -> Value {
    return arith::XOrIOp::create(t.b, operand,
                                 makeConstant(t, operand.getType(), -128));
  };
  auto add = [&](Value value) { acc = arith::AddIOp::create(t.b, acc, value); };
  if (!isLhsSigned)
    lhs = shift(lhs);
  if (!isRhsSigned)
    rhs = shift(rhs);
  if (!isLhsSigned)
    add(sumAlongK(t, rhs, rank - 2, type));
  if (!isRhsSigned)
    add(sumAlongK(t, lhs, rank - 1, type));
  if (!isLhsSigned && !isRhsSigned)
    add(makeConstant(t, type, 128 * 128 * k));
  return multiply(t, op, lhs, rhs, acc, Precision::ieee);
}

void tile::cudatile::addMatmuls(Handlers &handlers) {
  handlers["mmaf"] = {multiplyFloats};
  handlers["mmai"] = {multiplyIntegers};
}
