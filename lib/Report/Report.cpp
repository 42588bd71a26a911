// Report.cpp - decisions of the compiler, from a kernel after phase 8
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Report/Report.h"

#include "GlobalAccessReport.h"
#include "ReportLocation.h"
#include "SharedAccessReport.h"
#include "TileReport.h"
#include "WorkReport.h"

#include "tile/Analysis/Occupancy.h"

using namespace mlir;
using namespace tile;

/// Returns the three extents of the grid as JSON; empty if the caller specifies
/// the grid.
static std::string describeGrid(const runtime::KernelMetadata &metadata) {
  if (!metadata.grid)
    return {};
  std::string text;
  for (const runtime::Expression &extent : *metadata.grid)
    text += (text.empty() ? "" : ", ") + runtime::toString(extent);
  return "[" + text + "]";
}

BodyReport tile::reportKernel(KernelOp kernel,
                              const runtime::KernelMetadata &metadata,
                              const Architecture &architecture) {
  BodyReport report;
  report.symbol = kernel.getSymName().str();
  if (auto genericOf = kernel->getAttrOfType<StringAttr>(kGeneralOfAttr))
    report.generalOf = genericOf.str();
  report.place = getReportLocation(kernel.getLoc());
  report.block = kernel.getBlock() ? metadata.block[0] : 0;
  report.threads = metadata.threads;
  report.blocksPerProcessor = getBlocksPerProcessor(kernel);
  report.grid = describeGrid(metadata);
  if (auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytesAttr))
    report.sharedBytes = bytes.getInt();
  report.tiles = reportTiles(kernel);
  report.decisions = reportDecisions(kernel);
  report.products = reportMatmuls(kernel, report.decisions);
  report.buffers = reportBuffers(kernel);
  report.accesses = reportAccesses(kernel);
  report.globalAccesses = reportGlobalAccesses(kernel, architecture);
  report.work = reportWork(kernel, report.globalAccesses, architecture);
  return report;
}
