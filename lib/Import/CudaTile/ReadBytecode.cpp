// ReadBytecode.cpp - a CUDA Tile program from a file of bytecode
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file has a head, with fixed bytes and a version, and sections:
//
//   7f "TileIR" 00, major, minor, tag (2 bytes)
//   identifier of the section (its highest bit: alignment follows), size,
//   [alignment, padding], contents
//   ...
//   00
//
// The sections may have any order; functions refer to all others.

#include "ReadBytecode.h"

#include "FileTables.h"
#include "ReadFunctions.h"
#include "tile/Import/CudaTile.h"

#include "llvm/ADT/StringExtras.h"

#include <array>

using namespace tile::cudatile;
using namespace mlir;
using llvm::Twine;

namespace {
/// The identifiers of sections.
enum Section : uint8_t {
  kEnd,
  kStrings,
  kFunctions,
  kLocations,
  kConstants,
  kTypes,
  kGlobals,
  kProducer,
  kSections
};

/// The contents of a file's sections, of which some may be absent.
using Sections = std::array<std::optional<FilePart>, kSections>;
} // namespace

/// Reads the head and returns the minor version.
static unsigned readHead(ByteReader &reader) {
  constexpr unsigned kMajor = 13, kLeast = 1, kMost = 5;
  constexpr uint16_t kPreview = 1;
  llvm::StringRef magic = tile::kCudaTileMagic;
  if (llvm::toStringRef(reader.readBytes(magic.size())) != magic)
    reader.fail("expected the bytecode of a CUDA Tile program");
  unsigned major = reader.readByte(), minor = reader.readByte();
  uint16_t tag = reader.readNumber(2);
  if (major != kMajor || minor < kLeast || minor > kMost || tag > kPreview)
    reader.fail("expected version 13.1 to 13.5 of CUDA Tile bytecode, got " +
                Twine(major) + "." + Twine(minor) + "." + Twine(tag));
  return minor;
}

static Sections readSections(ByteReader &reader) {
  constexpr uint8_t kAligned = 0x80;
  Sections sections;
  while (true) {
    uint8_t head = reader.readByte();
    uint8_t section = head & ~kAligned;
    if (section == kEnd)
      return sections;
    if (section >= kSections || sections[section]) {
      reader.fail("expected a section of 1 to 7 that is new, got " +
                  Twine(section));
      return sections;
    }
    uint64_t size = reader.readCount(1);
    if (head & kAligned) {
      uint64_t alignment = reader.readVarint();
      if (!llvm::isPowerOf2_64(alignment) || alignment > 4096)
        reader.fail("expected an alignment of at most 4096 bytes, got " +
                    Twine(alignment));
      else
        reader.align(alignment);
    }
    size_t start = reader.getOffset();
    sections[section] = {reader.readBytes(size), start};
  }
}

static void readGlobals(ByteReader reader, FileTables &tables,
                        Program &program) {
  constexpr unsigned kVisibilitySince = 3;
  uint64_t count = reader.readCount(4);
  for (uint64_t i = 0; i < count && !reader.isAtEnd(); ++i) {
    SourceGlobal global{tables.readString(reader), tables.readType(reader),
                        tables.readConstant(reader), reader.readVarint()};
    if (program.minor >= kVisibilitySince) {
      reader.readByte();   // public or private
      reader.readVarint(); // whether it is constant
    }
    program.globals.push_back(global);
  }
}

std::unique_ptr<Program>
tile::cudatile::readBytecode(llvm::MemoryBufferRef file, MLIRContext *context) {
  Location loc = FileLineColLoc::get(context, file.getBufferIdentifier(), 0, 0);
  FileErrors errors(loc);
  ByteReader reader(llvm::arrayRefFromStringRef(file.getBuffer()), 0, errors);
  auto program = std::make_unique<Program>();
  program->minor = readHead(reader);
  Sections sections = readSections(reader);
  auto open = [&](Section section) {
    FilePart part = sections[section].value_or(FilePart());
    return ByteReader(part.bytes, part.start, errors);
  };
  FileTables tables(*program, errors, loc);
  if (sections[kStrings])
    tables.setStrings(readTable(open(kStrings), 4));
  if (sections[kConstants])
    tables.setConstants(readTable(open(kConstants), 8));
  if (sections[kTypes])
    tables.setTypes(readTable(open(kTypes), 4));
  if (sections[kLocations])
    tables.readLocations(open(kLocations));
  if (sections[kGlobals])
    readGlobals(open(kGlobals), tables, *program);
  if (sections[kFunctions])
    readFunctions(open(kFunctions), tables, *program, errors);
  return errors.hasFailed() ? nullptr : std::move(program);
}
