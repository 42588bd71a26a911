// WorkReport.h - least work and memory traffic of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_REPORT_WORKREPORT_H
#define TILE_LIB_REPORT_WORKREPORT_H

#include "tile/Report/Report.h"

namespace tile {

/// Counts the operations on floating-point values of matmuls, of elementwise
/// operations on tiles and of the regions that combine their elements, and of
/// the matmuls of integers; and the bytes of `accesses`, the kernel's. The
/// kernel's least time follows for a grid and arrays that are known.
WorkReport reportWork(KernelOp kernel,
                      llvm::ArrayRef<GlobalAccessReport> accesses,
                      const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_REPORT_WORKREPORT_H
