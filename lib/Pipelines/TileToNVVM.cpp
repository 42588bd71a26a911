// TileToNVVM.cpp - pipelines from tile programs to the LLVM dialect
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Pipelines/TileToNVVM.h"

#include "RegisterPipeline.h"
#include "tile/Conversion/TileToNVGPU.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tile;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Adds the pass that verifies that a kernel is at `level`, and records the
/// level in the kernel.
static void addLevel(OpPassManager &kernel, Level level) {
  VerifyLevelOptions options;
  options.level = level;
  kernel.addPass(createVerifyLevel(options));
}

/// Adds the passes from level source to decomposed.
static void addDecomposition(OpPassManager &pm) {
  // Phase 1: no calls, no redundant operations, no composite operations.
  pm.addPass(createCanonicalForm());
  OpPassManager &kernel = pm.nest<KernelOp>();
  kernel.addPass(createDecompose());
  addCleanup(kernel);
}

/// Adds the end of phase 1: matmuls whose results are used as they are, a
/// specialized and a generic variant.
static void addVariants(OpPassManager &pm) {
  pm.addNestedPass<KernelOp>(createOrientMatmuls());
  pm.addPass(createSpecializeAlignment());
}

/// Adds the passes from the variants of kernels to level distributed.
static void addDistribution(OpPassManager &pm,
                            const WarpTilingOptions &tiling) {
  OpPassManager &kernel = pm.nest<KernelOp>();
  // Phase 2: each kernel has a block size, and each matmul a complete tiling.
  kernel.addPass(createSplitAccumulators());
  kernel.addPass(createWarpTiling(tiling));
  kernel.addPass(createRereadTiles());
  // Phase 3: every tile is in registers or in shared memory.
  kernel.addPass(createAssignStorage());
  // Phase 4: every tile has a layout; every mismatch is a conversion.
  kernel.addPass(createAssignLayouts());
  addCleanup(kernel);
  addLevel(kernel, Level::distributed);
}

/// Adds the decisions of phase 5: which copies run ahead of their use, outside
/// of loops before matmuls, and in loops over K into circular buffers.
static void addStages(OpPassManager &pm) {
  OpPassManager &kernel = pm.nest<KernelOp>();
  kernel.addPass(createAdvanceCopies());
  kernel.addPass(createAssignStages());
}

/// Adds the passes from the end of addStages to level buffered.
static void addBuffers(OpPassManager &pm) {
  OpPassManager &kernel = pm.nest<KernelOp>();
  // The end of phase 5: loops whose copies run ahead.
  kernel.addPass(createExpandPipeline());
  addCleanup(kernel);
  // Phase 6: tiles in shared memory become buffers. The last fragments of a
  // matmul are multiplied in the next iteration.
  kernel.addPass(createBufferize());
  addCleanup(kernel);
  kernel.addPass(createCarryFragments());
  // Asynchronous MMAs are issued, and waited for.
  kernel.addPass(createIssueMatmuls());
  // Exchanges between warps share barriers.
  kernel.addPass(createGroupExchanges());
  // Phase 7: every buffer has an offset, and all of them fit.
  kernel.addPass(createAllocateShared());
  // Phase 8: barriers separate conflicting accesses, which is proved; channels
  // are used in order, and their waits become waits for groups of copies.
  kernel.addPass(createOrderFills());
  kernel.addPass(createVerifyChannels());
  kernel.addPass(createInsertBarriers());
  kernel.addPass(createCountGroups());
  kernel.addPass(createSinkWaits());
  // Each access is planned: its width, its instructions and its bounds checks.
  kernel.addPass(createPlanAccesses());
  addLevel(kernel, Level::buffered);
}

void tile::buildTilePhases(OpPassManager &pm, const TilePhasesOptions &options,
                           Level from) {
  if (!options.arch.empty())
    pm.addPass(createSetTarget({options.arch}));
  if (from < Level::decomposed)
    addDecomposition(pm);
  if (from < Level::distributed) {
    addVariants(pm);
    addDistribution(pm, options.tiling);
  }
  if (from < Level::buffered) {
    addStages(pm);
    addBuffers(pm);
  }
  // Kernels whose code would take more than a minute to compile are refused.
  pm.addPass(createVerifyInstructions());
}

void tile::buildTileVariants(OpPassManager &pm,
                             const TilePhasesOptions &options, Level from) {
  if (!options.arch.empty())
    pm.addPass(createSetTarget({options.arch}));
  if (from < Level::decomposed)
    addDecomposition(pm);
  addVariants(pm);
}

void tile::buildTilePlans(OpPassManager &pm, const TilePhasesOptions &options) {
  addDistribution(pm, options.tiling);
  addStages(pm);
  pm.addPass(createVerifyInstructions());
}

void tile::buildTileLowering(OpPassManager &pm,
                             const TileLoweringOptions &options) {
  if (options.checkBounds)
    pm.addNestedPass<KernelOp>(createCheckBounds());
  // Phase 9: tiles become registers and addresses of one thread, ...
  pm.addPass(createConvertTileToNVGPU());
  // (straight-line code of thousands of operations, which LLVM simplifies
  // faster than the canonicalizer)
  pm.addPass(createCSEPass());
  // ... kernels become functions of the LLVM dialect.
  pm.addPass(createConvertKernelToNVVM());
}

void tile::buildTileToNVVM(OpPassManager &pm,
                           const TileToNVVMOptions &options) {
  buildTilePhases(pm, options);
  buildTileLowering(pm, options);
}

void tile::registerTileToNVVM() {
  registerPipeline<TilePhasesOptions>(
      "tile-phases",
      "tile programs to whole tiles with layouts, buffers and barriers (phases "
      "1 to 8)",
      [](OpPassManager &pm, const TilePhasesOptions &options) {
        buildTilePhases(pm, options);
      });
  registerPipeline<TileLoweringOptions>(
      "tile-lowering",
      "what -tile-phases leaves to the LLVM dialect, its synchronization "
      "proved "
      "(phase 9)",
      [](OpPassManager &pm, const TileLoweringOptions &options) {
        pm.addNestedPass<KernelOp>(createVerifySynchronization());
        buildTileLowering(pm, options);
      });
  registerPipeline<TileToNVVMOptions>(
      "tile-to-nvvm",
      "tile programs to the LLVM dialect for a GPU (phases 1 to 9)",
      buildTileToNVVM);
}
