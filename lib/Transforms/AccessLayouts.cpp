// AccessLayouts.cpp - layouts of rows that threads access side by side
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AccessLayouts.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/ConvertedLoad.h"
#include "tile/Analysis/Tiling.h"
#include "tile/IR/Participants.h"

#include <set>

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

SmallVector<int64_t> tile::getParts(ArrayRef<Value> tiles) {
  SmallVector<int64_t> parts;
  for (Value tile : tiles)
    for (OpOperand &use : tile.getUses()) {
      auto op = dyn_cast<LayoutOpInterface>(use.getOwner());
      if (!op || use.getOperandNumber() != 0)
        continue;
      SmallVector<int64_t> own = op.getSourceParts();
      parts.resize(std::max(parts.size(), own.size()));
      for (auto [part, other] : llvm::zip(parts, own))
        part = std::gcd(part, other);
    }
  return parts;
}

bool tile::isInParts(const RegisterLayout &layout, ArrayRef<int64_t> parts) {
  for (auto [dim, part] : llvm::enumerate(parts))
    if (part % layout.getPeriod(dim) != 0)
      return false;
  return true;
}

/// Returns a layout in which the lanes share the rows of one part, and which
/// repeats for every other part; nothing if the layout does not fit a part
/// exactly.
static std::optional<RegisterLayout>
getBlockedInParts(ArrayRef<int64_t> shape, int64_t vector, int64_t numWarps,
                  const std::vector<int64_t> &order, ArrayRef<int64_t> parts) {
  std::vector<int64_t> part(shape.begin(), shape.end());
  for (auto [extent, limit] : llvm::zip_equal(part, parts))
    extent = limit == 0 ? extent : limit;
  if (part[order.front()] % vector != 0)
    return std::nullopt;
  RegisterLayout layout =
      RegisterLayout::blocked(part, vector, numWarps, order);
  if (!isInParts(layout, parts))
    return std::nullopt;
  for (auto [dim, limit] : llvm::enumerate(parts))
    if (limit != 0)
      layout = layout.resizeDimension(dim, shape[dim]);
  return layout;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Bytes of a register and of a cache line.
static constexpr int64_t kRegisterBytes = 4, kLineBytes = 128;

/// Whether the instruction of a matmul reads a tile, or an alias of it, by a
/// descriptor.
static bool isReadByDescriptor(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    if (isAlias(user))
      return isReadByDescriptor(user->getResult(0));
    auto matmul = dyn_cast<MatmulOpInterface>(user);
    return matmul && hasCompleteTiling(matmul) &&
           getTiling(matmul).instruction.readsDescriptors();
  });
}

/// Returns the number of elements of one access of 16 bytes by which a tile is
/// stored to panels of a matrix descriptor after it was converted in registers;
/// the largest integer for other tiles. With more, adjacent lanes would store
/// every other vector of a row, in the same banks.
static int64_t getStoredWidth(ArrayAccessOpInterface access) {
  auto load = dyn_cast<CopyableOpInterface>(*access);
  auto copy = load ? getStoredCopy(load) : nullptr;
  return copy && isReadByDescriptor(copy)
             ? kMaxAccessBytes /
                   getElementBytes(copy.getType().getElementType())
             : std::numeric_limits<int64_t>::max();
}

/// Returns the vector width, reduced so that every thread has an element if
/// there are enough: idle threads would not make the others faster. A thread
/// keeps at least four bytes, the size of a register.
static int64_t spreadOverThreads(int64_t vector, TileType tile,
                                 int64_t numWarps) {
  int64_t bytes = getElementBytes(tile.getElementType());
  while (vector % 2 == 0 && vector * bytes > kRegisterBytes &&
         tile.getNumElements() / vector < numWarps * kWarpSize)
    vector /= 2;
  return vector;
}

/// Returns the number of contiguous elements along dimension `dim` that the
/// lanes of a warp access together, if each lane accesses `vector` elements.
static int64_t getRun(const RegisterLayout &layout, int64_t dim,
                      int64_t vector) {
  int64_t run = vector;
  for (const RegisterMode &mode : layout.getModes(RegisterLayout::kLane))
    if (mode.dim == dim && mode.step == run)
      run *= mode.extent;
  return run;
}

int64_t tile::getRunBytes(const RegisterLayout &layout, int64_t dim,
                          Type element) {
  return getRun(layout, dim, layout.getContiguity(dim)) *
         getElementBytes(element);
}

std::vector<int64_t> tile::getRowOrder(int64_t rank, int64_t dim) {
  std::vector<int64_t> order;
  if (rank > 0)
    order.push_back(dim);
  for (int64_t other = rank; other-- > 0;)
    if (other != dim)
      order.push_back(other);
  return order;
}

namespace {
/// The elements of a warp form boxes of one shape. Value modes give the steps
/// from one box to the next.
struct WarpBoxes {
  std::vector<int64_t> shape;
  RegisterLayout::Modes repeats;
};
} // namespace

/// Returns the boxes of elements that each warp has; nothing if lanes or warps
/// have the same elements.
static std::optional<WarpBoxes> getWarpBoxes(const RegisterLayout &layout) {
  int64_t rank = layout.getRank();
  const RegisterLayout::Modes &warps = layout.getModes(RegisterLayout::kWarp);
  if (layout.getReplication(RegisterLayout::kLane) != 1 ||
      layout.getReplication(RegisterLayout::kWarp) != 1)
    return std::nullopt;
  // Modes of a dimension are digits: a box ends at the first warp mode.
  std::vector<int64_t> ends(layout.getBox());
  for (const RegisterMode &mode : warps)
    ends[mode.dim] = std::min(ends[mode.dim], mode.step);
  WarpBoxes boxes{std::vector<int64_t>(rank, 1), {}};
  for (auto level : {RegisterLayout::kLane, RegisterLayout::kValue})
    for (const RegisterMode &mode : layout.getModes(level)) {
      if (mode.dim < 0)
        return std::nullopt;
      if (mode.step < ends[mode.dim])
        boxes.shape[mode.dim] *= mode.extent;
      else if (level == RegisterLayout::kValue)
        boxes.repeats.push_back(mode);
      else
        return std::nullopt;
    }
  return boxes;
}

std::optional<RegisterLayout> tile::getRowsOfWarps(const RegisterLayout &source,
                                                   int64_t dim, int64_t vector,
                                                   Type element) {
  std::optional<WarpBoxes> boxes = getWarpBoxes(source);
  if (!boxes || boxes->shape[dim] % vector != 0 ||
      boxes->shape[dim] * getElementBytes(element) < kMinRowBytes)
    return std::nullopt;
  RegisterLayout rows = RegisterLayout::blocked(
      boxes->shape, vector, /*numWarps=*/1, getRowOrder(source.getRank(), dim));
  if (rows.getBox() != boxes->shape ||
      rows.getReplication(RegisterLayout::kLane) != 1)
    return std::nullopt;
  RegisterLayout::Modes values = rows.getModes(RegisterLayout::kValue);
  llvm::append_range(values, boxes->repeats);
  return RegisterLayout::fromModes(rows.getModes(RegisterLayout::kLane),
                                   source.getModes(RegisterLayout::kWarp),
                                   values, source.getBox());
}

/// Returns the bytes from one row of a tile to the next one in an array;
/// nothing if the rows of the array are longer than those of the tile.
static std::optional<int64_t> getRowBytes(MemRefType array, TileType tile,
                                          int64_t dim) {
  int64_t extent = tile.getDimSize(dim);
  if (!array.getLayout().isIdentity() || dim != tile.getRank() - 1 ||
      array.getShape().back() != extent)
    return std::nullopt;
  return extent * getElementBytes(tile.getElementType());
}

/// Returns the number of cache lines that the first access of a warp touches.
/// Rows are assumed to start at a line if their distance is not known.
static int64_t countLines(const RegisterLayout &layout, int64_t dim,
                          int64_t elementBytes,
                          std::optional<int64_t> rowBytes) {
  std::set<std::vector<int64_t>> lines;
  for (int64_t lane = 0; lane < kWarpSize; ++lane) {
    std::vector<int64_t> coordinates = layout.coordinate(lane, /*warp=*/0,
                                                         /*value=*/0);
    coordinates[dim] *= elementBytes;
    if (rowBytes && dim > 0)
      coordinates[dim] += std::exchange(coordinates[dim - 1], 0) * *rowBytes;
    coordinates[dim] /= kLineBytes;
    lines.insert(coordinates);
  }
  return static_cast<int64_t>(lines.size());
}

bool AccessLayouts::isScattered(ArrayAccessOpInterface access,
                                const RegisterLayout &layout) const {
  constexpr int64_t kLeastShare = 64, kLeastLines = 4;
  auto tile = cast<TileType>(access.getAccessedTile().getType());
  auto array = cast<MemRefType>(access.getArray().getType());
  std::optional<int64_t> dim = getContiguousDimension(array, tile.getRank());
  if (!dim)
    return false;
  int64_t bytes = getElementBytes(tile.getElementType());
  int64_t vector =
      std::min(layout.getContiguity(*dim), kMaxAccessBytes / bytes);
  int64_t lanes = kWarpSize / layout.getReplication(RegisterLayout::kLane);
  int64_t accessed = llvm::divideCeil(lanes * vector * bytes, kLineBytes);
  return layout.getNumValues() * bytes >= kLeastShare &&
         getRun(layout, *dim, vector) * bytes < architecture.sectorBytes &&
         countLines(layout, *dim, bytes, getRowBytes(array, tile, *dim)) >=
             kLeastLines * accessed;
}

int64_t AccessLayouts::countSectors(ArrayAccessOpInterface access,
                                    const RegisterLayout &layout) const {
  auto tile = cast<TileType>(access.getAccessedTile().getType());
  std::optional<int64_t> dim = getContiguousDimension(
      cast<MemRefType>(access.getArray().getType()), tile.getRank());
  if (!dim)
    return 0;
  int64_t bytes = getElementBytes(tile.getElementType());
  int64_t vector = std::gcd(layout.getContiguity(*dim), getAccessWidth(access));
  std::set<std::vector<int64_t>> sectors;
  for (int64_t lane = 0; lane < kWarpSize; ++lane) {
    std::vector<int64_t> coordinates = layout.coordinate(lane, /*warp=*/0,
                                                         /*value=*/0);
    int64_t first = coordinates[*dim] * bytes / architecture.sectorBytes;
    int64_t last =
        ((coordinates[*dim] + vector) * bytes - 1) / architecture.sectorBytes;
    for (coordinates[*dim] = first; coordinates[*dim] <= last;
         ++coordinates[*dim])
      sectors.insert(coordinates);
  }
  // All accesses touch as many sectors as the first one.
  return static_cast<int64_t>(sectors.size()) * layout.getNumValues() / vector;
}

RegisterLayout AccessLayouts::getBlocked(TileType tile, int64_t vector,
                                         int64_t numWarps,
                                         const std::vector<int64_t> &order,
                                         ArrayRef<int64_t> parts) const {
  ArrayRef<int64_t> shape = tile.getShape();
  RegisterLayout whole =
      RegisterLayout::blocked(shape.vec(), vector, numWarps, order);
  if (llvm::all_of(parts, [](int64_t part) { return part == 0; }))
    return whole;
  std::optional<RegisterLayout> layout =
      getBlockedInParts(shape, vector, numWarps, order, parts);
  if (!layout)
    return whole;
  int64_t bytes = getElementBytes(tile.getElementType());
  auto getSectorPart = [&](const RegisterLayout &layout) {
    return std::min(getRun(layout, order.front(), vector) * bytes,
                    architecture.sectorBytes);
  };
  // A thread may make two accesses if the tile can then be used in parts: they
  // take no longer than the barrier of a part in shared memory.
  int64_t most = std::max(whole.getNumValues(), 2 * kMaxAccessBytes / bytes);
  return layout->getNumValues() <= most &&
                 getSectorPart(*layout) >= getSectorPart(whole)
             ? *layout
             : whole;
}

RegisterLayout AccessLayouts::get(ArrayAccessOpInterface access, bool isSpread,
                                  ArrayRef<int64_t> parts) const {
  auto tile = cast<TileType>(access.getAccessedTile().getType());
  std::optional<int64_t> dim = getContiguousDimension(
      cast<MemRefType>(access.getArray().getType()), tile.getRank());
  std::vector<int64_t> shape = tile.getShape().vec();
  int64_t numWarps = getParticipants(access).numWarps;
  if (!dim)
    return RegisterLayout::blocked(shape, 1, numWarps);
  int64_t vector = std::min(getAccessWidth(access), getStoredWidth(access));
  while (shape[*dim] % vector != 0)
    vector /= 2;
  if (isSpread)
    vector = spreadOverThreads(vector, tile, numWarps);
  return getBlocked(tile, vector, numWarps, getRowOrder(tile.getRank(), *dim),
                    parts);
}

RegisterLayout AccessLayouts::get(Value value, bool isSpread,
                                  ArrayRef<int64_t> parts) const {
  auto tile = cast<TileType>(value.getType());
  int64_t numWarps = getTileParticipants(value).numWarps, vector = 1;
  if (tile.getRank() > 0)
    while (vector * 2 * getElementBytes(tile.getElementType()) <=
               kMaxAccessBytes &&
           tile.getShape().back() % (vector * 2) == 0)
      vector *= 2;
  if (isSpread)
    vector = spreadOverThreads(vector, tile, numWarps);
  return getBlocked(tile, vector, numWarps,
                    getRowOrder(tile.getRank(), tile.getRank() - 1), parts);
}
