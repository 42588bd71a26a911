// TextNesting.h - a limit for the nesting in a text of MLIR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's parser recurses for each bracket, and its verifier and printer for
// each region and attribute, so that a deeply nested text crashes the process.
// An attribute `array<index: ...>` also crashes it, since the parser queries
// the bit width of the element type (MLIR 22.1, Parser::parseDenseArrayAttr).

#ifndef TILE_LIB_TARGET_TEXTNESTING_H
#define TILE_LIB_TARGET_TEXTNESTING_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace tile {

/// Maximum nesting of brackets, including the brackets of the aliases that are
/// used.
inline constexpr int64_t kMostNesting = 256;
/// Maximum number of operators of an affine expression.
inline constexpr int64_t kMostOperators = 1000;

/// Fails at a bracket that is nested too deep, an affine expression of too many
/// operators, or an array of index.
llvm::LogicalResult verifyText(llvm::MemoryBufferRef text,
                               mlir::MLIRContext *context);

/// Fails if regions or attributes of a module that was not parsed from text are
/// nested too deep.
llvm::LogicalResult verifyNesting(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_LIB_TARGET_TEXTNESTING_H
