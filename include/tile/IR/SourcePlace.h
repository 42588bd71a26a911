// SourcePlace.h - the line of a tile program that an operation comes from
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_SOURCEPLACE_H
#define TILE_IR_SOURCEPLACE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

#include <optional>

namespace tile {

/// The position in a file that a location names: through names, the callee of a
/// call site, the first position of a fusion. None for a location without one.
std::optional<mlir::FileLineColLoc> getFileLocation(mlir::Location location);

/// The location of the stores that one scatter at `place` becomes, so that they
/// can be told from those of others: in a fusion, a new attribute each time. It
/// only records where they come from: nothing compiled depends on it.
mlir::Location nameScatter(mlir::Location place);
/// The attribute that nameScatter gave a store; null for none.
mlir::DistinctAttr findScatter(mlir::Location location);

} // namespace tile

#endif // TILE_IR_SOURCEPLACE_H
