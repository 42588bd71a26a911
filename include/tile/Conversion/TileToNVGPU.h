// TileToNVGPU.h - phase 9 as passes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_H
#define TILE_CONVERSION_TILETONVGPU_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tile {

/// The hints of a loop for LLVM and ptxas, an attribute of the LLVM dialect;
/// upstream's conversions copy it from the loop to its branch.
constexpr llvm::StringLiteral kLoopAnnotationAttr = "llvm.loop_annotation";

#define GEN_PASS_DECL
#include "tile/Conversion/TileToNVGPU.h.inc"

#define GEN_PASS_REGISTRATION
#include "tile/Conversion/TileToNVGPU.h.inc"

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_H
