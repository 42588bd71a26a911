// CpuCalls.h - what code of the CPU path calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled blocks print and end by functions of this process, which know the
// block that the calling thread runs.

#ifndef TILE_LIB_TARGET_CPUCALLS_H
#define TILE_LIB_TARGET_CPUCALLS_H

#include "tile/Target/HostJit.h"

#include <array>
#include <cstdint>

namespace tile {

/// The functions, by the names of lib/Conversion/TileToCPU/DebugToCalls.cpp.
llvm::ArrayRef<HostFunction> getCpuCalls();

/// Runs one block in this thread. Where an assertion fails the block ends
/// there, and the result says which; its buffers are not freed then. The result
/// is empty else.
std::string runCpuBlock(void (*function)(void **), void **parameters,
                        const std::array<int64_t, 3> &block);

} // namespace tile

#endif // TILE_LIB_TARGET_CPUCALLS_H
