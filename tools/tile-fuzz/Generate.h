// Generate.h - random tile programs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_GENERATE_H
#define TILE_TOOLS_TILEFUZZ_GENERATE_H

#include <cstdint>
#include <string>

namespace tile::fuzz {

/// Blocks of a launch where the kernel does not say how many.
constexpr int64_t kMaxBlocks = 3;

/// The text of a module with one kernel `f`, valid by construction: every
/// operation so far but what the GPU path refuses, element types, ranks 0 to 4,
/// odd extents, views, loops, branches, calls, run-time sizes, boxes that leave
/// their array on both sides, an index for each element, declared storages,
/// fast-math flags, arrays that are read and written, code of single threads,
/// whose number fills no warp. Blocks write boxes that do not overlap.
/// The same seed gives the same text.
std::string generateProgram(uint64_t seed);

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_GENERATE_H
