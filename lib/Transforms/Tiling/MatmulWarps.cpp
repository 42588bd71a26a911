// MatmulWarps.cpp - choice of the number of warps for a matmul
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatmulWarps.h"

#include "MatmulRegisters.h"
#include "MatmulTiling.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/InstructionEligibility.h"
#include "tile/Analysis/MatmulChain.h"
#include "tile/Analysis/Occupancy.h"

using namespace mlir;
using namespace tile;

/// Returns the number of warps for a matmul of a chain, in which each warp has
/// whole rows. For `wgmma`, it is a warpgroup for each 64 rows, at most four.
/// Otherwise it is four, or fewer if there are fewer rows, doubled until a
/// thread has registers for the accumulators, an lhs that is computed in
/// registers, and the tiles that the loop carries. More warps than necessary
/// are slower: a warp with more rows uses each element of rhs that it reads
/// more often.
static int64_t proposeWarpsOfChain(MatmulOpInterface op,
                                   MatrixInstructionAttrInterface instruction,
                                   const Costs &costs) {
  if (int64_t group = instruction.getNumWarps(); group > 1)
    return group *
           std::min<int64_t>(
               4, llvm::divideCeil(op.getSumType().getDimSize(0),
                                   instruction.getInstructionShape().m));
  auto needed = [&](int64_t numWarps) {
    int64_t carried = countCarriedRegisters(op, numWarps);
    return countRegisters(op.getSumType(), numWarps) +
           countMadeRegisters(op, numWarps) +
           (carried == 0 ? 0 : carried + costs.loopRegisters);
  };
  int64_t most = std::clamp<int64_t>(
      op.getSumType().getDimSize(0) / instruction.getSubTile().m, 1, 16);
  int64_t warps =
      llvm::bit_floor(static_cast<uint64_t>(std::min<int64_t>(4, most)));
  while (2 * warps <= most && needed(warps) > costs.chainRegisters)
    warps *= 2;
  return warps;
}

/// Whether a chain's matmul has rows for each of four warps. With fewer rows,
/// such as the query heads that share keys when one token is decoded, a single
/// warp would load, multiply and hold all of them.
static bool hasRowsForChain(MatmulOpInterface op,
                            MatrixInstructionAttrInterface instruction) {
  return instruction.getNumWarps() > 1 ||
         (instruction.hasFragments() &&
          op.getSumType().getDimSize(0) >= 4 * instruction.getSubTile().m);
}

/// Returns the elements that a thread computes by FMA. The more elements it
/// computes, the fewer operand elements it reads for each of them. There are
/// fewer if the matmul is small, if an element takes more than one register, if
/// threads also keep a step's operands in registers, or if the block is the
/// only one on its multiprocessor, so that its own warps must hide the latency
/// of its loads.
static int64_t getFmaElements(MatmulOpInterface op,
                              const Architecture &architecture) {
  constexpr int64_t kLeast = 16, kSome = 32, kMost = 64;
  auto [m, n, batch] = getExtents(op);
  if (m * n < 64 * 64)
    return kLeast;
  int64_t registers = getElementRegisters(op.getSumType().getElementType());
  TilingAttr attr = op.getTilingAttr();
  bool keepsOperands = attr && attr.getOperands() == OperandSource::global;
  bool isAlone =
      isAloneOnProcessor(op->getParentOfType<KernelOp>(), architecture);
  bool wantsFew = m * n < 64 * 128 && (keepsOperands || isAlone);
  return std::min(wantsFew ? kSome : kMost, kMost / registers);
}

/// Returns the number of warps with which each thread copies the operands of
/// one step in about twelve accesses, but at most four and at most one for each
/// sub-tile.
static int64_t proposeCopyingWarps(MatmulOpInterface op,
                                   MatrixInstructionAttrInterface instruction) {
  constexpr int64_t kAccesses = 12, kMost = 4;
  auto [m, n, batch] = getExtents(op);
  int64_t bytes =
      (m + n) * op.getK() *
      getElementBytes(cast<ShapedType>(op.getLhs().getType()).getElementType());
  int64_t accesses = llvm::divideCeil(bytes, kMaxAccessBytes * kWarpSize);
  int64_t subTiles = llvm::divideCeil(m, instruction.getSubTile().m) *
                     llvm::divideCeil(n, instruction.getSubTile().n);
  return std::min({kMost, subTiles, accesses / kAccesses});
}

/// Returns the fewest warps from `warps` to `most`, in powers of two, whose
/// threads have registers for prepared operands; `warps` if even `most` warps
/// lack them.
static int64_t raiseForPrepared(MatmulOpInterface op,
                                MatrixInstructionAttrInterface instruction,
                                const Architecture &architecture, int64_t warps,
                                int64_t most) {
  const Costs &costs = architecture.costs;
  for (int64_t more = warps; more <= most; more *= 2) {
    int64_t prepared =
        countPreparedRegisters(op, instruction, costs, more, /*alongN=*/1);
    int64_t limit =
        std::min(architecture.registersPerThread,
                 architecture.registersPerBlock / (more * kWarpSize));
    if (prepared == 0 || prepared + countRegisters(op.getSumType(), more) +
                                 costs.loopRegisters <=
                             limit)
      return more;
  }
  return warps;
}

int64_t tile::proposeWarps(MatmulOpInterface op, const MatmulChains &chains,
                           const Architecture &architecture) {
  auto [m, n, batch] = getExtents(op);
  MatrixInstructionAttrInterface instruction =
      pickInstruction(op, architecture, chains.mayReadDescriptors(op));
  // An unknown name is refused when the matmul is tiled.
  if (!instruction)
    instruction =
        chooseInstruction(op, architecture, chains.mayReadDescriptors(op));
  int64_t warps, most;
  bool isChained = chains.isLinked(op) && batch == 1;
  if (isChained && hasRowsForChain(op, instruction))
    return proposeWarpsOfChain(op, instruction, architecture.costs);
  int64_t registers = getElementRegisters(op.getSumType().getElementType());
  if (!instruction.hasFragments()) {
    warps =
        llvm::divideCeil(m * n, kWarpSize * getFmaElements(op, architecture));
    most = 8;
  } else {
    warps = llvm::divideCeil(m, 64) * llvm::divideCeil(n, 64) * registers;
    warps = std::max(warps, instruction.getNumWarps());
    // A single matmul gets four warps if each has at least 32 x 32 elements: a
    // multiprocessor has four tensor cores, and room for few blocks if operands
    // have stages.
    if (batch == 1)
      warps = std::max({warps, std::min<int64_t>(4, (m / 32) * (n / 32)),
                        proposeCopyingWarps(op, instruction)});
    most = 16;
    warps = raiseForPrepared(op, instruction, architecture, warps, most);
  }
  warps = llvm::bit_floor(static_cast<uint64_t>(std::min(warps, most)));
  int64_t turns = llvm::divideCeil(batch * warps, most);
  return llvm::divideCeil(batch, turns) * warps;
}
