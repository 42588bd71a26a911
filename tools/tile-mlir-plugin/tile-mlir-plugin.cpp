// tile-mlir-plugin - the dialect, passes and pipelines for mlir-opt
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mlir-opt --load-dialect-plugin=libTileMLIRPlugin.so
//            --load-pass-plugin=libTileMLIRPlugin.so
//            --pass-pipeline='builtin.module(tile-to-nvvm{arch=sm_90a})'
//
// MLIR's plugin API version does not cover the C++ interfaces of MLIR and LLVM,
// which change with each version of LLVM. In a process with another version of
// LLVM, the plugin therefore returns null callbacks, which MLIR rejects. The
// check uses only the C library and LLVM's C API.

#include "tile/Registration.h"
#include "tile/Target/GpuModules.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm-c/Core.h"
#include "llvm/Config/llvm-config.h"

#include <cstdio>

#pragma weak LLVMGetVersion

#define TILE_PLUGIN_EXPORT extern "C" __attribute__((visibility("default")))

static constexpr char kName[] = "TileMLIRPlugin";

/// Whether the process has the version of LLVM that this plugin was compiled
/// for. Prints an error if not.
static bool isExpectedLLVM() {
  if (!LLVMGetVersion) {
    std::fprintf(stderr,
                 "%s: error: expected LLVM %s, as it was built with, found one "
                 "that does not tell its version\n",
                 kName, LLVM_VERSION_STRING);
    return false;
  }
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  if (major == LLVM_VERSION_MAJOR && minor == LLVM_VERSION_MINOR &&
      patch == LLVM_VERSION_PATCH)
    return true;
  std::fprintf(stderr,
               "%s: error: expected LLVM %s, as it was built with, found "
               "%u.%u.%u\n",
               kName, LLVM_VERSION_STRING, major, minor, patch);
  return false;
}

static void registerDialects(mlir::DialectRegistry *registry) {
  tile::registerAllDialects(*registry);
  tile::registerGpuTargets(*registry);
}

static void registerPasses() {
  tile::registerAllPasses();
  tile::registerTileGpuPasses();
  tile::registerAllPipelines();
}

TILE_PLUGIN_EXPORT mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, TILE_VERSION,
          isExpectedLLVM() ? registerDialects : nullptr};
}

TILE_PLUGIN_EXPORT mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, TILE_VERSION,
          isExpectedLLVM() ? registerPasses : nullptr};
}
