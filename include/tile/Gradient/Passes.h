// Passes.h - the passes that make programs of derivatives
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_GRADIENT_PASSES_H
#define TILE_GRADIENT_PASSES_H

#include "tile/Gradient/Gradient.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tile {

#define GEN_PASS_DECL
#include "tile/Gradient/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tile/Gradient/Passes.h.inc"

} // namespace tile

#endif // TILE_GRADIENT_PASSES_H
