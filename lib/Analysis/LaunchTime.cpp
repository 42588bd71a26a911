// LaunchTime.cpp - the estimated time of a launch
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks run in waves: a wave has as many blocks as all multiprocessors run at
// a time. The blocks of one multiprocessor share its units, so that a section
// takes the longest of these:
//
//   - the matmuls of all blocks of the multiprocessor; their instructions;
//   their
//     copies or loads, at the bandwidth of its path from L2;
//   - the copies of all multiprocessors, at the bandwidth of L2;
//   - the section of one block that has the multiprocessor to itself: its
//     matmuls and the waits of its warps. Copies that run ahead by S stages
//     have S - 1 iterations; with two stages they take turns with the matmul.
//
// Blocks may differ in their numbers of iterations. The last ones to end are
// the longest on average, which adds the time by which they exceed the mean.

#include "tile/Analysis/LaunchTime.h"
#include "tile/Layout/RegisterLayout.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace tile;

static constexpr double Resources::*kMembers[] = {
    &Resources::mmaCycles,    &Resources::wavefronts,  &Resources::slots,
    &Resources::copiedBytes,  &Resources::loadedBytes, &Resources::storedBytes,
    &Resources::spilledBytes, &Resources::loads,       &Resources::shuffles,
    &Resources::barriers};

Resources &Resources::operator+=(const Resources &other) {
  for (double Resources::*member : kMembers)
    this->*member += other.*member;
  return *this;
}

Resources Resources::operator*(double factor) const {
  Resources result = *this;
  for (double Resources::*member : kMembers)
    result.*member *= factor;
  return result;
}

Resources Resources::operator/(double divisor) const {
  Resources result = *this;
  for (double Resources::*member : kMembers)
    result.*member /= divisor;
  return result;
}

/// Share of the work that counts although it does not bound a section or a
/// launch, so that plans with the same bound are ordered by their other work.
static constexpr double kHidden = 0.001;

namespace {
/// Blocks that run at the same time: on the whole GPU, and on the
/// multiprocessor that has the most.
struct Wave {
  double all, blocks;
};
} // namespace

/// Returns the cycles of one execution of a section by a block that has its
/// multiprocessor to itself, without its copies.
static double getWaitCycles(const KernelCosts &costs, const Resources &each,
                            double warps) {
  return each.mmaCycles + each.slots / warps * costs.slotCycles +
         each.loads * costs.loadCycles + each.shuffles * costs.shuffleCycles +
         each.barriers * costs.barrierCycles;
}

/// Returns the longest of some times in which units work at the same time.
static double combine(std::initializer_list<double> terms) {
  return std::max(terms) +
         kHidden * std::accumulate(terms.begin(), terms.end(), 0.0);
}

/// Returns the cycles of `executions` of a section in each block of a wave.
static double getSectionCycles(const KernelCosts &costs, const Section &section,
                               double executions, double warps, Wave wave) {
  constexpr int64_t kTurns = 2;
  const Resources &each = section.each;
  double copy = each.copiedBytes / costs.copiedBytes;
  double wait = getWaitCycles(costs, each, warps);
  double once =
      combine({wave.blocks * each.mmaCycles, wave.blocks * each.wavefronts,
               wave.blocks * each.slots / costs.issuedSlots, wave.blocks * copy,
               wave.all * each.copiedBytes / costs.sharedCopiedBytes,
               wave.blocks * each.loadedBytes / costs.loadedBytes, wait}) +
      wave.blocks * each.storedBytes / costs.storedBytes +
      wave.blocks * each.spilledBytes / costs.spilledBytes;
  if (section.stages == 0)
    return executions * once;
  double alone = section.stages <= kTurns
                     ? wait + copy
                     : copy / static_cast<double>(section.stages - 1);
  return copy + executions * (std::max(once, alone) + costs.stepCycles);
}

/// Returns the cycles of a wave of `all` blocks of `processors`
/// multiprocessors, each of which executes every section the mean number of
/// times, or the most.
static double getWaveCycles(const KernelCosts &costs,
                            const BlockResources &block, int64_t all,
                            int64_t processors, bool isLongest) {
  Wave wave = {static_cast<double>(all),
               static_cast<double>(llvm::divideCeil(all, processors))};
  double warps =
      static_cast<double>(llvm::divideCeil(block.threads, kWarpSize));
  double cycles = 0;
  for (const Section &section : block.sections)
    cycles += getSectionCycles(costs, section,
                               isLongest ? section.most : section.executions,
                               warps, wave);
  return cycles;
}

/// Returns the cycles of the waves of a launch.
static double getBlockCycles(const KernelCosts &costs,
                             const LaunchResources &launch,
                             int64_t processors) {
  auto getCycles = [&](int64_t all, bool isLongest = false) {
    return getWaveCycles(costs, launch.block, all, processors, isLongest);
  };
  int64_t ofWave = processors * launch.blocksPerProcessor;
  int64_t waves = launch.blocks / ofWave, rest = launch.blocks % ofWave;
  int64_t first = std::min(launch.blocks, ofWave);
  double cycles = getCycles(first, /*isLongest=*/true) - getCycles(first);
  if (waves != 0)
    cycles += static_cast<double>(waves) * getCycles(ofWave);
  if (rest != 0)
    cycles += getCycles(rest);
  return cycles;
}

/// Returns the cycles in which the multiprocessors start the blocks.
static double getStartCycles(const KernelCosts &costs,
                             const LaunchResources &launch,
                             int64_t processors) {
  double warps =
      static_cast<double>(llvm::divideCeil(launch.block.threads, kWarpSize));
  return static_cast<double>(launch.blocks) / static_cast<double>(processors) *
         std::max(costs.blockCycles, warps * costs.warpCycles);
}

Resources tile::getFmaResources(const Machine &machine, llvm::StringRef unit,
                                double multiplyAdds, double elements,
                                int64_t elementBytes) {
  constexpr double kBytes = 8;
  double reads = elements * static_cast<double>(elementBytes) / kBytes;
  Resources used;
  used.mmaCycles = machine.getMmaCycles(unit, multiplyAdds * (1 + reads),
                                        /*byWarp=*/false);
  used.wavefronts = multiplyAdds / kWarpSize * reads;
  return used;
}

double tile::estimateBusyCycles(const Machine &machine, const Resources &used) {
  const KernelCosts &costs = machine.costs;
  return combine({used.mmaCycles, used.wavefronts,
                  used.slots / costs.issuedSlots,
                  used.copiedBytes / costs.copiedBytes,
                  used.loadedBytes / costs.loadedBytes}) +
         used.storedBytes / costs.storedBytes +
         used.spilledBytes / costs.spilledBytes;
}

double tile::estimateCycles(const Machine &machine,
                            const LaunchResources &launch) {
  const KernelCosts &costs = machine.costs;
  int64_t processors = machine.getProcessors();
  double memory =
      launch.memoryBytes * machine.gigahertz / costs.memoryGigabytes;
  double blocks = std::max(getBlockCycles(costs, launch, processors),
                           getStartCycles(costs, launch, processors));
  return costs.launchCycles + std::max(blocks, memory) +
         kHidden * std::min(blocks, memory);
}
