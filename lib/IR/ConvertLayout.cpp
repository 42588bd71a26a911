// ConvertLayout.cpp - conversions between layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/ConvertLayout.h"

#include "tile/Layout/LaneExchange.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Storages
//===----------------------------------------------------------------------===//

RegisterAttr tile::getAnyRegisters(MLIRContext *context) {
  return RegisterAttr::get(context, LayoutAttr(), DenseI64ArrayAttr());
}

SharedAttr tile::getAnyShared(MLIRContext *context) {
  return SharedAttr::get(context, LayoutAttr(), SwizzleAttr(), 16);
}

bool tile::isInRegisters(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  return type && type.getRegister();
}

bool tile::isInShared(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  return type && type.getShared();
}

RegisterLayout tile::getRegisterLayout(Value tile) {
  return cast<TileType>(tile.getType()).getRegister().getRegisterLayout();
}

SharedAttr tile::getRowsInShared(MLIRContext *context, ArrayRef<int64_t> box,
                                 int64_t contiguous, int64_t extra,
                                 SwizzleAttr swizzle, int64_t alignment) {
  auto get = [&](const IntTuple &shape, const IntTuple &stride) {
    return SharedAttr::get(
        context, LayoutAttr::get(context, *Layout::get(shape, stride)), swizzle,
        alignment);
  };
  if (box.empty())
    return get(IntTuple(1), IntTuple(0));
  std::vector<IntTuple> shape, stride(box.size(), IntTuple(0));
  for (int64_t extent : box)
    shape.push_back(IntTuple(extent));
  stride[contiguous] = IntTuple(1);
  int64_t next = box[contiguous] + extra;
  for (int64_t dim = box.size(); dim-- > 0;)
    if (dim != contiguous) {
      stride[dim] = IntTuple(next);
      next *= box[dim];
    }
  return get(IntTuple(shape), IntTuple(stride));
}

SharedAttr tile::getCompactShared(TileType tile) {
  return getRowsInShared(tile.getContext(), tile.getShape(),
                         std::max<int64_t>(tile.getRank() - 1, 0));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value tile::convertTo(OpBuilder &builder, Location loc, Value tile,
                      Attribute storage) {
  auto type = cast<TileType>(tile.getType());
  return ConvertLayoutOp::create(builder, loc, type.withStorage(storage), tile);
}

Value tile::getSharedCopy(Operation *user, Value tile) {
  auto type = cast<TileType>(tile.getType())
                  .withStorage(getAnyShared(user->getContext()));
  // Other operations than matmuls may replace elements of their copy.
  auto isShareable = [&](Operation *copy) {
    return isa<ConvertLayoutOp>(copy) && copy->getResult(0).getType() == type &&
           copy->getBlock() == user->getBlock() &&
           copy->isBeforeInBlock(user) &&
           llvm::all_of(copy->getUsers(), llvm::IsaPred<MatmulOpInterface>);
  };
  if (isa<MatmulOpInterface>(user))
    for (Operation *copy : tile.getUsers())
      if (isShareable(copy))
        return copy->getResult(0);
  OpBuilder builder(user);
  return convertTo(builder, user->getLoc(), tile, type.getStorage());
}

Value tile::convertTo(OpBuilder &builder, Location loc, Value tile,
                      const RegisterLayout &layout) {
  auto type = cast<TileType>(tile.getType());
  RegisterAttr current = type.getRegister();
  if (current && current.isResolved() &&
      current.getRegisterLayout().isEquivalent(layout))
    return tile;
  return convertTo(builder, loc, tile,
                   RegisterAttr::get(type.getContext(), layout));
}

void tile::retype(Value value, TileType type) {
  value.setType(type);
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return;
  auto elements = cast<DenseElementsAttr>(constant.getValue());
  constant.setValueAttr(
      DenseElementsAttr::getFromRawBuffer(type, elements.getRawData()));
}

/// Maximum number of shuffles of 32 bits that take no longer than a write, a
/// barrier and a read.
static constexpr int64_t kMaxShuffles = 16;

RegisterMove tile::getRegisterMove(TileType from, TileType to) {
  RegisterLayout source = from.getRegister().getRegisterLayout();
  RegisterLayout dest = to.getRegister().getRegisterLayout();
  if (source.findValues(dest))
    return RegisterMove::inThread;
  int64_t registers = getElementRegisters(from.getElementType());
  if (dest.getNumValues() * registers > kMaxShuffles)
    return RegisterMove::exchange;
  std::optional<LaneExchange> plan = planLaneExchange(source, dest);
  return plan && plan->getNumShuffles() * registers <= kMaxShuffles
             ? RegisterMove::shuffles
             : RegisterMove::exchange;
}

bool tile::isExchange(Operation *op) {
  auto convert = dyn_cast<ConvertLayoutOp>(op);
  return convert && isInRegisters(convert.getSource()) &&
         isInRegisters(convert) &&
         getRegisterMove(convert.getSource().getType(), convert.getType()) ==
             RegisterMove::exchange;
}

/// Gives the users of a result a tile in another storage.
static void convertUses(OpResult result, TileType wanted) {
  OpBuilder builder(result.getContext());
  builder.setInsertionPointAfter(result.getOwner());
  auto converted =
      ConvertLayoutOp::create(builder, result.getLoc(), wanted, result);
  result.replaceAllUsesExcept(converted, converted);
}

void tile::setResult(OpResult result, const RegisterLayout &made,
                     TileType wanted) {
  if (wanted.getRegister().getRegisterLayout().isEquivalent(made)) {
    result.setType(wanted);
    return;
  }
  result.setType(
      wanted.withStorage(RegisterAttr::get(result.getContext(), made)));
  convertUses(result, wanted);
}

void tile::setResults(Operation *op, const RegisterLayout &made,
                      ArrayRef<TileType> wanted) {
  for (auto [result, type] : llvm::zip_equal(op->getResults(), wanted))
    setResult(result, made, type);
}

/// Returns the type of an operand that is equivalent to `wanted`, else
/// `wanted`. If a layout has two notations, operand and result then have the
/// same one.
static TileType getNotation(Operation *op, TileType wanted) {
  for (Type type : op->getOperandTypes()) {
    auto tile = dyn_cast<TileType>(type);
    if (tile && tile.getRegister() && tile.getRegister().isResolved() &&
        tile.getShape() == wanted.getShape() &&
        tile.getElementType() == wanted.getElementType() &&
        tile.getRegister().getRegisterLayout().isEquivalent(
            wanted.getRegister().getRegisterLayout()))
      return tile;
  }
  return wanted;
}

void tile::adaptToRequired(Operation *op, ArrayRef<TileType> wanted,
                           int64_t numWarps) {
  auto layouts = cast<LayoutOpInterface>(op);
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isInRegisters(operand.get()))
      if (auto layout = layouts.getRequiredLayout(operand.get(), numWarps))
        operand.set(convertTo(builder, op->getLoc(), operand.get(), *layout));
  for (auto [result, type] : llvm::zip_equal(op->getResults(), wanted))
    if (auto layout = layouts.getRequiredLayout(result, numWarps)) {
      setResult(result, *layout, type);
      TileType made = cast<TileType>(result.getType());
      TileType notation = getNotation(op, made);
      if (notation == made)
        continue;
      result.setType(notation);
      convertUses(result, made);
    }
}

void tile::convertToShared(OpOperand &operand) {
  Operation *op = operand.getOwner();
  OpBuilder builder(op);
  operand.set(convertTo(builder, op->getLoc(), operand.get(),
                        getAnyShared(op->getContext())));
}

void tile::setSharedResult(Operation *op, TileType wanted) {
  OpResult result = op->getResult(0);
  result.setType(wanted.withStorage(getAnyShared(op->getContext())));
  convertUses(result, wanted);
}

//===----------------------------------------------------------------------===//
// Changes of shape
//===----------------------------------------------------------------------===//

/// Returns the layout with the digits of the source; nothing if the source is
/// padded along dimensions that the reshape changes.
static std::optional<RegisterLayout> reshapeDigits(const RegisterLayout &source,
                                                   ArrayRef<int64_t> from,
                                                   ArrayRef<int64_t> to) {
  std::vector<int64_t> unpadded = from.vec(), box = to.vec();
  for (size_t dim = 0; dim < std::min(from.size(), to.size()); ++dim) {
    if (from[dim] != to[dim])
      break;
    unpadded[dim] = box[dim] = source.getBox()[dim];
  }
  return source.getBox() == unpadded ? source.reshape(box) : std::nullopt;
}

std::optional<RegisterLayout> tile::reshapeLayout(const RegisterLayout &source,
                                                  ArrayRef<int64_t> from,
                                                  ArrayRef<int64_t> to) {
  if (std::optional<RegisterLayout> layout = reshapeDigits(source, from, to))
    return layout;
  RegisterLayout layout = source;
  size_t dim = 0;
  for (int64_t extent : from) {
    while (dim < to.size() && to[dim] == 1 && extent != 1)
      layout = layout.insertDimension(dim++);
    if (dim < to.size() && to[dim] == extent) {
      ++dim;
      continue;
    }
    if (extent != 1 || layout.getBox()[dim] != 1)
      return std::nullopt;
    layout = layout.dropDimension(dim);
  }
  for (; dim < to.size(); ++dim) {
    if (to[dim] != 1)
      return std::nullopt;
    layout = layout.insertDimension(dim);
  }
  return layout;
}

RegisterLayout tile::broadcastSource(const RegisterLayout &result,
                                     ArrayRef<int64_t> from,
                                     ArrayRef<int64_t> to) {
  RegisterLayout layout = result;
  for (size_t leading = to.size() - from.size(); leading > 0; --leading)
    layout = layout.dropDimension(0);
  ArrayRef<int64_t> kept = to.take_back(from.size());
  for (size_t dim = 0; dim < from.size(); ++dim)
    if (from[dim] == 1 && kept[dim] != 1)
      layout = layout.squeezeDimension(dim);
  return layout;
}
