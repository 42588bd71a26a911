// HtmlCode.cpp - program, PTX and phases in a report's page
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Html.h"

#include "PtxLines.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tile;
using namespace tile::html;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::ArrayRef<std::string> Sources::getLines(const std::string &file) {
  auto [entry, isNew] = files.try_emplace(file);
  if (!isNew)
    return entry->second;
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return {};
  llvm::SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (StringRef line : lines)
    entry->second.push_back(line.str());
  return entry->second;
}

StringRef Sources::getLine(const Place &location) {
  llvm::ArrayRef<std::string> lines = getLines(location.file);
  bool isInside = location.line > 0 && size_t(location.line) <= lines.size();
  return isInside ? StringRef(lines[location.line - 1]) : StringRef();
}

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

/// Costs of each line of the program, as one text for each cost.
using LineCosts = std::map<Place, std::vector<std::string>>;

static void annotateInstructions(const BodyReport &body, LineCosts &costs) {
  for (const auto &[location, counts] : body.lineInstructions) {
    std::string text = body.symbol + ":";
    for (const auto &[kind, count] : counts)
      text += llvm::formatv(" {0} {1}", count, kind).str();
    costs[location].push_back(text);
  }
}

static void annotateAccesses(const BodyReport &body, LineCosts &costs) {
  for (const AccessReport &access : body.accesses)
    if (access.wavefronts >= 0)
      costs[access.place].push_back(
          llvm::formatv("{0}: {1} wavefronts, {2} by conflicts", body.symbol,
                        access.wavefronts, access.conflicts()));
  for (const GlobalAccessReport &access : body.globalAccesses)
    if (access.sectors >= 0)
      costs[access.place].push_back(
          llvm::formatv("{0}: {1} sectors, {2} at least", body.symbol,
                        access.sectors, access.minimalSectors));
}

/// Parses "FILE:LINE:COLUMN"; the column is dropped.
static Place parseLocation(StringRef location) {
  auto [file, line] = location.rsplit(':').first.rsplit(':');
  Place result{file.str(), 0};
  if (line.getAsInteger(10, result.line))
    return {};
  return result;
}

static void annotateProfile(const llvm::json::Value &profile,
                            LineCosts &costs) {
  for (const llvm::json::Value &value :
       *profile.getAsObject()->getArray("instructions")) {
    const llvm::json::Object &row = *value.getAsObject();
    costs[parseLocation(row.getString("location").value_or(""))].push_back(
        llvm::formatv("emulated: {0} warps of {1}",
                      row.getInteger("warps").value_or(0),
                      row.getString("instruction").value_or("")));
  }
}

static void printLine(int64_t line, StringRef text,
                      const std::vector<std::string> &costs,
                      llvm::raw_ostream &os) {
  os << "<tr><td class=\"number\">" << line << "</td><td><code>" << escape(text)
     << "</code></td><td>";
  for (const std::string &cost : costs)
    os << "<div>" << escape(cost) << "</div>";
  os << "</td></tr>\n";
}

void html::printProgram(const ModuleReport &report,
                        const llvm::json::Value *profile, Sources &sources,
                        llvm::raw_ostream &os) {
  LineCosts costs;
  for (const BodyReport &body : report.bodies) {
    costs[body.place];
    annotateInstructions(body, costs);
    annotateAccesses(body, costs);
  }
  if (profile)
    annotateProfile(*profile, costs);
  std::map<std::string, int64_t> lastLines;
  for (const auto &[location, texts] : costs)
    if (!location.file.empty())
      lastLines[location.file] =
          std::max(lastLines[location.file], location.line);
  for (const auto &[file, lastLine] : lastLines) {
    llvm::ArrayRef<std::string> lines = sources.getLines(file);
    os << "<h3>" << escape(file) << "</h3>\n<div class=\"wide\">"
       << "<table class=\"code\"><tbody>\n";
    for (int64_t line = 1;
         line <= (lines.empty() ? lastLine : int64_t(lines.size())); ++line) {
      auto found = costs.find(Place{file, line});
      if (found != costs.end() || !lines.empty())
        printLine(line, sources.getLine({file, line}),
                  found == costs.end() ? std::vector<std::string>()
                                       : found->second,
                  os);
    }
    os << "</tbody></table></div>\n";
  }
}

//===----------------------------------------------------------------------===//
// PTX
//===----------------------------------------------------------------------===//

void html::printPtx(StringRef ptx, StringRef entry, Sources &sources,
                    llvm::raw_ostream &os) {
  std::optional<Place> last;
  auto close = [&] {
    if (last)
      os << "</pre></td></tr>\n";
  };
  os << "<div class=\"wide\"><table class=\"code\"><tbody>\n";
  forEachPtxLine(
      ptx, [&](StringRef symbol, const Place &location, StringRef line) {
        if (symbol != entry || line.trim().empty() ||
            line.ltrim().starts_with(".loc"))
          return;
        if (!last || !(*last == location)) {
          close();
          last = location;
          os << "<tr><td class=\"number\">"
             << (location.file.empty() ? "" : std::to_string(location.line))
             << "</td><td><code>" << escape(sources.getLine(location).trim())
             << "</code></td><td><pre>";
        }
        os << escape(line) << "\n";
      });
  close();
  os << "</tbody></table></div>\n";
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

void html::printPhases(llvm::ArrayRef<PassText> phases, llvm::raw_ostream &os) {
  std::map<std::string, StringRef> before;
  os << "<div class=\"columns\">\n";
  for (const PassText &phase : phases) {
    StringRef &text = before[phase.kernel];
    if (text == phase.text)
      continue;
    text = phase.text;
    os << "<div><h3>" << escape(phase.pass);
    if (!phase.kernel.empty())
      os << ", " << escape(phase.kernel);
    os << "</h3>\n<pre>" << escape(phase.text) << "</pre></div>\n";
  }
  os << "</div>\n";
}
