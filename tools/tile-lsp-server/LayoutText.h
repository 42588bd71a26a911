// LayoutText.h - a layout as a hover shows it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILELSPSERVER_LAYOUTTEXT_H
#define TILE_TOOLS_TILELSPSERVER_LAYOUTTEXT_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"

#include <string>

namespace tile::lspserver {

/// The layout of a tile or of a buffer in shared memory, in Markdown: drawn as
/// `tile-layout --draw` does, or the command that draws it where it has more
/// cells than a hover has room for. Empty for a type without a layout.
std::string showLayout(mlir::Type type);

/// Returns the same text for an attribute that is a layout or has one. Offsets
/// in shared memory are in elements, because their size is not known.
std::string showLayout(mlir::Attribute attribute);

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_LAYOUTTEXT_H
