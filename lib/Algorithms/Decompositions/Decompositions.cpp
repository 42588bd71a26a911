// Decompositions.cpp - models of DecomposeOpInterface
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decompositions.h"
#include "../Models.h"

using namespace mlir;
using namespace tile;

namespace {
/// DecomposeOpInterface of an operation that is composite in every form.
template <typename Op>
struct Decomposition
    : DecomposeOpInterface::ExternalModel<Decomposition<Op>, Op> {
  Replacements decompose(Operation *op, OpBuilder &builder) const {
    return tile::decompose(cast<Op>(op), builder);
  }
};

/// DecomposeOpInterface of an operation that is composite in some of its forms.
template <typename Op>
struct DecompositionOfForms
    : DecomposeOpInterface::ExternalModel<DecompositionOfForms<Op>, Op> {
  bool isComposite(Operation *op) const {
    return hasCompositeForm(cast<Op>(op));
  }
  Replacements decompose(Operation *op, OpBuilder &builder) const {
    return tile::decompose(cast<Op>(op), builder);
  }
};
} // namespace

template <template <typename> typename Model, typename... Ops>
static void attachTo(MLIRContext &context) {
  (Ops::template attachInterface<Model<Ops>>(context), ...);
}

void tile::addDecompositions(MLIRContext &context) {
  attachTo<Decomposition, AddDiagonalOp, ArgReduceOp, ComplexOp, DeterminantOp,
           DiagonalOp, EighOp, HistogramOp, LeastSquaresOp, LogDetOp, PopOp,
           PushOp, QrOp, RandomOp, SvdOp, TopKOp, UnpackOp>(context);
  attachTo<DecompositionOfForms, AtomicRMWOp, BroadcastOp, CholeskyOp,
           ExtractOp, GatherOp, InsertOp, IotaOp, LdltOp, LoadOp, MapOp,
           ScatterOp, SolveOp, StoreOp, TriangularSolveOp, ViewOp>(context);
}
