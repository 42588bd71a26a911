// Addresses.cpp - coordinates and addresses of a thread's elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Addresses.h"

#include "../RegisterTiles.h"
#include "../Shuffle.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/BufferView.h"
#include "tile/Analysis/SharedAccess.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// IndexBuilder
//===----------------------------------------------------------------------===//

Value IndexBuilder::thread() {
  return gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
}

Value IndexBuilder::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}
Value IndexBuilder::constantI32(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}
Value IndexBuilder::add(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}
Value IndexBuilder::add(Value a, int64_t b) {
  if (b == 0)
    return a ? a : constant(0);
  return a ? add(a, constant(b)) : constant(b);
}
Value IndexBuilder::mul(Value a, int64_t b) {
  if (!a || b == 0)
    return Value();
  return b == 1 ? a : builder.createOrFold<arith::MulIOp>(loc, a, constant(b));
}
Value IndexBuilder::div(Value a, int64_t b) {
  return b == 1 ? a : builder.createOrFold<arith::DivUIOp>(loc, a, constant(b));
}
Value IndexBuilder::rem(Value a, int64_t b) {
  return builder.createOrFold<arith::RemUIOp>(loc, a, constant(b));
}
Value IndexBuilder::bitXor(Value a, int64_t b) {
  return b == 0 ? a : builder.createOrFold<arith::XOrIOp>(loc, a, constant(b));
}
Value IndexBuilder::less(Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, a,
                                             b);
}
Value IndexBuilder::atMost(Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sle, a,
                                             b);
}
Value IndexBuilder::isBelow(Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, a,
                                             b);
}
Value IndexBuilder::both(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return builder.createOrFold<arith::AndIOp>(loc, a, b);
}
Value IndexBuilder::select(Value condition, Value a, Value b) {
  return condition ? builder.createOrFold<arith::SelectOp>(loc, condition, a, b)
                   : a;
}

void IndexBuilder::enterIf(Value condition) {
  if (!condition)
    return;
  auto branch =
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
}

SmallVector<Value> IndexBuilder::emitIfElse(Value condition, TypeRange types,
                                            Emit yes, Emit no) {
  auto branch = scf::IfOp::create(builder, loc, types, condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, yes());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, no());
  return llvm::to_vector_of<Value>(branch.getResults());
}

SmallVector<Value> IndexBuilder::emitIf(Value condition, TypeRange types,
                                        Emit emit) {
  if (!condition)
    return emit();
  return emitIfElse(condition, types, emit, [&] {
    return llvm::map_to_vector(
        types, [&](Type type) { return createZero(builder, loc, type); });
  });
}

/// Limits are at most the extent, so they fit in 32 bits. An offset below
/// -extent is raised to -extent, so that nothing overflows.
BoxLimits tile::getBoxLimits(IndexBuilder &index, Value offset, Value size,
                             int64_t extent, bool isNonNegative,
                             int64_t least) {
  OpBuilder &builder = index.builder;
  Location loc = index.loc;
  auto narrow = [&](Value value, int64_t lowest) {
    return builder.createOrFold<arith::IndexCastOp>(
        loc, builder.getI32Type(),
        builder.createOrFold<arith::MaxSIOp>(loc, value,
                                             index.constant(lowest)));
  };
  BoxLimits limits;
  if (!isNonNegative) {
    offset = builder.createOrFold<arith::MaxSIOp>(loc, offset,
                                                  index.constant(-extent));
    limits.low = narrow(
        builder.createOrFold<arith::SubIOp>(loc, index.constant(0), offset), 0);
  }
  Value left = builder.createOrFold<arith::SubIOp>(loc, size, offset);
  limits.high = narrow(
      builder.createOrFold<arith::MinSIOp>(loc, left, index.constant(extent)),
      least);
  return limits;
}

Value tile::areMultiples(IndexBuilder &index, const BoxLimits &limits,
                         int64_t step) {
  auto constant = [&](int64_t value) {
    return arith::ConstantIntOp::create(index.builder, index.loc, value, 32);
  };
  Value bits = limits.high;
  if (limits.low)
    bits =
        index.builder.createOrFold<arith::OrIOp>(index.loc, bits, limits.low);
  Value rest = index.builder.createOrFold<arith::AndIOp>(index.loc, bits,
                                                         constant(step - 1));
  return index.builder.createOrFold<arith::CmpIOp>(
      index.loc, arith::CmpIPredicate::eq, rest, constant(0));
}

Value tile::isBoxInside(IndexBuilder &index, ArrayRef<Value> offsets,
                        ArrayRef<Value> sizes, ArrayRef<int64_t> extents,
                        const llvm::SmallBitVector &nonNegative) {
  Value inside;
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    Value end = index.builder.createOrFold<arith::SubIOp>(
        index.loc, sizes[dim], index.constant(extents[dim]));
    if (nonNegative.empty() || !nonNegative[dim])
      inside = index.both(inside, index.atMost(index.constant(0), offset));
    inside = index.both(inside, index.atMost(offset, end));
  }
  return inside;
}

//===----------------------------------------------------------------------===//
// ThreadCoordinates
//===----------------------------------------------------------------------===//

/// Returns the digit `(position / prefix) mod extent` of an index; the last
/// digit needs no mod.
static Value getDigit(IndexBuilder &index, Value position, int64_t prefix,
                      int64_t extent, bool isLast) {
  Value shifted = index.div(position, prefix);
  return isLast ? shifted : index.rem(shifted, extent);
}

/// Returns the bits that may be set in `step` times a factor below `extent`.
static uint64_t getBits(int64_t extent, int64_t step) {
  if (extent <= 1)
    return 0;
  uint64_t lowest = step & -step;
  if (llvm::isPowerOf2_64(extent) && llvm::isPowerOf2_64(step))
    return static_cast<uint64_t>(extent - 1) * step;
  return ~(lowest - 1);
}

static std::pair<Value, Value> getLaneAndWarp(IndexBuilder &index) {
  Value thread = index.thread();
  return {index.rem(thread, kWarpSize), index.div(thread, kWarpSize)};
}

/// Returns the index of the thread's warp, read from the warp's first lane by a
/// shuffle: ptxas then knows that all lanes have the same value and computes
/// with it in uniform registers. The shuffle is at the start of the kernel,
/// since shuffles are not hoisted out of loops.
static Value getUniformWarp(IndexBuilder &index) {
  OpBuilder &builder = index.builder;
  OpBuilder::InsertionGuard guard(builder);
  Operation *around = builder.getInsertionBlock()->getParentOp();
  while (!isa<KernelOp>(around))
    around = around->getParentOp();
  builder.setInsertionPointToStart(&around->getRegion(0).front());
  auto [lane, warp] = getLaneAndWarp(index);
  Value warpIndex = arith::IndexCastOp::create(builder, index.loc,
                                               builder.getI32Type(), warp);
  Value first = arith::ConstantIntOp::create(builder, index.loc, 0, 32);
  return arith::IndexCastOp::create(
      builder, index.loc, builder.getIndexType(),
      readLane(builder, index.loc, warpIndex, first));
}

ThreadCoordinates::ThreadCoordinates(IndexBuilder &index,
                                     const RegisterLayout &layout,
                                     bool isUniform)
    : index(index), layout(layout), bases(layout.getRank()),
      bits(layout.getRank(), 0), most(layout.getRank(), 0) {
  auto [lane, warp] = getLaneAndWarp(index);
  bool isOfWarp =
      llvm::any_of(layout.getModes(RegisterLayout::kWarp),
                   [](const RegisterMode &mode) { return mode.dim >= 0; });
  if (isUniform && isOfWarp)
    warp = getUniformWarp(index);
  for (auto [level, position] : {std::pair(RegisterLayout::kLane, lane),
                                 {RegisterLayout::kWarp, warp}}) {
    int64_t prefix = 1;
    const RegisterLayout::Modes &modes = layout.getModes(level);
    for (const RegisterMode &mode : modes) {
      if (mode.dim >= 0) {
        bool isLast = &mode == &modes.back();
        Value digit = getDigit(index, position, prefix, mode.extent, isLast);
        bases[mode.dim] =
            index.add(bases[mode.dim], index.mul(digit, mode.step));
        bits[mode.dim] |= getBits(mode.extent, mode.step);
        most[mode.dim] += (mode.extent - 1) * mode.step;
      }
      prefix *= mode.extent;
    }
  }
}

Value tile::getIndexAlong(IndexBuilder &index, const RegisterLayout &layout,
                          RegisterLayout::Level level, int64_t dim) {
  auto [lane, warp] = getLaneAndWarp(index);
  Value position = level == RegisterLayout::kLane ? lane : warp;
  int64_t prefix = 1;
  const RegisterLayout::Modes &modes = layout.getModes(level);
  for (const RegisterMode &mode : modes) {
    if (mode.dim == dim)
      return getDigit(index, position, prefix, mode.extent,
                      &mode == &modes.back());
    prefix *= mode.extent;
  }
  return Value();
}

void ThreadCoordinates::shift(int64_t dim, Value amount, int64_t unit,
                              int64_t extent) {
  bases[dim] = index.add(bases[dim], amount);
  bits[dim] |= getBits(llvm::divideCeil(extent, unit), unit);
  most[dim] += extent;
}

void ThreadCoordinates::clearUnless(int64_t dim, Value condition) {
  if (bases[dim])
    bases[dim] = index.select(condition, bases[dim], index.constant(0));
}

Value ThreadCoordinates::get(int64_t value, int64_t dim) {
  return index.add(bases[dim], layout.valueOffset(value)[dim]);
}

Value ThreadCoordinates::isOwner() {
  auto [lane, warp] = getLaneAndWarp(index);
  Value owner, zero = index.constant(0);
  for (auto [level, position] : {std::pair(RegisterLayout::kLane, lane),
                                 {RegisterLayout::kWarp, warp}}) {
    int64_t prefix = 1;
    const RegisterLayout::Modes &modes = layout.getModes(level);
    for (const RegisterMode &mode : modes) {
      if (mode.dim < 0) {
        Value digit = getDigit(index, position, prefix, mode.extent,
                               &mode == &modes.back());
        owner = index.both(
            owner, index.builder.createOrFold<arith::CmpIOp>(
                       index.loc, arith::CmpIPredicate::eq, digit, zero));
      }
      prefix *= mode.extent;
    }
  }
  return owner;
}

Value ThreadCoordinates::isInside(int64_t value, ArrayRef<int64_t> shape) {
  Value inside;
  std::vector<int64_t> offset = layout.valueOffset(value);
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (layout.getBox()[dim] > extent && offset[dim] + most[dim] >= extent)
      inside = index.both(inside,
                          index.less(get(value, dim), index.constant(extent)));
  return inside;
}

Value tile::getPointer(IndexBuilder &index, Value memory,
                       NVVM::NVVMMemorySpace space) {
  OpBuilder &builder = index.builder;
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(
      builder, index.loc, memory);
  auto type = LLVM::LLVMPointerType::get(builder.getContext(),
                                         static_cast<unsigned>(space));
  return LLVM::IntToPtrOp::create(
      builder, index.loc, type,
      builder.createOrFold<arith::IndexCastOp>(index.loc, builder.getI64Type(),
                                               address));
}

Value tile::getElementIndex(IndexBuilder &index, Value arrayOffset,
                            ArrayRef<Value> coordinates,
                            ArrayRef<Value> strides) {
  Value linear = arrayOffset;
  for (auto [coordinate, stride] : llvm::zip(coordinates, strides))
    if (coordinate)
      linear = index.add(linear, index.builder.createOrFold<arith::MulIOp>(
                                     index.loc, coordinate, stride));
  return linear;
}

static Value createElementPointer(IndexBuilder &index, Value pointer,
                                  int64_t elementBytes, LLVM::GEPArg at) {
  Type bits = index.builder.getIntegerType(8 * elementBytes);
  return LLVM::GEPOp::create(index.builder, index.loc, pointer.getType(), bits,
                             pointer, ArrayRef<LLVM::GEPArg>{at});
}

Value tile::getElementPointer(IndexBuilder &index, Value pointer,
                              int64_t elementBytes, Value at) {
  Value offset = index.builder.createOrFold<arith::IndexCastOp>(
      index.loc, index.builder.getI64Type(), at);
  return createElementPointer(index, pointer, elementBytes, offset);
}

Value tile::getElementPointer(IndexBuilder &index, Value pointer,
                              int64_t elementBytes, int64_t at) {
  if (at == 0)
    return pointer;
  return createElementPointer(index, pointer, elementBytes,
                              static_cast<int32_t>(at));
}

//===----------------------------------------------------------------------===//
// SharedAddress
//===----------------------------------------------------------------------===//

static MemRefType getRowType(int64_t count, Type element) {
  return MemRefType::get(
      {count}, element, MemRefLayoutAttrInterface(),
      gpu::AddressSpaceAttr::get(element.getContext(),
                                 gpu::AddressSpace::Workgroup));
}

/// Returns the memref of all of the kernel's shared memory.
static Value getSharedBytes(IndexBuilder &index) {
  return memref::GetGlobalOp::create(index.builder, index.loc,
                                     getRowType(0, index.builder.getI8Type()),
                                     kSharedSymbol);
}

SharedAddress::SharedAddress(IndexBuilder &index,
                             ConversionPatternRewriter &rewriter, Value view)
    : index(index) {
  memref::AllocOp allocation = getAllocation(view);
  shared = cast<SharedAttr>(allocation.getType().getMemorySpace());
  elementBytes = getElementBytes(allocation.getType().getElementType());
  bytes = getSharedBytes(index);
  firstByte =
      allocation->getAttrOfType<IntegerAttr>(kSharedOffsetAttr).getInt();
  memory = memref::ViewOp::create(
      index.builder, index.loc,
      getRowType(getAllocationBytes(allocation) / elementBytes,
                 allocation.getType().getElementType()),
      bytes, index.constant(firstByte), ValueRange());
  BufferBox viewed = *getBufferBox(view);
  box = viewed.extents;
  contiguous = viewed.contiguous;
  SmallVector<Operation *> chain;
  for (Value at = view; at != allocation.getResult();
       at = at.getDefiningOp()->getOperand(0))
    chain.push_back(at.getDefiningOp());

  // The dimension of the box for each dimension of the allocation, then of each
  // view of it; -1 for the dimension of the stages.
  int64_t rank = shared.getBox().size();
  SmallVector<int64_t> boxDim;
  if (hasStages(allocation))
    boxDim.push_back(-1);
  for (int64_t dim = 0; dim < rank; ++dim)
    boxDim.push_back(dim);
  viewOffset.resize(rank);
  viewStart.resize(rank);
  for (Operation *op : llvm::reverse(chain)) {
    if (auto transpose = dyn_cast<memref::TransposeOp>(op)) {
      SmallVector<int64_t> renamed;
      for (AffineExpr expr : transpose.getPermutation().getResults())
        renamed.push_back(boxDim[cast<AffineDimExpr>(expr).getPosition()]);
      boxDim = renamed;
    } else if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
      llvm::SmallBitVector dropped = subview.getDroppedDims();
      SmallVector<int64_t> kept;
      for (auto [dim, offset] : llvm::enumerate(subview.getMixedOffsets())) {
        Value amount;
        std::optional<int64_t> constant = getConstantIntValue(offset);
        if (auto value = dyn_cast<Value>(offset))
          amount = rewriter.getRemappedValue(value);
        else if (boxDim[dim] < 0 && *constant != 0)
          amount = index.constant(*constant);
        if (boxDim[dim] < 0)
          stageBase =
              index.mul(amount, getStageBytes(allocation) / elementBytes);
        else if (amount)
          viewOffset[boxDim[dim]] = index.add(viewOffset[boxDim[dim]], amount);
        else
          viewStart[boxDim[dim]] += *constant;
        if (!dropped.test(dim))
          kept.push_back(boxDim[dim]);
      }
      boxDim = kept;
    }
  }
  viewDim.resize(rank);
  for (auto [dim, of] : llvm::enumerate(boxDim))
    viewDim[of] = dim;
}

int64_t SharedAddress::swizzle(int64_t element) const {
  if (!shared.getSwizzle())
    return element;
  return shared.getSwizzle().getSwizzle().apply(element * elementBytes) /
         elementBytes;
}

Value SharedAddress::swizzle(Value element) {
  SwizzleAttr attr = shared.getSwizzle();
  if (!attr || !element)
    return element;
  // The swizzle moves units of at least one element, so `base` counts elements.
  int64_t base = attr.getBase() - llvm::Log2_64(elementBytes);
  Value high = index.div(element, int64_t(1) << (base + attr.getShift()));
  Value low = index.rem(high, int64_t(1) << attr.getBits());
  return index.builder.createOrFold<arith::XOrIOp>(
      index.loc, element, index.mul(low, int64_t(1) << base));
}

Value SharedAddress::getMatrixRow(Value element) {
  Value at = index.add(index.mul(element, elementBytes), firstByte);
  return memref::ViewOp::create(
      index.builder, index.loc,
      getRowType(kMaxAccessBytes / 2, index.builder.getF16Type()), bytes, at,
      ValueRange());
}

/// Returns the term of the linear index that one dimension contributes.
static Value getLinear(IndexBuilder &index, const Layout &mode,
                       Value coordinate) {
  Value sum;
  int64_t prefix = 1;
  auto digits = mode.coalescedModes();
  for (size_t i = 0; i < digits.size(); ++i) {
    auto [extent, stride] = digits[i];
    Value digit =
        getDigit(index, coordinate, prefix, extent, i + 1 == digits.size());
    sum = index.add(sum, index.mul(digit, stride));
    prefix *= extent;
  }
  return sum;
}

Value SharedAddress::getElement(ArrayRef<Value> coordinate, int64_t lastDim) {
  Value linear, last;
  for (auto [dim, of] : llvm::enumerate(viewDim)) {
    Value at = index.add(coordinate[of], viewOffset[dim]);
    if (viewStart[dim] != 0)
      at = index.add(at, viewStart[dim]);
    if (!at)
      continue;
    Value &sum = of == lastDim ? last : linear;
    sum = index.add(
        sum, getLinear(index, shared.getLayout().getValue().mode(dim), at));
  }
  linear = index.add(linear, last);
  return index.add(index.add(swizzle(linear), stageBase), 0);
}

/// Number of elements in a span of the swizzle, which permutes each span
/// separately.
int64_t SharedAddress::getSwizzleSpan() const {
  SwizzleAttr attr = shared.getSwizzle();
  if (!attr)
    return 1;
  return (int64_t(1) << (attr.getBase() + attr.getShift() + attr.getBits())) /
         elementBytes;
}

Value SharedAddress::getPointer() {
  return tile::getPointer(index, memory, NVVM::NVVMMemorySpace::Shared);
}

std::optional<int64_t> SharedAddress::getDistance(const RegisterLayout &layout,
                                                  int64_t from,
                                                  int64_t to) const {
  std::vector<int64_t> begin = layout.valueOffset(from),
                       end = layout.valueOffset(to);
  int64_t distance = 0;
  for (auto [dim, of] : llvm::enumerate(viewDim)) {
    int64_t steps = end[of] - begin[of];
    if (steps == 0)
      continue;
    auto digits = shared.getLayout().getValue().mode(dim).coalescedModes();
    if (digits.size() != 1 || steps * digits[0].second % getSwizzleSpan() != 0)
      return std::nullopt;
    distance += steps * digits[0].second;
  }
  return distance;
}

/// Whether each digit of an index is a range of its bits.
static bool areOfBits(const std::vector<std::pair<int64_t, int64_t>> &digits) {
  return llvm::all_of(ArrayRef(digits).drop_back(), [](auto digit) {
    return llvm::isPowerOf2_64(digit.first);
  });
}

/// Returns the bits that may be set in `factor` times a value in which `bits`
/// may be set.
static uint64_t getProductBits(uint64_t bits, int64_t factor) {
  if (bits == 0 || factor == 0)
    return 0;
  bool isExact = llvm::isPowerOf2_64(factor) && !(bits >> 32);
  return isExact ? bits * factor : ~((bits & -bits) * (factor & -factor) - 1);
}

std::optional<SharedAddress::Split>
SharedAddress::split(ThreadCoordinates &coordinates, int64_t value) const {
  const Layout &layout = shared.getLayout().getValue();
  std::vector<int64_t> offset = coordinates.getLayout().valueOffset(value);
  Split split;
  for (auto [dim, of] : llvm::enumerate(viewDim)) {
    auto digits = layout.mode(dim).coalescedModes();
    uint64_t bits = coordinates.getBaseBits(of);
    int64_t begin = offset[of] + viewStart[dim], prefix = 1;
    bool areDigitsSplit =
        digits.size() <= 1 || (areOfBits(digits) && begin >= 0 &&
                               (bits & static_cast<uint64_t>(begin)) == 0);
    if (viewOffset[dim] || !areDigitsSplit)
      return std::nullopt;
    for (size_t i = 0; i < digits.size(); ++i) {
      auto [extent, stride] = digits[i];
      bool isLast = i + 1 == digits.size();
      int64_t steps = begin / prefix;
      if (!isLast)
        steps %= extent;
      bool isAfter = stride % getSwizzleSpan() == 0;
      (isAfter ? split.after : split.under) += steps * stride;
      uint64_t ofThread = bits / prefix;
      if (!isLast)
        ofThread &= extent - 1;
      uint64_t moved = getProductBits(ofThread, stride);
      prefix *= extent;
      if (isAfter)
        continue;
      if (split.threadBits & moved)
        return std::nullopt;
      split.threadBits |= moved;
    }
  }
  if (split.threadBits & static_cast<uint64_t>(split.under))
    return std::nullopt;
  return split;
}

uint64_t SharedAddress::getSwizzledBits(uint64_t bits) const {
  SwizzleAttr attr = shared.getSwizzle();
  if (!attr)
    return bits;
  int64_t base = attr.getBase() - llvm::Log2_64(elementBytes);
  uint64_t unit = (uint64_t(1) << attr.getBits()) - 1;
  return bits | (bits >> attr.getShift() & unit << base);
}

std::optional<int64_t>
SharedAddress::getDistance(ThreadCoordinates &coordinates, int64_t from,
                           int64_t to) const {
  std::optional<Split> begin = split(coordinates, from),
                       end = split(coordinates, to);
  if (!begin || !end)
    return std::nullopt;
  uint64_t taken = getSwizzledBits(begin->threadBits);
  int64_t first = swizzle(begin->under), last = swizzle(end->under);
  if (taken & (static_cast<uint64_t>(first) | static_cast<uint64_t>(last)))
    return std::nullopt;
  return last - first + end->after - begin->after;
}

/// The index is the sum of a static part, which depends only on `value`, and of
/// the thread's part. If the bits of the two parts are disjoint, the sum is
/// their xor, and the swizzle, which is linear over xor, is applied to each
/// part separately. The swizzled static part is added, except for the bits that
/// the thread's swizzled part may have set, too, which are xored. Multiples of
/// the swizzle's span are added after the swizzle in any case. Along a
/// dimension of several modes, the digits of the sum are those of the parts if
/// their bits are disjoint.
Value SharedAddress::getElement(ThreadCoordinates &coordinates, int64_t value) {
  std::optional<Split> parted = split(coordinates, value);
  if (!parted) {
    SmallVector<Value> coordinate;
    for (int64_t dim = 0; dim < static_cast<int64_t>(viewDim.size()); ++dim)
      coordinate.push_back(coordinates.get(value, dim));
    return getElement(coordinate);
  }
  auto [it, isNew] = parts.try_emplace(&coordinates);
  if (isNew)
    it->second = getThreadParts(coordinates);
  auto [thread, after] = it->second;
  Value base = index.add(after, stageBase);
  int64_t moved = swizzle(parted->under);
  if (!thread)
    return index.add(base, moved + parted->after);
  uint64_t taken = getSwizzledBits(parted->threadBits);
  Value element = index.bitXor(thread, moved & taken);
  return index.add(index.add(element, base), (moved & ~taken) + parted->after);
}

std::pair<Value, Value>
SharedAddress::getThreadParts(ThreadCoordinates &coordinates) {
  const Layout &layout = shared.getLayout().getValue();
  Value under, after;
  for (auto [dim, of] : llvm::enumerate(viewDim)) {
    auto digits = layout.mode(dim).coalescedModes();
    int64_t prefix = 1;
    for (size_t i = 0; i < digits.size(); ++i) {
      auto [extent, stride] = digits[i];
      Value digit = coordinates.getBase(of);
      if (digit && digits.size() > 1)
        digit = getDigit(index, digit, prefix, extent, i + 1 == digits.size());
      Value &sum = stride % getSwizzleSpan() == 0 ? after : under;
      sum = index.add(sum, index.mul(digit, stride));
      prefix *= extent;
    }
  }
  return {swizzle(under), after};
}
