// TextNesting.h - a bound on how deep a text of MLIR nests
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's parser calls itself for each bracket, its verifier and printer for
// each region and attribute: a text that nests deep enough ends the process.

#ifndef TILE_LIB_TARGET_TEXTNESTING_H
#define TILE_LIB_TARGET_TEXTNESTING_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace tile {

/// Brackets within brackets, at most. An alias counts with its own.
inline constexpr int64_t kMostNesting = 256;
/// Operators of an affine expression, at most.
inline constexpr int64_t kMostOperators = 1000;

/// Fails at the bracket that is too deep, or the operator that is too many.
llvm::LogicalResult verifyNesting(llvm::MemoryBufferRef text,
                                  mlir::MLIRContext *context);

/// The same of regions and attributes of a module that was no text.
llvm::LogicalResult verifyNesting(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_LIB_TARGET_TEXTNESTING_H
