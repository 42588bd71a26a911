// ReadProgram.cpp - the compiler as a C library: programs as text
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Common/Errors.h"
#include "Program.h"

#include "tile/Target/Differentiate.h"

using namespace mlir;
using namespace tile;
using namespace tile::capi;

TILE_C_EXPORT tile_status tile_read_program(tile_compiler *compiler,
                                            const void *program, size_t size,
                                            const char *name,
                                            tile_result **result) {
  if (tile_status status = resetOutput(result, "result"))
    return status;
  return withProgram(compiler, program, size, name ? name : "program", result,
                     [](Compiler &, ModuleOp module, capi::Result &made) {
                       made.outputs[TILE_OUTPUT_IR] =
                           printWithLocations(module);
                       made.outputs[TILE_OUTPUT_METADATA] =
                           toJson(describeInterfaces(module));
                       return success();
                     });
}
