// CopyAsync.cpp - copies to shared memory by cp.async
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of the box is inside the array is known as one 32-bit limit a dimension,
// the same for the block. Where the whole box is inside, the chunks are copied
// without a test: an src-size that is not constant costs ten instructions each,
// beside the product's. Else each chunk compares with the limits and copies
// what is left of it, perhaps no byte; its address may then lie outside the
// array, where nothing is read (PTX ISA, "cp.async": src-size).

#include "CopyBox.h"
#include "Patterns.h"

#include "tile/Analysis/Alignment.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <deque>

using namespace mlir;
using namespace tile;

/// Chunks of a thread in a row; more are a loop, so that code stays short.
/// Those at an array's edges run rarely.
static constexpr int64_t kMaxUnrolled = 16;
static constexpr int64_t kMaxUnrolledGuarded = 1;

namespace {

class AsyncCopy {
public:
  explicit AsyncCopy(CopyBox &box)
      : box(box), index(box.index), builder(index.builder), loc(index.loc),
        coordinates(index, box.plan.layout) {}

  /// Computes what all chunks use.
  void prepare() {
    box.address.getElement(coordinates, 0);
    isOwner = coordinates.isOwner();
    findLimits();
    findSource();
  }
  /// Whether no limit cuts the tile; null for always.
  Value isWhole();
  void emitChunks(bool isGuarded);

private:
  /// The part of the box inside the array along a dimension of the tile, as
  /// 32-bit numbers: [low, high). Null where the box is inside.
  struct Limits {
    Value low, high;
  };

  Value number(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }
  Value narrow(Value value) {
    return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI32Type(),
                                                    value);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
  }

  Limits getLimits(int64_t dim);
  void findLimits();
  void findSource();
  Value countBytes(ThreadCoordinates &at, int64_t value);
  void emitChunk(ThreadCoordinates &at, Value source, int64_t value,
                 bool isGuarded);

  CopyBox &box;
  IndexBuilder &index;
  OpBuilder &builder;
  Location loc;
  ThreadCoordinates coordinates;
  Value isOwner;              // null for always
  SmallVector<Limits> limits; // of each dimension of the tile
  Value inside;               // what holds for all chunks, null for always
  Value source;               // pointer to the thread's first element
};

} // namespace

/// Numbers from 0 to the extent: they fit 32 bits. An offset that is negative
/// is at most the extent below zero here, so that nothing overflows.
AsyncCopy::Limits AsyncCopy::getLimits(int64_t dim) {
  Value extent = index.constant(box.extents[dim]), zero = index.constant(0);
  Value offset = box.offsets[dim];
  Limits found;
  if (!box.nonNegative[dim]) {
    Value least = index.constant(-box.extents[dim]);
    offset = builder.createOrFold<arith::MaxSIOp>(loc, offset, least);
    Value before = builder.createOrFold<arith::SubIOp>(loc, zero, offset);
    found.low = narrow(builder.createOrFold<arith::MaxSIOp>(loc, before, zero));
  }
  Value left = builder.createOrFold<arith::SubIOp>(loc, box.sizes[dim], offset);
  left = builder.createOrFold<arith::MinSIOp>(loc, left, extent);
  found.high = narrow(builder.createOrFold<arith::MaxSIOp>(loc, left, zero));
  return found;
}

/// Along leading dimensions the box is one place: inside, or all is outside.
void AsyncCopy::findLimits() {
  for (int64_t dim = 0; dim < box.leading && !box.op.getInBounds(); ++dim) {
    Limits of = getLimits(dim);
    inside = index.both(inside,
                        compare(arith::CmpIPredicate::ne, of.high, number(0)));
    if (of.low)
      inside = index.both(inside,
                          compare(arith::CmpIPredicate::eq, of.low, number(0)));
  }
  for (int64_t dim = 0; dim < box.getRank(); ++dim) {
    Limits of;
    if (!box.op.getInBounds())
      of = getLimits(box.leading + dim);
    else if (box.address.getBox()[dim] > box.getTileShape()[dim])
      of.high = number(box.getTileShape()[dim]);
    limits.push_back(of);
  }
}

Value AsyncCopy::isWhole() {
  Value whole = inside;
  for (auto [dim, of] : llvm::enumerate(limits)) {
    if (of.low)
      whole = index.both(whole,
                         compare(arith::CmpIPredicate::eq, of.low, number(0)));
    if (of.high)
      whole = index.both(whole, compare(arith::CmpIPredicate::eq, of.high,
                                        number(box.address.getBox()[dim])));
  }
  return whole;
}

/// Where the thread's value 0 comes from.
void AsyncCopy::findSource() {
  box.prepareAddresses();
  SmallVector<Value> own;
  for (int64_t dim = 0; dim < box.getRank(); ++dim)
    own.push_back(coordinates.getBase(dim));
  source = box.getElement(box.arrayPointer, box.getLinear(box.getPlace(own)));
}

/// Bytes of a chunk inside the array: all or none along the dimensions
/// across it.
Value AsyncCopy::countBytes(ThreadCoordinates &at, int64_t value) {
  Value valid, count;
  for (auto [dim, of] : llvm::enumerate(limits)) {
    bool isAlong = static_cast<int64_t>(dim) == box.plan.dim;
    if (!of.high && !of.low)
      continue;
    // The value's part goes to the limit, which is one for the block.
    Value own = narrow(index.add(at.getBase(dim), 0));
    Value step = number(box.plan.layout.valueOffset(value)[dim]);
    Value high = builder.createOrFold<arith::SubIOp>(loc, of.high, step);
    if (of.low) {
      Value low = builder.createOrFold<arith::SubIOp>(loc, of.low, step);
      valid = index.both(valid, compare(arith::CmpIPredicate::sge, own, low));
    }
    if (!isAlong) {
      valid = index.both(valid, compare(arith::CmpIPredicate::slt, own, high));
      continue;
    }
    Value left = builder.createOrFold<arith::SubIOp>(loc, high, own);
    left = builder.createOrFold<arith::MaxSIOp>(loc, left, number(0));
    count = builder.createOrFold<arith::MinSIOp>(loc, left,
                                                 number(box.plan.vector));
  }
  if (!count)
    count = number(box.plan.vector);
  // What is the same for all chunks first: it is done once.
  if (inside)
    count =
        builder.createOrFold<arith::SelectOp>(loc, inside, count, number(0));
  if (valid)
    count = builder.createOrFold<arith::SelectOp>(loc, valid, count, number(0));
  return builder.createOrFold<arith::MulIOp>(
      loc, count, number(getElementBytes(box.getElementType())));
}

void AsyncCopy::emitChunk(ThreadCoordinates &at, Value source, int64_t value,
                          bool isGuarded) {
  OpBuilder::InsertionGuard guard(builder);
  // The plan may cover more than the box.
  index.enterIf(at.isInside(value, box.address.getBox()));
  constexpr auto kCached = NVVM::LoadCacheModifierKind::CA,
                 kBypassingL1 = NVVM::LoadCacheModifierKind::CG;
  int64_t bytes = box.plan.vector * getElementBytes(box.getElementType());
  NVVM::CpAsyncOp::create(
      builder, loc,
      box.getElement(box.bufferPointer, box.address.getElement(at, value)),
      source, static_cast<uint32_t>(bytes),
      bytes == kMaxAccessBytes ? kBypassingL1 : kCached,
      isGuarded ? countBytes(at, value) : Value());
}

void AsyncCopy::emitChunks(bool isGuarded) {
  // Threads that have the same elements would copy them side by side.
  OpBuilder::InsertionGuard guard(builder);
  index.enterIf(isOwner);
  box.forValues(coordinates, /*numClasses=*/1,
                isGuarded ? kMaxUnrolledGuarded : kMaxUnrolled,
                [&](ThreadCoordinates &at, ArrayRef<int64_t> values,
                    const CopyBox::Move &by) {
                  Value moved = source;
                  if (by.amount)
                    moved = box.getElement(
                        moved,
                        builder.createOrFold<arith::MulIOp>(
                            loc, by.amount, box.strides[box.leading + by.dim]));
                  for (auto [value, from] :
                       llvm::zip(values, box.getPointers(moved, values)))
                    emitChunk(at, from, value, isGuarded);
                });
}

/// One branch for all boxes: beside a product each costs as much as ten
/// instructions.
void tile::copyAsync(ArrayRef<std::unique_ptr<CopyBox>> boxes) {
  IndexBuilder &index = boxes.front()->index;
  OpBuilder::InsertionGuard guard(index.builder);
  std::deque<AsyncCopy> copies;
  Value condition = boxes.front()->condition, whole = condition;
  for (const std::unique_ptr<CopyBox> &box : boxes) {
    AsyncCopy &copy = copies.emplace_back(*box);
    copy.prepare();
    whole = index.both(whole, copy.isWhole());
  }
  auto emitAll = [&](bool isGuarded) {
    for (AsyncCopy &copy : copies)
      copy.emitChunks(isGuarded);
  };
  if (!whole)
    return emitAll(/*isGuarded=*/false);
  auto branch = scf::IfOp::create(index.builder, index.loc, whole,
                                  /*withElseRegion=*/true);
  index.builder.setInsertionPointToStart(branch.thenBlock());
  emitAll(/*isGuarded=*/false);
  index.builder.setInsertionPointToStart(branch.elseBlock());
  index.enterIf(condition);
  emitAll(/*isGuarded=*/true);
}

namespace {
struct ConvertCopyAsync : OpConversionPattern<CopyAsyncOp> {
  ConvertCopyAsync(TypeConverter &types, MLIRContext *context,
                   const LoweringContext &lowering)
      : OpConversionPattern(types, context), lowering(lowering) {}

  LogicalResult
  matchAndRewrite(CopyAsyncOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto box = std::make_unique<CopyBox>(op, adaptor, lowering, rewriter);
    switch (box->plan.method) {
    case CopyMethod::kVectors:
      copyRun(std::move(box), rewriter);
      return success();
    case CopyMethod::kWords:
      copyWords(*box);
      break;
    case CopyMethod::kElements:
      copyElements(*box);
      break;
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The box and those of the copies right behind it that are of its kind.
  void copyRun(std::unique_ptr<CopyBox> first,
               ConversionPatternRewriter &rewriter) const {
    Value condition = first->op.getCondition();
    SmallVector<std::unique_ptr<CopyBox>> boxes;
    boxes.push_back(std::move(first));
    for (Operation *next = boxes.front()->op->getNextNode(); next;
         next = next->getNextNode()) {
      auto op = dyn_cast<CopyAsyncOp>(next);
      if (!op || op.getCondition() != condition)
        break;
      SmallVector<Value> operands;
      if (failed(rewriter.getRemappedValues(op->getOperands(), operands)))
        break;
      SmallVector<ValueRange> ranges(operands.begin(), operands.end());
      auto box = std::make_unique<CopyBox>(op, OneToNOpAdaptor(ranges, op),
                                           lowering, rewriter);
      if (box->plan.method != CopyMethod::kVectors)
        break;
      boxes.push_back(std::move(box));
    }
    copyAsync(boxes);
    for (const std::unique_ptr<CopyBox> &box : boxes)
      rewriter.eraseOp(box->op);
  }

  const LoweringContext &lowering;
};
} // namespace

void tile::populateCopyAsyncPatterns(TypeConverter &types,
                                     RewritePatternSet &patterns,
                                     const LoweringContext &context) {
  patterns.add<ConvertCopyAsync>(types, patterns.getContext(), context);
}
