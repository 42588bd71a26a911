// tile-opt - runs passes and pipelines of the compiler on a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../CommandLine.h"
#include "PhaseHelp.h"
#include "tile/Registration.h"
#include "tile/Target/GpuModules.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#ifdef TILE_INCLUDE_TESTS
namespace tile::test {
void registerCompositeUndecomposed();
void registerCountExchanges();
void registerEmulateKernels();
void registerExampleOps(mlir::DialectRegistry &registry);
void registerMutateSynchronization();
void registerVerifyPhase();
} // namespace tile::test
#endif

int main(int argc, char **argv) {
  tile::nameTool("tile-opt");
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  tile::registerGpuTargets(registry);
  tile::registerAllPasses();
  tile::registerTileGpuPasses();
  tile::registerAllPipelines();
#ifdef TILE_INCLUDE_TESTS
  tile::test::registerCompositeUndecomposed();
  tile::test::registerCountExchanges();
  tile::test::registerEmulateKernels();
  tile::test::registerExampleOps(registry);
  tile::test::registerMutateSynchronization();
  tile::test::registerVerifyPhase();
#endif
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "tile program optimizer\n\n" + tile::describePhases(),
      registry));
}
