// LaunchArguments.cpp - arguments for one launch of any kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchArguments.h"

#include "tile/Execution/ElementSemantics.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;
using namespace tile;
using namespace tile::runtime;
using namespace tile::test;

/// Fills `bytes` bytes with normally distributed values, or with small integers
/// for an integer type.
static void fill(char *data, size_t bytes, ElementType type,
                 std::mt19937_64 &random) {
  std::normal_distribution<double> normal;
  const llvm::fltSemantics *semantics = getSemantics(type);
  size_t step =
      semantics ? APFloat::getSizeInBits(*semantics) / 8 : getByteSize(type);
  for (size_t at = 0; at < bytes; at += step) {
    uint64_t bits = random() % (type == ElementType::I1 ? 2 : 41);
    if (semantics) {
      APFloat number(normal(random));
      bool isInexact;
      number.convert(*semantics, APFloat::rmNearestTiesToEven, &isInexact);
      bits = number.bitcastToAPInt().getZExtValue();
    }
    std::memcpy(data + at, &bits, step);
  }
}

/// Returns the strides of an array in elements: the declared strides, and for
/// other dimensions the strides of a contiguous array. Its innermost dimension
/// is the one that is declared with stride one, if any, else the last one.
static std::vector<int64_t> getStrides(const Argument &argument,
                                       ArrayRef<int64_t> sizes) {
  SmallVector<size_t> order;
  for (size_t dim = sizes.size(); dim-- > 0;)
    order.push_back(dim);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return (argument.strides[a] == 1) > (argument.strides[b] == 1);
  });
  std::vector<int64_t> strides(sizes.size());
  int64_t next = 1;
  for (size_t dim : order) {
    strides[dim] = argument.strides[dim].value_or(next);
    next = strides[dim] * sizes[dim];
  }
  return strides;
}

void LaunchArguments::addMemory(size_t bytes, size_t shift) {
  memory.push_back(std::make_unique<char[]>(bytes + shift + 256));
  EmulatorArray array;
  array.first = reinterpret_cast<void *>(
      llvm::alignTo(reinterpret_cast<uintptr_t>(memory.back().get()), 256) +
      shift);
  array.size = bytes;
  arrays.push_back(std::move(array));
  cells.push_back(reinterpret_cast<uint64_t>(arrays.back().first));
}

void LaunchArguments::addArray(const Argument &argument,
                               const LaunchShape &shape) {
  ArgumentFacts &fact = facts.back();
  // A dynamic batch dimension has extent two.
  bool isBatched = argument.shape.size() > 2;
  for (auto [dim, size] : llvm::enumerate(argument.shape))
    fact.sizes.push_back(size.value_or(isBatched && dim == 0 ? 2 : shape.size));
  fact.strides = getStrides(argument, fact.sizes);
  int64_t span = 1;
  for (auto [size, stride] : llvm::zip(fact.sizes, fact.strides))
    span = size == 0 ? 0 : span + (size - 1) * stride;
  int64_t bytes = getByteSize(argument.type);
  addMemory(span * bytes, shape.shift * bytes);
  EmulatorArray &array = arrays.back();
  fact.address = cells.back();
  array.elementBytes = bytes;
  array.extents = fact.sizes;
  for (int64_t stride : fact.strides)
    array.strides.push_back(stride * bytes);
  fill(static_cast<char *>(array.first), array.size, argument.type, random);
  for (auto [declared, size] : llvm::zip(argument.shape, fact.sizes))
    if (!declared)
      cells.push_back(size);
  for (auto [declared, stride] : llvm::zip(argument.strides, fact.strides))
    if (!declared)
      cells.push_back(stride);
}

LaunchArguments::LaunchArguments(const KernelMetadata &kernel,
                                 const LaunchShape &shape)
    : random(shape.seed + 1) {
  for (const Argument &argument : kernel.arguments) {
    facts.emplace_back();
    if (argument.kind == Argument::Kind::Array) {
      addArray(argument, shape);
      continue;
    }
    uint64_t cell = shape.scalar;
    if (argument.type == ElementType::I1)
      cell = shape.scalar % 2;
    else if (!isIntegerType(argument.type))
      fill(reinterpret_cast<char *>(&cell),
           std::min<size_t>(8, getByteSize(argument.type)), argument.type,
           random);
    facts.back().integer = static_cast<int64_t>(cell);
    cells.push_back(cell);
  }
  for (const HiddenArgument &hidden : kernel.hiddenArguments) {
    runtime::Result<int64_t> bytes = evaluate(hidden.bytes, facts);
    addMemory(bytes ? *bytes : 0, 0);
  }
  for (uint64_t &cell : cells)
    parameters.push_back(&cell);
}

EmulatorRun LaunchArguments::getRun(StringRef entry) {
  EmulatorRun run;
  run.entry = entry.str();
  run.parameters = parameters.data();
  run.arrays = arrays;
  run.threads = 1;
  return run;
}

std::vector<char> LaunchArguments::getResult() const {
  std::vector<char> bytes;
  for (const EmulatorArray &array : arrays) {
    const char *first = static_cast<const char *>(array.first);
    bytes.insert(bytes.end(), first, first + array.size);
  }
  return bytes;
}
