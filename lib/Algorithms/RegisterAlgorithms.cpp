// RegisterAlgorithms.cpp - algorithms of the dialect's operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Algorithms/RegisterAlgorithms.h"

#include "Models.h"

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

void tile::registerAlgorithms(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TileDialect *) {
    addDecompositions(*context);
    addMatrixLimits(*context);
    addFftLimits(*context);
    addFactorDistributions(*context);
    addFftDistributions(*context);
    addRowDistributions(*context);
    addMatmulLayouts(*context);
    addFactors(*context);
    addEliminations(*context);
    addReflections(*context);
    addFourierExpansions(*context);
    addPasses(*context);
    addSortExpansions(*context);
    addSortLayouts(*context);
    addSortCost(*context);
  });
}
