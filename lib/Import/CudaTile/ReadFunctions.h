// ReadFunctions.h - the functions of a bytecode file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_READFUNCTIONS_H
#define TILE_LIB_IMPORT_CUDATILE_READFUNCTIONS_H

#include "FileTables.h"

namespace tile::cudatile {

/// Reads the section of functions into the program.
void readFunctions(ByteReader reader, FileTables &tables, Program &program,
                   FileErrors &errors);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_READFUNCTIONS_H
