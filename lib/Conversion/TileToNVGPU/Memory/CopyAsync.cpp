// CopyAsync.cpp - copies to shared memory by cp.async
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the box that is inside the array is given by 32-bit limits for
// each dimension, which are the same for all threads of the block. If the whole
// box is inside, the chunks are copied without a test. Only chunks of padding,
// which is zero, have the src-size zero; most threads and chunks are known to
// have no padding. If the box is not inside, the coordinates of each chunk are
// compared with the limits, and the chunk's bytes inside the array are copied,
// perhaps none. The address of such a chunk may be outside the array, where
// nothing is read (PTX ISA, "cp.async": src-size).
//
// At an edge of the array the code for partial chunks is slow, since an
// src-size other than full and zero costs ten instructions, and is therefore a
// loop. The blocks at the edges would determine the time of a kernel whose
// loop copies in this way. In a loop, boxes that end between chunks, which is
// the common case, have a third branch: a chunk is copied as a whole or not at
// all, by straight-line code with one comparison for each chunk.
//
// Covered rows (RowCover.h) are copied by the aligned chunks of 16 bytes that
// overlap them. The last of these chunks, the row's end, is one more than the
// row's elements fill. The ends of all rows are distributed over the threads
// separately, and only the bytes of an end that belong to its row are read.

#include "../Patterns.h"
#include "CopyBox.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Conversion/RegisterTie.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <deque>

using namespace mlir;
using namespace tile;

/// Maximum number of chunks that a thread copies in straight-line code. More
/// are copied by a loop, so that the code stays short. The second limit is for
/// chunks that may be inside the array in part, which are rarely copied.
static constexpr int64_t kMaxUnrolled = 16;
static constexpr int64_t kMaxUnrolledPartial = 1;

namespace {

/// The parts of the box that may be outside the array.
enum class Outside {
  nothing, ///< only chunks of padding are not copied
  chunks,  ///< each chunk is inside as a whole, or not at all
  elements ///< a chunk may be inside in part
};

/// The distances from a thread's first chunk to the limits of the box along a
/// dimension; null for no limit.
struct Distances {
  Value low, high;
};

/// Chunks of a box, which one access plan distributes over the threads, and
/// their buffer.
class ChunkedCopy {
public:
  /// Copies the chunks from column `first` of the box on.
  ChunkedCopy(CopyBox &box, const AccessPlan &plan, SharedAddress &address,
              int64_t first)
      : box(box), plan(plan), address(address), index(box.index),
        builder(index.builder), loc(index.loc), coordinates(index, plan.layout),
        first(first) {}

  /// Computes the values that all chunks use.
  void prepare() {
    address.getElement(coordinates, 0);
    buffer = address.getPointer();
    isOwner = coordinates.isOwner();
    findSource();
  }
  /// Whether the tile is inside the array; null for always.
  Value isWhole();
  /// Whether each chunk is inside the array as a whole or not at all; null if
  /// this cannot be determined for all threads at once.
  Value hasWholeChunks();
  void emitChunks(Outside outside);

private:
  Value constantI32(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }
  Value narrow(Value value) {
    return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI32Type(),
                                                    value);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
  }

  BoxLimits getLimits(int64_t dim);
  void findLimits(bool isInside);
  void findSource();
  bool isEnd() const { return first != 0; }
  Value alignDown(Value &pointer);
  bool isPaddedByChunks();
  SmallVector<Distances> getDistances(ThreadCoordinates &at);
  Value isChunkInside(ArrayRef<Distances> distances, int64_t value);
  Value countBytes(ThreadCoordinates &at, int64_t value, Value shift);
  Value countBytesOfTile(ThreadCoordinates &at, int64_t value, Value shift);
  Value selectBytes(Value condition);
  void emitChunk(ThreadCoordinates &at, Value source, int64_t value,
                 llvm::function_ref<Value(Value shift)> countBytes);

  CopyBox &box;
  AccessPlan plan;
  SharedAddress &address;
  IndexBuilder &index;
  OpBuilder &builder;
  Location loc;
  ThreadCoordinates coordinates;
  int64_t first;
  Value buffer;                  // pointer to its first element
  Value isOwner;                 // null for always
  SmallVector<BoxLimits> limits; // along the tile's dimensions, null for none
  Value inside;                  // condition of all chunks, null for always
  Value source;                  // pointer to the thread's first element
};

} // namespace

BoxLimits ChunkedCopy::getLimits(int64_t dim) {
  // A row may end in its first chunk. It is assumed to start inside the array.
  bool isRow = box.coversRows && dim == box.leading + plan.dim;
  return getBoxLimits(index, box.offsets[dim], box.sizes[dim], box.extents[dim],
                      isRow || box.nonNegative[dim],
                      /*least=*/isRow ? -plan.vector : 0);
}

/// Computes the limits of the copied chunks. Along a leading dimension the box
/// has one index: if this index is outside the array, so is the whole box. If
/// the tile is inside the array (`isInside`), the limits exclude only the box's
/// padding.
void ChunkedCopy::findLimits(bool isInside) {
  limits.clear();
  inside = Value();
  for (int64_t dim = 0; dim < box.leading && !isInside; ++dim) {
    BoxLimits of = getLimits(dim);
    inside = index.both(
        inside, compare(arith::CmpIPredicate::ne, of.high, constantI32(0)));
    if (of.low)
      inside = index.both(
          inside, compare(arith::CmpIPredicate::eq, of.low, constantI32(0)));
  }
  // A row of the array that ends before the box may have bytes in the box's
  // first chunk, but an empty row has none.
  if (box.coversRows && !isInside)
    inside = index.both(inside, index.less(index.constant(0),
                                           box.sizes[box.leading + plan.dim]));
  for (int64_t dim = 0; dim < box.getRank(); ++dim) {
    BoxLimits of;
    if (!isInside)
      of = getLimits(box.leading + dim);
    else if (box.address.getBox()[dim] > box.getTileShape()[dim])
      of.high = constantI32(box.getTileShape()[dim]);
    limits.push_back(of);
  }
}

/// Compares the box's offsets with values that are computed once before a loop,
/// rather than the limits with extents: in a matmul this saves a tenth of the
/// loop's instructions.
Value ChunkedCopy::isWhole() {
  switch (box.access.getGuard()) {
  case AccessGuard::none:
    return Value();
  case AccessGuard::box:
    return box.isBoxInside();
  case AccessGuard::element:
    return arith::ConstantIntOp::create(builder, loc, 0, 1);
  }
  llvm_unreachable("a guard");
}

/// Whether a stride of the array is known only at run time.
static bool hasDynamicStride(MemRefType array) {
  return llvm::any_of(array.getStridesAndOffset().first, ShapedType::isDynamic);
}

/// Computes the pointer to the source of the thread's value 0. If a stride is
/// known only at run time, two parts of the coordinates are multiplied
/// separately: the box's offset in the array, which is the same for the block
/// and therefore multiplied in uniform registers, and the thread's coordinates
/// in the box, which are multiplied once, before a loop over boxes. Static
/// strides become shifts: then the sum of the parts is multiplied, which takes
/// fewer registers.
void ChunkedCopy::findSource() {
  box.prepareAddresses();
  SmallVector<Value> own;
  for (int64_t dim = 0; dim < box.getRank(); ++dim)
    own.push_back(coordinates.getBase(dim));
  if (isEnd())
    own[plan.dim] = index.add(own[plan.dim], first);
  bool isInTwoParts =
      hasDynamicStride(cast<MemRefType>(box.op.getSource().getType()));
  source = box.getElement(
      box.arrayPointer,
      box.getLinear(isInTwoParts ? box.offsets : box.getCoordinates(own)));
  if (!isInTwoParts)
    return;
  auto strides = ArrayRef(box.strides).drop_front(box.leading);
  if (Value inBox = getElementIndex(index, Value(), own, strides))
    source = box.getElement(source, inBox);
}

/// Rounds `pointer` down to a multiple of 16 bytes, and returns the distance in
/// bytes.
Value ChunkedCopy::alignDown(Value &pointer) {
  auto mask = [&](Value address, int64_t bits) -> Value {
    return LLVM::AndOp::create(
        builder, loc, address,
        LLVM::ConstantOp::create(builder, loc,
                                 builder.getI64IntegerAttr(bits)));
  };
  Value address =
      LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), pointer);
  pointer = LLVM::IntToPtrOp::create(builder, loc, pointer.getType(),
                                     mask(address, -kMaxAccessBytes));
  return LLVM::TruncOp::create(builder, loc, builder.getI32Type(),
                               mask(address, kMaxAccessBytes - 1));
}

/// Returns the number of bytes of a chunk that are inside the array. In the
/// dimensions across the row, the chunk is inside as a whole or not at all. The
/// chunks of a covered row start `shift` bytes before its elements, so that the
/// row ends `shift` bytes later in them.
Value ChunkedCopy::countBytes(ThreadCoordinates &at, int64_t value,
                              Value shift) {
  Value valid, left;
  int64_t elementBytes = box.getElementBytes();
  auto require = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    valid = index.both(valid, compare(predicate, a, b));
  };
  for (auto [dim, of] : llvm::enumerate(limits)) {
    if (!of.high && !of.low)
      continue;
    // The value's part of the coordinate is subtracted from the limit: like the
    // limit, the difference is the same for all threads of the block.
    bool isAlong = static_cast<int64_t>(dim) == plan.dim;
    Value own = narrow(index.add(at.getBase(dim), 0));
    Value step = constantI32(plan.layout.valueOffset(value)[dim] +
                             (isAlong ? first : 0));
    Value high = builder.createOrFold<arith::SubIOp>(loc, of.high, step);
    if (of.low)
      require(arith::CmpIPredicate::sge, own,
              builder.createOrFold<arith::SubIOp>(loc, of.low, step));
    if (!isAlong) {
      require(arith::CmpIPredicate::slt, own, high);
      continue;
    }
    left = builder.createOrFold<arith::SubIOp>(loc, high, own);
  }
  int64_t chunkBytes = plan.vector * elementBytes;
  Value count = constantI32(isEnd() ? 0 : chunkBytes);
  if (left)
    count = builder.createOrFold<arith::MulIOp>(loc, left,
                                                constantI32(elementBytes));
  if (shift && (left || isEnd()))
    count = builder.createOrFold<arith::AddIOp>(loc, count, shift);
  if (left) {
    count = builder.createOrFold<arith::MaxSIOp>(loc, count, constantI32(0));
    count = builder.createOrFold<arith::MinSIOp>(loc, count,
                                                 constantI32(chunkBytes));
  }
  // Conditions that are the same for all chunks come first: they are computed
  // once.
  if (inside)
    count = builder.createOrFold<arith::SelectOp>(loc, inside, count,
                                                  constantI32(0));
  if (valid)
    count = builder.createOrFold<arith::SelectOp>(loc, valid, count,
                                                  constantI32(0));
  return count;
}

/// Whether each chunk is entirely in the tile or entirely padding.
bool ChunkedCopy::isPaddedByChunks() {
  return !box.coversRows && box.getTileShape()[plan.dim] % plan.vector == 0;
}

Value ChunkedCopy::hasWholeChunks() {
  if (!isPaddedByChunks())
    return Value();
  return areMultiples(index, getLimits(box.leading + plan.dim), plan.vector);
}

/// Returns, for each dimension with limits, the distances from the thread's
/// chunk to them. A tie keeps LLVM from comparing the distances of all chunks
/// before the loop, which would take a register for each.
SmallVector<Distances> ChunkedCopy::getDistances(ThreadCoordinates &at) {
  SmallVector<Distances> distances;
  for (auto [dim, of] : llvm::enumerate(limits)) {
    Distances distance;
    Value own;
    if (of.high || of.low)
      own = narrow(index.add(at.getBase(dim), 0));
    auto subtract = [&](Value limit) -> Value {
      Value difference = builder.createOrFold<arith::SubIOp>(loc, limit, own);
      return tieRegisters(builder, loc, difference, TieReason::kComputedInLoop)
          .front();
    };
    if (of.high)
      distance.high = subtract(of.high);
    if (of.low)
      distance.low = subtract(of.low);
    distances.push_back(distance);
  }
  return distances;
}

/// Returns whether a chunk is inside the array; null for always.
/// @pre the chunks are whole.
Value ChunkedCopy::isChunkInside(ArrayRef<Distances> distances, int64_t value) {
  Value result = inside;
  std::vector<int64_t> steps = plan.layout.valueOffset(value);
  for (auto [of, step] : llvm::zip_equal(distances, steps)) {
    if (of.low)
      result = index.both(result, compare(arith::CmpIPredicate::sle, of.low,
                                          constantI32(step)));
    if (of.high)
      result = index.both(result, compare(arith::CmpIPredicate::sgt, of.high,
                                          constantI32(step)));
  }
  return result;
}

/// Returns the bytes of a chunk if `condition` holds, else zero; null, which
/// stands for all bytes, for a null condition.
Value ChunkedCopy::selectBytes(Value condition) {
  if (!condition)
    return Value();
  return builder.createOrFold<arith::SelectOp>(
      loc, condition, constantI32(plan.vector * box.getElementBytes()),
      constantI32(0));
}

/// Returns the number of bytes of a chunk to copy, for a tile that is inside
/// the array; null for a whole chunk.
Value ChunkedCopy::countBytesOfTile(ThreadCoordinates &at, int64_t value,
                                    Value shift) {
  if (address.getBox() == box.getTileShape())
    return isEnd() ? shift : Value();
  if (!isPaddedByChunks())
    return countBytes(at, value, shift);
  return selectBytes(at.isInside(value, box.getTileShape()));
}

/// Copies a chunk; `countBytes` returns the number of its bytes to copy, null
/// for all, if the chunk starts `shift` bytes before its elements.
void ChunkedCopy::emitChunk(ThreadCoordinates &at, Value source, int64_t value,
                            llvm::function_ref<Value(Value)> countBytes) {
  OpBuilder::InsertionGuard guard(builder);
  // The plan may have chunks outside the box.
  index.enterIf(at.isInside(value, address.getBox()));
  Value shift;
  if (box.coversRows)
    shift = alignDown(source);
  Value count = countBytes(shift);
  constexpr auto kCached = NVVM::LoadCacheModifierKind::CA,
                 kBypassingL1 = NVVM::LoadCacheModifierKind::CG;
  int64_t bytes = plan.vector * box.getElementBytes();
  NVVM::CpAsyncOp::create(
      builder, loc, box.getElement(buffer, address.getElement(at, value)),
      source, static_cast<uint32_t>(bytes),
      bytes == kMaxAccessBytes && !box.access.getCached() ? kBypassingL1
                                                          : kCached,
      count);
}

void ChunkedCopy::emitChunks(Outside outside) {
  findLimits(/*isInside=*/outside == Outside::nothing || box.op.getInBounds());
  // Threads that have the same elements would all copy them.
  OpBuilder::InsertionGuard guard(builder);
  index.enterIf(isOwner);
  auto emit = [&](ThreadCoordinates &at, ArrayRef<int64_t> values,
                  const CopyBox::Move &by) {
    Value moved = source;
    if (by.amount)
      moved = box.getElement(
          moved, builder.createOrFold<arith::MulIOp>(
                     loc, by.amount, box.strides[box.leading + by.dim]));
    SmallVector<Distances> distances;
    if (outside == Outside::chunks)
      distances = getDistances(at);
    for (auto [value, from] :
         llvm::zip(values, box.getPointers(plan.layout, moved, values)))
      emitChunk(at, from, value, [&, value = value](Value shift) {
        switch (outside) {
        case Outside::nothing:
          return countBytesOfTile(at, value, shift);
        case Outside::chunks:
          return selectBytes(isChunkInside(distances, value));
        case Outside::elements:
          return countBytes(at, value, shift);
        }
        llvm_unreachable("all cases are listed");
      });
  };
  box.forValues(
      plan, address, coordinates,
      outside == Outside::elements ? kMaxUnrolledPartial : kMaxUnrolled, emit);
}

/// Returns whether the chunks of all copies are whole; null if this cannot be
/// determined.
static Value haveWholeChunks(IndexBuilder &index,
                             std::deque<ChunkedCopy> &copies) {
  Value all;
  for (ChunkedCopy &copy : copies) {
    Value of = copy.hasWholeChunks();
    if (!of)
      return Value();
    all = index.both(all, of);
  }
  return all;
}

static bool isInLoop(Operation *op) {
  return op->getParentOfType<LoopLikeOpInterface>() != nullptr;
}

/// Emits the code for boxes at the edges of arrays.
static void copyAtEdges(IndexBuilder &index, std::deque<ChunkedCopy> &copies,
                        bool isInLoop,
                        llvm::function_ref<void(Outside)> emitAll) {
  Value areWhole = isInLoop ? haveWholeChunks(index, copies) : Value();
  if (!areWhole)
    return emitAll(Outside::elements);
  if (matchPattern(areWhole, m_One()))
    return emitAll(Outside::chunks);
  OpBuilder::InsertionGuard guard(index.builder);
  auto branch = scf::IfOp::create(index.builder, index.loc, areWhole,
                                  /*withElseRegion=*/true);
  index.builder.setInsertionPointToStart(branch.thenBlock());
  emitAll(Outside::chunks);
  index.builder.setInsertionPointToStart(branch.elseBlock());
  emitAll(Outside::elements);
}

/// Emits one branch for all boxes: in a matmul each branch costs as much as ten
/// instructions.
void tile::copyAsync(ArrayRef<std::unique_ptr<CopyBox>> boxes) {
  IndexBuilder &index = boxes.front()->index;
  OpBuilder::InsertionGuard guard(index.builder);
  std::deque<ChunkedCopy> copies;
  Value condition = boxes.front()->condition, whole = condition;
  for (const std::unique_ptr<CopyBox> &box : boxes) {
    ChunkedCopy &copy =
        copies.emplace_back(*box, box->plan, box->address, /*first=*/0);
    copy.prepare();
    whole = index.both(whole, copy.isWhole());
    if (!box->endsAddress)
      continue;
    const AccessPlan &plan = box->plan;
    SmallVector<int64_t> shape(box->getTileShape());
    shape[plan.dim] = plan.vector;
    AccessPlan ends = getCopyPlan(shape, plan.dim, plan.vector,
                                  getParticipants(box->op).numWarps);
    copies
        .emplace_back(*box, ends, *box->endsAddress,
                      /*first=*/box->getTileShape()[plan.dim])
        .prepare();
  }
  auto emitAll = [&](Outside outside) {
    for (ChunkedCopy &copy : copies)
      copy.emitChunks(outside);
  };
  if (!whole)
    return emitAll(Outside::nothing);
  auto branch = scf::IfOp::create(index.builder, index.loc, whole,
                                  /*withElseRegion=*/true);
  index.builder.setInsertionPointToStart(branch.thenBlock());
  emitAll(Outside::nothing);
  index.builder.setInsertionPointToStart(branch.elseBlock());
  index.enterIf(condition);
  copyAtEdges(index, copies, isInLoop(boxes.front()->op), emitAll);
}

namespace {
struct ConvertCopyAsync : LoweringPattern<tile_gpu::CopyAsyncOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(tile_gpu::CopyAsyncOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto box = std::make_unique<CopyBox>(op, adaptor, lowering, rewriter);
    if (box->isAsync()) {
      copyRun(std::move(box), rewriter);
      return success();
    }
    copyElements(*box);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Copies the box `first` together with the boxes of the directly following
  /// copies by cp.async with the same condition.
  void copyRun(std::unique_ptr<CopyBox> first,
               ConversionPatternRewriter &rewriter) const {
    Value condition = first->op.getCondition();
    SmallVector<std::unique_ptr<CopyBox>> boxes;
    boxes.push_back(std::move(first));
    for (Operation *next = boxes.front()->op->getNextNode(); next;
         next = next->getNextNode()) {
      auto op = dyn_cast<tile_gpu::CopyAsyncOp>(next);
      if (!op || op.getCondition() != condition ||
          getAccess(op).getKind() != AccessInstruction::copy_async)
        break;
      SmallVector<Value> operands;
      if (failed(rewriter.getRemappedValues(op->getOperands(), operands)))
        break;
      SmallVector<ValueRange> ranges(operands.begin(), operands.end());
      boxes.push_back(std::make_unique<CopyBox>(op, OneToNOpAdaptor(ranges, op),
                                                lowering, rewriter));
    }
    copyAsync(boxes);
    for (const std::unique_ptr<CopyBox> &box : boxes)
      rewriter.eraseOp(box->op);
  }
};
} // namespace

void tile::populateCopyAsyncPatterns(TypeConverter &types,
                                     RewritePatternSet &patterns,
                                     const LoweringContext &context) {
  patterns.add<ConvertCopyAsync>(types, patterns.getContext(), context);
}
