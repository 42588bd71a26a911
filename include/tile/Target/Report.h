// Report.h - old path of tile/Report/Report.h, until version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_REPORT_H
#define TILE_TARGET_REPORT_H

#include "tile/Report/Report.h"
#include "tile/Target/BuildMetadata.h"

namespace tile {

/// Reports a kernel. Unlike the function in tile/Report/Report.h, describes the
/// interface of the kernel itself.
inline BodyReport reportKernel(KernelOp kernel,
                               const Architecture &architecture) {
  return reportKernel(kernel, describeKernel(kernel, architecture.name),
                      architecture);
}

} // namespace tile

#endif // TILE_TARGET_REPORT_H
