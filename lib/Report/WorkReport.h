// WorkReport.h - least work and memory traffic of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_REPORT_WORKREPORT_H
#define TILE_LIB_REPORT_WORKREPORT_H

#include "tile/Report/Report.h"

namespace tile {

/// Counts the floating-point operations of matmuls, of elementwise operations
/// on tiles and of the regions that combine their elements, the operations of
/// integer matmuls, and the bytes of `accesses`, which are all accesses of the
/// kernel to global memory. Computes a lower bound of the kernel's time if the
/// grid and the sizes of the arrays are known.
WorkReport reportWork(KernelOp kernel,
                      llvm::ArrayRef<GlobalAccessReport> accesses,
                      const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_REPORT_WORKREPORT_H
