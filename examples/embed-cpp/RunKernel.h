// RunKernel.h - runs a kernel on the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef EMBED_RUNKERNEL_H
#define EMBED_RUNKERNEL_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace embed {

/// Lowers `module`, which has one kernel, and runs the kernel on arrays of f32
/// in the order of its arguments.
llvm::Error runKernel(mlir::ModuleOp module,
                      std::vector<std::vector<float>> &arrays);

} // namespace embed

#endif // EMBED_RUNKERNEL_H
