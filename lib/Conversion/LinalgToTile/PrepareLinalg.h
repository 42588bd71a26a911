// PrepareLinalg.h - normal form of linalg
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_PREPARELINALG_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_PREPARELINALG_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// Brings a function into one form, as far as upstream's patterns can:
/// - operations of linalg, and of arith and math on tensors, are
///   `linalg.generic`; a softmax is its reductions and the operations between
///   them, and an insertion with strides reads its source;
/// - there is no loop of extent one, and no result that nobody reads;
/// - a matmul's batch has as many loops as its operands' arrays have
///   dimensions; operations on a reshaped tensor come before the reshape;
/// - sizes are those of arguments, and arithmetic on them is in `arith`.
void prepareLinalg(mlir::func::FuncOp function);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_PREPARELINALG_H
