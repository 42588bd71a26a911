// ReadTypes.cpp - the types of a bytecode file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FileTables.h"

using namespace tile::cudatile;
using llvm::Twine;

void FileTables::setTypes(std::vector<FilePart> table) {
  typeItems = std::move(table);
  types.resize(typeItems.size());
  isReading.resize(typeItems.size());
}

const SourceType *FileTables::readType(ByteReader &reader) {
  return getType(reader.readVarint(), reader);
}

llvm::SmallVector<const SourceType *>
FileTables::readTypes(ByteReader &reader) {
  llvm::SmallVector<const SourceType *> found;
  uint64_t count = reader.readCount(1);
  for (uint64_t i = 0; i < count; ++i)
    found.push_back(readType(reader));
  return found;
}

const SourceType *FileTables::getType(uint64_t index, ByteReader &reader) {
  if (index >= types.size()) {
    reader.fail("expected the index of one of " + Twine(types.size()) +
                " types, got " + Twine(index));
    return nullptr;
  }
  if (types[index])
    return types[index];
  if (isReading[index]) {
    reader.fail("expected a type that does not contain itself");
    return nullptr;
  }
  isReading[index] = true;
  SourceType &type = program.types.emplace_back();
  ByteReader own = openItem(typeItems[index]);
  readTypeItem(type, own);
  if (!own.isAtEnd())
    own.fail("expected the end of a type");
  isReading[index] = false;
  if (errors.hasFailed())
    return nullptr;
  return types[index] = &type;
}

/// Reads the flags of optional members, which types have since a version.
static uint64_t readFlags(ByteReader &reader, unsigned minor, unsigned since) {
  uint64_t flags = minor >= since ? reader.readVarint() : 0;
  if (flags > 1)
    reader.fail("expected flags of at most 1, got " + Twine(flags));
  return flags;
}

/// Reads the extents of an array or its strides, which may be kDynamic.
static llvm::SmallVector<int64_t> readArrayExtents(ByteReader &reader) {
  llvm::SmallVector<int64_t> extents = reader.readIntegers(8);
  for (int64_t extent : extents)
    if (extent != kDynamic && extent < 0)
      reader.fail("expected an extent of at least 0, got " + Twine(extent));
  return extents;
}

/// Reads the extents of a tile, in integers of `size` bytes.
static llvm::SmallVector<int64_t> readExtents(ByteReader &reader,
                                              unsigned size) {
  llvm::SmallVector<int64_t> extents = reader.readIntegers(size);
  for (int64_t extent : extents)
    if (extent < 1)
      reader.fail("expected an extent of at least 1, got " + Twine(extent));
  return extents;
}

void FileTables::readPadding(SourceType &type, bool hasPadding,
                             ByteReader &reader) {
  if (!hasPadding)
    return;
  uint8_t padding = reader.readByte();
  if (padding > static_cast<uint8_t>(Padding::negativeInfinity))
    reader.fail("expected a padding value of 0 to 4, got " + Twine(padding));
  type.padding = Padding(padding);
}

/// Reads a view of tiles of a tensor view.
void FileTables::readView(SourceType &type, ByteReader &reader) {
  constexpr unsigned kFlagsSince = 3;
  uint64_t flags = readFlags(reader, program.minor, kFlagsSince);
  type.shape = readExtents(reader, 4);
  if (type.tag == TypeTag::stridedView)
    type.strides = readExtents(reader, 4);
  type.element = readType(reader);
  if (type.element && type.element->tag != TypeTag::tensorView)
    reader.fail("expected a view of a tensor view");
  if (type.tag == TypeTag::gatherScatterView)
    type.dims.push_back(reader.readVarint());
  else
    type.dims = reader.readIntegers(4);
  bool hasPadding = program.minor >= kFlagsSince ? flags : reader.readVarint();
  readPadding(type, hasPadding, reader);
}

void FileTables::readTypeItem(SourceType &type, ByteReader &reader) {
  constexpr unsigned kPointerFlagsSince = 4;
  uint64_t tag = reader.readVarint();
  type.tag = TypeTag(tag);
  switch (type.tag) {
  case TypeTag::i1:
  case TypeTag::i8:
  case TypeTag::i16:
  case TypeTag::i32:
  case TypeTag::i64:
  case TypeTag::f16:
  case TypeTag::bf16:
  case TypeTag::f32:
  case TypeTag::tf32:
  case TypeTag::f64:
  case TypeTag::f8E4M3FN:
  case TypeTag::f8E5M2:
  case TypeTag::token:
  case TypeTag::f8E8M0FNU:
  case TypeTag::f4E2M1FN:
  case TypeTag::i4:
    return;
  case TypeTag::pointer: {
    uint64_t flags = readFlags(reader, program.minor, kPointerFlagsSince);
    type.element = readType(reader);
    if (flags)
      reader.readByte();
    return;
  }
  case TypeTag::tile:
    type.element = readType(reader);
    type.shape = readExtents(reader, 8);
    return;
  case TypeTag::tensorView: {
    uint64_t flags = readFlags(reader, program.minor, kPointerFlagsSince);
    type.element = readType(reader);
    type.shape = readArrayExtents(reader);
    type.strides = readArrayExtents(reader);
    if (type.shape.size() != type.strides.size())
      reader.fail("expected as many strides as extents");
    if (flags)
      reader.readByte();
    return;
  }
  case TypeTag::partitionView:
  case TypeTag::stridedView:
  case TypeTag::gatherScatterView:
    return readView(type, reader);
  case TypeTag::function:
    type.parameters = readTypes(reader);
    type.results = readTypes(reader);
    return;
  }
  reader.fail("expected the tag of a type, got " + Twine(tag));
}
