// MatmulRegisters.cpp - registers of a thread for the tiles of a matmul
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatmulRegisters.h"

#include "tile/Analysis/InstructionEligibility.h"
#include "tile/Analysis/MatmulChain.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

int64_t tile::countRegisters(TileType tile, int64_t numWarps) {
  return llvm::divideCeil(tile.getNumElements() *
                              getElementBytes(tile.getElementType()),
                          4 * numWarps * kWarpSize);
}

int64_t tile::countCarriedRegisters(MatmulOpInterface op, int64_t numWarps) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop)
    return 0;
  int64_t registers = 0;
  for (auto [carried, next] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    auto tile = dyn_cast<TileType>(carried.getType());
    bool isOwn = carried == op.getAcc() || next == op->getResult(0);
    if (tile && !isOwn)
      registers += countRegisters(tile, numWarps);
  }
  return registers;
}

int64_t tile::countMadeRegisters(MatmulOpInterface op, int64_t numWarps) {
  return getProducers(op).empty()
             ? 0
             : countRegisters(cast<TileType>(op.getLhs().getType()), numWarps);
}

/// Returns the registers of a thread for the loaded tiles of the next step that
/// are converted on their way to shared memory, for the largest result, since
/// one is stored before the next tile is converted, and for addresses.
static int64_t
countConvertedRegisters(MatmulOpInterface op,
                        MatrixInstructionAttrInterface instruction,
                        const Costs &costs, int64_t numWarps) {
  int64_t loaded = 0, converted = 0;
  for (int operand : {0, 1}) {
    CopyableOpInterface load = instruction.readsDescriptors()
                                   ? getConvertedLoad(op, operand)
                                   : CopyableOpInterface();
    if (!load)
      continue;
    auto type = cast<TileType>(op->getOperand(operand).getType());
    loaded += countRegisters(load.getTileType(), numWarps);
    converted = std::max(converted, countRegisters(type, numWarps));
  }
  return loaded == 0 ? 0 : loaded + converted + costs.throughRegisterAddresses;
}

int64_t tile::countPreparedRegisters(MatmulOpInterface op,
                                     MatrixInstructionAttrInterface instruction,
                                     const Costs &costs, int64_t numWarps,
                                     int64_t alongN) {
  if (!instruction.truncatesOperands())
    return countConvertedRegisters(op, instruction, costs, numWarps);
  auto lhs = cast<TileType>(op.getLhs().getType());
  auto rhs = cast<TileType>(op.getRhs().getType());
  return 2 * countRegisters(lhs, numWarps) * alongN +
         countRegisters(rhs, numWarps) + costs.throughRegisterAddresses;
}

int64_t tile::countRegisters(MatmulOpInterface op, const Tiling &tiling,
                             const Architecture &architecture) {
  int64_t registers = estimateRegisters(tiling, op, architecture);
  if (!tiling.instruction.readsDescriptors())
    return registers;
  int64_t numWarps = getParticipants(op).numWarps;
  return registers + countMadeRegisters(op, numWarps) +
         countPreparedRegisters(op, tiling.instruction, architecture.costs,
                                numWarps, tiling.warps[1]) +
         countCarriedRegisters(op, numWarps);
}

bool tile::fitsRegisters(MatmulOpInterface op, const Tiling &tiling,
                         const Architecture &architecture) {
  return countRegisters(op, tiling, architecture) <=
         getRegisterLimit(op->getParentOfType<KernelOp>(), architecture);
}
