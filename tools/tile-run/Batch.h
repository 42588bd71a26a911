// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- Batch.h - many runs by one process -----------------------*- C++ -*-===//
//
// Each line of the input is a run: the words of its command line as a JSON
// array. What a run prints ends with a NUL character, its exit code and the end
// of the line.
//
// To start with the compiler takes longer than to compile and run a small
// program, which is why tests run by one process.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TILERUN_BATCH_H
#define TILE_TOOLS_TILERUN_BATCH_H

#include "tile/Runtime/Result.h"

#include <functional>
#include <string>
#include <vector>

namespace tile::runtime {

/// Does the runs of standard input until it ends; `run` gives the exit code of
/// a command line.
Status runBatch(const std::function<int(std::vector<std::string>)> &run);

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_BATCH_H
