// JoinPTX.h - one PTX module from those of its kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_JOINPTX_H
#define TILE_TARGET_JOINPTX_H

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>

namespace tile {

/// Joins the parts, one after the other. The version, shared memory, tables,
/// files and functions that several parts declare are declared once. Nothing
/// when two parts give one `.file` number to different files or one function
/// different bodies.
std::optional<std::string> joinPTX(llvm::ArrayRef<std::string> parts);

} // namespace tile

#endif // TILE_TARGET_JOINPTX_H
