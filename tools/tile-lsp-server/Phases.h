// Phases.h - compiles a document in an editor, and collects the diagnostics
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILELSPSERVER_PHASES_H
#define TILE_TOOLS_TILELSPSERVER_PHASES_H

#include "Settings.h"

#include "llvm/Support/LSP/Protocol.h"

#include <string>
#include <vector>

namespace tile::lspserver {

/// Compiles the programs of a document down to the LLVM dialect, all kernels
/// together and then each separately if one has an error, and verifies the
/// result for the architecture. Returns errors and remarks of phases 1 to 9 at
/// their lines, with notes as related information. Diagnostics without a line
/// in the document are at the kernel. Programs with errors, which MLIR's server
/// reports, and programs without kernels are skipped.
std::vector<llvm::lsp::Diagnostic> runPhases(const llvm::lsp::URIForFile &uri,
                                             llvm::StringRef text,
                                             const Settings &settings);

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_PHASES_H
