// RegistrationTest.cpp - what an embedder finds by its name
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Registration.h"

#include "tile/IR/Tile.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
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

} // namespace
