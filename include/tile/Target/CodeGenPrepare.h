// CodeGenPrepare.h - an option of LLVM's that a process of ours sets
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_CODEGENPREPARE_H
#define TILE_TARGET_CODEGENPREPARE_H

#include "llvm/Support/CommandLine.h"

namespace tile {

/// Has CodeGenPrepare go on in a block that it has changed, in functions of so
/// many blocks, where it would start the function anew: the time of that grows
/// with the square of the number of blocks. The code is the same. LLVM has this
/// only as an option of the process, so no library sets it but the C library,
/// which has an LLVM of its own.
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
