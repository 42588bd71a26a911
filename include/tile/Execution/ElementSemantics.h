// ElementSemantics.h - how elements of kernels' arrays are stored
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EXECUTION_ELEMENTSEMANTICS_H
#define TILE_EXECUTION_ELEMENTSEMANTICS_H

#include "tile/Runtime/KernelMetadata.h"

#include "llvm/ADT/APFloat.h"

namespace tile {

/// Returns the floating-point format of an element, or of each part of a
/// complex element; null for integers.
const llvm::fltSemantics *getSemantics(runtime::ElementType type);

} // namespace tile

#endif
