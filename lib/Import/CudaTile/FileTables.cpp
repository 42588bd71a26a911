// FileTables.cpp - strings, constants and attributes of a bytecode file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FileTables.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace tile::cudatile;
using llvm::Twine;

std::vector<FilePart> tile::cudatile::readTable(ByteReader reader,
                                                unsigned size) {
  uint64_t count = reader.readCount(size);
  reader.align(size);
  std::vector<uint64_t> begins;
  for (uint64_t i = 0; i < count; ++i)
    begins.push_back(reader.readNumber(size));
  size_t start = reader.getOffset();
  llvm::ArrayRef<uint8_t> bytes = reader.readBytes(reader.countLeft());
  begins.push_back(bytes.size());
  std::vector<FilePart> items;
  for (uint64_t i = 0; i < count; ++i) {
    if (begins[i] > begins[i + 1] || begins[i + 1] > bytes.size()) {
      reader.fail("expected ascending positions of up to " +
                  Twine(bytes.size()) + ", got " + Twine(begins[i]) + " and " +
                  Twine(begins[i + 1]));
      return {};
    }
    items.push_back(
        {bytes.slice(begins[i], begins[i + 1] - begins[i]), start + begins[i]});
  }
  return items;
}

/// Returns the item of the index that the reader has next; null after an error.
static const FilePart *readItem(ByteReader &reader,
                                llvm::ArrayRef<FilePart> table,
                                llvm::StringRef what) {
  uint64_t index = reader.readVarint();
  if (index < table.size())
    return &table[index];
  reader.fail("expected the index of one of " + Twine(table.size()) + " " +
              what + ", got " + Twine(index));
  return nullptr;
}

llvm::StringRef FileTables::readString(ByteReader &reader) const {
  const FilePart *item = readItem(reader, strings, "strings");
  return item ? llvm::toStringRef(item->bytes) : llvm::StringRef();
}

llvm::ArrayRef<uint8_t> FileTables::readConstant(ByteReader &reader) const {
  const FilePart *item = readItem(reader, constants, "constants");
  if (!item)
    return {};
  ByteReader own(item->bytes, item->start, errors);
  return own.readBytes(own.readCount(1));
}

/// Reads the bits of a float of `type`: a byte, or a signed integer.
static uint64_t readFloatBits(ByteReader &reader, const SourceType *type) {
  bool isByte =
      type &&
      (type->tag == TypeTag::f8E4M3FN || type->tag == TypeTag::f8E5M2 ||
       type->tag == TypeTag::f8E8M0FNU || type->tag == TypeTag::f4E2M1FN);
  return isByte ? reader.readByte() : reader.readSignedVarint();
}

/// Reads a bound that may be absent into `integers`, as its presence and value.
static void readBounds(ByteReader &reader, SourceAttribute &attribute) {
  uint8_t present = reader.readByte();
  for (unsigned bit : {0, 1}) {
    bool has = present >> bit & 1;
    attribute.integers.push_back(has);
    attribute.integers.push_back(has ? reader.readSignedVarint() : 0);
  }
}

SourceAttribute FileTables::readArray(ByteReader &reader) {
  SourceAttribute attribute;
  attribute.tag = AttributeTag::array;
  uint64_t count = reader.readCount(1);
  for (uint64_t i = 0; i < count; ++i)
    attribute.elements.push_back(readTagged(reader));
  return attribute;
}

SourceAttribute FileTables::readDictionary(ByteReader &reader) {
  SourceAttribute attribute;
  attribute.tag = AttributeTag::dictionary;
  uint64_t count = reader.readCount(2);
  for (uint64_t i = 0; i < count; ++i) {
    llvm::StringRef key = readString(reader);
    attribute.entries.emplace_back(key, readTagged(reader));
  }
  return attribute;
}

SourceAttribute FileTables::readTagged(ByteReader &reader) {
  constexpr unsigned kMostDepth = 32;
  ++depth;
  auto leave = llvm::make_scope_exit([&] { --depth; });
  if (depth > kMostDepth)
    reader.fail("expected attributes in at most " + Twine(kMostDepth) +
                " others");
  SourceAttribute attribute;
  uint8_t tag = reader.readByte();
  attribute.tag = AttributeTag(tag);
  switch (attribute.tag) {
  case AttributeTag::integer:
    attribute.type = readType(reader);
    attribute.number = reader.readVarint();
    return attribute;
  case AttributeTag::floating:
    attribute.type = readType(reader);
    attribute.number = readFloatBits(reader, attribute.type);
    return attribute;
  case AttributeTag::boolean:
    attribute.number = reader.readByte();
    return attribute;
  case AttributeTag::type:
    attribute.type = readType(reader);
    return attribute;
  case AttributeTag::string:
    attribute.text = readString(reader);
    return attribute;
  case AttributeTag::array:
    return readArray(reader);
  case AttributeTag::constant:
    attribute.type = readType(reader);
    attribute.bytes = readConstant(reader);
    return attribute;
  case AttributeTag::divisible:
    attribute.number = reader.readVarint();
    readBounds(reader, attribute);
    return attribute;
  case AttributeTag::sameElements:
    attribute.integers = reader.readIntegers(8);
    return attribute;
  case AttributeTag::dictionary:
  case AttributeTag::hints:
    return readDictionary(reader);
  case AttributeTag::bounded:
    readBounds(reader, attribute);
    return attribute;
  case AttributeTag::none:
    break;
  }
  reader.fail("expected the tag of an attribute, 1 to 12, got " + Twine(tag));
  return SourceAttribute();
}
