// FileTables.h - strings, constants, types and locations of a bytecode file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_FILETABLES_H
#define TILE_LIB_IMPORT_CUDATILE_FILETABLES_H

#include "ByteReader.h"
#include "Program.h"

namespace tile::cudatile {

/// A part of a file and its position there.
struct FilePart {
  llvm::ArrayRef<uint8_t> bytes;
  size_t start = 0;
};

/// Reads a table: a count, the position of each item in the bytes that follow,
/// in integers of `size` bytes, and these bytes.
std::vector<FilePart> readTable(ByteReader reader, unsigned size);

/// The indexed parts of a file. Indices that are out of range, and items that
/// are damaged, are errors of the reader that has the index.
class FileTables {
public:
  FileTables(Program &program, FileErrors &errors, mlir::Location file)
      : program(program), errors(errors), file(file) {}

  void setStrings(std::vector<FilePart> table) { strings = std::move(table); }
  void setConstants(std::vector<FilePart> table) {
    constants = std::move(table);
  }
  void setTypes(std::vector<FilePart> table);
  void readLocations(ByteReader reader);

  llvm::StringRef readString(ByteReader &reader) const;
  llvm::ArrayRef<uint8_t> readConstant(ByteReader &reader) const;
  /// Returns null after an error.
  const SourceType *readType(ByteReader &reader);
  /// Returns the types of a list with its count.
  llvm::SmallVector<const SourceType *> readTypes(ByteReader &reader);
  SourceAttribute readTagged(ByteReader &reader);
  SourceAttribute readArray(ByteReader &reader);
  SourceAttribute readDictionary(ByteReader &reader);

  /// Returns the location of an operation of a function, or of the function
  /// itself, which is the first one. `function` is the index of its locations.
  mlir::Location getLocation(size_t function, size_t operation);

private:
  ByteReader openItem(const FilePart &part) {
    return ByteReader(part.bytes, part.start, errors);
  }
  const SourceType *getType(uint64_t index, ByteReader &reader);
  void readTypeItem(SourceType &type, ByteReader &reader);
  void readView(SourceType &type, ByteReader &reader);
  void readPadding(SourceType &type, bool hasPadding, ByteReader &reader);
  mlir::Location getLocation(uint64_t index);
  mlir::Location readLocationItem(ByteReader reader);

  Program &program;
  FileErrors &errors;
  mlir::Location file;
  std::vector<FilePart> strings, constants, typeItems, locationItems;
  /// Null until a type is needed. A type that is being read is null in `types`
  /// and marked in `isReading`.
  std::vector<const SourceType *> types;
  std::vector<bool> isReading;
  /// The indices of the locations of each function.
  std::vector<std::vector<uint64_t>> locations;
  std::vector<std::optional<mlir::Location>> readItems;
  /// The depth of nested attributes.
  unsigned depth = 0;
};

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_FILETABLES_H
