// FftLimits.cpp - the longest rows that a block transforms
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "FftPlan.h"

#include "tile/IR/AttachModels.h"

using namespace mlir;
using namespace tile;

/// Returns the plan of a convolution with a chirp, either `plan` or one of its
/// parts; null if there is none.
static const FftPlan *findChirp(const FftPlan &plan) {
  if (plan.algorithm == FftAlgorithm::chirp)
    return &plan;
  for (const FftPlan &part : plan.parts)
    if (const FftPlan *chirp = findChirp(part))
      return chirp;
  return nullptr;
}

/// Verifies that a block can transform rows of this length; the error names an
/// alternative.
static LogicalResult
verifyLength(Operation *op, const FourierTransform &transform, Type part) {
  FftPlan plan = choosePlan(transform, {}, part);
  int64_t most = getMaxFftLength(part), unit = isHalved(transform) ? 2 : 1;
  if (plan.extent <= most)
    return success();
  const FftPlan *chirp = findChirp(plan);
  if (plan.points <= most)
    most /= 2;
  InFlightDiagnostic error = op->emitOpError()
                             << "expected at most " << most * unit
                             << " elements along the last axis";
  if (chirp && plan.points <= getMaxFftLength(part))
    error << " where a factor of their number, " << chirp->points
          << ", takes a convolution with a chirp";
  return error << ", got " << transform.length
               << "; longer rows are transformed in two kernels "
                  "(docs/FourierTransforms.md)";
}

namespace {
template <typename Op>
struct FftLimits : LimitOpInterface::ExternalModel<FftLimits<Op>, Op> {
  LogicalResult verifyLimits(Operation *op) const {
    auto transform = cast<Op>(op);
    return verifyLength(op, transform.getTransform(),
                        getRealType(transform.getType()));
  }
};
} // namespace

void tile::addFftLimits(MLIRContext &context) {
  attachModels<FftLimits, FftOp, IfftOp, RfftOp, IrfftOp>(context);
}
