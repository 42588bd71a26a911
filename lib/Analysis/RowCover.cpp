// RowCover.cpp - copies of unaligned rows as the aligned chunks that cover them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/RowCover.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/BufferView.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/IR/Gpu/TileGpu.h"

using namespace mlir;
using namespace tile;

/// Maximum number of chunks of a row. A warp holds a row in registers, as four
/// parts of eight chunks.
static constexpr int64_t kMaxRowChunks = 32;
/// Number of chunks of a row that lanes read at the same time. They use all
/// banks.
static constexpr int64_t kPartChunks = 8;

/// Whether single elements are too narrow for cp.async.
static bool isNarrow(Type element) {
  return hasBytes(element) && getElementBytes(element) < kMinAsyncBytes;
}

/// Whether C3 of tile_gpu.align_rows holds for a tile whose rows are along
/// `contiguous`.
static bool hasRowsToCover(MemRefType array, ArrayRef<int64_t> shape,
                           int64_t contiguous) {
  if (!isNarrow(array.getElementType()) || shape.size() < 2 ||
      getContiguousDimension(array, shape.size()) != contiguous)
    return false;
  int64_t bytes = shape[contiguous] * getElementBytes(array.getElementType());
  return bytes % kMaxAccessBytes == 0 &&
         bytes <= kMaxRowChunks * kMaxAccessBytes;
}

/// Whether each row of a buffer starts at a multiple of 16 bytes.
static bool beginsAtChunks(SharedAttr shared, int64_t elementBytes) {
  return getMaxVector(shared, elementBytes) * elementBytes == kMaxAccessBytes;
}

/// Whether shared memory can hold the tile together with the last chunks of its
/// rows.
static bool fitsWithEnds(CopyableOpInterface load) {
  auto kernel = load->getParentOfType<KernelOp>();
  const Architecture *architecture = getTargetArchitecture(kernel);
  TileType type = load.getTileType();
  MemRefType ends =
      tile_gpu::CoverRowsAttr::get(load.getContext()).getExtraBuffer(type);
  return architecture &&
         getBufferBytes(type.getShared(),
                        getElementBytes(type.getElementType())) +
                 getBufferBytes(ends) <=
             getSharedBytesLimit(kernel, *architecture);
}

bool tile::canCover(CopyableOpInterface load) {
  TileType type = load.getTileType();
  SharedAttr shared = type.getShared();
  if (!shared || !shared.isResolved() || load.getPad() ||
      shared.getBox() != SmallVector<int64_t>(type.getShape()))
    return false;
  auto array = cast<MemRefType>(load.getArray().getType());
  int64_t contiguous = getContiguousDimension(shared);
  int64_t along = array.getRank() - type.getRank() + contiguous;
  return hasRowsToCover(array, type.getShape(), contiguous) &&
         beginsAtChunks(shared, getElementBytes(type.getElementType())) &&
         isKnownNonNegative(load.getOffsets()[along]) && fitsWithEnds(load);
}

bool tile::needsCover(CopyableOpInterface load) {
  TileType type = load.getTileType();
  if (!canCover(load))
    return false;
  int64_t width =
      getVectorWidth(load.getArray(), load.getOffsets(), type.getShape());
  return width * getElementBytes(type.getElementType()) < kMinAsyncBytes;
}

/// Whether the rows of a buffer start at multiples of 16 bytes and are at least
/// as long as the rows of `shape`, and the other extents equal those of
/// `shape`.
static bool hasRows(Value buffer, ArrayRef<int64_t> shape, int64_t contiguous,
                    int64_t elementBytes) {
  std::optional<BufferView> view = getBufferView(buffer);
  if (!view || view->getBox().size() != shape.size() || view->start != 0 ||
      getContiguousDimension(view->shared) != contiguous ||
      !beginsAtChunks(view->shared, elementBytes))
    return false;
  SmallVector<int64_t> box = view->getBox();
  bool isLongEnough = box[contiguous] >= shape[contiguous];
  box[contiguous] = shape[contiguous];
  return isLongEnough && ArrayRef(box) == shape;
}

bool tile::canCover(MemRefType array, Value buffer, Value ends) {
  std::optional<BufferView> view = getBufferView(buffer);
  if (!view)
    return false;
  ArrayRef<int64_t> shape = getTileShape(buffer.getType());
  int64_t contiguous = getContiguousDimension(view->shared);
  int64_t bytes = getElementBytes(array.getElementType());
  SmallVector<int64_t> endsShape(shape);
  endsShape[contiguous] = kMaxAccessBytes / bytes;
  return hasRowsToCover(array, shape, contiguous) &&
         view->getBox() == SmallVector<int64_t>(shape) &&
         hasRows(buffer, shape, contiguous, bytes) &&
         (!ends || hasRows(ends, endsShape, contiguous, bytes));
}

namespace {
/// Creates the modes of dimensions in order: each mode continues at the step at
/// which the last one of the same dimension ended.
class Digits {
public:
  explicit Digits(size_t rank) : covered(rank, 1) {}

  RegisterMode take(int64_t dim, int64_t extent) {
    RegisterMode digit{extent, dim, covered[dim]};
    covered[dim] *= extent;
    return digit;
  }
  /// Returns the extent that the next mode of `dim` needs so that the modes of
  /// `dim` together cover `extent`.
  int64_t getLeft(int64_t dim, int64_t extent) const {
    return llvm::divideCeil(extent, covered[dim]);
  }
  const std::vector<int64_t> &getCovered() const { return covered; }

private:
  std::vector<int64_t> covered;
};
} // namespace

/// Adjacent rows go to different warps if the number of warps is even, so that
/// the rows which a warp reads at the same time are two apart. Even if the
/// stride of the array is odd, the shifts of such rows have the same parity.
/// Shifts that differ by whole words keep the words that the lanes read in
/// different banks.
RowShiftPlan tile::planRowShift(ArrayRef<int64_t> box, int64_t contiguous,
                                int64_t elementBytes, int64_t numWarps) {
  int64_t chunk = kMaxAccessBytes / elementBytes;
  SmallVector<int64_t> rows;
  for (int64_t dim = box.size(); dim-- > 0;)
    if (dim != contiguous)
      rows.push_back(dim);
  Digits digits(box.size());
  RegisterLayout::Modes lane, warp, value = {digits.take(contiguous, chunk)};
  int64_t lanes = std::min<int64_t>(
      kPartChunks,
      llvm::PowerOf2Ceil(digits.getLeft(contiguous, box[contiguous])));
  lane.push_back(digits.take(contiguous, lanes));
  int64_t parts = digits.getLeft(contiguous, box[contiguous]);
  value.push_back(digits.take(contiguous, parts));
  int64_t neighbours = numWarps % 2 == 0 ? 2 : 1;
  warp.push_back(digits.take(rows.front(), neighbours));
  lane.push_back(digits.take(rows.front(), kWarpSize / lanes));
  int64_t warpsLeft = numWarps / neighbours;
  for (int64_t dim : rows) {
    int64_t warps = std::min(warpsLeft, digits.getLeft(dim, box[dim]));
    while (warpsLeft % warps != 0)
      --warps;
    warp.push_back(digits.take(dim, warps));
    warpsLeft /= warps;
  }
  warp.push_back(digits.take(rows.front(), warpsLeft));
  for (int64_t dim : rows)
    value.push_back(digits.take(dim, digits.getLeft(dim, box[dim])));
  return {{RegisterLayout::fromModes(lane, warp, value, digits.getCovered()),
           AccessKind::kStore, chunk, contiguous},
          parts};
}
