// HeldTiles.cpp - room for the tiles that a loop over programs holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HeldTiles.h"

#include "tile/Analysis/LargestAccess.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

// A multiprocessor has this many registers (CUDA Programming Guide, "Compute
// Capabilities").
static constexpr int64_t kRegisters = 65536, kRegisterBytes = 4;

/// Returns the registers of a block for a tile with elements of at least
/// `least` bytes; zero for other values.
static double countRegisters(Value value, int64_t least = 1) {
  auto type = dyn_cast<TileType>(value.getType());
  return type ? type.getNumElements() *
                    std::max(getElementBytes(type.getElementType()), least) /
                    double(kRegisterBytes)
              : 0;
}

/// Returns the registers of a block that hold tiles from one iteration to the
/// next.
static double countHeld(scf::ForOp loop) {
  double registers = 0;
  llvm::SetVector<Value> before;
  getUsedValuesDefinedAbove(loop->getRegions(), before);
  for (Value value : before)
    registers += matchPattern(value, m_Constant()) ? 0 : countRegisters(value);
  for (auto load : loop.getBody()->getOps<LoadOp>())
    registers += 2 * countRegisters(load.getResult());
  for (auto update : loop.getBody()->getOps<AtomicRMWOp>())
    registers += countRegisters(update.getValue(), kRegisterBytes);
  return registers;
}

/// Returns the threads of the block that -tile-warp-tiling chooses for a kernel
/// whose largest tile is the largest access.
static int64_t estimateThreads(const LargestAccess &largest) {
  const Costs costs;
  return kWarpSize * spreadElements(largest.elements,
                                    getElementsPerThread(largest, costs),
                                    costs.maxElementwiseWarps);
}

/// Returns the registers of a thread if `blocks` blocks share a multiprocessor,
/// whose warps are divided among its four schedulers.
static int64_t countRegistersOfThread(int64_t blocks, int64_t threads) {
  constexpr int64_t kSchedulers = 4;
  int64_t warps = llvm::alignTo(blocks * threads / kWarpSize, kSchedulers);
  return kRegisters / (warps * kWarpSize);
}

/// Whether the threads have the registers that the loop needs.
static bool haveRoom(int64_t blocks, int64_t threads,
                     const LargestAccess &largest, double held) {
  // The elements of a vector access of bf16, and the registers of a thread for
  // addresses, and for masks if a tile does not fill the block.
  constexpr int64_t kVector = 8;
  constexpr double kAddresses = 24, kMasks = 24;
  int64_t elements = std::max<int64_t>(largest.elements, 1);
  int64_t filled = llvm::alignTo(elements, threads * kVector);
  bool hasMasks = filled != elements;
  // An iteration computes with two tiles of f32 at a time.
  double tiles = (held + 2 * elements) * filled / elements / threads;
  return tiles + kAddresses + (hasMasks ? kMasks : 0) <=
         countRegistersOfThread(blocks, threads);
}

/// Whether half of the threads are faster: they take half of the shuffles of a
/// reduction, and fewer warps wait at its barriers.
static bool areHalfFaster(scf::ForOp loop, int64_t threads,
                          const LargestAccess &largest, double held) {
  constexpr int64_t kReductions = 3, kThreads = 256, kBlocks = 2;
  int64_t reductions = llvm::range_size(loop.getBody()->getOps<ReduceOp>());
  return reductions >= kReductions && threads >= kThreads &&
         haveRoom(kBlocks, threads / 2, largest, held);
}

ResidentBlocks tile::chooseResidentBlocks(KernelOp kernel, scf::ForOp loop) {
  // The threads of a multiprocessor of the architectures with the fewest (CUDA
  // Programming Guide, "Compute Capabilities").
  constexpr int64_t kMostThreads = 1536;
  constexpr int64_t kMost = 8, kMatmul = 2;
  std::optional<int64_t> given = kernel.getBlock();
  int64_t most =
      given ? std::clamp<int64_t>(kMostThreads / *given, 1, kMost) : kMost;
  // Matmuls have smaller tiles, and operands in shared memory.
  if (!loop.getBody()->getOps<MatmulOp>().empty())
    return {std::min(most, kMatmul), given};
  LargestAccess largest = findLargestAccess(loop);
  double held = countHeld(loop);
  int64_t threads = given.value_or(estimateThreads(largest));
  if (!given && areHalfFaster(loop, threads, largest, held)) {
    threads /= 2;
    given = threads;
  }
  int64_t blocks = most;
  while (blocks > 1 && !haveRoom(blocks, threads, largest, held))
    --blocks;
  return {blocks, given};
}
