// Exchanges.cpp - exchanges of a tile's elements through shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Exchanges.h"

#include "AccessLayouts.h"

#include "tile/Analysis/SharedAccess.h"
#include "tile/Analysis/SharedLayout.h"
#include "tile/Analysis/SharedWidth.h"
#include "tile/IR/ConvertLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

SharedAttr tile::getExchangeLayout(TileType from, TileType to) {
  RegisterLayout source = from.getRegister().getRegisterLayout();
  RegisterLayout dest = to.getRegister().getRegisterLayout();
  int64_t contiguous = std::max<int64_t>(from.getRank() - 1, 0);
  std::optional<AccessPlan> matrices =
      getMatrixPlan(dest, contiguous, from.getElementType(), from.getShape(),
                    kMaxAccessBytes);
  auto plan = [&](const RegisterLayout &layout, AccessKind kind) {
    return planRegisterAccess(layout, from.getShape(), from.getElementType(),
                              contiguous, kind);
  };
  return chooseExchangeLayout(
      from.getContext(), from.getShape(), contiguous,
      getElementBytes(from.getElementType()),
      {plan(source, AccessKind::kStore),
       matrices ? *matrices : plan(dest, AccessKind::kLoad)});
}

static int64_t getExchangedBytes(TileType from, TileType to) {
  return getBufferBytes(getExchangeLayout(from, to),
                        getElementBytes(from.getElementType()));
}

static TileType getSourceType(Operation *op) {
  return cast<TileType>(op->getOperand(0).getType());
}
static TileType getResultType(Operation *op) {
  return cast<TileType>(op->getResult(0).getType());
}

int64_t tile::getExchangedBytes(Operation *op) {
  return ::getExchangedBytes(getSourceType(op), getResultType(op));
}

/// Whether the only use of a result is that an operation stores it whole, and
/// needs no other tile.
static bool isOnlyStored(Operation *op) {
  if (!op->hasOneUse())
    return false;
  auto store = dyn_cast<ArrayAccessOpInterface>(*op->user_begin());
  return store && store->getNumResults() == 0 && !store.isPerElement() &&
         llvm::count_if(store->getOperandTypes(), llvm::IsaPred<TileType>) == 1;
}

/// Returns the dimension along which each thread has the most contiguous
/// elements of the tile.
static int64_t getRowDimension(Operation *op) {
  RegisterLayout rows = getRegisterLayout(op->getResult(0));
  int64_t best = rows.getRank() - 1;
  for (int64_t dim = 0; dim < rows.getRank(); ++dim)
    if (rows.getContiguity(dim) > rows.getContiguity(best))
      best = dim;
  return best;
}

/// Returns the layout of a part of the stored tile in which adjacent lanes have
/// adjacent elements of a row, as in the layout `whole` of the tile. `source`
/// is the layout of the part before the exchange.
static RegisterLayout getRowsOfPart(const RegisterLayout &source,
                                    const RegisterLayout &whole, int64_t dim,
                                    TileType part) {
  int64_t vector = whole.getContiguity(dim);
  if (auto rows = getRowsOfWarps(source, dim, vector, part.getElementType()))
    return *rows;
  return RegisterLayout::blocked(part.getShape().vec(), vector,
                                 whole.getNumWarps(),
                                 getRowOrder(part.getRank(), dim));
}

namespace {
/// The parts of a tile have one type, and one layout before and one after the
/// exchange. They follow each other along dimension `dim`.
struct Parts {
  int64_t dim;
  TileType type;
  RegisterLayout source, rows;

  TileType in(const RegisterLayout &layout) const {
    return type.withStorage(RegisterAttr::get(type.getContext(), layout));
  }
};
} // namespace

/// Returns the parts, if the tile has `numParts` that consist of whole
/// registers.
static std::optional<Parts> findParts(Operation *op, int64_t numParts) {
  int64_t dim = getRowDimension(op);
  SmallVector<int64_t> shape(getResultType(op).getShape());
  RegisterLayout source = getRegisterLayout(op->getOperand(0)),
                 rows = getRegisterLayout(op->getResult(0));
  int64_t part = shape[dim] / numParts;
  Type element = getResultType(op).getElementType();
  if (shape[dim] % numParts != 0 || part % source.getPeriod(dim) != 0 ||
      part % rows.getContiguity(dim) != 0 ||
      part * getElementBytes(element) < kMinRowBytes)
    return std::nullopt;
  shape[dim] = part;
  auto type = TileType::get(shape, element);
  RegisterLayout ofPart = source.resizeDimension(dim, part);
  RegisterLayout rowsOfPart = getRowsOfPart(ofPart, rows, dim, type);
  if (part % rowsOfPart.getPeriod(dim) != 0)
    return std::nullopt;
  return Parts{dim, type, ofPart, rowsOfPart};
}

std::optional<int64_t> tile::getExchangedParts(Operation *op, int64_t bytes) {
  if (!isOnlyStored(op) || getResultType(op).getRank() == 0)
    return std::nullopt;
  if (getExchangedBytes(op) <= bytes)
    return 1;
  int64_t extent = getResultType(op).getDimSize(getRowDimension(op));
  for (int64_t numParts = 2; numParts <= extent; ++numParts)
    if (std::optional<Parts> parts = findParts(op, numParts))
      if (::getExchangedBytes(parts->in(parts->source),
                              parts->in(parts->rows)) <= bytes)
        return numParts;
  return std::nullopt;
}

void tile::exchangeInParts(Operation *op, int64_t numParts) {
  if (numParts == 1)
    return;
  Parts parts = *findParts(op, numParts);
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> exchanged;
  for (int64_t part = 0; part < numParts; ++part) {
    SmallVector<Value> offsets(parts.type.getRank(), zero);
    offsets[parts.dim] = arith::ConstantIndexOp::create(
        builder, loc, part * parts.type.getDimSize(parts.dim));
    Value view =
        ViewOp::create(builder, loc, parts.in(parts.source), op->getOperand(0),
                       offsets, /*steps=*/DenseI64ArrayAttr());
    exchanged.push_back(convertTo(builder, loc, view, parts.rows));
  }
  TileType whole = getResultType(op);
  RegisterLayout rows =
      parts.rows.resizeDimension(parts.dim, whole.getDimSize(parts.dim));
  Value joined = JoinOp::create(
      builder, loc,
      whole.withStorage(RegisterAttr::get(builder.getContext(), rows)),
      exchanged, parts.dim);
  op->replaceAllUsesWith(ValueRange(joined));
  op->erase();
}
