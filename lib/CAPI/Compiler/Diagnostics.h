// Diagnostics.h - diagnostics of MLIR as records of C
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CAPI_COMPILER_DIAGNOSTICS_H
#define TILE_LIB_CAPI_COMPILER_DIAGNOSTICS_H

#include "tile-c/Compiler.h"

#include "mlir/IR/Diagnostics.h"

#include <deque>
#include <string>
#include <vector>

namespace tile::capi {

/// Records of diagnostics, together with their texts and notes.
class DiagnosticRecords {
public:
  DiagnosticRecords() = default;
  DiagnosticRecords(const DiagnosticRecords &) = delete;
  DiagnosticRecords &operator=(const DiagnosticRecords &) = delete;

  /// Appends a diagnostic with its notes.
  void add(mlir::Diagnostic &diagnostic);

  const std::vector<const tile_diagnostic *> &get() const { return records; }
  bool hasErrors() const;

private:
  tile_diagnostic *convert(mlir::Diagnostic &diagnostic);
  const char *keep(std::string text);

  /// These are deques, since the addresses of their elements do not change.
  std::deque<tile_diagnostic> all;
  std::deque<std::string> texts;
  std::deque<std::vector<const tile_diagnostic *>> lists;
  std::vector<const tile_diagnostic *> records;
};

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMPILER_DIAGNOSTICS_H
