// OperationTable.h - the operations of CUDA Tile IR and their encoding
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The encodings are those of the bytecode writer in the Python package
// cuda-tile 1.7.0 (cuda/tile/_bytecode).

#ifndef TILE_LIB_IMPORT_CUDATILE_OPERATIONTABLE_H
#define TILE_LIB_IMPORT_CUDATILE_OPERATIONTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tile::cudatile {

/// How an attribute of an operation is encoded.
enum class AttributeEncoding {
  integer,  ///< an unsigned integer of variable length
  byte,     ///< one byte: a Boolean or the case of an enumeration
  string,   ///< the index of a string
  constant, ///< the index of a constant
  integers, ///< a count and integers of 4 bytes
  booleans, ///< a count and bytes
  hints,    ///< a dictionary
  tagged,   ///< a tag and what follows from it
  array,    ///< a count and tagged attributes
};

/// How many values an operand stands for.
enum class OperandCount { one, optional, variadic };

struct AttributeFormat {
  llvm::StringRef name;
  AttributeEncoding encoding;
  bool isOptional;
  /// The minor version that introduced it.
  unsigned since;
};

struct OperandFormat {
  llvm::StringRef name;
  OperandCount count;
};

/// The encoding of an operation: opcode, types of results, flags, attributes,
/// operands, regions.
struct OperationFormat {
  unsigned opcode;
  llvm::StringRef name;
  /// The minor version of 13 that introduced the operation.
  unsigned since;
  /// The count of results; nothing if it may be any.
  std::optional<unsigned> results;
  /// Whether the file has the count of results.
  bool hasResultCount;
  /// The names of flags, from bit 0, and the version that introduced them. A
  /// flag with the name of an optional attribute or operand is set if it is
  /// there.
  llvm::SmallVector<llvm::StringRef> flags;
  unsigned flagsSince;
  llvm::SmallVector<AttributeFormat> attributes;
  llvm::SmallVector<OperandFormat> operands;
  /// Whether the file has one count for all operands. A variadic operand then
  /// is the last one.
  bool hasOperandCount;
  bool hasRegions;

  unsigned getFlag(llvm::StringRef flag) const;
};

/// Returns the operations in the order of their names.
llvm::ArrayRef<OperationFormat> getOperations();

/// Returns the operation of an opcode; null if there is none.
const OperationFormat *findOperation(uint64_t opcode);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_OPERATIONTABLE_H
