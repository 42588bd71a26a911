// tile-opt - runs passes and pipelines of the compiler on a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../CommandLine.h"
#include "PhaseHelp.h"
#include "tile/Import/CudaTile.h"
#include "tile/Registration.h"
#include "tile/Target/GpuModules.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

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

/// Returns the text of the program in a file of CUDA Tile bytecode; null if the
/// file is another one, and an error if the bytecode has no translation.
static llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
importCudaTile(llvm::StringRef path, const mlir::DialectRegistry &registry) {
  // Standard input can be read once, by MlirOptMain.
  std::unique_ptr<llvm::MemoryBuffer> file =
      path == "-" ? nullptr : mlir::openInputFile(path);
  if (!file || !file->getBuffer().starts_with(tile::kCudaTileMagic))
    return std::unique_ptr<llvm::MemoryBuffer>();
  mlir::MLIRContext context(registry);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      tile::importCudaTile(*file, &context);
  if (!module)
    return std::make_error_code(std::errc::invalid_argument);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  return llvm::MemoryBuffer::getMemBufferCopy(text, path);
}

static llvm::cl::opt<bool> listCudaTile(
    "list-cuda-tile-operations",
    llvm::cl::desc("print the operations of CUDA Tile IR, and whether they "
                   "have a translation, as CSV"));

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
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "tile program optimizer\n\n" + tile::describePhases(),
      registry);
  if (listCudaTile) {
    tile::printCudaTileOperations(llvm::outs());
    return EXIT_SUCCESS;
  }
  auto imported = importCudaTile(input, registry);
  if (!imported)
    return EXIT_FAILURE;
  if (!*imported)
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  std::unique_ptr<llvm::ToolOutputFile> file = mlir::openOutputFile(output);
  if (!file ||
      failed(mlir::MlirOptMain(file->os(), std::move(*imported), registry,
                               mlir::MlirOptMainConfig::createFromCLOptions())))
    return EXIT_FAILURE;
  file->keep();
  return EXIT_SUCCESS;
}
