// TileToCPU.cpp - tile programs as functions on tensors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels become functions first (KernelToFunction.cpp). One dialect conversion
// then converts each operation on tiles to operations on tensors. The functions
// `isLegal...` below define which operations are legal after it.

#include "tile/Conversion/TileToCPU.h"
#include "Patterns.h"
#include "PollLoops.h"
#include "SeparateDestinations.h"

#include "tile/Conversion/HostSymbols.h"
#include "tile/Conversion/Passes.h"

#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tile {
#define GEN_PASS_DEF_CONVERTTILETOCPU
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Whether a pattern converts an operation on tiles: there are patterns for the
/// tile dialect, arith and math; other operations define their computation on
/// elements.
static bool isLowered(Operation *op) {
  return isa_and_present<TileDialect, arith::ArithDialect, math::MathDialect>(
             op->getDialect()) ||
         handsTilesOn(op) || isa<ElementOpInterface>(op);
}

/// Rejects operations that have no meaning on the CPU path: calls, operations
/// on buffers in shared memory, operations that only the phases for the GPU
/// create, and operations without a pattern.
static LogicalResult verifyProgram(ModuleOp module) {
  WalkResult result = module.walk([](KernelOp kernel) {
    return kernel.walk([](Operation *op) {
      if (isa<CallOpInterface>(op)) {
        op->emitError("expected a kernel without calls (-tile-canonical-form "
                      "inlines them), got '")
            << op->getName() << "'";
        return WalkResult::interrupt();
      }
      if (hasTiles(op) && !isLowered(op)) {
        op->emitError("expected an operation of the tile dialect, arith or "
                      "math, or one with ElementOpInterface, got '")
            << op->getName() << "'";
        return WalkResult::interrupt();
      }
      bool hasBuffer = llvm::any_of(op->getOperandTypes(), isSharedBuffer) ||
                       llvm::any_of(op->getResultTypes(), isSharedBuffer);
      if (!hasBuffer && !getMaker(op))
        return WalkResult::advance();
      op->emitError("expected an operation on whole tiles, got '")
          << op->getName()
          << "' (made by the phases for the GPU, which the cpu does not "
             "follow)";
      return WalkResult::interrupt();
    });
  });
  return failure(result.wasInterrupted());
}

/// Rejects ordered updates in loops and branches, since blocks may execute
/// these a different number of times.
static LogicalResult verifyOrder(ModuleOp module) {
  WalkResult result = module.walk([](AtomicRMWOp op) -> WalkResult {
    if (!op.getOrdered() || isa<KernelOp>(op->getParentOp()))
      return WalkResult::advance();
    return op.emitOpError("expected an ordered update outside of loops and "
                          "branches, got one in '")
           << op->getParentOp()->getName() << "'";
  });
  return failure(result.wasInterrupted());
}

/// Rejects functions on tiles that depend on the number of threads, which is
/// known only in a kernel. Such functions must be inlined into kernels before.
static LogicalResult verifyThreads(ModuleOp module) {
  WalkResult result = module.walk([](PerThreadOp op) -> WalkResult {
    if (op->getParentOfType<KernelOp>())
      return WalkResult::advance();
    return op.emitError("expected the threads of a kernel, got a function's "
                        "(-tile-canonical-form inlines them)");
  });
  return failure(result.wasInterrupted());
}

/// Removes the permission to round two operations once, so that results do not
/// depend on how LLVM combines the code.
static void roundEachOperation(ModuleOp module) {
  module.walk([](arith::ArithFastMathInterface op) {
    arith::FastMathFlagsAttr flags = op.getFastMathFlagsAttr();
    if (flags)
      op->setAttr(op.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(
                      op.getContext(),
                      flags.getValue() & ~arith::FastMathFlags::contract));
  });
}

LogicalResult tile::convertTileToCPU(ModuleOp module) {
  if (failed(verifyProgram(module)) || failed(verifyOrder(module)) ||
      failed(verifyThreads(module)))
    return failure();
  MLIRContext *context = module.getContext();
  renameToHostSymbols(module);
  cpu::TypeConverter converter;
  for (KernelOp kernel : llvm::to_vector(module.getOps<KernelOp>()))
    cpu::addPolls(cpu::convertKernel(kernel, converter));

  RewritePatternSet patterns(context);
  cpu::populateConstructionPatterns(converter, patterns);
  cpu::populateRandomPatterns(converter, patterns);
  cpu::populateMemoryPatterns(converter, patterns);
  cpu::populateIndexedPatterns(converter, patterns);
  cpu::populateTakePutPatterns(converter, patterns);
  cpu::populatePerThreadPatterns(converter, patterns);
  cpu::populateShapePatterns(converter, patterns);
  cpu::populateComputePatterns(converter, patterns);
  cpu::populateComplexPatterns(converter, patterns);
  cpu::populateUnpackPatterns(converter, patterns);
  cpu::populateCombiningPatterns(converter, patterns);
  cpu::populateArgReducePatterns(converter, patterns);
  cpu::populateHistogramPatterns(converter, patterns);
  cpu::populateStackPatterns(converter, patterns);
  cpu::populateFactorPatterns(converter, patterns);
  cpu::populateQrPatterns(converter, patterns);
  cpu::populateJacobiPatterns(converter, patterns);
  cpu::populateSolvePatterns(converter, patterns);
  cpu::populateDiagonalPatterns(converter, patterns);
  cpu::populateFourierPatterns(converter, patterns);
  cpu::populateSortPatterns(converter, patterns);
  cpu::populateDebugPatterns(converter, patterns);
  cpu::populateMatmulPatterns(converter, patterns);
  cpu::populateElementwisePatterns(converter, patterns);
  cpu::populateVectorPatterns(converter, patterns);

  ConversionTarget target(*context);
  target.addIllegalDialect<TileDialect>();
  target.addDynamicallyLegalDialect<arith::ArithDialect, math::MathDialect>(
      cpu::isLegalElementwise);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  auto isConverted = [&](Operation *op) { return converter.isLegal(op); };
  target.addDynamicallyLegalOp<memref::DimOp, memref::LoadOp, memref::StoreOp,
                               memref::TransposeOp>(isConverted);
  target.addDynamicallyLegalDialect<vector::VectorDialect>(isConverted);
  target.markUnknownOpDynamicallyLegal([](Operation *op) {
    // An operation on tiles for which no pattern exists is refused, with an
    // error at its line.
    return !hasTiles(op);
  });
  if (failed(applyPartialConversion(module, target, std::move(patterns))))
    return failure();
  cpu::separateDestinations(module);
  roundEachOperation(module);
  return success();
}

namespace {
struct ConvertTileToCPU : tile::impl::ConvertTileToCPUBase<ConvertTileToCPU> {
  using ConvertTileToCPUBase::ConvertTileToCPUBase;

  void runOnOperation() override {
    if (failed(convertTileToCPU(getOperation())))
      signalPassFailure();
  }
};
} // namespace
