// RegisterDerivatives.cpp - derivatives of operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Gradient/RegisterDerivatives.h"

#include "Rules/Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

void tile::registerDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    addArithRules(*context);
  });
  registry.addExtension(+[](MLIRContext *context, complex::ComplexDialect *) {
    addComplexRules(*context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    addMathRules(*context);
  });
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    addControlRules(*context);
  });
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    addCallRules(*context);
  });
  registry.addExtension(+[](MLIRContext *context, TileDialect *) {
    addCastRules(*context);
    addComputeRules(*context);
    addShapeRules(*context);
    addCombiningRules(*context);
    addMemoryRules(*context);
    addTileComplexRules(*context);
    addFactorRules(*context);
    addFourierRules(*context);
    addIndexedRules(*context);
    addIndexedAccessRules(*context);
    addLinearAlgebraRules(*context);
    addMapRules(*context);
    addMatmulRules(*context);
  });
}
