// JoinPTX.h - one PTX module from those of its kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_JOINPTX_H
#define TILE_TARGET_JOINPTX_H

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>

namespace tile {

/// The parts one after the other, what several parts declare only once: the
/// version, shared memory, tables, files, functions. Nothing when two parts
/// give one `.file` number to different files or one function different bodies.
std::optional<std::string> joinPTX(llvm::ArrayRef<std::string> parts);

} // namespace tile

#endif // TILE_TARGET_JOINPTX_H
