// ByteReader.h - integers and bytes of a file that may be damaged
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_BYTEREADER_H
#define TILE_LIB_IMPORT_CUDATILE_BYTEREADER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace tile::cudatile {

/// Reports the first error of a file at its name, with the position of the
/// byte. Later ones are consequences of it, and are dropped.
class FileErrors {
public:
  explicit FileErrors(mlir::Location file) : file(file) {}

  void emit(size_t offset, const llvm::Twine &message) {
    if (!failed)
      mlir::emitError(file) << "at byte " << offset << ": " << message;
    failed = true;
  }
  bool hasFailed() const { return failed; }

private:
  mlir::Location file;
  bool failed = false;
};

/// Reads a part of a file from its first byte on. After an error, whichever
/// reader found it, integers are zero and nothing is left to read.
class ByteReader {
public:
  /// `start` is the position of `bytes` in the file.
  ByteReader(llvm::ArrayRef<uint8_t> bytes, size_t start, FileErrors &errors)
      : bytes(bytes), start(start), errors(&errors) {}

  size_t getOffset() const { return start + position; }
  size_t countLeft() const {
    return errors->hasFailed() ? 0 : bytes.size() - position;
  }
  bool isAtEnd() const { return countLeft() == 0; }
  void fail(const llvm::Twine &message) { errors->emit(getOffset(), message); }

  uint8_t readByte();
  /// Returns an unsigned integer of `count` bytes, the lowest one first.
  uint64_t readNumber(unsigned count);
  /// Returns an unsigned integer in groups of seven bits, the lowest one first;
  /// all bytes but the last one have the highest bit set.
  uint64_t readVarint();
  /// Returns a signed integer n: the file has 2 n, or -2 n - 1 if it is
  /// negative. A positive n may have 64 bits, as bits of a float do: 2 n then
  /// has 65.
  int64_t readSignedVarint();
  /// Returns a count of items that have at least `least` bytes each. More than
  /// are left to read are an error.
  uint64_t readCount(size_t least);
  llvm::ArrayRef<uint8_t> readBytes(size_t count);
  /// Returns a count and as many signed integers of `size` bytes.
  llvm::SmallVector<int64_t> readIntegers(unsigned size);
  /// Skips the bytes up to a multiple of `alignment` from the first one.
  void align(size_t alignment);

private:
  /// Returns the bits of an integer from `shift` on.
  uint64_t readGroups(unsigned shift);

  llvm::ArrayRef<uint8_t> bytes;
  size_t start, position = 0;
  FileErrors *errors;
};

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_BYTEREADER_H
