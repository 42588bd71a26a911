// WriteGroups.h - groups as operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_WRITEGROUPS_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_WRITEGROUPS_H

#include "Groups.h"

namespace tile::fromlinalg {

/// Moves the members of each group that has outputs into a `tile.group`, and
/// sorts the operations of the function in the order of its groups. `given`
/// contains, by index, the groups that are operations already. These keep their
/// operations; if they read results of operations that come later in this
/// order, clones of those operations are added to them.
void writeGroups(mlir::func::FuncOp function, const Grouping &grouping,
                 const llvm::DenseMap<int64_t, GroupOp> &given);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_WRITEGROUPS_H
