// InstructionRows.cpp - the matrix instructions that exist
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/InstructionRows.h"

using namespace mlir;
using namespace tile;

ArrayRef<InstructionFamily> tile::getInstructionFamilies() {
  static const InstructionFamily families[] = {getWgmmaFamily(), getMmaFamily(),
                                               getFmaFamily()};
  return families;
}

LogicalResult
tile::verifyInstruction(function_ref<InFlightDiagnostic()> emitError,
                        ArrayRef<InstructionRow> rows, ArrayRef<int64_t> shape,
                        Type operand, Type accumulator) {
  MLIRContext *context = operand.getContext();
  bool exists = llvm::any_of(rows, [&](const InstructionRow &row) {
    return ArrayRef(row.getShape()) == shape &&
           row.operand(context) == operand &&
           row.accumulator(context) == accumulator;
  });
  if (exists)
    return success();
  InFlightDiagnostic error =
      emitError()
      << "expected a shape and types of the instruction table, got ";
  llvm::interleave(
      shape,
      [&](int64_t extent) {
        if (ShapedType::isDynamic(extent))
          error << "?";
        else
          error << extent;
      },
      [&] { error << "x"; });
  return error << ", " << operand << ", " << accumulator;
}

bool tile::canCompute(MatrixInstructionAttrInterface instruction,
                      MatmulOpInterface op) {
  bool isTF32 = op.getPrecision() == Precision::tf32;
  if (!instruction.getOperandType())
    return !isTF32;
  auto lhs = cast<ShapedType>(op.getLhs().getType());
  Type operand =
      isTF32 ? FloatTF32Type::get(op->getContext()) : lhs.getElementType();
  Precision required = instruction.getRequiredPrecision();
  return instruction.getOperandType() == operand &&
         instruction.getAccumulatorType() == op.getSumType().getElementType() &&
         (required == Precision::ieee || required == op.getPrecision());
}

InFlightDiagnostic tile::refuseInstruction(MatmulOpInterface op) {
  return op->emitOpError()
         << "expected an instruction for operands of "
         << cast<ShapedType>(op.getLhs().getType()).getElementType()
         << (op.getPrecision() == Precision::tf32 ? " with precision tf32" : "")
         << " and an accumulator of " << op.getSumType().getElementType();
}
