// Hover.h - describes the code at a position of a document
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILELSPSERVER_HOVER_H
#define TILE_TOOLS_TILELSPSERVER_HOVER_H

#include "tile/Documentation/Documentation.h"

#include "llvm/Support/LSP/Protocol.h"

#include <optional>

namespace tile::lspserver {

/// Returns, in Markdown, a description of the code at `position`, which is
/// shown in addition to the hover of MLIR's server. It consists of the
/// documentation of the dialect's operation, attribute or type at the position,
/// or of the operation whose result is there; the types of operands and
/// results; and the layout of a value, type or attribute. Returns nothing if
/// there is none of these. Documentation is also found in documents with
/// errors.
std::optional<llvm::lsp::Hover> findHover(const llvm::lsp::URIForFile &uri,
                                          llvm::StringRef text,
                                          llvm::lsp::Position position,
                                          const Documentation &documentation);

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_HOVER_H
