// tile-reduce - shrink a tile program that shows a failure
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../CommandLine.h"
#include "tile/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  tile::nameTool("tile-reduce");
  if (argc == 1)
    return tile::refuseCommand("tile-reduce",
                               "expected a program and a pass that shrinks it, "
                               "-reduction-tree or -opt-reduction-pass, found "
                               "neither");
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  tile::registerAllPasses();
  tile::registerAllPipelines();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
