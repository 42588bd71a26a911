// TileGroups.cpp - number of iterations of a group's loops in a tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matmul gets the tile with the least estimated time (MatmulTiles.h). Other
// groups get about 16 elements for each thread, as in programs written by hand
// (examples 12 and 30). Later phases choose the threads and the instructions.

#include "Groups.h"
#include "MatmulTiles.h"
#include "Steps.h"
#include "TakenFunctions.h"

#include "llvm/Support/MathExtras.h"

namespace tile {
#define GEN_PASS_DEF_TILEGROUPS
#include "tile/Conversion/LinalgToTile.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

/// Number of elements of a tile of a group without a matmul: 16 for each of 128
/// threads.
static constexpr int64_t kElements = 2048;
/// Length of the longest row that a block holds at once.
static constexpr int64_t kLongestRow = 8192;
/// Maximum number of elements of a tile along a reduced, innermost row that is
/// longer than kLongestRow.
static constexpr int64_t kPartOfRow = 1024;
/// Number of elements that a tile has along the innermost dimension of the
/// arrays, unless the dimension is shorter.
static constexpr int64_t kNeighbours = 128;
/// Number of elements along each of two innermost dimensions, if the arrays of
/// the group have different ones, as in a transpose.
static constexpr int64_t kTransposed = 32;

/// kScores is the number of scores of a row of a softmax in one tile, and
/// kLongestScores the maximum length of a row that one tile contains as a
/// whole.
static constexpr int64_t kScores = 64;
static constexpr int64_t kLongestScores = 128;

static bool isAtMost(int64_t extent, int64_t limit) {
  return !ShapedType::isDynamic(extent) && extent <= limit;
}

/// Returns a power of two that is at most `limit`, and that is no larger than
/// needed for `extent`.
static int64_t fitPower(int64_t extent, int64_t limit) {
  limit = int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(limit, 1))));
  if (ShapedType::isDynamic(extent))
    return limit;
  return std::min(limit, int64_t(llvm::PowerOf2Ceil(uint64_t(extent))));
}

//===----------------------------------------------------------------------===//
// Matmuls
//===----------------------------------------------------------------------===//

/// Returns an extent of a loop; an estimate if it is known only at run time.
static int64_t guessExtent(int64_t extent) {
  constexpr int64_t kUnknown = 2048;
  return ShapedType::isDynamic(extent) ? kUnknown : extent;
}

static MatmulSizes getSizes(linalg::GenericOp op, const Matmul &matmul) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  MatmulSizes sizes{guessExtent(extents[matmul.getRow()]),
                    guessExtent(extents[matmul.getColumn()]),
                    guessExtent(extents[matmul.getSum()]), 1,
                    getElementTypeOrSelf(matmul.lhs->get().getType())};
  // The kernel itself computes operations outside of groups, and those of its
  // own group.
  auto isComputed = [](OpOperand *operand) {
    auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
    return producer && !isCopy(producer);
  };
  sizes.isComputed = {isComputed(matmul.lhs), isComputed(matmul.rhs)};
  auto addBatch = [&](ArrayRef<unsigned> loops) {
    for (unsigned loop : loops)
      sizes.batch *= static_cast<double>(guessExtent(extents[loop]));
  };
  addBatch(matmul.batch);
  addBatch(ArrayRef(matmul.rows).drop_back());
  addBatch(ArrayRef(matmul.columns).drop_back());
  return sizes;
}

static SmallVector<linalg::GenericOp> getMatmuls(const Group &group) {
  return llvm::filter_to_vector(group.ops, [](linalg::GenericOp op) {
    return matchMatmul(op).has_value();
  });
}

/// Returns the rows of a tile of all columns. With tensor cores these are 128
/// if the target has warpgroup MMAs and 128 rows take no more time than 64,
/// else 64.
static int64_t chooseRows(int64_t columns, const MatmulSizes &sizes,
                          const Architecture &target) {
  constexpr int64_t kMany = 128, kFew = 64, kSums = 64, kOfThreads = 16;
  if (!usesTensorCores(sizes.element))
    return kOfThreads;
  auto estimate = [&](int64_t rows) {
    return estimateMatmul({fitFragments(sizes.rows, rows), columns, kSums},
                          sizes, target);
  };
  return target.hasWarpgroupMma && estimate(kMany) <= estimate(kFew) ? kMany
                                                                     : kFew;
}

/// Chooses the tiles of a matmul in a group that also reduces rows. A tile has
/// fewer rows than that of another matmul, and contains them as a whole unless
/// they are long. In a chain of two matmuls, a tile contains all columns that
/// are not summed. The tiles of a chain are those of
/// benchmarks/chain_programs.py.
static void chooseRowMatmulTiles(Group &group, linalg::GenericOp op,
                                 const Matmul &matmul,
                                 const Architecture &target) {
  MatmulSizes sizes = getSizes(op, matmul);
  bool isFast = usesTensorCores(sizes.element);
  bool isChain = getMatmuls(group).size() > 1;
  ArrayRef<unsigned> loops = group.loopsOf[op];
  int64_t longest = isFast && !isChain ? kMostWholeColumns : kLongestScores;
  int64_t part = kScores;
  if (isFast && isChain && group.loops[loops[matmul.getSum()]].extent > 64)
    part = kLongestScores;
  auto choose = [&](unsigned own, int64_t limit) {
    GroupLoop &loop = group.loops[loops[own]];
    if (loop.isReduced)
      limit = isAtMost(loop.extent, longest) ? longest : part;
    loop.tile = fitFragments(loop.extent, limit);
    return loop.tile;
  };
  int64_t columns = choose(matmul.getColumn(), kMostWholeColumns);
  choose(matmul.getRow(),
         isFast && isChain ? 128 : chooseRows(columns, sizes, target));
  choose(matmul.getSum(), isFast ? 128 : 64);
}

static void chooseMatmulTiles(Group &group, linalg::GenericOp op,
                              const Matmul &matmul,
                              const Architecture &target) {
  if (llvm::any_of(group.loops,
                   [](const GroupLoop &loop) { return loop.isReduced; }))
    return chooseRowMatmulTiles(group, op, matmul, target);
  MatmulSizes sizes = getSizes(op, matmul);
  MatmulTile tile = chooseMatmulTile(sizes, target);
  auto choose = [&](unsigned own, int64_t limit) {
    GroupLoop &loop = group.loops[group.loopsOf[op][own]];
    loop.tile = fitFragments(loop.extent, limit);
  };
  choose(matmul.getRow(), tile.rows);
  choose(matmul.getColumn(), tile.columns);
  choose(matmul.getSum(), tile.sums);
}

//===----------------------------------------------------------------------===//
// Rows and elements
//===----------------------------------------------------------------------===//

/// Returns the group's loops from the innermost to the outermost: in the order
/// of the dimensions of the inputs that have all loops of the first operation,
/// then of its result, then the remaining loops.
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

/// Returns the innermost loops of the tensors that the group reads and stores,
/// except for reduced loops: two loops if it transposes.
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
  int64_t elements = 1;
  size_t dims = 0;
  auto choose = [&](GroupLoop &loop, int64_t tile) {
    if (loop.tile != 0 || dims == TileType::kMaxRank)
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
  for (unsigned index : innermost) {
    GroupLoop &loop = group.loops[index];
    choose(loop, fitPower(loop.extent, std::min(most, kElements / elements)));
  }
  for (unsigned index : order)
    if (group.loops[index].isReduced)
      chooseReduced(group.loops[index], /*isInner=*/false);
  for (unsigned index : order)
    choose(group.loops[index],
           fitPower(group.loops[index].extent, kElements / elements));
  for (GroupLoop &loop : group.loops)
    loop.tile = std::max<int64_t>(loop.tile, 1);
}

/// Chooses the number of iterations of each loop that a tile has.
static void chooseTiles(Group &group, const Architecture &target) {
  bool hasMatmul = false;
  for (linalg::GenericOp op : group.ops)
    if (std::optional<Matmul> matmul = matchMatmul(op)) {
      chooseMatmulTiles(group, op, *matmul, target);
      hasMatmul = true;
    }
  if (!hasMatmul)
    chooseRowTiles(group);
}

/// Chooses tiles for the groups of a function that have none.
static LogicalResult chooseTiles(func::FuncOp function,
                                 const Architecture &target) {
  for (GroupOp op : function.front().getOps<GroupOp>()) {
    FailureOr<Group> group = readGroup(op);
    if (failed(group))
      return failure();
    if (op.getTiles())
      continue;
    chooseTiles(*group, target);
    op.setTiles(llvm::map_to_vector(
        group->loops, [](const GroupLoop &loop) { return loop.tile; }));
  }
  return success();
}

LogicalResult fromlinalg::tileGroups(ModuleOp module,
                                     const Architecture &target) {
  return convertTaken(module, [&](func::FuncOp function) {
    return chooseTiles(function, target);
  });
}

namespace {
struct TileGroups : tile::impl::TileGroupsBase<TileGroups> {
  using TileGroupsBase::TileGroupsBase;

  void runOnOperation() override {
    const Architecture *target = setTargetArchitecture(getOperation(), arch);
    if (!target || failed(tileGroups(getOperation(), *target)))
      signalPassFailure();
  }
};
} // namespace
