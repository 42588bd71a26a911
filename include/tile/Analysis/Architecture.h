// Architecture.h - what a GPU architecture has
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_ARCHITECTURE_H
#define TILE_ANALYSIS_ARCHITECTURE_H

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// A GPU architecture by its name for ptxas. Limits are those of the CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability".
struct Architecture {
  llvm::StringRef name;
  /// Compute capability times ten: 80, 86, 90.
  int number;
  /// Bytes of shared memory that one block may have (opt-in).
  int64_t sharedBytesPerBlock;
  /// Bytes of shared memory of a multiprocessor; each block also takes one
  /// reserved kilobyte of them.
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

} // namespace tile

#endif // TILE_ANALYSIS_ARCHITECTURE_H
