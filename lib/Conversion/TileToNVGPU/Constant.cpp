// Constant.cpp - constant tiles: one value, or a table in module memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread reads its elements of a table by vectors.

#include "ConstantTable.h"
#include "Memory/Addresses.h"
#include "Memory/BoxAccess.h"
#include "Memory/PaddedValues.h"
#include "Patterns.h"
#include "RegisterTiles.h"

#include "tile/Analysis/SharedWidth.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace tile;

/// Returns the number of elements of a row that a thread reads by one access.
static int64_t getWidth(TileType type) {
  if (type.getRank() == 0)
    return 1;
  return getSharedWidth(
      type.getRegister().getRegisterLayout(), type.getShape(), type.getShape(),
      type.getElementType(), type.getRank() - 1,
      kMaxAccessBytes / getElementBytes(type.getElementType()));
}

static SmallVector<Value> readTable(OpBuilder &builder, arith::ConstantOp op,
                                    TileType type, DenseElementsAttr elements) {
  Location loc = op.getLoc();
  auto tensor = RankedTensorType::get(type.getShape(), type.getElementType());
  Value memory = createConstantTable(
      builder, op,
      DenseElementsAttr::getFromRawBuffer(tensor, elements.getRawData()));
  IndexBuilder index(builder, loc);
  ThreadCoordinates coordinates(index, type.getRegister().getRegisterLayout());
  int64_t width = getWidth(type);
  PaddedValues values(index, coordinates, type.getShape(), width);
  SmallVector<Value> chunks;
  for (int64_t value = 0; value < getNumValues(type); value += width) {
    ThreadCoordinates *readable = values.getReadable(value);
    if (!readable) {
      chunks.push_back(chunks.front());
      continue;
    }
    SmallVector<Value> at;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      at.push_back(readable->get(value, dim));
    chunks.push_back(loadChunk(index, memory, at, width));
  }
  return packChunks(builder, loc, type, chunks);
}

static SmallVector<Value> createSplat(OpBuilder &builder, Location loc,
                                      TileType type,
                                      DenseElementsAttr elements) {
  Attribute scalar = elements.getSplatValue<Attribute>();
  Type pack = getPackType(type);
  Value value;
  if (auto complex = dyn_cast<ComplexType>(pack)) {
    value = complex::ConstantOp::create(builder, loc, complex,
                                        cast<ArrayAttr>(scalar));
  } else {
    if (auto vector = dyn_cast<VectorType>(pack))
      scalar = DenseElementsAttr::get(vector, scalar);
    value = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(scalar));
  }
  return SmallVector<Value>(getNumValues(type) / getPackWidth(type), value);
}

/// Returns the operation before which the table of `op` is read. If all users
/// are in the block of `op`, this is the first user, so that the code before it
/// needs no registers for the elements.
static Operation *findInsertionPoint(arith::ConstantOp op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    if (user->getBlock() != op->getBlock())
      return op;
    if (!first || user->isBeforeInBlock(first))
      first = user;
  }
  return first ? first : op;
}

namespace {
/// A splat is one constant; other constants are read from a table.
struct ConvertConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<TileType>(op.getType());
    if (!type)
      return failure();
    auto elements = cast<DenseElementsAttr>(op.getValue());
    if (!elements.isSplat())
      rewriter.setInsertionPoint(findInsertionPoint(op));
    replaceWithPacks(rewriter, op,
                     {elements.isSplat()
                          ? createSplat(rewriter, op.getLoc(), type, elements)
                          : readTable(rewriter, op, type, elements)});
    return success();
  }
};
} // namespace

void tile::populateConstantPatterns(TypeConverter &types,
                                    RewritePatternSet &patterns) {
  patterns.add<ConvertConstant>(types, patterns.getContext());
}
