// FatalErrors.h - reports LLVM's fatal errors as errors of the tool
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_FATALERRORS_H
#define TILE_TOOLS_FATALERRORS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

namespace tile {

/// Prints the message after the tool's name, and ends the current crash
/// recovery context, if any; otherwise LLVM ends the process with exit code 1.
inline void reportFatalError(void *tool, const char *message, bool) {
  llvm::StringRef text = message;
  llvm::errs() << static_cast<const char *>(tool) << ": error";
  // An output stream that was closed without an error check reports this.
  if (text.consume_front("IO failure on output stream: "))
    llvm::errs() << ": cannot write the output: " << text << "\n";
  else
    llvm::errs() << " of LLVM: " << text << "\n";
  if (auto *attempt = llvm::CrashRecoveryContext::GetCurrent())
    attempt->HandleExit(1);
}

/// Installs the handler until the end of the process, so that it also reports
/// errors of the standard streams when they are destroyed.
inline void reportFatalErrorsAs(const char *tool) {
  llvm::install_fatal_error_handler(reportFatalError, const_cast<char *>(tool));
}

} // namespace tile

#endif // TILE_TOOLS_FATALERRORS_H
