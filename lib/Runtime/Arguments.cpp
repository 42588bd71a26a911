// Arguments.cpp - checks and packs the arguments of a launch
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/Arguments.h"

#include "tile/Runtime/Npy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace tile::runtime;

/// Limits of a grid (CUDA C++ Programming Guide, "Technical Specifications per
/// Compute Capability").
static constexpr Grid kMaxGrid = {(int64_t(1) << 31) - 1, 65535, 65535};

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// Returns the value of an integer scalar, sign-extended.
static int64_t getInteger(const ScalarValue &scalar) {
  uint64_t bits = 0;
  auto numBytes = static_cast<size_t>(getByteSize(scalar.type));
  std::memcpy(&bits, scalar.bytes.data(), numBytes);
  if (scalar.type == ElementType::I1)
    return bits & 1;
  unsigned unused = 64 - 8 * static_cast<unsigned>(numBytes);
  return static_cast<int64_t>(bits << unused) >> unused;
}

std::vector<ArgumentFacts>
tile::runtime::getFacts(const std::vector<KernelArgument> &arguments) {
  std::vector<ArgumentFacts> facts(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (const auto *array = std::get_if<ArrayView>(&arguments[i])) {
      facts[i].address = array->address;
      facts[i].sizes = array->sizes;
      facts[i].strides = array->strides;
      continue;
    }
    const auto *scalar = std::get_if<ScalarValue>(&arguments[i]);
    if (isIntegerType(scalar->type))
      facts[i].integer = getInteger(*scalar);
  }
  return facts;
}

ArrayExtent tile::runtime::getExtent(const ArrayView &array) {
  ArrayExtent extent;
  extent.first = array.address;
  int64_t bytes = getByteSize(array.type);
  extent.size = static_cast<uint64_t>(bytes);
  for (size_t dim = 0; dim < array.sizes.size(); ++dim) {
    int64_t stride = array.strides[dim] * bytes;
    extent.byteStrides.push_back(std::abs(stride));
    int64_t last = (array.sizes[dim] - 1) * stride;
    if (array.sizes[dim] > 0 && last < 0)
      extent.first -= static_cast<uint64_t>(-last);
    extent.size += static_cast<uint64_t>(std::abs(last));
  }
  if (std::find(array.sizes.begin(), array.sizes.end(), 0) != array.sizes.end())
    return {array.address, 0, std::move(extent.byteStrides)};
  return extent;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Returns a text such as "[64, 1]".
static std::string listToString(const std::vector<int64_t> &values) {
  std::string text;
  for (int64_t value : values)
    text += concat(text.empty() ? "" : ", ", value);
  return "[" + text + "]";
}

/// Whether the distance in bytes between any two elements fits in 63 bits.
static bool hasAddressableExtent(const ArrayView &array) {
  int64_t bytes = getByteSize(array.type);
  int64_t extent = 1;
  for (size_t i = 0; i < array.sizes.size(); ++i) {
    int64_t distance;
    if (__builtin_mul_overflow(array.sizes[i] - 1, array.strides[i],
                               &distance) ||
        distance == INT64_MIN ||
        __builtin_add_overflow(extent, std::abs(distance), &extent))
      return false;
  }
  return !__builtin_mul_overflow(extent, bytes, &extent);
}

static Status checkArray(const Argument &declared, const ArrayView &array) {
  size_t rank = declared.shape.size();
  if (array.sizes.size() != rank)
    return inputError("expected rank ", rank, ", found ", array.sizes.size(),
                      " (shape ", shapeToString(array.sizes), ")");
  if (array.strides.size() != rank)
    return inputError("expected ", rank, " strides, found ",
                      array.strides.size());
  for (size_t i = 0; i < rank; ++i) {
    if (array.sizes[i] < 0)
      return inputError("expected sizes of at least 0, found ", array.sizes[i],
                        " along dimension ", i);
    if (declared.shape[i] && *declared.shape[i] != array.sizes[i])
      return inputError("expected size ", *declared.shape[i],
                        " along dimension ", i, ", found ", array.sizes[i],
                        " (shape ", shapeToString(array.sizes), ")");
  }

  // The strides and the address of an array without elements are not used.
  if (std::count(array.sizes.begin(), array.sizes.end(), 0) != 0)
    return success();
  for (size_t i = 0; i < rank; ++i)
    if (array.sizes[i] > 1 && declared.strides[i] &&
        *declared.strides[i] != array.strides[i])
      return inputError("expected stride ", *declared.strides[i],
                        " along dimension ", i, ", found ", array.strides[i],
                        " (strides ", listToString(array.strides), ")");
  if (!getDenseBytes(array.sizes, getByteSize(array.type)) ||
      !hasAddressableExtent(array))
    return inputError(
        "expected an array of fewer than 2^63 bytes, found shape ",
        shapeToString(array.sizes), " with strides ",
        listToString(array.strides));
  if (array.address == 0)
    return inputError("expected a pointer, found null");
  auto alignment = static_cast<uint64_t>(getByteSize(array.type));
  if (array.address % alignment != 0)
    return inputError("expected a pointer aligned to ", alignment,
                      " bytes, found one that is ", array.address % alignment,
                      " bytes beyond");
  return success();
}

static Status checkArgument(const Argument &declared,
                            const KernelArgument &argument) {
  const auto *array = std::get_if<ArrayView>(&argument);
  const auto *scalar = std::get_if<ScalarValue>(&argument);
  bool expectsArray = declared.kind == Argument::Kind::Array;
  ElementType type = array ? array->type : scalar->type;
  if (expectsArray != (array != nullptr) || type != declared.type)
    return inputError("expected ", expectsArray ? "an array" : "a scalar",
                      " of ", getElementTypeName(declared.type), ", found ",
                      array ? "an array" : "a scalar", " of ",
                      getElementTypeName(type));
  return array ? checkArray(declared, *array) : success();
}

Status
tile::runtime::checkArguments(const std::string &callee,
                              const std::vector<Argument> &declared,
                              const std::vector<KernelArgument> &arguments) {
  if (arguments.size() != declared.size()) {
    std::string names;
    for (const Argument &argument : declared)
      names += concat(names.empty() ? "" : ", ", argument.name);
    return inputError(callee, ": expected ", declared.size(), " arguments (",
                      names.empty() ? "none" : names, "), found ",
                      arguments.size());
  }
  for (size_t i = 0; i < arguments.size(); ++i)
    if (Status status = checkArgument(declared[i], arguments[i]); !status)
      return inputError(callee, ": argument ", i, " ('", declared[i].name,
                        "'): ", status.error().message);
  return success();
}

Status
tile::runtime::checkArguments(const KernelMetadata &kernel,
                              const std::vector<KernelArgument> &arguments) {
  return checkArguments(concat("kernel '", kernel.name, "'"), kernel.arguments,
                        arguments);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Checks the size of the grid along every axis.
static Status checkGrid(const KernelMetadata &kernel, const Grid &grid,
                        bool mayBeEmpty) {
  for (int axis = 0; axis < 3; ++axis) {
    int64_t least = mayBeEmpty ? 0 : 1;
    if (grid[axis] < least || grid[axis] > kMaxGrid[axis])
      return inputError("expected a grid of ", least, " to ", kMaxGrid[axis],
                        " blocks along ", "xyz"[axis], ", found ", grid[axis]);
    if (grid[axis] % kernel.cluster[axis] != 0)
      return inputError("expected a grid that is a multiple of the cluster (",
                        kernel.cluster[axis], " blocks) along ", "xyz"[axis],
                        ", found ", grid[axis]);
  }
  return success();
}

static Result<Grid> computeGrid(const KernelMetadata &kernel,
                                const std::vector<ArgumentFacts> &facts,
                                const std::optional<Grid> &given) {
  if (!given && !kernel.grid)
    return inputError("expected a grid, as the kernel's metadata states none");
  Grid grid = given.value_or(Grid());
  for (int axis = 0; axis < 3 && !given; ++axis) {
    Result<int64_t> size = evaluate((*kernel.grid)[axis], facts);
    if (!size)
      return inputError("grid ", "xyz"[axis], ": ", size.error().message);
    grid[axis] = *size;
  }
  if (Status status = checkGrid(kernel, grid, /*mayBeEmpty=*/!given); !status)
    return status.takeError();
  return grid;
}

/// Verifies that the arguments satisfy the predicates of `entry`; the error
/// names the first one that does not.
static Status checkPredicates(const KernelMetadata &kernel,
                              const EntryPoint &entry,
                              const std::vector<ArgumentFacts> &facts) {
  for (const Predicate &predicate : entry.predicates)
    if (!holds(predicate, facts))
      return inputError("argument ", predicate.argument, " ('",
                        kernel.arguments[predicate.argument].name,
                        "'): expected a ", getPredicateName(predicate.what),
                        predicate.what == Predicate::What::Size ||
                                predicate.what == Predicate::What::Stride
                            ? concat(" along dimension ", predicate.dimension)
                            : "",
                        " that is a multiple of ", predicate.multipleOf,
                        predicate.what == Predicate::What::Pointer ? " bytes"
                                                                   : "");
  return success();
}

static Result<size_t> chooseEntry(const KernelMetadata &kernel,
                                  const std::vector<ArgumentFacts> &facts) {
  // Metadata for the CPU path lists no entry points.
  if (kernel.entries.empty())
    return size_t(0);
  for (size_t i = 0; i < kernel.entries.size(); ++i)
    if (checkPredicates(kernel, kernel.entries[i], facts))
      return i;
  // The caller must satisfy all predicates of the last entry point.
  return checkPredicates(kernel, kernel.entries.back(), facts).takeError();
}

Result<size_t>
tile::runtime::findEntry(const KernelMetadata &kernel,
                         const std::vector<KernelArgument> &arguments,
                         std::string_view name) {
  std::string names;
  for (size_t i = 0; i < kernel.entries.size(); ++i) {
    const EntryPoint &entry = kernel.entries[i];
    names += concat(names.empty() ? "'" : ", '", entry.symbol, "'");
    if (entry.symbol != name)
      continue;
    if (Status status = checkPredicates(kernel, entry, getFacts(arguments));
        !status)
      return inputError("kernel '", kernel.name, "', entry point '", name,
                        "': ", status.error().message);
    return i;
  }
  return inputError("kernel '", kernel.name,
                    "': expected one of the entry "
                    "points ",
                    names, ", found '", name, "'");
}

static Result<std::vector<int64_t>>
computeHiddenBytes(const KernelMetadata &kernel,
                   const std::vector<ArgumentFacts> &facts) {
  std::vector<int64_t> hiddenBytes;
  for (size_t i = 0; i < kernel.hiddenArguments.size(); ++i) {
    Result<int64_t> bytes = evaluate(kernel.hiddenArguments[i].bytes, facts);
    if (bytes && *bytes < 0)
      bytes = inputError("expected at least 0 bytes, found ", *bytes);
    if (!bytes)
      return inputError("kernel '", kernel.name, "': hidden argument ", i, ": ",
                        bytes.error().message);
    hiddenBytes.push_back(*bytes);
  }
  return hiddenBytes;
}

Result<std::vector<int64_t>>
tile::runtime::getHiddenBytes(const KernelMetadata &kernel,
                              const std::vector<KernelArgument> &arguments) {
  return computeHiddenBytes(kernel, getFacts(arguments));
}

Result<LaunchPlan>
tile::runtime::planLaunch(const KernelMetadata &kernel,
                          const std::vector<KernelArgument> &arguments,
                          const std::optional<Grid> &grid) {
  if (Status status = checkArguments(kernel, arguments); !status)
    return status.takeError();
  std::vector<ArgumentFacts> facts = getFacts(arguments);
  auto fail = [&](const Error &error) {
    return inputError("kernel '", kernel.name, "': ", error.message);
  };

  LaunchPlan plan;
  Result<Grid> computed = computeGrid(kernel, facts, grid);
  if (!computed)
    return fail(computed.error());
  plan.grid = *computed;
  // An empty launch uses no entry point.
  if (plan.isEmpty()) {
    plan.hiddenBytes.resize(kernel.hiddenArguments.size());
    return plan;
  }

  Result<size_t> entry = chooseEntry(kernel, facts);
  if (!entry)
    return fail(entry.error());
  plan.entry = *entry;
  Result<std::vector<int64_t>> hiddenBytes = computeHiddenBytes(kernel, facts);
  if (!hiddenBytes)
    return hiddenBytes.takeError();
  plan.hiddenBytes = std::move(*hiddenBytes);
  return plan;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void ParameterList::append(const void *value, size_t bytes) {
  values.emplace_back();
  std::memcpy(values.back().data(), value, bytes);
  pointers.push_back(values.back().data());
}

ParameterList::ParameterList(const KernelMetadata &kernel,
                             const std::vector<KernelArgument> &arguments,
                             const std::vector<uint64_t> &hidden) {
  auto appendRunTime = [&](const std::vector<StaticOrRunTime> &declared,
                           const std::vector<int64_t> &actual) {
    for (size_t i = 0; i < declared.size(); ++i)
      if (!declared[i])
        append(&actual[i], sizeof actual[i]);
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    firsts.push_back(pointers.size());
    if (const auto *scalar = std::get_if<ScalarValue>(&arguments[i])) {
      append(scalar->bytes.data(),
             static_cast<size_t>(getByteSize(scalar->type)));
      continue;
    }
    const auto &array = *std::get_if<ArrayView>(&arguments[i]);
    append(&array.address, sizeof array.address);
    appendRunTime(kernel.arguments[i].shape, array.sizes);
    appendRunTime(kernel.arguments[i].strides, array.strides);
  }
  firstHidden = pointers.size();
  for (uint64_t address : hidden)
    append(&address, sizeof address);
}

void ParameterList::setAddress(size_t argument, uint64_t address) {
  std::memcpy(pointers[firsts[argument]], &address, sizeof address);
}

void ParameterList::setHidden(size_t index, uint64_t address) {
  std::memcpy(pointers[firstHidden + index], &address, sizeof address);
}

std::vector<int64_t>
tile::runtime::getParameterSizes(const KernelMetadata &kernel) {
  std::vector<int64_t> sizes;
  for (const Argument &argument : kernel.arguments) {
    if (argument.kind == Argument::Kind::Scalar) {
      sizes.push_back(getByteSize(argument.type));
      continue;
    }
    auto numRunTime =
        1 +
        std::count(argument.shape.begin(), argument.shape.end(), std::nullopt) +
        std::count(argument.strides.begin(), argument.strides.end(),
                   std::nullopt);
    sizes.insert(sizes.end(), static_cast<size_t>(numRunTime), 8);
  }
  sizes.insert(sizes.end(), kernel.hiddenArguments.size(), 8);
  return sizes;
}
