// JoinRules.h - operations that may join a group
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_JOINRULES_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_JOINRULES_H

#include "Groups.h"

namespace tile::fromlinalg {

/// Whether an operation may join a group. On success `loops`, whose elements
/// are kNoLoop before, has the group's loop for each loop of the operation.
/// `isOfSoftmax` specifies that a reduction belongs to a softmax that a matmul
/// may compute as it goes, or that a matmul reads such a softmax.
bool mayJoin(const Group &group, mlir::linalg::GenericOp op,
             llvm::MutableArrayRef<int> loops, bool isOfSoftmax);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_JOINRULES_H
