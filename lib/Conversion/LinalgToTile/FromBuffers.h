// FromBuffers.h - a function of buffers as one of tensors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_FROMBUFFERS_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_FROMBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// Of each result of a function the argument whose array it is; none where it
/// has an array of its own.
using ResultArrays = llvm::SmallVector<std::optional<unsigned>>;

/// Makes a function of memrefs, whose linalg operations write buffers, one of
/// tensors: each array that it writes is a result, and so is what it returns.
/// Leaves others as they are, whose results have arrays of their own. Fails,
/// with an error at its line, where an operation does something else with a
/// buffer; the function is of no use then.
///
/// @pre arrays of different arguments do not overlap.
llvm::FailureOr<ResultArrays> convertBuffers(mlir::func::FuncOp function);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_FROMBUFFERS_H
