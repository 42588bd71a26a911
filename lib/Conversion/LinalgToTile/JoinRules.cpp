// JoinRules.cpp - operations that may join a group
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// - An elementwise operation joins a group if it reads a value of the group and
//   has all loops of the grid (for example an activation, a bias, a residual).
// - A reduction joins the reductions of the same row, whether it reads values
//   of the group or a tensor that both read (for example mean and variance).
// - A reduction of a matmul's rows joins the matmul if a tile contains whole
//   rows, or if the reduction belongs to an online softmax.
// - A matmul whose weights are an online softmax joins the reductions of the
//   rows that it sums over.

#include "JoinRules.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

/// Finds the group's loop for each loop of `op`, by the tensors that both read.
/// Returns false if two loops of the group would correspond to one loop of
/// `op`, or the other way round.
static bool assignLoops(const Group &group, linalg::GenericOp op,
                        MutableArrayRef<int> loops) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    SmallVector<unsigned> known;
    if (group.contains(operand->get()))
      known = group.getLoops(cast<OpResult>(operand->get()));
    else if (auto input = group.inputs.find(operand->get());
             input != group.inputs.end())
      known = input->second;
    else
      continue;
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
      std::optional<unsigned> loop = getLoop(map, dim);
      if (!loop)
        return false;
      if (loops[*loop] != kNoLoop && loops[*loop] != int(known[dim]))
        return false;
      loops[*loop] = int(known[dim]);
    }
  }
  // No two loops of `op` may have the same loop of the group.
  for (unsigned loop = 0; loop < loops.size(); ++loop)
    if (loops[loop] != kNoLoop &&
        llvm::is_contained(loops.drop_front(loop + 1), loops[loop]))
      return false;
  return true;
}

/// Whether all loops of a grid over the group are among `loops`.
static bool coversGrid(const Group &group, ArrayRef<int> loops) {
  for (auto [index, loop] : llvm::enumerate(group.loops))
    if (!loop.isReduced && !loop.isSum &&
        !llvm::is_contained(loops, int(index)))
      return false;
  return true;
}

/// Assigns the remaining loops of an elementwise operation to loops of the same
/// extent that the group reduces.
static bool assignRow(const Group &group, linalg::GenericOp op,
                      MutableArrayRef<int> loops) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (auto [own, loop] : llvm::enumerate(loops)) {
    if (loop != kNoLoop)
      continue;
    for (auto [index, row] : llvm::enumerate(group.loops))
      if (row.isReduced && !ShapedType::isDynamic(row.extent) &&
          row.extent == extents[own] &&
          !llvm::is_contained(loops, int(index))) {
        loop = int(index);
        break;
      }
    if (loop == kNoLoop)
      return false;
  }
  return true;
}

static bool mayReduce(const Group &group, linalg::GenericOp op,
                      ArrayRef<int> loops, bool isOfSoftmax) {
  if (llvm::is_contained(loops, kNoLoop))
    return false;
  bool hasMatmul = llvm::any_of(
      group.loops, [](const GroupLoop &loop) { return loop.isSum; });
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (auto [kind, index] : llvm::zip_equal(kinds, loops)) {
    const GroupLoop &loop = group.loops[index];
    if (kind == utils::IteratorType::parallel) {
      if (loop.isReduced || loop.isSum)
        return false;
      continue;
    }
    bool isShort =
        !ShapedType::isDynamic(loop.extent) && loop.extent <= kMostWholeColumns;
    bool startsRow = hasMatmul && loop.isColumn && (isShort || isOfSoftmax);
    if (!loop.isReduced && !startsRow)
      return false;
  }
  // The reduction must have all loops of the group except for sums of matmuls.
  for (auto [index, loop] : llvm::enumerate(group.loops))
    if (!loop.isSum && !llvm::is_contained(loops, int(index)))
      return false;
  return true;
}

static bool mayMultiply(const Group &group, linalg::GenericOp op,
                        const Matmul &matmul, ArrayRef<int> loops) {
  bool isFirst = group.contains(matmul.lhs->get());
  if (isFirst == group.contains(matmul.rhs->get()) || matmul.sums.size() != 1 ||
      loops[matmul.getSum()] == kNoLoop ||
      !group.loops[loops[matmul.getSum()]].isReduced)
    return false;
  ArrayRef<unsigned> own = isFirst ? matmul.rows : matmul.columns;
  ArrayRef<unsigned> others = isFirst ? matmul.columns : matmul.rows;
  for (unsigned loop : llvm::concat<const unsigned>(own, matmul.batch))
    if (loops[loop] == kNoLoop || group.loops[loops[loop]].isReduced)
      return false;
  int64_t extent = op.getStaticLoopRanges()[others.back()];
  return others.size() == 1 && loops[others.back()] == kNoLoop &&
         !ShapedType::isDynamic(extent) && extent <= kMostWholeColumns &&
         coversGrid(group, loops);
}

bool fromlinalg::mayJoin(const Group &group, linalg::GenericOp op,
                         MutableArrayRef<int> loops, bool isOfSoftmax) {
  if (!assignLoops(group, op, loops))
    return false;
  bool hasMember = llvm::any_of(
      op.getDpsInputs(), [&](Value input) { return group.contains(input); });
  if (isElementwise(op))
    return hasMember && assignRow(group, op, loops) && coversGrid(group, loops);
  if (std::optional<Matmul> matmul = matchMatmul(op))
    return hasMember && isOfSoftmax && mayMultiply(group, op, *matmul, loops);
  return mayReduce(group, op, loops, isOfSoftmax);
}
