// KeptStates.cpp - values that a loop carries, kept for its transpose
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KeptStates.h"

using namespace mlir;
using namespace tile;

/// Returns the tile that is stored for a value: a scalar has rank 0.
static TileType getStoredType(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile ? tile : TileType::get({}, type);
}

/// Returns the offsets of a value in its array.
static SmallVector<Value> getOffsets(ValueBuilder &b, TileType type,
                                     Value program, Value iteration) {
  SmallVector<Value> offsets{program, iteration};
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    offsets.push_back(arith::ConstantIndexOp::create(b, 0));
  return offsets;
}

void tile::storeState(ValueBuilder &b, Value value, Value array, Value program,
                      Value iteration) {
  TileType type = getStoredType(value.getType());
  if (value.getType() != type)
    value = FillOp::create(b, type, value);
  StoreOp::create(b, value, array, getOffsets(b, type, program, iteration),
                  /*mask=*/Value(), /*in_bounds=*/true,
                  /*dims=*/DenseI64ArrayAttr());
}

Value tile::loadState(ValueBuilder &b, Type type, Value array, Value program,
                      Value iteration) {
  TileType stored = getStoredType(type);
  Value value = LoadOp::create(
      b, stored, array, getOffsets(b, stored, program, iteration),
      /*pad=*/Value(), /*mask=*/Value(), /*in_bounds=*/true,
      /*dims=*/DenseI64ArrayAttr());
  return type == stored ? value
                        : ExtractOp::create(b, value, ValueRange()).getResult();
}

Value tile::getProgramIndex(ValueBuilder &b, Operation *op) {
  OpBuilder::InsertionGuard guard(b);
  auto kernel = op->getParentOfType<KernelOp>();
  b.setInsertionPointToStart(&kernel.getBody().front());
  Value index = ProgramIdOp::create(b, Axis::z);
  for (Axis axis : {Axis::y, Axis::x}) {
    Value count = NumProgramsOp::create(b, axis);
    index = arith::AddIOp::create(b, arith::MulIOp::create(b, index, count),
                                  ProgramIdOp::create(b, axis));
  }
  return index;
}
