// Canonicalization.h - canonicalization patterns of dialects
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_CANONICALIZATION_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_CANONICALIZATION_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/PatternMatch.h"

namespace tile::fromlinalg {

/// Adds the canonicalization patterns of `Dialects`, which must be loaded, and
/// of all of their operations.
template <typename... Dialects>
void addCanonicalization(mlir::RewritePatternSet &patterns) {
  mlir::MLIRContext *context = patterns.getContext();
  (context->getLoadedDialect<Dialects>()->getCanonicalizationPatterns(patterns),
   ...);
  for (mlir::RegisteredOperationName name : context->getRegisteredOperations())
    if ((mlir::isa<Dialects>(name.getDialect()) || ...))
      name.getCanonicalizationPatterns(patterns, context);
}

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_CANONICALIZATION_H
