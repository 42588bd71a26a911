// Generate.h - random tile programs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_GENERATE_H
#define TILE_TOOLS_TILEFUZZ_GENERATE_H

#include <cstdint>
#include <string>

namespace tile::fuzz {

/// Maximum number of blocks of a launch if the kernel does not specify its
/// grid.
constexpr int64_t kMaxBlocks = 3;

/// Returns the text of a module with one kernel `f`, valid by construction. The
/// kernels cover every operation that the GPU path supports, element types,
/// ranks 0 to 4, odd extents, views, loops, branches, calls, run-time sizes,
/// boxes that leave their array on both sides, gathers and scatters, declared
/// storages, fast-math flags, arrays that are read and written, and code of
/// single threads, with thread counts that are no multiple of a warp. Blocks
/// write boxes that do not overlap. Equal seeds give equal texts.
std::string generateProgram(uint64_t seed);

/// Returns the text of a module with one kernel `f` that can probably be
/// differentiated: most of its tiles have floating-point or complex elements,
/// blocks load boxes that do not overlap, and few operations have no
/// derivative.
std::string generateDifferentiable(uint64_t seed);

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_GENERATE_H
