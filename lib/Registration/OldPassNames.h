// OldPassNames.h - former names of passes, accepted until version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_REGISTRATION_OLDPASSNAMES_H
#define TILE_LIB_REGISTRATION_OLDPASSNAMES_H

namespace tile {

/// Registers a pipeline of one pass for each former name.
void registerOldPassNames();

} // namespace tile

#endif // TILE_LIB_REGISTRATION_OLDPASSNAMES_H
