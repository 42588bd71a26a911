// Lint.cpp - the compiler as a C library: likely mistakes of a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Common/Errors.h"
#include "Program.h"

#include "tile/Analysis/PaddedReductions.h"

using namespace mlir;
using namespace tile;
using namespace tile::capi;
using runtime::concat;

/// The sizes of each argument; empty for a scalar.
using Sizes = std::vector<std::vector<int64_t>>;

static tile_status readSizes(const tile_argument *arguments, size_t count,
                             Sizes &sizes) {
  if (count != 0)
    if (tile_status status = expectPointer(arguments, "arguments"))
      return status;
  for (size_t i = 0; i < count; ++i) {
    tile_argument argument;
    if (tile_status status =
            readStruct("tile_argument", arguments + i, argument))
      return status;
    std::vector<int64_t> &own = sizes.emplace_back();
    if (argument.rank <= 0)
      continue;
    if (tile_status status = expectPointer(argument.sizes, "sizes"))
      return status;
    own.assign(argument.sizes, argument.sizes + argument.rank);
  }
  return TILE_STATUS_OK;
}

static LogicalResult checkSizes(KernelOp kernel, const Sizes &sizes) {
  ArrayRef<Type> types = kernel.getFunctionType().getInputs();
  if (types.size() != sizes.size())
    return kernel.emitError("expected ")
           << types.size() << " arguments, got " << sizes.size();
  for (auto [index, type, own] : llvm::enumerate(types, sizes)) {
    auto array = dyn_cast<MemRefType>(type);
    int64_t rank = array ? array.getRank() : 0;
    if (rank != int64_t(own.size()))
      return kernel.emitError("expected argument ")
             << index << " of rank " << rank << ", got rank " << own.size();
  }
  return success();
}

/// Reports the warnings for a kernel with arguments of these sizes.
static LogicalResult lint(ModuleOp module, StringRef name, const Sizes &sizes) {
  auto kernel = module.lookupSymbol<KernelOp>(name);
  if (!kernel)
    return module.emitError("expected a program with the kernel '")
           << name << "', got one without";
  if (failed(checkSizes(kernel, sizes)))
    return failure();
  for (const PaddedReduction &found : findPaddedReductions(kernel))
    if (sizes[found.argument][found.dimension] % found.extent != 0)
      warn(found);
  return success();
}

TILE_C_EXPORT tile_status tile_lint(tile_compiler *compiler,
                                    const void *program, size_t size,
                                    const char *name, const char *kernel,
                                    const tile_argument *arguments,
                                    size_t count, tile_result **result) {
  if (tile_status status = resetOutput(result, "result"))
    return status;
  if (tile_status status = expectPointer(kernel, "kernel"))
    return status;
  Sizes sizes;
  if (tile_status status = readSizes(arguments, count, sizes))
    return status;
  return withProgram(compiler, program, size, name ? name : "program", result,
                     [&](Compiler &, ModuleOp module, capi::Result &) {
                       return lint(module, kernel, sizes);
                     });
}
