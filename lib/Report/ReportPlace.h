// ReportPlace.h - the lines of the program that a report names
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_REPORT_REPORTPLACE_H
#define TILE_LIB_REPORT_REPORTPLACE_H

#include "tile/IR/SourceLine.h"
#include "tile/Report/Report.h"

namespace tile {

/// Returns the source line of an operation; empty for a location without a
/// line.
inline Place getPlace(mlir::Location location) {
  std::optional<mlir::FileLineColLoc> place = getFileLocation(location);
  if (!place)
    return {};
  return {place->getFilename().str(), place->getLine()};
}

} // namespace tile

#endif // TILE_LIB_REPORT_REPORTPLACE_H
