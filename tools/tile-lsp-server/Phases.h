// Phases.h - what the compiler says of a program in an editor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILELSPSERVER_PHASES_H
#define TILE_TOOLS_TILELSPSERVER_PHASES_H

#include "Settings.h"

#include "llvm/Support/LSP/Protocol.h"

#include <string>
#include <vector>

namespace tile::lspserver {

/// Compiles the programs of a document, each kernel for itself, down to the
/// LLVM dialect, and checks the result against the architecture: what phases 1
/// to 9 refuse and remark, at its line, its notes as related information. What
/// is in no line of the document is at the kernel. Nothing of a program with
/// errors of its own, which MLIR's server reports, and nothing of one without
/// kernels.
std::vector<llvm::lsp::Diagnostic> runPhases(const llvm::lsp::URIForFile &uri,
                                             llvm::StringRef text,
                                             const Settings &settings);

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_PHASES_H
