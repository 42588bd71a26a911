// Occupancy.cpp - how many blocks a multiprocessor has room for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Occupancy.h"

using namespace mlir;
using namespace tile;

/// The most that a multiprocessor of any architecture holds at a time, and the
/// shared memory that the system takes of each block (CUDA C++ Programming
/// Guide, "Technical Specifications per Compute Capability", "Shared Memory" of
/// compute capability 8.x and 9.0).
static constexpr int64_t kMaxBlocks = 32;
static constexpr int64_t kMaxThreads = 2048;
static constexpr int64_t kReservedBytes = 1024;

std::optional<int64_t> tile::getBlocksPerProcessor(KernelOp kernel) {
  if (auto blocks = kernel->getAttrOfType<IntegerAttr>(kBlocksPerProcessorAttr))
    return blocks.getInt();
  return std::nullopt;
}

LogicalResult tile::verifyOccupancy(KernelOp kernel) {
  Attribute attr = kernel->getAttr(kBlocksPerProcessorAttr);
  if (!attr)
    return success();
  auto integer = dyn_cast<IntegerAttr>(attr);
  if (!integer || !integer.getType().isSignlessInteger(64) ||
      integer.getInt() < 1 || integer.getInt() > kMaxBlocks)
    return kernel.emitError("expected '")
           << kBlocksPerProcessorAttr << "' to be an integer from 1 to "
           << kMaxBlocks << ", got " << attr;
  int64_t threads = *kernel.getBlock(), blocks = integer.getInt();
  if (threads * blocks > kMaxThreads)
    return kernel.emitError("expected at most ")
           << kMaxThreads << " threads on a multiprocessor ('"
           << kBlocksPerProcessorAttr << "' at most " << kMaxThreads / threads
           << "), got " << blocks << " blocks of " << threads;
  return success();
}

int64_t tile::getSharedBytesLimit(const Architecture &architecture,
                                  int64_t blocks) {
  return std::min(architecture.sharedBytesPerBlock,
                  architecture.sharedBytesPerProcessor / blocks -
                      kReservedBytes);
}

int64_t tile::getSharedBytesLimit(KernelOp kernel,
                                  const Architecture &architecture) {
  return getSharedBytesLimit(architecture,
                             getBlocksPerProcessor(kernel).value_or(1));
}
