// HeldTiles.cpp - room for the tiles that a loop over programs holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HeldTiles.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/bit.h"
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

/// Returns the elements of the largest tile that a loop loads or adds.
static int64_t getLargest(scf::ForOp loop) {
  int64_t largest = 1;
  loop.walk([&](ArrayAccessOpInterface access) {
    if (auto type = dyn_cast<TileType>(access.getAccessedTile().getType()))
      largest = std::max(largest, type.getNumElements());
  });
  return largest;
}

/// Returns the registers of a thread if `blocks` blocks share a multiprocessor,
/// whose warps are divided among its four schedulers.
static int64_t countRegistersOfThread(int64_t blocks, int64_t threads) {
  constexpr int64_t kSchedulers = 4;
  int64_t warps = llvm::alignTo(blocks * threads / kWarpSize, kSchedulers);
  return kRegisters / (warps * kWarpSize);
}

int64_t tile::chooseBlocksPerProcessor(scf::ForOp loop) {
  constexpr int64_t kMost = 8, kMatmul = 2;
  // These estimate the block that -tile-warp-tiling chooses for a tile, and the
  // registers of a thread for addresses, and for masks if a tile does not fill
  // the block.
  constexpr int64_t kElements = 8, kMostThreads = 256;
  constexpr double kAddresses = 24, kMasks = 8;
  // Matmuls have smaller tiles, and operands in shared memory.
  if (!loop.getBody()->getOps<MatmulOp>().empty())
    return kMatmul;
  int64_t largest = getLargest(loop);
  int64_t threads = std::clamp<int64_t>(
      llvm::bit_floor(static_cast<uint64_t>(largest / kElements)), kWarpSize,
      kMostThreads);
  int64_t filled = llvm::alignTo(largest, threads * kElements);
  bool hasMasks = filled != largest;
  // An iteration computes with two tiles of f32 at a time.
  double tiles = (countHeld(loop) + 2 * largest) * filled / largest;
  double needed = tiles / threads + kAddresses + (hasMasks ? kMasks : 0);
  int64_t blocks = kMost;
  while (blocks > 1 && needed > countRegistersOfThread(blocks, threads))
    --blocks;
  return blocks;
}
