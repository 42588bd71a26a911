// RegistrationTest.cpp - tests that passes and dialects are found by their
// names
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Registration.h"

#include "tile/IR/Tile.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

TEST(Registration, PassesOfEachLibraryAndUpstreams) {
  tile::registerAllPasses();
  tile::registerAllPasses();
  for (const char *name :
       {"tile-canonical-form", "convert-tile-to-nvgpu", "convert-tile-to-cpu",
        "convert-nvvm-to-emulator", "tile-verify-target", "cse"})
    EXPECT_NE(PassInfo::lookup(name), nullptr) << name;
}

TEST(Registration, PipelinesAreRegisteredOnce) {
  EXPECT_EQ(PassPipelineInfo::lookup("tile-to-nvvm"), nullptr);
  tile::registerAllPipelines();
  tile::registerAllPipelines();
  for (const char *name :
       {"tile-phases", "tile-lowering", "tile-to-nvvm", "tile-to-cpu"})
    EXPECT_NE(PassPipelineInfo::lookup(name), nullptr) << name;
}

TEST(Registration, DialectsThatPhasesMake) {
  DialectRegistry registry;
  tile::registerAllDialects(registry);
  tile::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  for (const char *name : {"tile", "arith", "scf", "memref", "vector", "nvgpu",
                           "nvvm", "llvm", "linalg", "tensor"})
    EXPECT_NE(context.getOrLoadDialect(name), nullptr) << name;
}

/// Runs the pass for levels on a kernel, in a context with `registry`. Returns
/// its errors.
std::string runVerifyLevel(const DialectRegistry &registry) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(errors)
        << diagnostic.getLocation() << ": " << diagnostic;
  });
  context.printOpOnDiagnostic(false);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      "tile.kernel @copy() { tile.return }", &context, "copy.mlir");
  PassManager passes(&context);
  passes.addNestedPass<tile::KernelOp>(tile::createVerifyLevel());
  EXPECT_NE(succeeded(passes.run(*module)), !errors.empty());
  return errors;
}

TEST(Registration, AContextWithoutAlgorithmsIsAnErrorAtTheKernel) {
  DialectRegistry dialect;
  dialect.insert<tile::TileDialect>();
  std::string errors = runVerifyLevel(dialect);
  EXPECT_TRUE(llvm::StringRef(errors).starts_with(
      "loc(\"copy.mlir\":1:1): expected a context of "
      "tile::registerAllDialects, "
      "got one without the tile::DecomposeOpInterface of 'tile."))
      << errors;
  DialectRegistry all;
  tile::registerAllDialects(all);
  EXPECT_EQ(runVerifyLevel(all), "");
}

} // namespace
