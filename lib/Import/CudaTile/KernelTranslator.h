// KernelTranslator.h - the state while a CUDA Tile entry becomes a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile of rank 0 becomes a scalar. Pointers, views and tokens have no value:
// an access names an array and the offsets there, and the order of the program
// is one that tokens allow. Elements of i4, f4E2M1FN and f8E8M0FNU are those of
// i8 with their bits (Codes.h).

#ifndef TILE_LIB_IMPORT_CUDATILE_KERNELTRANSLATOR_H
#define TILE_LIB_IMPORT_CUDATILE_KERNELTRANSLATOR_H

#include "Program.h"

#include "tile/IR/Tile.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace tile::cudatile {

/// The translation of a value. Which members have a meaning depends on its
/// type.
struct Meaning {
  Meaning() = default;
  Meaning(mlir::Value value) : value(value) {}

  /// The value of a numeric tile.
  mlir::Value value;
  /// The origin of a tile of pointers, if they have one: a parameter of the
  /// entry, or the first element of an array without shape.
  const SourceValue *base = nullptr;
  mlir::Value memory;
  /// The offsets from the origin, in elements; null if they are zero.
  mlir::Value offset;
  /// The addresses of pointers without an origin, i64 or a tile of them.
  mlir::Value addresses;
  /// The array that a view is of.
  mlir::Value array;
  const SourceType *view = nullptr;

  bool isPointer() const { return base || memory || addresses; }
};

/// Whether a type is one of tiles of pointers.
bool isPointer(const SourceType *type);

/// The extent of an array without shape whose accesses are known to be inside:
/// no array has as many elements.
constexpr int64_t kUnknownExtent = int64_t(1) << 56;

/// Whether there are tiles of this shape (constraints C1 and C2 of the type).
bool isTile(llvm::ArrayRef<int64_t> shape);

/// Whether arith has no conversion between two types of scalars that every
/// machine computes: from or to floats of 8 bits, or between f16 and bf16.
bool needsTile(mlir::Type from, mlir::Type to);

/// Returns the integer that sign extensions and casts to index make wider.
mlir::Value getNarrow(mlir::Value integer);

class KernelTranslator;

/// The translation of an operation.
struct Handler {
  using Function = mlir::LogicalResult (*)(KernelTranslator &,
                                           const SourceOp &);
  Function function = nullptr;
  /// Whether operands may be something else than numeric tiles: pointers,
  /// views and tokens, which the function verifies then.
  bool takesOthers = false;
  /// Whether results may be something else than numeric tiles and tokens.
  bool givesOthers = false;
  /// Whether elements may be codes (Codes.h), which no arithmetic takes.
  bool takesCodes = false;
};

class KernelTranslator {
public:
  KernelTranslator(mlir::OpBuilder &builder, const Program &program,
                   const SourceFunction &function)
      : b(function.loc, builder), program(program), function(function) {}

  mlir::LogicalResult run();
  mlir::LogicalResult translate(const SourceOp &op);

  /// Emits an error at the operation.
  mlir::LogicalResult refuse(const SourceOp &op, const llvm::Twine &reason) {
    return mlir::emitError(op.loc) << "cannot translate '" << op.getName()
                                   << "' of CUDA Tile: " << reason;
  }

  /// Returns an empty meaning for tokens.
  Meaning get(const SourceValue *value) const { return meanings.lookup(value); }
  mlir::Value getValue(const SourceValue *value) const {
    return get(value).value;
  }
  mlir::Value getValue(const SourceOp &op, llvm::StringRef operand) const {
    return getValue(op.getOperand(operand));
  }
  void set(const SourceValue *value, Meaning meaning) {
    meanings[value] = meaning;
  }
  void setResult(const SourceOp &op, mlir::Value value) {
    set(op.results.front(), value);
  }

  /// Returns the type of a numeric tile: a scalar if its rank is 0. Null if
  /// there is none here.
  mlir::Type convert(const SourceType *type);
  mlir::Type convertElement(const SourceType *type);
  /// Returns a scalar as a tile of this shape, and a tile as it is.
  mlir::Value toTile(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value broadcast(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value zero(mlir::Type type);
  /// Returns a scalar or a tile with one value.
  mlir::Value constant(mlir::Type type, mlir::TypedAttr element);
  mlir::Value integer(mlir::Type type, int64_t element);
  mlir::Value real(mlir::Type type, double element);
  /// Returns a scalar, or a tile whose elements are converted by tile.cast. A
  /// scalar must be one of those that arith converts (needsTile).
  mlir::Value castElements(mlir::Value value, mlir::Type element,
                           bool isUnsigned = false, bool isBitcast = false);
  mlir::Value select(mlir::Value condition, mlir::Value onTrue,
                     mlir::Value onFalse);
  mlir::Value toIndex(mlir::Value integer);
  mlir::Value fromIndex(mlir::Value index, mlir::Type type);
  /// Returns the offset of a tile, along a dimension of this extent, that an
  /// index counts. Null if the index has no value.
  mlir::Value scale(const SourceValue *index, int64_t extent);

  /// Returns the position of a parameter of the entry.
  unsigned getParameter(const SourceValue *base) const;
  /// Returns the parameter that an integer is, apart from its type; nothing if
  /// it is computed.
  std::optional<unsigned> findParameter(mlir::Value integer) const;
  /// Notes that a parameter is an extent or a stride of the array at a
  /// parameter before it.
  void addSize(unsigned parameter) { sizes.insert(parameter); }
  /// Returns the kernel's argument for an array at a parameter of the entry.
  mlir::Value getArray(const SourceValue *base, mlir::MemRefType type);
  /// The address at which an array over all of memory starts: nothing is
  /// allocated before it, and it is aligned for all elements.
  static constexpr int64_t kMemoryStart = 256;
  /// Returns an array of such elements over all of memory.
  mlir::Value getAllMemory(mlir::Type element);
  /// Returns the global of a name; null if there is none.
  const SourceGlobal *findGlobal(llvm::StringRef name) const;
  /// Returns the kernel's argument for a global.
  mlir::Value getGlobal(const SourceGlobal &global);
  /// Returns the kernel's argument for an allocation by the operation that
  /// gives `pointer`.
  mlir::Value getAllocation(const SourceValue *pointer, mlir::Type element);

  mlir::ImplicitLocOpBuilder b;

private:
  mlir::LogicalResult addParameters();
  mlir::LogicalResult verifyTypes(const SourceOp &op, const Handler &handler);
  mlir::Value insertArgument(unsigned parameter, mlir::Type type,
                             llvm::StringRef name);
  mlir::Value getStorage(const void *key, mlir::MemRefType type,
                         llvm::StringRef name);
  void eraseUnusedArguments();

  const Program &program;
  const SourceFunction &function;
  KernelOp kernel;
  llvm::DenseMap<const SourceValue *, Meaning> meanings;
  /// Operations so far. Those after a branch that may leave count twice if both
  /// of its regions go on.
  size_t translated = 0;
  /// The parameter of the entry for each argument of the kernel. Storage has
  /// positions after the last parameter.
  llvm::SmallVector<unsigned> parameters;
  /// Parameters that are extents and strides.
  llvm::SmallDenseSet<unsigned> sizes;
  llvm::DenseMap<std::pair<const SourceValue *, mlir::Type>, mlir::Value>
      arrays;
  llvm::DenseMap<mlir::Type, mlir::Value> memories;
  /// The arguments for globals and allocations.
  llvm::DenseMap<const void *, mlir::Value> storage;
  unsigned allocations = 0;
};

/// Records the optimization hints of an entry, which have no effect, for the
/// report.
void recordHints(KernelOp kernel, const SourceFunction &function);

using Handlers = llvm::StringMap<Handler>;

/// Returns the values that a sequence of operations gives at its end. There
/// they are those of its terminator.
using Ending =
    llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
        const SourceOp &)>;

/// Translates operations and returns what the last one gives, which has these
/// types.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
translateSequence(KernelTranslator &t, llvm::ArrayRef<SourceOp> ops,
                  mlir::TypeRange types, Ending ending);

/// Returns the translations of all operations that have one, by name.
const Handlers &getHandlers();

/// Each adds the operations of one file.
void addArithmetic(Handlers &handlers);
void addShapes(Handlers &handlers);
void addMatmuls(Handlers &handlers);
void addBytes(Handlers &handlers);
void addViews(Handlers &handlers);
void addMemory(Handlers &handlers);
void addPointers(Handlers &handlers);
void addStorage(Handlers &handlers);
void addAtomics(Handlers &handlers);
void addControl(Handlers &handlers);
void addCombinations(Handlers &handlers);
void addDebugging(Handlers &handlers);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_KERNELTRANSLATOR_H
