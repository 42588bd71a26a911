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
//
// There are many words, so places in memory are pointers: what descriptors of
// memrefs lower to would be most of the module.

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
constexpr InARow kInLoop = {4, 16, 8, 1};
constexpr InARow kOnce = {2, 8, 4, 1};

/// A coordinate along one dimension of the array, brought into the box's part
/// of it.
struct Clamped {
  Value coordinate;
  Value isInside; // whether it was there already
};

class WordCopy {
public:
  explicit WordCopy(CopyBox &box);

  void emit();

private:
  using Values = ArrayRef<int64_t>;
  using EmitWords = void (WordCopy::*)(ThreadCoordinates &, Values);

  Value isBoxInside();
  void forWords(ThreadCoordinates &rows, int64_t numClasses, int64_t limit,
                EmitWords emitWords);

  void emitInside();
  void emitClasses(arith::CmpIPredicate predicate, int64_t limit,
                   EmitWords emitWords);
  Value getAddressBits(const CopyBox::Move &toClass);
  SmallVector<Value> getWords(ThreadCoordinates &thread, Values values);
  void copyAsync(ThreadCoordinates &thread, Values values);
  void copyThroughRegisters(ThreadCoordinates &thread, Values values);

  void emitAtEdge();
  void findCommonPart();
  Clamped clamp(int64_t dim, Value coordinate);
  SmallVector<Value> loadGuarded(
      ThreadCoordinates &thread, int64_t value,
      llvm::function_ref<Clamped(int64_t dim, int64_t offset)> getClamped);
  void copyGuarded(ThreadCoordinates &thread, Values values);
  void storeZeros(ThreadCoordinates &thread, Values values);

  Value getPointer(Value memory, NVVM::NVVMMemorySpace space);
  Value getElement(Value pointer, Value at);
  Value getElement(Value pointer, int64_t at);
  Value getLinear(ArrayRef<Value> at);
  Value loadElement(Value pointer);
  void storeWord(ThreadCoordinates &thread, int64_t value,
                 ArrayRef<Value> elements);

  Value integer(Value value) {
    return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI64Type(),
                                                    value);
  }
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
  Type bits;       // of an element
  int64_t word;    // elements of a word
  int64_t fastest; // the array's dimension along a row
  Value arrayOffset;
  SmallVector<Value> strides;
  Value array, buffer; // pointers to their memory
  // What box and array have in common along each dimension of the array: the
  // first and the last coordinate, and whether there are any.
  SmallVector<Value> first, last;
  Value isAny;
};

} // namespace

WordCopy::WordCopy(CopyBox &box)
    : box(box), index(box.index), builder(index.builder), loc(index.loc),
      coordinates(index, box.plan.layout),
      inARow(box.op->getParentOfType<scf::ForOp>() ? kInLoop : kOnce),
      bits(builder.getIntegerType(8 * getElementBytes(box.getElementType()))),
      word(box.plan.vector), fastest(box.leading + box.plan.dim) {}

//===----------------------------------------------------------------------===//
// Places in memory
//===----------------------------------------------------------------------===//

Value WordCopy::getPointer(Value memory, NVVM::NVVMMemorySpace space) {
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memory);
  auto type = LLVM::LLVMPointerType::get(builder.getContext(),
                                         static_cast<unsigned>(space));
  return LLVM::IntToPtrOp::create(builder, loc, type, integer(address));
}

Value WordCopy::getElement(Value pointer, Value at) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), bits, pointer,
                             ArrayRef<LLVM::GEPArg>{integer(at)});
}

Value WordCopy::getElement(Value pointer, int64_t at) {
  if (at == 0)
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), bits, pointer,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(at)});
}

/// The linear index of a coordinate in the array; null coordinates are zero.
Value WordCopy::getLinear(ArrayRef<Value> at) {
  Value linear = arrayOffset;
  for (auto [coordinate, stride] : llvm::zip(at, strides))
    if (coordinate)
      linear = index.add(
          linear, builder.createOrFold<arith::MulIOp>(loc, coordinate, stride));
  return linear;
}

Value WordCopy::loadElement(Value pointer) {
  return LLVM::LoadOp::create(builder, loc, bits, pointer,
                              bits.getIntOrFloatBitWidth() / 8);
}

/// The plan may cover more than the box.
void WordCopy::storeWord(ThreadCoordinates &thread, int64_t value,
                         ArrayRef<Value> elements) {
  OpBuilder::InsertionGuard guard(builder);
  index.enterIf(thread.isInside(value, box.address.getBox()));
  Value packed = vector::FromElementsOp::create(
      builder, loc, VectorType::get({word}, bits), elements);
  Value pointer = getElement(buffer, box.address.getElement(thread, value));
  LLVM::StoreOp::create(builder, loc, packed, pointer, kCopyWordBytes);
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
  Value steps = getLinear(at);
  for (auto [dim, extent] : llvm::enumerate(box.plan.layout.getBox())) {
    int64_t own = dim;
    bool isStep = extent > 1 && own != box.plan.dim &&
                  !(toClass.amount && own == toClass.dim);
    if (isStep)
      steps = builder.createOrFold<arith::OrIOp>(loc, steps,
                                                 strides[box.leading + own]);
  }
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, box.array);
  Value bytes = builder.createOrFold<arith::OrIOp>(
      loc, address, index.mul(steps, bits.getIntOrFloatBitWidth() / 8));
  return builder.createOrFold<arith::AndIOp>(
      loc, bytes, index.constant(kCopyWordBytes - 1));
}

/// Pointers to words inside the array, each from the one before: as sums of
/// their own, or as induction variables of the loop over K, they would all be
/// kept in registers. The maximum is the index itself, but the compilers below
/// do not know, and so leave the sums as they are. What the plan covers beyond
/// the box is the box's first word.
SmallVector<Value> WordCopy::getWords(ThreadCoordinates &thread,
                                      Values values) {
  SmallVector<Value> words;
  std::vector<int64_t> before;
  Value pointer;
  for (int64_t value : values) {
    std::vector<int64_t> offset = thread.getLayout().valueOffset(value);
    if (!pointer) {
      SmallVector<Value> at(box.offsets);
      for (auto [dim, along] : llvm::enumerate(offset))
        at[box.leading + dim] =
            index.add(at[box.leading + dim], thread.get(value, dim));
      pointer = getElement(
          array, greatest(getLinear(at), index.constant(kBelowAllIndices)));
    } else {
      Value step;
      for (auto [dim, along] : llvm::enumerate(offset))
        step = index.add(
            step, index.mul(strides[box.leading + dim], along - before[dim]));
      pointer = getElement(pointer, step);
    }
    before = std::move(offset);
    Value source = pointer;
    if (Value inside = thread.isInside(value, box.address.getBox()))
      source =
          LLVM::SelectOp::create(builder, loc, inside, pointer,
                                 getElement(array, getLinear(box.offsets)));
    words.push_back(source);
  }
  return words;
}

void WordCopy::copyAsync(ThreadCoordinates &thread, Values values) {
  for (auto [value, source] : llvm::zip(values, getWords(thread, values))) {
    OpBuilder::InsertionGuard guard(builder);
    index.enterIf(thread.isInside(value, box.address.getBox()));
    NVVM::CpAsyncOp::create(
        builder, loc, getElement(buffer, box.address.getElement(thread, value)),
        source, kCopyWordBytes, NVVM::LoadCacheModifierKind::CA,
        /*cpSize=*/Value());
  }
}

void WordCopy::copyThroughRegisters(ThreadCoordinates &thread, Values values) {
  SmallVector<SmallVector<Value>> words;
  for (Value source : getWords(thread, values)) {
    SmallVector<Value> &elements = words.emplace_back();
    for (int64_t i = 0; i < word; ++i)
      elements.push_back(loadElement(getElement(source, i)));
  }
  for (auto [value, elements] : llvm::zip(values, words))
    storeWord(thread, value, elements);
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

void WordCopy::findCommonPart() {
  for (auto [dim, size] : llvm::enumerate(box.sizes)) {
    Value offset = box.offsets[dim];
    first.push_back(box.nonNegative[dim] ? offset
                                         : greatest(offset, index.constant(0)));
    Value end = least(index.add(offset, box.getExtent(dim)), size);
    last.push_back(index.add(end, -1));
    isAny = index.both(
        isAny, compare(arith::CmpIPredicate::sle, first.back(), last.back()));
  }
}

/// @pre the coordinate is not below the box's offset
Clamped WordCopy::clamp(int64_t dim, Value coordinate) {
  Value clamped = coordinate;
  if (!box.nonNegative[dim])
    clamped = greatest(clamped, first[dim]);
  clamped = least(clamped, last[dim]);
  return {clamped, compare(arith::CmpIPredicate::eq, clamped, coordinate)};
}

/// Elements outside are read at the nearest place inside, so that no branch is
/// needed, and are zero.
SmallVector<Value> WordCopy::loadGuarded(
    ThreadCoordinates &thread, int64_t value,
    llvm::function_ref<Clamped(int64_t, int64_t)> getClamped) {
  std::vector<int64_t> offset = thread.getLayout().valueOffset(value);
  SmallVector<Value> at(box.offsets);
  at[fastest] = Value();
  Value isRowInside;
  for (auto [own, along] : llvm::enumerate(offset)) {
    int64_t dim = box.leading + own;
    if (dim == fastest)
      continue;
    Clamped row = getClamped(dim, along);
    at[dim] = row.coordinate;
    isRowInside = index.both(isRowInside, row.isInside);
  }
  Value row = getElement(array, getLinear(at));
  Value zero = arith::ConstantIntOp::create(builder, loc, bits, 0);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < word; ++i) {
    Clamped column = getClamped(fastest, offset[box.plan.dim] + i);
    Value loaded = loadElement(getElement(row, column.coordinate));
    elements.push_back(
        index.select(index.both(isRowInside, column.isInside), loaded, zero));
  }
  return elements;
}

void WordCopy::copyGuarded(ThreadCoordinates &thread, Values values) {
  // The columns are the same in many words.
  std::map<std::pair<int64_t, int64_t>, Clamped> known;
  auto getClamped = [&](int64_t dim, int64_t offset) {
    auto [it, isNew] = known.try_emplace({dim, offset});
    if (isNew) {
      Value own = index.add(thread.getBase(dim - box.leading), offset);
      it->second = clamp(dim, index.add(box.offsets[dim], own));
    }
    return it->second;
  };
  SmallVector<SmallVector<Value>> words;
  for (int64_t value : values)
    words.push_back(loadGuarded(thread, value, getClamped));
  for (auto [value, elements] : llvm::zip(values, words))
    storeWord(thread, value, elements);
}

void WordCopy::storeZeros(ThreadCoordinates &thread, Values values) {
  Value zero = arith::ConstantIntOp::create(builder, loc, bits, 0);
  for (int64_t value : values)
    storeWord(thread, value, SmallVector<Value>(word, zero));
}

/// No element may be read, be it for nothing, where the box has none of the
/// array's.
void WordCopy::emitAtEdge() {
  findCommonPart();
  auto branch = scf::IfOp::create(builder, loc, isAny, /*withElseRegion=*/true);
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

Value WordCopy::isBoxInside() {
  Value inside;
  for (auto [dim, size] : llvm::enumerate(box.sizes)) {
    Value offset = box.offsets[dim];
    Value end = builder.createOrFold<arith::SubIOp>(
        loc, size, index.constant(box.getExtent(dim)));
    if (!box.nonNegative[dim])
      inside = index.both(inside, compare(arith::CmpIPredicate::sge, offset,
                                          index.constant(0)));
    inside =
        index.both(inside, compare(arith::CmpIPredicate::sle, offset, end));
  }
  return inside;
}

void WordCopy::emit() {
  box.address.getElement(coordinates, 0);
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, box.array);
  arrayOffset = metadata.getOffset();
  strides.assign(metadata.getStrides().begin(), metadata.getStrides().end());
  array = getPointer(box.array, NVVM::NVVMMemorySpace::Global);
  buffer = getPointer(box.address.getMemory(), NVVM::NVVMMemorySpace::Shared);
  // Threads that have the same words would copy them side by side.
  OpBuilder::InsertionGuard whole(builder);
  index.enterIf(index.both(box.condition, coordinates.isOwner()));
  // Padding beyond the tile is zero even where the array goes on.
  if (!box.isWhole())
    return emitAtEdge();
  if (box.op.getInBounds())
    return emitInside();
  auto branch = scf::IfOp::create(builder, loc, isBoxInside(),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitInside();
  builder.setInsertionPointToStart(branch.elseBlock());
  emitAtEdge();
}

void tile::copyWords(CopyBox &box) { WordCopy(box).emit(); }
