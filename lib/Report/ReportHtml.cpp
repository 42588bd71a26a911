// ReportHtml.cpp - the report as a page
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReportHtml.h"

#include "Html.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tile;
using namespace tile::html;

static const char *const kStyle = R"(
body { font: 14px/1.4 sans-serif; margin: 1em min(2em, 3vw); color: #222;
       overflow-wrap: break-word; }
h2 { border-bottom: 1px solid #ccc; margin-top: 2em; }
table { border-collapse: collapse; margin-bottom: 1em; }
th, td { border: 1px solid #ddd; padding: 2px 8px; text-align: left;
         vertical-align: top; }
th { background: #f2f2f2; }
pre, code { font: 12px/1.35 monospace; margin: 0; white-space: pre-wrap; }
.wide { overflow-x: auto; }
.code { width: 100%; }
.code .number { text-align: right; color: #888; }
.columns { display: flex; gap: 1em; overflow-x: auto; max-height: 80vh; }
.columns > div { flex: 0 0 min(48em, 95%); overflow-y: auto; }
.memory rect { fill: #9ec5e8; stroke: #2b5d8a; }
.memory text { font: 11px sans-serif; }
nav a { margin-right: 1em; display: inline-block; }
)";

/// Opens a section to which the page's head can link.
static void beginSection(llvm::StringRef id, llvm::StringRef title,
                         llvm::raw_ostream &os) {
  os << "<h2 id=\"" << escape(id) << "\">" << escape(title) << "</h2>\n";
}

static void printHead(const Page &page, llvm::raw_ostream &os) {
  std::string title = escape("Report of " + page.title);
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
     << "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>"
     << title << "</title>\n<style>" << kStyle
     << "</style>\n</head>\n<body>\n<h1>" << title << ", "
     << escape(page.report.architecture) << "</h1>\n<nav>"
     << "<a href=\"#program\">Program</a>";
  for (const BodyReport &body : page.report.bodies)
    os << "\n<a href=\"#kernel-" << escape(body.symbol) << "\">"
       << escape(body.symbol) << "</a>";
  os << "\n<a href=\"#phases\">Phases</a></nav>\n";
}

static void printBody(const BodyReport &body, const Page &page,
                      Sources &sources, llvm::raw_ostream &os) {
  beginSection("kernel-" + body.symbol, "Kernel " + body.symbol, os);
  if (!body.generalOf.empty())
    os << "<p>The generic variant of " << escape(body.generalOf) << ".</p>\n";
  printTables(body, os);
  if (!body.buffers.empty()) {
    os << "<h3>Shared memory over time</h3>\n";
    printBuffers(body, os);
  }
  os << "<h3>Layouts</h3>\n";
  printLayouts(body, os);
  os << "<details><summary>PTX beside the program</summary>\n";
  printPtx(page.ptx, body.symbol, sources, os);
  os << "</details>\n";
}

std::string tile::toHtml(const Page &page) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Sources sources;
  printHead(page, os);
  beginSection("program", "Program", os);
  printProgram(page.report, page.profile ? &*page.profile : nullptr, sources,
               os);
  if (page.profile)
    printProfile(*page.profile, os);
  for (const BodyReport &body : page.report.bodies)
    printBody(body, page, sources, os);
  beginSection("phases", "Phases", os);
  printPhases(page.phases, os);
  os << "</body>\n</html>\n";
  return text;
}

llvm::Expected<llvm::json::Value> tile::parseProfile(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> profile = llvm::json::parse(text);
  if (!profile)
    return profile.takeError();
  const llvm::json::Object *object = profile->getAsObject();
  const llvm::json::Array *rows =
      object ? object->getArray("instructions") : nullptr;
  if (rows && llvm::all_of(*rows, [](const llvm::json::Value &row) {
        return row.getAsObject() != nullptr;
      }))
    return profile;
  return llvm::createStringError(
      "expected an object with 'instructions', a list of objects");
}
