// InstructionTable.cpp - which instruction multiplies which tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/InstructionTable.h"

using namespace mlir;
using namespace tile;

static const MatrixInstruction kTable[] = {
    {"m16n8k16", "f16", "f32", 16, 8, 16, 80,
     "ldmatrix; ldmatrix.trans where K is not contiguous", "nvvm.mma.sync",
     "Matrix Fragments for mma.m16n8k16 with floating point type"},
    {"fma", "*", "*", 1, 1, 1, 80, "vector loads", "math.fma",
     "Floating Point Instructions: fma"},
};

ArrayRef<MatrixInstruction> tile::getMatrixInstructions() { return kTable; }

static std::string nameOf(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

static bool serves(const MatrixInstruction &row, MatmulOp op,
                   const Architecture &architecture) {
  if (row.isFma())
    return true;
  auto operand = cast<ShapedType>(op.getLhs().getType()).getElementType();
  return row.operandType == nameOf(operand) &&
         row.accType == nameOf(op.getType().getElementType()) &&
         row.minArchitecture <= architecture.number;
}

const MatrixInstruction &
tile::chooseInstruction(MatmulOp op, const Architecture &architecture) {
  for (const MatrixInstruction &row : kTable)
    if (serves(row, op, architecture))
      return row;
  llvm_unreachable("the table ends with a row that serves every product");
}

const MatrixInstruction *
tile::findInstruction(StringRef name, MatmulOp op,
                      const Architecture &architecture) {
  for (const MatrixInstruction &row : kTable)
    if (row.name == name && serves(row, op, architecture))
      return &row;
  return nullptr;
}
