// Occupancy.cpp - number of blocks that fit on a multiprocessor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Occupancy.h"

using namespace mlir;
using namespace tile;

/// Parts of a multiprocessor that schedule warps by themselves.
static constexpr int64_t kNumParts = 4;
/// Unit of bytes in which shared memory is allocated.
static constexpr int64_t kSharedUnit = 128;

/// Returns the number of blocks of `warps` warps for which there are registers.
static int64_t getBlocksOfRegisters(const Architecture &architecture,
                                    int64_t warps, int64_t registers) {
  int64_t perWarp = llvm::alignTo(std::max<int64_t>(registers, 1) * kWarpSize,
                                  architecture.registerUnit);
  int64_t room =
      llvm::alignDown(architecture.registersPerProcessor / perWarp, kNumParts);
  return room / warps;
}

Occupancy tile::getOccupancy(const Architecture &architecture, int64_t threads,
                             int64_t registers, int64_t sharedBytes) {
  int64_t warps = llvm::divideCeil(threads, kWarpSize);
  int64_t bytes =
      llvm::alignTo(sharedBytes + architecture.reservedBytes, kSharedUnit);
  Occupancy limits[] = {
      {architecture.blocksPerProcessor, 0, "blocks"},
      {architecture.threadsPerProcessor / (warps * kWarpSize), 0, "threads"},
      {getBlocksOfRegisters(architecture, warps, registers), 0, "registers"},
      {architecture.sharedBytesPerProcessor / bytes, 0, "shared memory"}};
  Occupancy least =
      *llvm::min_element(limits, [](const Occupancy &a, const Occupancy &b) {
        return a.blocks < b.blocks;
      });
  least.warps = least.blocks * warps;
  return least;
}

std::optional<int64_t> tile::getBlocksPerProcessor(KernelOp kernel) {
  if (auto blocks = kernel->getAttrOfType<IntegerAttr>(kBlocksPerProcessorAttr))
    return blocks.getInt();
  return std::nullopt;
}

LogicalResult tile::verifyOccupancy(KernelOp kernel,
                                    const Architecture &architecture) {
  auto integer = kernel->getAttrOfType<IntegerAttr>(kBlocksPerProcessorAttr);
  if (!integer)
    return success();
  int64_t threads = kernel.getLaunchedThreads(), blocks = integer.getInt();
  if (blocks < 1 || blocks > architecture.blocksPerProcessor)
    return kernel.emitError("expected '")
           << kBlocksPerProcessorAttr << "' to be an integer from 1 to "
           << architecture.blocksPerProcessor << ", got " << integer;
  int64_t most = architecture.threadsPerProcessor;
  if (threads * blocks > most)
    return kernel.emitError("expected at most ")
           << most << " threads on a multiprocessor ('"
           << kBlocksPerProcessorAttr << "' at most " << most / threads
           << "), got " << blocks << " blocks of " << threads;
  return success();
}

std::optional<int64_t> tile::getNumBlocks(KernelOp kernel) {
  std::optional<GridAttr> grid = kernel.getGrid();
  if (!grid)
    return std::nullopt;
  Builder builder(kernel.getContext());
  SmallVector<Attribute> sizes, extents;
  for (auto source : grid->getSources().getAsRange<ArrayAttr>()) {
    auto getValue = [&](unsigned index) {
      return cast<IntegerAttr>(source[index]).getInt();
    };
    auto array = dyn_cast<MemRefType>(kernel.getArgumentTypes()[getValue(0)]);
    if (!array || array.isDynamicDim(getValue(1)))
      return std::nullopt;
    sizes.push_back(builder.getIndexAttr(array.getDimSize(getValue(1))));
  }
  if (failed(grid->getMap().getValue().constantFold(sizes, extents)))
    return std::nullopt;
  int64_t blocks = 1;
  for (Attribute extent : extents)
    if (llvm::MulOverflow(blocks, cast<IntegerAttr>(extent).getInt(), blocks))
      return std::nullopt;
  return blocks;
}

bool tile::isAloneOnProcessor(KernelOp kernel,
                              const Architecture &architecture) {
  if (std::optional<int64_t> asked = getBlocksPerProcessor(kernel))
    return *asked == 1;
  std::optional<int64_t> blocks = getNumBlocks(kernel);
  return blocks && *blocks <= architecture.processors;
}

int64_t tile::getRegisterLimit(KernelOp kernel,
                               const Architecture &architecture,
                               int64_t blocks) {
  int64_t threads = kernel.getLaunchedThreads() * blocks;
  return std::min<int64_t>(
      architecture.registersPerThread,
      llvm::alignDown(architecture.registersPerProcessor / threads,
                      architecture.registerUnit / kWarpSize));
}

int64_t tile::getRegisterLimit(KernelOp kernel,
                               const Architecture &architecture) {
  return getRegisterLimit(kernel, architecture,
                          getBlocksPerProcessor(kernel).value_or(1));
}

int64_t tile::getSharedBytesLimit(const Architecture &architecture,
                                  int64_t blocks) {
  return std::min(architecture.sharedBytesPerBlock,
                  architecture.sharedBytesPerProcessor / blocks -
                      architecture.reservedBytes);
}

int64_t tile::getSharedBytesLimit(KernelOp kernel,
                                  const Architecture &architecture) {
  return getSharedBytesLimit(architecture,
                             getBlocksPerProcessor(kernel).value_or(1));
}
