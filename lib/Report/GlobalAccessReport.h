// GlobalAccessReport.h - traffic of the accesses to global memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_REPORT_GLOBALACCESSREPORT_H
#define TILE_LIB_REPORT_GLOBALACCESSREPORT_H

#include "tile/Report/Report.h"

namespace tile {

/// Reports all accesses of tiles to the arrays of a kernel that has been
/// through phases 1 to 8, in program order.
std::vector<GlobalAccessReport>
reportGlobalAccesses(KernelOp kernel, const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_REPORT_GLOBALACCESSREPORT_H
