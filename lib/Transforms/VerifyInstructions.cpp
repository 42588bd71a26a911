// VerifyInstructions.cpp - a limit for kernels to compile within a minute
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See tile/Analysis/InstructionEstimate.h. The program is not changed.

#include "tile/Analysis/InstructionEstimate.h"
#include "tile/Analysis/InstructionTable.h"
#include "tile/Analysis/Tiling.h"
#include "tile/Transforms/Passes.h"

namespace tile {
#define GEN_PASS_DEF_VERIFYINSTRUCTIONS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
struct VerifyInstructions
    : tile::impl::VerifyInstructionsBase<VerifyInstructions> {
  using VerifyInstructionsBase::VerifyInstructionsBase;

  void runOnOperation() override {
    const Architecture *architecture = getTargetArchitecture(getOperation());
    if (!architecture)
      return signalPassFailure();
    // Variants of a kernel fail alike, so the pass ends at the first failure.
    for (auto kernel : getOperation().getOps<KernelOp>())
      if (failed(verify(kernel, *architecture)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult verify(KernelOp kernel, const Architecture &architecture) {
    if (!kernel.getBlock()) // phase 9 refuses it
      return success();
    if (failed(verifyTilings(kernel, architecture)))
      return failure();
    int64_t all = estimateInstructions(kernel, kernel.getLaunchedThreads());
    if (all <= kMaxInstructions)
      return success();
    reportMost(kernel, architecture, all);
    return failure();
  }

  /// Verifies the tilings of matmuls, by which their instructions are counted.
  LogicalResult verifyTilings(KernelOp kernel,
                              const Architecture &architecture) {
    WalkResult result = kernel.walk([&](MatmulOpInterface op) -> WalkResult {
      TilingAttr tiling = op.getTilingAttr();
      Attribute atom = tiling ? tiling.getAtom() : Attribute();
      if (atom && !findInstruction(atom, op, architecture))
        return op->emitError("expected a tiling by an instruction of ")
               << architecture.name << ", got '" << getInstructionName(atom)
               << "'";
      if (!hasCompleteTiling(op))
        return op->emitError(
            "expected a complete tiling (run -tile-warp-tiling before)");
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Reports an error at the operation that has most instructions.
  void reportMost(KernelOp kernel, const Architecture &architecture,
                  int64_t all) {
    int64_t block = kernel.getLaunchedThreads(), most = 0;
    Operation *largest = kernel;
    kernel.getBody().walk([&](Operation *op) {
      int64_t count = estimateInstructions(op, block);
      if (count > most) {
        most = count;
        largest = op;
      }
    });
    InFlightDiagnostic error =
        largest->emitError("expected a kernel of about ")
        << kMaxInstructions << " instructions a thread at most, got about "
        << all << ", " << most << " of them here, with a block of " << block
        << " threads; ";
    if (std::optional<int64_t> serves = findSmallestBlock(kernel, architecture))
      error << "a block of " << *serves << " serves";
    else
      error << "no block size serves";
  }
};
} // namespace
