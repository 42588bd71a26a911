// Machine.cpp - runs all blocks of a grid
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Emulator/Machine.h"

#include "Block.h"

#include <algorithm>
#include <numeric>
#include <thread>

using namespace tile::emulator;

//===----------------------------------------------------------------------===//
// Refused programs
//===----------------------------------------------------------------------===//

static std::string refuseDimensions(const char *what, const Dimensions &given,
                                    const Dimensions &most) {
  for (int i = 0; i < 3; ++i)
    if (given[i] < 1 || given[i] > most[i])
      return std::string("expected a ") + what + " of 1 to " +
             std::to_string(most[i]) + " along " + "xyz"[i] + ", got " +
             std::to_string(given[i]);
  return "";
}

static std::string refuseKernel(const Kernel &kernel) {
  if (!kernel.entry)
    return "expected a kernel with an entry, got none";
  const Limits &limits = kernel.limits;
  std::string refusal = refuseDimensions("block", kernel.block, limits.block);
  if (!refusal.empty())
    return refusal;
  uint64_t threads =
      uint64_t(kernel.block[0]) * kernel.block[1] * kernel.block[2];
  uint64_t most =
      std::min<uint64_t>(limits.blockThreads, kMaxWarps * kWarpLanes);
  if (threads > most)
    return "expected at most " + std::to_string(most) +
           " threads in a block, got " + std::to_string(threads);
  if (kernel.sharedBytes > limits.sharedBytes)
    return "expected at most " + std::to_string(limits.sharedBytes) +
           " bytes of shared memory, got " + std::to_string(kernel.sharedBytes);
  if (kernel.sites.size() >= 1u << 28)
    return "expected fewer than 2^28 instructions, got " +
           std::to_string(kernel.sites.size());
  return "";
}

/// Returns why the emulator cannot execute the instruction of a site; empty if
/// it can.
static std::string refuseSite(const Site &site) {
  std::string where =
      site.instruction + (site.location.empty() ? "" : " at " + site.location);
  uint32_t alignment = site.memory.alignment;
  if (!alignment || (alignment & (alignment - 1)))
    return "expected an alignment that is a power of two, got " +
           std::to_string(alignment) + " (" + where + ")";
  if (site.memory.scatter >= kMostScatters)
    return "expected fewer than 2^16 scatters, got number " +
           std::to_string(site.memory.scatter) + " (" + where + ")";
  bool isRefused =
      (site.kind == SiteKind::Mma && !isSupported(site.mma)) ||
      (site.kind == SiteKind::WarpgroupMma && !isWarpgroupSupported(site.mma));
  if (isRefused)
    return "expected an mma that the emulator has, got m" +
           std::to_string(site.mma.m) + "n" + std::to_string(site.mma.n) + "k" +
           std::to_string(site.mma.k) + " (" + where + ")";
  bool isMatrix =
      site.kind == SiteKind::LoadMatrix || site.kind == SiteKind::StoreMatrix;
  uint8_t count = site.matrix.count;
  if (isMatrix && ((count != 1 && count != 2 && count != 4) ||
                   site.matrix.elementBits != 16))
    return "expected 1, 2 or 4 matrices of 8 x 8 elements of 16 bits, got " +
           std::to_string(count) + " of " +
           std::to_string(site.matrix.elementBits) + " bits (" + where + ")";
  return "";
}

static std::string refuseArray(const Array &array) {
  if (!array.base && array.bytes)
    return "expected memory of " + array.name + ", got a null pointer";
  if (array.extents.size() != array.strides.size())
    return "expected as many strides as extents of " + array.name + ", got " +
           std::to_string(array.strides.size()) + " and " +
           std::to_string(array.extents.size());
  return "";
}

static std::string refuse(const Kernel &kernel, const Launch &launch) {
  std::string refusal = refuseKernel(kernel);
  if (refusal.empty())
    refusal = refuseDimensions("grid", launch.grid, kernel.limits.grid);
  // Block indices have 32 bits.
  uint64_t rows = uint64_t(launch.grid[1]) * launch.grid[2];
  if (refusal.empty() && rows > 0xffffffff / launch.grid[0])
    refusal = "expected fewer than 2^32 blocks";
  for (const Site &site : kernel.sites)
    if (refusal.empty())
      refusal = refuseSite(site);
  for (const Array &array : launch.arrays)
    if (refusal.empty())
      refusal = refuseArray(array);
  return refusal;
}

//===----------------------------------------------------------------------===//
// All blocks
//===----------------------------------------------------------------------===//

namespace {
/// The order in which blocks start: the index advances by a step that is
/// coprime to the number of blocks, so that it reaches each block once.
class BlockOrder {
public:
  BlockOrder(uint64_t count, uint64_t seed) : count(count) {
    if (!seed || count < 2)
      return;
    Random random(seed, ~uint64_t(0));
    start = random.next() % count;
    do
      step = 1 + random.next() % (count - 1);
    while (std::gcd(step, count) != 1);
  }
  /// Returns the index of the i-th block that starts. `i` and `step` are less
  /// than 2^32, so their product fits.
  uint64_t operator[](uint64_t i) const { return (start + i * step) % count; }

private:
  uint64_t count, start = 0, step = 1;
};

/// Whether a block may wait for values that another block writes.
bool mayWaitForBlocks(const Kernel &kernel) {
  for (const Site &site : kernel.sites) {
    const MemoryFacts &facts = site.memory;
    if (site.kind == SiteKind::Access && facts.mode == AccessMode::Read &&
        facts.order != MemoryOrder::Plain &&
        facts.scope != MemoryScope::Block &&
        facts.space != AddressSpace::Shared)
      return true;
  }
  return false;
}

/// A run of a grid with the results of all host threads.
class GridRun {
public:
  GridRun(const Kernel &kernel, const Launch &launch, const Options &options)
      : grid(kernel, launch, options),
        numBlocks(uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2]),
        order(numBlocks, mayWaitForBlocks(kernel) ? 0 : options.seed) {
    outcome.counters.resize(kernel.sites.size());
    outcome.isComplete = true;
  }

  Outcome run();

private:
  void work();
  void countBlock();
  void collect(Block &block, bool isComplete);

  Grid grid;
  uint64_t numBlocks;
  BlockOrder order;
  std::atomic<uint64_t> nextBlock{0};
  std::mutex mutex;
  uint64_t numEnded = 0;
  Findings findings;
  Outcome outcome;
};
} // namespace

/// Runs blocks until all have been started.
void GridRun::work() {
  Block block(grid);
  std::string refusal = block.getRefusal();
  if (!refusal.empty()) {
    std::lock_guard<std::mutex> guard(mutex);
    outcome.refusal = refusal;
    return;
  }
  bool isComplete = true;
  while (true) {
    uint64_t i = nextBlock++;
    if (i >= numBlocks)
      break;
    if (grid.isAborted || grid.control.poll()) {
      isComplete = false;
      break;
    }
    isComplete &= block.execute(order[i]);
    countBlock();
  }
  collect(block, isComplete);
}

void GridRun::countBlock() {
  if (!grid.options.progress)
    return;
  std::lock_guard<std::mutex> guard(mutex);
  grid.options.progress(++numEnded, numBlocks);
}

void GridRun::collect(Block &block, bool isComplete) {
  std::lock_guard<std::mutex> guard(mutex);
  findings.merge(std::move(block.findings));
  for (size_t i = 0; i < outcome.counters.size(); ++i) {
    Counters &sum = outcome.counters[i];
    const Counters &part = block.counters[i];
    sum.threads += part.threads;
    sum.warps += part.warps;
    sum.wavefronts += part.wavefronts;
    sum.minimalWavefronts += part.minimalWavefronts;
    sum.sectors += part.sectors;
  }
  outcome.barriers += block.completedBarriers;
  outcome.isComplete &= isComplete;
}

Outcome GridRun::run() {
  uint64_t numThreads = grid.options.hostThreads
                            ? grid.options.hostThreads
                            : std::max(1u, std::thread::hardware_concurrency());
  numThreads = std::min(numThreads, numBlocks);
  grid.control.run(numThreads, [this] { work(); });
  outcome.lastWriter = grid.lastWriter;
  outcome.findings = findings.take(grid.kernel, grid.options.maxFindings,
                                   outcome.droppedFindings);
  return std::move(outcome);
}

Outcome tile::emulator::run(const Kernel &kernel, const Launch &launch,
                            const Options &options) {
  std::string refusal = refuse(kernel, launch);
  if (!refusal.empty()) {
    Outcome outcome;
    outcome.refusal = std::move(refusal);
    return outcome;
  }
  return GridRun(kernel, launch, options).run();
}
