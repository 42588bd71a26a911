// Program.cpp - a CUDA Tile program in memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

#include "llvm/ADT/STLExtras.h"

using namespace tile::cudatile;

const SourceAttribute &SourceOp::getAttribute(llvm::StringRef name) const {
  auto found = llvm::find_if(format->attributes,
                             [&](const auto &row) { return row.name == name; });
  assert(found != format->attributes.end() && "an attribute of the operation");
  return attributes[found - format->attributes.begin()];
}

llvm::ArrayRef<SourceValue *>
SourceOp::getOperands(llvm::StringRef name) const {
  auto found = llvm::find_if(format->operands,
                             [&](const auto &row) { return row.name == name; });
  assert(found != format->operands.end() && "an operand of the operation");
  return operands[found - format->operands.begin()];
}

SourceValue *SourceOp::getOperand(llvm::StringRef name) const {
  llvm::ArrayRef<SourceValue *> values = getOperands(name);
  return values.empty() ? nullptr : values.front();
}
