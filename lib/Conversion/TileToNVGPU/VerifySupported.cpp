// VerifySupported.cpp - what the GPU path does not compute, at its line
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of f8 are loaded, stored, moved, taken as bits, and multiplied by the
// matrix instructions of sm_89 on; other arithmetic on them and their
// conversions are the CPU path's alone.

#include "Patterns.h"

#include "tile/Analysis/InstructionTable.h"
#include "tile/IR/Tile.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

static bool isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

/// Whether an operation looks at the numbers, not only at where they are.
static bool computes(Operation *op) {
  if (isa<arith::ConstantOp, arith::SelectOp>(op))
    return false;
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
         isa<ReduceOp, PartialReduceOp, MatmulOp>(op);
}

static LogicalResult verifyCast(CastOp op) {
  Type from = op.getSource().getType().getElementType();
  Type to = op.getType().getElementType();
  if (op.getBitcast() || from == to || (!isFloat8(from) && !isFloat8(to)))
    return success();
  return op.emitError("expected a conversion between f64, f32, f16, bf16, i1, "
                      "i8, i16, i32, i64 and index, or a bitcast (the GPU path "
                      "has no conversions of f8), got ")
         << from << " to " << to;
}

LogicalResult tile::verifySupported(Operation *op,
                                    const Architecture &architecture) {
  if (auto cast = dyn_cast<CastOp>(op))
    return verifyCast(cast);
  if (auto matmul = dyn_cast<MatmulOp>(op))
    if (!chooseInstruction(matmul, architecture).isFma())
      return success();
  if (!computes(op))
    return success();
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types) {
      auto shaped = dyn_cast<ShapedType>(type);
      if (shaped && isFloat8(shaped.getElementType()))
        return op->emitError("expected elements of f64, f32, f16 or bf16 (the "
                             "GPU path moves numbers of f8 and multiplies them "
                             "on sm_89 or later), got ")
               << shaped.getElementType();
    }
  return success();
}
