// LaunchTime.cpp - the estimated time of a launch
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks run in waves: a wave has as many blocks as all multiprocessors run at
// a time. The blocks of one multiprocessor share its tensor cores and its path
// from L2, so that a step takes the longest of these:
//
//   - the matmuls of all blocks of the multiprocessor;
//   - their copies, at the bandwidth of the path, and the copies of all
//     multiprocessors, at the bandwidth of L2;
//   - the copies of one block: with S stages they have S - 1 steps; with two
//     stages they and the matmul take turns.

#include "tile/Analysis/LaunchTime.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tile;

double tile::getMmaCycles(const Machine &machine, llvm::StringRef unit,
                          double multiplyAdds, bool byWarp) {
  constexpr double kOperations = 2;
  double cycles =
      multiplyAdds * kOperations / machine.getOperationsPerCycle(unit);
  return byWarp ? cycles * machine.loops->warpMmaFactor : cycles;
}

/// Returns the cycles of a wave of `all` blocks, of which each multiprocessor
/// runs at most `blocks`.
static double getWaveCycles(const LoopCosts &costs, const LoopResources &loop,
                            double all, double blocks) {
  constexpr int64_t kTurns = 2;
  double copy = loop.copiedBytes / costs.copiedBytes;
  double alone = loop.stages <= kTurns
                     ? loop.mmaCycles + copy
                     : copy / static_cast<double>(loop.stages - 1);
  double copyAll = all * loop.copiedBytes / costs.sharedCopiedBytes;
  double step =
      std::max({blocks * loop.mmaCycles, blocks * copy, copyAll, alone}) +
      costs.stepCycles;
  return copy + static_cast<double>(loop.steps) * step +
         blocks * loop.storedBytes / costs.storedBytes;
}

double tile::estimateCycles(const Machine &machine,
                            const LaunchResources &launch) {
  const LoopCosts &costs = *machine.loops;
  int64_t processors = machine.getProcessors();
  int64_t ofWave = processors * launch.blocksPerProcessor;
  int64_t waves = launch.blocks / ofWave, rest = launch.blocks % ofWave;
  auto getCycles = [&](int64_t all) {
    int64_t blocks = llvm::divideCeil(all, processors);
    return getWaveCycles(costs, launch.loop, static_cast<double>(all),
                         static_cast<double>(blocks));
  };
  double cycles = static_cast<double>(waves) * getCycles(ofWave);
  if (rest != 0)
    cycles += getCycles(rest);
  double memory =
      launch.memoryBytes * machine.gigahertz / machine.peak.gigabytes;
  return costs.launchCycles + std::max(cycles, memory);
}
