// TileToCPU.cpp - the pipeline -tile-to-cpu
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Pipelines/TileToCPU.h"

#include "RegisterPipeline.h"
#include "tile/Conversion/Passes.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tile;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Adds the passes that convert tensors to buffers. These are on the heap,
/// since a tile may be larger than the stack. A loop may yield a buffer that
/// its body allocates; each buffer has an owner that frees it.
static void addBuffers(OpPassManager &pm) {
  bufferization::OneShotBufferizePassOptions options;
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(createReuseDestinations());
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  bufferization::buildBufferDeallocationPipeline(pm);
}

void tile::buildTileToCPU(OpPassManager &pm) {
  // Kernels have no calls afterwards.
  pm.addPass(createCanonicalForm());
  buildCanonicalToCPU(pm);
}

void tile::buildCanonicalToCPU(OpPassManager &pm) {
  // Accesses outside of a tile or an array become errors instead of undefined
  // accesses.
  pm.addNestedPass<KernelOp>(createCheckBounds());

  // Kernels become functions on tensors, without tiles. The passes from here to
  // bufferization must not merge destinations that this conversion separates.
  pm.addPass(createConvertTileToCPU());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createFuseElementwise());
  pm.addPass(createCanonicalizerPass());

  // Tensors become buffers, each with an owner, and operations on them loops.
  addBuffers(pm);
  pm.addPass(createExpandCopies());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  addCleanup(pm);
  pm.addPass(createExpandScalarOps());

  // The rest is lowered to the LLVM dialect.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertMathToFuncs());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertComplexToLLVMPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  FinalizeMemRefToLLVMConversionPassOptions memory;
  memory.useAlignedAlloc = true; // LLVM knows that the result does not alias
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memory));
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createDefineArithmetic());
  addCleanup(pm);
}

void tile::registerTileToCPU() {
  registerPipeline<EmptyPipelineOptions>(
      "tile-to-cpu",
      "lower tile programs to the LLVM dialect for the host's processor",
      [](OpPassManager &pm, const EmptyPipelineOptions &) {
        buildTileToCPU(pm);
      });
}
