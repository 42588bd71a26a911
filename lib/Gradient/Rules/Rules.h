// Rules.h - derivatives and transposes of operations, as external models
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_RULES_RULES_H
#define TILE_LIB_GRADIENT_RULES_RULES_H

#include "tile/Gradient/DerivativeInterfaces.h"

namespace tile {

using Derivatives = mlir::FailureOr<llvm::SmallVector<mlir::Value>>;

inline Derivatives values(std::initializer_list<mlir::Value> list) {
  return llvm::SmallVector<mlir::Value>(list);
}

/// Creates the operation on the tangents of its differentiable operands, with a
/// zero where the tangent is null; its other operands stay as they are.
Derivatives applyToTangents(mlir::Operation *op, TangentBuilder &builder,
                            llvm::ArrayRef<mlir::Value> tangents);

/// Fails, after an error, if a cast does not only round: f8 saturates, and
/// would limit tangents and cotangents, too.
mlir::LogicalResult verifyRounding(mlir::Operation *cast);

/// TangentOpInterface of an operation that has a function makeTangents.
template <typename Op>
struct TangentModel : TangentOpInterface::ExternalModel<TangentModel<Op>, Op> {
  Derivatives buildTangents(mlir::Operation *op, TangentBuilder &builder,
                            llvm::ArrayRef<mlir::Value> tangents) const {
    return makeTangents(mlir::cast<Op>(op), builder, tangents);
  }
};

/// TangentOpInterface of an operation on one value x, with a function
/// getDerivative: the tangent is that of x, multiplied by the derivative.
template <typename Op>
struct UnaryTangentModel
    : TangentOpInterface::ExternalModel<UnaryTangentModel<Op>, Op> {
  Derivatives buildTangents(mlir::Operation *op, TangentBuilder &builder,
                            llvm::ArrayRef<mlir::Value> tangents) const {
    mlir::Value derivative = getDerivative(mlir::cast<Op>(op), builder);
    return values({builder.mul(tangents.front(), derivative)});
  }
};

/// TangentOpInterface of an operation whose results do not change where its
/// operands change a little.
template <typename Op>
struct ConstantTangentModel
    : TangentOpInterface::ExternalModel<ConstantTangentModel<Op>, Op> {
  Derivatives buildTangents(mlir::Operation *op, TangentBuilder &,
                            llvm::ArrayRef<mlir::Value>) const {
    return llvm::SmallVector<mlir::Value>(op->getNumResults());
  }
};

/// TangentOpInterface of an operation that is linear in all of its
/// differentiable operands together: the tangent is the operation on tangents.
template <typename Op>
struct LinearTangentModel
    : TangentOpInterface::ExternalModel<LinearTangentModel<Op>, Op> {
  Derivatives buildTangents(mlir::Operation *op, TangentBuilder &builder,
                            llvm::ArrayRef<mlir::Value> tangents) const {
    return applyToTangents(op, builder, tangents);
  }
};

/// LinearOpInterface of an operation that has a function makeTranspose.
template <typename Op>
struct TransposeModel
    : LinearOpInterface::ExternalModel<TransposeModel<Op>, Op> {
  Derivatives buildTranspose(mlir::Operation *op, TransposeBuilder &builder,
                             llvm::ArrayRef<mlir::Value> cotangents) const {
    return makeTranspose(mlir::cast<Op>(op), builder, cotangents);
  }
};

/// Attaches the models of the operations of these kinds.
void addArithRules(mlir::MLIRContext &context);
void addCallRules(mlir::MLIRContext &context);
void addCastRules(mlir::MLIRContext &context);
void addMathRules(mlir::MLIRContext &context);
void addComplexRules(mlir::MLIRContext &context);
void addComputeRules(mlir::MLIRContext &context);
void addControlRules(mlir::MLIRContext &context);
void addShapeRules(mlir::MLIRContext &context);
void addCombiningRules(mlir::MLIRContext &context);
void addMemoryRules(mlir::MLIRContext &context);
void addTileComplexRules(mlir::MLIRContext &context);
void addFactorRules(mlir::MLIRContext &context);
void addFourierRules(mlir::MLIRContext &context);
void addIndexedRules(mlir::MLIRContext &context);
void addIndexedAccessRules(mlir::MLIRContext &context);
void addLinearAlgebraRules(mlir::MLIRContext &context);
void addMapRules(mlir::MLIRContext &context);
void addMatmulRules(mlir::MLIRContext &context);

} // namespace tile

#endif // TILE_LIB_GRADIENT_RULES_RULES_H
