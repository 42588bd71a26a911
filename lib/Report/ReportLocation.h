// ReportLocation.h - the lines of the program that a report names
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_REPORT_REPORTLOCATION_H
#define TILE_LIB_REPORT_REPORTLOCATION_H

#include "tile/IR/SourceLine.h"
#include "tile/Report/Report.h"

namespace tile {

/// Returns the source line of an operation; empty for a location without a
/// line.
inline Place getReportLocation(mlir::Location location) {
  std::optional<mlir::FileLineColLoc> fileLocation = getFileLocation(location);
  if (!fileLocation)
    return {};
  return {fileLocation->getFilename().str(), fileLocation->getLine()};
}

} // namespace tile

#endif // TILE_LIB_REPORT_REPORTLOCATION_H
