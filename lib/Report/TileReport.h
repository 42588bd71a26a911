// TileReport.h - decisions of the phases about tiles and matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_REPORT_TILEREPORT_H
#define TILE_LIB_REPORT_TILEREPORT_H

#include "tile/Report/Report.h"

namespace tile {

/// Returns the decisions that phases recorded in a kernel (Decisions.h), in
/// their order.
std::vector<DecisionReport> reportDecisions(KernelOp kernel);

/// Returns the tiles to which phase 3 assigned a storage, with the layouts that
/// they have after phase 8.
std::vector<TileReport> reportTiles(KernelOp kernel);

/// Reports the matmuls of a kernel after phase 8, with the decisions about
/// them.
std::vector<MatmulReport>
reportMatmuls(KernelOp kernel, llvm::ArrayRef<DecisionReport> decisions);

/// Returns the buffers, ordered by offset.
std::vector<BufferReport> reportBuffers(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_REPORT_TILEREPORT_H
