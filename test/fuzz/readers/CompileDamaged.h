// CompileDamaged.h - compiles damaged programs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TEST_FUZZ_READERS_COMPILEDAMAGED_H
#define TILE_TEST_FUZZ_READERS_COMPILEDAMAGED_H

#include "llvm/ADT/StringRef.h"

namespace tile::fuzz {

/// Parses `file`, text or bytecode, and compiles a valid program for a GPU and
/// for the CPU, in its own context. An input that is refused without a reason
/// ends the process.
void compileDamaged(llvm::StringRef file);

} // namespace tile::fuzz

#endif // TILE_TEST_FUZZ_READERS_COMPILEDAMAGED_H
