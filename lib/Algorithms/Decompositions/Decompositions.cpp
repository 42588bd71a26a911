// Decompositions.cpp - models of DecomposeOpInterface
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decompositions.h"
#include "../Models.h"

#include "tile/IR/AttachModels.h"

using namespace mlir;
using namespace tile;

namespace {
template <typename Model, typename Op>
struct DecompositionBase : DecomposeOpInterface::ExternalModel<Model, Op> {
  Replacements decompose(Operation *op, OpBuilder &builder) const {
    return tile::decompose(cast<Op>(op), builder);
  }
};

/// DecomposeOpInterface of an operation that is composite in every form.
template <typename Op>
struct Decomposition : DecompositionBase<Decomposition<Op>, Op> {};

/// DecomposeOpInterface of an operation that is composite in some of its forms.
template <typename Op>
struct DecompositionOfForms : DecompositionBase<DecompositionOfForms<Op>, Op> {
  bool isComposite(Operation *op) const {
    return hasCompositeForm(cast<Op>(op));
  }
};
} // namespace

void tile::addDecompositions(MLIRContext &context) {
  attachModels<Decomposition, AddDiagonalOp, ArgReduceOp, ComplexOp,
               DeterminantOp, DiagonalOp, EighOp, HistogramOp, LeastSquaresOp,
               LogDetOp, PopOp, PushOp, QrOp, RandomOp, SvdOp, TopKOp,
               UnpackOp>(context);
  attachModels<DecompositionOfForms, AtomicRMWOp, BroadcastOp,
               CholeskyDerivativeOp, CholeskyOp, ExtractOp, GatherOp, InsertOp,
               IotaOp, LdltOp, LoadOp, MapOp, ScatterOp, SolveOp, StoreOp,
               TriangularSolveOp, ViewOp>(context);
}
