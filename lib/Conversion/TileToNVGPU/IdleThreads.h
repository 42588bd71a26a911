// IdleThreads.h - threads that a kernel did not request
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole warps run a kernel. If the kernel requests fewer threads than its warps
// have, the last threads are idle: they work on tiles like all others, but skip
// the effects that a program can observe for each thread, such as printing.

#ifndef TILE_CONVERSION_TILETONVGPU_IDLETHREADS_H
#define TILE_CONVERSION_TILETONVGPU_IDLETHREADS_H

#include "Memory/Addresses.h"

namespace tile {

/// Whether the kernel requests this thread; null if it requests all.
mlir::Value isAskedFor(IndexBuilder &index, KernelOp kernel);

/// Restricts each gpu.printf, which every thread executes, to the threads that
/// the kernel requests.
void keepIdleThreadsFromPrinting(KernelOp kernel);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_IDLETHREADS_H
