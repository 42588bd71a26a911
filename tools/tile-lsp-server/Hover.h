// Hover.h - what is at a place of a document
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILELSPSERVER_HOVER_H
#define TILE_TOOLS_TILELSPSERVER_HOVER_H

#include "tile/Documentation/Documentation.h"

#include "llvm/Support/LSP/Protocol.h"

#include <optional>

namespace tile::lspserver {

/// What MLIR's server does not say of a place in a document, in Markdown: the
/// documentation of the operation, attribute or type of the dialect that is
/// named there or whose result it is; types of operands and results; the layout
/// of a value, type or attribute. None where there is nothing of these. A
/// document with errors has documentation still.
std::optional<llvm::lsp::Hover> findHover(const llvm::lsp::URIForFile &uri,
                                          llvm::StringRef text,
                                          llvm::lsp::Position position,
                                          const Documentation &documentation);

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_HOVER_H
