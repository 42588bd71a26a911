// tile-reduce - reduces a tile program that shows a failure
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../CommandLine.h"
#include "tile/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

#include <algorithm>

/// Whether a pass that reduces, --help or --version is requested. Otherwise
/// MLIR's driver would print the program unchanged.
static bool hasWork(int argc, char **argv) {
  return std::any_of(argv + 1, argv + argc, [](const char *argument) {
    llvm::StringRef option = llvm::StringRef(argument).ltrim('-');
    return option.starts_with("reduction-tree") ||
           option.starts_with("opt-reduction-pass") ||
           option.starts_with("help") || option == "version";
  });
}

int main(int argc, char **argv) {
  tile::nameTool("tile-reduce");
  if (!hasWork(argc, argv))
    return tile::refuseCommand("tile-reduce",
                               "expected a program and a pass that shrinks it, "
                               "-reduction-tree or -opt-reduction-pass, found "
                               "none");
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  tile::registerAllPasses();
  tile::registerAllPipelines();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
