// KernelMetadata.cpp - launch facts of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types, expressions, predicates, and the rules of the schema.
// Reading and writing JSON is in KernelMetadataJson.cpp.

#include "tile/Runtime/KernelMetadata.h"

#include "VerifyMetadata.h"

#include <algorithm>
#include <limits>

using namespace tile::runtime;

/// Maximum number of threads of a block on every architecture (CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability").
static constexpr int64_t kMaxBlockThreads = 1024;
/// Maximum number of blocks of a cluster, including the non-portable sizes of
/// sm_90 and later.
static constexpr int64_t kMaxClusterBlocks = 16;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

namespace {
struct ElementTypeRow {
  ElementType type;
  const char *name;
  int64_t bytes;
};
} // namespace

static constexpr ElementTypeRow kElementTypes[] = {
    {ElementType::F64, "f64", 8},
    {ElementType::F32, "f32", 4},
    {ElementType::F16, "f16", 2},
    {ElementType::BF16, "bf16", 2},
    {ElementType::F8E4M3FN, "f8E4M3FN", 1},
    {ElementType::F8E5M2, "f8E5M2", 1},
    {ElementType::I1, "i1", 1},
    {ElementType::I8, "i8", 1},
    {ElementType::I16, "i16", 2},
    {ElementType::I32, "i32", 4},
    {ElementType::I64, "i64", 8},
    {ElementType::Index, "index", 8},
    {ElementType::ComplexF32, "complex<f32>", 8},
    {ElementType::ComplexF64, "complex<f64>", 16},
};

static const ElementTypeRow &getRow(ElementType type) {
  return kElementTypes[static_cast<size_t>(type)];
}

const char *tile::runtime::getElementTypeName(ElementType type) {
  return getRow(type).name;
}

std::optional<ElementType>
tile::runtime::parseElementType(std::string_view name) {
  for (const ElementTypeRow &row : kElementTypes)
    if (name == row.name)
      return row.type;
  return std::nullopt;
}

int64_t tile::runtime::getByteSize(ElementType type) {
  return getRow(type).bytes;
}

bool tile::runtime::isIntegerType(ElementType type) {
  switch (type) {
  case ElementType::I1:
  case ElementType::I8:
  case ElementType::I16:
  case ElementType::I32:
  case ElementType::I64:
  case ElementType::Index:
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Expression Expression::constant(int64_t value) {
  Expression expression;
  expression.value = value;
  return expression;
}

Expression Expression::size(int64_t argument, int64_t dimension) {
  Expression expression;
  expression.kind = Kind::Size;
  expression.argument = argument;
  expression.dimension = dimension;
  return expression;
}

Expression Expression::stride(int64_t argument, int64_t dimension) {
  Expression expression = size(argument, dimension);
  expression.kind = Kind::Stride;
  return expression;
}

Expression Expression::scalar(int64_t argument) {
  Expression expression;
  expression.kind = Kind::Scalar;
  expression.argument = argument;
  return expression;
}

Expression Expression::binary(Kind kind, Expression lhs, Expression rhs) {
  Expression expression;
  expression.kind = kind;
  expression.operands.push_back(std::move(lhs));
  expression.operands.push_back(std::move(rhs));
  return expression;
}

bool Expression::operator==(const Expression &other) const {
  return kind == other.kind && value == other.value &&
         argument == other.argument && dimension == other.dimension &&
         operands == other.operands;
}

/// Returns lhs / rhs rounded towards minus infinity.
/// @pre rhs is not 0, and the quotient fits.
static int64_t floorDivide(int64_t lhs, int64_t rhs) {
  int64_t quotient = lhs / rhs;
  return lhs % rhs != 0 && (lhs < 0) != (rhs < 0) ? quotient - 1 : quotient;
}

/// Returns lhs / rhs rounded towards plus infinity.
/// @pre rhs is not 0, and the quotient fits.
static int64_t ceilDivide(int64_t lhs, int64_t rhs) {
  int64_t quotient = lhs / rhs;
  return lhs % rhs != 0 && (lhs < 0) == (rhs < 0) ? quotient + 1 : quotient;
}

static Result<int64_t> evaluateDivision(const Expression &expression,
                                        int64_t lhs, int64_t rhs) {
  if (rhs == 0)
    return inputError("division by zero in ", toString(expression));
  if (lhs == std::numeric_limits<int64_t>::min() && rhs == -1) {
    if (expression.kind == Expression::Kind::Modulo)
      return 0;
    return inputError("overflow of 64 bits in ", toString(expression));
  }
  if (expression.kind == Expression::Kind::CeilDivide)
    return ceilDivide(lhs, rhs);
  int64_t quotient = floorDivide(lhs, rhs);
  if (expression.kind == Expression::Kind::FloorDivide)
    return quotient;
  return lhs - quotient * rhs;
}

static Result<int64_t> evaluateBinary(const Expression &expression, int64_t lhs,
                                      int64_t rhs) {
  int64_t value = 0;
  bool overflows = false;
  switch (expression.kind) {
  case Expression::Kind::Add:
    overflows = __builtin_add_overflow(lhs, rhs, &value);
    break;
  case Expression::Kind::Subtract:
    overflows = __builtin_sub_overflow(lhs, rhs, &value);
    break;
  case Expression::Kind::Multiply:
    overflows = __builtin_mul_overflow(lhs, rhs, &value);
    break;
  case Expression::Kind::Minimum:
    return std::min(lhs, rhs);
  case Expression::Kind::Maximum:
    return std::max(lhs, rhs);
  case Expression::Kind::Equal:
    return lhs == rhs;
  case Expression::Kind::Less:
    return lhs < rhs;
  case Expression::Kind::AtMost:
    return lhs <= rhs;
  default:
    return evaluateDivision(expression, lhs, rhs);
  }
  if (overflows)
    return inputError("overflow of 64 bits in ", toString(expression));
  return value;
}

Result<int64_t>
tile::runtime::evaluate(const Expression &expression,
                        const std::vector<ArgumentFacts> &arguments) {
  using Kind = Expression::Kind;
  Kind kind = expression.kind;
  if (kind == Kind::Constant)
    return expression.value;

  if (kind == Kind::Size || kind == Kind::Stride || kind == Kind::Scalar) {
    auto position = static_cast<size_t>(expression.argument);
    if (position >= arguments.size())
      return inputError("expected an argument below ", arguments.size(), " in ",
                        toString(expression));
    const ArgumentFacts &facts = arguments[position];
    if (kind == Kind::Scalar)
      return facts.integer;
    const auto &values = kind == Kind::Size ? facts.sizes : facts.strides;
    auto dimension = static_cast<size_t>(expression.dimension);
    if (dimension >= values.size())
      return inputError("expected a dimension below ", values.size(), " in ",
                        toString(expression));
    return values[dimension];
  }

  if (expression.operands.size() != 2)
    return inputError("expected two operands, found ",
                      expression.operands.size());
  Result<int64_t> lhs = evaluate(expression.operands[0], arguments);
  if (!lhs)
    return lhs;
  Result<int64_t> rhs = evaluate(expression.operands[1], arguments);
  if (!rhs)
    return rhs;
  return evaluateBinary(expression, *lhs, *rhs);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

const char *tile::runtime::getAccessName(Access access) {
  switch (access) {
  case Access::Read:
    return "read";
  case Access::Write:
    return "write";
  case Access::ReadWrite:
    break;
  }
  return "readwrite";
}

const char *tile::runtime::getPredicateName(Predicate::What what) {
  switch (what) {
  case Predicate::What::Pointer:
    return "pointer";
  case Predicate::What::Stride:
    return "stride";
  case Predicate::What::Size:
    return "size";
  case Predicate::What::Scalar:
    break;
  }
  return "scalar";
}

bool tile::runtime::holds(const Predicate &predicate,
                          const std::vector<ArgumentFacts> &arguments) {
  const ArgumentFacts &facts = arguments[predicate.argument];
  switch (predicate.what) {
  case Predicate::What::Pointer:
    return facts.address % static_cast<uint64_t>(predicate.multipleOf) == 0;
  case Predicate::What::Stride:
    return facts.strides[predicate.dimension] % predicate.multipleOf == 0;
  case Predicate::What::Size:
    return facts.sizes[predicate.dimension] % predicate.multipleOf == 0;
  case Predicate::What::Scalar:
    break;
  }
  return facts.integer % predicate.multipleOf == 0;
}

bool Argument::operator==(const Argument &other) const {
  return name == other.name && kind == other.kind && type == other.type &&
         access == other.access && shape == other.shape &&
         strides == other.strides;
}

bool Predicate::operator==(const Predicate &other) const {
  return argument == other.argument && what == other.what &&
         dimension == other.dimension && multipleOf == other.multipleOf;
}

bool EntryPoint::operator==(const EntryPoint &other) const {
  return symbol == other.symbol && predicates == other.predicates &&
         registers == other.registers &&
         spillStoreBytes == other.spillStoreBytes &&
         spillLoadBytes == other.spillLoadBytes &&
         stackBytes == other.stackBytes && block == other.block &&
         sharedBytes == other.sharedBytes;
}

const std::array<int64_t, 3> &
tile::runtime::getBlock(const KernelMetadata &kernel, size_t entry) {
  bool isOwn = entry < kernel.entries.size() && kernel.entries[entry].block;
  return isOwn ? *kernel.entries[entry].block : kernel.block;
}

int64_t tile::runtime::getSharedBytes(const KernelMetadata &kernel,
                                      size_t entry) {
  if (entry >= kernel.entries.size())
    return kernel.sharedBytes;
  return kernel.entries[entry].sharedBytes.value_or(kernel.sharedBytes);
}

bool HiddenArgument::operator==(const HiddenArgument &other) const {
  return kind == other.kind && bytes == other.bytes && zero == other.zero;
}

bool KernelMetadata::operator==(const KernelMetadata &other) const {
  return name == other.name && arch == other.arch && binary == other.binary &&
         block == other.block && cluster == other.cluster &&
         threads == other.threads && grid == other.grid &&
         sharedBytes == other.sharedBytes &&
         waitsForLaunches == other.waitsForLaunches &&
         arguments == other.arguments && entries == other.entries &&
         hiddenArguments == other.hiddenArguments;
}

bool ModuleMetadata::operator==(const ModuleMetadata &other) const {
  return kernels == other.kernels && functions == other.functions;
}

//===----------------------------------------------------------------------===//
// Rules of the schema
//===----------------------------------------------------------------------===//

/// Checks that argument `position` is an array that has dimension `dimension`,
/// if this is given.
static Status verifyArrayReference(const std::vector<Argument> &arguments,
                                   int64_t position,
                                   std::optional<int64_t> dimension) {
  auto numArguments = static_cast<int64_t>(arguments.size());
  if (position < 0 || position >= numArguments)
    return inputError("expected an argument below ", numArguments, ", found ",
                      position);
  const Argument &argument = arguments[position];
  if (argument.kind != Argument::Kind::Array)
    return inputError("expected argument ", position,
                      " to be an array, found a scalar");
  auto rank = static_cast<int64_t>(argument.shape.size());
  if (dimension && (*dimension < 0 || *dimension >= rank))
    return inputError("expected a dimension below ", rank, " of argument ",
                      position, ", found ", *dimension);
  return success();
}

static Status verifyScalarReference(const std::vector<Argument> &arguments,
                                    int64_t position) {
  auto numArguments = static_cast<int64_t>(arguments.size());
  if (position < 0 || position >= numArguments)
    return inputError("expected an argument below ", numArguments, ", found ",
                      position);
  const Argument &argument = arguments[position];
  if (argument.kind != Argument::Kind::Scalar || !isIntegerType(argument.type))
    return inputError("expected argument ", position,
                      " to be an integer scalar, found ",
                      argument.kind == Argument::Kind::Array ? "an array of "
                                                             : "a scalar of ",
                      getElementTypeName(argument.type));
  return success();
}

Status tile::runtime::verifyExpression(const std::vector<Argument> &arguments,
                                       const Expression &expression) {
  using Kind = Expression::Kind;
  switch (expression.kind) {
  case Kind::Constant:
    return success();
  case Kind::Size:
  case Kind::Stride:
    return verifyArrayReference(arguments, expression.argument,
                                expression.dimension);
  case Kind::Scalar:
    return verifyScalarReference(arguments, expression.argument);
  default:
    break;
  }
  if (expression.operands.size() != 2)
    return inputError("expected two operands, found ",
                      expression.operands.size());
  for (const Expression &operand : expression.operands)
    if (Status status = verifyExpression(arguments, operand); !status)
      return status;
  return success();
}

static Status verifyPredicate(const KernelMetadata &kernel,
                              const Predicate &predicate) {
  if (predicate.multipleOf < 1)
    return inputError("expected 'multipleOf' of at least 1, found ",
                      predicate.multipleOf);
  switch (predicate.what) {
  case Predicate::What::Pointer:
    return verifyArrayReference(kernel.arguments, predicate.argument,
                                std::nullopt);
  case Predicate::What::Stride:
  case Predicate::What::Size:
    return verifyArrayReference(kernel.arguments, predicate.argument,
                                predicate.dimension);
  case Predicate::What::Scalar:
    break;
  }
  return verifyScalarReference(kernel.arguments, predicate.argument);
}

Status tile::runtime::verifyArgument(const Argument &argument) {
  if (argument.name.empty())
    return inputError("expected a 'name' that is not empty");
  if (argument.kind == Argument::Kind::Scalar) {
    if (argument.access != Access::Read)
      return inputError("expected access 'read' of a scalar, found '",
                        getAccessName(argument.access), "'");
    return success();
  }
  if (argument.strides.size() != argument.shape.size())
    return inputError("expected 'strides' of rank ", argument.shape.size(),
                      ", found ", argument.strides.size(), " entries");
  for (const StaticOrRunTime &size : argument.shape)
    if (size && *size < 0)
      return inputError("expected sizes of at least 0, found ", *size);
  return success();
}

/// Checks that three extents are at least 1 and that their product is at most
/// `limit`.
static Status verifyExtents(const char *key,
                            const std::array<int64_t, 3> &extents,
                            int64_t limit) {
  int64_t product = 1;
  for (int64_t extent : extents) {
    if (extent < 1 || extent > limit)
      return inputError("expected '", key, "' sizes from 1 to ", limit,
                        ", found ", extent);
    product *= extent;
  }
  if (product > limit)
    return inputError("expected '", key, "' sizes with a product of at most ",
                      limit, ", found ", product);
  return success();
}

/// Checks that `threads`, if the kernel specifies it, is less than the size of
/// its block.
static Status verifyThreads(const KernelMetadata &kernel) {
  int64_t most = kernel.block[0] * kernel.block[1] * kernel.block[2] - 1;
  if (!kernel.threads || (*kernel.threads >= 1 && *kernel.threads <= most))
    return success();
  return inputError("expected 'threads' from 1 to ", most,
                    " (fewer than the block's), found ", *kernel.threads);
}

static Status verifyEntries(const KernelMetadata &kernel) {
  if (kernel.entries.empty() && kernel.arch != "cpu")
    return inputError("expected 'entries' of at least 1 entry point, found 0");
  for (size_t i = 0; i < kernel.entries.size(); ++i) {
    const EntryPoint &entry = kernel.entries[i];
    if (entry.symbol.empty())
      return inputError("entry ", i, ": expected a 'symbol' that is not empty");
    if (Status status =
            verifyExtents("block", getBlock(kernel, i), kMaxBlockThreads);
        !status)
      return inputError("entry ", i, ": ", status.error().message);
    if (getSharedBytes(kernel, i) < 0)
      return inputError("entry ", i,
                        ": expected 'sharedBytes' of at least 0, found ",
                        getSharedBytes(kernel, i));
    for (size_t j = 0; j < entry.predicates.size(); ++j)
      if (Status status = verifyPredicate(kernel, entry.predicates[j]); !status)
        return inputError("entry ", i, ": predicate ", j, ": ",
                          status.error().message);
  }
  return success();
}

static Status verifyKernel(const KernelMetadata &kernel) {
  if (kernel.name.empty())
    return inputError("expected a 'name' that is not empty");
  if (kernel.arch != "cpu" && kernel.arch.rfind("sm_", 0) != 0)
    return inputError("expected 'arch' to be cpu or sm_NN, found '",
                      kernel.arch, "'");
  if (kernel.binary.find('/') != std::string::npos)
    return inputError("expected 'binary' to be a file name without a folder, "
                      "found '",
                      kernel.binary, "'");
  if (Status status = verifyExtents("block", kernel.block, kMaxBlockThreads);
      !status)
    return status;
  if (Status status = verifyThreads(kernel); !status)
    return status;
  if (Status status =
          verifyExtents("cluster", kernel.cluster, kMaxClusterBlocks);
      !status)
    return status;
  if (kernel.sharedBytes < 0)
    return inputError("expected 'sharedBytes' of at least 0, found ",
                      kernel.sharedBytes);
  for (size_t i = 0; i < kernel.arguments.size(); ++i)
    if (Status status = verifyArgument(kernel.arguments[i]); !status)
      return inputError("argument ", i, ": ", status.error().message);
  if (kernel.grid)
    for (int axis = 0; axis < 3; ++axis)
      if (Status status =
              verifyExpression(kernel.arguments, (*kernel.grid)[axis]);
          !status)
        return inputError("grid ", "xyz"[axis], ": ", status.error().message);
  if (Status status = verifyEntries(kernel); !status)
    return status;
  for (size_t i = 0; i < kernel.hiddenArguments.size(); ++i)
    if (Status status =
            verifyExpression(kernel.arguments, kernel.hiddenArguments[i].bytes);
        !status)
      return inputError("hidden argument ", i, ": ", status.error().message);
  return success();
}

Status tile::runtime::verify(const KernelMetadata &kernel) {
  Status status = verifyKernel(kernel);
  if (!status)
    return inputError("kernel '", kernel.name, "': ", status.error().message);
  return status;
}

Result<const KernelMetadata *>
tile::runtime::findKernel(const ModuleMetadata &module, std::string_view name,
                          std::string_view fileName) {
  std::string known;
  for (const KernelMetadata &kernel : module.kernels) {
    if (kernel.name == name)
      return &kernel;
    known += concat(known.empty() ? "'" : ", '", kernel.name, "'");
  }
  for (const HostFunction &function : module.functions)
    known += concat(known.empty() ? "'" : ", '", function.name, "'");
  return inputError(fileName, ": expected the name of a kernel (",
                    known.empty() ? "there are none" : known, "), found '",
                    name, "'");
}
