// ByteReader.cpp - integers and bytes of a file that may be damaged
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ByteReader.h"

#include "llvm/Support/MathExtras.h"

using namespace tile::cudatile;

uint8_t ByteReader::readByte() { return readNumber(1); }

llvm::ArrayRef<uint8_t> ByteReader::readBytes(size_t count) {
  if (count > countLeft()) {
    fail("expected " + llvm::Twine(count) + " more bytes, got " +
         llvm::Twine(countLeft()));
    return {};
  }
  llvm::ArrayRef<uint8_t> found = bytes.slice(position, count);
  position += count;
  return found;
}

uint64_t ByteReader::readNumber(unsigned count) {
  uint64_t value = 0;
  for (auto [index, byte] : llvm::enumerate(readBytes(count)))
    value |= uint64_t(byte) << (8 * index);
  return value;
}

uint64_t ByteReader::readGroups(unsigned shift) {
  constexpr unsigned kGroup = 7;
  uint64_t value = 0;
  for (; shift < 64; shift += kGroup) {
    uint64_t byte = readByte();
    uint64_t bits = byte & 0x7f;
    if (shift + kGroup > 64 && bits >> (64 - shift) != 0)
      break;
    value |= bits << shift;
    if ((byte & 0x80) == 0)
      return value;
  }
  fail("expected an integer of at most 64 bits");
  return 0;
}

uint64_t ByteReader::readVarint() { return readGroups(/*shift=*/0); }

int64_t ByteReader::readSignedVarint() {
  uint64_t first = readByte();
  uint64_t value = (first & 0x7f) >> 1;
  if (first & 0x80)
    value |= readGroups(/*shift=*/6);
  return static_cast<int64_t>(value) ^ -static_cast<int64_t>(first & 1);
}

uint64_t ByteReader::readCount(size_t least) {
  uint64_t count = readVarint();
  if (count <= countLeft() / least)
    return count;
  fail("expected a count of items that the " + llvm::Twine(countLeft()) +
       " bytes left may contain, got " + llvm::Twine(count));
  return 0;
}

llvm::SmallVector<int64_t> ByteReader::readIntegers(unsigned size) {
  llvm::SmallVector<int64_t> values;
  uint64_t count = readCount(size);
  for (uint64_t i = 0; i < count; ++i)
    values.push_back(llvm::SignExtend64(readNumber(size), 8 * size));
  return values;
}

void ByteReader::align(size_t alignment) {
  readBytes(llvm::alignTo(position, alignment) - position);
}
