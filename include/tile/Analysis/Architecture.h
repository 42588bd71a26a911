// Architecture.h - limits and costs of a GPU architecture
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_ARCHITECTURE_H
#define TILE_ANALYSIS_ARCHITECTURE_H

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// Parameters that measurements chose for an architecture. Register counts are
/// 32-bit registers of one thread.
struct Costs {
  /// Registers for the tiles of a chain of matmuls. With more, ptxas spills.
  int64_t chainRegisters = 212;
  /// Registers of a loop that carries tiles: values that belong to rows, and
  /// addresses of copies.
  int64_t loopRegisters = 32;
  /// Registers for addresses and counters of a matmul by matrix instructions
  /// that carries fragments, in addition to its accumulator and fragments.
  int64_t addressRegisters = 48;
  /// Registers for descriptors and addresses of a warpgroup's matmul, in
  /// addition to the accumulators. Accumulators cannot be spilled while the
  /// instruction has them: if they do not fit, ptxas fails or makes one
  /// instruction wait for the other.
  int64_t descriptorRegisters = 32;
  /// Registers for addresses of tiles that are loaded to be rounded or
  /// converted on their way to shared memory. With fewer, ptxas spills.
  int64_t throughRegisterAddresses = 15;
  /// Registers that computed operands may take. ptxas moves most of the
  /// computation to its uses: with 128 and an accumulator of 128, i8 as f16 in
  /// tiles of 128x128x64 spills at most 16 bytes.
  int64_t computedOperandRegisters = 128;
  /// The smallest accumulator, in elements, and the smallest step along K, for
  /// which a warpgroup with rounded operands is faster than mma.sync
  /// (docs/Performance.md).
  int64_t minRoundedSums = 128 * 256, minRoundedStep = 32;
  /// Elements of the largest tile for each thread, and the maximum number of
  /// warps, of a block for which operations do not request a number of warps.
  int64_t elementsPerThread = 8, maxElementwiseWarps = 8;
  /// The fewest bytes of each thread of the largest tile that such a block
  /// loads or stores (docs/Performance.md).
  int64_t accessBytesPerThread = 24;
  /// Stages of a loop: the fewest that hide the latency of its loads, and the
  /// most that are of use.
  int64_t minStages = 3, maxStages = 4;
  /// Minimum and maximum number of stages of a loop with a matmul by FMA, in
  /// which computation takes long in comparison with the loads. A third stage
  /// pays if it does not reduce the number of blocks on a multiprocessor, for
  /// blocks whose threads have `fmaRegisters` registers (docs/Performance.md).
  int64_t minFmaStages = 2, maxFmaStages = 3, fmaRegisters = 128;
  /// Maximum number of stages if a block is the only one on its multiprocessor:
  /// no other block hides the waits of a step.
  int64_t maxStagesAlone = 8;
};

/// A GPU architecture, identified by its name for ptxas. Limits are those of
/// the CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability", unless a comment states another source. Members with a default
/// are equal in all rows.
struct Architecture {
  llvm::StringRef name;
  /// Compute capability times ten: 80, 86, 90.
  int number;
  /// Bytes of shared memory that one block may have (opt-in).
  int64_t sharedBytesPerBlock;
  /// Bytes of shared memory of a multiprocessor. Each block takes
  /// `reservedBytes` in addition to its own.
  int64_t sharedBytesPerProcessor;
  /// Threads and blocks that a multiprocessor holds at a time.
  int64_t threadsPerProcessor, blocksPerProcessor;
  /// Multiprocessors of the GPU model that has the most (NVIDIA's whitepapers
  /// of the architectures).
  int64_t processors;
  /// PTX version for the architecture, times ten, as in LLVM's feature name
  /// ("+ptx80").
  int ptxVersion;
  /// Whether the architecture has wgmma (PTX ISA, "wgmma.mma_async": only
  /// sm_90a).
  bool hasWarpgroupMma = false;
  /// Threads of a block.
  int64_t threadsPerBlock = 1024;
  /// Registers of 32 bits of a thread, a block and a multiprocessor.
  int64_t registersPerThread = 255, registersPerBlock = 64 * 1024,
          registersPerProcessor = 64 * 1024;
  /// Unit in which registers are allocated to a warp.
  int64_t registerUnit = 256;
  /// Bytes of shared memory that the system reserves for each block (the same
  /// guide, "Shared Memory" of compute capability 8.x and 9.0).
  int64_t reservedBytes = 1024;
  /// The fewest bytes that a cache moves (CUDA C++ Best Practices Guide,
  /// "Coalesced Access to Global Memory").
  int64_t sectorBytes = 32;
  Costs costs = {};

  /// Returns the most warps of a block.
  int64_t getMaxWarps() const;
  /// Whether a kernel may be launched while the one before it still runs (CUDA
  /// C++ Programming Guide, "Programmatic Dependent Launch"; PTX ISA,
  /// "griddepcontrol").
  bool hasDependentLaunch() const { return number >= 90; }
};

/// Returns all known architectures, oldest first.
llvm::ArrayRef<Architecture> getArchitectures();

/// Returns the architecture with the name `name`, or null if it is not known.
const Architecture *findArchitecture(llvm::StringRef name);

/// Lists the names for messages: "sm_80, sm_86, ...".
std::string listArchitectures();

/// Returns the architecture that the module is compiled for: its `tile.target`,
/// or sm_80 if absent. Returns null after an error at the module if the name is
/// not known.
const Architecture *getTargetArchitecture(mlir::Operation *op);

/// Sets the module's `tile.target` to `name`, or leaves it unchanged if `name`
/// is empty. Returns the architecture that the module is then compiled for, or
/// null after an error. The error for an unknown `name` has no location.
const Architecture *setTargetArchitecture(mlir::ModuleOp module,
                                          llvm::StringRef name);

} // namespace tile

#endif // TILE_ANALYSIS_ARCHITECTURE_H
