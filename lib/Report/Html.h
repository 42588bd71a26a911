// Html.h - the parts of the page of a report
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All text that comes from a program is escaped by `escape`.

#ifndef TILE_LIB_REPORT_HTML_H
#define TILE_LIB_REPORT_HTML_H

#include "ReportHtml.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

namespace tile::html {

/// Returns the text with HTML's special characters replaced by entities.
inline std::string escape(llvm::StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  llvm::printHTMLEscaped(text, os);
  return escaped;
}

/// The lines of the program's files, which are read at the first use.
class Sources {
public:
  /// Returns a line; empty if the file cannot be read or has no such line.
  llvm::StringRef getLine(const Place &location);
  /// Returns the lines of `file`; empty if it cannot be read.
  llvm::ArrayRef<std::string> getLines(const std::string &file);

private:
  std::map<std::string, std::vector<std::string>> files;
};

/// Prints the tables of the report of one body.
void printTables(const BodyReport &body, llvm::raw_ostream &os);
/// Prints the counts of an emulated launch.
void printProfile(const llvm::json::Value &profile, llvm::raw_ostream &os);

/// Prints the program with the cost of each line: instructions, accesses, and
/// the counters of `profile`, which may be null.
void printProgram(const ModuleReport &report, const llvm::json::Value *profile,
                  Sources &sources, llvm::raw_ostream &os);
/// Prints the code of one entry point next to the source lines from which it
/// comes.
void printPtx(llvm::StringRef ptx, llvm::StringRef entry, Sources &sources,
              llvm::raw_ostream &os);
/// Prints a column for each phase that changed a kernel, or the module.
void printPhases(llvm::ArrayRef<PassText> phases, llvm::raw_ostream &os);

/// Prints a picture of the buffers of one body, with time to the right and
/// addresses upwards.
void printBuffers(const BodyReport &body, llvm::raw_ostream &os);
/// Prints the distinct layouts of tiles and buffers.
void printLayouts(const BodyReport &body, llvm::raw_ostream &os);

} // namespace tile::html

#endif // TILE_LIB_REPORT_HTML_H
