// PrepareLinalg.h - one form of linalg, whatever it was written as
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_PREPARELINALG_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_PREPARELINALG_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// Brings what upstream's patterns can into one form:
/// - operations of linalg, and of arith and math on tensors, are
///   `linalg.generic`; a softmax is its reductions and what is between them,
///   and an insertion with strides reads its source;
/// - no loop of extent one, no result that nobody reads;
/// - a product's batch is as many loops as its operands' arrays have
/// dimensions;
///   what is computed of a reshaped tensor is computed before the reshape;
/// - sizes are those of arguments, and arithmetic on them that of `arith`.
void prepareLinalg(mlir::func::FuncOp function);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_PREPARELINALG_H
