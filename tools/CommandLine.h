// CommandLine.h - names and errors of tools that use LLVM's command line
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_COMMANDLINE_H
#define TILE_TOOLS_COMMANDLINE_H

#include "FatalErrors.h"
#include "Version.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"

namespace tile {

/// Sets the name of the tool in the text of --version and in errors.
/// @pre The command line is not parsed yet, and `tool` lives as long as the
/// process.
inline void nameTool(const char *tool) {
  reportFatalErrorsAs(tool);
  llvm::cl::SetVersionPrinter(
      [tool](llvm::raw_ostream &os) { os << getVersionText(tool) << "\n"; });
}

/// Prints an error about the command line and a hint to --help. Returns 1, the
/// exit code that LLVM itself uses for errors of the command line.
inline int refuseCommand(const char *tool, const llvm::Twine &message) {
  llvm::errs() << tool << ": error: " << message << "; see '" << tool
               << " --help'\n";
  return 1;
}

} // namespace tile

#endif // TILE_TOOLS_COMMANDLINE_H
