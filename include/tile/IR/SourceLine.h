// SourceLine.h - the line of a tile program that an operation comes from
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_SOURCELINE_H
#define TILE_IR_SOURCELINE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

#include <optional>

namespace tile {

/// Returns the position in a file that a location contains. For a named
/// location it is that of its child; for a call site, that of the callee or
/// else of the caller; for a fusion, the first one in it. Returns nothing for a
/// location without a position.
std::optional<mlir::FileLineColLoc> getFileLocation(mlir::Location location);

/// Returns the location for all stores to which one scatter at `location` is
/// lowered: a fusion of `location` with a new distinct attribute, which
/// identifies the scatter. It only records where the stores come from; the
/// compiled code does not depend on it.
mlir::Location nameScatter(mlir::Location location);
/// Returns the distinct attribute in a location that `nameScatter` returned;
/// null in any other location.
mlir::DistinctAttr findScatter(mlir::Location location);

} // namespace tile

#endif // TILE_IR_SOURCELINE_H
