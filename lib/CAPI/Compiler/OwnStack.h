// OwnStack.h - a stack that is large enough, whatever thread calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR and LLVM call themselves for each level of what nests. Programs nest as
// deep as TextNesting.h lets them, and a host's thread may have a small stack.

#ifndef TILE_LIB_CAPI_COMPILER_OWNSTACK_H
#define TILE_LIB_CAPI_COMPILER_OWNSTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tile::capi {

/// Runs `body` on this thread, on a stack of its own; on the thread's where the
/// system gives no memory for one.
void runOnOwnStack(llvm::function_ref<void()> body);

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMPILER_OWNSTACK_H
