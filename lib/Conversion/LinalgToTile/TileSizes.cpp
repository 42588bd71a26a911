// TileSizes.cpp - how many iterations of a group's loops a tile has
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes are those that people write (examples 06, 12, 30): for products such
// that each element that is loaded is multiplied often, for others such that a
// thread has some 16 elements. The phases choose threads and instructions for
// them.

#include "Groups.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

/// Elements of a tile that is not of a product: 16 for each of 128 threads.
static constexpr int64_t kElements = 2048;
/// The longest row that a block holds at once.
static constexpr int64_t kLongestRow = 8192;
/// Elements of a longer row that are read at once, and of one that is short
/// along memory.
static constexpr int64_t kPartOfRow = 1024;
/// Neighbours in memory that a tile has at least, where there are as many.
static constexpr int64_t kNeighbours = 128;
/// Of each of two arrays with other neighbours, as in a transpose.
static constexpr int64_t kTransposed = 32;

/// Scores of a row of attention that a block has at once, and the longest row
/// that it has whole.
static constexpr int64_t kScores = 64;
static constexpr int64_t kLongestScores = 128;

static bool isAtMost(int64_t extent, int64_t limit) {
  return !ShapedType::isDynamic(extent) && extent <= limit;
}

/// A power of two that is at most `limit`, and no larger than needed.
static int64_t fitPower(int64_t extent, int64_t limit) {
  limit = int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(limit, 1))));
  if (ShapedType::isDynamic(extent))
    return limit;
  return std::min(limit, int64_t(llvm::PowerOf2Ceil(uint64_t(extent))));
}

/// A multiple of 16, of which matrix instructions are made.
static int64_t fitFragments(int64_t extent, int64_t limit) {
  if (!isAtMost(extent, limit))
    return limit;
  return int64_t(llvm::alignTo(uint64_t(extent), 16));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Rows, columns and sums of a tile of a product.
struct ProductTile {
  int64_t rows, columns, sums;
};

/// Tensor cores take elements of up to 16 bits; f32 and wider ones are
/// multiplied by FMA, of tiles that leave registers for the sums.
static ProductTile getProductTile(Type element) {
  if (element.getIntOrFloatBitWidth() <= 16)
    return {128, 128, 64};
  return {32, 64, 64};
}

/// Where rows are reduced too, a block has fewer of them, and whole ones unless
/// they are long; the columns of attention's values are whole.
static void chooseProductTiles(Group &group, linalg::GenericOp op,
                               const Product &product) {
  ProductTile most =
      getProductTile(getElementTypeOrSelf(product.lhs->get().getType()));
  bool hasRow = llvm::any_of(
      group.loops, [](const GroupLoop &loop) { return loop.isReduced; });
  auto choose = [&](unsigned own, int64_t limit) {
    GroupLoop &loop = group.loops[group.loopsOf[op][own]];
    if (loop.isReduced)
      limit = isAtMost(loop.extent, kLongestScores) ? kLongestScores : kScores;
    loop.tile = fitFragments(loop.extent, limit);
  };
  choose(product.getRow(), hasRow ? most.rows / 2 : most.rows);
  choose(product.getColumn(), hasRow ? kMostWholeColumns : most.columns);
  choose(product.getSum(), most.sums);
}

//===----------------------------------------------------------------------===//
// Rows and elements
//===----------------------------------------------------------------------===//

/// The group's loops from the innermost one of memory to the outermost, by the
/// tensor of most dimensions that it reads, or the one that it makes.
static SmallVector<unsigned> getLoopsByMemory(const Group &group) {
  SmallVector<unsigned> order;
  auto add = [&](ArrayRef<unsigned> loops) {
    for (unsigned loop : llvm::reverse(loops))
      if (!llvm::is_contained(order, loop))
        order.push_back(loop);
  };
  linalg::GenericOp first = group.ops.front();
  for (OpOperand *operand : first.getDpsInputOperands())
    if (auto input = group.inputs.find(operand->get());
        input != group.inputs.end() &&
        input->second.size() == first.getNumLoops())
      add(input->second);
  add(group.getLoops(cast<OpResult>(first.getResult(0))));
  add(llvm::to_vector(llvm::seq<unsigned>(0, group.loops.size())));
  return order;
}

/// The innermost loops of what the group reads and stores, but for rows: two of
/// them where it transposes.
static SmallVector<unsigned> getInnermostLoops(const Group &group) {
  SmallVector<unsigned> innermost;
  auto add = [&](ArrayRef<unsigned> loops) {
    if (!loops.empty() && !group.loops[loops.back()].isReduced &&
        !llvm::is_contained(innermost, loops.back()))
      innermost.push_back(loops.back());
  };
  for (Value output : group.outputs)
    add(group.getLoops(cast<OpResult>(output)));
  for (auto &[tensor, loops] : group.inputs)
    if (loops.size() == group.loops.size())
      add(loops);
  return innermost;
}

static void chooseRowTiles(Group &group) {
  SmallVector<unsigned> order = getLoopsByMemory(group);
  int64_t elements = 1, dims = 0;
  auto choose = [&](GroupLoop &loop, int64_t tile) {
    // A tile has at most four dimensions.
    if (loop.tile != 0 || dims == 4)
      return;
    loop.tile = tile;
    elements *= tile;
    dims += tile > 1;
  };
  auto chooseReduced = [&](GroupLoop &loop, bool isInner) {
    if (loop.isPart)
      choose(loop, 1);
    else if (isAtMost(loop.extent,
                      (isInner ? kLongestRow : kElements) / elements))
      choose(loop, loop.extent);
    else
      choose(loop, fitPower(loop.extent,
                            isInner ? kPartOfRow : kElements / elements));
  };
  for (GroupLoop &loop : group.loops)
    loop.tile = 0;
  if (!order.empty() && group.loops[order.front()].isReduced)
    chooseReduced(group.loops[order.front()], /*isInner=*/true);
  SmallVector<unsigned> innermost = getInnermostLoops(group);
  int64_t most = innermost.size() > 1 ? kTransposed : kNeighbours;
  for (unsigned number : innermost) {
    GroupLoop &loop = group.loops[number];
    choose(loop, fitPower(loop.extent, std::min(most, kElements / elements)));
  }
  for (unsigned number : order)
    if (group.loops[number].isReduced)
      chooseReduced(group.loops[number], /*isInner=*/false);
  for (unsigned number : order)
    choose(group.loops[number],
           fitPower(group.loops[number].extent, kElements / elements));
  for (GroupLoop &loop : group.loops)
    loop.tile = std::max<int64_t>(loop.tile, 1);
}

void fromlinalg::chooseTiles(Group &group) {
  bool hasProduct = false;
  for (linalg::GenericOp op : group.ops)
    if (std::optional<Product> product = matchProduct(op)) {
      chooseProductTiles(group, op, *product);
      hasProduct = true;
    }
  if (!hasProduct)
    chooseRowTiles(group);
}
