// AlignRows.cpp - rows copied by aligned chunks and shifted to their positions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copied row starts up to 15 bytes after its final position, within its first
// chunk. A lane computes one chunk of the row: it reads the five words that
// hold the chunk's bytes, waits for the other lanes of its warp, and writes
// four words, each cut out of two adjacent words that it has read:
//
//   words of the row     |..aa|aaaa|aaaa|aaaa|aaaa|aa..     shift = 2 bytes
//   the lane's first     |aaaa|                             by shf.r.wrap
//
// The five words are in the lane's own chunk and the next one, which for the
// last lane of a row is in the buffer of ends. Rows have the same shift,
// whatever the array's stride is, if the difference of their indices is a
// multiple of the number of elements in a chunk. A swizzle also moves them in
// the same way, so the addresses of their words differ by a constant.

#include "../Patterns.h"
#include "CopyBox.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/RowCover.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <map>

using namespace mlir;
using namespace tile;

/// Number of chunks that a lane reads before it writes the first one. The reads
/// are in flight together, and take five registers each.
static constexpr int64_t kInFlight = 4;
static constexpr int64_t kWordBytes = 4;
static constexpr int64_t kWords = kMaxAccessBytes / kWordBytes;

namespace {

class RowShift {
public:
  RowShift(ArrayBox &box, SharedAddress &ends, ArrayRef<int64_t> divisors,
           int64_t numWarps)
      : box(box), ends(ends), divisors(divisors), index(box.index),
        builder(index.builder), loc(index.loc),
        plan(planRowShift(box.getTileShape(),
                          box.address.getContiguousDimension(),
                          box.getElementBytes(), numWarps)),
        coordinates(index, plan.layout), next(coordinates) {}

  void emit();

private:
  /// Distance from the aligned position of a row to its first byte.
  struct Shift {
    Value words; ///< whole words, i32
    Value bits;  ///< remaining bits, i32
  };
  /// Pointers to the words of a lane's chunk.
  struct Words {
    int64_t value;
    SmallVector<Value> pointers;
  };
  /// The words that a lane has read for a chunk.
  struct Chunk {
    int64_t value;
    SmallVector<Value> words;
  };

  Value constantI32(int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
  }
  Value toI32(Value value) {
    return arith::IndexCastUIOp::create(builder, loc, builder.getI32Type(),
                                        value);
  }
  Value getLinear(int64_t value);
  Shift getShift(int64_t value);
  Value isLast(int64_t value);
  Value crosses(int64_t word, const Shift &shift);
  Value choose(Value which, Value a, Value b);
  Value getByte(Value element);
  Value movePointer(Value pointer, Value bytes);
  SmallVector<Value> getPointers(int64_t value);
  SmallVector<Value> findPointers(int64_t value);
  std::optional<SmallVector<Value>> stepPointers(const Words &from,
                                                 int64_t value);
  SmallVector<Value> readWords(int64_t value);
  void writeChunk(const Chunk &chunk);

  /// Returns a value's offset along the row, and its offsets in the dimensions
  /// across the row modulo the elements of a chunk. Values with equal results
  /// have the same shift and are the same part of their rows.
  std::vector<int64_t> getClass(int64_t value) {
    std::vector<int64_t> offset = plan.layout.valueOffset(value);
    for (auto [dim, step] : llvm::enumerate(offset))
      if (static_cast<int64_t>(dim) != plan.dim)
        step %= plan.vector;
    return offset;
  }

  ArrayBox &box;
  SharedAddress &ends;
  ArrayRef<int64_t> divisors; ///< of the offsets
  IndexBuilder &index;
  OpBuilder &builder;
  Location loc;
  RowShiftPlan plan;
  ThreadCoordinates coordinates, next; ///< of the chunk and the next one
  Value buffer;                        ///< pointer to its first element
  Value toEnds;                        ///< bytes from `buffer` to the ends
  std::map<std::vector<int64_t>, Shift> shifts;
  std::map<std::vector<int64_t>, Words> lastOf;
};

} // namespace

/// Returns a linear index that is congruent, modulo the number of elements in a
/// chunk, to that of a row's first element in the array's memory. Terms that
/// are known to be congruent to zero are left out.
Value RowShift::getLinear(int64_t value) {
  std::vector<int64_t> offset = getClass(value);
  SmallVector<Value> rowStart(box.offsets.size());
  for (auto [dim, at] : llvm::enumerate(rowStart)) {
    if (divisors[dim] % plan.vector != 0)
      at = box.offsets[dim];
    int64_t own = static_cast<int64_t>(dim) - box.leading;
    if (own >= 0 && own != plan.dim)
      at = index.add(index.add(at, coordinates.getBase(own)), offset[own]);
  }
  return box.getLinear(rowStart);
}

RowShift::Shift RowShift::getShift(int64_t value) {
  std::vector<int64_t> key = getClass(value);
  key[plan.dim] = 0;
  auto [it, isNew] = shifts.try_emplace(key);
  if (!isNew)
    return it->second;
  Value row = box.getElement(box.arrayPointer, getLinear(value));
  Value address =
      LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), row);
  Value low =
      LLVM::TruncOp::create(builder, loc, builder.getI32Type(), address);
  Value bytes =
      LLVM::AndOp::create(builder, loc, low, constantI32(kMaxAccessBytes - 1));
  Value within =
      LLVM::AndOp::create(builder, loc, bytes, constantI32(kWordBytes - 1));
  it->second = {
      LLVM::LShrOp::create(builder, loc, bytes, constantI32(2)),
      LLVM::MulOp::create(builder, loc, within, constantI32(8)),
  };
  return it->second;
}

/// Returns one if a value is the last chunk of its row, zero otherwise; null
/// for never. Lanes after the last chunk are outside the box.
Value RowShift::isLast(int64_t value) {
  int64_t last = box.getTileShape()[plan.dim] / plan.vector - 1 -
                 plan.layout.valueOffset(value)[plan.dim] / plan.vector;
  int64_t lanes = plan.layout.getBox()[plan.dim] / plan.vector / plan.parts;
  if (last >= lanes)
    return Value();
  if (lanes == 1)
    return constantI32(1);
  Value lane = index.div(coordinates.getBase(plan.dim), plan.vector);
  return LLVM::LShrOp::create(
      builder, loc,
      LLVM::AddOp::create(builder, loc, toI32(lane), constantI32(lanes - last)),
      constantI32(llvm::Log2_64(lanes)));
}

/// Returns one if a word is in the next chunk, zero otherwise.
Value RowShift::crosses(int64_t word, const Shift &shift) {
  return LLVM::LShrOp::create(
      builder, loc,
      LLVM::AddOp::create(builder, loc, shift.words, constantI32(word)),
      constantI32(2));
}

/// Returns `a` if `which` is zero and `b` if it is one. A select would occupy
/// one of a thread's seven predicates, and ptxas would move predicates back and
/// forth for hundreds of instructions.
Value RowShift::choose(Value which, Value a, Value b) {
  return LLVM::AddOp::create(
      builder, loc, a,
      LLVM::MulOp::create(builder, loc, which,
                          LLVM::SubOp::create(builder, loc, b, a)));
}

Value RowShift::getByte(Value element) {
  return LLVM::MulOp::create(builder, loc, toI32(element),
                             constantI32(box.getElementBytes()));
}

Value RowShift::movePointer(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

SmallVector<Value> RowShift::findPointers(int64_t value) {
  Shift shift = getShift(value);
  Value own = getByte(box.address.getElement(coordinates, value));
  Value behind = getByte(box.address.getElement(next, value));
  if (Value last = isLast(value)) {
    SmallVector<Value> at;
    for (int64_t dim = 0; dim < box.getRank(); ++dim)
      at.push_back(dim == plan.dim ? index.constant(0)
                                   : coordinates.get(value, dim));
    Value end =
        LLVM::AddOp::create(builder, loc, toEnds, getByte(ends.getElement(at)));
    behind = choose(last, behind, end);
  }
  SmallVector<Value> pointers;
  for (int64_t word = 0; word <= kWords; ++word) {
    Value inChunk = LLVM::AndOp::create(
        builder, loc,
        LLVM::AddOp::create(builder, loc, shift.words, constantI32(word)),
        constantI32(kWords - 1));
    Value byte = LLVM::AddOp::create(
        builder, loc, choose(crosses(word, shift), own, behind),
        LLVM::MulOp::create(builder, loc, inChunk, constantI32(kWordBytes)));
    pointers.push_back(movePointer(buffer, byte));
  }
  return pointers;
}

/// Computes the pointers of a value from those of an earlier value of its
/// class; returns none if the distance between them differs from thread to
/// thread.
std::optional<SmallVector<Value>> RowShift::stepPointers(const Words &from,
                                                         int64_t value) {
  std::optional<int64_t> step = box.address.getDistance(plan.layout, from.value,
                                                        value),
                         endsStep =
                             ends.getDistance(plan.layout, from.value, value);
  if (!step || !endsStep)
    return std::nullopt;
  Shift shift = getShift(value);
  Value last = isLast(value);
  int64_t bytes = box.getElementBytes();
  SmallVector<Value> pointers;
  for (auto [word, pointer] : llvm::enumerate(from.pointers)) {
    Value by = constantI32(*step * bytes);
    if (last)
      by = choose(LLVM::AndOp::create(builder, loc, last, crosses(word, shift)),
                  by, constantI32(*endsStep * bytes));
    pointers.push_back(movePointer(pointer, by));
  }
  return pointers;
}

SmallVector<Value> RowShift::getPointers(int64_t value) {
  auto [from, isNew] = lastOf.try_emplace(getClass(value));
  std::optional<SmallVector<Value>> pointers;
  if (!isNew)
    pointers = stepPointers(from->second, value);
  from->second = {value, pointers ? *pointers : findPointers(value)};
  return from->second.pointers;
}

/// Reads the words of a chunk. Lanes beyond the box read nothing.
SmallVector<Value> RowShift::readWords(int64_t value) {
  SmallVector<Value> pointers = getPointers(value);
  SmallVector<Type> types(pointers.size(), builder.getI32Type());
  return index.emitIf(
      coordinates.isInside(value, box.getTileShape()), types, [&] {
        return llvm::map_to_vector(pointers, [&](Value pointer) -> Value {
          return LLVM::LoadOp::create(builder, loc, builder.getI32Type(),
                                      pointer, kWordBytes);
        });
      });
}

void RowShift::writeChunk(const Chunk &chunk) {
  OpBuilder::InsertionGuard guard(builder);
  index.enterIf(coordinates.isInside(chunk.value, box.getTileShape()));
  auto type = VectorType::get(kWords, builder.getI32Type());
  Value shifted = LLVM::PoisonOp::create(builder, loc, type);
  Value bits = getShift(chunk.value).bits;
  for (int64_t word = 0; word < kWords; ++word)
    shifted = LLVM::InsertElementOp::create(
        builder, loc, shifted,
        LLVM::FshrOp::create(builder, loc, chunk.words[word + 1],
                             chunk.words[word], bits),
        constantI32(word));
  Value element = box.address.getElement(coordinates, chunk.value);
  LLVM::StoreOp::create(builder, loc, shifted, box.getElement(buffer, element),
                        kMaxAccessBytes);
}

/// Reads and writes all chunks. Each row belongs to one warp, so that no other
/// warp writes the words that its lanes read.
void RowShift::emit() {
  OpBuilder::InsertionGuard guard(builder);
  index.enterIf(box.condition);
  box.prepareAddresses();
  buffer = box.address.getPointer();
  auto getAddress = [&](Value pointer) -> Value {
    return LLVM::TruncOp::create(
        builder, loc, builder.getI32Type(),
        LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), pointer));
  };
  toEnds = LLVM::SubOp::create(builder, loc, getAddress(ends.getPointer()),
                               getAddress(buffer));
  // The range includes the bits that a carry may set.
  next.shift(plan.dim, index.constant(plan.vector), plan.vector,
             plan.layout.getBox()[plan.dim] + plan.vector);
  int64_t numValues = plan.layout.getNumValues();
  int64_t inFlight = std::max<int64_t>(kInFlight / plan.parts, 1) * plan.parts;
  SmallVector<Chunk> chunks;
  for (int64_t value = 0; value < numValues; value += plan.vector) {
    chunks.push_back({value, readWords(value)});
    bool isFull = static_cast<int64_t>(chunks.size()) == inFlight;
    if (!isFull && value + plan.vector < numValues)
      continue;
    NVVM::SyncWarpOp::create(builder, loc, constantI32(-1));
    for (const Chunk &chunk : chunks)
      writeChunk(chunk);
    chunks.clear();
  }
}

namespace {
struct ConvertAlignRows : LoweringPattern<tile_gpu::AlignRowsOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(tile_gpu::AlignRowsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayBox box(op, adaptor, rewriter);
    SharedAddress ends(box.index, rewriter, op.getEnds());
    RowShift(box, ends, lowering.divisors.at(op), getParticipants(op).numWarps)
        .emit();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void tile::populateAlignRowsPatterns(TypeConverter &types,
                                     RewritePatternSet &patterns,
                                     const LoweringContext &context) {
  patterns.add<ConvertAlignRows>(types, patterns.getContext(), context);
}
