// JoinRules.h - operations that may join a group
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_JOINRULES_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_JOINRULES_H

#include "Groups.h"

namespace tile::fromlinalg {

/// Marks a loop of an operation that is not one of the group's yet.
constexpr int kNoLoop = -1;

/// Whether an operation may join a group. If so, `loops`, all kNoLoop before,
/// has the group's loop for each of its loops. `isAttention` states of a
/// reduction that it belongs to a softmax which a matmul can follow row by row.
bool mayJoin(const Group &group, mlir::linalg::GenericOp op,
             llvm::MutableArrayRef<int> loops, bool isAttention);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_JOINRULES_H
