// SourcePlace.h - the line of a tile program that an operation comes from
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_SOURCEPLACE_H
#define TILE_IR_SOURCEPLACE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

#include <optional>

namespace tile {

/// The place in a file that a location names: through names, the callee of a
/// call site, the first place of a fusion. None for a location without.
std::optional<mlir::FileLineColLoc> getFileLocation(mlir::Location location);

/// The location of the stores that one scatter at `place` becomes, so that they
/// can be told from those of others: in a fusion, a new attribute each time. It
/// says where they come from and no more: nothing compiled depends on it.
mlir::Location nameScatter(mlir::Location place);
/// That attribute of a store; null for none.
mlir::DistinctAttr findScatter(mlir::Location location);

} // namespace tile

#endif // TILE_IR_SOURCEPLACE_H
