// Passes.h - the checks before code generation as passes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_VERIFYTARGET_PASSES_H
#define TILE_VERIFYTARGET_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tile {

#define GEN_PASS_DECL
#include "tile/VerifyTarget/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tile/VerifyTarget/Passes.h.inc"

} // namespace tile

#endif // TILE_VERIFYTARGET_PASSES_H
