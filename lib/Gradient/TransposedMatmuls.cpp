// TransposedMatmuls.cpp - transposes of matmuls, as matmuls of transposes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TransposedMatmuls.h"

#include "Rules/TileRules.h"

using namespace mlir;
using namespace tile;

/// Whether a transposition exchanges the last two dimensions.
static bool isMatrixTranspose(TransposeOp op) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  int64_t rank = permutation.size();
  if (rank < 2 || permutation[rank - 1] != rank - 2)
    return false;
  return llvm::all_of(llvm::seq<int64_t>(0, rank - 2),
                      [&](int64_t dim) { return permutation[dim] == dim; });
}

/// Returns the matrices of which `value` is the transpose; null if it is none.
static Value getTransposed(Value value) {
  auto op = value.getDefiningOp<TransposeOp>();
  return op && isMatrixTranspose(op) ? op.getSource() : Value();
}

static Value transposeOnce(ValueBuilder &b, Value value) {
  Value source = getTransposed(value);
  return source ? source : transposeLast(b, value);
}

/// Returns the transpose of a matmul by the transposes of its operands.
static Value transposeMatmul(ValueBuilder &b, MatmulOp op) {
  Value lhs = transposeOnce(b, op.getRhs());
  Value rhs = transposeOnce(b, op.getLhs());
  SmallVector<int64_t> shape(op.getType().getShape());
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  Type type = TileType::get(shape, op.getType().getElementType());
  Value zero = b.zero(type);
  auto transposed = cast<MatmulOp>(b.clone(*op));
  transposed.getLhsMutable().assign(lhs);
  transposed.getRhsMutable().assign(rhs);
  transposed.getAccMutable().assign(zero);
  transposed.getResult().setType(cast<TileType>(type));
  return transposed.getResult();
}

static void replaceTranspose(TransposeOp op) {
  auto cast = op.getSource().getDefiningOp<CastOp>();
  Value source = cast ? cast.getSource() : op.getSource();
  auto matmul = source.getDefiningOp<MatmulOp>();
  bool isOnlyUse = matmul && source.hasOneUse() && op.getSource().hasOneUse();
  if (!isOnlyUse || !isMatrixTranspose(op) || matmul.getTilingAttr() ||
      getRealConstant(matmul.getAcc()) != 0.0 ||
      !(getTransposed(matmul.getLhs()) || getTransposed(matmul.getRhs())))
    return;
  ValueBuilder b(op.getLoc(), op.getContext());
  b.setInsertionPoint(op);
  Value result = transposeMatmul(b, matmul);
  op.getResult().replaceAllUsesWith(
      b.cast(result, getElementType(op.getType())));
  op.erase();
}

void tile::transposeMatmuls(KernelOp kernel) {
  SmallVector<TransposeOp> transposes;
  kernel.walk([&](TransposeOp op) { transposes.push_back(op); });
  for (TransposeOp op : transposes)
    replaceTranspose(op);
}
