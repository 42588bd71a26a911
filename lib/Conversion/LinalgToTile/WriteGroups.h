// WriteGroups.h - groups as operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_WRITEGROUPS_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_WRITEGROUPS_H

#include "Groups.h"

namespace tile::fromlinalg {

/// Moves the members of each group with outputs into a `tile.group`, and sorts
/// the operations of a function in the order of its groups. `given` contains,
/// by index, the groups that are operations already. They stay as they are,
/// except that operations of later groups that they also compute are cloned
/// into them.
void writeGroups(mlir::func::FuncOp function, const Grouping &grouping,
                 const llvm::DenseMap<int64_t, GroupOp> &given);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_WRITEGROUPS_H
