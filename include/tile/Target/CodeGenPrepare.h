// CodeGenPrepare.h - an option of LLVM that is set for the whole process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_CODEGENPREPARE_H
#define TILE_TARGET_CODEGENPREPARE_H

#include "llvm/Support/CommandLine.h"

namespace tile {

/// Makes CodeGenPrepare continue in a block that it has changed, in functions
/// with many blocks. Otherwise it starts the function again, which takes a time
/// that grows with the square of the number of blocks. The resulting code is
/// the same. LLVM has this only as an option of the process, so the only
/// library that sets it is the C library, which has its own LLVM.
inline void limitCodeGenPrepare() {
  constexpr unsigned kMaxBlocks = 128;
  auto &options = llvm::cl::getRegisteredOptions();
  auto option = options.find("cgpp-huge-func");
  if (option != options.end())
    static_cast<llvm::cl::opt<unsigned> *>(option->second)
        ->setValue(kMaxBlocks);
}

} // namespace tile

#endif // TILE_TARGET_CODEGENPREPARE_H
