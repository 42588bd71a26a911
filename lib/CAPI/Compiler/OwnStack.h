// OwnStack.h - run a function on a stack that is large enough
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR and LLVM recurse for each level of nesting in a program. TextNesting.h
// limits the nesting, but a host's thread may still have too small a stack.

#ifndef TILE_LIB_CAPI_COMPILER_OWNSTACK_H
#define TILE_LIB_CAPI_COMPILER_OWNSTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tile::capi {

/// Runs `body` on this thread on a separate stack, or on the thread's own stack
/// if the system has no memory for another.
void runOnOwnStack(llvm::function_ref<void()> body);

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMPILER_OWNSTACK_H
