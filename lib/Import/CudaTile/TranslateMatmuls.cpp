// TranslateMatmuls.cpp - matmuls of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matmul of unsigned integers of 8 bits is one of signed integers. With
// A = A' + 128 and B = B' + 128, where A' and B' are signed,
//
//   A B = A' B' + 128 (sums of the columns of B' + sums of the rows of A')
//         + 128 * 128 * K.
//
// A scaled matmul is one of bf16: its operands are multiplied by their scales
// first, which is exact within the range of bf16, which is that of f32.

#include "Codes.h"

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

/// Returns the values of an operand in bf16.
static Value toBF16(KernelTranslator &t, const SourceValue *operand) {
  Type type = t.b.getBF16Type();
  const SourceType *element = operand->type->element;
  Value value = t.getValue(operand);
  return isCoded(element) ? decode(t, value, element, type)
                          : t.castElements(value, type);
}

/// Returns an operand times its scales, each of which is for as many elements
/// along `axis`. Null, and an error, if there is no such count.
static Value applyScales(KernelTranslator &t, const SourceOp &op,
                         StringRef operand, StringRef scales, int64_t axis) {
  SourceValue *scale = op.getOperand(scales);
  ArrayRef<int64_t> shape = op.getOperand(operand)->type->shape,
                    counts = scale->type->shape;
  SmallVector<int64_t> expected(shape);
  bool isMatrix = shape.size() == 2 || shape.size() == 3;
  if (isMatrix && counts.size() == shape.size())
    expected[axis] = counts[axis];
  if (!isMatrix || counts != ArrayRef(expected) ||
      shape[axis] % counts[axis] != 0) {
    (void)t.refuse(op, "expected scales for equal parts of each row of the "
                       "first operand, and of each column of the second one");
    return {};
  }
  SmallVector<int64_t> single(counts), parts(counts);
  single.insert(single.begin() + axis + 1, 1);
  parts.insert(parts.begin() + axis + 1, shape[axis] / counts[axis]);
  Value repeated =
      t.reshape(t.broadcast(t.reshape(toBF16(t, scale), single), parts), shape);
  return arith::MulFOp::create(t.b, toBF16(t, op.getOperand(operand)),
                               repeated);
}

static LogicalResult multiplyScaled(KernelTranslator &t, const SourceOp &op) {
  auto isScale = [&](StringRef name) {
    TypeTag tag = op.getOperand(name)->type->element->tag;
    return tag == TypeTag::f8E8M0FNU || tag == TypeTag::f8E4M3FN;
  };
  auto isOperand = [&](StringRef name) {
    TypeTag tag = op.getOperand(name)->type->element->tag;
    return tag == TypeTag::f4E2M1FN || tag == TypeTag::f8E4M3FN ||
           tag == TypeTag::f8E5M2;
  };
  if (!isOperand("lhs") || !isOperand("rhs") || !isScale("lhs_scale") ||
      !isScale("rhs_scale"))
    return t.refuse(op, "expected operands of f4E2M1FN, f8E4M3FN or f8E5M2, "
                        "and scales of f8E8M0FNU or f8E4M3FN");
  if (failed(verifyAccumulator(t, op)))
    return failure();
  size_t rank = op.getOperand("acc")->type->shape.size();
  constexpr StringRef kNames[] = {"lhs", "rhs", "lhs_scale", "rhs_scale"};
  bool areMatrices = llvm::all_of(kNames, [&](StringRef name) {
    return op.getOperand(name)->type->shape.size() == rank;
  });
  if (!areMatrices || (rank != 2 && rank != 3))
    return t.refuse(op, "expected operands of two or of three dimensions");
  Value lhs = applyScales(t, op, "lhs", "lhs_scale", rank - 1),
        rhs = lhs ? applyScales(t, op, "rhs", "rhs_scale", rank - 2) : Value();
  if (!rhs)
    return failure();
  return multiply(t, op, lhs, rhs, t.getValue(op, "acc"), Precision::ieee);
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
      arith::MulIOp::create(t.b, sums, t.integer(sums.getType(), 128));
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
                                 t.integer(operand.getType(), -128));
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
    add(t.integer(type, 128 * 128 * k));
  return multiply(t, op, lhs, rhs, acc, Precision::ieee);
}

void tile::cudatile::addMatmuls(Handlers &handlers) {
  handlers["mmaf"] = {multiplyFloats};
  handlers["mmaf_scaled"] = {multiplyScaled, false, false, true};
  handlers["mmai"] = {multiplyIntegers};
}
