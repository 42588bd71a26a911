// HostFunction.cpp - functions of the host that launch kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/HostFunction.h"

#include "VerifyMetadata.h"

#include "tile/Runtime/Npy.h"

#include <algorithm>
#include <cstring>

using namespace tile::runtime;

bool Temporary::operator==(const Temporary &other) const {
  return type == other.type && shape == other.shape && content == other.content;
}

bool LaunchArgument::operator==(const LaunchArgument &other) const {
  return kind == other.kind && index == other.index && offset == other.offset &&
         shape == other.shape && strides == other.strides &&
         value == other.value && text == other.text;
}

bool Launch::operator==(const Launch &other) const {
  return kernel == other.kernel && grid == other.grid &&
         arguments == other.arguments;
}

bool HostFunction::operator==(const HostFunction &other) const {
  return name == other.name && arguments == other.arguments &&
         temporaries == other.temporaries && launches == other.launches &&
         requirements == other.requirements;
}

bool Requirement::operator==(const Requirement &other) const {
  return holds == other.holds && text == other.text;
}

const HostFunction *tile::runtime::findFunction(const ModuleMetadata &module,
                                                std::string_view name) {
  for (const HostFunction &function : module.functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Rules of the schema
//===----------------------------------------------------------------------===//

static const KernelMetadata *findKernelNamed(const ModuleMetadata &module,
                                             const std::string &name) {
  for (const KernelMetadata &kernel : module.kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

static Status verifyExpressions(const HostFunction &function,
                                const std::vector<Expression> &expressions) {
  for (const Expression &expression : expressions)
    if (Status status = verifyExpression(function.arguments, expression);
        !status)
      return status;
  return success();
}

static Status verifyIndex(const char *what, int64_t index, size_t count) {
  if (index >= 0 && static_cast<size_t>(index) < count)
    return success();
  return inputError("expected 'index' of one of ", count, " ", what, ", found ",
                    index);
}

/// Checks that a view of elements of `type` fits the argument `expected` of a
/// kernel, and that its expressions are valid.
static Status verifyView(const HostFunction &function,
                         const LaunchArgument &view, ElementType type,
                         const Argument &expected) {
  if (expected.kind != Argument::Kind::Array || expected.type != type)
    return inputError("expected ",
                      expected.kind == Argument::Kind::Array ? "an array"
                                                             : "a scalar",
                      " of ", getElementTypeName(expected.type),
                      ", found an array of ", getElementTypeName(type));
  if (view.shape.size() != expected.shape.size() ||
      view.strides.size() != expected.shape.size())
    return inputError("expected 'shape' and 'strides' of rank ",
                      expected.shape.size(), ", found ", view.shape.size(),
                      " and ", view.strides.size(), " entries");
  if (Status status = verifyExpression(function.arguments, view.offset);
      !status)
    return status;
  if (Status status = verifyExpressions(function, view.shape); !status)
    return status;
  return verifyExpressions(function, view.strides);
}

/// Checks that the argument `expected` of a kernel is a scalar, of type `type`
/// if this is given.
static Status verifyScalar(const Argument &expected,
                           std::optional<ElementType> type) {
  if (expected.kind == Argument::Kind::Scalar &&
      (!type || *type == expected.type))
    return success();
  return inputError(
      "expected ",
      expected.kind == Argument::Kind::Array ? "an array" : "a scalar", " of ",
      getElementTypeName(expected.type), ", found a scalar",
      type ? concat(" of ", getElementTypeName(*type)) : "");
}

static Status verifyLaunchArgument(const HostFunction &function,
                                   const LaunchArgument &argument,
                                   const Argument &expected) {
  using Kind = LaunchArgument::Kind;
  switch (argument.kind) {
  case Kind::Array:
  case Kind::Scalar: {
    if (Status status =
            verifyIndex("arguments", argument.index, function.arguments.size());
        !status)
      return status;
    const Argument &given = function.arguments[argument.index];
    bool isArray = argument.kind == Kind::Array;
    if (isArray != (given.kind == Argument::Kind::Array))
      return inputError(
          "expected argument ", argument.index, " of the function to be ",
          isArray ? "an array, found a scalar" : "a scalar, found an array");
    return isArray ? verifyView(function, argument, given.type, expected)
                   : verifyScalar(expected, given.type);
  }
  case Kind::Temporary:
    if (Status status = verifyIndex("temporaries", argument.index,
                                    function.temporaries.size());
        !status)
      return status;
    return verifyView(function, argument,
                      function.temporaries[argument.index].type, expected);
  case Kind::Integer:
    if (Status status = verifyExpression(function.arguments, argument.value);
        !status)
      return status;
    if (!isIntegerType(expected.type))
      return verifyScalar(expected, ElementType::Index);
    return verifyScalar(expected, std::nullopt);
  case Kind::ConstantScalar:
    break;
  }
  if (Status status = verifyScalar(expected, std::nullopt); !status)
    return status;
  if (auto value = parseScalar(expected.type, argument.text); !value)
    return value.takeError();
  return success();
}

static Status verifyLaunch(const HostFunction &function, const Launch &launch,
                           const ModuleMetadata &module) {
  const KernelMetadata *kernel = findKernelNamed(module, launch.kernel);
  if (!kernel)
    return inputError("expected one of the kernels, found '", launch.kernel,
                      "'");
  if (!launch.grid && !kernel->grid)
    return inputError("expected a 'grid', as the kernel has none");
  if (launch.grid)
    for (const Expression &extent : *launch.grid)
      if (Status status = verifyExpression(function.arguments, extent); !status)
        return status;
  if (launch.arguments.size() != kernel->arguments.size())
    return inputError("expected ", kernel->arguments.size(),
                      " arguments, found ", launch.arguments.size());
  for (size_t i = 0; i < launch.arguments.size(); ++i)
    if (Status status = verifyLaunchArgument(function, launch.arguments[i],
                                             kernel->arguments[i]);
        !status)
      return inputError("argument ", i, ": ", status.error().message);
  return success();
}

static Status verifyFunction(const HostFunction &function,
                             const ModuleMetadata &module) {
  if (function.name.empty())
    return inputError("expected a 'name' that is not empty");
  if (findKernelNamed(module, function.name))
    return inputError("expected a name that no kernel has");
  for (size_t i = 0; i < function.arguments.size(); ++i)
    if (Status status = verifyArgument(function.arguments[i]); !status)
      return inputError("argument ", i, ": ", status.error().message);
  for (size_t i = 0; i < function.temporaries.size(); ++i)
    if (Status status =
            verifyExpressions(function, function.temporaries[i].shape);
        !status)
      return inputError("temporary ", i, ": ", status.error().message);
  for (size_t i = 0; i < function.requirements.size(); ++i)
    if (Status status = verifyExpression(function.arguments,
                                         function.requirements[i].holds);
        !status)
      return inputError("requirement ", i, ": ", status.error().message);
  for (size_t i = 0; i < function.launches.size(); ++i)
    if (Status status = verifyLaunch(function, function.launches[i], module);
        !status)
      return inputError("launch ", i, " ('", function.launches[i].kernel,
                        "'): ", status.error().message);
  return success();
}

Status tile::runtime::verify(const HostFunction &function,
                             const ModuleMetadata &module) {
  Status status = verifyFunction(function, module);
  if (!status)
    return inputError("function '", function.name,
                      "': ", status.error().message);
  return status;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static Result<std::vector<int64_t>>
evaluateAll(const std::vector<Expression> &expressions,
            const std::vector<ArgumentFacts> &facts) {
  std::vector<int64_t> values;
  for (const Expression &expression : expressions) {
    Result<int64_t> value = evaluate(expression, facts);
    if (!value)
      return value.takeError();
    values.push_back(*value);
  }
  return values;
}

/// Returns an expression in words, such as "size 0 of argument 1 + 2".
static std::string describe(const Expression &expression) {
  using Kind = Expression::Kind;
  switch (expression.kind) {
  case Kind::Constant:
    return concat(expression.value);
  case Kind::Size:
    return concat("size ", expression.dimension, " of argument ",
                  expression.argument);
  case Kind::Stride:
    return concat("stride ", expression.dimension, " of argument ",
                  expression.argument);
  case Kind::Scalar:
    return concat("argument ", expression.argument);
  default:
    break;
  }
  const char *name = getOperatorName(expression.kind);
  std::string lhs = describe(expression.operands[0]);
  std::string rhs = describe(expression.operands[1]);
  bool isCall =
      expression.kind == Kind::Minimum || expression.kind == Kind::Maximum;
  return isCall ? concat(name, "(", lhs, ", ", rhs, ")")
                : concat("(", lhs, " ", name, " ", rhs, ")");
}

/// Whether an error about a comparison is reported as an error of `side`. This
/// is the side that is the size of an array, since the caller chose the size;
/// if both sides are sizes, it is the size of the later argument.
static bool isBlamed(const Expression &side, const Expression &other) {
  using Kind = Expression::Kind;
  return side.kind == Kind::Size &&
         (other.kind != Kind::Size || side.argument > other.argument);
}

/// Returns an error such as "argument 1 ('b'): expected size 9 along dimension
/// 0 (size 0 of argument 0), found 5".
static std::string describeSize(const HostFunction &function,
                                const Expression &size, int64_t found,
                                const char *expectation,
                                const Expression &other, int64_t expected) {
  bool isConstant = other.kind == Expression::Kind::Constant;
  return concat("argument ", size.argument, " ('",
                function.arguments[size.argument].name, "'): expected size ",
                expectation, expected, " along dimension ", size.dimension,
                isConstant ? "" : concat(" (", describe(other), ")"),
                ", found ", found);
}

/// Describes the expectation of a comparison, and the actual values.
static std::string describeFailure(const HostFunction &function,
                                   const Expression &comparison, int64_t lhs,
                                   int64_t rhs) {
  using Kind = Expression::Kind;
  const Expression &left = comparison.operands[0];
  const Expression &right = comparison.operands[1];
  bool isEqual = comparison.kind == Kind::Equal;
  if (isEqual && isBlamed(left, right))
    return describeSize(function, left, lhs, "", right, rhs);
  if (isEqual && isBlamed(right, left))
    return describeSize(function, right, rhs, "", left, lhs);
  if (comparison.kind == Kind::AtMost && isBlamed(right, left))
    return describeSize(function, right, rhs, "of at least ", left, lhs);
  const char *relation = isEqual                         ? " to be "
                         : comparison.kind == Kind::Less ? " to be less than "
                                                         : " to be at most ";
  return concat("expected ", describe(left), relation, describe(right),
                ", found ", lhs, " and ", rhs);
}

/// Checks a requirement. The error contains the comparison and the text of the
/// requirement.
static Status checkRequirement(const HostFunction &function,
                               const Requirement &requirement,
                               const std::vector<ArgumentFacts> &facts) {
  using Kind = Expression::Kind;
  const Expression &holds = requirement.holds;
  Result<int64_t> value = evaluate(holds, facts);
  if (!value)
    return value.takeError();
  if (*value != 0)
    return success();
  bool isComparison = holds.kind == Kind::Equal || holds.kind == Kind::Less ||
                      holds.kind == Kind::AtMost;
  if (!isComparison)
    return inputError("expected ", describe(holds), ", found 0 (",
                      requirement.text, ")");
  Result<int64_t> lhs = evaluate(holds.operands[0], facts);
  Result<int64_t> rhs = evaluate(holds.operands[1], facts);
  if (!lhs || !rhs)
    return lhs ? rhs.takeError() : lhs.takeError();
  return inputError(describeFailure(function, holds, *lhs, *rhs), " (",
                    requirement.text, ")");
}

static Result<int64_t>
getTemporaryBytes(const Temporary &temporary,
                  const std::vector<ArgumentFacts> &facts) {
  Result<std::vector<int64_t>> shape = evaluateAll(temporary.shape, facts);
  if (!shape)
    return shape.takeError();
  for (int64_t size : *shape)
    if (size < 0)
      return inputError("expected sizes of at least 0, found ", size);
  std::optional<int64_t> bytes =
      getDenseBytes(*shape, getByteSize(temporary.type));
  if (!bytes)
    return inputError("expected an array of fewer than 2^63 bytes, found "
                      "shape ",
                      shapeToString(*shape));
  if (!temporary.content.empty() &&
      static_cast<int64_t>(temporary.content.size()) != *bytes)
    return inputError("expected a 'content' of ", *bytes, " bytes, found ",
                      temporary.content.size());
  return *bytes;
}

Result<std::vector<int64_t>>
tile::runtime::getTemporaryBytes(const HostFunction &function,
                                 const std::vector<KernelArgument> &arguments) {
  std::string callee = concat("function '", function.name, "'");
  if (Status status = checkArguments(callee, function.arguments, arguments);
      !status)
    return status.takeError();
  std::vector<ArgumentFacts> facts = getFacts(arguments);
  for (const Requirement &requirement : function.requirements)
    if (Status status = checkRequirement(function, requirement, facts); !status)
      return inputError(callee, ": ", status.error().message);
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < function.temporaries.size(); ++i) {
    Result<int64_t> bytes = ::getTemporaryBytes(function.temporaries[i], facts);
    if (!bytes)
      return inputError(callee, ": temporary ", i, ": ", bytes.error().message);
    sizes.push_back(*bytes);
  }
  return sizes;
}

/// Returns the view that `argument` describes, of an array at `address`.
static Result<KernelArgument>
bindView(const LaunchArgument &argument, ElementType type, uint64_t address,
         const std::vector<ArgumentFacts> &facts) {
  ArrayView view;
  view.type = type;
  Result<int64_t> offset = evaluate(argument.offset, facts);
  if (!offset)
    return offset.takeError();
  int64_t offsetBytes;
  if (__builtin_mul_overflow(*offset, getByteSize(type), &offsetBytes))
    return inputError("expected an offset of fewer than 2^63 bytes, found ",
                      *offset, " elements");
  view.address = address + static_cast<uint64_t>(offsetBytes);
  Result<std::vector<int64_t>> sizes = evaluateAll(argument.shape, facts);
  if (!sizes)
    return sizes.takeError();
  Result<std::vector<int64_t>> strides = evaluateAll(argument.strides, facts);
  if (!strides)
    return strides.takeError();
  view.sizes = std::move(*sizes);
  view.strides = std::move(*strides);
  return KernelArgument(std::move(view));
}

static Result<KernelArgument>
bindInteger(const LaunchArgument &argument, ElementType type,
            const std::vector<ArgumentFacts> &facts) {
  Result<int64_t> value = evaluate(argument.value, facts);
  if (!value)
    return value.takeError();
  Result<ScalarValue> scalar = parseScalar(type, std::to_string(*value));
  if (!scalar)
    return scalar.takeError();
  return KernelArgument(*scalar);
}

namespace {
/// A call of a host function.
struct Call {
  const HostFunction &function;
  const std::vector<KernelArgument> &arguments;
  const std::vector<uint64_t> &temporaries;
  std::vector<ArgumentFacts> facts;

  Result<KernelArgument> bind(const LaunchArgument &argument,
                              ElementType type) const;
  Result<BoundLaunch> bind(const Launch &launch,
                           const KernelMetadata &kernel) const;
};
} // namespace

Result<KernelArgument> Call::bind(const LaunchArgument &argument,
                                  ElementType type) const {
  using Kind = LaunchArgument::Kind;
  switch (argument.kind) {
  case Kind::Array:
    return bindView(argument, type, facts[argument.index].address, facts);
  case Kind::Temporary:
    return bindView(argument, type, temporaries[argument.index], facts);
  case Kind::Scalar:
    return arguments[argument.index];
  case Kind::Integer:
    return bindInteger(argument, type, facts);
  case Kind::ConstantScalar:
    break;
  }
  Result<ScalarValue> scalar = parseScalar(type, argument.text);
  if (!scalar)
    return scalar.takeError();
  return KernelArgument(*scalar);
}

Result<BoundLaunch> Call::bind(const Launch &launch,
                               const KernelMetadata &kernel) const {
  BoundLaunch bound;
  bound.kernel = &kernel;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    Result<KernelArgument> argument =
        bind(launch.arguments[i], kernel.arguments[i].type);
    if (!argument)
      return inputError("argument ", i, ": ", argument.error().message);
    bound.arguments.push_back(std::move(*argument));
  }
  bool isEmpty = false;
  if (launch.grid) {
    bound.grid.emplace();
    for (size_t axis = 0; axis < 3; ++axis) {
      Result<int64_t> extent = evaluate((*launch.grid)[axis], facts);
      if (!extent)
        return inputError("grid ", "xyz"[axis], ": ", extent.error().message);
      (*bound.grid)[axis] = *extent;
      isEmpty |= *extent == 0;
    }
  }
  // A computed grid may have no blocks, in contrast to the grid of a caller.
  if (isEmpty) {
    bound.plan.grid = *bound.grid;
    bound.plan.hiddenBytes.resize(kernel.hiddenArguments.size());
    return bound;
  }
  Result<LaunchPlan> plan = planLaunch(kernel, bound.arguments, bound.grid);
  if (!plan)
    return plan.takeError();
  bound.plan = std::move(*plan);
  return bound;
}

Result<std::vector<BoundLaunch>>
tile::runtime::bindLaunches(const ModuleMetadata &module,
                            const HostFunction &function,
                            const std::vector<KernelArgument> &arguments,
                            const std::vector<uint64_t> &temporaries) {
  Call call = {function, arguments, temporaries, getFacts(arguments)};
  std::vector<BoundLaunch> launches;
  for (size_t i = 0; i < function.launches.size(); ++i) {
    const Launch &launch = function.launches[i];
    Result<BoundLaunch> bound =
        call.bind(launch, *findKernelNamed(module, launch.kernel));
    if (!bound)
      return inputError("function '", function.name, "': launch ", i, " ('",
                        launch.kernel, "'): ", bound.error().message);
    launches.push_back(std::move(*bound));
  }
  return launches;
}
