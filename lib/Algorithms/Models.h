// Models.h - functions that attach the models of this library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_MODELS_H
#define TILE_LIB_ALGORITHMS_MODELS_H

#include "mlir/IR/MLIRContext.h"

namespace tile {

/// Attaches DecomposeOpInterface to composite operations.
void addDecompositions(mlir::MLIRContext &context);

/// Attaches LimitOpInterface to operations on matrices, and to transforms.
void addMatrixLimits(mlir::MLIRContext &context);
void addFftLimits(mlir::MLIRContext &context);

/// Attaches CooperativeOpInterface to factorisations and solutions, to
/// transforms, and to sorts and scans.
void addFactorDistributions(mlir::MLIRContext &context);
void addFftDistributions(mlir::MLIRContext &context);
void addRowDistributions(mlir::MLIRContext &context);

/// Attaches LayoutOpInterface to matmuls.
void addMatmulLayouts(mlir::MLIRContext &context);

/// Attaches layouts, buffers and cost to operations that lanes compute
/// together: factors, triangular solutions, eliminations and reflections.
void addFactors(mlir::MLIRContext &context);
void addEliminations(mlir::MLIRContext &context);
void addReflections(mlir::MLIRContext &context);

/// Attaches LayoutOpInterface to transforms, which become passes, and layouts,
/// buffers and cost to the passes.
void addFourierExpansions(mlir::MLIRContext &context);
void addPasses(mlir::MLIRContext &context);

/// Attaches LayoutOpInterface to sorts, which become networks, and layouts and
/// cost to the networks.
void addSortExpansions(mlir::MLIRContext &context);
void addSortLayouts(mlir::MLIRContext &context);
void addSortCost(mlir::MLIRContext &context);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_MODELS_H
