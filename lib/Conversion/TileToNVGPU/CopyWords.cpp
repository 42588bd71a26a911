// CopyWords.cpp - copies to shared memory of rows that begin anywhere
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A word is 4 bytes of a row of the box (CopyPlan.h). For each class of rows
// one test says whether its words are aligned in the array, and all threads
// take the same branch:
//
//   for each class
//     if the first row's address and the strides are multiples of 4 bytes
//       cp.async of each word
//   for each class
//     if they are not
//       load the elements of all words, then store the words
//
// The words of a row are those of neighbouring lanes, so that an access of a
// warp touches one or two lines of memory, whatever the alignment is.

#include "CopyBox.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace tile;

/// Arrays of less than 2^63 bytes have no element there.
static constexpr int64_t kBelowAllIndices = -(int64_t(1) << 62);

namespace {

/// Words of a thread in a row; more are a loop. The loads of all are begun
/// before the first is stored: a wait for memory each. At the edges of arrays,
/// and before a loop, code is kept shorter.
struct InARow {
  int64_t async, inside, atEdge, zeros;
};
constexpr InARow kInLoop = {16, 16, 8, 1};
constexpr InARow kOnce = {2, 8, 2, 1};

/// The part of the box inside the array along a dimension of the tile: the
/// first coordinate in the box, null for zero, and how many.
struct Part {
  Value first, count;
};

/// The elements of a word along a row: their nearest places inside the array,
/// and the bits of those that are there.
struct Columns {
  SmallVector<Value> places;
  Value mask;
};

/// What was read for a word, and what of it counts.
struct GuardedWord {
  SmallVector<Value> elements;
  Value isRowInside, mask;
};

class WordCopy {
public:
  explicit WordCopy(CopyBox &box);

  void emit();

private:
  using Values = ArrayRef<int64_t>;
  enum class To { kWords, kRows };
  using EmitWords = void (WordCopy::*)(ThreadCoordinates &, Values);

  void forWords(ThreadCoordinates &rows, int64_t numClasses, int64_t limit,
                EmitWords emitWords);

  void emitInside();
  void emitClasses(arith::CmpIPredicate predicate, int64_t limit,
                   EmitWords emitWords);
  Value getAddressBits(const CopyBox::Move &toClass);
  SmallVector<Value> getPointers(ThreadCoordinates &thread, Values values,
                                 To to);
  void copyAsync(ThreadCoordinates &thread, Values values);
  void copyThroughRegisters(ThreadCoordinates &thread, Values values);

  void emitAtEdge();
  Value findParts();
  Value isInPart(int64_t dim, Value own);
  Value isRowInside(ThreadCoordinates &thread, int64_t value);
  Value bringInside(int64_t dim, Value own);
  Columns getColumns(Value own);
  void copyGuarded(ThreadCoordinates &thread, Values values);
  void storeZeros(ThreadCoordinates &thread, Values values);

  SmallVector<Value> getOwn(ThreadCoordinates &thread, int64_t value);
  Value loadElement(Value pointer);
  Value pack(ArrayRef<Value> elements);
  Value getWord(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value,
                                        8 * kCopyWordBytes);
  }
  void storeWord(ThreadCoordinates &thread, int64_t value, Value bits);

  Value least(Value a, Value b) {
    return builder.createOrFold<arith::MinSIOp>(loc, a, b);
  }
  Value greatest(Value a, Value b) {
    return builder.createOrFold<arith::MaxSIOp>(loc, a, b);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
  }

  CopyBox &box;
  IndexBuilder &index;
  OpBuilder &builder;
  Location loc;
  ThreadCoordinates coordinates;
  InARow inARow;
  Type bits;               // of an element
  int64_t word;            // elements of a word
  SmallVector<Part> parts; // along each dimension of the tile
};

} // namespace

WordCopy::WordCopy(CopyBox &box)
    : box(box), index(box.index), builder(index.builder), loc(index.loc),
      coordinates(index, box.plan.layout),
      inARow(box.op->getParentOfType<scf::ForOp>() ? kInLoop : kOnce),
      bits(builder.getIntegerType(8 * getElementBytes(box.getElementType()))),
      word(box.plan.vector) {}

//===----------------------------------------------------------------------===//
// Places in memory
//===----------------------------------------------------------------------===//

/// The coordinate in the box of a thread's value.
SmallVector<Value> WordCopy::getOwn(ThreadCoordinates &thread, int64_t value) {
  SmallVector<Value> own;
  for (int64_t dim = 0; dim < box.getRank(); ++dim)
    own.push_back(index.add(thread.get(value, dim), 0));
  return own;
}

Value WordCopy::loadElement(Value pointer) {
  return LLVM::LoadOp::create(builder, loc, bits, pointer,
                              bits.getIntOrFloatBitWidth() / 8);
}

Value WordCopy::pack(ArrayRef<Value> elements) {
  Value packed = vector::FromElementsOp::create(
      builder, loc, VectorType::get({word}, bits), elements);
  return LLVM::BitcastOp::create(
      builder, loc, builder.getIntegerType(8 * kCopyWordBytes), packed);
}

/// The plan may cover more than the box.
void WordCopy::storeWord(ThreadCoordinates &thread, int64_t value, Value bits) {
  OpBuilder::InsertionGuard guard(builder);
  index.enterIf(thread.isInside(value, box.address.getBox()));
  Value pointer =
      box.getElement(box.bufferPointer, box.address.getElement(thread, value));
  LLVM::StoreOp::create(builder, loc, bits, pointer, kCopyWordBytes);
}

//===----------------------------------------------------------------------===//
// A box inside the array
//===----------------------------------------------------------------------===//

/// The bits of a class's addresses below a word: those of its first row and of
/// the steps to its others. The steps along the dimension of the classes have
/// none, being as many rows as a word has elements.
Value WordCopy::getAddressBits(const CopyBox::Move &toClass) {
  SmallVector<Value> at(box.offsets);
  if (toClass.amount) {
    Value &row = at[box.leading + toClass.dim];
    row = index.add(row, toClass.amount);
  }
  Value steps = box.getLinear(at);
  for (auto [dim, extent] : llvm::enumerate(box.plan.layout.getBox())) {
    int64_t own = dim;
    bool isStep = extent > 1 && own != box.plan.dim &&
                  !(toClass.amount && own == toClass.dim);
    if (isStep)
      steps = builder.createOrFold<arith::OrIOp>(
          loc, steps, box.strides[box.leading + own]);
  }
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, box.array);
  Value bytes = builder.createOrFold<arith::OrIOp>(
      loc, address, index.mul(steps, bits.getIntOrFloatBitWidth() / 8));
  return builder.createOrFold<arith::AndIOp>(
      loc, bytes, index.constant(kCopyWordBytes - 1));
}

/// Pointers to the words, or to the rows that they are in. The maximum is the
/// index itself, but the compilers below do not know: as induction variables of
/// the loop over K, the pointers would all be kept in registers.
SmallVector<Value> WordCopy::getPointers(ThreadCoordinates &thread,
                                         Values values, To to) {
  SmallVector<Value> own = getOwn(thread, values.front());
  if (to == To::kRows)
    own[box.plan.dim] = Value();
  Value first = box.getElement(box.arrayPointer,
                               greatest(box.getLinear(box.getPlace(own)),
                                        index.constant(kBelowAllIndices)));
  return box.getPointers(first, values, to == To::kRows);
}

void WordCopy::copyAsync(ThreadCoordinates &thread, Values values) {
  for (auto [value, source] :
       llvm::zip(values, getPointers(thread, values, To::kWords))) {
    OpBuilder::InsertionGuard guard(builder);
    index.enterIf(thread.isInside(value, box.address.getBox()));
    NVVM::CpAsyncOp::create(
        builder, loc,
        box.getElement(box.bufferPointer,
                       box.address.getElement(thread, value)),
        source, kCopyWordBytes, NVVM::LoadCacheModifierKind::CA,
        /*cpSize=*/Value());
  }
}

/// What the plan covers beyond the box is read at the box's first word.
void WordCopy::copyThroughRegisters(ThreadCoordinates &thread, Values values) {
  SmallVector<SmallVector<Value>> words;
  for (auto [value, source] :
       llvm::zip(values, getPointers(thread, values, To::kWords))) {
    if (Value inside = thread.isInside(value, box.address.getBox()))
      source = LLVM::SelectOp::create(
          builder, loc, inside, source,
          box.getElement(box.arrayPointer, box.getLinear(box.offsets)));
    SmallVector<Value> &elements = words.emplace_back();
    for (int64_t i = 0; i < word; ++i)
      elements.push_back(loadElement(box.getElement(source, i)));
  }
  for (auto [value, elements] : llvm::zip(values, words))
    storeWord(thread, value, pack(elements));
}

/// The classes whose address bits, compared with zero, are as `predicate` says.
void WordCopy::emitClasses(arith::CmpIPredicate predicate, int64_t limit,
                           EmitWords emitWords) {
  auto emitClass = [&](ThreadCoordinates &rows, const CopyBox::Move &toClass) {
    OpBuilder::InsertionGuard guard(builder);
    index.enterIf(
        compare(predicate, getAddressBits(toClass), index.constant(0)));
    forWords(rows, /*numClasses=*/1, limit, emitWords);
  };
  if (box.plan.numClasses == 1)
    return emitClass(coordinates, CopyBox::Move());
  box.forDigit(coordinates,
               box.plan.layout.getModes(RegisterLayout::kValue).back(),
               /*steps=*/1, emitClass);
}

/// Asynchronous copies first: they are under way while the others wait.
void WordCopy::emitInside() {
  emitClasses(arith::CmpIPredicate::eq, inARow.async, &WordCopy::copyAsync);
  emitClasses(arith::CmpIPredicate::ne, inARow.inside,
              &WordCopy::copyThroughRegisters);
}

//===----------------------------------------------------------------------===//
// A box at the array's edge
//===----------------------------------------------------------------------===//

/// Finds the part of the box that is inside the array, and returns whether
/// there is any. An offset that is negative is at most the extent below zero
/// here, so that nothing overflows.
Value WordCopy::findParts() {
  Value any, zero = index.constant(0);
  auto minus = [&](Value a, Value b) {
    return builder.createOrFold<arith::SubIOp>(loc, a, b);
  };
  for (auto [dim, size] : llvm::enumerate(box.sizes)) {
    Value offset = box.offsets[dim];
    int64_t extent = box.extents[dim];
    Part part;
    if (!box.nonNegative[dim]) {
      offset = greatest(offset, index.constant(-extent));
      part.first = greatest(minus(zero, offset), zero);
    }
    part.count = least(minus(size, offset), index.constant(extent));
    if (part.first)
      part.count = minus(part.count, part.first);
    any = index.both(any, index.less(zero, part.count));
    if (static_cast<int64_t>(dim) >= box.leading)
      parts.push_back(part);
  }
  return any;
}

/// Whether a coordinate in the box is in the part that is inside the array.
Value WordCopy::isInPart(int64_t dim, Value own) {
  if (parts[dim].first)
    own = builder.createOrFold<arith::SubIOp>(loc, own, parts[dim].first);
  return compare(arith::CmpIPredicate::ult, own, parts[dim].count);
}

Value WordCopy::isRowInside(ThreadCoordinates &thread, int64_t value) {
  Value inside;
  for (int64_t dim = 0; dim < box.getRank(); ++dim)
    if (dim != box.plan.dim)
      inside = index.both(inside,
                          isInPart(dim, index.add(thread.get(value, dim), 0)));
  return inside;
}

/// The nearest coordinate in the box that is inside the array.
Value WordCopy::bringInside(int64_t dim, Value own) {
  Value end = index.add(parts[dim].first, parts[dim].count);
  if (parts[dim].first)
    own = greatest(own, parts[dim].first);
  return least(own, index.add(end, -1));
}

Columns WordCopy::getColumns(Value own) {
  Columns columns;
  unsigned numBits = bits.getIntOrFloatBitWidth();
  columns.mask = getWord(0);
  for (int64_t i = 0; i < word; ++i) {
    Value column = index.add(own, i);
    columns.places.push_back(bringInside(box.plan.dim, column));
    Value element = index.select(
        isInPart(box.plan.dim, column),
        getWord(llvm::maskTrailingOnes<uint32_t>(numBits) << (i * numBits)),
        getWord(0));
    columns.mask =
        builder.createOrFold<arith::OrIOp>(loc, columns.mask, element);
  }
  return columns;
}

/// Elements outside are read at a place inside, so that no branch is needed,
/// and made zero.
void WordCopy::copyGuarded(ThreadCoordinates &thread, Values values) {
  SmallVector<Value> first;
  for (Part part : parts)
    first.push_back(part.first);
  first[box.plan.dim] = Value();
  Value insideRow =
      box.getElement(box.arrayPointer, box.getLinear(box.getPlace(first)));
  // The columns are the same in many words.
  std::map<int64_t, Columns> columnsAt;
  SmallVector<GuardedWord> words;
  for (auto [value, row] :
       llvm::zip(values, getPointers(thread, values, To::kRows))) {
    int64_t along = thread.getLayout().valueOffset(value)[box.plan.dim];
    auto [columns, isNew] = columnsAt.try_emplace(along);
    if (isNew)
      columns->second =
          getColumns(index.add(thread.get(value, box.plan.dim), 0));
    GuardedWord loaded{{}, isRowInside(thread, value), columns->second.mask};
    if (loaded.isRowInside)
      row = LLVM::SelectOp::create(builder, loc, loaded.isRowInside, row,
                                   insideRow);
    for (Value place : columns->second.places)
      loaded.elements.push_back(loadElement(box.getElement(row, place)));
    words.push_back(loaded);
  }
  for (auto [value, loaded] : llvm::zip(values, words)) {
    Value masked = builder.createOrFold<arith::AndIOp>(
        loc, pack(loaded.elements), loaded.mask);
    storeWord(thread, value,
              index.select(loaded.isRowInside, masked, getWord(0)));
  }
}

void WordCopy::storeZeros(ThreadCoordinates &thread, Values values) {
  for (int64_t value : values)
    storeWord(thread, value, getWord(0));
}

/// No element may be read, be it for nothing, where the box has none of the
/// array's.
void WordCopy::emitAtEdge() {
  auto branch =
      scf::IfOp::create(builder, loc, findParts(), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  forWords(coordinates, box.plan.numClasses, inARow.atEdge,
           &WordCopy::copyGuarded);
  builder.setInsertionPointToStart(branch.elseBlock());
  forWords(coordinates, box.plan.numClasses, inARow.zeros,
           &WordCopy::storeZeros);
}

//===----------------------------------------------------------------------===//
// The copy
//===----------------------------------------------------------------------===//

void WordCopy::forWords(ThreadCoordinates &rows, int64_t numClasses,
                        int64_t limit, EmitWords emitWords) {
  box.forValues(
      rows, numClasses, limit,
      [&](ThreadCoordinates &thread, Values values, const CopyBox::Move &) {
        (this->*emitWords)(thread, values);
      });
}

void WordCopy::emit() {
  box.address.getElement(coordinates, 0);
  box.prepareAddresses();
  // Threads that have the same words would copy them side by side.
  OpBuilder::InsertionGuard whole(builder);
  index.enterIf(index.both(box.condition, coordinates.isOwner()));
  // Padding beyond the tile is zero even where the array goes on.
  if (!box.isWhole())
    return emitAtEdge();
  if (box.op.getInBounds())
    return emitInside();
  auto branch = scf::IfOp::create(builder, loc, box.isBoxInside(),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitInside();
  builder.setInsertionPointToStart(branch.elseBlock());
  emitAtEdge();
}

void tile::copyWords(CopyBox &box) { WordCopy(box).emit(); }
