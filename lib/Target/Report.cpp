// Report.cpp - what the compiler decided, read off a kernel after phase 8
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/Report.h"

#include "tile/Target/BuildMetadata.h"
#include "tile/Target/LineTables.h"

using namespace mlir;
using namespace tile;

/// "FILE:LINE", empty for an operation without a place.
static std::string describeLocation(Location location) {
  std::optional<FileLineColLoc> place = getFileLocation(location);
  if (!place)
    return {};
  return (place->getFilename().getValue() + ":" + Twine(place->getLine()))
      .str();
}

/// The three extents, in JSON.
static std::string describeGrid(const runtime::KernelMetadata &metadata) {
  if (!metadata.grid)
    return {};
  std::string text;
  for (const runtime::Expression &extent : *metadata.grid)
    text += (text.empty() ? "" : ", ") + runtime::toString(extent);
  return "[" + text + "]";
}

BodyReport tile::reportKernel(KernelOp kernel,
                              const Architecture &architecture) {
  BodyReport report;
  report.symbol = kernel.getSymName().str();
  if (auto generalOf = kernel->getAttrOfType<StringAttr>(kGeneralOfAttr))
    report.generalOf = generalOf.str();
  report.location = describeLocation(kernel.getLoc());
  report.block = kernel.getBlock().value_or(0);
  report.grid = describeGrid(describeKernel(kernel, architecture.name));
  if (auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytesAttr))
    report.sharedBytes = bytes.getInt();
  if (auto tiles = kernel->getAttrOfType<ArrayAttr>(kStorageAttr))
    for (auto tile : tiles.getAsRange<StringAttr>())
      report.tiles.push_back(tile.str());
  return report;
}
