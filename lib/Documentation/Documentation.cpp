// Documentation.cpp - descriptions of the dialect's entities from the reference
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Documentation/Documentation.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile;
using llvm::StringRef;

static const unsigned char kReference[] = {
#include "Reference.inc"
};

/// Returns the name in programs of the entity that a heading of mlir-tblgen is
/// about: tile.load for "`tile.load` (tile::LoadOp)", #tile.fft_plan for
/// "FftPlanAttr". Empty for other headings.
static std::string getName(StringRef heading) {
  if (heading.consume_front("`"))
    return heading.split('`').first.str();
  if (heading.consume_back("Attr"))
    return "#tile." + llvm::convertToSnakeFromCamelCase(heading);
  if (heading.consume_back("Type"))
    return "!tile." + llvm::convertToSnakeFromCamelCase(heading);
  return "";
}

/// Whether a line starts the list of traits, interfaces or effects of an
/// operation, which is left out. Tables of operands and parameters are also
/// left out, but have headings.
static bool isOfDeclaration(StringRef line) {
  return line.starts_with("Traits: `") || line.starts_with("Interfaces: `") ||
         line.starts_with("Effects: `");
}

Documentation::Documentation() {
  StringRef rest(reinterpret_cast<const char *>(kReference),
                 sizeof(kReference));
  std::string name;
  const char *begin = nullptr;
  auto finish = [&](const char *end) {
    if (!name.empty())
      texts[name] = StringRef(begin, end - begin).trim();
    name.clear();
  };
  bool isCode = false;
  while (!rest.empty()) {
    StringRef line = rest.take_until([](char c) { return c == '\n'; });
    rest = rest.drop_front(std::min(rest.size(), line.size() + 1));
    if (line.starts_with("```"))
      isCode = !isCode;
    StringRef heading = line.ltrim('#');
    bool isHeading =
        !isCode && line.starts_with("#") && heading.starts_with(" ");
    if (isHeading || (!isCode && isOfDeclaration(line)))
      finish(line.data());
    if (isHeading) {
      name = getName(heading.trim());
      begin = rest.data();
    }
  }
  finish(rest.data());
}

StringRef Documentation::findSummary(StringRef name) const {
  StringRef line = find(name).split('\n').first;
  return line.consume_front("_") && line.consume_back("_") ? line : "";
}
