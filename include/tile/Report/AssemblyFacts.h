// AssemblyFacts.h - registers and spills of an entry point
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_REPORT_ASSEMBLYFACTS_H
#define TILE_REPORT_ASSEMBLYFACTS_H

#include <cstdint>
#include <string>

namespace tile {

/// Facts that ptxas reports about one entry point.
struct AssemblyFacts {
  std::string entry;
  int64_t registers = 0;
  int64_t spillStoreBytes = 0;
  int64_t spillLoadBytes = 0;
  int64_t stackBytes = 0;
};

} // namespace tile

#endif // TILE_REPORT_ASSEMBLYFACTS_H
