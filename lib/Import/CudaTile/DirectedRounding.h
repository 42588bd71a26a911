// DirectedRounding.h - arithmetic of CUDA Tile with a rounding mode
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_DIRECTEDROUNDING_H
#define TILE_LIB_IMPORT_CUDATILE_DIRECTEDROUNDING_H

#include "KernelTranslator.h"

namespace tile::cudatile {

/// Whether results are rounded toward zero, down or up.
inline bool isDirected(Rounding rounding) {
  return rounding == Rounding::toZero || rounding == Rounding::down ||
         rounding == Rounding::up;
}

/// Translates `addf`, `subf`, `mulf`, `divf`, `fma` or `sqrt` of f32 or f64
/// with a directed rounding mode.
mlir::LogicalResult translateDirected(KernelTranslator &t, const SourceOp &op);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_DIRECTEDROUNDING_H
