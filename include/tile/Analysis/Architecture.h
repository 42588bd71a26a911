// Architecture.h - what a GPU architecture has
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_ARCHITECTURE_H
#define TILE_ANALYSIS_ARCHITECTURE_H

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// What measurements chose on an architecture. Registers are of 32 bits, of a
/// thread.
struct Costs {
  /// For the tiles of a chain of products: with more, ptxas spills.
  int64_t chainRegisters = 212;
  /// Of a loop that carries tiles: what belongs to rows, and addresses of
  /// copies.
  int64_t loopRegisters = 32;
  /// Beside accumulator and fragments of a product by matrix instructions that
  /// carries fragments: addresses, counters.
  int64_t addressRegisters = 48;
  /// Of a warpgroup's product, beside the accumulators: descriptors and
  /// addresses. Accumulators cannot be spilled while the instruction has them:
  /// ptxas refuses what does not fit, or makes one instruction wait for the
  /// other.
  int64_t descriptorRegisters = 32;
  /// For addresses of an rhs that is loaded to be rounded: with fewer, ptxas
  /// spills.
  int64_t roundedRhsRegisters = 15;
  /// That computed operands may take. ptxas moves most of the computation to
  /// its uses: with 128 and an accumulator of 128, i8 as f16 in tiles of
  /// 128x128x64 spills at most 16 bytes.
  int64_t computedOperandRegisters = 128;
  /// Elements of the least tile, and the least step, of operands that are
  /// rounded for which a warpgroup is faster than mma.sync
  /// (docs/Performance.md).
  int64_t minRoundedSums = 128 * 256, minRoundedStep = 32;
  /// Elements of the largest tile that a thread has where operations ask for no
  /// warps, and warps of such a block at most.
  int64_t elementsPerThread = 8, maxElementwiseWarps = 8;
  /// Stages of a loop that hide the latency of its loads at least and, beyond
  /// which nothing is gained, at most.
  int64_t minStages = 3, maxStages = 4;
  /// A product by FMA takes long for what it reads: a third stage is worth it
  /// where it takes no block's place, blocks having threads of so many
  /// registers (docs/Performance.md).
  int64_t minFmaStages = 2, maxFmaStages = 3, fmaRegisters = 128;
  /// Of a block that is alone on its multiprocessor: no other hides what a step
  /// waits for.
  int64_t maxStagesAlone = 8;
};

/// A GPU architecture by its name for ptxas. Limits are those of the CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability", where
/// nothing else is said. Members with a default are the same for all rows.
struct Architecture {
  llvm::StringRef name;
  /// Compute capability times ten: 80, 86, 90.
  int number;
  /// Bytes of shared memory that one block may have (opt-in).
  int64_t sharedBytesPerBlock;
  /// Bytes of shared memory of a multiprocessor, of which each block takes
  /// `reservedBytes` more than it has.
  int64_t sharedBytesPerProcessor;
  /// Threads and blocks that a multiprocessor holds at a time.
  int64_t threadsPerProcessor, blocksPerProcessor;
  /// Multiprocessors of the part that has the most (NVIDIA's whitepapers of the
  /// architectures).
  int64_t processors;
  /// PTX version for the architecture, times ten, as LLVM's feature name has
  /// it ("+ptx80").
  int ptxVersion;
  /// Whether it has wgmma (PTX ISA, "wgmma.mma_async": sm_90a alone).
  bool hasWarpgroupProducts = false;
  /// Threads of a block.
  int64_t threadsPerBlock = 1024;
  /// Registers of 32 bits of a thread, a block and a multiprocessor.
  int64_t registersPerThread = 255, registersPerBlock = 64 * 1024,
          registersPerProcessor = 64 * 1024;
  /// Registers that a warp is given at a time.
  int64_t registerUnit = 256;
  /// Bytes of shared memory that the system takes of each block (the same
  /// guide, "Shared Memory" of compute capability 8.x and 9.0).
  int64_t reservedBytes = 1024;
  /// Bytes that a cache moves at least (CUDA C++ Best Practices Guide,
  /// "Coalesced Access to Global Memory").
  int64_t sectorBytes = 32;
  Costs costs = {};

  /// Warps of a block at most.
  int64_t getMaxWarps() const;
};

/// All that are known, oldest first.
llvm::ArrayRef<Architecture> getArchitectures();

/// By name; null for a name that is not known.
const Architecture *findArchitecture(llvm::StringRef name);

/// "sm_80, sm_86, ...": for messages.
std::string listArchitectures();

/// What the module is compiled for: its `tile.target`, sm_80 when absent.
/// Null, after an error at the module, for a name that is not known.
const Architecture *getTargetArchitecture(mlir::Operation *op);

/// Makes `name` the module's `tile.target`, or leaves that where `name` is
/// empty. What the module is then compiled for; null after an error, which is
/// not at the module if the name is not from there.
const Architecture *setTargetArchitecture(mlir::ModuleOp module,
                                          llvm::StringRef name);

} // namespace tile

#endif // TILE_ANALYSIS_ARCHITECTURE_H
