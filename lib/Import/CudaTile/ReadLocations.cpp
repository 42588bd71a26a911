// ReadLocations.cpp - the source locations of a bytecode file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FileTables.h"

using namespace tile::cudatile;
using namespace mlir;

namespace {
/// The tags of debug attributes in the bytecode.
enum class DebugTag : uint8_t {
  compileUnit = 1,
  file,
  lexicalBlock,
  location,
  subprogram,
  callSite,
};
} // namespace

void FileTables::readLocations(ByteReader reader) {
  constexpr unsigned kBeginBytes = 4, kIndexBytes = 8;
  uint64_t functions = reader.readCount(kBeginBytes);
  reader.align(kBeginBytes);
  std::vector<uint64_t> begins;
  for (uint64_t i = 0; i < functions; ++i)
    begins.push_back(reader.readNumber(kBeginBytes));
  uint64_t total = reader.readCount(kIndexBytes);
  reader.align(kIndexBytes);
  std::vector<uint64_t> indices;
  for (uint64_t i = 0; i < total; ++i)
    indices.push_back(reader.readNumber(kIndexBytes));
  begins.push_back(indices.size());
  for (uint64_t i = 0; i < functions; ++i) {
    if (begins[i] > begins[i + 1] || begins[i + 1] > indices.size())
      return reader.fail("expected ascending positions of locations");
    locations.emplace_back(indices.begin() + begins[i],
                           indices.begin() + begins[i + 1]);
  }
  locationItems = readTable(reader, kBeginBytes);
  readItems.resize(locationItems.size());
}

Location FileTables::getLocation(size_t function, size_t operation) {
  if (function >= locations.size() || operation >= locations[function].size())
    return file;
  return getLocation(locations[function][operation]);
}

/// Returns the location of an index, 1 for the first item; the file's if there
/// is no such item, or if it contains itself.
Location FileTables::getLocation(uint64_t index) {
  if (index == 0 || index > locationItems.size())
    return file;
  std::optional<Location> &found = readItems[index - 1];
  if (!found) {
    found = file;
    found = readLocationItem(openItem(locationItems[index - 1]));
  }
  return *found;
}

Location FileTables::readLocationItem(ByteReader reader) {
  switch (DebugTag(reader.readByte())) {
  case DebugTag::location: {
    reader.readVarint(); // the scope
    llvm::StringRef name = readString(reader);
    uint64_t line = reader.readVarint(), column = reader.readVarint();
    return FileLineColLoc::get(file.getContext(), name, line, column);
  }
  case DebugTag::callSite: {
    Location callee = getLocation(reader.readVarint());
    return CallSiteLoc::get(callee, getLocation(reader.readVarint()));
  }
  default:
    return file;
  }
}
