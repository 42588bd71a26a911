// IdleThreads.h - threads that a kernel did not ask for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole warps run a kernel. Where it asks for fewer threads than those have,
// the last ones work on tiles as all do, and leave out what a program can see
// each thread do by itself.

#ifndef TILE_CONVERSION_TILETONVGPU_IDLETHREADS_H
#define TILE_CONVERSION_TILETONVGPU_IDLETHREADS_H

#include "Addresses.h"

namespace tile {

/// Whether the thread is one that the kernel asks for; null where all are.
mlir::Value isAskedFor(IndexBuilder &index, KernelOp kernel);

/// Makes each gpu.printf, which every thread does, one of the threads that the
/// kernel asks for.
void keepIdleThreadsFromPrinting(KernelOp kernel);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_IDLETHREADS_H
