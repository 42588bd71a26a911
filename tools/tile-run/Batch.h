// Batch.h - executes many command lines in one process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each line of the input is a run: the words of its command line as a JSON
// array. The output of each run is followed by a NUL character, the exit code
// and a newline.
//
// Loading the compiler takes longer than compiling and running a small program,
// so tests do many runs in one process.

#ifndef TILE_TOOLS_TILERUN_BATCH_H
#define TILE_TOOLS_TILERUN_BATCH_H

#include "tile/Runtime/Result.h"

#include <functional>
#include <string>
#include <vector>

namespace tile::runtime {

/// Executes the runs of standard input until it ends. `run` executes one
/// command line and returns its exit code.
Status runBatch(const std::function<int(std::vector<std::string>)> &run);

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_BATCH_H
