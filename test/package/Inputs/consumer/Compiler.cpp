// Compiler.cpp - compiles a module without a kernel, which is refused
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/Compiler.h"
#include "tile/Registration.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

int main() {
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  return succeeded(tile::compile(*module, tile::CompileOptions()));
}
