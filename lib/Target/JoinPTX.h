// JoinPTX.h - join the PTX modules of kernels to one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_JOINPTX_H
#define TILE_TARGET_JOINPTX_H

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>

namespace tile {

/// Joins the parts, one after the other. If several parts declare the version,
/// shared memory, a table, a file or a function, the result declares it once.
/// Returns nothing if two parts assign one `.file` index to different files, or
/// have different bodies for one function.
std::optional<std::string> joinPTX(llvm::ArrayRef<std::string> parts);

} // namespace tile

#endif // TILE_TARGET_JOINPTX_H
