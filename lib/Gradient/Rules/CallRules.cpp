// CallRules.cpp - derivatives of calls of functions that state their own
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In reverse mode the tangents of a call's results come from a cast that stands
// for the linear function of the tangents of its operands; its transpose is a
// call of the adjoint. The operands of the cast are those of the call, then the
// tangents that are not zero.

#include "Rules.h"

#include "../CustomFunction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tile;

/// The cast names the adjoint in kAdjointAttr. kPositionsAttr lists which
/// operands of the call have their tangents as operands of the cast, as
/// positions among the differentiable ones.
constexpr StringLiteral kAdjointAttr = "adjoint";
constexpr StringLiteral kPositionsAttr = "positions";

/// Lists the values that have tangents.
static SmallVector<Value> listDifferentiable(ValueRange values) {
  return llvm::filter_to_vector(
      values, [](Value value) { return isDifferentiable(value.getType()); });
}

/// Returns the tangents of the results of a call, null for results that have
/// none, from those of the differentiable ones.
static SmallVector<Value> spread(func::CallOp op, ValueRange tangents) {
  SmallVector<Value> all;
  for (Value result : op.getResults()) {
    bool hasTangent = isDifferentiable(result.getType());
    all.push_back(hasTangent ? tangents.front() : Value());
    if (hasTangent)
      tangents = tangents.drop_front();
  }
  return all;
}

/// Creates a call of the function that computes the tangents.
static Derivatives callTangent(func::CallOp op, TangentBuilder &b,
                               ArrayRef<Value> tangents) {
  FailureOr<func::FuncOp> custom = findCustomFunction(op, /*isForward=*/true);
  if (failed(custom))
    return failure();
  SmallVector<Value> operands(op.getOperands());
  for (auto [operand, tangent] : llvm::zip_equal(op.getOperands(), tangents))
    if (isDifferentiable(operand.getType()))
      operands.push_back(b.orZero(tangent, operand.getType()));
  return spread(op, func::CallOp::create(b, *custom, operands).getResults());
}

namespace tile {
static Derivatives makeTangents(func::CallOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (b.replacesOperations())
    return callTangent(op, b, tangents);
  FailureOr<func::FuncOp> custom = findCustomFunction(op, /*isForward=*/false);
  if (failed(custom))
    return failure();
  SmallVector<Value> operands(op.getOperands());
  SmallVector<int64_t> positions;
  int64_t position = 0;
  for (auto [operand, tangent] : llvm::zip_equal(op.getOperands(), tangents)) {
    if (!isDifferentiable(operand.getType()))
      continue;
    if (tangent) {
      operands.push_back(tangent);
      positions.push_back(position);
    }
    ++position;
  }
  SmallVector<Value> results = listDifferentiable(op.getResults());
  auto standIn = UnrealizedConversionCastOp::create(
      b, TypeRange(ValueRange(results)), operands);
  standIn->setAttr(kAdjointAttr, SymbolRefAttr::get(*custom));
  standIn->setAttr(kPositionsAttr, b.getDenseI64ArrayAttr(positions));
  return spread(op, standIn.getResults());
}

/// Creates a call of the adjoint.
static Derivatives makeTranspose(UnrealizedConversionCastOp op,
                                 TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  auto adjoint = op->getAttrOfType<FlatSymbolRefAttr>(kAdjointAttr);
  auto positions = op->getAttrOfType<DenseI64ArrayAttr>(kPositionsAttr);
  if (!adjoint || !positions)
    return mlir::emitError(op.getLoc(),
                           "expected an operation with a transpose, got a cast "
                           "between types without conversion");
  size_t numOwn = op.getNumOperands() - positions.size();
  SmallVector<Value> own(op.getOperands().take_front(numOwn));
  SmallVector<Value> operands(own);
  for (auto [result, cotangent] : llvm::zip_equal(op.getResults(), cotangents))
    operands.push_back(b.orZero(cotangent, result.getType()));
  SmallVector<Value> inputs = listDifferentiable(own);
  auto call =
      func::CallOp::create(b, adjoint, TypeRange(ValueRange(inputs)), operands);
  SmallVector<Value> ofOperands(numOwn);
  for (int64_t position : positions.asArrayRef())
    ofOperands.push_back(call.getResult(position));
  return ofOperands;
}

} // namespace tile

void tile::addCallRules(MLIRContext &context) {
  func::CallOp::attachInterface<TangentModel<func::CallOp>>(context);
}

void tile::addCastRules(MLIRContext &context) {
  UnrealizedConversionCastOp::attachInterface<
      TransposeModel<UnrealizedConversionCastOp>>(context);
}
