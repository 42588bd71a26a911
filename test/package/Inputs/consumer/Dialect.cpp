// Dialect.cpp - finds a pass and a pipeline by their names
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Registration.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

int main() {
  tile::registerAllPasses();
  tile::registerAllPipelines();
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  mlir::PassManager passes(&context);
  return failed(mlir::parsePassPipeline(
      "tile-phases,tile-verify-target,convert-nvvm-to-emulator", passes));
}
