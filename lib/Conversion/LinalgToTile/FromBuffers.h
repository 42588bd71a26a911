// FromBuffers.h - a function of buffers as one of tensors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_FROMBUFFERS_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_FROMBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// The argument whose array each result of a function uses; none if the result
/// has an array of its own.
using ResultArrays = llvm::SmallVector<std::optional<unsigned>>;

/// Converts a function of memrefs, whose linalg operations write buffers, to
/// one of tensors: each array that it writes becomes a result, and so does each
/// value that it returns. Leaves other functions, whose results have arrays of
/// their own, as they are. Fails, with an error at the operation's line, if an
/// operation does something else with a buffer; the function is unusable then.
///
/// @pre arrays of different arguments do not overlap.
llvm::FailureOr<ResultArrays> convertBuffers(mlir::func::FuncOp function);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_FROMBUFFERS_H
