// ExpandSort.cpp - tile.sort as a network that compares unsigned integers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys become unsigned integers in the wanted order. A key's position in its
// row is appended as low bits, so that the sort is stable and yields the
// position that each element had before. Rows are padded to a power of two with
// words in which all bits are set, which come after every key.
//
//   %k, %v = tile.sort %keys, %values axis 0
//          : !tile.tile<100xf32>, !tile.tile<100xf16>
//
// becomes
//
//   %words = ...  // i64: the key's bits in order, times 128, plus the position
//   %padded = tile.join %words, %ones axis 0 : ... to !tile.tile<128xi64>
//   %sorted = tile.partial_sort %padded axis 0 steps [1, 0, 2, 1, 2, 0, ...]
//   %positions = ... // the remainder by 128 of the first 100
//   %k = tile.take %keys at %positions axis 0
//   %v = tile.take %values at %positions axis 0
//
// Integer keys are recomputed from the words, since equal keys are identical;
// if no other result is used, the words contain no positions.

#include "../Models.h"
#include "tile/IR/ConvertLayout.h"
#include "tile/IR/TileBuilder.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

/// Returns signed integers in the order of floating-point values: both zeros
/// become zero, and every NaN becomes the greatest integer.
static Value rankFloats(TileBuilder &tiles, Value values, FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  unsigned width = type.getWidth();
  auto integer = IntegerType::get(type.getContext(), width);
  auto constant = [&](const APInt &value) {
    return tiles.constant(integer, value.getZExtValue());
  };
  APInt most = APInt::getSignedMaxValue(width);
  APFloat last = APFloat::semanticsHasInf(semantics)
                     ? APFloat::getInf(semantics)
                     : APFloat::getLargest(semantics);
  Value bits = tiles.bitcast(values, integer);
  Value zero = tiles.constant(integer, 0);
  Value size = tiles.create<arith::AndIOp>(bits, constant(most));
  Value isNegative =
      tiles.create<arith::CmpIOp>(arith::CmpIPredicate::slt, bits, zero);
  Value rank = tiles.create<SelectOp>(
      isNegative, tiles.create<arith::SubIOp>(zero, size), size);
  Value isNaN = tiles.create<arith::CmpIOp>(arith::CmpIPredicate::ugt, size,
                                            constant(last.bitcastToAPInt()));
  return tiles.create<SelectOp>(isNaN, constant(most), rank);
}

namespace {
class SortExpansion {
public:
  explicit SortExpansion(SortOp op);
  void run();

private:
  TileBuilder getTiles(ArrayRef<int64_t> shape) {
    return TileBuilder(builder, op.getLoc(), shape,
                       getAnyRegisters(op.getContext()));
  }
  Value convert(Value tile, Attribute storage) {
    auto type = cast<TileType>(tile.getType()).withStorage(storage);
    return ConvertLayoutOp::create(builder, op.getLoc(), type, tile);
  }

  bool needsPositions() { return positionBits != 0; }
  /// Whether one word holds key and position.
  bool isPacked() { return keyBits + positionBits <= 64; }
  Type getWordType() {
    return builder.getIntegerType(keyBits + positionBits <= 32 ? 32 : 64);
  }
  /// Returns the mask whose exclusive or with the keys, as integers, gives
  /// unsigned integers in the wanted order.
  uint64_t getOrderMask();

  Value createOrder(TileBuilder &tiles);
  SmallVector<Value> createWords();
  Value pad(Value words);
  SmallVector<Value> sort(ArrayRef<Value> words);
  Value unpad(Value words);
  Value createKeys(ArrayRef<Value> sorted);
  Value createPositions(ArrayRef<Value> sorted);
  Value take(Value source, Value positions);

  SortOp op;
  OpBuilder builder;
  TileType keys;
  int64_t axis;
  unsigned keyBits, positionBits = 0;
  SmallVector<int64_t> shape, padded;
};
} // namespace

SortExpansion::SortExpansion(SortOp op)
    : op(op), builder(op),
      keys(cast<TileType>(op.getSources().front().getType())),
      axis(op.getAxis()), shape(keys.getShape()), padded(keys.getShape()) {
  Type element = keys.getElementType();
  keyBits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  padded[axis] = llvm::PowerOf2Ceil(shape[axis]);
  auto isUsed = [](OpResult result) { return !result.use_empty(); };
  if (isa<FloatType>(element) ||
      llvm::any_of(llvm::drop_begin(op->getResults()), isUsed))
    positionBits = llvm::Log2_64(padded[axis]);
}

uint64_t SortExpansion::getOrderMask() {
  APInt mask = APInt::getZero(keyBits);
  if (!op.getUnsignedInteger())
    mask.setSignBit();
  if (op.getDescending())
    mask.flipAllBits();
  return mask.getZExtValue();
}

/// Returns unsigned integers in the order of the keys.
Value SortExpansion::createOrder(TileBuilder &tiles) {
  Value rank = op.getSources().front();
  if (auto type = dyn_cast<FloatType>(keys.getElementType()))
    rank = rankFloats(tiles, rank, type);
  else if (keys.getElementType().isIndex())
    rank = tiles.cast(rank, builder.getI64Type());
  Type integer = builder.getIntegerType(keyBits);
  return tiles.create<arith::XOrIOp>(rank,
                                     tiles.constant(integer, getOrderMask()));
}

/// Returns the words to sort, in padded rows: key and position in one tile or
/// in two.
SmallVector<Value> SortExpansion::createWords() {
  TileBuilder tiles = getTiles(shape);
  Type word = getWordType();
  Value order = createOrder(tiles);
  if (!isPacked())
    return {pad(order), getTiles(padded).iota(builder.getI32Type(), axis)};
  if (order.getType() != tiles.getType(word))
    order = tiles.cast(order, word);
  if (!needsPositions())
    return {pad(order)};
  Value high =
      tiles.create<arith::ShLIOp>(order, tiles.constant(word, positionBits));
  return {pad(tiles.create<arith::OrIOp>(high, tiles.iota(word, axis)))};
}

/// Pads rows at the end to a power of two with words in which all bits are set.
/// These come after the greatest key: if words contain positions, no key's word
/// has all bits set, since its position is less than the padded length minus
/// one.
Value SortExpansion::pad(Value words) {
  if (padded == shape)
    return words;
  Type element = cast<TileType>(words.getType()).getElementType();
  SmallVector<int64_t> rest(shape);
  rest[axis] = padded[axis] - shape[axis];
  APInt ones = APInt::getAllOnes(element.getIntOrFloatBitWidth());
  Value behind = getTiles(rest).constant(element, ones.getZExtValue());
  return JoinOp::create(builder, op.getLoc(), getTiles(padded).getType(element),
                        ValueRange{words, behind}, axis);
}

/// Sorts by Batcher's bitonic network. For each k, it merges rows of 2^k
/// elements whose first half is ascending and whose second half is descending.
SmallVector<Value> SortExpansion::sort(ArrayRef<Value> words) {
  SmallVector<int64_t> steps;
  for (int64_t k = 1; k <= llvm::Log2_64(padded[axis]); ++k)
    for (int64_t j = k; j-- > 0;)
      steps.append({k, j});
  auto network = PartialSortOp::create(builder, op.getLoc(), TypeRange(words),
                                       words, axis, steps);
  return llvm::to_vector_of<Value>(network.getResults());
}

/// Removes the padding from the end of the rows.
Value SortExpansion::unpad(Value words) {
  if (padded == shape)
    return words;
  SmallVector<Value> begin(
      shape.size(), arith::ConstantIndexOp::create(builder, op.getLoc(), 0));
  SharedAttr shared = getAnyShared(op.getContext());
  Type element = cast<TileType>(words.getType()).getElementType();
  Value box = ViewOp::create(builder, op.getLoc(),
                             TileType::get(shape, element).withStorage(shared),
                             convert(words, shared), begin);
  return convert(box, getAnyRegisters(op.getContext()));
}

/// Returns the sorted integer keys, computed from the words.
Value SortExpansion::createKeys(ArrayRef<Value> sorted) {
  TileBuilder tiles = getTiles(padded);
  Value order = sorted.front();
  if (isPacked() && needsPositions())
    order = tiles.create<arith::ShRUIOp>(
        order, tiles.constant(getWordType(), positionBits));
  Type integer = builder.getIntegerType(keyBits);
  if (order.getType() != tiles.getType(integer))
    order = tiles.cast(order, integer);
  Value result = tiles.create<arith::XOrIOp>(
      order, tiles.constant(integer, getOrderMask()));
  if (keys.getElementType().isIndex())
    result = tiles.cast(result, keys.getElementType());
  return unpad(result);
}

/// Returns, for each position in a sorted row, the position that the element
/// had before.
Value SortExpansion::createPositions(ArrayRef<Value> sorted) {
  if (!isPacked())
    return unpad(sorted.back());
  TileBuilder tiles = getTiles(padded);
  Type word = getWordType(), i32 = builder.getI32Type();
  Value positions = tiles.create<arith::AndIOp>(
      sorted.front(),
      tiles.constant(word, llvm::maskTrailingOnes<uint64_t>(positionBits)));
  return unpad(word == i32 ? positions : tiles.cast(positions, i32));
}

/// Returns the elements of `source` at the `positions` along the axis.
Value SortExpansion::take(Value source, Value positions) {
  Type element = cast<TileType>(source.getType()).getElementType();
  auto iota = source.getDefiningOp<IotaOp>();
  if (iota && !iota.getStart() && element.isIntOrIndex() &&
      static_cast<int64_t>(iota.getAxis()) == axis) {
    TileBuilder tiles = getTiles(shape);
    return positions.getType() == tiles.getType(element)
               ? positions
               : tiles.cast(positions, element);
  }
  return TakeOp::create(builder, op.getLoc(), getTiles(shape).getType(element),
                        convert(source, getAnyShared(op.getContext())),
                        positions, axis);
}

void SortExpansion::run() {
  SmallVector<Value> sorted = sort(createWords());
  Value positions = needsPositions() ? createPositions(sorted) : Value();
  for (auto [source, result] :
       llvm::zip_equal(op.getSources(), op.getResults())) {
    if (result.use_empty())
      continue;
    bool isIntegerKey = source == op.getSources().front() &&
                        keys.getElementType().isIntOrIndex();
    replaceResult(builder, result,
                  isIntegerKey ? createKeys(sorted) : take(source, positions));
  }
  op->erase();
}

namespace {
struct SortExpansions
    : LayoutOpInterface::ExternalModel<SortExpansions, SortOp> {
  void simplifyForLayouts(Operation *op) const {
    auto sort = cast<SortOp>(op);
    auto keys = cast<TileType>(sort.getSources().front().getType());
    if (keys.getDimSize(sort.getAxis()) != 1)
      return SortExpansion(sort).run();
    op->replaceAllUsesWith(sort.getSources());
    op->erase();
  }
};
} // namespace

void tile::addSortExpansions(MLIRContext &context) {
  SortOp::attachInterface<SortExpansions>(context);
}
