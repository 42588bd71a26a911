// MatmulTiling.cpp - distributions of a matmul over warps, and their costs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost model: all ways to split the warps over M, N and the batch are
// compared by the members of DistributionCost, in the order of the members.
// - Matrix instructions: the work is the number of elements that a warp
//   computes, padding included. The traffic is the number of rows of both
//   operands that it reads for each step along K.
// - FMA, for which the thread tile is chosen together with the split: the work
//   is the time of a thread's FMAs and reads. The traffic is the wavefronts of
//   its reads from shared memory.
// - The spread is the number of rows and columns of a warp's tile, which is
//   least for a square.
//
// Among tilings of equal cost the first in the order of enumeration is chosen;
// thread tiles of four elements come first. If a warp computes several matmuls
// of a batch, their costs are added. docs/WarpTiling.md has the formulas.

#include "MatmulTiling.h"

#include "tile/Analysis/DescriptorLayout.h"
#include "tile/Analysis/InstructionEligibility.h"
#include "tile/Analysis/MatmulChain.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

Given tile::readGiven(TilingAttr attr) {
  Given given;
  if (!attr)
    return given;
  for (int axis : {0, 1, kBatchAxis}) {
    if (attr.getWarps())
      given.warps[axis] = getAxisNumber(attr.getWarps(), axis);
    if (attr.getSub())
      given.sub[axis] = getAxisNumber(attr.getSub(), axis);
    if (attr.getThread())
      given.thread[axis] = getAxisNumber(attr.getThread(), axis);
  }
  return given;
}

/// Returns the number of rows of both operands that a warp's instructions read
/// in a step along K.
static int64_t countReads(const Tiling &tiling, const int64_t (&rows)[2]) {
  if (tiling.instruction.readsDescriptors())
    return tiling.sub[0] *
           (tiling.instruction.getInstructionShape().m + rows[1]);
  return rows[0] + rows[1];
}

/// Whether elements that are adjacent along K, dimension `dim` of the operand,
/// will be adjacent in shared memory. A loaded operand keeps the order of its
/// array; other operands have contiguous rows.
static bool isContiguousAlongK(Value operand, int64_t dim) {
  int64_t rank = getTileShape(operand.getType()).size(), dimOfArray = dim;
  Operation *op = operand.getDefiningOp();
  for (; isa_and_nonnull<TransposeOp, ViewOp, ConvertLayoutOp>(op);
       op = op->getOperand(0).getDefiningOp())
    if (auto transpose = dyn_cast<TransposeOp>(op))
      dimOfArray = transpose.getPermutation()[dimOfArray];
  // A computed tile is transposed in registers, and copied row by row.
  auto load = dyn_cast_or_null<CopyableOpInterface>(op);
  if (!load)
    return dim == rank - 1;
  return dimOfArray == getContiguousDimension(
                           cast<MemRefType>(load.getArray().getType()), rank)
                           .value_or(rank - 1);
}

/// Returns the wavefronts of a thread's reads from shared memory for a matmul
/// by FMA: one wavefront for each 8 bytes of a lane.
static int64_t countWavefronts(const Tiling &tiling, MatmulOpInterface op) {
  int64_t wavefronts = 0, k = op.getK();
  for (int operand : {0, 1}) {
    Value value = op->getOperand(operand);
    auto type = cast<ShapedType>(value.getType());
    int64_t run = isContiguousAlongK(value, type.getRank() - 1 - operand)
                      ? k
                      : tiling.thread[operand];
    int64_t bytes = getElementBytes(type.getElementType());
    int64_t vector = std::clamp<int64_t>(8 / bytes, 1, run & -run);
    wavefronts += tiling.sub[operand] * tiling.thread[operand] * k *
                  llvm::divideCeil(vector * bytes, 8) / vector;
  }
  return wavefronts;
}

/// Returns the number of warps that compute more than padding.
static int64_t countUsefulWarps(const Tiling &tiling,
                                const std::array<int64_t, 3> &extents) {
  int64_t useful = 1;
  for (int axis : {0, 1, kBatchAxis}) {
    int64_t ofWarp = tiling.extent(axis) / tiling.warps[axis];
    useful *= llvm::divideCeil(extents[axis], ofWarp);
  }
  return useful;
}

/// Returns the number of f32 FMAs that take as long as a multiply-add of this
/// type.
static int64_t countFmas(Type element) {
  constexpr int64_t kComplex = 4, kF64 = 2;
  auto complex = dyn_cast<ComplexType>(element);
  Type real = complex ? complex.getElementType() : element;
  return (complex ? kComplex : 1) * (real.isF64() ? kF64 : 1);
}

/// Sets the cost of a matmul by FMA. An SM issues four warp instructions and
/// one wavefront of shared memory in a cycle; the work is the longer of the
/// two.
static void weighFma(DistributionCost &cost, int64_t multiplyAdds,
                     int64_t wavefronts) {
  constexpr int64_t kInstructions = 4;
  cost.work = std::max(multiplyAdds + wavefronts, kInstructions * wavefronts);
  cost.traffic = wavefronts;
}

/// Returns the matmul whose result `op` adds to, or null: one of the same block
/// and the same types, whose result has no other use.
static MatmulOpInterface getSummand(MatmulOpInterface op) {
  constexpr unsigned kAccumulator = 2;
  Value sum = op->getOperand(kAccumulator);
  auto other = sum.getDefiningOp<MatmulOpInterface>();
  bool isAlike = other && sum.hasOneUse() &&
                 other->getBlock() == op->getBlock() &&
                 other.getPrecision() == op.getPrecision() &&
                 getElementTypeOrSelf(other.getLhs().getType()) ==
                     getElementTypeOrSelf(op.getLhs().getType());
  return isAlike ? other : MatmulOpInterface();
}

/// Returns the matmuls that add up to one result with `op`, without `op`: the
/// nearest ones, since the time to weigh all grows quadratically.
static SmallVector<MatmulOpInterface> listSummands(MatmulOpInterface op) {
  constexpr int kMost = 4;
  SmallVector<MatmulOpInterface> all;
  MatmulOpInterface other = op;
  for (int i = 0; i < kMost && (other = getSummand(other)); ++i)
    all.push_back(other);
  other = op;
  for (int i = 0; i < kMost && other->hasOneUse(); ++i) {
    auto user = dyn_cast<MatmulOpInterface>(*other->user_begin());
    if (!user || getSummand(user) != other)
      break;
    all.push_back(other = user);
  }
  return all;
}

static DistributionCost costOf(const Tiling &tiling, MatmulOpInterface op,
                               int64_t numWarps) {
  bool isFma = !tiling.instruction.hasFragments();
  int64_t rows[2];
  for (int axis : {0, 1})
    rows[axis] = tiling.sub[axis] *
                 (isFma ? tiling.thread[axis] : tiling.subExtent(axis));
  DistributionCost cost = {rows[0] * rows[1], countReads(tiling, rows),
                           tiling.sub[0] * tiling.subExtent(0) +
                               tiling.sub[1] * tiling.subExtent(1),
                           numWarps - countUsefulWarps(tiling, getExtents(op))};
  if (isFma) {
    // With the cost of all, the summands get the same tiling, unless there are
    // many, and the sum stays in its registers.
    int64_t k = op.getK(), wavefronts = countWavefronts(tiling, op);
    for (MatmulOpInterface other : listSummands(op)) {
      k += other.getK();
      wavefronts += countWavefronts(tiling, other);
    }
    auto lhs = cast<ShapedType>(op.getLhs().getType());
    weighFma(cost, cost.work * k * countFmas(lhs.getElementType()), wavefronts);
  }
  for (int64_t *part : {&cost.work, &cost.traffic, &cost.spread})
    *part *= tiling.sub[kBatchAxis];
  return cost;
}

/// Fills in `sub` for one axis. Returns false if the parameters do not cover
/// the extent, or if the program gave them and they do not cover it exactly.
/// @pre the extent of the batch of a single matmul is 1.
static bool completeAxis(Tiling &tiling, const Given &given, int axis,
                         int64_t extent) {
  int64_t perSub = tiling.warps[axis] * tiling.subExtent(axis);
  tiling.sub[axis] =
      given.sub[axis] ? given.sub[axis]
                      : static_cast<int64_t>(llvm::divideCeil(extent, perSub));
  if (tiling.extent(axis) < extent)
    return false;
  // If the program gives parameters, no warp may be without work: the padding
  // is less than a sub-tile.
  bool isGiven = given.warps[axis] || given.sub[axis] ||
                 (given.thread[axis] && axis != kBatchAxis);
  int64_t atom = tiling.subExtent(axis);
  if (axis == 0)
    atom *= tiling.instruction.getNumWarps();
  return !isGiven || tiling.extent(axis) ==
                         static_cast<int64_t>(llvm::alignTo(extent, atom));
}

/// Visits every split of the warps over M, N and the batch whose number of
/// warps divides `numWarps` and which agrees with the given one. No split has
/// more warps than matmuls along the batch.
static void forEachSplit(const Given &given, int64_t batch, int64_t numWarps,
                         function_ref<void(std::array<int64_t, 3>)> visit) {
  for (int64_t outer = 1; outer <= std::min(batch, numWarps); ++outer)
    for (int64_t m = 1; m <= numWarps / outer; ++m)
      for (int64_t n = 1; n <= numWarps / (outer * m); ++n) {
        std::array<int64_t, 3> warps = {m, n, outer};
        bool isWanted = llvm::all_of_zip(warps, given.warps,
                                         [](int64_t value, int64_t given) {
                                           return given == 0 || given == value;
                                         });
        if (isWanted && numWarps % llvm::product_of(warps) == 0)
          visit(warps);
      }
}

/// Visits every tiling that the given parameters allow: those without lanes
/// along the batch, or, if `alongBatch`, those with such lanes in which all
/// warps are along the batch, too.
static void forEachTiling(MatrixInstructionAttrInterface instruction,
                          const Given &given, MatmulOpInterface op,
                          int64_t numWarps, bool alongBatch,
                          function_ref<void(const Tiling &)> visit) {
  std::array<int64_t, 3> extents = getExtents(op);
  auto candidates = [](int64_t given, std::initializer_list<int64_t> all) {
    return given ? SmallVector<int64_t>{given} : SmallVector<int64_t>(all);
  };
  bool isFma = !instruction.hasFragments();
  auto outers = alongBatch ? SmallVector<int64_t>{2, 4, 8, 16, 32}
                           : SmallVector<int64_t>{1};
  Tiling tiling;
  tiling.instruction = instruction;
  auto visitThread = [&] {
    bool isCovered = true;
    for (int axis : {0, 1, kBatchAxis})
      isCovered &= completeAxis(tiling, given, axis, extents[axis]);
    if (!isCovered)
      return;
    // The lanes must follow from the attribute.
    Tiling derived = tiling;
    if (isFma)
      setLanes(derived, extents);
    if (llvm::equal(derived.lanes, tiling.lanes) &&
        (!instruction.readsDescriptors() || hasWholePanels(op, tiling)))
      visit(tiling);
  };
  forEachSplit(given, extents[kBatchAxis], numWarps, [&](auto warps) {
    llvm::copy(warps, tiling.warps);
    if (tiling.warps[0] % instruction.getNumWarps() != 0)
      return;
    if (alongBatch && tiling.warps[0] * tiling.warps[1] != 1)
      return;
    if (!isFma)
      return visitThread();
    for (int64_t tm : candidates(given.thread[0], {4, 8, 2, 1}))
      for (int64_t tn : candidates(given.thread[1], {4, 8, 2, 1}))
        for (int64_t lanesN : {8, 16, 4, 32, 2, 1})
          for (int64_t outer : outers) {
            if (lanesN * outer > kWarpSize)
              break;
            tiling.thread[0] = tm;
            tiling.thread[1] = tn;
            tiling.lanes[1] = lanesN;
            tiling.lanes[kBatchAxis] = outer;
            tiling.lanes[0] = kWarpSize / (lanesN * outer);
            visitThread();
          }
  });
}

/// Returns the multiply-adds of a thread for a step along K.
static int64_t countMultiplyAdds(const Tiling &tiling) {
  return llvm::product_of(tiling.sub) * llvm::product_of(tiling.thread);
}

/// Returns the cheapest tiling with lanes along the batch. In memory each lane
/// then has elements of another matrix, so that accesses are slower: it must
/// have at most three quarters of the multiply-adds of `best`, which pads small
/// matrices.
static std::optional<CostedTiling>
findAlongBatch(MatrixInstructionAttrInterface instruction, const Given &given,
               MatmulOpInterface op, int64_t numWarps, const Tiling &best) {
  std::optional<CostedTiling> found;
  forEachTiling(instruction, given, op, numWarps, /*alongBatch=*/true,
                [&](const Tiling &tiling) {
                  if (4 * countMultiplyAdds(tiling) >
                      3 * countMultiplyAdds(best))
                    return;
                  DistributionCost cost = costOf(tiling, op, numWarps);
                  if (!found || cost < found->cost)
                    found = {cost, tiling};
                });
  return found;
}

static const CostedTiling &getCheapest(ArrayRef<CostedTiling> tilings) {
  return *llvm::min_element(tilings,
                            [](const CostedTiling &a, const CostedTiling &b) {
                              return a.cost < b.cost;
                            });
}

/// Returns the cheapest tiling for each split of the warps.
static SmallVector<CostedTiling>
listSplits(MatrixInstructionAttrInterface instruction, const Given &given,
           MatmulOpInterface op, int64_t numWarps) {
  SmallVector<CostedTiling> found;
  forEachTiling(instruction, given, op, numWarps, /*alongBatch=*/false,
                [&](const Tiling &tiling) {
                  DistributionCost cost = costOf(tiling, op, numWarps);
                  bool isSame =
                      !found.empty() &&
                      llvm::equal(found.back().tiling.warps, tiling.warps);
                  if (!isSame)
                    found.push_back({cost, tiling});
                  else if (cost < found.back().cost)
                    found.back() = {cost, tiling};
                });
  if (instruction.hasFragments() || getExtents(op)[kBatchAxis] == 1 ||
      found.empty())
    return found;
  std::optional<CostedTiling> other = findAlongBatch(
      instruction, given, op, numWarps, getCheapest(found).tiling);
  if (!other)
    return found;
  for (CostedTiling &costed : found)
    if (llvm::equal(costed.tiling.warps, other->tiling.warps) &&
        other->cost < costed.cost)
      costed = *other;
  return found;
}

/// Returns the tilings of a chained matmul in which each warp has the same
/// number of whole rows, so that a lane can use its elements as lhs of the next
/// matmul. The list is empty if the program gives the warps, or if some warps
/// would have no work.
static SmallVector<CostedTiling>
listWholeRows(MatrixInstructionAttrInterface instruction, Given given,
              MatmulOpInterface op, int64_t numWarps) {
  if (given.warps[0] || op.getSumType().getRank() != 2 ||
      !instruction.hasFragments())
    return {};
  given.warps[0] = numWarps;
  given.warps[1] = given.warps[kBatchAxis] = 1;
  return listSplits(instruction, given, op, numWarps);
}

SmallVector<CostedTiling>
tile::listTilings(MatrixInstructionAttrInterface instruction,
                  const Given &given, MatmulOpInterface op, int64_t numWarps,
                  const MatmulChains &chains) {
  SmallVector<CostedTiling> found;
  if (chains.isLinked(op))
    found = listWholeRows(instruction, given, op, numWarps);
  return found.empty() ? listSplits(instruction, given, op, numWarps) : found;
}

static std::optional<Tiling> pickCheapest(ArrayRef<CostedTiling> tilings) {
  if (tilings.empty())
    return std::nullopt;
  return getCheapest(tilings).tiling;
}

std::optional<Tiling>
tile::findTiling(MatrixInstructionAttrInterface instruction, const Given &given,
                 MatmulOpInterface op, int64_t numWarps,
                 const MatmulChains &chains) {
  return pickCheapest(listTilings(instruction, given, op, numWarps, chains));
}

TilingAttr tile::toAttr(const Tiling &tiling, MatmulOpInterface op,
                        TilingAttr given) {
  MLIRContext *context = given.getContext();
  bool hasBatch = op.getSumType().getRank() == 3;
  auto getValues = [&](const int64_t (&values)[3]) {
    SmallVector<int64_t> all = {values[0], values[1]};
    if (hasBatch)
      all.insert(all.begin(), values[kBatchAxis]);
    return DenseI64ArrayAttr::get(context, all);
  };
  return TilingAttr::get(context, getValues(tiling.warps),
                         getValues(tiling.sub),
                         tiling.instruction.hasFragments()
                             ? DenseI64ArrayAttr()
                             : DenseI64ArrayAttr::get(context, tiling.thread),
                         tiling.instruction, given.getOperands(),
                         given.getVector(), given.getStages());
}

std::optional<Tiling> tile::relax(MatrixInstructionAttrInterface instruction,
                                  const Given &given, MatmulOpInterface op,
                                  int64_t numWarps) {
  constexpr int kSub = 1, kThread = 2, kWarps = 4;
  for (int left : {kSub, kThread, kSub | kThread, kSub | kThread | kWarps}) {
    Given less = given;
    for (int axis : {0, 1, kBatchAxis}) {
      less.sub[axis] = left & kSub ? 0 : given.sub[axis];
      less.thread[axis] = left & kThread ? 0 : given.thread[axis];
      less.warps[axis] = left & kWarps ? 0 : given.warps[axis];
    }
    if (std::optional<Tiling> found =
            pickCheapest(listSplits(instruction, less, op, numWarps)))
      return found;
  }
  return std::nullopt;
}
