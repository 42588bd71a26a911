// MatmulTiles.cpp - tiles of a matmul by estimated times
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A group of operations has no threads, instructions and stages yet. The
// estimate assumes those that later phases usually choose for a loop over the
// sums, and leaves out the other operations of the group, whose time depends
// less on the tile.

#include "MatmulTiles.h"

#include "tile/Analysis/LaunchTime.h"
#include "tile/Analysis/Occupancy.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

bool fromlinalg::usesTensorCores(Type element) {
  return element.isInteger(8) ||
         (isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 16);
}

int64_t fromlinalg::getBytes(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

int64_t fromlinalg::fitFragments(int64_t extent, int64_t limit) {
  if (ShapedType::isDynamic(extent) || extent > limit)
    return limit;
  int64_t power = llvm::PowerOf2Ceil(static_cast<uint64_t>(extent));
  bool isNear = power <= limit && 4 * power <= 5 * extent;
  return isNear && power >= 16
             ? power
             : static_cast<int64_t>(llvm::alignTo(uint64_t(extent), 16));
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Rows that an instruction of a warpgroup multiplies.
static constexpr int64_t kWarpgroupRows = 64;

/// Whether warpgroups multiply a tile.
static bool isByWarpgroups(const MatmulTile &tile, Type element,
                           const Architecture &target) {
  return usesTensorCores(element) && target.hasWarpgroupMma &&
         tile.rows >= kWarpgroupRows;
}

/// Returns the unit that multiplies elements of a type (getUnit).
static std::string getUnitOf(Type element) {
  if (!usesTensorCores(element))
    return getUnit(/*isMma=*/false, element.isF64() ? "f64" : "f32");
  int64_t bytes = getBytes(element);
  return getUnit(/*isMma=*/true, bytes == 2            ? "f16"
                                 : element.isInteger() ? "i8"
                                                       : "f8");
}

/// Returns the threads of a block. A thread has accumulators in 128 registers,
/// in whole warpgroups, or, without tensor cores, 16 to 64 elements, in at most
/// eight warps.
static int64_t getThreads(const MatmulTile &tile, Type element) {
  constexpr int64_t kOfWarpgroup = 128, kAccumulators = 128, kMostWarps = 8;
  int64_t elements = tile.rows * tile.columns;
  if (usesTensorCores(element))
    return kOfWarpgroup *
           llvm::divideCeil(elements, kOfWarpgroup * kAccumulators);
  int64_t each = elements < 64 * 64 ? 16 : elements < 64 * 128 ? 32 : 64;
  return kWarpSize *
         std::clamp<int64_t>(elements / (each * kWarpSize), 1, kMostWarps);
}

/// Returns the wavefronts in which a step on tensor cores reads the operands
/// from shared memory: an instruction of a warpgroup reads both, and each of
/// four warps reads half of the rows and half of the columns.
static double countWavefronts(const MatmulTile &tile, Type element,
                              bool isByWarpgroups) {
  constexpr int64_t kBytes = 128;
  int64_t read = isByWarpgroups ? llvm::divideCeil(tile.rows, kWarpgroupRows) *
                                      (kWarpgroupRows + tile.columns)
                                : 2 * (tile.rows + tile.columns);
  return static_cast<double>(read * tile.sums * getBytes(element)) / kBytes;
}

/// Returns the resources of a step by FMA, in which each thread computes a
/// square of elements.
static Resources getFmaStep(const MatmulTile &tile, Type element,
                            double multiplyAdds, const Machine &machine) {
  constexpr double kOperands = 2;
  double ofThread = static_cast<double>(tile.rows * tile.columns) /
                    static_cast<double>(getThreads(tile, element));
  return getFmaResources(machine, getUnitOf(element), multiplyAdds,
                         kOperands / std::sqrt(ofThread), getBytes(element));
}

/// Returns the loop over the sums.
static Section getLoop(const MatmulTile &tile, const MatmulSizes &sizes,
                       const Architecture &target, const Machine &machine) {
  bool byWarpgroups = isByWarpgroups(tile, sizes.element, target);
  int64_t rows = byWarpgroups ? llvm::alignTo(tile.rows, kWarpgroupRows)
                              : uint64_t(tile.rows);
  double multiplyAdds = static_cast<double>(rows * tile.columns * tile.sums);
  Section loop;
  loop.executions = loop.most =
      static_cast<double>(llvm::divideCeil(sizes.sums, tile.sums));
  if (usesTensorCores(sizes.element)) {
    loop.each.mmaCycles = machine.getMmaCycles(getUnitOf(sizes.element),
                                               multiplyAdds, !byWarpgroups);
    loop.each.wavefronts = countWavefronts(tile, sizes.element, byWarpgroups);
  } else {
    loop.each = getFmaStep(tile, sizes.element, multiplyAdds, machine);
  }
  std::array<int64_t, 2> extents = {std::min(tile.rows, sizes.rows),
                                    std::min(tile.columns, sizes.columns)};
  for (auto [extent, isComputed] : llvm::zip(extents, sizes.isComputed)) {
    double bytes = static_cast<double>(
        extent * std::min(tile.sums, sizes.sums) * getBytes(sizes.element));
    (isComputed ? loop.each.loadedBytes : loop.each.copiedBytes) += bytes;
    loop.each.loads += isComputed;
  }
  return loop;
}

/// Returns the stages of the operands' buffers: up to four, or as many as leave
/// room for a second block, if these are three or more.
static int64_t getStages(int64_t stageBytes, const Architecture &target) {
  constexpr int64_t kMost = 4, kOfTwo = 3;
  int64_t ofTwo = getSharedBytesLimit(target, 2) / stageBytes;
  int64_t ofOne = getSharedBytesLimit(target, 1) / stageBytes;
  return std::clamp<int64_t>(ofTwo >= kOfTwo ? ofTwo : ofOne, 1, kMost);
}

/// Returns the blocks of a launch, or 2^40 of more: the estimate of the time
/// per block is then the same.
static int64_t countBlocks(const MatmulTile &tile, const MatmulSizes &sizes) {
  constexpr double kMost = int64_t(1) << 40;
  double blocks =
      sizes.batch *
      static_cast<double>(llvm::divideCeil(sizes.rows, tile.rows)) *
      static_cast<double>(llvm::divideCeil(sizes.columns, tile.columns));
  return static_cast<int64_t>(std::min(blocks, kMost));
}

double fromlinalg::estimateMatmul(const MatmulTile &tile,
                                  const MatmulSizes &sizes,
                                  const Architecture &target) {
  // Registers of a thread in addition to its accumulators.
  constexpr int64_t kOthers = 48;
  const Machine &machine = getMachineOfEstimates(target);
  int64_t bytes = getBytes(sizes.element);
  Section loop = getLoop(tile, sizes, target, machine), rest;
  int64_t stageBytes = (tile.rows + tile.columns) * tile.sums * bytes;
  loop.stages = getStages(stageBytes, target);
  rest.executions = rest.most = 1;
  rest.each.storedBytes =
      static_cast<double>(std::min(tile.rows, sizes.rows) *
                          std::min(tile.columns, sizes.columns) * bytes);
  LaunchResources launch;
  launch.block.sections = {rest, loop};
  launch.block.threads = getThreads(tile, sizes.element);
  launch.block.registers =
      tile.rows * tile.columns / launch.block.threads + kOthers;
  launch.block.sharedBytes = loop.stages * stageBytes;
  launch.blocks = countBlocks(tile, sizes);
  launch.blocksPerProcessor = std::max<int64_t>(
      1, getOccupancy(target, launch.block.threads, launch.block.registers,
                      launch.block.sharedBytes)
             .blocks);
  auto rows = static_cast<double>(sizes.rows),
       columns = static_cast<double>(sizes.columns),
       sums = static_cast<double>(sizes.sums);
  launch.memoryBytes = sizes.batch * static_cast<double>(bytes) *
                       (rows * sums + sums * columns + rows * columns);
  return estimateCycles(machine, launch);
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Lists the tiles that are tried. Steps have 128 or 256 bytes of a row, or 16
/// or 32 elements without tensor cores, or all sums if these are few. Tiles of
/// more than 128 x 128 leave enough registers only if operands are read from
/// shared memory.
static SmallVector<MatmulTile> listTiles(const MatmulSizes &sizes,
                                         const Architecture &target) {
  constexpr int64_t kExtents[] = {256, 128, 64, 32, 16};
  constexpr int64_t kRowBytes = 128, kStep = 16;
  bool isFast = usesTensorCores(sizes.element);
  int64_t step = isFast ? kRowBytes / getBytes(sizes.element) : kStep;
  int64_t largest = isFast && target.hasWarpgroupMma ? 256 * 128 : 128 * 128;
  SmallVector<MatmulTile> tiles;
  for (int64_t columns : kExtents)
    for (int64_t rows : kExtents)
      for (int64_t sums :
           {step, 2 * step, fitFragments(sizes.sums, 4 * step)}) {
        MatmulTile tile = {fitFragments(sizes.rows, rows),
                           fitFragments(sizes.columns, columns), sums};
        bool fits =
            (tile.rows + tile.columns) * tile.sums * getBytes(sizes.element) <=
            getSharedBytesLimit(target, 1);
        bool isStep = sums <= 2 * step || sums >= sizes.sums;
        if (rows * columns <= largest && fits && isStep)
          tiles.push_back(tile);
      }
  return tiles;
}

MatmulTile fromlinalg::chooseMatmulTile(const MatmulSizes &sizes,
                                        const Architecture &target) {
  std::optional<MatmulTile> best;
  double least = 0;
  for (const MatmulTile &tile : listTiles(sizes, target)) {
    double cycles = estimateMatmul(tile, sizes, target);
    if (best && cycles >= least)
      continue;
    best = tile;
    least = cycles;
  }
  return *best;
}
