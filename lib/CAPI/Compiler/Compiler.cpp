// Compiler.cpp - the compiler as a C library: the library and its handles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compiler.h"

#include "tile/Import/CudaTile.h"
#include "tile/Registration.h"
#include "tile/Target/CodeGenPrepare.h"
#include "tile/Version.h"

using namespace tile;
using namespace tile::capi;
using runtime::concat;

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

TILE_C_EXPORT uint32_t tile_api_version(void) { return TILE_API_VERSION; }

TILE_C_EXPORT const char *tile_version_string(void) {
  static const std::string text =
      concat(tile::kVersion, " (LLVM ", tile::kLLVMVersion, ")");
  return text.c_str();
}

TILE_C_EXPORT const char *tile_compiler_last_error(void) {
  return getLastError();
}

//===----------------------------------------------------------------------===//
// Poison
//===----------------------------------------------------------------------===//

tile_status Poison::check(const char *name) const {
  if (!isPoisoned)
    return TILE_STATUS_OK;
  return fail(TILE_STATUS_POISONED_HANDLE,
              concat("expected a ", name,
                     " that serves, found one of a call that ended with an "
                     "internal error of LLVM"));
}

tile_status Poison::guard(llvm::function_ref<void()> body) {
  GuardedCall call;
  if (call.run(body))
    return TILE_STATUS_OK;
  isPoisoned = true;
  return fail(TILE_STATUS_INTERNAL_ERROR,
              concat("internal error of LLVM: ", call.getMessage()));
}

//===----------------------------------------------------------------------===//
// A compiler
//===----------------------------------------------------------------------===//

static ToolkitFile readToolkitFile(const char *path, const char *advice) {
  ToolkitFile file;
  if (path)
    file.path = path;
  if (advice)
    file.advice = advice;
  return file;
}

/// Sets LLVM's options of the process. They affect only this library, which has
/// its own LLVM.
static void prepareLLVM() {
  static std::once_flag once;
  std::call_once(once, limitCodeGenPrepare);
}

TILE_C_EXPORT tile_status
tile_compiler_create(uint32_t api_version, const tile_compiler_options *options,
                     tile_compiler **compiler) {
  if (tile_status status = resetOutput(compiler, "compiler"))
    return status;
  if (tile_status status = expectVersion(api_version))
    return status;
  tile_compiler_options given;
  if (tile_status status = readStruct("tile_compiler_options", options, given))
    return status;
  if (tile_status status =
          expectRange("threads", given.threads, 0, kMaxThreads))
    return status;
  prepareLLVM();
  auto created = std::make_shared<Compiler>();
  created->ptxas = readToolkitFile(given.ptxas, given.ptxas_advice);
  created->libdevice = readToolkitFile(given.libdevice, given.libdevice_advice);
  registerAllDialects(created->dialects);
  registerCudaTileFormat(created->dialects);
  if (given.threads != 1)
    created->threads = std::make_unique<GuardedThreadPool>(given.threads);
  addHandle(std::move(created), compiler);
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_compiler_destroy(tile_compiler *compiler) {
  return removeHandle(compiler, Compiler::kKind);
}
