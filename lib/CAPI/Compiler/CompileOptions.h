// CompileOptions.h - reads and checks the options of a compilation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CAPI_COMPILER_COMPILEOPTIONS_H
#define TILE_LIB_CAPI_COMPILER_COMPILEOPTIONS_H

#include "Compiler.h"

#include "tile/Target/Compiler.h"

namespace tile::capi {

/// The request of a call of tile_compile.
struct Request {
  std::string name;
  tile_machine machine = TILE_MACHINE_CUDA;
  /// Name of the kernel or function to compile; empty for all.
  std::string kernel;
  /// Bitwise or of the requested outputs; never 0.
  tile_output outputs = 0;
  /// Last pass to run for TILE_OUTPUT_IR; empty for all passes.
  std::string lastPass;
  /// Options of the compiler itself, except for its paths.
  CompileOptions options;

  bool wants(tile_output output) const { return (outputs & output) != 0; }
};

/// Reads `options`; null means that all of them are zero.
tile_status readRequest(const tile_compile_options *options, Request &request);

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMPILER_COMPILEOPTIONS_H
