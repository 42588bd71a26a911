// Diagnostics.cpp - diagnostics of MLIR as records of C
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Diagnostics.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tile::capi;

static tile_severity convert(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return TILE_SEVERITY_NOTE;
  case DiagnosticSeverity::Remark:
    return TILE_SEVERITY_REMARK;
  case DiagnosticSeverity::Warning:
    return TILE_SEVERITY_WARNING;
  case DiagnosticSeverity::Error:
    return TILE_SEVERITY_ERROR;
  }
  return TILE_SEVERITY_ERROR;
}

const char *DiagnosticRecords::keep(std::string text) {
  return texts.emplace_back(std::move(text)).c_str();
}

/// Converts a diagnostic without its notes.
tile_diagnostic *DiagnosticRecords::convert(Diagnostic &diagnostic) {
  tile_diagnostic record = {};
  record.struct_size = sizeof record;
  record.severity = ::convert(diagnostic.getSeverity());
  record.text = keep(diagnostic.str());
  record.file = "";
  if (auto location =
          diagnostic.getLocation()->findInstanceOf<FileLineColLoc>()) {
    record.file = keep(location.getFilename().str());
    record.line = location.getLine();
    record.column = location.getColumn();
  }
  return &all.emplace_back(record);
}

void DiagnosticRecords::add(Diagnostic &diagnostic) {
  tile_diagnostic *record = convert(diagnostic);
  std::vector<const tile_diagnostic *> &notes = lists.emplace_back();
  for (Diagnostic &note : diagnostic.getNotes())
    notes.push_back(convert(note));
  record->notes = notes.data();
  record->num_notes = notes.size();
  records.push_back(record);
}

bool DiagnosticRecords::hasErrors() const {
  return llvm::any_of(records, [](const tile_diagnostic *record) {
    return record->severity == TILE_SEVERITY_ERROR;
  });
}
