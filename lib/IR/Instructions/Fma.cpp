// Fma.cpp - multiply-adds in each thread, as an instruction
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/InstructionRows.h"

using namespace mlir;
using namespace tile;

static Type getAny(MLIRContext *) { return {}; }

static constexpr InstructionRow kRows[] = {
    {1, 1, 1, getAny, getAny, 80, "vector loads", "vector loads", "math.fma",
     "Floating Point Instructions: fma"},
};

InstructionFamily tile::getFmaFamily() {
  return {[](const InstructionRow &, MLIRContext *context) {
            return MatrixInstructionAttrInterface(FmaAttr::get(context));
          },
          kRows};
}

std::string FmaAttr::getInstructionName() const { return "fma"; }

MatrixShape FmaAttr::getInstructionShape() const { return {}; }

MatrixShape FmaAttr::getSubTile() const { return {}; }

Type FmaAttr::getOperandType() const { return {}; }

Type FmaAttr::getAccumulatorType() const { return {}; }

bool FmaAttr::hasFragments() const { return false; }
