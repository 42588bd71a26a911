// Coverage.h - whether programs load each element of an array
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_COVERAGE_H
#define TILE_LIB_GRADIENT_COVERAGE_H

#include "LaunchFunction.h"

namespace tile {

/// Returns a condition, an i1 of the host function, that holds if all programs
/// together load each element of an array, an argument of the kernel, by one
/// load: a constant if it is known, or null if it is not decided.
mlir::Value getCoverage(KernelOp kernel, unsigned array, LaunchFunction &host);

/// Whether iterations after the last one of the loop around the load of an
/// array would load zeros: the loop runs to the end of an array that it loads.
bool readsToEnd(KernelOp kernel, unsigned array);

} // namespace tile

#endif // TILE_LIB_GRADIENT_COVERAGE_H
