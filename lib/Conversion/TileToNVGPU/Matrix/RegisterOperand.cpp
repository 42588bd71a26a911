// RegisterOperand.cpp - an operand of a matmul in registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegisterOperand.h"

#include "../RegisterTiles.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

RegisterOperand::RegisterOperand(IndexBuilder &index, MatmulOpInterface op,
                                 int operand, ValueRange registers)
    : index(index), type(cast<TileType>(op->getOperand(operand).getType())),
      inner(type.getRank() - 1 - operand),
      coordinates(index, type.getRegister().getRegisterLayout()),
      registers(registers) {
  // Padding must be zero only along K: padding rows of the result are not
  // stored.
  const RegisterLayout &layout = coordinates.getLayout();
  bounds.assign(layout.getBox().begin(), layout.getBox().end());
  bounds[inner] = type.getDimSize(inner);
  for (const RegisterMode &mode : layout.getModes(RegisterLayout::kLane))
    if (mode.dim == inner)
      reach += (mode.extent - 1) * mode.step;
}

bool RegisterOperand::canBeBeyond(int64_t value) const {
  return coordinates.getLayout().valueOffset(value)[inner] + reach >=
         bounds[inner];
}

Value RegisterOperand::get(int64_t registerIndex) {
  Value value = registers[registerIndex];
  int64_t width = getPackWidth(type), first = registerIndex * width;
  for (int64_t i = 0; i < width; ++i) {
    if (!canBeBeyond(first + i))
      continue;
    Value inside = coordinates.isInside(first + i, bounds);
    Value element = extractElement(index.builder, index.loc, value, i);
    element = arith::SelectOp::create(
        index.builder, index.loc, inside, element,
        createZero(index.builder, index.loc, element.getType()));
    value = width == 1 ? element
                       : vector::InsertOp::create(index.builder, index.loc,
                                                  element, value, i);
  }
  return value;
}
