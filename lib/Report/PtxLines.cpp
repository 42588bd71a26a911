// PtxLines.cpp - line of the program for each line of PTX
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxLines.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile;
using llvm::StringRef;

/// Returns the names of files by their ids in `.loc`, from lines such as `.file
/// 1 "/some/folder/gemm.mlir"`, which follow the code.
static std::map<int64_t, std::string> findFiles(llvm::ArrayRef<StringRef> ptx) {
  std::map<int64_t, std::string> files;
  for (StringRef line : ptx) {
    line = line.ltrim();
    int64_t id;
    if (line.consume_front(".file") && !line.ltrim().consumeInteger(10, id))
      files[id] = line.split('"').second.rsplit('"').first.str();
  }
  return files;
}

/// Returns the position that a directive `.loc FILE LINE COLUMN` specifies;
/// nothing for other text.
static std::optional<Place>
parseLine(StringRef text, const std::map<int64_t, std::string> &files) {
  text = text.ltrim();
  int64_t file, line;
  if (!text.consume_front(".loc") || (text = text.ltrim()).empty() ||
      text.consumeInteger(10, file) || (text = text.ltrim()).empty() ||
      text.consumeInteger(10, line) || !files.count(file))
    return std::nullopt;
  return Place{files.at(file), line};
}

/// Returns the name of the entry point that starts in a line of PTX; empty if
/// none does.
static StringRef parseEntry(StringRef line) {
  size_t entry = line.find(".entry ");
  return entry == StringRef::npos
             ? StringRef()
             : line.drop_front(entry + 7).split('(').first.trim();
}

static bool beginsFunction(StringRef line) {
  return line.starts_with(".func") || line.starts_with(".visible .func");
}

void tile::forEachPtxLine(
    StringRef ptx,
    llvm::function_ref<void(StringRef, const Place &, StringRef)> visit) {
  llvm::SmallVector<StringRef> lines;
  ptx.split(lines, '\n');
  std::map<int64_t, std::string> files = findFiles(lines);
  StringRef entry;
  Place location;
  for (StringRef line : lines) {
    StringRef begun = parseEntry(line);
    if (!begun.empty() || beginsFunction(line)) {
      entry = begun;
      location = Place();
    }
    if (std::optional<Place> next = parseLine(line, files))
      location = *next;
    if (!entry.empty())
      visit(entry, location, line);
  }
}
