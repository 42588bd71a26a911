// WorkReport.h - what a kernel computes and moves at least
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_WORKREPORT_H
#define TILE_LIB_TARGET_WORKREPORT_H

#include "tile/Target/Report.h"

namespace tile {

/// Counts the operations on floating-point numbers of products, of elementwise
/// operations on tiles and of what combines their elements, and of the
/// products of integers; and the bytes of `accesses`, the kernel's. What the
/// kernel takes at least follows for a grid and arrays that are known.
WorkReport reportWork(KernelOp kernel,
                      llvm::ArrayRef<GlobalAccessReport> accesses,
                      const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_TARGET_WORKREPORT_H
