// Program.h - a CUDA Tile program in memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ReadBytecode.h makes a program of a file, and Translate.h a module of the
// tile dialect of a program.

#ifndef TILE_LIB_IMPORT_CUDATILE_PROGRAM_H
#define TILE_LIB_IMPORT_CUDATILE_PROGRAM_H

#include "OperationTable.h"

#include "mlir/IR/Location.h"

#include <deque>
#include <memory>
#include <vector>

namespace tile::cudatile {

/// The tags of types in the bytecode.
enum class TypeTag : uint64_t {
  i1 = 0,
  i8,
  i16,
  i32,
  i64,
  f16,
  bf16,
  f32,
  tf32,
  f64,
  f8E4M3FN,
  f8E5M2,
  pointer,
  tile,
  tensorView,
  partitionView,
  function,
  token,
  f8E8M0FNU,
  f4E2M1FN,
  gatherScatterView,
  stridedView,
  i4,
};

/// The values that a view has outside of its array.
enum class Padding : uint8_t {
  zero,
  negativeZero,
  nan,
  infinity,
  negativeInfinity
};

/// The cases of rounding modes.
enum class Rounding : uint64_t { nearest, toZero, down, up, approximate, full };

/// The cases of signedness.
enum class Signedness : uint64_t { isUnsigned, isSigned };

/// An extent or stride that the type leaves open.
constexpr int64_t kDynamic = INT64_MIN;

struct SourceType {
  TypeTag tag;
  /// The pointee of a pointer, the element of a tile or tensor view, and the
  /// tensor view of other views.
  const SourceType *element = nullptr;
  /// The extents of a tile or tensor view, and of the tiles of other views.
  llvm::SmallVector<int64_t> shape;
  /// The strides of a tensor view, in elements, and the steps of a strided
  /// view.
  llvm::SmallVector<int64_t> strides;
  /// The dimension of the array that each dimension of a view's tile is along.
  llvm::SmallVector<int64_t> dims;
  std::optional<Padding> padding;
  /// The types of a function's parameters and results.
  llvm::SmallVector<const SourceType *> parameters, results;
};

/// The tags of attributes in the bytecode.
enum class AttributeTag : uint8_t {
  none = 0, ///< an optional attribute that is absent
  integer,
  floating,
  boolean,
  type,
  string,
  array,
  constant,
  divisible,
  sameElements,
  dictionary,
  hints,
  bounded,
};

/// An attribute. Which members have a meaning depends on the tag.
struct SourceAttribute {
  AttributeTag tag = AttributeTag::none;
  const SourceType *type = nullptr;
  /// The integer, Boolean, case, divisor, or bits of a float.
  uint64_t number = 0;
  llvm::StringRef text;
  /// The bytes of a constant.
  llvm::ArrayRef<uint8_t> bytes;
  llvm::SmallVector<int64_t> integers;
  std::vector<SourceAttribute> elements;
  std::vector<std::pair<llvm::StringRef, SourceAttribute>> entries;
};

/// A value: an operand refers to it by its address.
struct SourceValue {
  const SourceType *type;
};

struct SourceRegion;

struct SourceOp {
  SourceOp(const OperationFormat *format, mlir::Location loc)
      : format(format), loc(loc) {}

  const OperationFormat *format;
  mlir::Location loc;
  std::vector<SourceValue *> results;
  uint64_t flags = 0;
  /// The values of the format's attributes.
  std::vector<SourceAttribute> attributes;
  /// The values of each operand of the format.
  std::vector<std::vector<SourceValue *>> operands;
  std::vector<SourceRegion> regions;

  llvm::StringRef getName() const { return format->name; }
  bool hasFlag(llvm::StringRef name) const {
    unsigned flag = format->getFlag(name);
    return flag < format->flags.size() && (flags >> flag & 1);
  }
  const SourceAttribute &getAttribute(llvm::StringRef name) const;
  /// Whether an attribute is the signedness of signed integers.
  bool isSigned(llvm::StringRef name = "signedness") const {
    return Signedness(getAttribute(name).number) == Signedness::isSigned;
  }
  llvm::ArrayRef<SourceValue *> getOperands(llvm::StringRef name) const;
  /// Returns null if the optional operand is absent.
  SourceValue *getOperand(llvm::StringRef name) const;
};

struct SourceRegion {
  std::vector<SourceValue *> arguments;
  std::vector<SourceOp> operations;
};

struct SourceFunction {
  llvm::StringRef name;
  const SourceType *type;
  bool isEntry, isPrivate;
  SourceAttribute hints;
  mlir::Location loc;
  SourceRegion body;
};

struct SourceGlobal {
  llvm::StringRef name;
  const SourceType *type;
  llvm::ArrayRef<uint8_t> bytes;
  uint64_t alignment;
};

/// A file's contents. Texts and constants are in the file's bytes.
struct Program {
  /// The minor version; the major one is 13.
  unsigned minor;
  std::vector<SourceFunction> functions;
  std::vector<SourceGlobal> globals;
  std::deque<SourceType> types;
  std::deque<SourceValue> values;
};

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_PROGRAM_H
