// KernelMetadata.h - launch facts of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler writes this description next to each binary, as JSON; the
// runtime reads it and launches by it. It is all that the two have in common,
// and it does not depend on MLIR or LLVM.
//
// A file holds one object:
//
//   { "schema": 1, "kernels": [ KERNEL, ... ] }
//
// and a kernel looks like this (every key is written with four exceptions:
// `threads` is there only if `block` has more threads; `waitsForLaunches` is
// there only if it is true; `block` and
// `sharedBytes` of an entry point are there if they are not the kernel's;
// `binary` and the four counts of an entry point may be null or absent):
//
//   {
//     "name": "gemm",
//     "arch": "sm_90a",
//     "binary": "gemm.cubin",
//     "block": [128, 1, 1],
//     "threads": 100,
//     "cluster": [1, 1, 1],
//     "grid": [["ceildiv", ["size", 0, 0], 128], ["size", 1, 1], 1],
//     "sharedBytes": 49152,
//     "waitsForLaunches": true,
//     "arguments": [
//       {"name": "a", "kind": "array", "type": "f16", "access": "read",
//        "shape": [null, 64], "strides": [64, 1]},
//       {"name": "alpha", "kind": "scalar", "type": "f32", "access": "read"}
//     ],
//     "entries": [
//       {"symbol": "gemm_promised",
//        "requires": [{"argument": 0, "what": "pointer", "multipleOf": 16}],
//        "registers": 96, "spillStoreBytes": 0, "spillLoadBytes": 0,
//        "stackBytes": 0},
//       {"symbol": "gemm", "requires": [], "registers": 88, ...}
//     ],
//     "hiddenArguments": [
//       {"kind": "workspace", "bytes": ["*", ["size", 0, 0], 4], "zero": true}
//     ],
//     "tmaDescriptors": []
//   }
//
// Functions of the host that launch kernels are in a second list, "functions",
// which is written only if there are some:
//
//   {
//     "name": "main",
//     "arguments": [ as of a kernel ],
//     "temporaries": [ {"type": "f32", "shape": [["size", 0, 0], 64]},
//                      {"type": "f16", "shape": [2], "content": "003c0040"} ],
//     "launches": [
//       {"kernel": "gemm",
//        "grid": [["ceildiv", ["size", 0, 0], 128], 1, 1],
//        "arguments": [
//          {"array": "argument", "index": 0, "offset": 0,
//           "shape": [["size", 0, 0], 64], "strides": [64, 1]},
//          {"array": "temporary", "index": 0, ...},
//          {"scalar": "argument", "index": 1},
//          {"scalar": "integer", "value": ["size", 0, 0]},
//          {"scalar": "constant", "text": "0x1p-1"}
//        ]}
//     ],
//     "requires": [
//       {"holds": ["==", ["size", 2, 0], ["size", 0, 0]], "text": "one size"}
//     ]
//   }
//
// `grid` may be absent if it is the kernel's. `requires` may be absent, too: it
// has the expressions that must not be zero for a call, each with a text for
// the error if it is zero. A temporary with `content`, its bytes in
// hexadecimal, little-endian, is a constant: no launch writes it. Offsets and
// strides are in elements, from element (0, ..., 0) of the argument or the
// temporary, and all expressions are over the arguments of the function.
//
// `null` in a shape or in strides is a value that is known only at run time. A
// reader refuses keys that it does not know, so an added key changes the
// schema. The exception is a key that is written only for kernels which need
// it: an older reader reads all other kernels correctly.
//
// Order of the parameters of a compiled kernel, the ABI: for each argument in
// order, an array gives its aligned pointer (any offset folded in by the
// caller), then its run-time sizes, then its run-time strides, each an i64; a
// scalar is passed by value in its own size (index as i64, i1 as one byte).
// Then come the hidden arguments in order: a workspace is one pointer.
// Static sizes and strides are not passed. A pointer is aligned at least to the
// byte size of its element type, whatever the predicates require.

#ifndef TILE_RUNTIME_KERNELMETADATA_H
#define TILE_RUNTIME_KERNELMETADATA_H

#include "tile/Runtime/Result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tile::runtime {

/// The schema version that this code writes and the only one it reads.
inline constexpr int64_t kMetadataSchema = 1;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// The element types of arrays and the types of scalars.
enum class ElementType {
  F64,
  F32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2,
  I1,
  I8,
  I16,
  I32,
  I64,
  Index,
  ComplexF32,
  ComplexF64,
};

/// The name MLIR prints: "f8E4M3FN", "index", "complex<f32>".
const char *getElementTypeName(ElementType type);

/// The type that MLIR prints as `name`, or nothing.
std::optional<ElementType> parseElementType(std::string_view name);

/// Bytes of one element in memory and of a scalar parameter: 1 for i1, 8 for
/// index, 16 for complex<f64>.
int64_t getByteSize(ElementType type);

/// True for i1, i8 to i64 and index.
bool isIntegerType(ElementType type);

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Facts of one argument of a launch that expressions and predicates query.
struct ArgumentFacts {
  /// Address of an array.
  uint64_t address = 0;
  /// Sizes and strides (in elements) of an array, static ones as well.
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  /// Value of an integer scalar, sign-extended (i1: 0 or 1).
  int64_t integer = 0;
};

/// An integer expression over the arguments of a launch. In JSON it is an
/// integer or a prefix list: ["size", argument, dimension], ["stride",
/// argument, dimension], ["arg", argument] (an integer scalar), or one of "+",
/// "-", "*", "floordiv", "ceildiv", "mod", "min", "max" with two expressions,
/// or a comparison, "==", "<" or "<=", of two, which is 1 or 0.
///
/// Arithmetic is on 64-bit signed integers; `mod` has the sign of its divisor,
/// so a == floordiv(a, b) * b + mod(a, b).
struct Expression {
  enum class Kind {
    Constant,
    Size,
    Stride,
    Scalar,
    Add,
    Subtract,
    Multiply,
    FloorDivide,
    CeilDivide,
    Modulo,
    Minimum,
    Maximum,
    Equal,
    Less,
    AtMost,
  };

  Kind kind = Kind::Constant;
  /// The value of a Constant.
  int64_t value = 0;
  /// The position of the argument of a Size, a Stride or a Scalar.
  int64_t argument = 0;
  /// The dimension of a Size or a Stride.
  int64_t dimension = 0;
  /// The two operands of the arithmetic kinds, else empty.
  std::vector<Expression> operands;

  static Expression constant(int64_t value);
  static Expression size(int64_t argument, int64_t dimension);
  static Expression stride(int64_t argument, int64_t dimension);
  static Expression scalar(int64_t argument);
  /// `kind` is one of Add to AtMost.
  static Expression binary(Kind kind, Expression lhs, Expression rhs);

  bool operator==(const Expression &other) const;
  bool operator!=(const Expression &other) const { return !(*this == other); }
};

/// The value of `expression`. Overflow of 64 bits, a division by zero, and a
/// reference to an argument or dimension that `arguments` does not have are
/// errors.
Result<int64_t> evaluate(const Expression &expression,
                         const std::vector<ArgumentFacts> &arguments);

/// `expression` in JSON on one line: `["ceildiv", ["size", 0, 0], 128]`.
std::string toString(const Expression &expression);

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Accesses of a kernel to the elements of an array.
enum class Access { Read, Write, ReadWrite };

/// "read", "write" or "readwrite".
const char *getAccessName(Access access);

/// An integer that is static, or nothing if it is known only at run time.
using StaticOrRunTime = std::optional<int64_t>;

/// Argument as the writer of the tile program declared it.
struct Argument {
  enum class Kind { Array, Scalar };

  std::string name;
  Kind kind = Kind::Scalar;
  ElementType type = ElementType::F32;
  /// Always Read for a scalar.
  Access access = Access::Read;
  /// Sizes and strides (in elements) of an array, one of each for every
  /// dimension.
  std::vector<StaticOrRunTime> shape;
  std::vector<StaticOrRunTime> strides;

  bool operator==(const Argument &other) const;
};

/// Assumption of an entry point: a value is a multiple of an integer. The value
/// is the pointer (in bytes), a stride or a size (in elements) of an array, or
/// an integer scalar.
struct Predicate {
  enum class What { Pointer, Stride, Size, Scalar };

  int64_t argument = 0;
  What what = What::Pointer;
  /// Dimension of a Stride or a Size; 0 and not written for the others.
  int64_t dimension = 0;
  /// Divisor of the value, at least 1.
  int64_t multipleOf = 1;

  bool operator==(const Predicate &other) const;
};

/// "pointer", "stride", "size" or "scalar".
const char *getPredicateName(Predicate::What what);

/// True if `predicate` holds for `arguments`, which are arguments of its
/// kernel.
bool holds(const Predicate &predicate,
           const std::vector<ArgumentFacts> &arguments);

/// Compiled body of a kernel, and the counts that ptxas reported for it.
struct EntryPoint {
  /// The name of the function in the binary.
  std::string symbol;
  /// Predicates that must all hold for this entry point to be taken ("requires"
  /// in JSON).
  std::vector<Predicate> predicates;
  std::optional<int64_t> registers;
  std::optional<int64_t> spillStoreBytes;
  std::optional<int64_t> spillLoadBytes;
  std::optional<int64_t> stackBytes;
  /// Threads of a block and dynamic shared memory, if they differ from the
  /// kernel's.
  std::optional<std::array<int64_t, 3>> block;
  std::optional<int64_t> sharedBytes;

  bool operator==(const EntryPoint &other) const;
};

/// A parameter that the launcher provides by itself.
struct HiddenArgument {
  /// Workspace: a pointer to device memory, aligned to 256 bytes, that belongs
  /// only to this launch.
  enum class Kind { Workspace };

  Kind kind = Kind::Workspace;
  Expression bytes;
  /// The memory is filled with zero bytes before each launch.
  bool zero = false;

  bool operator==(const HiddenArgument &other) const;
};

/// Description of one kernel, with everything that a launch needs.
struct KernelMetadata {
  std::string name;
  /// "sm_90a"; "cpu" for a kernel of the CPU path.
  std::string arch;
  /// The file next to the metadata that holds the code; empty if there is none.
  std::string binary;
  /// Threads of a block, as a launch starts them, and blocks of a cluster,
  /// along x, y, z. An entry point may have another block (getBlock).
  std::array<int64_t, 3> block = {1, 1, 1};
  std::array<int64_t, 3> cluster = {1, 1, 1};
  /// Number of threads that the program requests, if `block` has more: a launch
  /// starts whole warps, of which the last threads have no work of their own.
  std::optional<int64_t> threads;
  /// The launch grid, or nothing if the caller must give one.
  std::optional<std::array<Expression, 3>> grid;
  /// Dynamic shared memory of a block.
  int64_t sharedBytes = 0;
  /// Whether the kernel itself waits for the kernels launched before it, so
  /// that it may be launched while they run (griddepcontrol.wait of the PTX
  /// ISA).
  bool waitsForLaunches = false;
  std::vector<Argument> arguments;
  /// The entry points: the launcher takes the first whose predicates all hold.
  /// Empty only if the arch is "cpu".
  std::vector<EntryPoint> entries;
  std::vector<HiddenArgument> hiddenArguments;

  bool operator==(const KernelMetadata &other) const;
};

//===----------------------------------------------------------------------===//
// Functions of the host
//===----------------------------------------------------------------------===//

/// An array that lives as long as a call of a function: row-major, and aligned
/// to 256 bytes.
struct Temporary {
  ElementType type = ElementType::F32;
  std::vector<Expression> shape;
  /// The bytes of a constant; empty if the initial content is undefined.
  std::string content = {};

  bool operator==(const Temporary &other) const;
};

/// Argument that a function passes to a kernel.
struct LaunchArgument {
  enum class Kind {
    Array,          ///< a view into argument `index` of the function
    Temporary,      ///< a view into temporary `index`
    Scalar,         ///< the scalar argument `index` of the function
    Integer,        ///< the value of an expression
    ConstantScalar, ///< a literal, as parseScalar reads it (Arguments.h)
  };

  Kind kind = Kind::Array;
  int64_t index = 0;
  // Offset, shape and strides of an array, in elements.
  Expression offset;
  std::vector<Expression> shape;
  std::vector<Expression> strides;
  /// Value of an Integer.
  Expression value;
  /// Text of a ConstantScalar.
  std::string text;

  bool operator==(const LaunchArgument &other) const;
};

/// Launch of a kernel by a function.
struct Launch {
  std::string kernel;
  /// The launch grid; nothing if it is the kernel's.
  std::optional<std::array<Expression, 3>> grid;
  std::vector<LaunchArgument> arguments;

  bool operator==(const Launch &other) const;
};

/// A condition on the arguments of a function.
struct Requirement {
  /// Expression that must not be zero.
  Expression holds;
  /// Text of the error if the requirement does not hold.
  std::string text;

  bool operator==(const Requirement &other) const;
};

/// A function of the host: launches one after another. HostFunction.h states
/// the steps of a call.
struct HostFunction {
  std::string name;
  /// The arguments. The access of an array is that of all launches together,
  /// but an array counts as only written if the first launch that uses it does
  /// not read it.
  std::vector<Argument> arguments;
  std::vector<Temporary> temporaries;
  std::vector<Launch> launches;
  /// Requirements that all hold in a call ("requires" in JSON).
  std::vector<Requirement> requirements;

  bool operator==(const HostFunction &other) const;
};

/// Return the block and the shared memory of the entry point at position
/// `entry`; the kernel's, if the entry point has none of its own.
const std::array<int64_t, 3> &getBlock(const KernelMetadata &kernel,
                                       size_t entry);
int64_t getSharedBytes(const KernelMetadata &kernel, size_t entry);

/// Contents of one metadata file.
struct ModuleMetadata {
  std::vector<KernelMetadata> kernels;
  std::vector<HostFunction> functions;

  bool operator==(const ModuleMetadata &other) const;
};

/// Checks the rules of the schema beyond its form. There are as many strides as
/// sizes; nothing is negative; blocks have 1 to 1024 threads, and 'threads' is
/// fewer than those; expressions and predicates refer to arguments and
/// dimensions that exist; a kernel for the GPU has an entry point. The message
/// starts with "kernel 'NAME': ".
Status verify(const KernelMetadata &kernel);

/// Checks a function, whose kernels are in `module`, in the same way. Also
/// checks that each argument of a kernel gets a value of its kind, type and
/// rank. The message starts with "function 'NAME': ".
Status verify(const HostFunction &function, const ModuleMetadata &module);

/// The kernels as pretty-printed JSON: two blanks of indent, keys in the order
/// of the file's head, a newline at the end, equal text for equal input.
std::string toJson(const ModuleMetadata &module);

/// Reads what `toJson` writes, and verifies it. `fileName` is for messages
/// only: "FILE:LINE:COLUMN: ..." if the text is no JSON, else "FILE: kernel
/// 'gemm': argument 1: expected 'strides' of rank 2, found 3 entries".
Result<ModuleMetadata> fromJson(std::string_view text,
                                std::string_view fileName);

/// The function of the host called `name`, or null.
const HostFunction *findFunction(const ModuleMetadata &module,
                                 std::string_view name);

/// The kernel called `name`, the first in file order if several architectures
/// have it. If there is none, the message lists the kernels of the module.
Result<const KernelMetadata *> findKernel(const ModuleMetadata &module,
                                          std::string_view name,
                                          std::string_view fileName);

} // namespace tile::runtime

#endif // TILE_RUNTIME_KERNELMETADATA_H
