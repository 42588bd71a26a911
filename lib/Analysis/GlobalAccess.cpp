// GlobalAccess.cpp - sectors that an access to global memory moves
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/GlobalAccess.h"

#include "Holders.h"

using namespace mlir;
using namespace tile;

namespace {
/// Counts the sectors of a plan, instruction by instruction.
class SectorCounter {
public:
  SectorCounter(const AccessPlan &plan, const CopySource &source,
                int64_t elementBytes, int64_t sectorBytes, bool isMasked)
      : plan(plan), source(source), bytes(plan.vector * elementBytes),
        sectorBytes(sectorBytes), isMasked(isMasked) {
    for (int64_t lane = 0; lane < kWarpSize; ++lane)
      if (accesses(RegisterLayout::kLane, lane))
        lanes.push_back(plan.layout.coordinate(lane, 0, 0));
  }

  Sectors count() const {
    Sectors sum;
    for (int64_t warp = 0; warp < plan.layout.getNumWarps(); ++warp)
      for (int64_t value = 0; value < plan.layout.getNumValues() &&
                              accesses(RegisterLayout::kWarp, warp);
           value += plan.vector)
        addInstruction(warp, value, sum);
    return sum;
  }

private:
  bool isLoad() const { return plan.kind == AccessKind::kLoad; }

  /// Whether a lane or a warp performs the access. All threads that hold the
  /// same elements load them, but only the first of these threads stores them.
  bool accesses(RegisterLayout::Level level, int64_t index) const {
    return isLoad() || isFirstHolder(plan.layout, level, index);
  }

  void addInstruction(int64_t warp, int64_t value, Sectors &sum) const {
    std::vector<int64_t> first = plan.layout.coordinate(0, warp, value);
    std::vector<int64_t> own = plan.layout.valueOffset(value);
    SmallVector<int64_t> offsets;
    for (const std::vector<int64_t> &lane : lanes)
      if (std::optional<int64_t> offset = getOffset(first, lane, own))
        offsets.push_back(*offset);
    llvm::sort(offsets);
    sum.actual += countTouched(offsets);
    sum.minimal += llvm::divideCeil(countBytes(offsets), sectorBytes);
  }

  /// Returns the offset in bytes, from a sector boundary, of the element that a
  /// lane accesses; nothing if the lane accesses none.
  std::optional<int64_t> getOffset(ArrayRef<int64_t> first,
                                   ArrayRef<int64_t> lane,
                                   ArrayRef<int64_t> own) const {
    bool isInside = true;
    for (auto [dim, extent] : llvm::enumerate(source.extents))
      isInside &= first[dim] + lane[dim] < extent;
    if (!isInside && (!isLoad() || isMasked))
      return std::nullopt;
    int64_t offset = source.first;
    for (auto [dim, extent] : llvm::enumerate(source.extents)) {
      bool isMoved = !isInside && plan.layout.getBox()[dim] > extent;
      int64_t index = isMoved ? own[dim] : first[dim] + lane[dim];
      if (index >= extent)
        return std::nullopt;
      offset += index * source.strides[dim];
    }
    return offset;
  }

  /// Returns the number of sectors that accesses at these byte offsets touch.
  /// @pre the offsets are in ascending order, as for countBytes.
  int64_t countTouched(ArrayRef<int64_t> offsets) const {
    int64_t count = 0, next = std::numeric_limits<int64_t>::min();
    for (int64_t offset : offsets) {
      int64_t begin = llvm::divideFloorSigned(offset, sectorBytes);
      int64_t end =
          llvm::divideFloorSigned(offset + bytes - 1, sectorBytes) + 1;
      count += std::max<int64_t>(end - std::max(begin, next), 0);
      next = std::max(next, end);
    }
    return count;
  }

  int64_t countBytes(ArrayRef<int64_t> offsets) const {
    int64_t count = 0, next = std::numeric_limits<int64_t>::min();
    for (int64_t offset : offsets) {
      count += std::max<int64_t>(offset + bytes - std::max(offset, next), 0);
      next = std::max(next, offset + bytes);
    }
    return count;
  }

  const AccessPlan &plan;
  const CopySource &source;
  int64_t bytes, sectorBytes;
  bool isMasked;
  SmallVector<std::vector<int64_t>> lanes;
};
} // namespace

Sectors tile::countSectors(const AccessPlan &plan, const CopySource &source,
                           int64_t elementBytes, int64_t sectorBytes,
                           bool isMasked) {
  return SectorCounter(plan, source, elementBytes, sectorBytes, isMasked)
      .count();
}
