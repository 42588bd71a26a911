// LayoutText.h - the layout of a value in a hover
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILELSPSERVER_LAYOUTTEXT_H
#define TILE_TOOLS_TILELSPSERVER_LAYOUTTEXT_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"

#include <string>

namespace tile::lspserver {

/// Returns the layout of a tile or of a buffer in shared memory, in Markdown:
/// drawn as by `tile-layout --draw`, or, if it has too many cells for a hover,
/// the command that draws it. Empty for a type without a layout.
std::string showLayout(mlir::Type type);

/// Returns the same text for an attribute that is a layout or has one. Offsets
/// in shared memory are in elements, because their size is not known.
std::string showLayout(mlir::Attribute attribute);

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_LAYOUTTEXT_H
