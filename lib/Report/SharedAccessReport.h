// SharedAccessReport.h - cost of the accesses to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_REPORT_SHAREDACCESSREPORT_H
#define TILE_LIB_REPORT_SHAREDACCESSREPORT_H

#include "tile/Report/Report.h"

namespace tile {

/// Returns the accesses of a kernel to buffers, in program order.
/// @pre the kernel is in its form after -tile-allocate-shared.
std::vector<AccessReport> reportAccesses(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_REPORT_SHAREDACCESSREPORT_H
