// SharedAccess.cpp - how threads read and write a buffer in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/SharedAccess.h"

#include "Holders.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/Fragments.h"
#include "tile/Layout/BankConflicts.h"

#include <limits>
#include <map>

using namespace mlir;
using namespace tile;

bool tile::hasBytes(Type element) {
  return element.isIntOrFloat() && !element.isInteger(1);
}

int64_t tile::getMaxVector(SharedAttr shared, int64_t elementBytes) {
  const Layout &layout = shared.getLayout().getValue();
  if (shared.getBox().empty() || elementBytes >= kMaxAccessBytes)
    return 1;
  int64_t unit = std::min<int64_t>(kMaxAccessBytes, shared.getAlignment());
  if (SwizzleAttr swizzle = shared.getSwizzle())
    unit = std::min<int64_t>(unit, int64_t(1) << swizzle.getBase());
  // Neighbouring elements are in the first mode of the contiguous dimension.
  // The extent of this mode and all other strides must keep accesses aligned.
  int64_t bits = std::max<int64_t>(unit / elementBytes, 1);
  for (int64_t dim = 0, rank = layout.rank(); dim < rank; ++dim) {
    bool isFirst = dim == getContiguousDimension(shared);
    for (auto [extent, stride] : layout.mode(dim).coalescedModes()) {
      if (isFirst && stride != 1)
        return 1;
      bits |= isFirst ? 0 : stride;
      if (isFirst && layout.mode(dim).coalescedModes().size() > 1)
        bits |= extent;
      isFirst = false;
    }
  }
  return bits & -bits;
}

int64_t tile::getBufferBytes(SharedAttr shared, int64_t elementBytes) {
  return llvm::alignTo(shared.getLayout().getValue().cosize() * elementBytes,
                       shared.getAlignment());
}

int64_t tile::getBufferBytes(MemRefType buffer) {
  return getBufferBytes(cast<SharedAttr>(buffer.getMemorySpace()),
                        getElementBytes(buffer.getElementType()));
}

SmallVector<int64_t> tile::getOperandBox(const Tiling &tiling, int operand,
                                         int64_t k) {
  int64_t paddedK = llvm::alignTo(k, tiling.instruction.getSubTile().k);
  SmallVector<int64_t> box = {tiling.extent(operand), paddedK};
  if (operand == 1)
    std::swap(box[0], box[1]);
  if (tiling.hasBatch[operand])
    box.insert(box.begin(), tiling.extent(kBatchAxis));
  return box;
}

/// Returns a plan whose vectors have at most 16 bytes along the buffer's
/// contiguous dimension. If that is M or N, a vector has TM or TN elements of a
/// thread; if it is K, a vector has several steps along K.
static AccessPlan getFmaPlan(const Tiling &tiling, int operand,
                             ArrayRef<int64_t> box, int64_t contiguous,
                             int64_t elementBytes, int64_t numWarps) {
  int axis = operand;
  int64_t outer = operand == 0 ? 0 : 1, inner = 1 - outer;
  int64_t depth = box.take_back(2)[inner];
  int64_t batch = box.size() - 2;
  bool isBatchContiguous = contiguous < batch;
  contiguous = isBatchContiguous ? inner : contiguous - batch;
  int64_t run = contiguous == outer ? tiling.thread[axis] : depth;
  // If the batch is contiguous, neighbours in memory belong to other threads or
  // other steps.
  int64_t widest = isBatchContiguous ? 1 : kMaxAccessBytes / elementBytes;
  if (tiling.vector != 0)
    widest = std::min(widest, tiling.vector);
  int64_t vector = 1;
  while (vector * 2 <= widest && run % (vector * 2) == 0)
    vector *= 2;

  RegisterLayout::Modes value = {{vector, contiguous, 1}};
  if (contiguous == outer) {
    value.push_back({tiling.thread[axis] / vector, outer, vector});
    value.push_back({tiling.sub[axis], outer, tiling.subExtent(axis)});
    value.push_back({depth, inner, 1});
  } else {
    value.push_back({tiling.thread[axis], outer, 1});
    value.push_back({tiling.sub[axis], outer, tiling.subExtent(axis)});
    value.push_back({depth / vector, inner, vector});
  }
  RegisterLayout::Modes lane, warp;
  for (int other : {1, 0})
    lane.push_back({tiling.lanes[other], other == axis ? outer : -1,
                    other == axis ? tiling.thread[axis] : 0});
  for (int other : {0, 1})
    warp.push_back(
        {tiling.warps[other], other == axis ? outer : -1,
         other == axis ? tiling.sub[axis] * tiling.subExtent(axis) : 0});
  return {spreadOverBatch(tiling, lane, warp, value, box, numWarps),
          AccessKind::kLoad, vector, batch + contiguous};
}

AccessPlan tile::getOperandPlan(const Tiling &tiling, int operand,
                                ArrayRef<int64_t> box, int64_t contiguous,
                                int64_t elementBytes, int64_t numWarps) {
  if (!tiling.instruction.hasFragments())
    return getFmaPlan(tiling, operand, box, contiguous, elementBytes, numWarps);
  return getFragmentPlan(tiling, operand, box, contiguous, elementBytes,
                         numWarps);
}

AccessPlan tile::getCopyPlan(ArrayRef<int64_t> box, int64_t contiguous,
                             int64_t maxVector, int64_t numWarps) {
  int64_t vector = 1;
  if (!box.empty())
    while (vector * 2 <= maxVector && box[contiguous] % (vector * 2) == 0)
      vector *= 2;
  std::vector<int64_t> order;
  if (!box.empty())
    order.push_back(contiguous);
  for (int64_t dim = box.size(); dim-- > 0;)
    if (dim != contiguous)
      order.push_back(dim);
  return {RegisterLayout::blocked({box.begin(), box.end()}, vector, numWarps,
                                  order),
          AccessKind::kStore, vector, contiguous};
}

/// Removes modes from the front of `modes` and returns them. Their extents
/// multiply to `count` or, if that is not possible, to its largest possible
/// divisor.
static RegisterLayout::Modes takeDigits(RegisterLayout::Modes &modes,
                                        int64_t count) {
  RegisterLayout::Modes taken;
  while (count > 1 && !modes.empty()) {
    RegisterMode &first = modes.front();
    int64_t extent = std::gcd(first.extent, count);
    if (extent == 1)
      break;
    taken.push_back({extent, first.dim, first.step});
    count /= extent;
    bool isWhole = extent == first.extent;
    first = {first.extent / extent, first.dim, first.step * extent};
    if (!isWhole)
      break;
    modes.erase(modes.begin());
  }
  return taken;
}

std::optional<AccessPlan> tile::getMatrixPlan(const RegisterLayout &layout,
                                              int64_t contiguous,
                                              Type element) {
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0 ||
      element.getIntOrFloatBitWidth() > 32)
    return std::nullopt;
  // A register of ldmatrix has `run` neighbours along `inner`, and four lanes
  // have a row of 16 bytes.
  int64_t run = 32 / element.getIntOrFloatBitWidth();
  const RegisterLayout::Modes &lane = layout.getModes(RegisterLayout::kLane);
  if (lane.size() != 2 || lane[0].extent != 4 || lane[0].step != run ||
      lane[1].dim == lane[0].dim || lane[1].dim < 0)
    return std::nullopt;
  int64_t inner = lane[0].dim, outer = lane[1].dim;
  RegisterLayout::Modes value = layout.getModes(RegisterLayout::kValue);
  if (run > 1 &&
      takeDigits(value, run) != RegisterLayout::Modes{{run, inner, 1}})
    return std::nullopt;
  bool isTransposed = contiguous == outer;
  if (inner < 0 || (!isTransposed && contiguous != inner) ||
      (isTransposed && (run != 2 || lane[1].step != 1)))
    return std::nullopt;

  int64_t unit = 4 * run;
  RegisterLayout::Modes matrices = takeDigits(value, 4);
  int64_t count = 1;
  for (const RegisterMode &mode : matrices)
    count *= mode.extent;
  RegisterLayout::Modes row = {isTransposed ? RegisterMode{unit, inner, 1}
                                            : lane[1]};
  row.insert(row.end(), matrices.begin(), matrices.end());
  row.push_back({4 / count, -1, 0});
  value.insert(value.begin(), {unit, contiguous, 1});
  return AccessPlan{
      RegisterLayout::fromModes(row, layout.getModes(RegisterLayout::kWarp),
                                value, layout.getBox()),
      isTransposed ? AccessKind::kLdmatrixTransposed : AccessKind::kLdmatrix,
      unit, contiguous, count};
}

std::optional<AccessPlan> tile::getMatrixPlan(const RegisterLayout &layout,
                                              int64_t contiguous, Type element,
                                              ArrayRef<int64_t> box,
                                              int64_t maxVectorBytes) {
  bool isHeld = maxVectorBytes >= kMaxAccessBytes &&
                box.size() == layout.getBox().size() &&
                llvm::all_of_zip(box, layout.getBox(), std::greater_equal<>());
  return isHeld ? getMatrixPlan(layout, contiguous, element) : std::nullopt;
}

namespace {
/// Counts the wavefronts of a plan. The coordinates and addresses of each lane
/// in each access are computed as sums of table entries.
class WavefrontCounter {
public:
  /// Creates a counter for a plan; `source` is null unless the access is a
  /// copy.
  WavefrontCounter(const AccessPlan &plan, SharedAttr shared,
                   int64_t elementBytes, int64_t start,
                   const CopySource *source)
      : plan(plan), source(source), swizzle(shared.getSwizzle()),
        extents(shared.getBox()), bytes(plan.vector * elementBytes),
        startBytes(start * elementBytes) {
    const Layout &layout = shared.getLayout().getValue();
    for (auto [dim, extent] : llvm::enumerate(extents)) {
      Layout mode = layout.mode(dim);
      offsets.emplace_back();
      for (int64_t index = 0; index < extent; ++index)
        offsets.back().push_back(mode(index) * elementBytes);
      isLinear &= isLinearIn(offsets.back());
    }
    for (int64_t lane = 0; lane < getNumLanes(); ++lane) {
      lanes.push_back(plan.layout.coordinate(lane, 0, 0));
      isActive.push_back(accesses(RegisterLayout::kLane, lane));
    }
    farthest = lanes.front();
    for (const std::vector<int64_t> &lane : lanes)
      for (auto [most, distance] : llvm::zip(farthest, lane))
        most = std::max(most, distance);
  }

  Wavefronts count() {
    Wavefronts sum;
    SmallVector<std::vector<int64_t>> values;
    for (int64_t value = 0; value < plan.layout.getNumValues();
         value += plan.vector)
      if (isUsed(value))
        values.push_back(plan.layout.valueOffset(value));
    for (int64_t warp = 0; warp < plan.layout.getNumWarps(); ++warp) {
      if (!accesses(RegisterLayout::kWarp, warp))
        continue;
      std::vector<int64_t> ofWarp = plan.layout.coordinate(0, warp, 0);
      for (ArrayRef<int64_t> value : values)
        addAccess(ofWarp, value, sum);
    }
    return sum;
  }

private:
  /// Returns the number of lanes whose addresses an access uses. ldmatrix reads
  /// the rows matrix by matrix, each matrix at the addresses of eight lanes,
  /// like 16-byte accesses.
  int64_t getNumLanes() const {
    bool isMatrix = plan.kind == AccessKind::kLdmatrix ||
                    plan.kind == AccessKind::kLdmatrixTransposed;
    return isMatrix ? kMatrixRows * plan.matrices : kWarpSize;
  }

  /// Whether a lane or a warp makes its accesses. All threads that hold the
  /// same elements load them, but only the first of these threads stores them.
  bool accesses(RegisterLayout::Level level, int64_t index) const {
    return plan.kind != AccessKind::kStore ||
           isFirstHolder(plan.layout, level, index);
  }

  /// Whether some thread uses a value of the vector that starts at value
  /// `first`.
  bool isUsed(int64_t first) const {
    return !llvm::all_of(
        llvm::seq(first, first + plan.vector),
        [&](int64_t value) { return llvm::is_contained(plan.unused, value); });
  }

  static bool isLinearIn(ArrayRef<int64_t> offsets) {
    for (size_t index = 2; index < offsets.size(); ++index)
      if (offsets[index] - offsets[index - 1] != offsets[1] - offsets[0])
        return false;
    return true;
  }

  /// Adds one access of one warp, given the coordinates of the warp's first
  /// element and of the value relative to it. In a linear layout the distances
  /// of the lanes' addresses depend only on the first lane's offset modulo the
  /// period of the swizzle.
  void addAccess(ArrayRef<int64_t> warp, ArrayRef<int64_t> value,
                 Wavefronts &sum) {
    SmallVector<int64_t> first(warp);
    for (auto [ofFirst, ofValue] : llvm::zip_equal(first, value))
      ofFirst += ofValue;
    if (isLinear && !source && isInside(first)) {
      int64_t period = std::lcm<int64_t>(
          swizzle ? swizzle.getSwizzle().period() : 1, kBankBytes);
      auto [known, isNew] =
          ofOffset.try_emplace(getOffset(first) % period, Wavefronts());
      if (isNew)
        addWavefronts(getAddressesInside(first), known->second);
      sum += known->second;
      return;
    }
    LaneAddresses addresses = isInside(first) ? getAddressesInside(first)
                                              : getAddresses(first, value);
    if (!source)
      return addWavefronts(std::move(addresses), sum);
    LaneLines lines;
    for (const std::vector<int64_t> &coordinate : lanes)
      lines.push_back(getLine(first, coordinate));
    for (const LaneAddresses &part : splitByLine(addresses, lines))
      addWavefronts(part, sum);
  }

  /// Adds the wavefronts of one access. The addresses of most accesses of a
  /// plan are those of another access plus a whole number of words. Such
  /// accesses have the same wavefronts, which are counted once.
  void addWavefronts(LaneAddresses addresses, Wavefronts &sum) {
    uint32_t first = std::numeric_limits<uint32_t>::max();
    for (const std::optional<uint32_t> &address : addresses)
      first = std::min(first, address.value_or(first));
    for (std::optional<uint32_t> &address : addresses)
      if (address)
        *address -= first / kBankBytes * kBankBytes;
    auto [known, isNew] = counted.try_emplace(std::move(addresses));
    if (isNew) {
      AccessDirection direction = plan.kind == AccessKind::kLoad
                                      ? AccessDirection::kRead
                                      : AccessDirection::kWrite;
      known->second = {countWavefronts(known->first, bytes, direction),
                       minimalWavefronts(known->first, bytes, direction),
                       /*accesses=*/1};
    }
    sum += known->second;
  }

  /// Returns the line of the array from which a lane's vector is read; nothing
  /// if the vector is zeros. A vector of 16 bytes counts for the line of its
  /// first byte, even if it is unaligned.
  std::optional<uint64_t> getLine(ArrayRef<int64_t> first,
                                  ArrayRef<int64_t> lane) const {
    int64_t at = source->first;
    for (auto [dim, extent] : llvm::enumerate(source->extents)) {
      int64_t index = first[dim] + lane[dim];
      if (index >= extent)
        return std::nullopt;
      at += index * source->strides[dim];
    }
    if (source->isEnds && at % kMaxAccessBytes == 0)
      return std::nullopt;
    return llvm::divideFloorSigned(at, int64_t(kLineBytes));
  }

  /// Whether all lanes access elements inside the box, if lane 0 has the
  /// coordinate `first`.
  bool isInside(ArrayRef<int64_t> first) const {
    return llvm::all_of(llvm::enumerate(extents), [&](auto extent) {
      return first[extent.index()] + farthest[extent.index()] < extent.value();
    });
  }

  /// Returns the offset of an element in bytes, before the swizzle.
  int64_t getOffset(ArrayRef<int64_t> coordinate) const {
    int64_t offset = startBytes;
    for (auto [ofDim, index] : llvm::zip(offsets, coordinate))
      offset += ofDim[index];
    return offset;
  }

  /// Returns the addresses of all lanes. @pre isInside(first).
  LaneAddresses getAddressesInside(ArrayRef<int64_t> first) const {
    LaneAddresses addresses(kWarpSize);
    for (size_t lane = 0; lane < lanes.size(); ++lane) {
      if (!isActive[lane])
        continue;
      const int64_t *distance = lanes[lane].data();
      int64_t offset = startBytes;
      for (size_t dim = 0, rank = extents.size(); dim < rank; ++dim)
        offset += offsets[dim].data()[first[dim] + distance[dim]];
      addresses[lane] = swizzle ? swizzle.getSwizzle().apply(offset) : offset;
    }
    return addresses;
  }

  LaneAddresses getAddresses(ArrayRef<int64_t> first,
                             ArrayRef<int64_t> own) const {
    LaneAddresses addresses(kWarpSize);
    for (size_t lane = 0; lane < lanes.size(); ++lane)
      if (isActive[lane])
        addresses[lane] = getAddress(first, lanes[lane], own);
    return addresses;
  }

  /// Returns the address of a lane whose coordinate is `first` plus `lane`. A
  /// lane outside the box stores nothing. Instead of its element it loads the
  /// one with the same value index in the thread with index zero along all
  /// padded dimensions; `own` is the coordinate of that element along them. If
  /// that element is outside, too, the lane loads nothing.
  std::optional<uint32_t> getAddress(ArrayRef<int64_t> first,
                                     ArrayRef<int64_t> lane,
                                     ArrayRef<int64_t> own) const {
    bool isInside = true;
    for (auto [dim, extent] : llvm::enumerate(extents))
      isInside &= first[dim] + lane[dim] < extent;
    if (!isInside && plan.kind != AccessKind::kLoad)
      return std::nullopt;
    int64_t offset = startBytes;
    for (auto [dim, extent] : llvm::enumerate(extents)) {
      bool isMoved = !isInside && plan.layout.getBox()[dim] > extent;
      int64_t index = isMoved ? own[dim] : first[dim] + lane[dim];
      if (index >= extent)
        return std::nullopt;
      offset += offsets[dim][index];
    }
    return swizzle ? swizzle.getSwizzle().apply(offset) : offset;
  }

  const AccessPlan &plan;
  const CopySource *source;
  SwizzleAttr swizzle;
  SmallVector<int64_t> extents;
  unsigned bytes;
  int64_t startBytes;
  SmallVector<SmallVector<int64_t>> offsets;
  /// Whether the offset is a sum of multiples of the coordinates.
  bool isLinear = true;
  /// Coordinate of each lane relative to the first one, and the greatest of all
  /// lanes along each dimension.
  SmallVector<std::vector<int64_t>> lanes;
  std::vector<int64_t> farthest;
  SmallVector<bool> isActive;
  std::map<LaneAddresses, Wavefronts> counted;
  /// The wavefronts of an access by the first lane's offset.
  llvm::DenseMap<int64_t, Wavefronts> ofOffset;
};
} // namespace

Wavefronts tile::countPlanWavefronts(const AccessPlan &plan, SharedAttr shared,
                                     int64_t elementBytes, int64_t start) {
  return WavefrontCounter(plan, shared, elementBytes, start, /*source=*/nullptr)
      .count();
}

Wavefronts tile::countCopyWavefronts(const AccessPlan &plan, SharedAttr shared,
                                     int64_t elementBytes,
                                     const CopySource &source, int64_t start) {
  return WavefrontCounter(plan, shared, elementBytes, start, &source).count();
}
