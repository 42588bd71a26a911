// JoinRules.h - which operations join a group
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_JOINRULES_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_JOINRULES_H

#include "Groups.h"

namespace tile::fromlinalg {

/// A loop of an operation that is none of the group's yet.
constexpr int kNoLoop = -1;

/// Whether an operation may be of a group; `loops`, all kNoLoop before, then
/// has the group's loop that each of its own is. `isAttention` says of a
/// reduction that it is of a softmax which a product can follow row by row.
bool mayJoin(const Group &group, mlir::linalg::GenericOp op,
             llvm::MutableArrayRef<int> loops, bool isAttention);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_JOINRULES_H
