// CompileDamaged.h - what damaged programs go through
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TEST_FUZZ_READERS_COMPILEDAMAGED_H
#define TILE_TEST_FUZZ_READERS_COMPILEDAMAGED_H

#include "llvm/ADT/StringRef.h"

namespace tile::fuzz {

/// Reads `file`, text or bytecode, and compiles what is valid of it for a GPU
/// and for the CPU, in a context of its own. An input that is refused without a
/// reason ends the process.
void compileDamaged(llvm::StringRef file);

} // namespace tile::fuzz

#endif // TILE_TEST_FUZZ_READERS_COMPILEDAMAGED_H
