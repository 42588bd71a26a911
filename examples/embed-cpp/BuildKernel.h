// BuildKernel.h - builds a kernel on tiles from a statement
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef EMBED_BUILDKERNEL_H
#define EMBED_BUILDKERNEL_H

#include "Expression.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace embed {

/// Returns a module with one kernel, which is named after the result. Its
/// arguments are the inputs and the result: arrays of f32 of one length.
mlir::OwningOpRef<mlir::ModuleOp> buildKernel(const Statement &statement);

} // namespace embed

#endif // EMBED_BUILDKERNEL_H
