// tile-lsp-server - tile programs in an editor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../CommandLine.h"
#include "tile/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  tile::nameTool("tile-lsp-server");
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
