// TileReport.h - decisions of the phases about tiles and matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_REPORT_TILEREPORT_H
#define TILE_LIB_REPORT_TILEREPORT_H

#include "tile/Report/Report.h"

namespace tile {

/// The decisions that phases left in a kernel (Decisions.h), in their order.
std::vector<DecisionReport> reportDecisions(KernelOp kernel);

/// The tiles that phase 3 assigned a storage to, with the layouts that they
/// have after phase 8.
std::vector<TileReport> reportTiles(KernelOp kernel);

/// Reports the matmuls of a kernel after phase 8, with the decisions about
/// them.
std::vector<MatmulReport>
reportMatmuls(KernelOp kernel, llvm::ArrayRef<DecisionReport> decisions,
              const Architecture &architecture);

/// The buffers, those at the lowest offset first.
std::vector<BufferReport> reportBuffers(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_REPORT_TILEREPORT_H
